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
	// People is n, public, from 1 to 2^17; the rows stand for no more (H: jointexp.md at-most-n).
	People int64
	// Chosen counts the targets that are chosen together, spread evenly over all; the others are
	// interpolated between them. It is at most the number of targets, and its square at most
	// 2^24/People; 0 means the number that Epsilon, People and Size make worthwhile.
	Chosen int
	// Levels is 1 where all are chosen together, and 0 too; 2 where three and more are chosen in
	// two rounds, each with half of the loss: some of them together, and then those between two of
	// them together. What Chosen must allow for is the longest of these lists.
	Levels int
	// Parts is into how many points a value is divided, to tell apart the persons who share it; 0:
	// chosen by People and Epsilon.
	Parts int64
	// Around, where it is above 0, adds two targets to each: this many persons below it and as many
	// above. All are then chosen together, by one level.
	Around int64
}

// JointExp releases several quantiles at once by one choice among all ascending lists of values.
//
// # Guarantee
//
// Pure ε-DP for neighbours that replace one person, n public. Each person with a value is put at a
// random point of it, by coins of its own. A list of points has the score Σ|n_i − g_i·w|, n_i being
// the number of persons between point i−1 and point i, g_i the part that shall be there and w the
// number of persons with a value. A replaced person moves it by at most 2. By two levels, all lists
// of the second are chosen by one such score, given the first: both losses add up. Around targets,
// g_i·w is a public number of persons more or less, at the same loss. The law of the choice is
// exact. Proof: jointexp.md.
//
// # Input and output
//
// As [Quantiles]. With Around there are three codes for each target: below it, at it and above it.
//
// # Errors
//
// [*param.Error] (epsilon, base, size, targets, people, chosen, levels, parts, around) from the
// parameters alone; step's error when cancelled.
//
// # Cost and accuracy
//
// O(c²n) for c targets of one list, of each level: about a second for the largest that it takes.
// Memory for 2cn weights of 16 bytes. RankErrors bounds how many persons the released values are
// away from the targets. Measured, the mean error is half of that of Quantiles and less: see
// jointexp.md.
//
// # Reference
//
// Gillenwater, Joseph, Kulesza, "Differentially Private Quantiles", 2021 (JointExp). Differs: whole
// scores and exact draws in place of logarithms in floating point; sums over all earlier cells in
// constant time each, in place of a Fourier transform; persons without a value; ties divided by
// random points; where there are too many targets for n, some are chosen and the others follow;
// many are chosen by two levels.
type JointExp struct {
	size    *big.Int
	targets []int64 // over all
	all     int64   // the common denominator of targets
	chosen  []int   // indices of targets
	levels  []level // one or two
	people  int64
	parts   int64
	around  int64 // persons; 0: there is nothing around targets
	spend   *meter.Spend
}

// level holds the numbers by which the lists of one level are chosen.
type level struct {
	at    []int    // indices of the targets whose points are known after it
	lists []listed // of at, each between two that are known before, or the line's ends
	gaps  []int64  // between those and the ends, over unit
	more  []int64  // persons wanted in each gap beyond its part; nil: none
	unit  int64    // their common denominator
	base  coin.Base
	below [38]weight // base^(−2^j)
}

// listed is the positions from … to−1.
type listed struct{ from, to int }

const (
	maxJointPeople = 1 << 17
	maxJointWork   = 1 << 24
)

// NewJointExp checks the parameters.
func NewJointExp(p JointExpParams) (*JointExp, error) {
	if p.Size == nil || p.Size.Sign() <= 0 { // H: jointexp.md domain
		return nil, refuse("size", fmt.Sprint(p.Size), "a domain with at least one value")
	}
	targets, all, err := commonDenominator(p.Targets)
	if err != nil {
		return nil, err
	}
	switch {
	case p.People < 1 || p.People > maxJointPeople: // H: jointexp.md people
		return nil, refuse("people", fmt.Sprint(p.People), "from 1 to %d", maxJointPeople)
	case p.Levels < 0 || p.Levels > 2:
		return nil, refuse("levels", fmt.Sprint(p.Levels), "1 or 2")
	case p.Chosen < 0 || p.Chosen > min(len(targets), p.most()): // H: jointexp.md list-length
		return nil, refuse("chosen", fmt.Sprint(p.Chosen), "0 to %d for this number of people",
			min(len(targets), p.most()))
	case p.Parts < 0 || p.Parts > 1<<32: // H: jointexp.md points
		return nil, refuse("parts", fmt.Sprint(p.Parts), "0 to 2^32")
	case p.Around < 0 || p.Around > p.People: // H: jointexp.md around
		return nil, refuse("around", fmt.Sprint(p.Around), "0 to %d", p.People)
	// H: jointexp.md around
	case p.Around > 0 && (p.Levels > 1 || 3*len(targets) > min(affordable(p.People), MaxTargets)):
		return nil, refuse("around", fmt.Sprint(p.Around),
			"one level, and fewer targets or people where there are targets around others")
	}
	if p.Around > 0 {
		p.Chosen = len(targets)
	}
	if err := oneOf(p.Epsilon, p.Base); err != nil { // H: jointexp.md one-loss
		return nil, err
	}
	q := &JointExp{size: new(big.Int).Set(p.Size), targets: targets, all: all, people: p.People,
		parts: p.Parts, chosen: evenlyAmong(p.count(), len(targets)), around: p.Around}
	if q.parts == 0 {
		q.parts = partsFor(QuantilesParams{Epsilon: p.Epsilon, People: p.People}, 1, all)
	}
	if p.Levels == 2 && len(q.chosen) > 2 {
		first, l := evenlyAmong(firstOf(len(q.chosen)), len(q.chosen)), level{at: q.chosen}
		one := level{lists: []listed{{0, len(first)}}}
		from := 0
		for _, to := range first {
			one.at = append(one.at, q.chosen[to])
			l.lists, from = append(l.lists, listed{from, to}), to+1
		}
		l.lists = append(l.lists, listed{from, len(q.chosen)})
		q.levels = []level{one, l}
	} else {
		q.levels = []level{{at: q.chosen, lists: []listed{{0, len(q.chosen)}}}}
	}
	var loss privacy.Loss
	for i := range q.levels {
		one, err := q.levels[i].plan(p, int64(len(q.levels)))
		if err != nil {
			return nil, err
		}
		if i > 0 {
			one = loss.Plus(one)
		}
		loss = one
	}
	if p.Around > 0 {
		q.levels[0].surround(p.Around)
	}
	q.spend = &meter.Spend{Name: "joint exponential mechanism", Loss: loss,
		Claim: meter.Claim{People: 1}}
	return q, nil
}

// plan computes the gaps and the base of a level, of this many levels, and its loss: a replaced
// person moves scores by 2·unit, and moves the sum of all weights as much.
func (l *level) plan(p JointExpParams, levels int64) (loss privacy.Loss, err error) {
	var some []*big.Rat
	for _, at := range l.at {
		some = append(some, p.Targets[at])
	}
	if l.gaps, l.unit, err = commonDenominator(some); err != nil {
		return loss, err // unreachable: these are among all
	}
	l.gaps = append(l.gaps, l.unit)
	for i := len(some); i > 0; i-- {
		l.gaps[i] -= l.gaps[i-1]
	}
	moves := 4 * l.unit
	if l.base = p.Base; p.Epsilon.IsSet() {
		share := p.Epsilon.Part(1, moves*levels) // of each move
		if l.base, err = coin.ExpBelow(share.Rat()); err != nil {
			return loss, refuse("epsilon", p.Epsilon.String(),
				"a larger ε, or targets of a smaller denominator")
		}
		loss, err = privacy.PureLoss(share).Group(privacy.Distance(moves))
	} else {
		loss, err = lossOfBase(p.Base, moves)
	}
	if err != nil {
		return loss, err
	}
	l.below = powersBelow(l.base.Rat())
	width, _ := loss.Epsilon()
	return loss.WithRho(width.Mul(width, width).Quo(width, big.NewRat(8, 1))), nil
}

// surround puts two targets around each, this many persons away: no persons are wanted between
// them, and beyond the parts whole numbers of persons that add up to 0.
func (l *level) surround(persons int64) {
	gaps, count := l.gaps, len(l.at)
	l.gaps, l.at, l.lists = nil, slices.Repeat(l.at, 3), []listed{{0, 3 * count}}
	for i, gap := range gaps {
		between := -2 * persons
		if i == 0 || i == count {
			between = -persons
		}
		l.gaps, l.more = append(l.gaps, gap), append(l.more, between)
		if i < count {
			l.gaps, l.more = append(l.gaps, 0, 0), append(l.more, persons, persons)
		}
	}
}

// evenlyAmong returns the positions of count targets among this many: where count + 1 equal parts
// of all meet.
func evenlyAmong(count, all int) (places []int) {
	spaces := all + 1
	for i := 1; i <= count; i++ {
		places = append(places, (2*i*spaces+count+1)/(2*count+2)-1) // rounded
	}
	return places
}

// firstOf returns how many of this many targets the first of two levels chooses.
func firstOf(chosen int) int { return int(math.Sqrt(float64(chosen+1))+.5) - 1 }

// most returns how many targets can be chosen for this many people. By two levels no list has more
// than ten of MaxTargets.
func (p JointExpParams) most() int {
	if p.Levels == 2 {
		return MaxTargets
	}
	return affordable(p.People)
}

// affordable returns how many targets this many people allow to be chosen.
func affordable(people int64) int { return int(math.Sqrt(float64(maxJointWork / people))) }

// count returns the number of targets that are chosen.
func (p JointExpParams) count() int {
	if p.Chosen > 0 {
		return p.Chosen
	}
	return p.worth()
}

// worth returns how many targets are worth choosing. A list that misses one of c has about
// e^(ε·n/2(c+1)) times less weight than the best one, and there are many more such lists.
func (p JointExpParams) worth() int {
	count := min(len(p.Targets), p.most())
	if p.Epsilon.IsSet() {
		each := max(personsEach, personsWide*logBig(p.Size))
		worth := 1 + p.Epsilon.Float64()*float64(p.People)/each
		count = int(min(float64(count), worth))
	}
	return count
}

// personsEach is, for ε = 1, the number of persons that each chosen target but one takes, and
// personsWide that number in the widest domains, by ln of their size: measured, see jointexp.md.
const (
	personsEach = 52
	personsWide = 0.55
)

// Loss returns the loss for data sets that differ in d persons.
func (q *JointExp) Loss(d privacy.Distance) (privacy.Loss, error) { return q.spend.Loss.Group(d) }

// Chosen returns the number of targets that are chosen together; the others lie between them.
func (q *JointExp) Chosen() int { return len(q.chosen) }

// Levels returns the number of levels by which they are chosen.
func (q *JointExp) Levels() int { return len(q.levels) }

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
	all := q.between(chosen)
	codes := make([]uint64, len(all))
	for i, at := range all {
		codes[i] = at.Uint64()
	}
	return codes, nil
}

// ReleaseWide is Release for codes of any size, like ReleaseWide of [Quantiles]
// (H: jointexp.md sorted-codes).
func (q *JointExp) ReleaseWide(src coin.Source, sorted mechanism.SortedCodes,
	step coin.Step) ([]*big.Int, error) {
	on := &wideLine{SortedCodes: sorted, size: q.size}
	chosen, err := q.choose(src, on, part(step, 0, progress))
	if err != nil {
		return nil, err
	}
	return q.between(chosen), nil
}

// between puts the targets that were not chosen between those that were, or between them and the
// domain's ends.
func (q *JointExp) between(chosen []*big.Int) []*big.Int {
	if q.around > 0 {
		return chosen
	}
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
			points, err := q.points(src, q.divide(src, on), step)
			for _, at := range points {
				at.Quo(at, big.NewInt(q.parts))
			}
			return points, err
		})
}

// points chooses lists of points, level by level: given the points chosen before, a level has a
// list in each part between two of them, or between one and an end of the line.
func (q *JointExp) points(src coin.Source, all *cells, step coin.Step) (chosen []*big.Int,
	err error) {
	each := progress / int64(len(q.levels))
	for i, l := range q.levels {
		of := part(step, int64(i)*each, int64(i+1)*each)
		within := func(place int) int64 { return int64(place) * progress / int64(len(l.at)) }
		var points []*big.Int
		for k, list := range l.lists {
			if list.from < list.to {
				more, err := l.draw(src, all.between(k, chosen), l.gaps[list.from:list.to+1],
					all.persons(), part(of, within(list.from), within(list.to)))
				if err != nil {
					return nil, err
				}
				points = append(points, more...)
			}
			if k < len(chosen) {
				points = append(points, chosen[k])
			}
		}
		chosen = points
	}
	return chosen, nil
}

// draw chooses a list of points from cells with these gaps, as parts of this many persons.
func (l *level) draw(src coin.Source, on *cells, gaps []int64, persons int,
	step coin.Step) ([]*big.Int, error) {
	sums, err := l.forward(on, gaps, persons, step)
	for err == nil {
		var list []taken
		var kept bool
		if list, kept, err = sums.round(src); kept {
			return sums.points(src, list), nil
		}
	}
	return nil, err
}

// cells are the points of the line between persons: cell k has the points with k persons before
// them, up to the next person's own. A value is a run of parts points.
type cells struct {
	first []*big.Int // of each cell
	sizes []*big.Int
}

func (c *cells) persons() int { return len(c.sizes) - 1 }

// between returns the cells from point k−1 to point k, both included, or to the line's ends.
func (c *cells) between(k int, points []*big.Int) *cells {
	from, to := 0, c.persons()
	place := func(at *big.Int) int { // of the cell that has the point
		i, _ := slices.BinarySearchFunc(c.first, at, func(first, at *big.Int) int {
			if first.Cmp(at) <= 0 {
				return -1
			}
			return 1
		})
		return i - 1
	}
	if k > 0 {
		from = place(points[k-1])
	}
	if k < len(points) {
		to = place(points[k])
	}
	part := &cells{slices.Clone(c.first[from : to+1]), slices.Clone(c.sizes[from : to+1])}
	if k < len(points) {
		size := new(big.Int).Sub(points[k], c.first[to])
		part.sizes[to-from] = size.Add(size, oneInt)
	}
	if k > 0 {
		skipped := new(big.Int).Sub(points[k-1], c.first[from])
		part.first[0] = points[k-1]
		part.sizes[0] = skipped.Sub(part.sizes[0], skipped)
	}
	return part
}

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

// taken is a cell with the numbers of points chosen in it and before it.
type taken struct{ cell, points, before int }

// round proposes a list of cells, and reports whether it is kept. Lists that are kept have the
// exact law: Lemma 3 of jointexp.md.
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

// score returns the score of a list, times unit.
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

// multisets returns the number of multisets of u points in a cell: C(size + u − 1, u).
func multisets(size *big.Int, u int) *big.Int {
	n := big.NewInt(1)
	for i := range int64(u) {
		n.Mul(n, new(big.Int).Add(size, big.NewInt(i)))
		n.Quo(n, big.NewInt(i+1))
	}
	return n
}

// points draws points of cells, each multiset with equal chance.
func (s *jointSums) points(src coin.Source, list []taken) (points []*big.Int) {
	for _, r := range list {
		for _, at := range multiset(src, s.cells.sizes[r.cell], r.points) {
			points = append(points, at.Add(at, s.cells.first[r.cell]))
		}
	}
	return points
}

// multiset draws u numbers below size, ascending: a set of u numbers below size + u − 1, each set
// with equal chance (Floyd), whose i-th number is lowered by i.
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
