package mechanism

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"

	"hush/core/coin"
)

func newInterior(t testing.TB, r coin.Base, size *big.Int) *InteriorPoint {
	t.Helper()
	m, err := NewInteriorPoint(InteriorPointParams{Base: r, DomainSize: size})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// interiorLaw is the law by its definition, point by point.
func interiorLaw(r coin.Base, size int, codes []uint64) []*big.Rat {
	total := new(big.Rat)
	law := make([]*big.Rat, size)
	for x := range law {
		atMost, atLeast := 0, 0
		for _, code := range codes {
			code = min(code, uint64(size-1))
			if code <= uint64(x) {
				atMost++
			}
			if code >= uint64(x) {
				atLeast++
			}
		}
		law[x] = r.Pow(uint64(min(atMost, atLeast))).Rat()
		total.Add(total, law[x])
	}
	for _, mass := range law {
		mass.Quo(mass, total)
	}
	return law
}

var interiorCases = []struct {
	name  string
	size  int
	codes []uint64
}{
	{"no code", 5, nil},
	{"one point", 1, []uint64{0, 0}},
	{"one code", 5, []uint64{2}},
	{"at both ends", 5, []uint64{0, 4}},
	{"all equal", 4, []uint64{3, 3, 3}},
	{"repeated and unequal", 8, []uint64{1, 1, 1, 4, 6, 6}},
	{"neighbouring codes", 6, []uint64{2, 3, 3, 4}},
	{"beyond the domain", 4, []uint64{1, 9, math.MaxUint64}}, // H: interior.md in-domain
	{"all beyond the domain", 4, []uint64{9, 10, 11, 11}},    // H: interior.md in-domain
}

func TestInteriorPointLawIsExact(t *testing.T) {
	r := base(3, 2)
	for _, c := range interiorCases {
		t.Run(c.name, func(t *testing.T) {
			m := newInterior(t, r, big.NewInt(int64(c.size)))
			want := interiorLaw(r, c.size, c.codes)

			distinct, upTo := counted(c.codes)
			for form, release := range map[string]func(coin.Source) (uint64, error){
				"plain": func(src coin.Source) (uint64, error) {
					return m.Release(src, c.codes, nil)
				},
				"counted": func(src coin.Source) (uint64, error) {
					return m.ReleaseCounted(src, distinct, upTo, nil)
				},
			} {
				law, err := coin.Enumerate(coin.Limits{}, release)
				if err != nil {
					t.Fatal(err)
				}
				for x := range want {
					if got := law.Mass(uint64(x)); got.Cmp(want[x]) != 0 {
						t.Errorf("%s: Pr[%d] = %v, want %v", form, x, got, want[x])
					}
				}
				if law.Total().Cmp(rat("1")) != 0 || len(law.Outcomes()) != len(want) {
					t.Errorf("%s: %d outcomes of total mass %v", form, len(law.Outcomes()),
						law.Total())
				}
			}
		})
	}
}

// counted writes sorted codes as distinct ones with running counts, and adds one that nobody has.
func counted(sorted []uint64) (codes []uint64, upTo []int64) {
	for i, code := range sorted {
		if i > 0 && code == sorted[i-1] {
			upTo[len(upTo)-1]++
			continue
		}
		codes, upTo = append(codes, code), append(upTo, int64(i+1))
	}
	if len(codes) > 0 && codes[0] > 0 {
		codes, upTo = slices.Insert(codes, 0, codes[0]-1), slices.Insert(upTo, 0, 0)
	}
	return codes, upTo
}

func TestInteriorPointOnAllOf64Bits(t *testing.T) {
	whole := new(big.Int).Lsh(big.NewInt(1), 64)
	m := newInterior(t, base(3, 2), whole)
	var high int
	src := coin.NewSeeded(3)
	for range 100 {
		x, err := m.Release(src, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		high += int(x >> 63)
	}
	if high < 25 || high > 75 {
		t.Errorf("without a code %d of 100 points lie in the upper half", high)
	}
	g := &gaps{codes: []uint64{5, math.MaxUint64}, size: whole, last: math.MaxUint64}
	for i, want := range []uint64{5, 1, math.MaxUint64 - 6, 1, 0} {
		if _, width, wide := g.Group(i); width != want || wide != nil {
			t.Errorf("group %d has %d points (%v), want %d", i, width, wide, want)
		}
	}
	g.codes = []uint64{5}
	if _, width, _ := g.Group(2); width != math.MaxUint64-5 {
		t.Errorf("the gap after the last code has %d points", width)
	}
	// Many codes at one value leave no other choice in practice.
	if x, _ := m.Release(src, slices.Repeat([]uint64{77}, 1000), nil); x != 77 {
		t.Errorf("1000 codes of 77 gave %d", x)
	}
}

func TestInteriorPointRefuses(t *testing.T) {
	_, err := NewInteriorPoint(InteriorPointParams{Base: base(3, 2)})
	wantRefusal(t, err, "domainSize")
	_, err = NewInteriorPoint(InteriorPointParams{Base: base(3, 2), DomainSize: new(big.Int)})
	wantRefusal(t, err, "domainSize") // H: interior.md some-point
	_, err = NewInteriorPoint(InteriorPointParams{DomainSize: big.NewInt(5)})
	wantRefusal(t, err, "epsilon")
	stop := errors.New("stop")
	m := newInterior(t, base(3, 2), big.NewInt(5))
	if _, err := m.Release(coin.NewSeeded(1), []uint64{1, 2}, func(int64, int64) error {
		return stop
	}); !errors.Is(err, stop) {
		t.Errorf("a cancelled release gave %v", err)
	}
}

func BenchmarkInteriorPoint(b *testing.B) {
	const n = 1_000_000
	m := newInterior(b, base(100, 99), new(big.Int).Lsh(big.NewInt(1), 64))
	codes := make([]uint64, n)
	for i := range codes {
		codes[i] = uint64(i) * 1_000_003
	}
	src := coin.NewSeeded(1)
	for b.Loop() {
		m.Release(src, codes, nil)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
}
