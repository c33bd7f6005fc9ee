package survival

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/internal/prooftest"
	"hush/core/param"
	"hush/core/privacy"
)

func TestMain(m *testing.M) { audittest.Main(m) }

func TestProofs(t *testing.T) { prooftest.Check(t, os.DirFS(".")) }

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func epsilon(text string) privacy.Epsilon { return must(privacy.ParseEpsilon(text)) }

// group is how many people of a group have each end.
type group struct {
	events, censored []int64
	none             int64
}

func (g group) size() (n int64) {
	n = g.none
	for i := range g.events {
		n += g.events[i] + g.censored[i]
	}
	return n
}

// cells are how many people of groups are in each cell.
func cells(s *Survival, groups []group, groupless int64) []int64 {
	list := make([]int64, s.Cells())
	for i, g := range groups {
		for step := range g.events {
			list[s.Event(i, step)] += g.events[step]
			list[s.Censored(i, step)] += g.censored[step]
		}
		list[s.None(i)] += g.none
	}
	list[s.Outside()] += groupless
	return list
}

// trial makes up a group: the event comes with an even hazard, and people are followed for an even
// time, up to the end.
func trial(r *rand.Rand, n, steps int, hazard float64) group {
	g := group{make([]int64, steps), make([]int64, steps), int64(n / 50)}
	for range n - n/50 {
		event := int(r.ExpFloat64() / hazard * float64(steps))
		followed := int((0.4 + r.Float64()) * float64(steps))
		switch {
		case event < steps && event <= followed:
			g.events[event]++
		default:
			g.censored[min(followed, steps-1)]++
		}
	}
	return g
}

func TestAuditSurvival(t *testing.T) {
	for _, groups := range []int{1, 2} {
		s := must(New(Params{Epsilon: epsilon("2"), Persons: 1, Steps: 1, Groups: groups}))
		audittest.Holds(t, audit.Audit[[2]string]{
			Name:  "survival curve of a step, groups: " + string(rune('0'+groups)),
			Space: audit.Space{Persons: 1, Values: s.line.Cells(), NoNone: true},
			Claim: claimOf(s.Loss(1)), Law: law(s, func(rows []int) []int { return rows })})
	}
}

// TestPlantedSurvival: a person who is counted as censored and with the event, too, is in two
// cells.
func TestPlantedSurvival(t *testing.T) {
	s := must(New(Params{Epsilon: epsilon("2"), Persons: 2, Steps: 1}))
	audittest.Caught(t, audit.Audit[[2]string]{Name: "survival curve, a person in two cells",
		Space: audit.Space{Persons: 1, Values: s.line.Cells(), NoNone: true},
		Claim: claimOf(s.Loss(1)), Law: law(s, func(rows []int) []int {
			return append(rows, rows[0])
		})})
}

func claimOf(loss privacy.Loss, err error) audit.Claim {
	return must(audit.ClaimOf(must(loss, err)))
}

// law is that of the curves, as they are released and printed; of says in which cells people are.
func law(s *Survival, of func(rows []int) []int) func([]int) (*coin.Law[[2]string], error) {
	return func(rows []int) (*coin.Law[[2]string], error) {
		list := make([]int64, s.Cells())
		for _, cell := range of(rows) {
			list[cell]++
		}
		limits := coin.Limits{Top: uint64(s.persons)}
		return coin.Enumerate(limits, func(src coin.Source) (out [2]string, err error) {
			noisy, err := s.tree.Count(src, list[:len(list)-1], nil)
			if err != nil {
				return out, nil
			}
			for _, level := range noisy { // so that there are few outcomes
				for i, x := range level {
					level[i] = min(max(x, 0), float64(s.persons))
				}
			}
			for i, c := range s.curves(noisy) {
				out[i] = fmt.Sprint(*c)
			}
			return out, err
		})
	}
}

// TestExactCurve: Kaplan and Meier's product, person by person.
func TestExactCurve(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		g := trial(r, 40, 6, 1)
		free := 1.0
		for step, have := range exact(g.events, g.censored) {
			atRisk, events := 0.0, 0.0
			for i := range g.events {
				if i >= step {
					atRisk += float64(g.events[i] + g.censored[i])
				}
			}
			if events = float64(g.events[step]); atRisk > 0 {
				free *= (atRisk - events) / atRisk
			}
			if math.Abs(free-have) > 1e-12 {
				t.Fatalf("step %d of %+v: %g, want %g", step, g, have, free)
			}
		}
	}
}

// exact is the curve without noise, from the events and the censored of each step.
func exact(events, censored []int64) (free []float64) {
	atRisk, now := int64(0), 1.0
	for i := range events {
		atRisk += events[i] + censored[i]
	}
	for i := range events {
		if atRisk > 0 {
			now *= 1 - float64(events[i])/float64(atRisk)
		}
		free, atRisk = append(free, now), atRisk-events[i]-censored[i]
	}
	return free
}

// TestLine: each cell is of one kind of person.
func TestLine(t *testing.T) {
	for _, l := range []Line{{1, 1}, {4, 1}, {1, 2}, {3, 5}} {
		seen := make([]int, l.Cells())
		for g := range l.Groups {
			seen[l.None(g)]++
			for step := range l.Steps {
				seen[l.Event(g, step)]++
				seen[l.Censored(g, step)]++
			}
		}
		if l.Groups > 1 {
			seen[len(seen)-1]++
		}
		if l.Groups == 1 && l.Outside() != l.None(0) || l.Groups > 1 && l.Outside() != len(seen)-1 {
			t.Errorf("%+v: people of no group are in cell %d", l, l.Outside())
		}
		if slices.Min(seen) != 1 || slices.Max(seen) != 1 {
			t.Errorf("%+v: %v", l, seen)
		}
	}
}

// known is the numbers of a group within ranges about the truth, whose ends rise.
func known(r *rand.Rand, g group) *numbers {
	off := func() float64 { return float64(max(r.IntN(6)-2, 0)) }
	n := newNumbers(len(g.events))
	f, c := 0.0, 0.0
	for i := range g.events {
		f, c = f+float64(g.events[i]), c+float64(g.censored[i])
		n.events[i] = within{f - off(), f, f + off()}
		n.censored[i] = within{c - off(), c, c + off()}
	}
	for _, list := range [][]within{n.events, n.censored} {
		for i := range list {
			list[i].low = max(list[i].low, 0)
			if i > 0 {
				list[i].low = max(list[i].low, list[i-1].low)
			}
		}
		for i := len(list) - 2; i >= 0; i-- {
			list[i].high = min(list[i].high, list[i+1].high)
		}
	}
	all := f + c
	n.all = within{all - off(), all, all + off()}
	return n
}

// within reports whether a file of people is possible.
func (n *numbers) holds(g group) bool {
	f, c := 0.0, 0.0
	for i := range g.events {
		f, c = f+float64(g.events[i]), c+float64(g.censored[i])
		if f < n.events[i].low || f > n.events[i].high || c < n.censored[i].low ||
			c > n.censored[i].high {
			return false
		}
	}
	return f+c >= n.all.low && f+c <= n.all.high
}

// every calls f with all files of two steps and at most the given number of people.
func every(people int64, f func(g group)) {
	var fill func(at int, left int64, list []int64)
	fill = func(at int, left int64, list []int64) {
		if at == len(list) {
			f(group{events: list[:2], censored: list[2:]})
			return
		}
		for list[at] = 0; list[at] <= left; list[at]++ {
			fill(at+1, left-list[at], list)
		}
	}
	fill(0, people, make([]int64, 4))
}

// TestCorners: of all files within random ranges none has a curve outside of the corners.
func TestCorners(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	attained := 0
	for range 300 {
		n := known(r, small(r))
		low, high := [2]float64{1, 1}, [2]float64{}
		every(9, func(g group) {
			if !n.holds(g) {
				return
			}
			for step, free := range exact(g.events, g.censored) {
				low[step], high[step] = min(low[step], free), max(high[step], free)
			}
		})
		for step := range low {
			least, most := n.least(step), n.most(step)
			if low[step] < least-1e-12 || high[step] > most+1e-12 {
				t.Fatalf("step %d of %+v: %g to %g, within %g to %g", step, n, low[step],
					high[step], least, most)
			}
			if high[step] > most-1e-9 {
				attained++
			}
			if low[step] < least+1e-9 {
				attained++
			}
		}
	}
	if attained < 600 { // of 1 200
		t.Errorf("%d ends attained: the corners are wide", attained)
	}
}

func small(r *rand.Rand) group {
	g := group{make([]int64, 2), make([]int64, 2), 0}
	for range 1 + r.IntN(6) {
		if step := r.IntN(2); r.IntN(2) == 0 {
			g.events[step]++
		} else {
			g.censored[step]++
		}
	}
	return g
}

// TestPlantedCorners: the corners of all upper and of all lower ends miss some file, and so does
// each of the two when one of its rules is turned round.
func TestPlantedCorners(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	corner := func(all float64, t int, events, censored func(int) float64) float64 {
		return min(max(product(all, t, events, censored), 0), 1)
	}
	planted := map[string]func(n *numbers, t int) (low, high float64){
		"all ends": func(n *numbers, t int) (low, high float64) {
			low = corner(n.all.high, t, func(i int) float64 { return n.events[i].high },
				func(i int) float64 { return n.censored[i].high })
			return low, corner(n.all.low, t, func(i int) float64 { return n.events[i].low },
				func(i int) float64 { return n.censored[i].low })
		},
		"people with a time": func(n *numbers, t int) (low, high float64) {
			turned := *n
			turned.all.low, turned.all.high = n.all.high, n.all.low
			return turned.least(t), turned.most(t)
		},
		"early events": func(n *numbers, t int) (low, high float64) {
			return n.least(t), corner(n.all.high, t, func(i int) float64 {
				if i == t {
					return n.events[i].low
				}
				return min(n.events[i].low, n.events[t].low)
			}, func(i int) float64 { return n.censored[i].low })
		},
		"late events": func(n *numbers, t int) (low, high float64) {
			return corner(n.all.low, t, func(i int) float64 { return n.events[i].high },
				func(i int) float64 { return n.censored[i].high }), n.most(t)
		},
	}
	missed := map[string]int{}
	for range 5000 {
		g := small(r)
		n := known(r, g)
		for step, free := range exact(g.events, g.censored) {
			for name, of := range planted {
				if low, high := of(n, step); free < low-1e-9 || free > high+1e-9 {
					missed[name]++
				}
			}
		}
	}
	for name := range planted {
		if missed[name] == 0 {
			t.Errorf("%s: nothing is missed", name)
		}
	}
}

// TestSurvivalCovers: the bands of all steps, and the numbers at risk, hold in 95 of 100 releases.
func TestSurvivalCovers(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for name, groups := range map[string][]group{
		"one group":            {trial(r, 500, 24, 1)},
		"nobody has the event": {{make([]int64, 12), append(make([]int64, 11), 300), 0}},
		"everybody at once":    {{append([]int64{300}, make([]int64, 7)...), make([]int64, 8), 3}},
		"three groups": {trial(r, 400, 16, 1), trial(r, 100, 16, 3),
			trial(r, 900, 16, 0.3)},
	} {
		steps, groupless, n := len(groups[0].events), int64(0), int64(0)
		if len(groups) > 1 {
			groupless, n = 7, 7
		}
		for _, g := range groups {
			n += g.size()
		}
		for _, measured := range []int{0, 3, steps} {
			s := must(New(Params{Epsilon: epsilon("1"), Persons: uint64(n), Steps: steps,
				Groups: len(groups), Measured: measured}))
			list, src := cells(s, groups, groupless), coin.NewSeeded(coin.Seed(measured))
			const runs = 400
			held := 0
			for range runs {
				if holds(must(s.Release(src, list, nil)), groups) {
					held++
				}
			}
			if held < runs*95/100-14 { // three standard deviations
				t.Errorf("%s, %d measured steps: %d of %d", name, s.Measured(), held, runs)
			}
		}
	}
}

func holds(curves []*Curve, groups []group) bool {
	for i, g := range groups {
		all := g.size() - g.none
		atRisk := float64(all)
		if atRisk < curves[i].AllLow || atRisk > curves[i].AllHigh {
			return false
		}
		for step, free := range exact(g.events, g.censored) {
			p := curves[i].Points[step]
			if p.Free < p.Low || p.Free > p.High || free < p.Low-1e-9 || free > p.High+1e-9 ||
				atRisk < p.AtRiskLow || atRisk > p.AtRiskHigh {
				return false
			}
			atRisk -= float64(g.events[step] + g.censored[step])
		}
	}
	return true
}

// TestSurvivalError: the goals of one release, mean of 200, on a made-up trial of 32 steps and on
// larger copies of it.
func TestSurvivalError(t *testing.T) {
	one := trial(rand.New(rand.NewPCG(9, 10)), 228, 32, 1)
	for _, goal := range []struct {
		copies     int64
		off, width float64
	}{{1, 0.03, 0.25}, {9, 0.007, 0.055}, {88, 0.0008, 0.01}} {
		g := group{none: goal.copies * one.none}
		for i := range one.events {
			g.events = append(g.events, goal.copies*one.events[i])
			g.censored = append(g.censored, goal.copies*one.censored[i])
		}
		s := must(New(Params{Epsilon: epsilon("1"), Persons: uint64(g.size()), Steps: 32}))
		list, want := cells(s, []group{g}, 0), exact(g.events, g.censored)
		src, off, width := coin.NewSeeded(11), 0.0, 0.0
		const runs = 200
		for range runs {
			square := 0.0
			for i, p := range must(s.Release(src, list, nil))[0].Points {
				square += (p.Free - want[i]) * (p.Free - want[i]) / 32
				width += (p.High - p.Low) / 2 / 32 / runs
			}
			off += math.Sqrt(square) / runs
		}
		t.Logf("%d people, %d measured steps: off by %.4f, band ± %.3f", g.size(), s.Measured(),
			off, width)
		if off > goal.off || width > goal.width {
			t.Errorf("%d people: off by %.4f, band ± %.3f", g.size(), off, width)
		}
	}
}

func TestSurvivalRefuses(t *testing.T) {
	for field, p := range map[string]Params{
		"epsilon": {Persons: 10, Steps: 3},
		"persons": {Epsilon: epsilon("1"), Steps: 3},
		// H: survival.md steps
		"steps":    {Epsilon: epsilon("1"), Persons: 10, Steps: MaxSteps + 1},
		"groups":   {Epsilon: epsilon("1"), Persons: 10, Steps: 3, Groups: MaxGroups + 1},
		"measured": {Epsilon: epsilon("1"), Persons: 10, Steps: 3, Measured: 4},
	} {
		_, err := New(p)
		var e *param.Error
		if !errors.As(err, &e) || e.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	s := must(New(Params{Epsilon: epsilon("1"), Persons: 10, Steps: 3}))
	_, err := s.Release(coin.NewSeeded(1), []int64{1}, nil)
	var e *param.Error
	if !errors.As(err, &e) || e.Field != "cells" {
		t.Errorf("cells: %v", err)
	}
}
