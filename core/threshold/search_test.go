package threshold

import (
	"errors"
	"math/big"
	"slices"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/internal/audittest"
	"hush/core/privacy"
)

func TestBinarySearchLaw(t *testing.T) {
	b := must(newBinarySearch(big.NewInt(7), 3, base(3, 2), big.NewRat(1, 20)))
	for _, list := range [][]uint64{{}, {3}, {0, 0, 1}, {2, 5, 5, 6}} {
		want := map[uint64]*big.Rat{}
		var down func(prefix uint64, depth int, mass *big.Rat)
		down = func(prefix uint64, depth int, mass *big.Rat) {
			if depth == 3 {
				x := min(prefix, 6)
				if want[x] == nil {
					want[x] = new(big.Rat)
				}
				want[x].Add(want[x], mass)
				return
			}
			middle, difference := (2*prefix+1)<<(2-depth), int64(0)
			for _, c := range list {
				if c < middle {
					difference++
				} else {
					difference--
				}
			}
			left := b.noise.AtLeast(-difference).Rat()
			down(2*prefix, depth+1, new(big.Rat).Mul(mass, left))
			down(2*prefix+1, depth+1,
				new(big.Rat).Mul(mass, new(big.Rat).Sub(big.NewRat(1, 1), left)))
		}
		down(0, 0, big.NewRat(1, 1))
		law := must(coin.Enumerate(coin.Limits{}, func(src coin.Source) (uint64, error) {
			x, err := b.Release(src, domain.SortedCodes(list, 3), nil)
			return x.Uint64(), err
		}))
		for x, mass := range want {
			if law.Mass(x).Cmp(mass) != 0 {
				t.Errorf("codes %v, point %d: chance %v, want %v", list, x, law.Mass(x), mass)
			}
		}
	}
}

func TestBinarySearchNeeds(t *testing.T) {
	pure := must(NewBinarySearch(BinarySearchParams{Epsilon: epsilon("1"), Size: values(1024)}))
	approximate := must(
		NewBinarySearch(
			BinarySearchParams{Epsilon: epsilon("1"), Delta: delta("1e-6"), Size: values(1024)}))
	if pure.Needs() < 20_000 || approximate.Needs() > pure.Needs()/2 {
		t.Errorf("needs %d, with a δ %d", pure.Needs(), approximate.Needs())
	}
	loss := must(approximate.Loss(1))
	if e, _ := loss.Epsilon(); e.Cmp(rat("1")) > 0 || e.Cmp(rat("0.99999")) < 0 ||
		loss.Delta().Cmp(rat("1/1000000")) != 0 {
		t.Errorf("loss %v", loss)
	}
}

func TestBinarySearchRefuses(t *testing.T) {
	_, err := NewBinarySearch(BinarySearchParams{Size: values(64)})
	wantRefusal(t, err, "epsilon")
	_, err = NewBinarySearch(BinarySearchParams{Epsilon: epsilon("1")})
	wantRefusal(t, err, "size")
	_, err = NewBinarySearch(BinarySearchParams{Epsilon: epsilon("1"), Size: values(64), Beta: -1})
	wantRefusal(t, err, "beta")
	b := must(NewBinarySearch(BinarySearchParams{Epsilon: epsilon("1"), Size: values(64)}))
	_, err = b.Release(coin.NewSeeded(1), domain.SortedCodes([]uint64{}, 63), nil)
	wantRefusal(t, err, "codes")
	stop := errors.New("stop")
	if _, err = b.Release(coin.NewSeeded(1), domain.SortedCodes([]uint64{5}, 64),
		func(int64, int64) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("a cancelled run gave %v", err)
	}
}

func TestAuditBinarySearch(t *testing.T) {
	b := must(newBinarySearch(big.NewInt(8), 3, base(3, 2), big.NewRat(1, 20)))
	audittest.Holds(t, audit.Audit[int]{
		Name: "noisy binary search, 8 values", Space: audit.Space{Persons: 4, Values: 8},
		Claim: claimOf(b.Loss(1)),
		Law: func(rows []int) (*coin.Law[int], error) {
			return coin.Enumerate(coin.Limits{}, func(src coin.Source) (int, error) {
				x, err := b.Release(src, sortedRows(rows, 3), nil)
				return int(x.Int64()), err
			})
		},
	})
}

// TestBinarySearchSpendsWhatItClaims: the noisy counts of all bits, each of which a replaced person
// moves by one up or down on either side, compose to no more than is claimed.
func TestBinarySearchSpendsWhatItClaims(t *testing.T) {
	for _, text := range []string{"0", "1e-6"} {
		for _, bits := range []uint{1, 2, 16, 200} {
			b := must(NewBinarySearch(BinarySearchParams{
				Epsilon: epsilon("1"), Delta: delta(text), Size: new(big.Int).Lsh(oneInt, bits),
			}))
			step := both(privacy.LogUp(b.base.Rat())).replace()
			total := must(privacy.Compose(slices.Repeat([]privacy.Loss{step}, b.bits), delta(text)))
			if claimed := must(b.Loss(1)); !total.Loss.AtMost(claimed) {
				t.Errorf("%d bits, δ %s: claimed %v, spent %v", bits, text, claimed, total.Loss)
			}
		}
	}
}
