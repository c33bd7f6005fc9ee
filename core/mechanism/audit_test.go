package mechanism

import (
	"fmt"
	"math/big"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/privacy"
)

// The audits of this package run the mechanisms themselves, on every coin, for every data set of a
// tiny space. What is common to them stands here. A broken twin is the mechanism with one thing
// changed, and must be caught.

func TestMain(m *testing.M) { audittest.Main(m) }

// must unwraps a constructor's result.
func must[T any](m T, err error) T {
	if err != nil {
		panic(err)
	}
	return m
}

// claimOf is what a mechanism itself claims for one person replaced.
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

// count is how many persons have the value v.
func count(rows []int, v int) int64 {
	n := int64(0)
	for _, x := range rows {
		if x == v {
			n++
		}
	}
	return n
}

// counts are those of the values 0 … values−1.
func counts(rows []int, values int) []int64 {
	all := make([]int64, values)
	for v := range all {
		all[v] = count(rows, v)
	}
	return all
}

// clamp keeps a noisy count between −edge and persons + edge, so that its law is exact with
// geometric draws up to top(…). The audit then is of the clamped release; the ratio of two tails of
// noise is that of their first values.
func clamp(x int64, persons, edge int) int64 {
	return min(max(x, int64(-edge)), int64(persons+edge))
}

// top is the noise from which every clamped count is at its edge.
func top(persons, edge int) uint64 { return uint64(persons + edge) }

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

// list is groups written out, for twins.
type list []struct {
	score int64
	m     uint64
}

func (l list) Len() int { return len(l) }

func (l list) Group(i int) (int64, uint64, *big.Int) { return l[i].score, l[i].m, nil }

// roundedUp is e^ε as a float64 rounded up, which is the wrong direction.
func roundedUp(epsilon float64, exact *big.Rat) coin.Base {
	up := new(big.Rat).SetFloat64(epsilon)
	if up.Cmp(exact) < 0 {
		panic(fmt.Sprintf("%v is not above %v", up, exact))
	}
	return must(coin.BaseFromRat(up))
}
