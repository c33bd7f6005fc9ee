package basic

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"hush/core/privacy"
)

// TestRhoByGroup: shares and means by group state the ρ of the moves of one person, in parts of ε²
// at ε = .1, where ε alone implies half of it. No constant is right for all means: 2/9, which the
// limit of many codes suggests, is too small for few.
func TestRhoByGroup(t *testing.T) {
	part := func(loss privacy.Loss) float64 {
		rho, _ := loss.Rho().Float64()
		return rho / .01
	}
	share := must(NewShare(ShareParams{Epsilon: epsilon("1/10"), People: 100,
		Where: atLeastOneCode}))
	want := math.Tanh(.1/8) / .1
	if have := part(must(grouped(share, 2).Loss(1))); math.Abs(have-want) > 1e-6 {
		t.Errorf("a share: %.6f of ε², want %.6f", have, want)
	}
	for last, want := range map[int64]float64{3: .2745, 5: .249, 7: .239} {
		mean := must(NewMean(MeanParams{Epsilon: epsilon("1/10"), People: 100,
			Scale: numbers(last+1, "0", "1")}))
		have := part(must(grouped(mean, 2).Loss(1)))
		if math.Abs(have-want) > 5e-4 {
			t.Errorf("a mean of codes up to %d: %.4f of ε², want %.4f", last, have, want)
		}
		if have <= 2./9 {
			t.Errorf("a mean of codes up to %d: 2ε²/9 would do", last)
		}
	}
}

// TestPlanOfShares: twenty shares by group of ε = .5 each, at δ = 10^-6, cost what their ρ says.
func TestPlanOfShares(t *testing.T) {
	share := must(NewShare(ShareParams{Epsilon: epsilon("1/2"), People: 100,
		Where: atLeastOneCode}))
	var plan []privacy.Planned
	for range 20 {
		plan = append(plan, privacy.Planned{Loss: must(grouped(share, 2).Loss(1))})
	}
	total := must(privacy.ComposePlan(plan, delta("1e-6")))
	e, _ := total.Loss.Epsilon()
	if have := fmt.Sprint(e.FloatString(2), " ", total.Rule); e.Cmp(big.NewRat(6, 1)) > 0 {
		t.Errorf("ε = %s, want at most 6", have)
	}
}
