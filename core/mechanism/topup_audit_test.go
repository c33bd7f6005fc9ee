package mechanism

import (
	"math"
	"math/big"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
)

// The audits of this file build joint laws in steps: a first answer, and given it the next. The
// state is the answers so far, not clamped: noise is cut at far, from where on all numbers are
// alike, since what is audited is clamped at the end.

const far = 6 // noise of at least that, in size, is one outcome

func topUp(first, then coin.Base, moves uint64) *LaplaceTopUp {
	return must(NewLaplaceTopUp(laplace(first, moves), laplace(then, moves)))
}

// released is the law of one count with noise of base r.
func released(r coin.Base, x int64) *coin.Law[int64] {
	return must(coin.Enumerate(coin.Limits{Top: far}, func(src coin.Source) (int64, error) {
		return laplace(r, 1).AddTo(src, x), nil
	}))
}

// toppedUp is the law of the answer that a step draws.
func toppedUp(step func(coin.Source) (int64, error)) (*coin.Law[int64], error) {
	return coin.Enumerate(coin.Limits{Top: 2*far + 2}, step)
}

// pairs is the law of (y₁, y₂), both clamped, where next draws y₂ of x and y₁.
func pairs(first coin.Base, persons int,
	next func(coin.Source, int64, int64) (int64, error)) func([]int) (*coin.Law[[2]int64], error) {
	return func(rows []int) (*coin.Law[[2]int64], error) {
		x := count(rows, 0)
		return coin.Then(released(first, x), func(y int64) (*coin.Law[[2]int64], error) {
			law, err := toppedUp(func(src coin.Source) (int64, error) { return next(src, x, y) })
			if err != nil {
				return nil, err
			}
			return coin.Then(law, sure(func(z int64) [2]int64 {
				return [2]int64{clamp(y, persons, 1), clamp(z, persons, 1)}
			}))
		})
	}
}

// sure is a step without coins.
func sure[T, U comparable](f func(T) U) func(T) (*coin.Law[U], error) {
	return func(x T) (*coin.Law[U], error) {
		law := coin.NewLaw[U]()
		law.Add(f(x), big.NewRat(1, 1))
		return law, nil
	}
}

// one tops up a single count.
func one(m *LaplaceTopUp) func(coin.Source, int64, int64) (int64, error) {
	return func(src coin.Source, x, y int64) (int64, error) {
		list, err := m.Release(src, []int64{x}, []int64{y}, nil)
		if err != nil {
			return 0, err
		}
		return list[0], nil
	}
}

func TestAuditTopUp(t *testing.T) {
	space := audit.Space{Persons: 3, Values: 1}
	for _, c := range []struct {
		name        string
		first, then coin.Base
	}{
		{"base 5/4 to 2", base(5, 4), base(2, 1)},
		{"base 10/9 to 5/4", base(10, 9), base(5, 4)},
		{"base 3/2 to 2", base(3, 2), base(2, 1)},
	} {
		m := topUp(c.first, c.then, 1)
		report := audittest.Holds(t, audit.Audit[[2]int64]{
			Name: "Top-up, one count, both answers, " + c.name, Space: space,
			Claim: claimOf(m.whole, nil), Law: pairs(c.first, 3, one(m))})
		if report.Odds.Cmp(c.then.Rat()) != 0 {
			t.Errorf("%s: both answers have odds %v, want %v", c.name, report.Odds, c.then)
		}
	}
}

// TestAuditTopUpHistogram tops up one of two cells only, and both: it costs the same.
func TestAuditTopUpHistogram(t *testing.T) {
	first, then := base(3, 2), base(2, 1)
	m := topUp(first, then, 2)
	for _, c := range []struct {
		name  string
		cells int
	}{{"both cells", 2}, {"one cell of two", 1}} {
		law := func(rows []int) (*coin.Law[[4]int64], error) {
			x := counts(rows, 2)
			cell := func(i int) func([]int) (*coin.Law[[2]int64], error) {
				return pairs(first, 2, func(src coin.Source, _, y int64) (int64, error) {
					if i >= c.cells {
						return y, nil
					}
					return one(m)(src, x[i], y)
				})
			}
			of := func(i int) []int { // as many persons with 0 as the cell has
				some := make([]int, 0, 2)
				for range x[i] {
					some = append(some, 0)
				}
				return some
			}
			return coin.Then(must(cell(0)(of(0))),
				func(a [2]int64) (*coin.Law[[4]int64], error) {
					return coin.Then(must(cell(1)(of(1))), sure(func(b [2]int64) [4]int64 {
						return [4]int64{a[0], a[1], b[0], b[1]}
					}))
				})
		}
		audittest.Holds(t, audit.Audit[[4]int64]{Name: "Top-up, two disjoint counts, " + c.name,
			Space: audit.Space{Persons: 2, Values: 2}, Claim: claimOf(m.whole, nil), Law: law})
	}
}

// adaptive releases a count with base first, then whether somebody has 1 with base other; only
// where the two answers say so, the first is topped up, to one base or another.
func adaptive(up map[bool]func(coin.Source, int64, int64) (int64, error),
	first, other coin.Base) func([]int) (*coin.Law[[3]int64], error) {
	return func(rows []int) (*coin.Law[[3]int64], error) {
		x, also := count(rows, 0), count(rows, 1)
		return coin.Then(released(first, x), func(y int64) (*coin.Law[[3]int64], error) {
			return coin.Then(released(other, also), func(b int64) (*coin.Law[[3]int64], error) {
				shown := func(z int64) [3]int64 {
					return [3]int64{clamp(y, 2, 1), clamp(b, 2, 1), clamp(z, 2, 1)}
				}
				if y <= 1 && b <= 0 {
					return sure(shown)(y) // no top-up
				}
				law, err := toppedUp(func(src coin.Source) (int64, error) {
					return up[y > b](src, x, y)
				})
				if err != nil {
					return nil, err
				}
				return coin.Then(law, sure(shown))
			})
		})
	}
}

// TestAuditTopUpAdaptive: whether to top up, and to which base, depends on both answers, and a
// release of another question lies in between.
func TestAuditTopUpAdaptive(t *testing.T) {
	first, other := base(5, 4), base(4, 3)
	near, wide := topUp(first, base(3, 2), 1), topUp(first, base(2, 1), 1)
	// a replaced person moves both counts
	claim := claimOf(wide.whole, nil).Plus(claimOf(laplace(other, 1).Loss(1)))
	audittest.Holds(t, audit.Audit[[3]int64]{Name: "Top-up chosen by two answers, another between",
		Space: audit.Space{Persons: 2, Values: 2}, Claim: claim,
		Law: adaptive(map[bool]func(coin.Source, int64, int64) (int64, error){
			true: one(wide), false: one(near)}, first, other)})
}

// chain is the law of y₁, y₂, y₃, where the last is drawn of y₂, or by a mistake of y₁.
func chain(of int) func([]int) (*coin.Law[[3]int64], error) {
	bases := []coin.Base{base(5, 4), base(3, 2), base(2, 1)}
	second, third := topUp(bases[0], bases[1], 1), topUp(bases[1], bases[2], 1)
	if of == 0 {
		third = topUp(bases[0], bases[2], 1)
	}
	return func(rows []int) (*coin.Law[[3]int64], error) {
		x := count(rows, 0)
		return coin.Then(released(bases[0], x), func(y int64) (*coin.Law[[3]int64], error) {
			law, err := toppedUp(func(src coin.Source) (int64, error) {
				return one(second)(src, x, y)
			})
			if err != nil {
				return nil, err
			}
			return coin.Then(law, func(z int64) (*coin.Law[[3]int64], error) {
				last, err := toppedUp(func(src coin.Source) (int64, error) {
					return one(third)(src, x, []int64{y, z}[of])
				})
				if err != nil {
					return nil, err
				}
				return coin.Then(last, sure(func(last int64) [3]int64 {
					return [3]int64{clamp(y, 2, 1), clamp(z, 2, 1), clamp(last, 2, 1)}
				}))
			})
		})
	}
}

func TestAuditTopUpChain(t *testing.T) {
	audittest.Holds(t, audit.Audit[[3]int64]{Name: "Top-up of a top-up, three answers",
		Space: audit.Space{Persons: 2, Values: 1}, Claim: claimOf(laplace(base(2, 1), 1).Loss(1)),
		Law: chain(1)})
}

// TestPlantedTopUp plants the mistakes of A1 of review-3, with the odds computed there.
func TestPlantedTopUp(t *testing.T) {
	first, then := base(5, 4), base(2, 1)
	m := topUp(first, then, 1)
	space, claim := audit.Space{Persons: 2, Values: 1}, claimOf(m.whole, nil)
	caught := func(name string, num, den int64,
		next func(coin.Source, int64, int64) (int64, error)) {
		report := audittest.Caught(t, audit.Audit[[2]int64]{Name: name, Space: space, Claim: claim,
			Law: pairs(first, 2, next)})
		// the law without an atom is cut far out
		off := new(big.Rat).Quo(report.Odds, big.NewRat(num, den))
		if less, _ := off.Sub(off, oneRat).Float64(); math.Abs(less) > 1e-6 {
			t.Errorf("%s: odds %s, want %d/%d", name, report.Odds.FloatString(6), num, den)
		}
	}
	caught("Top-up that draws its noise afresh", 5, 2,
		func(src coin.Source, x, _ int64) (int64, error) {
			return laplace(then, 1).AddTo(src, x), nil
		})
	caught("Top-up that never keeps the first number for its own sake", 65, 28,
		func(src coin.Source, x, y int64) (int64, error) {
			law := atomless(first, then, x, y)
			i, err := src.Choose(law, coin.Base{}, nil)
			return law.from + int64(i), err
		})
	caught("Top-up with one person less in the file", 25, 8, // H: topup.md same-number
		func(src coin.Source, x, y int64) (int64, error) { return one(m)(src, max(x-1, 0), y) })

	twice := func(rows []int) (*coin.Law[[3]int64], error) {
		x := count(rows, 0)
		return coin.Then(released(first, x), func(y int64) (*coin.Law[[3]int64], error) {
			law, err := toppedUp(func(src coin.Source) (int64, error) { return one(m)(src, x, y) })
			if err != nil {
				return nil, err
			}
			return coin.Then(law, func(z int64) (*coin.Law[[3]int64], error) {
				return coin.Then(law, sure(func(last int64) [3]int64 {
					return [3]int64{clamp(y, 2, 1), clamp(z, 2, 1), clamp(last, 2, 1)}
				}))
			})
		})
	}
	report := audittest.Caught(t, audit.Audit[[3]int64]{
		// H: topup.md one-successor
		Name: "Top-up of one answer twice, both for the difference", Space: space,
		Claim: audit.Pure(16, 5), Law: twice})
	if report.Odds.Cmp(big.NewRat(5, 1)) != 0 {
		t.Errorf("twice: odds %v, want 5", report.Odds)
	}
	report = audittest.Caught(t, audit.Audit[[3]int64]{
		// H: topup.md one-successor
		Name: "Top-up of the first answer of a chain, not of the latest", Space: space,
		Claim: claim, Law: chain(0)})
	if report.Odds.Cmp(big.NewRat(15, 4)) != 0 {
		t.Errorf("chain of the first: odds %v, want 15/4", report.Odds)
	}
	caught("Top-up of a first number that was rounded to tens", 25, 8, // H: topup.md as-drawn
		func(src coin.Source, x, y int64) (int64, error) { return one(m)(src, x, 10*(y/10)) })
}

// window is the law proportional to q₂^|z|·q₁^|z₁−z|, cut far out: numbers from one on.
type window struct {
	from    int64
	weights []*big.Int
}

func (w window) Len() int                              { return len(w.weights) }
func (w window) Group(i int) (int64, uint64, *big.Int) { return 0, 0, w.weights[i] }

// atomless is a top-up without the chance p₀ that nothing changes.
func atomless(first, then coin.Base, x, y int64) window {
	const most = 40
	w := window{from: min(x, y) - most}
	bits := uint(2 << 10)
	for z := w.from; z <= max(x, y)+most; z++ {
		weight := new(big.Rat).Inv(then.Pow(uint64(max(z-x, x-z))).Rat())
		weight.Quo(weight, first.Pow(uint64(max(y-z, z-y))).Rat())
		whole := new(big.Int).Lsh(weight.Num(), bits)
		w.weights = append(w.weights, whole.Quo(whole, weight.Denom()))
	}
	return w
}
