package task

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
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

// TestSurvivalAnswer: whole releases from a file with cells that name no time, no end, and times
// beyond the last one; the curve and the numbers at risk are within what is printed, at every time
// at once, in 95 of 100 releases. People who were followed beyond the last time, and had the event
// there, did not have it within.
func TestSurvivalAnswer(t *testing.T) {
	const last, steps = 100, 20
	r := rand.New(rand.NewPCG(1, 2))
	var file strings.Builder
	file.WriteString("days,end\n")
	events, censored := make([]int64, steps), make([]int64, steps)
	beyond := 0
	for range 1500 {
		event, followed := int(r.ExpFloat64()*120), 20+r.IntN(120)
		day, end := min(event, followed), "left"
		if event <= followed {
			end = "died"
		}
		switch {
		case r.IntN(40) == 0:
			fmt.Fprintf(&file, ",%s\n", end)
			continue
		case r.IntN(40) == 0:
			fmt.Fprintf(&file, "%d,unknown\n", day)
			continue
		}
		fmt.Fprintf(&file, "%d,%s\n", day, end)
		switch step := day * steps / last; {
		case day >= last:
			censored[steps-1]++
			if end == "died" {
				beyond++
			}
		case end == "died":
			events[step]++
		default:
			censored[step]++
		}
	}
	if beyond < 20 {
		t.Fatalf("%d people had the event after the last time", beyond)
	}
	text := []byte(file.String())
	s := open(t, text)
	asked := recipe(s, "survival", 0, domain.Spec{Kind: domain.Integer, Lo: "0",
		Hi: fmt.Sprint(last), Outside: domain.Clamp}, ask.Params{paramSteps: fmt.Sprint(steps)})
	asked.Others = []ask.Field{{Role: roleEnd, Column: 2, Label: "end",
		Domain: domain.Spec{Kind: domain.Category, Categories: []string{"died", "left"}}}}
	asked.Epsilon = "10"
	free, held, planted := kaplanMeier(events, censored), 0, 0
	late := append([]int64{}, events...)
	late[steps-1] += int64(beyond)
	wrong := kaplanMeier(late, censored)
	const runs = 200
	for range runs {
		out := askFor(t, s, asked, text).Answer.Result.(*Survival)
		holds := func(free []float64) bool {
			atRisk := int64(0)
			for i := range events {
				atRisk += events[i] + censored[i]
			}
			for i, p := range out.Points {
				if 100*free[i] < p.Low || 100*free[i] > p.High || atRisk < p.AtRiskLow ||
					atRisk > p.AtRiskHigh {
					return false
				}
				atRisk -= events[i] + censored[i]
			}
			return true
		}
		if holds(free) {
			held++
		}
		if holds(wrong) {
			planted++
		}
	}
	if held < runs*95/100-9 {
		t.Errorf("%d of %d bands hold", held, runs)
	}
	if planted > runs/2 {
		t.Errorf("events beyond the last time would be within %d of %d bands", planted, runs)
	}
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
	for want, s := range map[string]Survival{
		" 20 30": {Points: []SurvivalPoint{point("10", 60, 45, 90), point("20", 50, 30, 70),
			point("30", 40, 20, 50)}},
		"10 30 ": {Points: []SurvivalPoint{point("10", 70, 60, 90), point("20", 60, 50, 80),
			point("30", 50, 30, 70)}},
		"20  ": {Points: []SurvivalPoint{point("10", 90, 80, 100), point("20", 80, 70, 90),
			point("30", 70, 49, 80)}},
	} {
		if low, about, high := s.Median(); low+" "+about+" "+high != want {
			t.Errorf("%+v: %q, %q, %q; want %q", s.Points, low, about, high, want)
		}
	}
}
