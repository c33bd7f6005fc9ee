package query

import (
	"math"
	"math/bits"
	"slices"
)

// scale is about the weight of a residual of one cell that takes the entire price: 2·scale² is
// about the price, which fits a uint64, and the weight of one of 2^20 cells still has ten bits.
const scale = 1 << 30

// plan finds weights that nearly minimise the weighted sum of the variances of all cells, and their
// total cost. Floats decide how the loss is divided, by public facts; its cost is computed in whole
// numbers.
func (p *partition) plan(margins []Margin) (*plan, error) {
	wanted, err := p.checkMargins(margins)
	if err != nil {
		return nil, err
	}
	l := &plan{}
	for _, set := range wanted {
		// all subsets but the empty one
		for part := set; part > 0; part = (part - 1) & set {
			if !slices.Contains(l.sets, part) {
				l.sets = append(l.sets, part)
			}
		}
		if !slices.ContainsFunc(wanted, func(other uint64) bool {
			return other != set && set&^other == 0
		}) {
			l.largest = append(l.largest, set)
		}
	}
	slices.SortFunc(l.sets, func(a, b uint64) int {
		if few := bits.OnesCount64(a) - bits.OnesCount64(b); few != 0 {
			return few
		}
		return slices.Compare(Set{a}.Members(), Set{b}.Members())
	})
	values := make([]float64, len(l.sets))
	for i, set := range l.sets {
		for j, margin := range wanted {
			if set&^margin == 0 {
				values[i] += float64(max(margins[j].Weight, 1)) * p.ofCell(Set{set}, Set{margin})
			}
		}
	}
	for i, precision := range p.divide(l.sets, values) {
		weight := scale * math.Sqrt(precision) / p.cellsOf(l.sets[i])
		l.weights = append(l.weights, max(uint64(math.Round(weight)), 1))
	}
	l.price = p.priceOf(l.sets, l.weights)
	return l, nil
}

// ofCell returns the variance of a cell of the table of columns that comes from the residual of
// some of them, per variance of that residual: Π(1 − 1/c) over these, Π 1/c² over the others.
func (p *partition) ofCell(some, columns Set) float64 {
	product := 1.0
	for _, i := range columns.Members() {
		c := float64(p.cells(i))
		if some.Has(i) {
			product *= 1 - 1/c
		} else {
			product /= c * c
		}
	}
	return product
}

// cellsOf returns the number of cells of the table of these columns.
func (p *partition) cellsOf(set uint64) float64 {
	product := 1.0
	for i := range p.columns {
		if set>>i&1 == 1 {
			product *= float64(p.cells(i))
		}
	}
	return product
}

// contrastMoves returns how far, in squared L2, the contrast of the table of some columns moves
// when a person is replaced by one who differs in the given columns: residuals.md, Lemma 2.
func (p *partition) contrastMoves(set, differs uint64) uint64 {
	own, shared := int64(1), int64(1)
	for i := range p.columns {
		if set>>i&1 == 0 {
			continue
		}
		c := int64(p.cells(i))
		own *= c * (c - 1)
		if differs>>i&1 == 1 {
			shared *= -c
		} else {
			shared *= c * (c - 1)
		}
	}
	return uint64(2 * (own - shared))
}

// priceOf returns the largest sum of the squares of all moves times their weights, over the sets of
// columns in which two persons can differ. It fits: a weight of more than 1 times the cells of its
// table is at most about scale, a weight of 1 stands for less than 2^42, and there are at most 385
// sets.
func (p *partition) priceOf(sets, weights []uint64) (price uint64) {
	for differs := uint64(1); differs < 1<<len(p.columns); differs++ {
		sum := uint64(0)
		for i, set := range sets {
			if set&differs != 0 {
				sum += weights[i] * weights[i] * p.contrastMoves(set, differs)
			}
		}
		price = max(price, sum)
	}
	return price
}

// divide finds the precision 1/σ² of each residual, in units of ρ: the least Σ value/precision for
// which no pair of persons costs more than 1. The dual puts a part on each set of columns that may
// differ; the parts are multiplied by the price of their set until no price is above 1.002, which
// bounds how far the sum is from the least, or for 400 rounds.
func (p *partition) divide(sets []uint64, values []float64) []float64 {
	price := make([][]float64, 1<<len(p.columns)-1) // of a precision of 1, by what differs
	for d := range price {
		price[d] = make([]float64, len(sets))
		for i, set := range sets {
			cells := p.cellsOf(set)
			price[d][i] = float64(p.contrastMoves(set, uint64(d)+1)) / (2 * cells * cells)
		}
	}
	parts := make([]float64, len(price))
	for d := range parts {
		parts[d] = 1 / float64(len(parts))
	}
	precision, costs := make([]float64, len(sets)), make([]float64, len(price))
	for range 400 {
		clear(precision)
		for d, part := range parts {
			for i, each := range price[d] {
				precision[i] += float64(part * each)
			}
		}
		sum := 0.0
		for i, mean := range precision {
			precision[i] = math.Sqrt(values[i] / mean)
			sum += math.Sqrt(values[i] * mean)
		}
		most := 0.0
		for d := range price {
			costs[d] = 0
			for i, each := range price[d] {
				costs[d] += float64(precision[i] * each)
			}
			most = max(most, costs[d])
		}
		if most <= 1.002*sum {
			break
		}
		for d := range parts { // the parts keep the sum 1: Σ part·cost is the sum
			parts[d] *= costs[d] / sum
		}
	}
	most := slices.Max(costs)
	for i := range precision {
		precision[i] /= most
	}
	return precision
}
