package density

import (
	"fmt"
	"math/big"
	"testing"

	"hush/core/coin"
	"hush/core/internal/stattest"
)

// TestExactHasTheSameLaw: of one round on four values, the places that Release chooses come as
// often as the exact copy's law says, and one law is not the other's shifted by a place.
func TestExactHasTheSameLaw(t *testing.T) {
	m := must(NewMERR(MERRParams{Epsilon: epsilon("2"), Size: big.NewInt(4), Persons: 3,
		Rounds: 1}))
	codes := sortedRows([]int{0, 0, 3}, m.bits)
	place := func(m *MERR) func(src coin.Source) (int64, error) {
		return func(src coin.Source) (int64, error) {
			d, err := m.Release(src, codes, nil)
			if err != nil {
				return 0, err
			}
			_, last, _ := d.Cell(0)
			return last.Int64(), nil
		}
	}
	law := must(coin.Enumerate(coin.Limits{Top: 3}, place(m.Exact())))
	chances := make([]float64, 4)
	for i := range chances {
		chances[i], _ = law.Mass(int64(i)).Float64()
	}
	src := coin.NewSeeded(5)
	stattest.Accept(t, stattest.Sample(func() int64 { return must(place(m)(src)) }),
		stattest.FromPMF(0, chances))
	if chances[0] == chances[1] || m.exact {
		t.Errorf("chances %v: nothing is shown", chances)
	}
	if have, want := must(m.Exact().Loss(1)), must(m.Loss(1)); fmt.Sprint(have) !=
		fmt.Sprint(want) {
		t.Errorf("the exact copy costs %v, the original %v", have, want)
	}
}
