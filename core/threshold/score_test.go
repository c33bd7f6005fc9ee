package threshold

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"hush/core/domain"
)

// TestAroundScore: where the score says so, every definition in use has its quantile between both
// values, whatever these are; and it says so of some.
func TestAroundScore(t *testing.T) {
	random := rand.New(rand.NewPCG(81, 82))
	said := 0
	for range 50_000 {
		list := make([]uint64, 1+random.IntN(30))
		for i := range list {
			list[i] = random.Uint64N(20)
		}
		slices.Sort(list)
		part := big.NewRat(1+random.Int64N(9), 10)
		lo := random.Int64N(20)
		hi := lo + random.Int64N(20-lo)
		at := []*big.Int{big.NewInt(lo), big.NewInt((lo + hi) / 2), big.NewInt(hi)}
		around := int64(3 + random.IntN(9))
		if AroundScore(domain.SortedCodes(list, 5), at, []*big.Rat{part}, around) <
			Definitions-around {
			continue
		}
		said++
		for rank := -1.5; rank <= 2; rank += 0.5 {
			r := rank + float(part)*float64(len(list))
			for _, j := range []float64{math.Floor(r), math.Ceil(r)} {
				if j < 1 || j > float64(len(list)) {
					t.Fatalf("%v, %v: a rank beyond the data is said to be held", list, part)
				}
				if x := int64(list[int(j)-1]); x < lo || x > hi {
					t.Fatalf("%v, %v of them: %d is not from %d to %d", list, part, x, lo, hi)
				}
			}
		}
	}
	if said < 1000 {
		t.Errorf("it says so %d times", said)
	}
}

// TestScoresOfPlaces: a place is as bad as persons are on its wrong side; a cut answers those on
// its sides.
func TestScoresOfPlaces(t *testing.T) {
	codes := domain.SortedCodes([]uint64{1, 3, 3, 5, 9}, 8)
	half := []*big.Rat{big.NewRat(1, 2)}
	for at, want := range map[int64]int64{3: 0, 1: -2, 0: -3, 5: -1, 9: -2, 200: -3} {
		if got := RankScore(codes, []*big.Int{big.NewInt(at)}, half); got != want {
			t.Errorf("the score of %d is %d, want %d", at, got, want)
		}
	}
	if got := RankScore(codes, []*big.Int{big.NewInt(3), big.NewInt(200)},
		append(half, half...)); got != -3 {
		t.Errorf("the score of two places is %d, want that of the worse", got)
	}
	for _, c := range []struct {
		lo, at, hi, around, want int64
	}{{1, 3, 9, 2, 0},
		{1, 3, 9, 3, -1}, {1, 3, 5, 2, -1}, {0, 9, 200, 2, -2}, {3, 3, 3, 1, -1}, {5, 3, 5, 1, -2},
		{3, 3, 1, 1, -3}, {5, 5, 9, 0, -1}} {
		at := []*big.Int{big.NewInt(c.lo), big.NewInt(c.at), big.NewInt(c.hi)}
		if got := AroundScore(codes, at, half, c.around); got != c.want {
			t.Errorf("%+v: the score is %d", c, got)
		}
	}
	l := Labelled{Codes: codes, Yes: []bool{false, false, true, true, true}}
	for _, test := range []struct {
		cut  Cut
		want int64
	}{{Cut{At: big.NewInt(3), Above: true}, 4}, {Cut{At: big.NewInt(3)}, 1}, {Cut{Above: true}, 2},
		{Cut{}, 3}} {
		if got := l.Right(test.cut); got != test.want {
			t.Errorf("%+v is right for %d, want %d", test.cut, got, test.want)
		}
	}
}
