package density

import (
	"fmt"
	"math/big"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/internal/audittest"
	"hush/core/privacy"
)

// grown has the shape of a base, and room for as many cells as there are values.
func grown(r *big.Rat, decay, threshold int64, depth int) *PrivTree {
	return &PrivTree{shape: must(newGrowth(r, decay, threshold, depth, mostGrown))}
}

// shapes is the exact law of the bounds of the cells, where value v of the audit has the code
// v·apart.
func shapes(p *PrivTree, size int64, apart int) func([]int) (*coin.Law[string], error) {
	return func(rows []int) (*coin.Law[string], error) {
		codes := codesApart(rows, apart, bitsOf(big.NewInt(size)))
		return coin.Enumerate(coin.Limits{}, func(src coin.Source) (string, error) {
			bounds, err := p.shape.cells(src, codes, big.NewInt(size), nil)
			return fmt.Sprint(bounds), err
		})
	}
}

func codesApart(rows []int, apart, bits int) domain.Sorted {
	var codes []int
	for _, v := range rows {
		codes = append(codes, max(v*apart, audit.None))
	}
	return sortedRows(codes, bits)
}

func TestAuditPrivTree(t *testing.T) {
	for _, c := range []struct {
		r                *big.Rat
		decay, threshold int64
		depth            int
		size             int64
		apart, values    int
		persons          int
	}{
		{big.NewRat(2, 1), 1, 0, 3, 8, 1, 8, 3},  // attained
		{big.NewRat(2, 1), 1, 0, 4, 16, 8, 2, 5}, // and with a level more
		{big.NewRat(3, 2), 2, 0, 4, 16, 8, 2, 7},
		{big.NewRat(3, 2), 2, 0, 3, 7, 1, 7, 3},
		{big.NewRat(5, 4), 3, 1, 2, 4, 1, 4, 6},
		{big.NewRat(3, 2), 1, 1, 2, 6, 1, 6, 4}, // cells of two values are not asked
	} {
		p := grown(c.r, c.decay, c.threshold, c.depth)
		audittest.Holds(t, audit.Audit[string]{
			Name: fmt.Sprintf("PrivTree, r %v, decay %d, threshold %d, %d levels, %d values, "+
				"%d persons", c.r.RatString(), c.decay, c.threshold, c.depth, c.size, c.persons),
			Space: audit.Space{Persons: c.persons, Values: c.values},
			Claim: claimOf(p.shape.spend.Loss, nil), Law: shapes(p, c.size, c.apart),
		})
	}
}

// TestPlantedPrivTree: what is claimed is the price of a growth, and what is drawn another one.
func TestPlantedPrivTree(t *testing.T) {
	two, space := big.NewRat(2, 1), audit.Space{Persons: 4, Values: 2}
	priced := func(decay int64, depth int) *big.Rat { return shapeOdds(two, decay, depth) }
	for _, c := range []struct {
		name  string
		odds  *big.Rat
		drawn *PrivTree
	}{
		{"PrivTree, the path that is left alone", new(big.Rat).Quo(priced(1, 4), two),
			grown(two, 1, 0, 4)},
		{"PrivTree, priced for twice the decay", priced(2, 4), grown(two, 1, 0, 4)},
		{"PrivTree, without decay", priced(1, 4), grown(two, 0, 0, 4)},
		{"PrivTree, one answer of each path", priced(1, 2), grown(two, 1, 0, 4)},
	} {
		audittest.Caught(t, audit.Audit[string]{Name: c.name, Space: space,
			Claim: claimOf(privacy.LossFromOdds(c.odds, nil)), Law: shapes(c.drawn, 16, 8)})
	}
	p := grown(two, 1, 0, 3)
	audittest.Caught(t, audit.Audit[string]{
		Name:  "PrivTree, the noisy counts of the answers published",
		Space: audit.Space{Persons: 4, Values: 2, NoNone: true},
		Claim: claimOf(p.shape.spend.Loss, nil),
		Law: func(rows []int) (*coin.Law[string], error) {
			return coin.Enumerate(coin.Limits{Top: 2}, func(src coin.Source) (string, error) {
				return p.published(src, codesApart(rows, 4, 3), 5), nil
			})
		},
	})
}

// published grows a shape and shows the biased counts with their noise, from 0 to 2, and splits
// where they are above 0.
func (p *PrivTree) published(src coin.Source, codes domain.Sorted, size int64) (shown string) {
	g, d := p.shape, &dyadic{codes: codes}
	for queue := []node{d.root()}; len(queue) > 0; queue = queue[1:] {
		v := queue[0]
		noisy := min(max(g.noise.AddTo(src, g.above(v)), 0), 2)
		shown += fmt.Sprint(noisy)
		if left, right := d.children(v); noisy > 0 && left.depth < g.depth {
			if queue = append(queue, left); right.first.Cmp(big.NewInt(size)) < 0 {
				queue = append(queue, right)
			}
		}
	}
	return shown
}
