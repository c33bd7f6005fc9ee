package threshold

import (
	"fmt"
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

// TestRankWindowMoves checks ranks.md, Lemma 1.
func TestRankWindowMoves(t *testing.T) {
	random := rand.New(rand.NewPCG(71, 72))
	for range 100_000 {
		list, x, y := randomCodes(random, 5, 12), random.Uint64N(32), random.Uint64N(32)
		count := 1 + random.IntN(7)
		part, beyond := big.NewRat(1+random.Int64N(12), 13), random.Int64N(8)
		value := 0
		if beyond > 0 {
			value = random.IntN(3)
		}
		around := func(list []uint64) []int {
			r := &Ranks{finder: anyInterior{random, count}, last: big.NewInt(31), bits: 5,
				parts: []*big.Rat{part}, around: beyond}
			return ints(numbers(r.window(domain.SortedCodes(list, 5), value)))
		}
		small, one, other := around(list), around(with(list, x)), around(with(list, y))
		if len(small) != count || difference(small, one) > 2 || difference(one, other) > 2 {
			t.Fatalf("codes %v, %d and %d, part %v: windows %v, %v and %v", list, x, y, part, small,
				one, other)
		}
	}
}

// TestRanksError takes any interior point of each window: no more than ErrorBound codes are on the
// wrong side.
func TestRanksError(t *testing.T) {
	random := rand.New(rand.NewPCG(73, 74))
	for range 20_000 {
		list := randomCodes(random, 4, 40)
		parts := []*big.Rat{big.NewRat(1, 7), big.NewRat(2, 5), big.NewRat(1, 2),
			big.NewRat(99, 100)}
		r := must(NewRanks(
			RanksParams{Finder: anyInterior{random, 1 + random.IntN(9)}, Size: big.NewInt(16),
				Parts: parts}))
		codes := domain.SortedCodes(list, 4)
		found := must(r.Release(nil, codes, nil))
		for i, z := range found {
			if i > 0 && z.Cmp(found[i-1]) < 0 {
				t.Fatalf("values %v", found)
			}
			below, notAbove := codes.Rank(z)
			share := float(parts[i]) * float64(len(list))
			if off := float64(r.ErrorBound()); float64(notAbove) < share-off ||
				float64(len(list)-below) < float64(len(list))-share-off {
				t.Fatalf("codes %v, part %v: %v has %d up to it and %d from it on", list, parts[i],
					z, notAbove, len(list)-below)
			}
		}
	}
}

// TestRanksSuccess runs every Finder on data with many ties.
func TestRanksSuccess(t *testing.T) {
	const n, runs = 6000, 40
	size := values(20)
	third, part := epsilon("1/3"), delta("1e-7")
	random := rand.New(rand.NewPCG(75, 76))
	for _, finder := range []Finder{
		must(NewExponential(ExponentialParams{Epsilon: third, Size: size})),
		must(NewTreeLog(TreeLogParams{Epsilon: third, Delta: part, Size: size})),
		must(NewBinarySearch(BinarySearchParams{Epsilon: third, Size: size})),
	} {
		r := must(NewRanks(
			RanksParams{Finder: finder, Size: size,
				Parts: []*big.Rat{big.NewRat(1, 4), big.NewRat(1, 2), big.NewRat(3, 4)}}))
		loss := must(r.Loss(1))
		if e, _ := loss.Epsilon(); e.Cmp(rat("1")) > 0 || float(e) < 0.95 {
			t.Errorf("%s: loss %v", finder.Name(), loss)
		}
		good := 0
		for run := range runs {
			list := make([]uint64, n)
			for i := range list {
				// half of them share 16 values
				list[i] = random.Uint64N(1 << (4 + 16*random.IntN(2)))
			}
			slices.Sort(list)
			codes := domain.SortedCodes(list, 20)
			right := true
			for i, z := range must(r.Release(coin.NewSeeded(coin.Seed(run)), codes, nil)) {
				below, notAbove := codes.Rank(z)
				share := (i + 1) * n / 4
				right = right && notAbove >= share-r.ErrorBound() && below <= share+r.ErrorBound()
			}
			if right {
				good++
			}
		}
		if good < runs*8/10 { // 15 % may fail
			t.Errorf("%s: %d of %d runs", finder.Name(), good, runs)
		}
	}
}

func ranksAudit(name string, claim audit.Claim,
	release func(src coin.Source, codes domain.Sorted) (string, error)) audit.Audit[string] {
	return audit.Audit[string]{
		Name: name, Space: audit.Space{Persons: 4, Values: 4}, Claim: claim,
		Law: func(rows []int) (*coin.Law[string], error) {
			return coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
				return release(src, sortedRows(rows, 2))
			})
		},
	}
}

func tinyRanks(finder Finder, parts ...*big.Rat) *Ranks {
	return must(NewRanks(RanksParams{Finder: finder, Size: big.NewInt(4), Parts: parts}))
}

func TestAuditRanks(t *testing.T) {
	r := base(3, 2)
	half, third, most := big.NewRat(1, 2), big.NewRat(1, 3), big.NewRat(4, 5)
	for name, ranks := range map[string]*Ranks{
		"the median by a window": tinyRanks(fewFinder(2, 2, r), half),
		"the median by the exponential mechanism": tinyRanks(
			newExponential(big.NewInt(4), 2, r, big.NewRat(1, 20)), half),
		"two quantiles by windows": tinyRanks(fewFinder(2, 2, r), third,
			most),
		"two quantiles by windows of the right size": tinyRanks(
			newExponential(big.NewInt(4), 2, base(6, 1), big.NewRat(1, 20)), third, half),
		"three quantiles by windows with a smaller base": tinyRanks(fewFinder(2, 3, base(9, 8)),
			third, half, most),
		"a quantile and values one person around it": must(NewRanks(RanksParams{
			Finder: fewFinder(2, 3, base(5, 4)), Size: big.NewInt(4), Parts: []*big.Rat{third},
			Around: 1})),
		"the median and values two persons around it": must(NewRanks(RanksParams{
			Finder: newExponential(big.NewInt(4), 2, base(6, 1), big.NewRat(1, 20)),
			Size:   big.NewInt(4), Parts: []*big.Rat{half}, Around: 2})),
	} {
		audittest.Holds(
			t, ranksAudit(name, claimOf(ranks.Loss(1)),
				func(src coin.Source, codes domain.Sorted) (string, error) {
					found, err := ranks.Release(src, codes, nil)
					return fmt.Sprint(found), err
				}))
	}
}

func TestPlantedRanks(t *testing.T) {
	ranks := tinyRanks(fewFinder(2, 2, base(3, 2)), big.NewRat(1, 3), big.NewRat(4, 5))
	claim := claimOf(ranks.Loss(1))
	all := func(codes domain.Sorted) interval {
		return interval{new(big.Int), big.NewInt(3), 0, codes.Len()}
	}
	each := func(
		release func(src coin.Source, codes domain.Sorted, part *big.Rat) (*big.Int, error)) func(
		src coin.Source, codes domain.Sorted) (string, error) {
		return func(src coin.Source, codes domain.Sorted) (text string, err error) {
			for _, part := range ranks.parts {
				at, err := release(src, codes, part)
				if err != nil {
					return "", err
				}
				text += at.String() + " "
			}
			return text, nil
		}
	}
	audittest.Caught(
		t, ranksAudit("quantiles that claim the loss of one", claimOf(ranks.finder.Loss(1)),
			func(src coin.Source, codes domain.Sorted) (string, error) {
				found, err := ranks.Release(src, codes, nil)
				return fmt.Sprint(found), err
			}))
	audittest.Caught(
		t, ranksAudit("quantiles of windows as large as the data", claim,
			each(func(src coin.Source, codes domain.Sorted, part *big.Rat) (*big.Int, error) {
				if codes.Len() == 0 {
					return new(big.Int), nil
				}
				return ranks.finder.Release(
					src, nearby(codes, all(codes), placeOf(part, codes.Len()), codes.Len()), nil)
			})))
	audittest.Caught(
		t, ranksAudit("quantiles that keep to the codes there are", claim,
			each(func(src coin.Source, codes domain.Sorted, part *big.Rat) (*big.Int, error) {
				at, err := ranks.finder.Release(src,
					ranks.window(codes, slices.Index(ranks.parts, part)), nil)
				if n := codes.Len(); err == nil && n > 0 {
					_, notAbove := codes.Rank(at)
					at = codes.Number(min(notAbove, n-1))
				}
				return at, err
			})))
}

// TestRanksAround: with enough persons the values around a part are about as far from it as is
// asked for, and on their sides of it however few there are.
func TestRanksAround(t *testing.T) {
	finder := must(NewExponential(ExponentialParams{Epsilon: epsilon("2"), Size: values(20)}))
	r := must(NewRanks(RanksParams{Finder: finder, Size: values(20), Around: 300,
		Parts: []*big.Rat{big.NewRat(1, 4), big.NewRat(1, 2)}}))
	one, _ := must(finder.Loss(1)).Epsilon()
	if all, _ := must(r.Loss(1)).Epsilon(); all.Cmp(one.Mul(one, big.NewRat(6, 1))) != 0 {
		t.Errorf("six values cost %v, want %v", all, one)
	}
	for _, n := range []int{0, 5, 4000} {
		list := make([]uint64, n)
		for i := range list {
			list[i] = uint64(i) * 200
		}
		codes := domain.SortedCodes(list, 20)
		for seed := range coin.Seed(20) {
			found := must(r.Release(coin.NewSeeded(seed), codes, nil))
			for i := range 2 {
				lo, at, hi := found[3*i], found[3*i+1], found[3*i+2]
				if lo.Cmp(at) > 0 || at.Cmp(hi) > 0 {
					t.Fatalf("%d people: %v", n, found)
				}
				for side, z := range found[3*i : 3*i+3] {
					_, rank := codes.Rank(z)
					if want := (i+1)*n/4 + 300*(side-1); n == 4000 &&
						max(rank-want, want-rank) > 30 {
						t.Errorf("value %d of %d: %d at or below it, want %d", side, i, rank, want)
					}
				}
			}
		}
	}
}

func TestRanksRefuses(t *testing.T) {
	good := RanksParams{Finder: fewFinder(2, 2, base(3, 2)), Size: big.NewInt(4),
		Parts: []*big.Rat{big.NewRat(1, 2)}}
	for field, changes := range map[string][]func(p *RanksParams){
		"finder": {func(p *RanksParams) { p.Finder = nil }}, // H: ranks.md some-finder
		"size":   {func(p *RanksParams) { p.Size = nil }},
		// H: ranks.md parts
		"parts": {
			func(p *RanksParams) { p.Parts = nil },
			func(p *RanksParams) { p.Parts = []*big.Rat{big.NewRat(1, 1)} },
			func(p *RanksParams) { p.Parts = []*big.Rat{new(big.Rat)} },
			func(p *RanksParams) { p.Parts = []*big.Rat{big.NewRat(1, 2), big.NewRat(1, 2)} },
			func(p *RanksParams) { p.Parts = slices.Repeat(p.Parts, maxParts+1) },
		},
		// H: ranks.md around
		"around": {
			func(p *RanksParams) { p.Around = -1 },
			func(p *RanksParams) { p.Around = 1<<40 + 1 },
			func(p *RanksParams) {
				p.Parts, p.Around = nil, 1
				for i := range int64(maxParts/3 + 1) {
					p.Parts = append(p.Parts, big.NewRat(i+1, maxParts))
				}
			},
		},
	} {
		for _, change := range changes {
			p := good
			change(&p)
			_, err := NewRanks(p)
			wantRefusal(t, err, field)
		}
	}
	_, err := must(NewRanks(good)).
		Release(coin.NewSeeded(1), domain.SortedCodes([]uint64{}, 3), nil)
	wantRefusal(t, err, "codes") // H: ranks.md bits
	if _, err := must(NewRanks(good)).Loss(privacy.Distance(2)); err != nil {
		t.Error(err)
	}
}
