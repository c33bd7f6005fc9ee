package basic

import (
	"math/big"
	"testing"

	"hush/core/internal/audittest"
)

func TestQuantilesInGroups(t *testing.T) {
	audittest.InGroups(t, "quantiles by splits", must(NewQuantiles(QuantilesParams{
		Epsilon: epsilon("1"), Size: big.NewInt(1000), Targets: rats("1/4", "1/2"), People: 30})))
	audittest.InGroups(t, "joint quantiles", newJointExp(base(3, 2), 2, "1/4", "1/2"))
}
