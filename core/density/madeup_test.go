package density

import (
	"errors"
	"math/big"
	"testing"

	"hush/core/coin"
	"hush/core/param"
)

// TestMadeUpDraws: rows have a value of each column by its release and its missing part; no
// learners are refused.
func TestMadeUpDraws(t *testing.T) {
	var refused *param.Error
	if _, err := NewMadeUp(MadeUpParams{}); !errors.As(err, &refused) ||
		refused.Field != "learners" {
		t.Errorf("no learners: %v", err)
	}
	release := func(mass ...float64) *Distribution {
		var bounds []*big.Int
		for i := range len(mass) + 1 {
			bounds = append(bounds, big.NewInt(int64(i)))
		}
		d, err := NewDistribution(bounds, mass, 100, "", nil, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	const n = 4000
	rows, err := DrawRows(coin.NewSeeded(1), []*Distribution{release(0, 100), release(50, 50)},
		[]int64{0, Millionths / 4}, n)
	if err != nil || len(rows) != n {
		t.Fatal(len(rows), err)
	}
	without, ones := 0, 0
	for _, row := range rows {
		if row[0] == nil || row[0].Int64() != 1 {
			t.Fatal("another value of the first column than is possible")
		}
		switch {
		case row[1] == nil:
			without++
		case row[1].Int64() == 1:
			ones++
		}
	}
	if without < n/4-150 || without > n/4+150 || ones < n*3/8-150 || ones > n*3/8+150 {
		t.Errorf("%d of %d rows without a value, %d with the second", without, n, ones)
	}
}

// TestMadeUpPaysForEachColumn: the loss is that of all learners together.
func TestMadeUpPaysForEachColumn(t *testing.T) {
	learner := must(NewHistogram(HistogramParams{Epsilon: epsilon("1"), Size: big.NewInt(4),
		Persons: 10}))
	three := must(NewMadeUp(MadeUpParams{Learners: []Learner{learner, learner, learner}}))
	if e, _ := must(three.Loss(1)).Epsilon(); e.Cmp(big.NewRat(3, 1)) != 0 {
		t.Errorf("three columns of ε = 1 cost ε = %v", e)
	}
}
