package selection

import (
	"flag"
	"math/big"
	"os"
	"slices"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/internal/prooftest"
	"hush/core/privacy"
)

// long asks for the large versions of property tests and tables: minutes instead of seconds.
var long = flag.Bool("long", false, "run the long versions of tests")

func TestMain(m *testing.M) { audittest.Main(m) }

func TestProofs(t *testing.T) { prooftest.Check(t, os.DirFS(".")) }

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

func rat(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("not a rational number: " + text)
	}
	return r
}

func odds(text, delta string) privacy.Loss {
	return must(privacy.LossFromOdds(rat(text), rat(delta)))
}

func claimOf(loss privacy.Loss, err error) audit.Claim {
	return must(audit.ClaimOf(must(loss, err)))
}

// finite is a candidate mechanism given by its rational laws: weights[c][x] is the weight of output
// x, of score x, on data sets in which c persons have the value 0. All rows have the same total.
type finite [][]int64

func (f finite) on(rows []int) []int64 {
	c := 0
	for _, value := range rows {
		if value == 0 {
			c++
		}
	}
	return f[c]
}

// candidate is the mechanism on a data set, as the functions under test take it.
func (f finite) candidate(rows []int) Candidate[int] {
	weights := f.on(rows)
	return func(src coin.Source) (Scored[int], error) {
		left := int64(0)
		for _, w := range weights {
			left += w
		}
		for x, w := range weights {
			if w == left {
				return Scored[int]{x, int64(x)}, nil
			}
			if src.Bernoulli(coin.Ratio(uint64(w), uint64(left))) {
				return Scored[int]{x, int64(x)}, nil
			}
			left -= w
		}
		panic("no weight")
	}
}

// law is that of one run.
func (f finite) law(rows []int) (*coin.Law[int], error) {
	return coin.Enumerate(coin.Limits{}, func(src coin.Source) (int, error) {
		result, err := f.candidate(rows)(src)
		return result.Output, err
	})
}

// space is that of all data sets of len(f) − 1 persons who have the value 0 or none.
func (f finite) space() audit.Space { return audit.Space{Persons: len(f) - 1, Values: 1} }

// loss is the exact loss of one run at this δ.
func (f finite) loss(t testing.TB, delta string) privacy.Loss {
	t.Helper()
	report := must(
		audit.Run(audit.Audit[int]{
			Space: f.space(), Claim: audit.Claim{Odds: rat("1"), Delta: rat(delta)}, Law: f.law},
			nil))
	if report.Odds == nil {
		t.Fatal("the candidate has no ε")
	}
	return must(privacy.LossFromOdds(report.Odds, rat(delta)))
}

// sharp is the worst candidate of odds 2 for random stopping: the output in the middle gets
// likelier while what beats it gets less likely.
var sharp = finite{{99, 1, 200}, {198, 2, 100}}

// graded is a candidate for two persons, of odds 2.
var graded = finite{{6, 4, 2}, {4, 5, 3}, {5, 3, 4}}

// leaky has an output that one data set alone can give, with probability 1/50.
var leaky = finite{{32, 17, 1}, {17, 33, 0}}

// nothing is the outcome where no run is published.
const nothing = -1

func outputOf(result Scored[int], found bool, err error) (int, error) {
	if !found {
		return nothing, err
	}
	return result.Output, err
}

// same says that the data make no difference.
func (f finite) same() bool {
	for _, row := range f[1:] {
		if !slices.Equal(row, f[0]) {
			return false
		}
	}
	return true
}
