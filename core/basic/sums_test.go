package basic

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"hush/core/coin"
	"hush/core/privacy"
)

// truth computes the statistics by their definition, in rationals, person by person.
type truth struct {
	values []*big.Rat // of persons who have one
	people int64
}

func truthOf(data Values, scale Scale, code *uint64) (x truth) {
	last := new(big.Int).Sub(scale.Size, oneInt).Uint64()
	for i := range data.Len() {
		c, ok := data.Code(i)
		if !ok && code != nil {
			c, ok = *code, true
		}
		times := uint64(1)
		if w, isCounted := data.(Counted); isCounted {
			times = w.Persons(i)
		}
		for range times {
			x.people++
			if ok {
				x.values = append(x.values, scale.at(ratOf(bigOf(min(c, last)))))
			}
		}
	}
	return x
}

func (x truth) sum() *big.Rat {
	sum := new(big.Rat)
	for _, v := range x.values {
		sum.Add(sum, v)
	}
	return sum
}

func (x truth) mean() *big.Rat {
	return new(big.Rat).Quo(x.sum(), big.NewRat(int64(len(x.values)), 1))
}

func (x truth) variance() *big.Rat {
	sum, mean := new(big.Rat), x.mean()
	for _, v := range x.values {
		d := new(big.Rat).Sub(v, mean)
		sum.Add(sum, d.Mul(d, d))
	}
	return sum.Quo(sum, big.NewRat(int64(len(x.values)), 1))
}

// columns are data for a domain of that size, some of them weighted.
func columns(size uint64) map[string]Values {
	random := rand.New(rand.NewPCG(1, size))
	spread, few := make(bits64, 60), make(bits64, 40)
	for i := range spread {
		spread[i] = random.Uint64N(size)
	}
	for i := range few {
		few[i] = []uint64{0, size - 1, size / 2}[random.IntN(3)]
	}
	counts := make([]uint64, 40)
	for i := range counts {
		counts[i] = random.Uint64N(4)
	}
	return map[string]Values{
		"spread": spread, "ends": few, "one": bits64{size / 3}, "top": bits64{size - 1, size - 1},
		"weighted": WithCounts(few, counts), "with none": mixed{spread},
		"beyond": bits64{size - 1, math.MaxUint64, 0}, // H: sums.md in-codes
	}
}

// mixed has none in every third row.
type mixed struct{ bits64 }

func (m mixed) Code(i int) (uint64, bool) { return m.bits64[i], i%3 != 0 }

// silent answers a question from its exact sums, as if there were no noise.
func silent[A any](a asked[A], data Values) A {
	return a.ask.answer(a.noise, a.grouped, Beta, must(a.exact(data, nil, 1, nil)))
}

// TestAnswersWithoutNoise: from exact sums the answers are the statistics, but for rounding where
// codes have many bits.
func TestAnswersWithoutNoise(t *testing.T) {
	scales := []Scale{
		numbers(2, "0", "1"), numbers(10, "-3", "1"), numbers(61, "18", "1/2"),
		numbers(1001, "-1/3", "1/7"), numbers(1<<40, "1000", "1/100"),
		{Size: new(big.Int).Lsh(oneInt, 64), First: rat("-9223372036854775808"), Step: rat("1")},
	}
	for _, scale := range scales {
		size := new(big.Int).Sub(scale.Size, oneInt).Uint64()
		for name, data := range columns(max(2, size)) {
			for _, code := range []*uint64{nil, substitute(0), substitute(size)} {
				x := truthOf(data, scale, code)
				width := new(big.Rat).Mul(scale.Step, ratOf(scale.Size))
				near := func(what string, got, want, unit *big.Rat) {
					t.Helper()
					if off := new(big.Rat).Sub(got, want); off.Abs(off).
						Cmp(new(big.Rat).Quo(unit, big.NewRat(1<<19, 1))) > 0 ||
						scale.Size.BitLen() < 20 && off.Sign() != 0 {
						t.Errorf("%s of %s, size %v from %v: %v, want %v", what, name, scale.Size,
							scale.First, got.FloatString(9), want.FloatString(9))
					}
				}
				within := func(what string, e Estimate, want *big.Rat) {
					t.Helper()
					if e.Low.Cmp(want) > 0 || e.High.Cmp(want) < 0 || e.Low.Cmp(e.Value) > 0 ||
						e.High.Cmp(e.Value) < 0 {
						t.Errorf("%s of %s: %v is not in %v … %v", what, name, want.FloatString(6),
							e.Low.FloatString(6), e.High.FloatString(6))
					}
				}
				sum := must(
					NewSum(SumParams{Epsilon: epsilon("1"), Scale: scale, People: x.people,
						Substitute: code}))
				full := new(big.Rat).Add(width, new(big.Rat).Abs(scale.First))
				near("sum", silent(sum.asked, data).Value, x.sum(), full)
				near("sum by group", silent(grouped(sum, 1), data).Value, x.sum(), full)
				mean := must(
					NewMean(MeanParams{Epsilon: epsilon("1"), Scale: scale, People: x.people,
						Substitute: code}))
				near("mean", silent(mean.asked, data).Value, x.mean(), width)
				near("mean by group", silent(grouped(mean, 1), data).Value, x.mean(), width)
				within("mean", silent(mean.asked, data), x.mean())
				within("mean by group", silent(grouped(mean, 1), data), x.mean())
				if code == nil {
					variance := must(
						NewVariance(
							VarianceParams{Epsilon: epsilon("1"), Scale: scale, People: x.people}))
					near("variance", silent(variance.asked, data).Value, x.variance(),
						new(big.Rat).Mul(width, width))
					within("variance", silent(variance.asked, data), x.variance())
					within("variance by group", silent(grouped(variance, 1), data), x.variance())
				}
			}
		}
	}
	data := mixed{bits64{0, 1, 2, 3, 4, 5, 6, 7, 8}}
	share := must(
		NewShare(ShareParams{Epsilon: epsilon("1"), People: 9, Where: func(c uint64) bool {
			return c > 3
		}}))
	for _, a := range []asked[Estimate]{share.asked, grouped(share, 1)} {
		if got := silent(a, data).Value; got.Cmp(rat("4/9")) != 0 { // 4, 5, 7, 8
			t.Errorf("share %v", got)
		}
	}
}

// TestTogether: of ten groups all intervals of ReleaseTogether hold at once in 95 of 100 releases,
// and each says the same as Release; those of one group alone do not.
func TestTogether(t *testing.T) {
	const runs, groups = 1000, 10
	data, of := make(column, 2000), make(bits64, 2000)
	for i := range data {
		data[i], of[i] = i/groups%101, uint64(i%groups)
	}
	e, scale := epsilon("0.5"), numbers(101, "0", "1")
	for name, question := range map[string]Question[Estimate]{
		"count": must(NewCount(CountParams{Epsilon: epsilon("2")})),
		"mean":  must(NewMean(MeanParams{Epsilon: e, Scale: scale, People: 2000})),
	} {
		by := must(NewByGroup(question, groups))
		sums := must(by.asking.exact(data, of, groups, nil))
		truth := question.question().answers(sums, groups, Beta)
		misses := func(list []Estimate) int {
			for g, x := range list {
				if truth[g].Value.Cmp(x.Low) < 0 || truth[g].Value.Cmp(x.High) > 0 {
					return 1
				}
			}
			return 0
		}
		missed, alone := 0, 0
		for seed := range coin.Seed(runs) {
			each, together, err := by.ReleaseTogether(coin.NewSeeded(seed), data, of, nil)
			if err != nil {
				t.Fatal(err)
			}
			missed, alone = missed+misses(together), alone+misses(each)
			if got := must(by.Release(coin.NewSeeded(seed), data, of, nil)); fmt.Sprint(got) !=
				fmt.Sprint(each) || together[3].Value.Cmp(each[3].Value) != 0 {
				t.Fatalf("%s: other answers: %v, %v, %v", name, got, each, together)
			}
		}
		// 5 % of 1000 is 50, with a standard deviation of 7: 90 has a chance below 10^-7.
		if missed > 90 {
			t.Errorf("%s: %d of %d lists are not in their intervals", name, missed, runs)
		}
		if name == "count" && alone <= 90 {
			t.Errorf("%s: intervals of one group alone fail %d times only: the test shows little",
				name, alone)
		}
	}
}

// TestIntervalsHold: over many releases the interval misses the truth in at most 5 of 100, and the
// errors stay below the forecasts; an interval a quarter as long misses more often.
func TestIntervalsHold(t *testing.T) {
	const runs = 2000
	scale := numbers(101, "-50", "1")
	data := make(column, 300)
	for i := range data {
		data[i] = i * i % 101
		if i%10 == 0 {
			data[i] = -1
		}
	}
	x := truthOf(data, scale, nil)
	valued := int64(len(x.values))
	e := epsilon("0.4")
	count := must(NewCount(CountParams{Epsilon: e}))
	share := must(NewShare(ShareParams{Epsilon: e, People: 300}))
	sum := must(NewSum(SumParams{Epsilon: e, Scale: scale, People: 300}))
	mean := must(NewMean(MeanParams{Epsilon: e, Scale: scale, People: 300}))
	gaussian := sum.asked
	d, _ := sum.ask.design(Gaussian, false)
	gaussian.noise = must(newGaussian(strength{epsilon: e, delta: delta("1e-3")}, d, false))
	variance := must(NewVariance(VarianceParams{Epsilon: epsilon("4"), Scale: scale, People: 300}))
	for name, c := range map[string]struct {
		a    asked[Estimate]
		want *big.Rat
	}{
		"count": {count.asked, big.NewRat(valued, 1)},
		"share": {share.asked, big.NewRat(valued, 300)},
		"sum":   {sum.asked, x.sum()}, "Gaussian sum": {gaussian, x.sum()},
		"mean": {mean.asked, x.mean()}, "mean by group": {grouped(mean, 1), x.mean()},
		"variance":          {variance.asked, x.variance()},
		"variance by group": {grouped(variance, 1), x.variance()},
		"share by group":    {grouped(share, 1), big.NewRat(valued, 300)},
	} {
		src := coin.NewSeeded(11)
		m := valued
		if name == "share by group" {
			m = 300
		}
		forecast := c.a.Forecast(m)
		missed, missedQuarter, beyond, total := 0, 0, 0, 0.0
		for range runs {
			answer := must(c.a.Release(src, data, nil))
			if answer.Low.Cmp(c.want) > 0 || answer.High.Cmp(c.want) < 0 {
				missed++
			}
			off := ratFloat(new(big.Rat).Sub(answer.Value, c.want))
			total += math.Abs(off)
			if math.Abs(off) > forecast.Bound*(1+1e-9) {
				beyond++
			}
			if 8*math.Abs(off) > ratFloat(new(big.Rat).Sub(answer.High, answer.Low)) {
				missedQuarter++
			}
		}
		// 5 % of 2000 is 100, with a standard deviation of 10: 150 has a chance below 10^-6.
		if missed > 150 || beyond > 150 {
			t.Errorf("%s: the interval misses %d times, the forecast %d times in %d", name, missed,
				beyond, runs)
		}
		if missedQuarter <= 150 {
			t.Errorf("%s: a quarter of the interval misses %d times only: the test shows little",
				name, missedQuarter)
		}
		if got := total / runs; got > 1.05*forecast.Expected {
			t.Errorf("%s: mean error %g, forecast at most %g", name, got, forecast.Expected)
		}
	}
}

// TestChoiceOfNoise: Laplace noise has the smaller bound for one count; for many counts at once and
// a large δ Gaussian noise has. Where it is chosen it is better, by its own claim.
func TestChoiceOfNoise(t *testing.T) {
	count := must(NewCount(CountParams{Epsilon: epsilon("1"), Delta: delta("1e-6")}))
	if count.Noise().Kind() != Laplace {
		t.Errorf("one count: %s", count.Noise().Kind())
	}
	histogram := HistogramParams{Epsilon: epsilon("0.2"), Delta: delta("0.01"), Size: 2000,
		Width: 1}
	many := must(NewHistogram(histogram))
	if many.Noise().Kind() != Gaussian {
		t.Errorf("2000 counts: %s", many.Noise().Kind())
	}
	loss := must(many.Loss(1))
	if e, ok := loss.Epsilon(); !ok || e.Cmp(rat("1/5")) > 0 || loss.Delta().
		Cmp(rat("1/100")) != 0 {
		t.Errorf("loss %v", loss)
	}
	// two persons have four times the ρ of one
	rho := must(many.Loss(1)).Rho()
	four := privacy.ConcentratedLoss(must(privacy.NewRho(rho.Mul(rho, rat("4")))))
	want := must(four.At(delta("0.01")))
	if two := must(many.Loss(2)); !two.Protects() || !two.AtMost(want) || !want.AtMost(two) {
		t.Errorf("loss for two persons %v, want %v", two, want)
	}
	histogram.Delta = privacy.Delta{}
	if pure := must(NewHistogram(histogram)); pure.Noise().Kind() != Laplace || pure.Forecast(0).
		Bound <= many.Forecast(0).Bound {
		t.Errorf("without a δ: %s, bounds %g and %g", pure.Noise().Kind(), pure.Forecast(0).Bound,
			many.Forecast(0).Bound)
	}
	if loss := must(count.Loss(1)); loss.Delta().Sign() != 0 {
		t.Errorf("Laplace noise that claims a δ: %v", loss)
	}
	if loss := must(count.Loss(3)); loss.String() != "ε = 3" {
		t.Errorf("three persons: %v", loss)
	}
}

// TestGaussianShares: a sum of weight w has the standard deviation σ/w, and σ² = cost/(2ρ).
func TestGaussianShares(t *testing.T) {
	mean := must(
		NewMean(MeanParams{Epsilon: epsilon("1"), Scale: numbers(40, "0", "1"), People: 100}))
	for _, grouped := range []bool{false, true} {
		d, _ := mean.ask.design(Gaussian, grouped)
		n := must(newGaussian(strength{epsilon: epsilon("1"), delta: delta("1e-6")}, d, grouped))
		rho := ratFloat(n.rho.Rho())
		for j, l := range n.laws {
			sigma := l.gaussian.StdDev() * float64(d.weights[j])
			if got := float64(d.cost(grouped)) / (2 * sigma * sigma); math.Abs(got/rho-1) > 1e-9 {
				t.Errorf("sum %d of weight %d is made for ρ = %g, want %g", j, d.weights[j], got,
					rho)
			}
		}
	}
}

// TestLaplaceRho: counts and bins move by 1 each, a sum by all of its cost, and so does that of a
// mean, twice as fine, where the number of values stays.
func TestLaplaceRho(t *testing.T) {
	one := epsilon("1")
	histogram := must(NewHistogram(HistogramParams{Epsilon: one, Size: 100, Width: 10}))
	sum := must(NewSum(SumParams{Epsilon: one, Scale: numbers(40, "0", "1"), People: 100}))
	mean := must(NewMean(MeanParams{Epsilon: one, Scale: numbers(40, "0", "1"), People: 100}))
	for _, c := range []struct {
		name string
		loss privacy.Loss
		rho  float64
	}{
		{"count", must(must(NewCount(CountParams{Epsilon: one})).Loss(1)), math.Tanh(.5)},
		{"counts of groups",
			must(must(NewByGroup(must(NewCount(CountParams{Epsilon: one})), 3)).Loss(1)),
			math.Tanh(.25)},
		{"histogram", must(histogram.Loss(1)), math.Tanh(.25)},
		// 1 − a/sinh(a)·(1 − e^−1), a = 1/39
		{"sum", must(sum.Loss(1)), 1 - 1/39.0/math.Sinh(1/39.0)*(1-math.Exp(-1))},
		{"mean", must(mean.Loss(1)), 1 - 1/78.0/math.Sinh(1/78.0)*(1-math.Exp(-1))},
	} {
		if got := ratFloat(c.loss.Rho()); math.Abs(got/c.rho-1) > 1e-9 {
			t.Errorf("%s: ρ = %.9f, want %.9f", c.name, got, c.rho)
		}
	}
}

func TestRounded(t *testing.T) {
	for _, c := range []struct{ x, quantum, want int64 }{
		{7, 1, 7}, {-7, 1, -7}, {7, 4, 2}, {6, 4, 2}, {5, 4, 1}, {0, 4, 0}, {-5, 4, -1},
		{-6, 4, -1}, {-7, 4, -2},
	} {
		if got := rounded(big.NewInt(c.x), big.NewInt(c.quantum)); got != c.want {
			t.Errorf("%d/%d is rounded to %d, want %d", c.x, c.quantum, got, c.want)
		}
	}
	huge := new(big.Int).Lsh(oneInt, 80)
	if rounded(huge, oneInt) != math.MaxInt64 || rounded(huge.Neg(huge), oneInt) != math.MinInt64 {
		t.Error("sums beyond int64 are not kept inside")
	}
	for _, c := range []struct {
		sensitivity, people int64
		want                int64
	}{{1, 1, 1}, {1 << 20, 1 << 30, 1}, {1<<20 + 1, 1 << 30, 2}, {1 << 40, 1, 1 << 20},
		{1 << 20, MaxPeople, 1 << 12}} {
		if got := quantum(big.NewInt(c.sensitivity), c.people); got.Cmp(big.NewInt(c.want)) != 0 {
			t.Errorf("sensitivity %d, %d persons: quantum %v, want %d", c.sensitivity, c.people,
				got, c.want)
		}
	}
}

func TestHistogramCounts(t *testing.T) {
	h := must(NewHistogram(HistogramParams{Epsilon: epsilon("100"), Size: 10, Width: 4}))
	if first, last := h.Range(2, 10); h.Bins() != 3 || first != 8 || last != 9 {
		t.Errorf("%d bins, the last from %d to %d", h.Bins(), first, last)
	}
	// H: sums.md in-codes
	data := column{0, 3, 4, 9, 9, 40, -1} // 40 is beyond the domain
	counts := must(h.Release(coin.NewSeeded(1), data, nil))
	if !slices.Equal(counts, []int64{2, 1, 3}) {
		t.Errorf("counts %v", counts)
	}
	weighted := must(
		h.Release(coin.NewSeeded(1), WithCounts(data, []uint64{5, 1, 0, 1000, 2, 3, 9}), nil))
	if !slices.Equal(weighted, []int64{6, 0, 1005}) {
		t.Errorf("weighted counts %v", weighted)
	}
	single := must(NewHistogram(HistogramParams{Epsilon: epsilon("100"), Size: 10, Width: 1}))
	if got := must(single.Release(coin.NewSeeded(1), data, nil)); !slices.Equal(
		got, []int64{1, 0, 0, 1, 1, 0, 0, 0, 0, 3}) {
		t.Errorf("counts of single values: %v", got)
	}
	by := must(NewByGroup(h, 2))
	groups := column{0, 1, 1, 0, -1, 1, 0}
	if got := fmt.Sprint(
		must(by.Release(coin.NewSeeded(1), data, groups, nil))); got != "[[1 0 1] [1 1 1]]" {
		t.Errorf("by group %v", got)
	}
	uneven := must(NewHistogram(
		HistogramParams{Epsilon: epsilon("100"), Size: 10, Starts: []uint64{0, 1, 4}}))
	if got := must(uneven.Release(coin.NewSeeded(1), data, nil)); !slices.Equal(
		got, []int64{1, 1, 4}) {
		t.Errorf("counts of uneven bins %v", got)
	}
	for i, want := range [][2]uint64{{0, 0}, {1, 3}, {4, 9}} {
		if first, last := uneven.Range(i, 10); first != want[0] || last != want[1] {
			t.Errorf("uneven bin %d is from %d to %d, want %v", i, first, last, want)
		}
	}
	if by.Forecast(0).Bound != h.Forecast(0).Bound || uneven.Forecast(0) != h.Forecast(0) {
		t.Error("a histogram by group needs other noise than one about everybody")
	}
}

func TestQuestionsRefuse(t *testing.T) {
	one := epsilon("1")
	scale := numbers(10, "0", "1")
	unset := privacy.Epsilon{}
	sum := func(p SumParams) error { _, err := NewSum(p); return err }
	mean := func(p MeanParams) error { _, err := NewMean(p); return err }
	histogram := func(p HistogramParams) error { _, err := NewHistogram(p); return err }
	huge := Scale{Size: new(big.Int).Add(new(big.Int).Lsh(oneInt, 64), oneInt), First: rat("0"),
		Step: rat("1")}
	group := func(n uint64) error {
		_, err := NewByGroup(must(NewCount(CountParams{Epsilon: one})), n)
		return err
	}
	byBins := func(bins, groups uint64) error {
		_, err := NewByGroup(
			must(NewHistogram(HistogramParams{Epsilon: one, Size: bins, Width: 1})), groups)
		return err
	}
	if err := byBins(100, MaxGroups); err != nil {
		t.Error(err)
	}
	for i, c := range []struct {
		err   error
		field string
	}{
		{sum(SumParams{Epsilon: unset, Scale: scale, People: 1}), "epsilon"}, // H: sums.md one-loss
		// H: sums.md one-loss
		{sum(SumParams{Epsilon: one, Base: base(3, 2), Scale: scale, People: 1}), "base"},
		{sum(SumParams{Base: base(3, 2), Scale: numbers(1<<20, "0", "1"), People: 1}), "base"},
		{sum(SumParams{Epsilon: one, Scale: scale}), "people"}, // H: sums.md people
		// H: sums.md people
		{sum(SumParams{Epsilon: one, Scale: scale, People: MaxPeople + 1}), "people"},
		// H: sums.md scale
		{sum(SumParams{Epsilon: one, Scale: numbers(1, "0", "1"), People: 1}), "size"},
		{sum(SumParams{Epsilon: one, Scale: huge, People: 1}), "size"}, // H: sums.md scale
		// H: sums.md scale
		{sum(SumParams{Epsilon: one, Scale: Scale{Size: scale.Size, First: scale.First},
			People: 1}), "step"},
		{sum(SumParams{Epsilon: one, Scale: Scale{Size: scale.Size, Step: scale.Step}, People: 1}),
			"first"},
		{sum(SumParams{Epsilon: one, Scale: Scale{First: scale.First, Step: scale.Step},
			People: 1}), "size"},
		// H: sums.md substitute
		{sum(SumParams{Epsilon: one, Scale: scale, People: 1, Substitute: substitute(10)}),
			"substitute"},
		// H: sums.md scale
		{mean(MeanParams{Epsilon: one, Scale: numbers(1, "7", "1"), People: 1}), "size"},
		// H: sums.md substitute
		{mean(MeanParams{Epsilon: one, Scale: scale, People: 1, Substitute: substitute(10)}),
			"substitute"},
		{mean(MeanParams{Epsilon: one, Scale: scale}), "people"},
		{histogram(HistogramParams{Epsilon: one, Width: 1}), "size"},
		{histogram(HistogramParams{Epsilon: one, Size: 5}), "width"},
		{histogram(HistogramParams{Epsilon: one, Size: 5000, Width: 2}), "width"},
		{histogram(HistogramParams{Epsilon: one, Size: 5, Starts: []uint64{}}), "starts"},
		// H: sums.md bins
		{histogram(HistogramParams{Epsilon: one, Size: 5, Starts: []uint64{1, 3}}), "starts"},
		// H: sums.md bins
		{histogram(HistogramParams{Epsilon: one, Size: 5, Starts: []uint64{0, 3, 3}}), "starts"},
		// H: sums.md bins
		{histogram(HistogramParams{Epsilon: one, Size: 5, Starts: []uint64{0, 5}}), "starts"},
		{histogram(HistogramParams{Epsilon: one, Size: 5, Width: 1, Starts: []uint64{0}}),
			"starts"},
		// H: sums.md delta
		{sum(SumParams{Epsilon: one, Delta: delta("0.1"), Scale: scale, People: 10}), "delta"},
		{group(0), "groups"},             // H: sums.md groups
		{group(MaxGroups + 1), "groups"}, // H: sums.md groups
		{byBins(1000, 1500), "groups"},   // H: sums.md groups
	} {
		if c.err == nil {
			t.Errorf("case %d: no refusal of %s", i, c.field)
			continue
		}
		wantRefusal(t, c.err, c.field)
	}
	if err := sum(SumParams{Epsilon: one, Scale: numbers(1, "7", "1"), People: 1}); err != nil {
		t.Errorf("one value or none is a question: %v", err)
	}
}

func TestQuestionsStop(t *testing.T) {
	mean := must(
		NewMean(MeanParams{Epsilon: epsilon("1"), Scale: numbers(10, "0", "1"), People: 600_000}))
	data := make(column, 600_000)
	stop := errors.New("stop")
	calls, before := 0, int64(-1)
	must(mean.Release(coin.NewSeeded(1), data, func(done, total int64) error {
		if calls++; total != progress || done < before || done > total {
			t.Errorf("%d of %d after %d", done, total, before)
		}
		before = done
		return nil
	}))
	for at := 1; at <= calls; at++ {
		n := 0
		_, err := mean.Release(coin.NewSeeded(1), data, func(int64, int64) error {
			if n++; n == at {
				return stop
			}
			return nil
		})
		if !errors.Is(err, stop) {
			t.Errorf("stopped at call %d of %d: %v", at, calls, err)
		}
	}
}

// TestSmallestEpsilon: what comes back reaches the wanted error, and the next smaller ε does not.
func TestSmallestEpsilon(t *testing.T) {
	bound := func(e privacy.Epsilon) (float64, error) {
		count, err := NewCount(CountParams{Epsilon: e})
		if err != nil {
			return 0, err
		}
		return count.Forecast(0).Bound, nil
	}
	for wanted, want := range map[float64]string{0: "3.67", 3: "0.832", 299: "0.0101",
		30_000: "0.0000999", 1e12: "0.000000001"} {
		got, err := SmallestEpsilon(wanted, bound)
		if err != nil || got.String() != want {
			t.Errorf("wanted ±%g: ε = %v, %v, want %s", wanted, got, err, want)
		}
	}
	if _, err := SmallestEpsilon(-1, bound); err == nil {
		t.Error("an impossible error was found")
	} else {
		wantRefusal(t, err, "error")
	}
	broken := errors.New("broken")
	if _, err := SmallestEpsilon(1, func(privacy.Epsilon) (float64, error) {
		return 0, broken
	}); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

func BenchmarkMean(b *testing.B) {
	const n = 1_000_000
	data := make(column, n)
	for i := range data {
		data[i] = i % 1000
	}
	mean := must(
		NewMean(MeanParams{Epsilon: epsilon("1"), Scale: numbers(1000, "0", "1"), People: n}))
	src := coin.NewSeeded(1)
	for b.Loop() {
		must(mean.Release(src, data, nil))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
}

// masked has code 0 where it has none, as columns may.
type masked struct{ column }

func (m masked) Code(i int) (uint64, bool) { return uint64(max(0, m.column[i])), m.column[i] >= 0 }

// TestNoneIsNoCode: what a column says beside "none" does not matter, neither for values nor for
// groups.
func TestNoneIsNoCode(t *testing.T) {
	data, groups := column{0, 0, -1, 1, 1, -1}, column{-1, 0, 0, 1, -1, 1}
	count := must(NewCount(CountParams{Epsilon: epsilon("1")}))
	by := grouped(count, 2)
	if got := must(by.exact(masked{data}, masked{groups}, 2, nil)); !slices.Equal(
		got, []int64{1, 1}) {
		t.Errorf("counts by group %v", got)
	}
	share := must(NewShare(ShareParams{Epsilon: epsilon("1"), People: 20}))
	weighted := WithCounts(masked{data}, []uint64{1, 2, 3, 4, 5, 6})
	if got := silent(grouped(share, 1), weighted).Value; got.Cmp(rat("12/21")) != 0 {
		t.Errorf("share of persons with a value %v, want 12 of 21", got)
	}
	sum := must(NewSum(SumParams{Epsilon: epsilon("1"), Scale: numbers(2, "10", "1"), People: 21}))
	if got := silent(sum.asked, weighted).Value; got.Cmp(rat("129")) != 0 { // 3·10 + 9·11
		t.Errorf("sum %v", got)
	}
}

func TestWideSums(t *testing.T) {
	var w wide
	want := new(big.Int)
	for _, x := range []uint64{math.MaxUint64, math.MaxUint64, 1, 1 << 63, math.MaxUint64} {
		for _, times := range []uint64{1, 3, MaxPeople} {
			w.add(x, times)
			want.Add(want, new(big.Int).Mul(bigOf(x), bigOf(times)))
		}
	}
	if got := w.big(); got.Cmp(want) != 0 {
		t.Errorf("have %v, want %v", got, want)
	}
}

// TestNoiseOfItsOwn: with either noise each bin of an empty histogram has another draw.
func TestNoiseOfItsOwn(t *testing.T) {
	const bins = 256
	for text, kind := range map[string]Kind{"0": Laplace, "1e-6": Gaussian} {
		h := must(NewHistogram(HistogramParams{Epsilon: epsilon("0.1"), Size: bins, Width: 1}))
		h.noise = must(newNoiseOf(kind, strength{epsilon: epsilon("0.1"),
			delta: must(privacy.ParseDelta(text))}, design{weights: []uint64{1}, within: 2}))
		different := map[int64]bool{}
		for _, noisy := range must(h.Release(coin.NewSeeded(1), column{}, nil)) {
			different[noisy] = true
		}
		if len(different) < 20 {
			t.Errorf("%s: %d different draws for %d bins", kind, len(different), bins)
		}
	}
}

func newNoiseOf(kind Kind, s strength, d design) (*Noise, error) {
	if kind == Gaussian {
		return newGaussian(s, d, false)
	}
	return newLaplace(s, d, false)
}

// TestTwoLaplace compares with draws, and with one variable alone.
func TestTwoLaplace(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	draw := func() float64 { return random.ExpFloat64() - random.ExpFloat64() }
	for _, c := range [][2]float64{{1, 1}, {1, 0.999999}, {2, 1}, {1, 5}, {3, 0.01}} {
		const draws = 100_000
		for _, beta := range []float64{0.05, 0.01} {
			bound, beyond := twoLaplace(c[0], c[1], beta), 0
			for range draws {
				if math.Abs(c[0]*draw()+c[1]*draw()) > bound {
					beyond++
				}
			}
			if off := float64(beyond)/draws - beta; math.Abs(off) > 4*math.Sqrt(beta/draws) {
				t.Errorf("scales %g and %g: beyond %g in %d of %d", c[0], c[1], bound, beyond,
					draws)
			}
		}
	}
	if got := twoLaplace(2, 0, 0.05); math.Abs(got-2*math.Log(20)) > 1e-6 {
		t.Errorf("%g", got)
	}
}
