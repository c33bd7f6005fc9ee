package threshold

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/internal/audittest"
	"hush/core/privacy"
)

func TestEveryValue(t *testing.T) {
	e := must(NewEveryValue(EveryValueParams{Epsilon: epsilon("1"), Size: big.NewInt(5)}))
	codes := domain.SortedCodes(
		slices.Concat(slices.Repeat([]uint64{1}, 1000), slices.Repeat([]uint64{4}, 500)), 3)
	good := 0
	for seed := range coin.Seed(200) {
		f := must(e.Release(coin.NewSeeded(seed), codes, nil))
		worst := 0.0
		for x, want := range []float64{0, 1000, 1000, 1000, 1500} {
			worst = max(worst, math.Abs(f.Count(big.NewInt(int64(x)))-want))
		}
		if worst <= e.ErrorBound() {
			good++
		}
	}
	if good < 190 {
		t.Errorf("within %g in %d of 200 runs", e.ErrorBound(), good)
	}
	for field, p := range map[string]EveryValueParams{
		"epsilon": {Size: values(8)}, "size": {Epsilon: epsilon("1"), Size: values(21)},
		"beta": {Epsilon: epsilon("1"), Size: values(8), Beta: 3},
	} {
		_, err := NewEveryValue(p)
		wantRefusal(t, err, field)
	}
	_, err := e.Release(coin.NewSeeded(1), domain.SortedCodes([]uint64{}, 2), nil)
	wantRefusal(t, err, "codes")
}

// TestMedianOfRelease checks kolmogorov.md, Theorem 3: a function within a third of the codes has
// an interior point for its median.
func TestMedianOfRelease(t *testing.T) {
	random := rand.New(rand.NewPCG(41, 42))
	e := must(NewEveryValue(EveryValueParams{Epsilon: epsilon("1"), Size: values(5)}))
	src := coin.NewSeeded(11)
	checked := 0
	for range 3000 {
		list := randomCodes(random, 5, 60)
		codes := domain.SortedCodes(list, 5)
		f := must(e.Release(src, codes, nil))
		off := math.Abs(f.Total() - float64(len(list)))
		for x := range int64(32) {
			_, upTo := codes.Rank(big.NewInt(x))
			off = max(off, math.Abs(f.Count(big.NewInt(x))-float64(upTo)))
		}
		if 3*off < float64(len(list)) {
			checked++
			if x := f.Quantile(0.5); interior(list, x.Uint64()) < 1 {
				t.Fatalf("codes %v: median %v of a function that is off by %g", list, x, off)
			}
		}
	}
	if checked < 500 {
		t.Errorf("only %d functions near enough", checked)
	}
}

// TestLearnsWithin draws persons from a known population.
func TestLearnsWithin(t *testing.T) {
	q := must(NewQuantiles(
		QuantilesParams{Epsilon: epsilon("1"), Size: values(30), Persons: 20_000}))
	random := rand.New(rand.NewPCG(43, 44))
	good := 0
	for seed := range coin.Seed(20) {
		list := make([]uint64, 20_000)
		for i := range list {
			list[i] = uint64(math.Ldexp(math.Pow(random.Float64(), 3), 30))
		}
		slices.Sort(list)
		f := must(q.Release(coin.NewSeeded(seed), domain.SortedCodes(list, 30), nil))
		worst := 0.0
		for k := range 1000 {
			x := math.Ldexp(math.Pow(float64(k)/1000, 3), 30)
			worst = max(worst, math.Abs(f.Count(big.NewInt(int64(x)))/20_000-float64(k)/1000))
		}
		if worst <= LearnsWithin(q.ErrorBound(), int64(q.persons), 0.01) {
			good++
		}
	}
	if good < 18 {
		t.Errorf("%d of 20 runs are within the bound", good)
	}
}

// pointRelease makes a Releaser of a Finder: its function has one point.
type pointRelease struct{ Finder }

func (p pointRelease) Release(src coin.Source, codes domain.Sorted, step coin.Step) (*CDF, error) {
	x, err := p.Finder.Release(src, codes, step)
	if err != nil {
		return nil, err
	}
	return newCDF(values(2), []*big.Int{x}, []int64{0, 0}, []int64{1}), nil
}

func resampleAudit(name string, r *Resampled, claim audit.Claim) audit.Audit[int] {
	return audit.Audit[int]{
		Name: name, Space: audit.Space{Persons: int(r.persons), Values: 4}, Claim: claim,
		Law: func(rows []int) (*coin.Law[int], error) {
			codes := sortedRows(rows, 2)
			return coin.Enumerate(coin.Limits{}, func(src coin.Source) (int, error) {
				f, err := r.Release(src, codes, nil)
				if err != nil {
					return 0, err
				}
				return int(f.Points()[0].Int64()), nil
			})
		},
	}
}

// exact is an approximate release: it gives the smallest code away with probability delta.
type exact struct {
	Finder
	delta coin.Chance
}

func (e exact) Loss(d privacy.Distance) (privacy.Loss, error) {
	loss := must(e.Finder.Loss(1))
	epsilon, _ := loss.Epsilon()
	return must(privacy.NewLoss(epsilon, e.delta.Rat())).Group(d)
}

func (e exact) Release(src coin.Source, codes domain.Sorted, step coin.Step) (*big.Int, error) {
	if src.Bernoulli(e.delta) && codes.Len() > 0 {
		return codes.Number(0), nil
	}
	return e.Finder.Release(src, codes, step)
}

func TestAuditResampled(t *testing.T) {
	finder := fewFinder(2, 1, base(4, 3))
	for _, sample := range []uint64{1, 2, 3} {
		r := must(NewResampled(pointRelease{finder}, sample, 3))
		audittest.Holds(
			t, resampleAudit(fmt.Sprintf("%d of 3 persons drawn with replacement", sample), r,
				claimOf(r.Loss(1))))
		r = must(NewResampled(pointRelease{exact{finder, coin.Ratio(1, 10)}}, sample, 3))
		audittest.Holds(
			t, resampleAudit(
				fmt.Sprintf("%d of 3 persons drawn with replacement, δ = 1/10", sample), r,
				claimOf(r.Loss(1))))
	}
}

func TestPlantedResampled(t *testing.T) {
	r := must(NewResampled(pointRelease{fewFinder(2, 1, base(4, 1))}, 3, 3))
	// as if a person were drawn at most once
	without := must(must(r.learner.Loss(1)).Subsampled(1, 3))
	audittest.Caught(
		t, resampleAudit("drawing with replacement that claims a person is drawn once", r,
			claimOf(without, nil)))
}

// TestWithReplacement compares the loss with its closed form, and with the bounds of the
// literature.
func TestWithReplacement(t *testing.T) {
	for _, c := range []struct {
		epsilon string
		m, n    uint64
	}{{"1", 100, 1000}, {"0.1", 500, 1000}, {"1", 1, 1}, {"0.5", 1_000_000, 2_000_000},
		{"3", 20, 10}} {
		e, d := epsilon(c.epsilon), delta("1e-8")
		loss := must(withReplacement(privacy.ApproximateLoss(e, d), c.m, c.n))
		have, _ := loss.Epsilon()
		x, m, n := e.Float64(), float64(c.m), float64(c.n)
		want := m * (math.Log1p(math.Expm1(x)/n) - math.Log1p(math.Expm1(-x)/n))
		wantDelta := min(1, 1e-8*math.Expm1(want)/math.Expm1(x))
		if math.Abs(float(have)/want-1) > 1e-9 || math.Abs(float(loss.Delta())/wantDelta-1) > 1e-6 {
			t.Errorf("%+v: %g and %g, want %g and %g", c, float(have), float(loss.Delta()), want,
				wantDelta)
		}
		if x <= 1 && n >= 2*m && (want > 6*x*m/n || wantDelta > math.Exp(6*x*m/n)*4*m/n*1e-8) {
			t.Errorf("%+v: %g and %g are above what was known", c, want, wantDelta)
		}
	}
	far := must(withReplacement(privacy.PureLoss(epsilon("100")), 1<<30, 1))
	if far.Protects() {
		t.Errorf("loss %v", far)
	}
}

func TestResampledRefuses(t *testing.T) {
	small := must(NewEveryValue(EveryValueParams{Epsilon: epsilon("1"), Size: values(3)}))
	_, err := NewResampled(small, 0, 5)
	wantRefusal(t, err, "sample")
	_, err = NewResampled(small, 5, 0)
	wantRefusal(t, err, "persons")
	r := must(NewResampled(small, 5, 5))
	_, err = r.Release(coin.NewSeeded(1), domain.SortedCodes([]uint64{1}, 2), nil)
	wantRefusal(t, err, "codes")
	// All five persons have the value 3: five draws of five, each scaled by 1.
	f := must(r.Release(coin.NewSeeded(1), domain.SortedCodes([]uint64{3, 3, 3, 3, 3}, 3), nil))
	if f.Count(big.NewInt(7)) != f.Total() {
		t.Error("the function does not end at its total")
	}
}
