package basic

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/privacy"
)

// JointExpParams are JointExp's public parameters. Exactly one of Epsilon and Base is given.
type JointExpParams struct {
	// Epsilon is the privacy loss granted for one replaced person.
	Epsilon privacy.Epsilon
	// Base is r itself, in place of Epsilon: a score of one more is r times less likely.
	Base coin.Base
	// Size is the domain's number of values, at least 1.
	Size *big.Int
	// Targets are the parts of the persons that shall lie below, ascending, between 0 and 1. At
	// most 100, with a common denominator of at most 10^6.
	Targets []*big.Rat
	// People is n, public, from 1 to 2^17.
	People int64
	// Chosen is how many of the targets are chosen, evenly among them; the others are put between
	// those by proportion. At most as many as there are, and as 2^24/People allows for its square;
	// 0 stands for as many as Epsilon, People and Size make worth it.
	Chosen int
	// Parts is into how many points a value is divided, to tell apart the persons who share it; 0:
	// chosen by People and Epsilon.
	Parts int64
}

// JointExp releases several quantiles at once by one choice among all ascending lists of values.
//
// # Guarantee
//
// Pure ε-DP for neighbours that replace one person, n public. Each person with a value is put at a
// random point of it, by coins of its own. A list of points has the score Σ|n_i − g_i·w|, n_i being
// the number of persons between point i−1 and point i, g_i the part that shall be there and w the
// number of persons with a value. A replaced person moves it by at most 2. The law of the choice is
// exact. Proof: jointexp.md.
//
// # Input and output
//
// As [Quantiles].
//
// # Errors
//
// [*param.Error] (epsilon, base, size, targets, people, chosen, parts) from the parameters alone;
// step's error when cancelled.
//
// # Cost and accuracy
//
// O(c²n) for c chosen targets: about a second for the largest that it takes. Memory for 2cn
// weights of 16 bytes. RankErrors bounds how many persons the released values are away from the
// targets. Measured, the mean error is half of that of Quantiles and less: see jointexp.md.
//
// # Reference
//
// Gillenwater, Joseph, Kulesza, "Differentially Private Quantiles", 2021 (JointExp). Differs: whole
// scores and exact draws in place of logarithms in floating point; sums over all earlier cells in
// constant time each, in place of a Fourier transform; persons without a value; ties divided by
// random points; where there are too many targets for n, some are chosen and the others follow.
type JointExp struct {
	size    *big.Int
	targets []int64 // over all
	all     int64   // the common denominator of targets
	chosen  []int   // indices of targets
	gaps    []int64 // between chosen targets and the ends, over unit
	unit    int64   // the common denominator of those
	people  int64
	parts   int64
	base    coin.Base
	below   [38]weight // base^(−2^j)
	spend   *meter.Spend
}

const (
	maxJointPeople = 1 << 17
	maxJointWork   = 1 << 24
)

// NewJointExp checks the parameters.
func NewJointExp(p JointExpParams) (*JointExp, error) {
	if p.Size == nil || p.Size.Sign() <= 0 {
		return nil, refuse("size", fmt.Sprint(p.Size), "a domain with at least one value")
	}
	targets, all, err := commonDenominator(p.Targets)
	if err != nil {
		return nil, err
	}
	switch {
	case p.People < 1 || p.People > maxJointPeople:
		return nil, refuse("people", fmt.Sprint(p.People), "from 1 to %d", maxJointPeople)
	case p.Chosen < 0 || p.Chosen > min(len(targets), affordable(p.People)):
		return nil, refuse("chosen", fmt.Sprint(p.Chosen), "0 to %d for so many people",
			min(len(targets), affordable(p.People)))
	case p.Parts < 0 || p.Parts > 1<<32:
		return nil, refuse("parts", fmt.Sprint(p.Parts), "0 to 2^32")
	}
	if err := oneOf(p.Epsilon, p.Base); err != nil {
		return nil, err
	}
	q := &JointExp{size: new(big.Int).Set(p.Size), targets: targets, all: all, people: p.People,
		parts: p.Parts, base: p.Base}
	if q.parts == 0 {
		q.parts = partsFor(QuantilesParams{Epsilon: p.Epsilon, People: p.People}, 1, all)
	}
	if err := q.pick(p); err != nil {
		return nil, err // unreachable: those picked are among all
	}
	// A replaced person moves scores by 2·unit, and so does the sum of all weights.
	moves := 4 * q.unit
	var loss privacy.Loss
	if p.Epsilon.IsSet() {
		share := p.Epsilon.Part(1, moves) // of each move
		if q.base, err = coin.ExpBelow(share.Rat()); err != nil {
			return nil, refuse("epsilon", p.Epsilon.String(),
				"a larger ε, or targets of a smaller denominator")
		}
		loss, err = privacy.PureLoss(share).Group(privacy.Distance(moves))
	} else {
		loss, err = lossOfBase(p.Base, moves)
	}
	if err != nil {
		return nil, err
	}
	width, _ := loss.Epsilon()
	loss = loss.WithRho(width.Mul(width, width).Quo(width, big.NewRat(8, 1)))
	q.below = powersBelow(q.base.Rat())
	q.spend = &meter.Spend{Name: "joint exponential mechanism", Loss: loss,
		Claim: meter.Claim{People: 1}}
	return q, nil
}

// pick takes the targets that are chosen: where count + 1 equal parts of all meet.
func (q *JointExp) pick(p JointExpParams) (err error) {
	count, spaces := p.Chosen, len(p.Targets)+1
	if count == 0 {
		count = p.worth()
	}
	var some []*big.Rat
	for i := 1; i <= count; i++ {
		at := (2*i*spaces+count+1)/(2*count+2) - 1 // rounded
		q.chosen, some = append(q.chosen, at), append(some, p.Targets[at])
	}
	if q.gaps, q.unit, err = commonDenominator(some); err != nil {
		return err
	}
	q.gaps = append(q.gaps, q.unit)
	for i := count; i > 0; i-- {
		q.gaps[i] -= q.gaps[i-1]
	}
	return nil
}

// affordable is how many targets can be chosen for so many people.
func affordable(people int64) int { return int(math.Sqrt(float64(maxJointWork / people))) }

// worth is how many targets shall be chosen. A list that misses one of c has about e^(ε·n/2(c+1))
// times less weight than the best one, and there are many more of them.
func (p JointExpParams) worth() int {
	count := min(len(p.Targets), affordable(p.People))
	if p.Epsilon.IsSet() {
		each := max(personsEach, personsWide*logBig(p.Size))
		worth := 1 + p.Epsilon.Float64()*float64(p.People)/each
		count = int(min(float64(count), worth))
	}
	return count
}

// personsEach is, for ε = 1, how many persons each chosen target but one takes, and personsWide how
// many in the widest domains, by ln of their size: measured, see jointexp.md.
const (
	personsEach = 52
	personsWide = 0.55
)

// Loss is the loss for data sets that differ in d persons.
func (q *JointExp) Loss(d privacy.Distance) (privacy.Loss, error) { return q.spend.Loss.Group(d) }

// Chosen is how many of the targets are chosen together; the others lie between them.
func (q *JointExp) Chosen() int { return len(q.chosen) }

// Release chooses a code for each target. It panics when the domain is larger than 2^64.
func (q *JointExp) Release(src coin.Source, values Values, step coin.Step) ([]uint64, error) {
	sets, err := gather(values, nil, 1, lastOf(q.size), part(step, 0, 500))
	if err != nil {
		return nil, err
	}
	chosen, err := q.choose(src, sets[0], part(step, 500, progress))
	if err != nil {
		return nil, err
	}
	codes := make([]uint64, len(q.targets))
	for i, at := range q.between(chosen) {
		codes[i] = at.Uint64()
	}
	return codes, nil
}

// ReleaseWide is Release for codes of any size, as that of [Quantiles].
func (q *JointExp) ReleaseWide(src coin.Source, sorted mechanism.SortedCodes,
	step coin.Step) ([]*big.Int, error) {
	on := &wideLine{SortedCodes: sorted, size: q.size}
	chosen, err := q.choose(src, on, part(step, 0, progress))
	if err != nil {
		return nil, err
	}
	return q.between(chosen), nil
}

// between puts the targets that were not chosen between those that were, or the domain's ends.
func (q *JointExp) between(chosen []*big.Int) []*big.Int {
	codes := make([]*big.Int, len(q.targets))
	lo, from, next := new(big.Int), int64(0), 0
	for i, t := range q.targets {
		if next < len(chosen) && q.chosen[next] == i {
			lo, from, next = chosen[next], t, next+1
		}
		hi, to := new(big.Int).Sub(q.size, oneInt), q.all
		if next < len(chosen) {
			hi, to = chosen[next], q.targets[q.chosen[next]]
		}
		at := new(big.Int).Sub(hi, lo)
		at.Mul(at, big.NewInt(t-from)).Quo(at, big.NewInt(to-from))
		codes[i] = at.Add(at, lo)
	}
	return codes
}

func (q *JointExp) choose(src coin.Source, on line, step coin.Step) ([]*big.Int, error) {
	return meter.Draw(src, q.spend, func() meter.Input { return meter.Input{People: people(on)} },
		func(src coin.Source) ([]*big.Int, error) {
			cells := q.divide(src, on)
			sums, err := q.forward(cells, step)
			for err == nil {
				var list []taken
				var kept bool
				if list, kept, err = sums.round(src); kept {
					return sums.values(src, list), nil
				}
			}
			return nil, err
		})
}

// cells are the points of the line between persons: cell k has those with k persons before them,
// up to the next person's own. A value is a run of parts points.
type cells struct {
	first []*big.Int // of each cell
	sizes []*big.Int
}

func (c *cells) persons() int { return len(c.sizes) - 1 }

// divide puts each person at a random point of its value.
func (q *JointExp) divide(src coin.Source, on line) *cells {
	c, parts := &cells{}, big.NewInt(q.parts)
	next := new(big.Int)
	end := func(at *big.Int) {
		c.first = append(c.first, next)
		c.sizes = append(c.sizes, new(big.Int).Sub(at, next))
		next = at
	}
	before := int64(0)
	for k := range on.Len() {
		offsets := make([]uint64, on.UpTo(k)-before)
		for i := range offsets {
			offsets[i] = src.Uniform(uint64(q.parts))
		}
		slices.Sort(offsets)
		start := on.Number(k)
		start.Mul(start, parts).Add(start, oneInt)
		for _, offset := range offsets {
			end(new(big.Int).Add(start, bigOf(offset)))
		}
		before = on.UpTo(k)
	}
	end(new(big.Int).Mul(q.size, parts))
	return c
}

// taken is a cell with the number of points chosen in it and before it.
type taken struct{ cell, points, before int }

// round proposes a list of cells, and says whether it is kept. Lists that are kept have the exact
// law: Lemma 3 of jointexp.md.
func (s *jointSums) round(src coin.Source) ([]taken, bool, error) {
	num, den := s.inverse()
	var list []taken
	var failed error
	pick := func(weights []weight) int {
		p := propose(weights)
		i, err := src.Choose(p, coin.Base{}, nil)
		if err != nil {
			failed = err // unreachable: without a step nothing ends the choice
			return 0
		}
		num.Mul(num, bigOf(p.sum))
		den.Mul(den, bigOf(p.parts[i]))
		return i
	}
	k := pick(s.last())
	for j := len(s.ends); failed == nil; k = pick(s.before(j, k)) {
		u := 1 + pick(s.within(j, k))
		j -= u
		list = append(list, taken{k, u, j})
		num.Mul(num, multisets(s.cells.sizes[k], u))
		if j == 0 {
			break
		}
	}
	slices.Reverse(list)
	kept := failed == nil && src.Bernoulli(coin.RatioTimesPower(num, den, s.base, s.score(list)))
	return list, kept, failed
}

// score is that of a list, times unit.
func (s *jointSums) score(list []taken) (score uint64) {
	before := 0
	for _, r := range list {
		score += s.distance(r.before, r.cell-before)
		for i := 1; i < r.points; i++ {
			score += s.distance(r.before+i, 0)
		}
		before = r.cell
	}
	return score + s.distance(len(s.ends), s.cells.persons()-before)
}

// multisets is how many multisets of u points a cell has: C(size + u − 1, u).
func multisets(size *big.Int, u int) *big.Int {
	n := big.NewInt(1)
	for i := range int64(u) {
		n.Mul(n, new(big.Int).Add(size, big.NewInt(i)))
		n.Quo(n, big.NewInt(i+1))
	}
	return n
}

// values draws points of cells, each multiset alike, and returns the values they belong to.
func (s *jointSums) values(src coin.Source, list []taken) (codes []*big.Int) {
	for _, r := range list {
		for _, at := range multiset(src, s.cells.sizes[r.cell], r.points) {
			at.Add(at, s.cells.first[r.cell])
			codes = append(codes, at.Quo(at, big.NewInt(s.parts)))
		}
	}
	return codes
}

// multiset draws u numbers below size, ascending: a set of u numbers below size + u − 1, each set
// alike (Floyd), of which the i-th is lowered by i.
func multiset(src coin.Source, size *big.Int, u int) []*big.Int {
	var set []*big.Int
	for i := range int64(u) {
		count := new(big.Int).Add(size, big.NewInt(i))
		at := src.UniformBig(count)
		place, taken := slices.BinarySearchFunc(set, at, (*big.Int).Cmp)
		if taken {
			place, at = len(set), count.Sub(count, oneInt)
		}
		set = slices.Insert(set, place, at)
	}
	for i, at := range set {
		at.Sub(at, big.NewInt(int64(i)))
	}
	return set
}
