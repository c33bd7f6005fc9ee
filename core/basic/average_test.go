package basic

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/stattest"
	"hush/core/mechanism"
	"hush/core/param"
	"hush/core/privacy"
)

// gaussian is a question with Gaussian noise, which it would not choose by itself.
func gaussian(a asked[Estimate], e string) asked[Estimate] {
	d, _ := a.ask.design(Gaussian, a.grouped)
	a.noise = must(newGaussian(strength{epsilon: epsilon(e), delta: delta("1e-3")}, d, a.grouped))
	return a
}

// averaging are questions of which a release is averaged with a first one.
func averaging(first, then string) map[string][2]asked[Estimate] {
	e := epsilon("1") // of the noise that is put in place of
	list := map[string][2]asked[Estimate]{}
	count := must(NewCount(CountParams{Epsilon: e, Where: atLeastOneCode}))
	share := must(NewShare(ShareParams{Epsilon: e, People: 2, Where: atLeastOneCode}))
	sum := must(NewSum(SumParams{Epsilon: e, Scale: numbers(2, "1", "1"), People: 2}))
	mean := must(NewMean(MeanParams{Epsilon: e, Scale: numbers(2, "5", "1/2"), People: 2}))
	for name, a := range map[string]asked[Estimate]{
		"count": count.asked, "count by group": grouped(count, 2), "share": share.asked,
		"share by group": grouped(share, 2), "sum": sum.asked, "mean": mean.asked,
		"mean by group": grouped(mean, 2), "sum by group": grouped(sum, 2),
	} {
		list[name] = [2]asked[Estimate]{gaussian(a, first), gaussian(a, then)}
	}
	return list
}

// draws are the releases of sums whose answer is their average, by one question after another.
func draws(t *testing.T, src coin.Source, sums []int64, chain ...*Noise) (means []int64, raw Raw) {
	t.Helper()
	for i, n := range chain {
		if i > 0 {
			must(n.Average(chain[i-1], raw))
		}
		means = must(n.hide(src, sums, nil))
		raw, _ = n.Drawn()
	}
	return means, raw
}

// pmf is the law of a noise.
func pmf(g *mechanism.Gaussian, z int64) float64 {
	return stattest.GaussianPMF(g.Base().Log(), z)
}

// moment is Σ P^α·Q^(1−α) of a noise on whole numbers and of itself moved by d, as a logarithm.
func moment(g *mechanism.Gaussian, d int64, alpha float64) float64 {
	sum, far := 0.0, int64(9*g.StdDev()+alpha*math.Abs(float64(d)))+9
	for z := -far; z <= far; z++ {
		p, q := pmf(g, z), pmf(g, z-d)
		if p > 0 && q > 0 {
			sum += math.Exp(alpha*math.Log(p) + (1-alpha)*math.Log(q))
		}
	}
	return math.Log(sum)
}

// spentTwice is by how much Σ P^α·Q^(1−α) of both releases together is above the claim about all
// neighbours, the ρ paid for the first and the debit of the second, as a logarithm. The draws have
// the bases of these two noises.
func spentTwice(a asked[Estimate], one, two []*mechanism.Gaussian, groups int,
	claim *big.Rat) (worst float64) {
	space := audit.Space{Persons: 2, Values: 2}
	if groups > 1 {
		space.Values = groups * (binary + 1)
	}
	rho, _ := claim.Float64()
	known := map[[2]int64]float64{}
	logs := func(j int, d int64, alpha float64) float64 {
		key := [2]int64{int64(j%len(one))<<8 + int64(alpha*10), d}
		log, is := known[key]
		if !is {
			log = moment(one[j%len(one)], d, alpha) + moment(two[j%len(two)], d, alpha)
			known[key] = log
		}
		return log
	}
	for _, rows := range space.DataSets() {
		x := must(exactSums(a, groups, binary, rows))
		for _, other := range space.Neighbours(rows) {
			y := must(exactSums(a, groups, binary, other))
			for _, alpha := range []float64{1.01, 2, 5} {
				log := -alpha * (alpha - 1) * rho
				for j := range x {
					if d := y[j] - x[j]; d != 0 {
						log += logs(j, d, alpha)
					}
				}
				worst = max(worst, log)
			}
		}
	}
	return worst
}

// noises are those of a question that is granted a ρ.
func noises(n *Noise, rho *big.Rat) (list []*mechanism.Gaussian) {
	for j := range n.laws {
		each := must(privacy.NewRho(new(big.Rat).Mul(n.share(j), rho)))
		list = append(list, must(mechanism.NewGaussian(
			mechanism.GaussianParams{Rho: each, L2SensitivitySquared: 1})))
	}
	return list
}

// TestAuditAverage: a first release and the one that is averaged with it cost together what was
// paid for both, by their exact laws, over all neighbours; and that is the ρ of one release of the
// larger ε. Planted: a second release with all of that ρ, for the difference.
func TestAuditAverage(t *testing.T) {
	for name, c := range averaging("0.7", "1.6") {
		first, then := c[0], c[1]
		groups := 1
		if first.grouped {
			groups = 2
		}
		sums := must(exactSums(first, groups, binary, []int{0, 1}))
		must(first.noise.hide(coin.NewSeeded(1), sums, nil))
		raw, ok := first.noise.Drawn()
		if !ok || len(raw.Draws) != 1 || raw.Bases != nil {
			t.Fatalf("%s: kept %v", name, raw)
		}
		whole := must(then.Loss(1))
		debit := must(then.noise.Average(first.noise, raw))
		paid := new(big.Rat).Add(must(first.Loss(1)).Rho(), debit.Rho())
		if paid.Cmp(whole.Rho()) != 0 || debit.IsRest() || debit.Rho().Sign() <= 0 {
			t.Errorf("%s: ρ = %v in all, want %v", name, paid, whole.Rho())
		}
		if after := must(then.Loss(1)); !after.AtMost(whole) || !whole.AtMost(after) {
			t.Errorf("%s: the chain costs %v, want %v", name, after, whole)
		}
		one, two := noises(first.noise, first.noise.granted.Rat()),
			noises(then.noise, then.noise.average.rho.Rat())
		must(then.noise.hide(coin.NewSeeded(2), sums, nil))
		src := coin.NewSeeded(2)
		for j, x := range sums { // what is drawn has that law
			want := must(two[j%len(two)].Release(src, []int64{x}, nil))[0]
			if have := then.noise.drawn[j]; have != want {
				t.Errorf("%s: drew %d for sum %d, want %d", name, have, j, want)
			}
		}
		const digits = 1e-9
		if over := spentTwice(first, one, two, groups, paid); over > digits {
			t.Errorf("%s: both cost more than ρ = %v: %v", name, paid, over)
		}
		all := noises(then.noise, then.noise.granted.Rat())
		if over := spentTwice(first, one, all, groups, paid); over <= digits {
			t.Errorf("%s: a second release with all of ρ was paid by the difference", name)
		}
	}
}

// TestAuditAverageDelta: two releases of a count, the second made only where the first is above
// some number, are together (ε, δ) as one of the larger ε.
func TestAuditAverageDelta(t *testing.T) {
	c := averaging("0.7", "1.6")["count"]
	first, then := c[0], c[1]
	_, raw := draws(t, coin.NewSeeded(1), []int64{1}, first.noise)
	whole := must(then.Loss(1))
	must(then.noise.Average(first.noise, raw))
	e, _ := whole.Epsilon()
	epsilon, _ := e.Float64()
	odds, _ := whole.Delta().Float64()
	one := noises(first.noise, first.noise.granted.Rat())[0]
	beyond := func(two *mechanism.Gaussian, from int64) (delta float64) {
		far := int64(8 * one.StdDev())
		for y := -far; y <= far; y++ {
			p, q := pmf(one, y), pmf(one, y-1)
			if y < from {
				delta += max(0, p-math.Exp(epsilon)*q)
				continue
			}
			for z := -far; z <= far; z++ {
				delta += max(0, p*pmf(two, z)-math.Exp(epsilon)*q*pmf(two, z-1))
			}
		}
		return delta
	}
	fresh := noises(then.noise, then.noise.average.rho.Rat())[0]
	for _, from := range []int64{-1 << 20, -3, 0, 3} {
		if delta := beyond(fresh, from); delta > odds {
			t.Errorf("made from %d on: δ = %v, want %v", from, delta, odds)
		}
	}
	// noise of a tenth of the deviation that was paid for
	rho := then.noise.average.rho.Rat()
	if beyond(noises(then.noise, rho.Mul(rho, big.NewRat(100, 1)))[0], -1<<20) <= odds {
		t.Error("a hundred times the ρ was not found")
	}
}

// TestAverage: the answer of a chain is made of the rounded means of all draws by their ρ, comes
// again from them without data, and is as exact as one of the last ε.
func TestAverage(t *testing.T) {
	mean := must(NewMean(
		MeanParams{Epsilon: epsilon("1"), Scale: numbers(5, "0", "1"), People: 99}))
	at := func(e string) asked[Estimate] { return gaussian(grouped(mean, 3), e) }
	sums := []int64{40, 20, -7, 9, 1 << 40, 0}
	chain := []*Noise{at("0.5").noise, at("1").noise, at("2.5").noise}
	means, raw := draws(t, coin.NewSeeded(4), sums, chain...)
	last := chain[2]
	if len(raw.Draws) != 3 || last.Averages() != 3 || at("1").noise.Averages() != 1 {
		t.Fatalf("%d draws, an average of %d", len(raw.Draws), last.Averages())
	}
	all := new(big.Rat)
	for i, d := range raw.Draws {
		all.Add(all, d.Rho.Rat())
		if all.Cmp(chain[i].granted.Rat()) != 0 {
			t.Errorf("%d draws cost ρ = %v, want %v", i+1, all, chain[i].granted)
		}
	}
	for j := range sums {
		mean := new(big.Rat)
		for _, d := range raw.Draws {
			y := new(big.Rat).SetInt64(d.Sums[j])
			mean.Add(mean, y.Mul(y, d.Rho.Rat()))
		}
		if want := mechanism.Rounded(mean.Quo(mean, all)); means[j] != want {
			t.Errorf("mean %d is %d, want %d", j, means[j], want)
		}
	}
	again := at("2.5").noise
	if said := must(again.Give(raw)); !slices.EqualFunc(said.Draws, raw.Draws,
		func(a, b Draw) bool { return a.Rho.Rat().Cmp(b.Rho.Rat()) == 0 }) {
		t.Errorf("the draws are said to cost %v", said.Draws)
	}
	if got := must(again.again(len(sums))); !slices.Equal(got, means) {
		t.Errorf("%v came again as %v", means, got)
	}
	alone := at("2.5").noise
	if extra := last.ErrorBound(0.05) - alone.ErrorBound(0.05); extra < 0 || extra > 1 {
		t.Errorf("an average is off by %d more than one release", extra)
	}
	if last.SumErrorBound(4, 0.05) < alone.SumErrorBound(4, 0.05) ||
		last.SimultaneousErrorBound(0.05, 6) < alone.SimultaneousErrorBound(0.05, 6) {
		t.Error("bounds of sums and of all at once are those of less noise")
	}
	if _, ok := last.Pairs(); ok {
		t.Error("an average has pairs of one release")
	}
}

// TestAveragedIntervals: the intervals of averages fail as seldom as they say. Planted: the first
// release, which is rough, taken for as exact as the second.
func TestAveragedIntervals(t *testing.T) {
	const runs = 1500
	scale := numbers(5, "0", "1")
	mean := must(NewMean(MeanParams{Epsilon: epsilon("1"), Scale: scale, People: 60}))
	count := must(NewCount(CountParams{Epsilon: epsilon("1")}))
	codes := make(column, 60)
	for i := range codes {
		codes[i] = i % 4
	}
	for name, c := range map[string]struct {
		of   asked[Estimate]
		want *big.Rat
	}{
		"mean":          {mean.asked, big.NewRat(3, 2)},
		"mean by group": {grouped(mean, 1), big.NewRat(3, 2)},
		"count":         {count.asked, big.NewRat(60, 1)},
	} {
		src, missed, fooled := coin.NewSeeded(5), 0, 0
		sums := must(c.of.exact(codes, nil, 1, nil))
		rough, fine := gaussian(c.of, "0.3"), gaussian(c.of, "1.5")
		for range runs {
			first, then := rough, fine
			one, two := *rough.noise, *fine.noise
			first.noise, then.noise = &one, &two
			means, raw := draws(t, src, sums, first.noise, then.noise)
			misses := func(means []int64) bool {
				a := then.answers(means, 1, Beta)[0]
				return a.Low.Cmp(c.want) > 0 || a.High.Cmp(c.want) < 0
			}
			if misses(means) {
				missed++
			}
			for i := range raw.Draws[0].Sums {
				means[i] = (raw.Draws[0].Sums[i] + raw.Draws[1].Sums[i]) / 2
			}
			if misses(means) {
				fooled++
			}
		}
		if float64(missed) > runs*(Beta+3*math.Sqrt(Beta/runs)) {
			t.Errorf("%s: %d of %d intervals miss", name, missed, runs)
		}
		if name == "count" && float64(fooled) < 2*runs*Beta {
			t.Errorf("%s: by equal weights only %d of %d miss", name, fooled, runs)
		}
	}
}

// TestAverageOfPerson: a person with rows in several groups is debited the difference of the losses
// that the two releases have for a person, and not of those for one row.
func TestAverageOfPerson(t *testing.T) {
	at := func(row, e string) *Noise {
		count := must(NewCount(CountParams{Epsilon: epsilon(row), Delta: delta("1e-6")}))
		n := must(NewByGroupOf[Estimate](count, 40, Several{Groups: 40, Rows: 2,
			Epsilon: epsilon(e), Delta: delta("1e-6")})).Noise()
		if n.Kind() != Gaussian {
			t.Fatal("40 groups of a person: no Gaussian noise")
		}
		return n
	}
	first, then := at("1/80", "1"), at("1/20", "4")
	sums := make([]int64, 40)
	must(first.hide(coin.NewSeeded(1), sums, nil))
	raw, _ := first.Drawn()
	was, _ := first.OfPerson()
	all, _ := then.OfPerson()
	each := must(then.Average(first, raw))
	debit, ok := then.DebitOfPerson()
	paid := new(big.Rat).Add(was.Rho(), debit.Rho())
	if !ok || paid.Cmp(all.Rho()) > 0 || paid.Cmp(new(big.Rat).Mul(all.Rho(),
		big.NewRat(999_999, 1_000_000))) < 0 {
		t.Errorf("a person pays ρ = %v in all, want %v", paid, all.Rho())
	}
	// 40 groups with 2 rows in each: 40·2² times that of one row
	if rows := new(big.Rat).Mul(each.Rho(), big.NewRat(160, 1)); rows.Cmp(debit.Rho()) > 0 {
		t.Errorf("a person pays ρ = %v, rows cost %v", debit.Rho(), rows)
	}
	if after, _ := then.OfPerson(); !after.AtMost(all) || !all.AtMost(after) {
		t.Errorf("both cost a person %v, want %v", after, all)
	}
}

func TestAverageRefuses(t *testing.T) {
	count := must(NewCount(CountParams{Epsilon: epsilon("1")}))
	sum := must(NewSum(SumParams{Epsilon: epsilon("1"), Scale: numbers(9, "0", "1"), People: 9}))
	at := func(e string) *Noise { return gaussian(count.asked, e).noise }
	first := at("1")
	must(first.hide(coin.NewSeeded(1), []int64{7}, nil))
	raw, _ := first.Drawn()
	half := must(privacy.NewRho(new(big.Rat).Quo(first.granted.Rat(), big.NewRat(2, 1))))
	two := Raw{Draws: append(slices.Clone(raw.Draws), raw.Draws[0])}
	of := func(rho privacy.Rho, sums ...int64) Raw {
		return Raw{Draws: []Draw{{Rho: rho, Sums: sums}}}
	}
	for name, c := range map[string]struct {
		field       string
		first, then *Noise
		raw         Raw
	}{
		"less":                       {"epsilon", first, at("0.5"), raw}, // H: topup.md rises
		"as much":                    {"epsilon", first, at("1"), raw},
		"one release averaged twice": {"topUp", first, at("9"), two},     // H: topup.md bases
		"another ρ":                  {"topUp", at("1.1"), at("2"), raw}, // H: topup.md bases
		// H: topup.md as-many
		"another number of sums": {"topUp", first, at("2"),
			Raw{Draws: []Draw{{Rho: half, Sums: []int64{7}}, {Rho: half, Sums: []int64{7, 8}}}}},
		"no release": {"topUp", first, at("2"), Raw{Sums: []int64{7}}},
		"no ρ":       {"topUp", first, at("2"), of(privacy.Rho{}, 7)},
		// H: topup.md unsaturated
		"saturated": {"noisy", first, at("2"), of(first.granted, math.MaxInt64)},
		// H: topup.md same-moves
		"another question": {"topUp", first, gaussian(sum.asked, "2").noise, raw},
		// H: topup.md same-noise
		"other noise": {"noise", first, count.Noise(), raw},
	} {
		_, err := c.then.TopUp(c.first, c.raw)
		var refused *param.Error
		if !errors.As(err, &refused) || refused.Field != c.field || c.then.Averages() != 1 {
			t.Errorf("%s: %v, want %s refused", name, err, c.field)
		}
	}
	if _, err := count.Noise().Give(raw); err == nil {
		t.Error("Laplace noise was given draws of Gaussian noise")
	}
	if _, err := at("1").Give(two); err == nil {
		t.Error("two draws of all ρ were taken for an average")
	}
	// H: topup.md same-moves
	several := func(e string, rows uint64) *Noise {
		d, _ := count.ask.design(Gaussian, true)
		return must(newGaussian(strength{several: Several{Groups: 4, Rows: rows,
			Epsilon: epsilon(e), Delta: delta("1e-3")}}, d, true))
	}
	before := several("1", 2)
	must(before.hide(coin.NewSeeded(1), []int64{7}, nil))
	raws, _ := before.Drawn()
	if _, err := several("9", 3).Average(before, raws); err == nil {
		t.Error("rows of more were averaged with rows of two")
	}
	must(several("9", 2).Average(before, raws))
	then := at("2")
	must(then.Average(first, raw))
	// H: topup.md as-many
	if _, err := then.hide(coin.NewSeeded(1), []int64{3, 4}, nil); err == nil {
		t.Error("two sums were averaged with one")
	}
}
