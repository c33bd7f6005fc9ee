package density

import (
	"math/big"
	"testing"

	"hush/core/internal/audittest"
)

func TestLearnersInGroups(t *testing.T) {
	list := learners(big.NewInt(1<<10), 1000)
	for _, l := range list {
		audittest.InGroups(t, l.Name().String(), l)
	}
	audittest.InGroups(t, "made up", must(NewMadeUp(MadeUpParams{Learners: list[:3]})))
}
