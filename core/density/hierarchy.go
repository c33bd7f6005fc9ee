package density

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/mechanism"
	"hush/core/phrase"
	"hush/core/privacy"
)

// HierarchyParams are the parameters of Hierarchy.
type HierarchyParams struct {
	// Epsilon is the privacy loss granted for one replaced person.
	Epsilon privacy.Epsilon

	// Size is the number of values of the domain. Required.
	Size *big.Int

	// Persons is n, the public number of persons with or without a value. From 1 to 2^40; required.
	Persons uint64

	// Cells is into how many cells, as equal as they can be, the domain is cut; 0 stands for one
	// for each value of at most 2^20, else for 2^16. At most 2^20.
	Cells int

	// Levels is the depth of the tree, from 1 to 20; 0 stands for that with the least noise in a
	// sum.
	Levels int

	// Beta is the probability with which the bands may miss; 0 stands for 0.05.
	Beta float64
}

// Hierarchy counts persons in the nodes of a tree over equal cells, with noise, makes the counts
// consistent by least squares, and removes what noise alone may have made (a taut string): the best
// method for a domain that is not large.
//
// # Guarantee
//
// Pure ε-DP for neighbours that differ in one replaced person, n public: on each level the person
// leaves one node and joins another, so that noise has scale 2·levels/ε. Proof: hierarchy.md.
//
// # Input and output
//
// As [MERR].
//
// # Errors
//
// [*param.Error] (epsilon, size, persons, cells, levels, beta) from the constructor, (codes) from
// Release; else what step returns.
//
// # Cost and accuracy
//
// One draw for each node: at most a little more than two for each cell. A sum of neighbouring cells
// from the first on has at most the variance of levels·fan-out/4 nodes' noises, less where the data
// have stretches that are empty or even: doc.go has errors. All after the draws takes time linear
// in the nodes.
//
// # Reference
//
// Hay, Rastogi, Miklau, Suciu, "Boosting the Accuracy of Differentially Private Histograms Through
// Consistency", 2010; Qardaji, Yang, Li, "Understanding Hierarchical Methods for Differentially
// Private Histograms", 2013 (fan-out). Differs: persons without a value are a cell, so that the
// root is public; sums are made to rise from the root down; the taut string.
type Hierarchy struct {
	bounds  []*big.Int
	bits    int
	persons int64
	beta    float64
	levels  int
	fanout  int
	counts  *mechanism.Laplace
}

var _ Everywhere = (*Hierarchy)(nil)

// manyCells is the number of cells of a domain that has too many values for one cell each.
const manyCells = 1 << 16

// NewHierarchy checks the parameters and shapes the tree.
func NewHierarchy(p HierarchyParams) (*Hierarchy, error) {
	if err := checkCommon(p.Epsilon, p.Size, p.Persons, p.Beta); err != nil {
		return nil, err
	}
	if p.Cells < 0 || p.Cells > mostCells { // H: hierarchy.md cells
		return nil, refuse("cells", fmt.Sprint(p.Cells), "0 to 2^20")
	}
	if p.Levels < 0 || p.Levels > 20 { // H: hierarchy.md levels
		return nil, refuse("levels", fmt.Sprint(p.Levels), "0 to 20")
	}
	if p.Cells == 0 {
		p.Cells = manyCells
		if p.Size.Cmp(big.NewInt(mostCells)) <= 0 {
			p.Cells = mostCells
		}
	}
	h := &Hierarchy{bounds: equalCells(p.Size, p.Cells), bits: bitsOf(p.Size),
		persons: int64(p.Persons), beta: betaOr(p.Beta), levels: p.Levels}
	return h, h.plant(p.Epsilon)
}

// plant shapes the tree over the cells, choosing the depth with the least noise in a sum unless the
// depth is given, and makes its noise.
func (h *Hierarchy) plant(epsilon privacy.Epsilon) error {
	if h.levels > 0 {
		return h.plantLevels(epsilon)
	}
	var best Hierarchy
	for h.levels = 1; h.fanout != 2; h.levels++ { // deeper trees of two children have more noise
		if err := h.plantLevels(epsilon); err != nil {
			return err
		}
		if best.levels == 0 || h.noise() < best.noise() {
			best = *h
		}
	}
	*h = best
	return nil
}

// noise returns the largest standard deviation of a sum of neighbouring leaves.
func (h *Hierarchy) noise() float64 {
	return h.counts.StdDev() * math.Sqrt(noises(h.levels, h.fanout))
}

// plantLevels is plant for a tree of the given depth.
func (h *Hierarchy) plantLevels(epsilon privacy.Epsilon) (err error) {
	h.fanout = fanout(len(h.bounds), h.levels) // leaves are the cells, and those without a value
	h.counts, err = mechanism.NewLaplace(
		mechanism.LaplaceParams{Epsilon: epsilon, L1Sensitivity: uint64(2 * h.levels),
			LargestMove: 1})
	return err
}

// fanout returns the smallest f ≥ 2 with f^levels ≥ leaves.
func fanout(leaves, levels int) int {
	f := max(int(math.Pow(float64(leaves), 1/float64(levels)))-1, 2)
	for power(f, levels) < leaves {
		f++
	}
	return f
}

func power(f, levels int) int {
	p := 1
	for range levels {
		p *= f
	}
	return p
}

// noises bounds the variance of a sum of neighbouring leaves from the first on, as a number of
// noises: hierarchy.md, Theorem 2.
func noises(levels, fanout int) float64 {
	half := fanout / 2
	return float64(levels) * float64(half) * float64(fanout-half) / float64(fanout)
}

// Name is "hierarchical histogram".
func (h *Hierarchy) Name() phrase.Phrase { return phrase.Of("hierarchical histogram") }

// Loss is ε for d = 1, and group privacy beyond.
func (h *Hierarchy) Loss(d privacy.Distance) (privacy.Loss, error) { return h.counts.Loss(d) }

// ErrorBound returns a number of persons by which, with probability 1 − Beta, the middle of the
// bands is off at no bound of a cell: from the law of the largest error where it is known
// (treeSups; Beta of 0.05 or more), otherwise from a bound for each of the cells. Proof:
// hierarchy.md, Theorems 2 and 5.
func (h *Hierarchy) ErrorBound() float64 {
	bound := h.unionBound()
	sup, known := treeSups[treeShape{h.levels, h.fanout}]
	if !known || h.beta < 0.05 {
		return bound
	}
	return min(bound, sup/h.counts.Noise().Log())
}

// AnywhereByUnion returns ErrorAnywhere from a union bound over all bounds of cells, as where no
// law is known: for comparison with algorithms that have none.
func (h *Hierarchy) AnywhereByUnion() float64 { return h.anywhere(h.withinByUnion()) }

func (h *Hierarchy) withinByUnion() float64 { return h.unionBound() + h.leeway() }

// unionBound returns ErrorBound from a union bound over all bounds of cells.
func (h *Hierarchy) unionBound() float64 {
	return h.counts.Noise().
		WeightedBound(noises(h.levels, h.fanout), h.beta/float64(len(h.bounds)-1))
}

// leeway returns the number of persons by which the distribution may differ from the middle of the
// bands.
func (h *Hierarchy) leeway() float64 { return h.unionBound() / 4 }

// Forecast returns what is known beforehand.
func (h *Hierarchy) Forecast() Forecast {
	return Forecast{Cells: len(h.bounds) - 1, Within: h.within(), Anywhere: h.ErrorAnywhere(),
		Typical: typicalTree(h.withinByUnion(), float64(h.persons)) +
			typicalBetween(h.bounds, float64(h.persons))}
}

// within returns the bound of Forecast.
func (h *Hierarchy) within() float64 { return h.ErrorBound() + h.leeway() }

// singleValues reports whether each of the cells between bounds is one value.
func singleValues(bounds []*big.Int) bool {
	cells := len(bounds) - 1
	return bounds[cells].Cmp(big.NewInt(int64(cells))) <= 0
}

// Persons returns n.
func (h *Hierarchy) Persons() int64 { return h.persons }

// ErrorAnywhere returns the bound of Forecast where each cell is one value, otherwise all persons.
func (h *Hierarchy) ErrorAnywhere() float64 { return h.anywhere(h.within()) }

// anywhere returns the error of a count of any value where a count at the bound of a cell is off by
// within.
func (h *Hierarchy) anywhere(within float64) float64 {
	n := float64(h.persons)
	if !singleValues(h.bounds) {
		return n
	}
	return min(n, within)
}

// Sums are the persons in a tree's cells up to each one.
type Sums struct {
	// About are estimates, and rise. With probability 1 − Beta the true numbers are from Low to
	// High, all at once: hierarchy.md, Theorem 2.
	About, Low, High []float64
}

// Count returns the noisy counts of all nodes, from the leaves up, and last n, from the number of
// persons in each cell; all others of n have no value. It refuses numbers (cells) that are not one
// for each cell.
func (h *Hierarchy) Count(src coin.Source, cells []int64, step coin.Step) ([][]float64, error) {
	if len(cells) != len(h.bounds)-1 { // H: merr.md whole-counts
		return nil, refuse("cells", fmt.Sprint(len(cells)), "%d of them", len(h.bounds)-1)
	}
	rest := h.persons
	for _, count := range cells {
		rest -= count
	}
	return h.measure(src, append(slices.Clone(cells), rest), step)
}

// Sums makes the noisy counts of [Hierarchy.Count] consistent. Unlike Release it removes nothing
// that noise alone may have made.
func (h *Hierarchy) Sums(noisy [][]float64) *Sums {
	best, root := upwards(noisy, h.fanout), noisy[h.levels]
	_, centre := h.middle(best, root)
	band := newBand(h.bounds[1:], centre, h.ErrorBound(), float64(h.persons))
	return &Sums{h.repaired(best, root)[:len(centre)], band.low, band.high}
}

// middle returns the leaves by least squares, and the middle of the bands.
func (h *Hierarchy) middle(best [][]float64, root []float64) (counts, centre []float64) {
	counts = downwards(best, root, h.fanout, nil)
	return counts, rising(runningSums(counts)[:len(h.bounds)-1])
}

// repaired returns the sums of leaves, made to rise from the root down.
func (h *Hierarchy) repaired(best [][]float64, root []float64) []float64 {
	return runningSums(downwards(best, root, h.fanout, risingWithin(h.fanout)))
}

// Release learns the distribution.
func (h *Hierarchy) Release(src coin.Source, codes domain.Sorted,
	step coin.Step) (*Distribution, error) {
	if err := checkCodes(codes, h.bits); err != nil {
		return nil, err
	}
	noisy, err := h.measure(src, cellCounts(h.bounds, codes, h.persons), step)
	if err != nil {
		return nil, err
	}
	best, root := upwards(noisy, h.fanout), noisy[h.levels]
	counts, centre := h.middle(best, root)
	k := len(h.bounds) - 1

	estimate := rising(calmed(h.repaired(best, root), counts, h.counts.StdDev())[:k])
	leeway := h.leeway()
	for i, c := range centre {
		estimate[i] = min(max(estimate[i], c-leeway), c+leeway)
	}
	n := float64(h.persons)
	d := fromSums(h.bounds, estimate, n, h.Name())
	d.band = newBand(h.bounds[1:], centre, h.ErrorBound(), n)
	return d, nil
}

func runningSums(list []float64) []float64 {
	sums, sum := make([]float64, len(list)), 0.0
	for i, x := range list {
		sum += x
		sums[i] = sum
	}
	return sums
}

// measure returns the noisy counts of all nodes over these leaves, from the leaves up, and last n.
func (h *Hierarchy) measure(src coin.Source, leaves []int64,
	step coin.Step) ([][]float64, error) {
	exact := make([]int64, power(h.fanout, h.levels))
	copy(exact, leaves)
	var all []int64 // of all levels, as the noise is paid for
	for range h.levels {
		all = append(all, exact...)
		exact = sumsOf(exact, h.fanout)
	}
	counts, err := h.counts.Release(src, all, step)
	if err != nil {
		return nil, err
	}
	noisy := make([][]float64, h.levels+1) // from the leaves up
	for level, size := 0, power(h.fanout, h.levels); level < h.levels; level, size =
		level+1, size/h.fanout {
		noisy[level] = make([]float64, size)
		for i, c := range counts[:size] {
			noisy[level][i] = float64(c)
		}
		counts = counts[size:]
	}
	noisy[h.levels] = []float64{float64(h.persons)}
	return noisy, nil
}

func sumsOf[T int64 | float64](list []T, by int) []T {
	sums := make([]T, len(list)/by)
	for i, x := range list {
		sums[i/by] += x
	}
	return sums
}

// upwards returns the levels below the root, each node the best estimate from the counts at and
// below it.
func upwards(noisy [][]float64, fanout int) [][]float64 {
	f := float64(fanout)
	best := [][]float64{noisy[0]}
	for level := 1; level < len(noisy)-1; level++ {
		whole, part := math.Pow(f, float64(level+1)), math.Pow(f, float64(level))
		below := sumsOf(best[level-1], fanout)
		for i, own := range noisy[level] {
			below[i] = ((whole-part)*own + (part-1)*below[i]) / (whole - 1)
		}
		best = append(best, below)
	}
	return best
}

// downwards returns leaves that add up: from the root on, the children of a node share evenly what
// it has more than they have, and are then repaired, unless that is nil.
func downwards(best [][]float64, root []float64, fanout int,
	repair func(children []float64, all float64)) []float64 {
	final := root
	for level := len(best) - 1; level >= 0; level-- {
		sums := sumsOf(best[level], fanout)
		finer := slices.Clone(best[level])
		for i := range finer {
			finer[i] += (final[i/fanout] - sums[i/fanout]) / float64(fanout)
		}
		if repair != nil {
			for i, all := range final {
				repair(finer[i*fanout:(i+1)*fanout], all)
			}
		}
		final = finer
	}
	return final
}

// risingWithin makes the running sums of a node's children rise from 0 to the node's count:
// isotonic regression, with more weight on sums with less noise.
func risingWithin(fanout int) func(children []float64, all float64) {
	weights := make([]float64, fanout-1)
	for i := range weights {
		weights[i] = 1 / (float64(i+1) * float64(fanout-i-1))
	}
	return func(children []float64, all float64) {
		upTo, before := runningSums(children[:len(weights)]), 0.0
		for i, u := range append(weightedRising(upTo, weights), all) {
			u = min(max(u, 0), all)
			children[i], before = u-before, u
		}
	}
}
