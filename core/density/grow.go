package density

import (
	"math"
	"math/big"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/privacy"
)

// growth grows the cells of a [PrivTree]: a node of the dyadic tree is split in two where its
// count, less the decay for each level above it and the threshold, is above 0 with noise. Only
// which nodes are split is released. Proof: privtree.md, Theorem 1.
type growth struct {
	noise     mechanism.LaplaceNoise
	decay     int64 // d, at least 1
	threshold int64 // θ
	depth     int   // nodes this deep are not asked
	most      int   // cells
	answer    *meter.Spend
	spend     *meter.Spend // of all answers
}

// newGrowth prices a growth by its base.
func newGrowth(r *big.Rat, decay, threshold int64, depth, most int) (*growth, error) {
	base, err := coin.BaseFromRat(r)
	if err != nil {
		return nil, err
	}
	g := &growth{decay: decay, threshold: threshold, depth: depth, most: most}
	if g.noise, err = mechanism.NewLaplaceNoise(base); err != nil {
		return nil, err
	}
	one, err := privacy.LossFromOdds(r, nil)
	if err != nil {
		return nil, err
	}
	all, err := privacy.LossFromOdds(shapeOdds(r, decay, depth), nil)
	if err != nil {
		return nil, err
	}
	g.answer = &meter.Spend{Name: "split of a node", Loss: one, Claim: meter.Claim{Each: 1}}
	g.spend = meter.Proved("shape of a tree", "density/privtree.md", all.Short(),
		meter.Each(one, 0))
	return g, nil
}

// shapeOdds returns e^ε of a shape: with q = 1/r, r for each of the first three levels asked, and
// (1 + q − q^(1+j·decay))/(1 + q − q^(j·decay)) for each further level, j = 1, 2, … Long numbers
// are rounded up; each factor rises with the power of q in it.
func shapeOdds(r *big.Rat, decay int64, depth int) *big.Rat {
	odds := big.NewRat(1, 1)
	for range min(depth, 3) {
		odds.Mul(odds, r)
	}
	q := new(big.Rat).Inv(r)
	sum, rest := new(big.Rat).Add(oneRat, q), new(big.Rat).Sub(oneRat, q)
	step := powerUp(q, decay)
	for power, level := step, 3; level < depth; level++ {
		more := new(big.Rat).Quo(new(big.Rat).Mul(rest, power), new(big.Rat).Sub(sum, power))
		odds = shortUp(odds.Mul(odds, more.Add(more, oneRat)))
		power = shortUp(new(big.Rat).Mul(power, step))
	}
	return odds
}

var oneRat = big.NewRat(1, 1) // never written to

// powerUp returns an upper bound on q^n, for 0 < q < 1 and n ≥ 1, which is exact where its numbers
// are short.
func powerUp(q *big.Rat, n int64) *big.Rat {
	power := big.NewRat(1, 1)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			power = shortUp(power.Mul(power, q))
		}
		q = shortUp(new(big.Rat).Mul(q, q))
	}
	return power
}

// shortUp returns x where its numbers have at most 512 bits, otherwise x rounded up to a multiple
// of 2^-256.
func shortUp(x *big.Rat) *big.Rat {
	if max(x.Num().BitLen(), x.Denom().BitLen()) <= 512 {
		return x
	}
	up := new(big.Int).Lsh(x.Num(), 256)
	up.Add(up, x.Denom()).Sub(up, oneInt).Quo(up, x.Denom())
	return new(big.Rat).SetFrac(up, new(big.Int).Lsh(oneInt, 256))
}

// suited returns a base whose price is just below epsilon, and its decay: 0.3 of the noise's scale,
// with which about depth/2·decay + 6·scale, what a cell may hold, is within a tenth of its smallest
// for 20 to 60 levels. Floats look for the base, from one that is always paid for, and the price
// decides.
func suited(epsilon privacy.Epsilon, depth int) (r *big.Rat, decay int64) {
	most := privacy.ExpDown(epsilon.Rat())
	low, high := epsilon.Float64()/8, epsilon.Float64()/float64(min(depth, 3)) // ln r
	for log := low; r == nil || high-low > low/(1<<12); log = (low + high) / 2 {
		base := new(big.Rat).SetFloat64(math.Expm1(log))
		base.Add(base, oneRat)
		d := int64(math.Ceil(0.3 / log))
		if shapeOdds(base, d, depth).Cmp(most) > 0 {
			high = log
			continue
		}
		low, r, decay = log, base, d
	}
	return r, decay
}

// above returns by how much the biased count of a node exceeds the threshold: at least −decay.
func (g *growth) above(v node) int64 {
	return max(-g.decay, int64(v.to-v.from)-g.threshold-int64(v.depth)*g.decay)
}

// splits decides, with noise, whether a node is split.
func (g *growth) splits(src coin.Source, v node) bool {
	above := g.above(v)
	split, _ := meter.Draw(src, g.answer,
		func() meter.Input { return meter.Input{Values: []int64{above}} },
		func(src coin.Source) (bool, error) {
			return src.Bernoulli(g.noise.AtLeast(1 - above)), nil
		})
	return split
}

// cells returns the bounds of the leaves of a tree over codes below size, level by level. Once
// there are as many as allowed, no further node is asked.
func (g *growth) cells(src coin.Source, codes domain.Sorted, size *big.Int,
	step coin.Step) ([]*big.Int, error) {
	src = meter.Within(src, g.spend)
	d := &dyadic{codes: codes}
	leaves := []node{d.root()}
	for depth := range g.depth {
		var finer []node
		for i, v := range leaves {
			if step != nil && i%4096 == 0 {
				if err := step(0, 1); err != nil {
					return nil, err
				}
			}
			if v.depth < depth || len(finer)+len(leaves)-i >= g.most || !g.splits(src, v) {
				finer = append(finer, v)
				continue
			}
			left, right := d.children(v)
			if finer = append(finer, left); right.first.Cmp(size) < 0 {
				finer = append(finer, right)
			}
		}
		leaves = finer
	}
	bounds := make([]*big.Int, len(leaves), len(leaves)+1)
	for i, v := range leaves {
		bounds[i] = v.first
	}
	return append(bounds, size), nil
}

// large returns the largest number of nodes that may be asked, for n persons, whose biased count is
// above the least one: at any depth no more than there are nodes, nor than can have that many
// persons. Proof: privtree.md, Lemma 2.
func (g *growth) large(n int64) (nodes int64) {
	for depth := range g.depth {
		at := int64(1) << min(depth, 40)
		if least := g.threshold + int64(depth-1)*g.decay + 1; least > 0 {
			at = min(at, n/least)
		}
		nodes += at
	}
	return nodes
}

// grows returns a number of cells that a tree over n persons exceeds with a chance of at most beta.
// Proof: privtree.md, Lemma 3.
func (g *growth) grows(n int64, beta float64) float64 {
	large, log := float64(g.large(n)), g.noise.Log()
	p := math.Exp(-log*float64(g.decay+1)) / (1 + math.Exp(-log))
	most, best := 1/(4*p*(1-p)), math.Inf(1)
	for i := 1; i < 200; i++ {
		z := 1 + (most-1)*float64(i)/200
		mean := (1 - math.Sqrt(1-z/most)) / (2 * p * z)
		best = min(best, ((large+1)*math.Log(mean)-math.Log(beta))/math.Log(z))
	}
	return large + math.Ceil(best) + 1
}

// holds returns a number of persons, of n, that some node that was asked and not split exceeds with
// a chance of at most beta. Proof: privtree.md, Lemma 4.
func (g *growth) holds(n int64, beta float64) float64 {
	noise := math.Ceil(math.Log(float64(g.large(n))/beta) / g.noise.Log())
	return float64(g.threshold+int64(g.depth-1)*g.decay) + noise
}
