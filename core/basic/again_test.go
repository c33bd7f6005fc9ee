package basic

import (
	"errors"
	"slices"
	"testing"

	"hush/core/coin"
	"hush/core/param"
	"hush/core/privacy"
)

// TestGive: an answer that was drawn comes again from its sums, of no data and without a coin; of
// fewer or more sums there is none.
func TestGive(t *testing.T) {
	ask := func() *Histogram {
		h, err := NewHistogram(HistogramParams{Epsilon: must(privacy.ParseEpsilon("1")), Size: 4,
			Width: 1})
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	first := ask()
	drawn, err := first.Release(coin.NewSeeded(1), column{0, 1, 1, 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	again := ask()
	must(again.Noise().Give(Raw{Sums: first.Noise().Sums()}))
	got, err := again.Release(nil, column{}, nil)
	if err != nil || !slices.Equal(got, drawn) {
		t.Errorf("%v, want %v (%v)", got, drawn, err)
	}
	must(again.Noise().Give(Raw{Sums: drawn[1:]}))
	var refused *param.Error
	if _, err := again.Release(nil, column{}, nil); !errors.As(err, &refused) ||
		refused.Field != "sums" {
		t.Errorf("three sums of four are taken: %v", err)
	}
}
