package query

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"

	"hush/core/coin"
	"hush/core/internal/stattest"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/param"
	"hush/core/privacy"
)

func residualsAt(e string, sizes ...int) *Residuals {
	return must(NewResiduals(ResidualsParams{Epsilon: epsilon(e), Delta: delta("1e-6"),
		Columns: categorical(sizes...), Margins: margins(len(sizes), min(len(sizes), 2))}))
}

// everybody lists the cells of the full table of columns.
func everybody(sizes []int) (cells [][]int) {
	cells = [][]int{nil}
	for _, size := range sizes {
		var next [][]int
		for _, cell := range cells {
			for c := range size {
				next = append(next, append(slices.Clone(cell), c))
			}
		}
		cells = next
	}
	return cells
}

// chained are the releases of records, each averaged with all before, and the residuals that made
// the last.
func chained(src coin.Source, records *Records, chain ...*Residuals) (*Release, *Residuals) {
	r, of := must(chain[0].Release(src, records, nil)), chain[0]
	for i, m := range chain[1:] {
		of = must(m.Average(chain[i], r.Draws()))
		r = must(of.Release(src, records, nil))
	}
	return r, of
}

// pmf is the law of a noise.
func pmf[Z int | int64](g *mechanism.Gaussian, z Z) float64 {
	return stattest.GaussianPMF(g.Base().Log(), int64(z))
}

// noiseMoment is Σ P^α·Q^(1−α) of a noise and of itself moved by d, as a logarithm.
func noiseMoment(g *mechanism.Gaussian, d int64, alpha float64) float64 {
	sum, far := 0.0, int64(9*g.StdDev()+alpha*math.Abs(float64(d)))+9
	for z := -far; z <= far; z++ {
		if p, q := pmf(g, z), pmf(g, z-d); p > 0 && q > 0 {
			sum += math.Exp(alpha*math.Log(p) + (1-alpha)*math.Log(q))
		}
	}
	return math.Log(sum)
}

// overPaid is by how much the moments of releases by these residuals, one after the other, are
// above those of ρ for some replaced person, as a logarithm.
func overPaid(sizes []int, rho *big.Rat, all ...*Residuals) (worst float64) {
	paid, _ := rho.Float64()
	type key struct {
		of    *mechanism.Gaussian
		d     int64
		alpha float64
	}
	known := map[key]float64{}
	worst = math.Inf(-1)
	for _, x := range everybody(sizes) {
		before := must(all[0].exact(personsIn(sizes, x), nil))
		for _, y := range everybody(sizes) {
			after := must(all[0].exact(personsIn(sizes, y), nil))
			for _, alpha := range []float64{1.01, 2, 5} {
				log := -alpha * (alpha - 1) * paid
				for _, m := range all {
					for _, r := range m.residuals {
						for k := r.at; k < r.at+r.cells; k++ {
							one := key{r.noise, after[k] - before[k], alpha}
							if _, is := known[one]; !is {
								known[one] = noiseMoment(one.of, one.d, alpha)
							}
							log += known[one]
						}
					}
				}
				if !slices.Equal(x, y) {
					worst = max(worst, log)
				}
			}
		}
	}
	return worst
}

// TestAuditAveragedResiduals: a first release and those that are averaged with it cost together the
// ρ of the last question, by the exact laws of their noise, for every replaced person; and some
// person costs nearly that. Planted: a release with all of ρ for the difference, and one whose
// residuals all have the largest weight.
func TestAuditAveragedResiduals(t *testing.T) {
	for _, sizes := range [][]int{{2}, {2, 3}, {3, 2, 2}} {
		chain := []*Residuals{residualsAt("0.7", sizes...), residualsAt("1.6", sizes...),
			residualsAt("2.5", sizes...)}
		records := personsIn(sizes, make([]int, len(sizes)))
		first := chain[0]
		r, second := chained(coin.NewSeeded(1), records, chain[:2]...)
		third := must(chain[2].Average(chain[1], r.Draws()))
		paid := new(big.Rat).Add(first.draw.Loss.Rho(), second.draw.Loss.Rho())
		if paid.Add(paid, third.draw.Loss.Rho()); paid.Cmp(chain[2].draw.Loss.Rho()) != 0 {
			t.Errorf("%v: ρ = %v is paid, want %v", sizes, paid, chain[2].draw.Loss.Rho())
		}
		const digits = 1e-9
		over := overPaid(sizes, paid, first, second, third)
		if over > digits || over < -0.05*must2(paid.Float64()) {
			t.Errorf("%v: all cost ρ = %v, but for a moment of %v", sizes, paid, over)
		}
		if overPaid(sizes, paid, first, second, chain[2]) <= digits {
			t.Errorf("%v: a release with all of ρ was paid by the difference", sizes)
		}
		heavy := *third
		heavy.residuals = slices.Clone(third.residuals)
		for i := range heavy.residuals {
			heavy.residuals[i].weight = 2 * third.residuals[i].weight
		}
		if err := heavy.grant(third.average.rho); err != nil {
			t.Fatal(err)
		}
		if overPaid(sizes, paid, first, second, &heavy) <= digits {
			t.Errorf("%v: residuals of twice the weight were paid as if of their own", sizes)
		}
	}
}

func must2(x float64, _ bool) float64 { return x }

// TestAuditAveragedResidualsDelta: two releases of the residual of a column of two categories, the
// second made only where the first is above some number, are together (ε, δ) as one of the larger
// ε. What they tell of a replaced person, who moves the values by (2, −2), is the difference of
// both values of each.
func TestAuditAveragedResidualsDelta(t *testing.T) {
	first, then := residualsAt("0.7", 2), residualsAt("1.6", 2)
	records := personsIn([]int{2}, []int{1})
	_, second := chained(coin.NewSeeded(1), records, first, then)
	const moves = 4
	far := 0
	law := func(m *Residuals) func(int) float64 {
		g := m.residuals[0].noise
		one := int(6 * g.StdDev())
		far = max(far, 2*one)
		sums := make([]float64, 4*one+1)
		for a := -one; a <= one; a++ {
			for b := -one; b <= one; b++ {
				sums[a-b+2*one] += pmf(g, a) * pmf(g, b)
			}
		}
		return func(z int) float64 {
			if z += 2 * one; z < 0 || z >= len(sums) {
				return 0
			}
			return sums[z]
		}
	}
	loss := must(then.Loss(1))
	e, _ := loss.Epsilon()
	odds := math.Exp(must2(e.Float64()))
	beyond := func(m *Residuals, from int) (delta float64) {
		one, two := law(first), law(m)
		for y := -far; y <= far; y++ {
			p, q := one(y), one(y-moves)
			if y < from {
				delta += max(0, p-odds*q)
				continue
			}
			for z := -far; z <= far; z++ {
				delta += max(0, p*two(z)-odds*q*two(z-moves))
			}
		}
		return delta
	}
	granted := must2(loss.Delta().Float64())
	for _, from := range []int{-1 << 20, -10, 0, 10} {
		if delta := beyond(second, from); delta > granted {
			t.Errorf("made from %d on: δ = %v, want %v", from, delta, granted)
		}
	}
	if beyond(then, -1<<20) <= granted {
		t.Error("a second release with all of ρ was not found")
	}
}

// TestAveragedResiduals: a release of a chain holds the rounded means of its draws, comes again
// from them without records, and pays for its own draw alone.
func TestAveragedResiduals(t *testing.T) {
	sizes := []int{2, 3, 2}
	chain := []*Residuals{residualsAt("0.5", sizes...), residualsAt("1", sizes...),
		residualsAt("2.5", sizes...)}
	records := personsIn(sizes, everybody(sizes)...)
	r, last := chained(coin.NewSeeded(4), records, chain...)
	if last.Averages() != 3 || chain[2].Averages() != 1 || len(r.Draws()) != 3 {
		t.Fatalf("%d draws, an average of %d", len(r.Draws()), last.Averages())
	}
	all := new(big.Rat)
	for i, d := range r.Draws() {
		all.Add(all, d.Rho.Rat())
		if all.Cmp(chain[i].granted.Rat()) != 0 {
			t.Errorf("%d draws cost ρ = %v, want %v", i+1, all, chain[i].granted)
		}
	}
	for k, count := range r.Counts {
		mean := new(big.Rat)
		for _, d := range r.Draws() {
			y := new(big.Rat).SetInt64(d.Sums[k])
			mean.Add(mean, y.Mul(y, d.Rho.Rat()))
		}
		if want := mechanism.Rounded(mean.Quo(mean, all)); count != want {
			t.Errorf("value %d is %d, want %d", k, count, want)
		}
	}
	draws := r.Draws()
	again := must(must(chain[2].After(draws[:2])).Again(draws[2].Sums, records.Persons(),
		r.Origin))
	if !slices.Equal(again.Counts, r.Counts) || !slices.EqualFunc(again.Residuals, r.Residuals,
		func(a, b Residual) bool { return a.StdDev == b.StdDev }) || again.Size != r.Size {
		t.Errorf("%v came again as %v", r, again)
	}
	alone := must(chain[2].Release(coin.NewSeeded(4), records, nil))
	for _, columns := range [][]int{{0}, {0, 1}, {1, 2}} {
		more := must(r.Table(columns...)).StdDev - must(alone.Table(columns...)).StdDev
		if more <= 0 || more > last.AverageOff(len(columns)) || more >= 1 {
			t.Errorf("%v: an average is off by %v more than one release", columns, more)
		}
	}
	if chain[2].AverageOff(2) != 0 {
		t.Error("one release is rounded")
	}
	second := must(chain[1].Average(chain[0], draws[:1]))
	metered, debit := meter.New(coin.NewSeeded(7)), must(second.Loss(1))
	must(second.Release(metered, records, nil))
	if err := metered.Over(debit); err != nil || !debit.AtMost(must(chain[1].Loss(1))) {
		t.Errorf("%v, of %v", err, debit)
	}
	metered = meter.New(coin.NewSeeded(7))
	must(chain[1].Release(metered, records, nil))
	if metered.Over(debit) == nil {
		t.Error("a release of all of ρ is within the debit of the difference")
	}
}

// TestAveragedResidualsError: the cells of averaged tables are off as they say. Planted: equal
// weights, and one release averaged with itself.
func TestAveragedResidualsError(t *testing.T) {
	sizes := []int{2, 3}
	rough, fine := residualsAt("0.3", sizes...), residualsAt("1.5", sizes...)
	records := personsIn(sizes, everybody(sizes)...)
	const runs = 1500
	squares, wrong, twice, says := 0.0, 0.0, 0.0, 0.0
	off := func(r *Release) (sum float64) {
		for _, persons := range must(r.Table(0, 1)).Persons {
			sum += (persons - 1) * (persons - 1) / 6 / runs
		}
		return sum
	}
	counted := func(r *Release, counts func(k int) int64) *Release {
		other := *r
		other.Counts, other.tabled = slices.Clone(r.Counts), nil
		for k := range other.Counts {
			other.Counts[k] = counts(k)
		}
		return &other
	}
	src := coin.NewSeeded(5)
	for range runs {
		r, _ := chained(src, records, rough, fine)
		d := r.Draws()
		says = must(r.Table(0, 1)).StdDev
		squares += off(r)
		wrong += off(counted(r, func(k int) int64 { return (d[0].Sums[k] + d[1].Sums[k]) / 2 }))
		twice += off(counted(r, func(k int) int64 { return d[0].Sums[k] }))
	}
	if have := math.Sqrt(squares); have < 0.85*says || have > 1.02*says {
		t.Errorf("cells are off by %v, it says %v", have, says)
	}
	if math.Sqrt(wrong) < 1.1*says || math.Sqrt(twice) < 1.1*says {
		t.Errorf("equal weights are off by %v, one release twice by %v, it says %v",
			math.Sqrt(wrong), math.Sqrt(twice), says)
	}
}

func TestAverageRefuses(t *testing.T) {
	first := residualsAt("1", 2, 3)
	r := must(first.Release(coin.NewSeeded(1), personsIn([]int{2, 3}, []int{1, 2}), nil))
	draws := r.Draws()
	full := slices.Clone(draws[0].Sums)
	full[3] = math.MaxInt64
	weighed := must(NewResiduals(ResidualsParams{Epsilon: epsilon("9"), Delta: delta("1e-6"),
		Columns: categorical(2, 3), Margins: []Margin{{Columns: []int{0}, Weight: 900},
			{Columns: []int{0, 1}}}}))
	of := func(rho privacy.Rho, sums []int64) []mechanism.Draw {
		return []mechanism.Draw{{Rho: rho, Sums: sums}}
	}
	at := func(e string) *Residuals { return residualsAt(e, 2, 3) }
	for name, c := range map[string]struct {
		field       string
		first, then *Residuals
		draws       []mechanism.Draw
	}{
		"less":    {"epsilon", first, at("0.5"), draws}, // H: residuals.md rises
		"as much": {"epsilon", first, at("1"), draws},   // H: residuals.md rises
		// H: residuals.md same-draws
		"one release averaged twice": {"topUp", first, at("9"), append(draws, draws...)},
		// H: residuals.md same-draws
		"another ρ":  {"topUp", at("1.1"), at("2"), draws},
		"no release": {"topUp", first, at("2"), nil},
		// H: residuals.md same-draws
		"fewer numbers": {"topUp", first, at("2"), of(first.granted, full[:4])},
		// H: residuals.md unsaturated
		"saturated": {"noisy", first, at("2"), of(first.granted, full)},
		// H: residuals.md same-question
		"other columns": {"topUp", first, residualsAt("2", 3, 2), draws},
		// H: residuals.md same-question
		"other weights": {"topUp", first, weighed, draws},
	} {
		_, err := c.then.Average(c.first, c.draws)
		var refused *param.Error
		if !errors.As(err, &refused) || refused.Field != c.field {
			t.Errorf("%s: %v, want %s refused", name, err, c.field)
		}
	}
	if _, err := first.Again(full[:4], 1, coin.Crypto); err == nil {
		t.Error("a release came again from too few numbers")
	}
}
