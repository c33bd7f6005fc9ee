package basic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"hush/core/coin"
)

// spreadData are the columns of the tests of a variance, with their scale: ties, crowds, years,
// large numbers, few values, persons without one.
func spreadData(n int) map[string]struct {
	scale Scale
	data  column
} {
	random := rand.New(rand.NewPCG(uint64(n), 5))
	ages, years := numbers(101, "0", "1"), numbers(201, "1900", "1")
	of := func(scale Scale, code func(i int) int) (c struct {
		scale Scale
		data  column
	}) {
		c.scale = scale
		for i := range n {
			c.data = append(c.data, code(i))
		}
		return c
	}
	return map[string]struct {
		scale Scale
		data  column
	}{
		"even":  of(ages, func(int) int { return random.IntN(101) }),
		"skew":  of(ages, func(int) int { return min(100, int(10*random.ExpFloat64())) }),
		"ties":  of(ages, func(i int) int { return 20 * (i % 4) }),
		"crowd": of(ages, func(i int) int { return []int{40, 40, 40, 40, 90}[i%5] }),
		"one":   of(ages, func(int) int { return 30 }),
		"end":   of(ages, func(int) int { return 0 }),
		"ends":  of(ages, func(i int) int { return i % 2 * 100 }),
		"years": of(years, func(int) int { return 40 + random.IntN(80) }),
		"large": of(numbers(1<<40, "0", "1/100"), func(int) int {
			return int(1e10 * math.Exp(random.NormFloat64()))
		}),
		"rating": of(numbers(5, "1", "1"), func(int) int { return random.IntN(5) }),
		"yes":    of(numbers(2, "0", "1"), func(int) int { return random.IntN(4) / 3 }),
		"none half": of(ages, func(i int) int {
			if i%2 == 0 {
				return -1
			}
			return 20 + random.IntN(40)
		}),
	}
}

// drawnVariance is how often intervals miss, how wide they are, half of it on average, and what 95
// of 100 errors are within.
func drawnVariance(a asked[Estimate], data column, scale Scale, runs int) (missed int,
	half, within float64) {
	src, want := coin.NewSeeded(3), truthOf(data, scale, nil).variance()
	sums := must(a.exact(data, nil, 1, nil))
	var off []float64
	for range runs {
		e := a.ask.answer(a.noise, a.grouped, Beta, must(a.noise.hide(src, sums, nil)))
		if e.Low.Cmp(want) > 0 || e.High.Cmp(want) < 0 {
			missed++
		}
		half += (ratFloat(e.High) - ratFloat(e.Low)) / 2 / float64(runs)
		off = append(off, math.Abs(ratFloat(e.Value)-ratFloat(want)))
	}
	slices.Sort(off)
	return missed, half, off[runs*95/100]
}

// TestVarianceIntervalHolds: on all data, for few people and many, the interval misses in at most 5
// of 100 releases.
func TestVarianceIntervalHolds(t *testing.T) {
	const runs = 400
	missed, all := 0, 0
	sizes := []int{3, 1000}
	if !testing.Short() {
		sizes = []int{3, 30, 1000, 20_000}
	}
	for _, n := range sizes {
		for name, c := range spreadData(n) {
			for _, e := range []string{"0.1", "1", "8"} {
				v := must(NewVariance(VarianceParams{Epsilon: epsilon(e), Scale: c.scale,
					People: int64(n)}))
				a := v.asked
				if name == "even" || name == "yes" {
					a = grouped(v, 1)
				}
				m, _, _ := drawnVariance(a, c.data, c.scale, runs)
				missed, all = missed+m, all+runs
				// 5 % of 400 is 20, with a standard deviation of 4.4: 42 has a chance below 10^-5
				if m > 42 {
					t.Errorf("%s, n = %d, ε = %s: %d of %d miss", name, n, e, m, runs)
				}
			}
		}
	}
	if part := float64(missed) / float64(all); part > .05 {
		t.Errorf("%.4f of all miss", part)
	}
}

// TestVarianceIntervalIsNarrow: where the error is small beside the variance, half the interval is
// what 95 of 100 errors are within, to an eighth; that of before is a third wider and more.
func TestVarianceIntervalIsNarrow(t *testing.T) {
	const runs = 3000
	for _, c := range []struct {
		name, epsilon string
		people        int
	}{{"even", "1", 1000}, {"even", "0.1", 20_000}, {"skew", "1", 1000}, {"ties", "8", 1000},
		{"crowd", "1", 20_000}, {"years", "1", 1000}, {"large", "1", 20_000},
		{"rating", "1", 1000}, {"none half", "1", 20_000}, {"none half", "8", 1000}} {
		x := spreadData(c.people)[c.name]
		for _, before := range []bool{false, true} {
			v := must(NewVariance(VarianceParams{Epsilon: epsilon(c.epsilon), Scale: x.scale,
				People: int64(c.people), Before: before}))
			_, half, within := drawnVariance(v.asked, x.data, x.scale, runs)
			if times := half / within; times > 1.12 != before || times < .9 ||
				before && times < 1.33 {
				t.Errorf("%s, n = %d, ε = %s, before %t: %.2f times as wide as need be", c.name,
					c.people, c.epsilon, before, times)
			}
		}
	}
}

// TestNoiseSums compares both bounds on a sum of noises with its exact law: they are not below it,
// for weights within their ranges, and not far above it.
func TestNoiseSums(t *testing.T) {
	// above is Pr[lead + sum > t], the lead's tail being a power of 1/r
	var above func(lead weighed, rest []weighed, t float64) float64
	above = func(lead weighed, rest []weighed, t float64) (chance float64) {
		if len(rest) == 0 {
			least := math.Floor(t/lead.most+1e-9) + 1
			if least <= 0 {
				return 1 - above(lead, nil, -lead.most*least)
			}
			return math.Exp(-lead.log*least) / (1 + math.Exp(-lead.log))
		}
		w := rest[0]
		for k := -math.Ceil(16 / w.log); k <= math.Ceil(16/w.log); k++ {
			chance += math.Tanh(w.log/2) * math.Exp(-w.log*math.Abs(k)) *
				above(lead, rest[1:], t-k*w.most)
		}
		return chance
	}
	exact := func(list []weighed, t float64) float64 { return 2 * above(list[0], list[1:], t) }
	of := func(by, log float64) weighed { return weighed{by, by, log} }
	for _, c := range []struct {
		noises []weighed
		times  float64 // at most as much above 5 in 100 in t
	}{
		{[]weighed{of(.5, .02), of(3, .2), of(40, 1)}, 1.05},
		{[]weighed{of(.5, .04), of(7, .3), of(20, .9)}, 1.05},
		{[]weighed{of(.5, .3), of(1, 1), of(.9, 2)}, 1.05},
		{[]weighed{of(.5, .05), of(4, .15), of(9, .4)}, 1.07},
		{[]weighed{of(1, .1), of(1, .1), of(1, .1)}, 1.06},
		{[]weighed{of(.5, 2), of(1, 3), of(.7, 3)}, 1.001},
		{[]weighed{of(.5, .02), of(3, .2), of(0, 1)}, 1.02},
		{[]weighed{of(1, .1), of(30, .9)}, 1.05},
		{[]weighed{of(2, .3), of(1.7, .25)}, 1.09},
	} {
		s := noiseSum{c.noises[0], c.noises[1:]}
		need := firstEnough(1, func(t float64) bool { return exact(c.noises, t) <= Beta })
		got := firstEnough(1, func(t float64) bool { return s.beyond(t) <= Beta })
		if got < need*(1-1e-4) || got > need*c.times {
			t.Errorf("%v: beyond %.4f, exactly %.4f, %.3f times", c.noises, got, need, got/need)
		}
		wide := noiseSum{c.noises[0], slices.Clone(c.noises[1:])}
		for i := range wide.rest {
			wide.rest[i].least *= .8
			wide.rest[i].most *= 1.1
		}
		for _, part := range []float64{.2, .5, .8, 1, 1.1, 1.5, 2} {
			law := exact(c.noises, need*part)
			for name, bound := range map[string]float64{"smooth": s.smooth(need * part),
				"counted": s.counted(need * part), "smooth, of a range": wide.smooth(need * part),
				"counted, of a range": wide.counted(need * part)} {
				if bound < law*(1-1e-9)-1e-7 {
					t.Errorf("%v beyond %.3f: %s says %g, it is %g", c.noises, need*part, name,
						bound, law)
				}
			}
		}
	}
}

// TestShifts: noise is at most continuous noise that is moved up, from half a unit to one.
func TestShifts(t *testing.T) {
	for _, log := range []float64{.001, .1, 1, 3, 20} {
		w := weighed{1, 1, log}
		if d := w.shift(); d < .5 || d >= 1 {
			t.Errorf("ln r = %g: %g", log, d)
		}
		for x := -5.05; x < 5; x += .01 {
			above := aboveOne(1/log, 0, x-w.shift())
			if exact := w.above(x); exact > above*(1+1e-9) {
				t.Errorf("ln r = %g, above %.3f: %g, continuous %g", log, x, exact, above)
			}
		}
	}
}

func BenchmarkVarianceInterval(b *testing.B) {
	for _, e := range []string{"0.1", "1", "10"} {
		b.Run(fmt.Sprint("ε=", e), func(b *testing.B) {
			a := must(NewVariance(VarianceParams{Epsilon: epsilon(e),
				Scale: numbers(101, "0", "1"), People: 10_000})).asked
			for b.Loop() {
				a.ask.answer(a.noise, false, Beta, []int64{-10_000_000, 100_000, 10_000})
			}
		})
	}
}
