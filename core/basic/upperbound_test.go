package basic

import (
	"math"
	"math/big"
	"slices"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/privacy"
)

// boundDefinition is the law of upperbound.md, written down with rationals. Its fields change one
// thing each, for the twins.
type boundDefinition struct {
	size  int
	r     coin.Base
	score func(codes []int, v int) int64 // nil: persons beyond v
	ends  bool                           // codes beyond what anybody has are no candidates
	prior bool                           // the weights fall from the largest code on
}

func (d boundDefinition) law(rows []int) (*coin.Law[uint64], error) {
	var codes []int
	for _, v := range spreadOut(rows) {
		if v >= 0 {
			codes = append(codes, min(v, d.size-1))
		}
	}
	top := 0
	if len(codes) > 0 {
		top = slices.Max(codes)
	}
	weights, total := make([]*big.Rat, d.size), new(big.Rat)
	for v := range d.size {
		if d.ends && v > top {
			break
		}
		beyond := int64(0)
		for _, code := range codes {
			if code > v {
				beyond++
			}
		}
		if d.score != nil {
			beyond = d.score(codes, v)
		}
		far := int64(v + 1)
		if d.prior {
			far = int64(max(v-top, top-v) + 1)
		}
		weights[v] = big.NewRat(1<<60/(far*far*far), 1)
		power := d.r.Pow(uint64(max(beyond, -beyond))).Rat()
		if beyond > 0 {
			power.Inv(power)
		}
		total.Add(total, weights[v].Mul(weights[v], power))
	}
	law := coin.NewLaw[uint64]()
	for v, w := range weights {
		if w != nil {
			law.Add(uint64(v), w.Quo(w, total))
		}
	}
	return law, nil
}

func boundLaw(b *UpperBound) func([]int) (*coin.Law[uint64], error) {
	return run(coin.Limits{}, func(src coin.Source, rows []int) (uint64, error) {
		return b.Release(src, spreadOut(shuffled(rows)), nil)
	})
}

var boundSpace = audit.Space{Persons: 4, Values: 4}

func TestAuditUpperBound(t *testing.T) {
	for _, r := range []coin.Base{base(3, 2), base(5, 1)} {
		b := must(NewUpperBound(UpperBoundParams{Base: r, Size: spreadSize}))
		audittest.Holds(t, audit.Audit[uint64]{Name: "upper bound, base " + r.String(),
			Space: boundSpace, Claim: claimOf(b.Loss(1)), Law: boundLaw(b)})
		sameLaw(t, boundSpace, boundLaw(b), boundDefinition{size: spreadSize, r: r}.law)
	}
}

// TestPlantedUpperBound: what looks alike and costs more than ln r.
func TestPlantedUpperBound(t *testing.T) {
	r := base(3, 2)
	claim := claimOf(must(NewUpperBound(UpperBoundParams{Base: r, Size: spreadSize})).Loss(1))
	for _, c := range []struct {
		name string
		law  boundDefinition
	}{
		{"values beyond, not persons", boundDefinition{score: func(codes []int, v int) int64 {
			beyond := int64(0)
			for _, code := range codes {
				beyond += int64(max(code-v, 0))
			}
			return beyond
		}}},
		{"the distance from a number of persons, which moves both ways",
			boundDefinition{score: func(codes []int, v int) int64 {
				beyond := int64(-2)
				for _, code := range codes {
					if code > v {
						beyond++
					}
				}
				return max(beyond, -beyond)
			}}},
		{"candidates up to the largest value only", boundDefinition{ends: true}},
		{"weights that fall from the largest value on", boundDefinition{prior: true}},
	} {
		c.law.size, c.law.r = spreadSize, r
		audittest.Caught(t, audit.Audit[uint64]{Name: "upper bound, planted: " + c.name,
			Space: boundSpace, Claim: claim, Law: c.law.law})
	}
}

func TestUpperBoundParams(t *testing.T) {
	one := must(privacy.ParseEpsilon("1"))
	// H: upperbound.md domain, one-loss
	for _, p := range []UpperBoundParams{{Epsilon: one}, {Epsilon: one, Size: MaxBounds + 1},
		{Size: 5}, {Epsilon: one, Base: base(2, 1), Size: 5}} {
		if _, err := NewUpperBound(p); err == nil {
			t.Errorf("%+v is not refused", p)
		}
	}
	b := must(NewUpperBound(UpperBoundParams{Epsilon: one, Size: MaxBounds}))
	if loss := must(b.Loss(1)); loss.String() != "ε = 1" {
		t.Error(loss)
	}
	if w := boundWeight(MaxBounds - 1); w != 1<<12 {
		t.Error("the least weight is", w)
	}
}

// rowsOf are made-up numbers of rows of each person, all different in how they end.
func rowsOf(kind string, n int) column {
	rows := make(column, n)
	for i := range rows {
		u := (float64(i) + .5) / float64(n) // the share of persons with fewer
		x := 1.0
		switch kind {
		case "four on average":
			x = 1 + math.Log(1-u)/math.Log(.75)
		case "mostly one":
			x = 1 + math.Log(1-u)/math.Log(.23)
		case "twenty on average":
			x = 1 + math.Log(1-u)/math.Log(.95)
		case "a heavy tail":
			x = math.Pow(1-u, -1/1.5)
		case "a lighter tail":
			x = math.Pow(1-u, -1/2.5)
		case "five each":
			x = 5
		case "one, and of 1 in 20 up to 60":
			if u > .95 {
				x = 20 + 800*(u-.95)
			}
		}
		rows[i] = min(int(x), 1000) - 1 // code 0 is one row
	}
	return rows
}

const mostRowsCodes = 100

// TestUpperBoundRegret measures how good the choice of how many rows of a person count is: the root
// of the mean square error of a count of rows with the bound that was chosen, on average, by that
// with the best bound from 1 to 100. Beside it the same of the choice that was made before, the
// quantile of about 4/ε·ln(2000·max(1, nε/4)) persons. -v prints the table of upperbound.md.
func TestUpperBoundRegret(t *testing.T) {
	worse, cases, sum, sumBefore := 0, 0, 0.0, 0.0
	draws := 200
	if testing.Short() {
		draws = 40
	}
	for _, kind := range []string{"four on average", "mostly one", "twenty on average",
		"a heavy tail", "a lighter tail", "five each", "one, and of 1 in 20 up to 60"} {
		for _, n := range []int{1000, 20_000} {
			rows := rowsOf(kind, n)
			for _, c := range []struct{ asked, price float64 }{{.1, .01}, {1, .1}, {1, .3}} {
				costs := rowsCosts(rows, c.asked)
				best := slices.Min(costs)
				price := must(privacy.ParseEpsilon(big.NewRat(int64(math.Round(100*c.price)), 100).
					FloatString(2)))
				bound := must(NewUpperBound(UpperBoundParams{Epsilon: price, Size: mostRowsCodes}))
				src := coin.NewSeeded(7)
				now := 0.0
				for range draws {
					now += costs[must(bound.Release(src, rows, nil))] / best / float64(draws)
				}
				above := math.Min(math.Ceil(4/c.price*math.Log(2000*max(1, float64(n)*c.price/4))),
					float64(n)/2)
				target := big.NewRat(int64(1e6*(1-above/float64(n))), 1e6)
				quantile := must(NewQuantiles(QuantilesParams{Epsilon: price,
					Size: big.NewInt(mostRowsCodes), Targets: []*big.Rat{target},
					People: int64(n)}))
				before := 0.0
				for range draws {
					before += costs[must(quantile.Release(src, rows, nil))[0]] / best /
						float64(draws)
				}
				t.Logf("| %s | %d | %v | %v | %d | %.1f | %.1f |", kind, n, c.asked, c.price,
					1+slices.Index(costs, best), before, now)
				if cases++; now > before {
					worse++
				}
				sum, sumBefore = sum+math.Log(now), sumBefore+math.Log(before)
			}
		}
	}
	mean, meanBefore := math.Exp(sum/float64(cases)), math.Exp(sumBefore/float64(cases))
	t.Logf("geometric mean: %.2f before, %.2f now; worse in %d of %d", meanBefore, mean, worse,
		cases)
	if mean > 2.5 || mean > meanBefore/3 {
		t.Errorf("the error is %.2f of the best one on average, %.2f before", mean, meanBefore)
	}
}

// rowsCosts are the errors of a count of rows with each bound on the rows of a person, which are
// one more than the codes.
func rowsCosts(rows column, epsilon float64) (list []float64) {
	for k := range mostRowsCodes {
		left := 0.0
		for _, code := range rows {
			left += float64(max(code-k, 0))
		}
		noise := float64(k+1) / epsilon
		list = append(list, math.Sqrt(left*left+2*noise*noise))
	}
	return list
}

// TestUpperBoundErrors: hardly ever is the chosen code exceeded by more persons than is said, and
// what is called typical is about the mean.
func TestUpperBoundErrors(t *testing.T) {
	price := must(privacy.ParseEpsilon("0.1"))
	b := must(NewUpperBound(UpperBoundParams{Epsilon: price, Size: mostRowsCodes}))
	bound := b.ErrorBound(Beta)
	if bound != 169 { // ⌈ln(1.202·10^6/.05)/.1⌉ − 1
		t.Errorf("bound %d", bound)
	}
	for _, kind := range []string{"four on average", "twenty on average", "a heavy tail"} {
		rows := rowsOf(kind, 20_000)
		src, beyond, sum := coin.NewSeeded(3), 0, 0.0
		const draws = 100
		for range draws {
			v := int(must(b.Release(src, rows, nil)))
			above := 0
			for _, code := range rows {
				if min(code, mostRowsCodes-1) > v {
					above++
				}
			}
			if int64(above) > bound {
				beyond++
			}
			sum += float64(above) / draws
		}
		t.Logf("%s: %.0f persons beyond on average, %d of %d draws beyond %d", kind, sum, beyond,
			draws, bound)
		if beyond > 12 || sum > 2*b.TypicalError() {
			t.Errorf("%s: %.0f persons beyond on average, %d of %d draws beyond %d", kind, sum,
				beyond, draws, bound)
		}
	}
}
