package threshold

import (
	"math/big"
	"testing"

	"hush/core/domain"
)

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
