package basic

import (
	"fmt"
	"math/big"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
)

// The values of the audits' spaces are spread over a domain of spreadSize codes, so that gaps count
// too; the last value lies beyond the domain and counts as its last code.
var spread = [...]int{0, 2, 3, 9}

const spreadSize = 5

func spreadOut(rows []int) column {
	c := make(column, len(rows))
	for i, v := range rows {
		c[i] = v
		if v != audit.None {
			c[i] = spread[v]
		}
	}
	return c
}

// released is up to five codes.
type released [5]uint64

func asReleased(codes []uint64) (r released) {
	copy(r[:], codes)
	return r
}

// quantileLaw is the law of Release itself. It is for splits whose groups are single points, so
// that no round is repeated.
func quantileLaw(q *Quantiles) func([]int) (*coin.Law[released], error) {
	return run(coin.Limits{}, func(src coin.Source, rows []int) (released, error) {
		codes, err := q.Release(src, spreadOut(shuffled(rows)), nil)
		return asReleased(codes), err
	})
}

// definition is the algorithm written down as quantiles.md says it, point by point, with rational
// masses. Its fields change one thing each, for the twins.
type definition struct {
	size    int
	parts   int64
	targets []*big.Rat
	r       coin.Base // of every split

	clamp      bool // the domain's ends from the data
	candidates bool // only codes that occur
	// what the score is multiplied with, from the private mass of the part
	scale func(mass *big.Rat) *big.Rat
	// the left part's mass is released in place of the last code
	release bool
}

// person is the mass a person with that code has on each point: 1/parts on the run of the code.
func (d definition) massBefore(codes []uint64, lo, z int64) *big.Rat {
	sum := new(big.Rat)
	for _, code := range codes {
		start := int64(code) * d.parts
		if n := min(z, start+d.parts) - max(lo, start); n > 0 {
			sum.Add(sum, big.NewRat(n, d.parts))
		}
	}
	return sum
}

func (d definition) law(rows []int) (*coin.Law[released], error) {
	var codes []uint64
	first, last := uint64(0), uint64(d.size-1)
	for _, v := range spreadOut(rows) {
		if v >= 0 {
			codes = append(codes, min(uint64(v), last))
		}
	}
	if d.clamp && len(codes) > 0 {
		first, last = last, 0
		for _, c := range codes {
			first, last = min(first, c), max(last, c)
		}
	}
	type state struct {
		out  released
		mass [3]string // the twin that releases the left part's mass
	}
	law := coin.NewLaw[state]()
	law.Add(state{}, big.NewRat(1, 1))
	whole := [2]int64{int64(first) * d.parts, int64(last+1) * d.parts}
	var walk func(law *coin.Law[state], i, j int, lo, hi *big.Rat,
		bounds func(state) [2]int64) *coin.Law[state]
	// Splits are kept as points in out until the end, so that parts can be found from them.
	walk = func(law *coin.Law[state], i, j int, lo, hi *big.Rat,
		bounds func(state) [2]int64) *coin.Law[state] {
		if i == j {
			return law
		}
		middle := i + (j-i)/2
		place := new(big.Rat).Quo(new(big.Rat).Sub(d.targets[middle], lo), new(big.Rat).Sub(hi, lo))
		next := must(coin.Then(law, func(s state) (*coin.Law[state], error) {
			b := bounds(s)
			one := coin.NewLaw[state]()
			if b[0] >= b[1] {
				s.out[middle] = uint64(b[0])
				one.Add(s, big.NewRat(1, 1))
				return one, nil
			}
			mass := d.massBefore(codes, b[0], b[1])
			weights, total := map[state]*big.Rat{}, new(big.Rat)
			for z := b[0]; z < b[1]; z++ {
				if d.candidates && d.massBefore(codes, z, z+1).Sign() == 0 && mass.Sign() > 0 {
					continue
				}
				score := d.massBefore(codes, b[0], z)
				score.Sub(score, new(big.Rat).Mul(place, mass)).Abs(score)
				score.Mul(score, new(big.Rat).SetInt64(d.parts)).
					Mul(score, new(big.Rat).SetInt(place.Denom()))
				if d.scale != nil {
					score.Mul(score, d.scale(mass))
				}
				if !score.IsInt() {
					return nil, fmt.Errorf("score %v", score)
				}
				weight := new(big.Rat).Inv(d.r.Pow(score.Num().Uint64()).Rat())
				to := s
				to.out[middle] = uint64(z)
				if d.release {
					to.mass[middle] = d.massBefore(codes, b[0], z).RatString()
				}
				weights[to] = weight
				total.Add(total, weight)
			}
			for to, weight := range weights {
				one.Add(to, weight.Quo(weight, total))
			}
			return one, nil
		}))
		next = walk(next, i, middle, lo, d.targets[middle], func(s state) [2]int64 {
			return [2]int64{bounds(s)[0], int64(s.out[middle])}
		})
		return walk(next, middle+1, j, d.targets[middle], hi, func(s state) [2]int64 {
			return [2]int64{int64(s.out[middle]), bounds(s)[1]}
		})
	}
	law = walk(law, 0, len(d.targets), new(big.Rat), big.NewRat(1, 1), func(state) [2]int64 {
		return whole
	})
	return coin.Then(law, func(s state) (*coin.Law[released], error) {
		one := coin.NewLaw[released]()
		for i := range d.targets {
			s.out[i] /= uint64(d.parts)
		}
		if d.release {
			var num, den int64 = 0, 1
			fmt.Sscanf(s.mass[len(d.targets)/2], "%d/%d", &num, &den)
			s.out[len(d.targets)/2] += 1000 * uint64(num*4/den)
		}
		one.Add(s.out, big.NewRat(1, 1))
		return one, nil
	})
}

func newQuantiles(r coin.Base, parts int64, targets ...string) *Quantiles {
	return must(
		NewQuantiles(
			QuantilesParams{Base: r, Size: big.NewInt(spreadSize), Targets: rats(targets...),
				People: 3, Parts: parts}))
}

func (q *Quantiles) definition(targets ...string) definition {
	return definition{size: spreadSize, parts: q.parts, targets: rats(targets...), r: q.root.base}
}

var quantileCases = []struct {
	name    string
	parts   int64
	targets []string
	space   audit.Space
}{
	{"median", 1, []string{"1/2"}, audit.Space{Persons: 4, Values: 4}},
	{"median, persons divided", 2, []string{"1/2"}, audit.Space{Persons: 4, Values: 4}},
	{"upper decile", 2, []string{"9/10"}, audit.Space{Persons: 3, Values: 4}},
	{"quartiles", 1, []string{"1/4", "1/2", "3/4"}, audit.Space{Persons: 4, Values: 4}},
	{"quartiles, persons divided", 2, []string{"1/4", "1/2", "3/4"},
		audit.Space{Persons: 3, Values: 3}},
	{"two uneven targets", 1, []string{"1/5", "1/2"}, audit.Space{Persons: 4, Values: 4}},
}

func TestAuditQuantiles(t *testing.T) {
	for _, c := range quantileCases {
		q := newQuantiles(base(3, 2), c.parts, c.targets...)
		audittest.Holds(
			t, audit.Audit[released]{Name: "quantiles, " + c.name + ", base 3/2", Space: c.space,
				Claim: claimOf(q.Loss(1)), Law: quantileLaw(q)})
	}
}

// TestAuditQuantilesByDefinition compares the law of the release with the definition, point by
// point.
func TestAuditQuantilesByDefinition(t *testing.T) {
	for _, c := range quantileCases {
		q := newQuantiles(base(3, 2), c.parts, c.targets...)
		sameLaw(t, c.space, quantileLaw(q), q.definition(c.targets...).law)
	}
}

// TestAuditQuantilesRepeatedRounds compares the law of splits whose groups hold several points,
// where rounds are repeated, with the definition: each split's law is that of its rounds until one
// is accepted.
func TestAuditQuantilesRepeatedRounds(t *testing.T) {
	for _, c := range []struct {
		parts int64
		r     coin.Base
	}{{3, base(2, 1)}, {4, base(5, 4)}, {8, base(33, 32)}} {
		q := newQuantiles(c.r, c.parts, "1/4", "1/2")
		repeated := 0
		sameLaw(t, audit.Space{Persons: 3, Values: 4},
			func(rows []int) (*coin.Law[released], error) {
				return q.roundsLaw(rows, &repeated)
			}, q.definition("1/4", "1/2").law)
		if repeated == 0 {
			t.Errorf("%d parts, base %v: no round is ever repeated, so this shows nothing", c.parts,
				c.r)
		}
	}
}

// roundsLaw is the law of two targets by the laws of single rounds.
func (q *Quantiles) roundsLaw(rows []int, repeated *int) (*coin.Law[released], error) {
	sets, err := gather(spreadOut(rows), nil, 1, spreadSize-1, nil)
	if err != nil {
		return nil, err
	}
	s := splitter{line: sets[0], parts: q.parts}
	type point struct {
		piece  int
		offset int64
	}
	type try struct {
		at   point
		kept bool
	}
	drawn := func(n *node, lo, hi cut) (*coin.Law[point], error) {
		round, err := coin.Enumerate(coin.Limits{}, func(src coin.Source) (try, error) {
			z, kept, err := s.candidates(n, lo, hi).round(src, nil)
			if err != nil || !kept {
				*repeated++
				return try{}, err
			}
			return try{point{z.piece, z.offset.Int64()}, true}, nil
		})
		if err != nil {
			return nil, err
		}
		return coin.Until(round, func(x try) (point, bool) { return x.at, x.kept }), nil
	}
	lo, hi := cut{offset: new(big.Int)}, s.end()
	first, err := drawn(q.root, lo, hi)
	if err != nil {
		return nil, err
	}
	return coin.Then(first, func(p point) (*coin.Law[released], error) {
		z := cut{p.piece, big.NewInt(p.offset)}
		upper := s.code(z).Uint64()
		if s.empty(lo, z) {
			one := coin.NewLaw[released]()
			one.Add(released{s.code(lo).Uint64(), upper}, big.NewRat(1, 1))
			return one, nil
		}
		second, err := drawn(q.root.left, lo, z)
		if err != nil {
			return nil, err
		}
		return coin.Then(second, func(p point) (*coin.Law[released], error) {
			one := coin.NewLaw[released]()
			one.Add(released{s.code(cut{p.piece, big.NewInt(p.offset)}).Uint64(), upper},
				big.NewRat(1, 1))
			return one, nil
		})
	})
}

// TestAuditQuantilesByGroup audits two groups: a value v is the group v mod 2 and the code
// spread[v/2].
func TestAuditQuantilesByGroup(t *testing.T) {
	q := must(NewQuantiles(
		QuantilesParams{Base: base(5, 4), Size: big.NewInt(3), Targets: rats("1/4", "1/2"),
			People: 2, Parts: 1, ByGroup: true}))
	type pair [2]released
	audittest.Holds(t, audit.Audit[pair]{
		Name: "quantiles by group, base 5/4", Space: audit.Space{Persons: 2, Values: 6},
		Claim: claimOf(q.Loss(1)),
		Law: run(coin.Limits{}, func(src coin.Source, rows []int) (pair, error) {
			codes, groups := byGroup(rows)
			all, err := q.ReleaseByGroup(src, codes, groups, 2, nil)
			if err != nil {
				return pair{}, err
			}
			return pair{asReleased(all[0]), asReleased(all[1])}, nil
		}),
	})
}

// byGroup splits a value into a code and a group, 0 or 1.
func byGroup(rows []int) (codes, groups column) {
	for _, v := range rows {
		if v == audit.None {
			codes, groups = append(codes, -1), append(groups, 0)
			continue
		}
		codes, groups = append(codes, v/2), append(groups, v%2)
	}
	return codes, groups
}

func TestPlantedQuantiles(t *testing.T) {
	r := base(5, 4)
	quartiles := []string{"1/4", "1/2", "3/4"}
	claim := claimOf(newQuantiles(r, 1, quartiles...).Loss(1))
	median := claimOf(newQuantiles(r, 1, "1/2").Loss(1))
	caught := func(name string, space audit.Space, claim audit.Claim, d definition) {
		t.Helper()
		audittest.Caught(
			t, audit.Audit[released]{Name: "quantiles " + name, Space: space, Claim: claim,
				Law: d.law})
	}
	d := newQuantiles(r, 1, quartiles...).definition(quartiles...)
	space := audit.Space{Persons: 3, Values: 4}

	twin := d
	twin.clamp = true
	caught("of the values between the data's own ends", space, claim, twin)
	twin = d
	twin.candidates = true
	caught("among the codes that occur", space, claim, twin)
	twin = d
	twin.release = true
	caught("that take a part's size for public and release it", space, claim, twin)
	twin = d
	twin.scale = func(mass *big.Rat) *big.Rat { // as if 12/|D| were a public factor
		if mass.Sign() == 0 {
			return new(big.Rat)
		}
		return new(big.Rat).Quo(big.NewRat(12, 1), mass)
	}
	caught("that take a part's size for public and score shares", space, claim, twin)
	twin = d
	twin.r = r.Pow(2)
	caught("with half the noise", space, claim, twin)

	one := newQuantiles(r, 1, "1/2").definition("1/2")
	one.r = r.Pow(2)
	caught("with a median's half noise", audit.Space{Persons: 4, Values: 4}, median, one)
	// 9/10 as if a person moved scores by a half only, as at the median.
	decile := newQuantiles(r, 1, "9/10").definition("9/10")
	caught("of an upper decile with a median's sensitivity", space, median, decile)
	// Two levels for the price of one.
	large := base(3, 2)
	caught("with a budget that forgets the levels", audit.Space{Persons: 4, Values: 4},
		claimOf(newQuantiles(large, 1, "1/2").Loss(1)),
		newQuantiles(large, 1, "1/4", "1/2").definition("1/4", "1/2"))
}
