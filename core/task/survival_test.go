package task

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/param"
)

// kaplanMeier is the curve of the events and the censored of each step.
func kaplanMeier(events, censored []int64) (free []float64) {
	for step := range events {
		now := 1.0
		for i := range step + 1 {
			atRisk := 0.0
			for k := i; k < len(events); k++ {
				atRisk += float64(events[k] + censored[k])
			}
			now *= 1 - float64(events[i])/atRisk
		}
		free = append(free, now)
	}
	return free
}

// ends are the true events and censored people of each step of a group.
type ends struct{ events, censored [20]int64 }

// holds reports whether a curve and the numbers at risk are within what an answer prints.
func (e ends) holds(c SurvivalCurve) bool {
	free, atRisk := kaplanMeier(e.events[:], e.censored[:]), int64(0)
	for i := range e.events {
		atRisk += e.events[i] + e.censored[i]
	}
	for i, p := range c.Points {
		if 100*free[i] < p.Low || 100*free[i] > p.High || atRisk < p.AtRiskLow ||
			atRisk > p.AtRiskHigh {
			return false
		}
		atRisk -= e.events[i] + e.censored[i]
	}
	return true
}

// TestSurvivalAnswer: whole releases from a file with cells that name no time, no end, no group,
// and times beyond the last one; the curves of all groups, the numbers at risk and the difference
// in the sentence are within what is printed, at every time at once, in 95 of 100 releases. People
// who were followed beyond the last time, and had the event there, did not have it within.
func TestSurvivalAnswer(t *testing.T) {
	const last, steps = 100, 20
	r := rand.New(rand.NewPCG(1, 2))
	var file strings.Builder
	file.WriteString("days,end,arm\n")
	groups := []string{"a", "b", "none"}
	var truth [4]ends // of each group, and of all
	beyond := 0
	for range 1500 {
		group := []int{0, 0, 1, 1, 1, 2}[r.IntN(6)]
		event, followed := int(r.ExpFloat64()*float64(160-80*group)), 20+r.IntN(120)
		day, end, arm := min(event, followed), "left", groups[group]
		if event <= followed {
			end = "died"
		}
		switch {
		case r.IntN(40) == 0:
			fmt.Fprintf(&file, ",%s,%s\n", end, arm)
			continue
		case r.IntN(40) == 0:
			fmt.Fprintf(&file, "%d,unknown,%s\n", day, arm)
			continue
		}
		fmt.Fprintf(&file, "%d,%s,%s\n", day, end, arm)
		for _, of := range []*ends{&truth[group], &truth[3]} {
			switch step := day * steps / last; {
			case day >= last:
				of.censored[steps-1]++
				if end == "died" {
					beyond++
				}
			case end == "died":
				of.events[step]++
			default:
				of.censored[step]++
			}
		}
	}
	if beyond < 40 {
		t.Fatalf("%d people had the event after the last time", beyond/2)
	}
	text := []byte(file.String())
	s := open(t, text)
	asked := recipe(s, "survival", 0, domain.Spec{Kind: domain.Integer, Lo: "0",
		Hi: fmt.Sprint(last), Outside: domain.Clamp}, ask.Params{paramSteps: fmt.Sprint(steps)})
	asked.Others = []ask.Field{{Role: roleEnd, Column: 2, Label: "end",
		Domain: domain.Spec{Kind: domain.Category, Categories: []string{"died", "left"}}}}
	asked.Epsilon = "10"
	late := truth[3]
	late.events[steps-1] += int64(beyond / 2)
	const runs = 200
	held, planted, swapped := [3]int{}, 0, 0
	for range runs {
		one := askFor(t, s, asked, text).Answer.Result.(*Survival)
		held[0] += counted(truth[3].holds(one.Curves[0]))
		planted += counted(late.holds(one.Curves[0]))
		grouped := asked
		grouped.Group = &ask.Group{Column: 3, Label: "arm", Names: groups[:2]}
		release := askFor(t, s, grouped, text)
		both := release.Answer.Result.(*Survival)
		held[1] += counted(truth[0].holds(both.Curves[0]) && truth[1].holds(both.Curves[1]) &&
			saysApart(t, release.Statement, both, truth[0], truth[1]))
		swapped += counted(truth[1].holds(both.Curves[0]))
		grouped.Group = &ask.Group{Column: 3, Label: "arm", Names: groups[1:2]}
		release = askFor(t, s, grouped, text)
		only := release.Answer.Result.(*Survival).Curves
		held[2] += counted(len(only) == 1 && truth[1].holds(only[0]) &&
			strings.HasPrefix(release.Statement, "Half of the people with “b” are still"))
	}
	for i, held := range held {
		if held < runs*95/100-9 {
			t.Errorf("%s: %d of %d releases hold", []string{"everybody", "two groups",
				"one group"}[i], held, runs)
		}
	}
	if planted > runs/2 || swapped > runs/2 {
		t.Errorf("events beyond the last time would be within %d of %d bands, another group in %d",
			planted, runs, swapped)
	}
}

func counted(is bool) int {
	if is {
		return 1
	}
	return 0
}

// saysApart reports whether the difference that a sentence prints holds; there is one here.
func saysApart(t *testing.T, said string, s *Survival, first, second ends) bool {
	t.Helper()
	found := regexp.MustCompile(`^With “(.)”, ([\d.]+) to ([\d.]+) percentage points more are still ` +
		`without “died” at (\d+) than with “(.)”`).FindStringSubmatch(said)
	if found == nil {
		t.Fatalf("no difference in %q", said)
	}
	at := slices.IndexFunc(s.Curves[0].Points, func(p SurvivalPoint) bool {
		return p.Value == found[4]
	})
	difference := 100 * (kaplanMeier(first.events[:], first.censored[:])[at] -
		kaplanMeier(second.events[:], second.censored[:])[at])
	if found[1] == "b" {
		difference = -difference
	}
	low, high := must(strconv.ParseFloat(found[2], 64)), must(strconv.ParseFloat(found[3], 64))
	return low <= difference && difference <= high
}

// TestFollowedLonger: where values beyond the range count as none, people who were followed longer
// are left out, and the forecast says so before anything is spent.
func TestFollowedLonger(t *testing.T) {
	s := open(t, []byte("days,end\n5,died\n200,left\n"))
	d := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "100"}
	for _, outside := range []string{"", domain.Clamp} {
		d.Outside = outside
		asked := recipe(s, "survival", 0, d, nil)
		asked.Others = []ask.Field{{Role: roleEnd, Column: 2, Label: "end",
			Domain: domain.Spec{Kind: domain.Category, Categories: []string{"died", "left"}}}}
		said := false
		for _, f := range must(s.Plan(asked)).Forecast {
			said = said || f.Label == "Followed beyond the range"
		}
		if said != (outside == "") {
			t.Errorf("outside %q: the forecast says it: %v", outside, said)
		}
	}
}

// TestTimeSteps: a step ends at the first code of the next one.
func TestTimeSteps(t *testing.T) {
	for _, s := range []timeSteps{{1, 1}, {10, 3}, {100, 7}, {31, 31}, {1 << 49, 1024}} {
		for step := range s.steps {
			end := s.end(step)
			if at, before := s.of(end - 1); at != step || !before {
				t.Errorf("%+v: the code before the end of step %d is in %d", s, step, at)
			}
			if at, before := s.of(end); before && at != step+1 || !before && end != s.last {
				t.Errorf("%+v: the end of step %d is in %d", s, step, at)
			}
		}
	}
}

// TestSurvivalMedian: the printed range of the median holds the true one.
func TestSurvivalMedian(t *testing.T) {
	point := func(value string, free, low, high float64) SurvivalPoint {
		return SurvivalPoint{Value: value, Free: free, Low: low, High: high}
	}
	for want, s := range map[string]SurvivalCurve{
		"0 20 30": {Points: []SurvivalPoint{point("10", 60, 45, 90), point("20", 50, 30, 70),
			point("30", 40, 20, 50)}},
		"10 30 ": {Points: []SurvivalPoint{point("10", 70, 60, 90), point("20", 60, 50, 80),
			point("30", 50, 30, 70)}},
		"20  ": {Points: []SurvivalPoint{point("10", 90, 80, 100), point("20", 80, 70, 90),
			point("30", 70, 49, 80)}},
	} {
		if low, about, high := s.Median("0"); low+" "+about+" "+high != want {
			t.Errorf("%+v: %q, %q, %q; want %q", s.Points, low, about, high, want)
		}
	}
}

// TestSurvivalGroups: groups are listed, at most sixteen of them.
func TestSurvivalGroups(t *testing.T) {
	s := open(t, []byte("days,end,arm\n5,died,a\n20,left,b\n"))
	asked := recipe(s, "survival", 0, domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "100"}, nil)
	asked.Others = []ask.Field{{Role: roleEnd, Column: 2, Label: "end",
		Domain: domain.Spec{Kind: domain.Category, Categories: []string{"died", "left"}}}}
	var many []string
	for i := range 17 {
		many = append(many, fmt.Sprint("g", i))
	}
	for field, group := range map[string]*ask.Group{
		"groups":      {Column: 3, Names: many},
		"groupColumn": {Column: 3, Find: &ask.Find{Share: 50, Delta: "0.001"}},
	} {
		asked.Group = group
		_, err := s.Plan(asked)
		var refused *param.Error
		if !errors.As(err, &refused) || refused.Field != field {
			t.Errorf("%v: %v, want a refusal of %s", group, err, field)
		}
	}
	asked.Group = &ask.Group{Column: 3, Names: many[:16]}
	if _, err := s.Plan(asked); err != nil {
		t.Error(err)
	}
}
