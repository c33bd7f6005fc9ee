package joint

import (
	"testing"

	"hush/core/internal/audittest"
)

func TestPairsInGroups(t *testing.T) {
	audittest.InGroups(t, "pairs, Laplace", pairsOf("1", "0", []int{2, 3}))
	audittest.InGroups(t, "pairs, Gaussian", pairsOf("1", "0.0000001", []int{2, 3}))
}
