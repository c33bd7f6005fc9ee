package classify

import (
	"math"
	"math/big"
	"slices"
)

// sides holds the persons of a sample as rows z of a linear program, on which weights w are right
// where z·w > 0: for those who say yes, z is their codes above the least of the sample, then 1; for
// those who say no, its negative.
type sides struct {
	rows      []side
	low, high []uint64 // of the codes in the sample
	torn      bool     // some point has both labels, so that no weights do well on all rows
}

type side struct {
	point   Point
	yes     bool
	persons int64
}

func newSides(sample []Votes, columns int) *sides {
	s := &sides{low: make([]uint64, columns), high: make([]uint64, columns)}
	for i, v := range sample {
		for j, code := range v.Point {
			if i == 0 {
				s.low[j], s.high[j] = code, code
			}
			s.low[j], s.high[j] = min(s.low[j], code), max(s.high[j], code)
		}
		s.torn = s.torn || v.Yes > 0 && v.No > 0
		if v.Yes > 0 {
			s.rows = append(s.rows, side{v.Point, true, v.Yes})
		}
		if v.No > 0 {
			s.rows = append(s.rows, side{v.Point, false, v.No})
		}
	}
	return s
}

// kinks returns the rows with codes from −1 to 1, each person at the given cost.
func (s *sides) kinks(yes, no float64) []kink {
	kinks := make([]kink, len(s.rows))
	for i, r := range s.rows {
		z, sign, cost := make([]float64, len(s.low)+1), 1.0, yes
		if !r.yes {
			sign, cost = -1, no
		}
		for j, code := range r.point {
			if span := s.high[j] - s.low[j]; span > 0 {
				z[j] = sign * (2*float64(code-s.low[j])/float64(span) - 1)
			}
		}
		z[len(s.low)] = sign
		kinks[i] = kink{z: z, cost: cost * float64(r.persons)}
	}
	return kinks
}

// weights turns the weights of kinks() into weights of codes in whole numbers, the largest with 120
// bits.
func (s *sides) weights(w []float64) []*big.Int {
	whole, most := zeros(len(s.low)), math.MinInt
	parts := make([]float64, len(s.low))
	for j := range parts {
		if span := s.high[j] - s.low[j]; span > 0 && w[j] != 0 {
			parts[j] = w[j] / float64(span)
			_, exponent := math.Frexp(parts[j])
			most = max(most, exponent)
		}
	}
	for j, part := range parts {
		if part == 0 {
			continue
		}
		mantissa, exponent := math.Frexp(part)
		whole[j].SetInt64(int64(mantissa * (1 << 53)))
		if shift := exponent - most + 120 - 53; shift >= 0 {
			whole[j].Lsh(whole[j], uint(shift))
		} else {
			whole[j].Rsh(whole[j], uint(-shift))
		}
	}
	return whole
}

// dot puts z·w into sum.
func (s *sides) dot(i int, w []*big.Int, sum, term *big.Int) *big.Int {
	r := s.rows[i]
	sum.Set(w[len(s.low)])
	for j, code := range r.point {
		if code > s.low[j] {
			sum.Add(sum, term.Mul(w[j], term.SetUint64(code-s.low[j])))
		}
	}
	if !r.yes {
		sum.Neg(sum)
	}
	return sum
}

// separate finds weights of codes with z·w ≥ 1 for all rows, times some number, or nil where there
// are none: exactly. It is the dual simplex method in whole numbers; at a corner as many rows as
// there are weights have z·w = 1. The first row in order that has less enters their set, in place
// of the first that this lets grow (Bland), so that no set returns. Proof: halfspaces.md, Lemma 1.
func (s *sides) separate(order []int, p *pace) []*big.Int {
	d := len(s.low) + 1
	// The corner's rows, by their place in order; at first they are the axes, −1, of which w = 0.
	// Columns are the inverse of the matrix of these rows, times scale.
	corner, columns, scale := make([]int, d), make([][]*big.Int, d), big.NewInt(1)
	for b := range columns {
		corner[b], columns[b] = -1, zeros(d)
		columns[b][b].SetInt64(1)
	}
	sum, term := new(big.Int), new(big.Int)
	for {
		w := zeros(d)
		for b, column := range columns {
			for j := range w {
				if corner[b] >= 0 {
					w[j].Add(w[j], column[j])
				}
			}
		}
		enter := slices.IndexFunc(order, func(i int) bool {
			return !p.on() || s.dot(i, w, sum, term).Cmp(scale) < 0
		})
		if enter < 0 || !p.on() {
			return w[:d-1]
		}
		leave, along := -1, make([]*big.Int, d)
		for b, column := range columns {
			along[b] = new(big.Int).Set(s.dot(order[enter], column, sum, term))
			grows := along[b].Sign() > 0 || corner[b] < 0 && along[b].Sign() < 0
			if grows && (leave < 0 || corner[b] < corner[leave]) {
				leave = b
			}
		}
		if leave < 0 {
			return nil
		}
		corner[leave] = enter
		for b, column := range columns {
			for j := range column {
				if b != leave { // the quotient is whole: entries are minors of the rows' matrix
					column[j].Mul(column[j], along[leave])
					column[j].Sub(column[j], term.Mul(columns[leave][j], along[b]))
					column[j].Quo(column[j], scale)
				}
			}
		}
		if scale = along[leave]; scale.Sign() < 0 {
			scale.Neg(scale)
			for _, column := range columns {
				for _, x := range column {
					x.Neg(x)
				}
			}
		}
	}
}

func zeros(n int) []*big.Int {
	all := make([]*big.Int, n)
	for i := range all {
		all[i] = new(big.Int)
	}
	return all
}
