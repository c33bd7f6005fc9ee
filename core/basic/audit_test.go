package basic

import (
	"math/big"
	"slices"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/privacy"
)

// The audits of this package run the questions themselves, on every coin, for every data set of a
// tiny space. What is common to them stands here. A broken twin is the question with one thing
// changed, and must be caught.

func TestMain(m *testing.M) { audittest.Main(m) }

func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

func base(num, den int64) coin.Base { return must(coin.NewBase(num, den)) }

func epsilon(text string) privacy.Epsilon { return must(privacy.ParseEpsilon(text)) }

func delta(text string) privacy.Delta { return must(privacy.ParseDelta(text)) }

func rat(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("not a rational number: " + text)
	}
	return r
}

func rats(texts ...string) (all []*big.Rat) {
	for _, text := range texts {
		all = append(all, rat(text))
	}
	return all
}

// claimOf is what a question itself claims for one person replaced.
func claimOf(loss privacy.Loss, err error) audit.Claim {
	return must(audit.ClaimOf(must(loss, err)))
}

// run makes a law from a release: everything random in it goes through src.
func run[T comparable](limits coin.Limits,
	release func(src coin.Source, rows []int) (T, error)) func([]int) (*coin.Law[T], error) {
	return func(rows []int) (*coin.Law[T], error) {
		return coin.Enumerate(limits, func(src coin.Source) (T, error) {
			return release(src, rows)
		})
	}
}

// column is a column of codes, −1 for none.
type column []int

func (c column) Len() int                  { return len(c) }
func (c column) Code(i int) (uint64, bool) { return uint64(c[i]), c[i] >= 0 }

// sameLaw fails the test unless both laws are the same on every data set of the space.
func sameLaw[T comparable](t *testing.T, space audit.Space, a,
	b func([]int) (*coin.Law[T], error)) {
	t.Helper()
	for _, rows := range space.DataSets() {
		p, q := must(a(rows)), must(b(rows))
		for _, l := range []*coin.Law[T]{p, q} {
			for _, o := range l.Outcomes() {
				if p.Mass(o).Cmp(q.Mass(o)) != 0 {
					t.Fatalf("data set %v, outcome %v: mass %v and %v", rows, o, p.Mass(o),
						q.Mass(o))
				}
			}
		}
	}
}

// shuffled is the rows in another order, for laws that must not depend on it.
func shuffled(rows []int) []int {
	other := slices.Clone(rows)
	slices.Reverse(other)
	return other
}
