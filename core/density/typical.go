package density

import (
	"math"
	"math/big"
)

// The functions of this file are rules of thumb, fitted to TREES.md: by how many persons a
// distribution function is off on average where it is furthest off. No draw and no loss depends on
// them.

// typicalTree returns the typical error of a tree of counts whose bound is proven for full cells:
// it is smaller where few persons leave most counts at 0.
func typicalTree(bound, persons float64) float64 {
	return min(bound*min(0.35, 0.11*math.Pow(persons/bound, 0.2)), persons/3)
}

// typicalBetween returns the typical error between the bounds of cells: for cells of equal width, a
// tenth of all persons where people are in a tenth of the domain.
func typicalBetween(bounds []*big.Int, persons float64) float64 {
	if singleValues(bounds) {
		return 0
	}
	return 10 * persons / float64(len(bounds)-1)
}

// typicalSparse returns the typical error of a tree of counts that is grown where persons are: the
// more persons, the deeper it is, up to the depth of the domain; and cells of n/8192 persons are
// not split.
func typicalSparse(epsilon, persons float64) float64 {
	return min(min(19*math.Pow(epsilon*persons/200, 0.36), 115)/epsilon+persons/20_000, persons/3)
}

// typicalRounds returns the typical error of a maximum error rule: rounds find the worst places,
// and there are more of these than rounds unless the data are simple.
func typicalRounds(epsilon, persons float64) float64 {
	part := 0.15 * math.Pow(epsilon*persons/200, -0.45)
	return min(max(part, 0.003)*persons, persons/3)
}
