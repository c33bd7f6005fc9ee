package threshold

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// pointLaw is the law point by point.
func pointLaw(r coin.Base, size int, list []uint64) []*big.Rat {
	law, total := make([]*big.Rat, size), new(big.Rat)
	for x := range law {
		law[x] = r.Pow(uint64(interior(list, uint64(x)))).Rat()
		total.Add(total, law[x])
	}
	for _, mass := range law {
		mass.Quo(mass, total)
	}
	return law
}

// interior is the score of x by its definition.
func interior(list []uint64, x uint64) int {
	atMost, atLeast := 0, 0
	for _, c := range list {
		if c <= x {
			atMost++
		}
		if c >= x {
			atLeast++
		}
	}
	return min(atMost, atLeast)
}

func TestExponentialLaw(t *testing.T) {
	r := base(3, 2)
	for _, list := range [][]uint64{{2}, {0, 11}, {3, 3, 3}, {1, 1, 4, 6, 6, 6, 7},
		{5, 5, 5, 5, 5, 9}, {0, 0, 1, 2, 3, 11, 11}, {4, 5, 6, 7, 8, 9}} {
		const size = 12
		e := newExponential(big.NewInt(size), 4, r, big.NewRat(1, 20))
		want := pointLaw(r, size, list)
		for cut := range (len(list) + 1) / 2 {
			round := must(coin.Enumerate(coin.Limits{}, func(src coin.Source) (int, error) {
				x, ok, err := e.window(domain.SortedCodes(list, 4), cut).draw(src, nil)
				if !ok {
					return -1, err
				}
				return int(x.Int64()), err
			}))
			law := coin.Until(round, func(x int) (int, bool) { return x, x >= 0 })
			for x, mass := range want {
				if law.Mass(x).Cmp(mass) != 0 {
					t.Errorf("codes %v, cut %d: point %d has chance %v, want %v", list, cut, x,
						law.Mass(x), mass)
				}
			}
		}
	}
}

// TestExponentialForms compares frequencies of long runs, where the cut is above 0, with those of
// mechanism.InteriorPoint.
func TestExponentialForms(t *testing.T) {
	list := make([]uint64, 4001)
	for i := range list {
		list[i] = uint64(i) / 3 * 2
	}
	r := base(51, 50)
	e := newExponential(values(12), 12, r, big.NewRat(1, 20))
	m := must(mechanism.NewInteriorPoint(
		mechanism.InteriorPointParams{Base: r, DomainSize: values(12)}))
	if cut := (len(list)+1)/2 - e.width; cut < 10 {
		t.Fatalf("cut %d", cut)
	}
	const runs = 1000
	draw := func(release func(src coin.Source) uint64, seed coin.Seed) []uint64 {
		src, all := coin.NewSeeded(seed), make([]uint64, runs)
		for i := range all {
			all[i] = release(src)
		}
		slices.Sort(all)
		return all
	}
	a := draw(func(src coin.Source) uint64 {
		return must(e.Release(src, domain.SortedCodes(list, 12), nil)).Uint64()
	}, 1)
	b := draw(func(src coin.Source) uint64 { return must(m.Release(src, list, nil)) }, 2)
	// Two-sample Kolmogorov–Smirnov test at level 10^-6: 2·exp(−2·(n/2)·d²).
	far := 0
	for i := range a {
		j, _ := slices.BinarySearch(b, a[i])
		far = max(far, i-j, j-i)
	}
	if d := float64(far) / runs; d > 0.1205 {
		t.Errorf("distribution functions differ by %g", d)
	}
}

// TestExponentialIsFast looks at few of many codes: a list that fails when asked for others.
func TestExponentialIsFast(t *testing.T) {
	e := must(NewExponential(ExponentialParams{Epsilon: epsilon("1"), Size: values(64)}))
	asked := 0
	codes := countedCalls{domain.SortedCodes(make([]uint64, 1), 64), 1 << 40, &asked}
	if _, err := e.Release(coin.NewSeeded(1), codes, nil); err != nil || asked > 10_000 {
		t.Errorf("%d codes looked at, %v", asked, err)
	}
}

// countedCalls is a list of length codes, code i being i·2^20.
type countedCalls struct {
	domain.Sorted
	length int
	asked  *int
}

func (c countedCalls) Len() int { return c.length }
func (c countedCalls) Lcp(i, j int) int {
	*c.asked++
	return 64 - big.NewInt(int64(i^j)).BitLen() - 20*min(i^j, 1)
}
func (c countedCalls) Number(i int) *big.Int {
	*c.asked++
	return big.NewInt(int64(i) << 20)
}
func (c countedCalls) Rank(n *big.Int) (int, int) {
	i := int(new(big.Int).Rsh(n, 20).Int64())
	return i, i + 1
}

func TestExponentialRefuses(t *testing.T) {
	_, err := NewExponential(ExponentialParams{Size: values(64)})
	wantRefusal(t, err, "epsilon")
	_, err = NewExponential(ExponentialParams{Epsilon: epsilon("1")})
	wantRefusal(t, err, "size")
	_, err = NewExponential(ExponentialParams{Epsilon: epsilon("1"), Size: values(64), Beta: 1})
	wantRefusal(t, err, "beta")
	e := must(NewExponential(ExponentialParams{Epsilon: epsilon("1"), Size: values(64)}))
	_, err = e.Release(coin.NewSeeded(1), domain.SortedCodes([]uint64{}, 63), nil)
	wantRefusal(t, err, "codes")
	stop := errors.New("stop")
	if _, err = e.Release(coin.NewSeeded(1), domain.SortedCodes([]uint64{5}, 64),
		func(int64, int64) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("a cancelled run gave %v", err)
	}
}

// TestExponentialNeeds is the requirement by its definition, and the published one, which is a few
// persons more.
func TestExponentialNeeds(t *testing.T) {
	random := rand.New(rand.NewPCG(15, 16))
	for range 50 {
		size, r := 2+random.Int64N(1000), base(10+random.Int64N(20), 9)
		e := newExponential(big.NewInt(size), 10, r, big.NewRat(1, 20))
		works := func(n int) bool {
			best := r.Pow(uint64(n+1) / 2).Rat()
			bad := ratOf(size - 1)
			return new(big.Rat).Mul(bad, ratOf(19)).Cmp(best) <= 0
		}
		if !works(e.needs) || e.needs > 1 && works(e.needs-1) {
			t.Errorf("size %d, base %v: needs %d", size, r, e.needs)
		}
	}
	for bits, published := range map[uint]int{64: 192, 256: 724, 1024: 2854, 65536: 181_719,
		1 << 20: 2_907_284} {
		e := must(NewExponential(ExponentialParams{Epsilon: epsilon("1"), Size: values(bits)}))
		if e.Needs() > published || e.Needs() < published-5 {
			t.Errorf("%d bits: needs %d, published are %d", bits, e.Needs(), published)
		}
	}
}

func TestAuditExponential(t *testing.T) {
	e := newExponential(big.NewInt(8), 3, base(3, 2), big.NewRat(1, 20))
	a := audit.Audit[int]{
		Name: "exponential mechanism on sorted codes", Space: audit.Space{Persons: 4, Values: 8},
		Claim: audit.Pure(9, 4),
		Law: func(rows []int) (*coin.Law[int], error) {
			return coin.Enumerate(coin.Limits{}, func(src coin.Source) (int, error) {
				x, err := e.Release(src, sortedRows(rows, 3), nil)
				return int(x.Int64()), err
			})
		},
	}
	audittest.Holds(t, a)
	directions(t, a, both(privacy.LogUp(e.base.Rat())))
}
