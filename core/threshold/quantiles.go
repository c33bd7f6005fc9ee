package threshold

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Releaser releases a distribution function.
type Releaser interface {
	mechanism.Mechanism

	// Release measures the function on sorted codes. step may be nil; it learns of public stages
	// only.
	Release(src coin.Source, codes domain.Sorted, step coin.Step) (*CDF, error)
}

// QuantilesParams are the parameters of Quantiles.
type QuantilesParams struct {
	// Epsilon and Delta are the privacy loss granted for one replaced person. Delta may be 0.
	Epsilon privacy.Epsilon
	Delta   privacy.Delta

	// Size is the number of values of the domain. Required.
	Size *big.Int

	// Persons is n, the public number of persons with or without a value. From 1 to 2^40; required.
	Persons uint64

	// Beta is the probability with which ErrorBound may be exceeded; 0 stands for 0.05.
	Beta float64

	// Depth is that of the tree, from 1 to 16; 0 stands for the one with the smallest ErrorBound.
	Depth int
}

// Quantiles releases the entire distribution function: all quantiles, and the answer to every
// question "how many have at most x?".
//
// A binary tree of interior points cuts the domain into cells with about equally many persons;
// noisy counts of the cells, and of the persons exactly at a cut, are summed up.
//
// # Guarantee
//
// (ε, δ)-DP for neighbours that differ in one replaced person, n public. Proof: quantiles.md.
//
// # Input and output
//
// As [TreeLog]; a [CDF], in persons with a value.
//
// # Errors
//
// [*param.Error] (epsilon, delta, size, persons, beta, depth) from the constructor, (codes) from
// Release for codes of another number of bits.
//
// # Cost and accuracy
//
// 2^Depth − 1 interior points. With probability 1 − Beta no count is off by more than ErrorBound
// persons, which is n·2^−Depth + what one interior point needs + noise.
//
// # Reference
//
// Kaplan, Schnapp, Stemmer, "Differentially Private Approximate Quantiles", 2022 (the tree).
// Differs: persons are replaced, so the exponential mechanism costs one call a level; windows of a
// fixed number of codes for interior points of any other algorithm; codes equal to a cut end there.
type Quantiles struct {
	size    *big.Int
	bits    int
	persons uint64
	depth   int
	finder  Finder
	counts  *mechanism.Laplace
	beta    float64 // of the noise
	spend   *meter.Spend
	tree    *meter.Spend // all calls of the finder
}

var _ Bounded = (*Quantiles)(nil)

// NewQuantiles checks the parameters and divides the budget.
func NewQuantiles(p QuantilesParams) (*Quantiles, error) {
	_, rational, err := checkFinding(p.Size, p.Epsilon, p.Beta)
	if err != nil {
		return nil, err
	}
	beta := float64Of(rational)
	switch {
	case p.Persons < 1 || p.Persons > 1<<40: // H: quantiles.md persons
		return nil, refuse("persons", fmt.Sprint(p.Persons), "from 1 to 2^40")
	case p.Depth < 0 || p.Depth > 16: // H: quantiles.md depth
		return nil, refuse("depth", fmt.Sprint(p.Depth), "0 to 16")
	}
	depth, share := p.divide(beta)
	inTree := p.Epsilon.Part(int64(share), parts)
	each := beta / 2 / math.Ldexp(1, depth) // the interior points and the noise share beta

	best, err := p.best(inTree, depth, each)
	if err != nil {
		return nil, err
	}
	counts, err := mechanism.NewLaplace(
		mechanism.LaplaceParams{Epsilon: p.Epsilon.Part(int64(parts-share), parts),
			L1Sensitivity: 2, LargestMove: 1})
	if err != nil {
		return nil, err
	}
	q, err := newQuantiles(p.Size, p.Persons, depth, best, counts, beta/2)
	if err != nil {
		return nil, err
	}
	return q, q.price(p.Delta)
}

// newQuantiles has the loss of basic composition. beta is for the noise.
func newQuantiles(size *big.Int, persons uint64, depth int, finder Finder,
	counts *mechanism.Laplace, beta float64) (*Quantiles, error) {
	bitLength, err := checkSize(size)
	if err != nil {
		return nil, err
	}
	q := &Quantiles{size: new(big.Int).Set(size), bits: bitLength, persons: persons, depth: depth,
		finder: finder, counts: counts, beta: beta}
	return q, q.price(privacy.Delta{})
}

// takesAll reports whether a Finder is given all codes of an interval: the exponential mechanism
// is.
func takesAll(f Finder) bool {
	_, is := f.(*Exponential)
	return is
}

// seenBy returns how many calls a replaced person affects, Theorem 1 of quantiles.md: with all
// codes of an interval one at each level, with windows one at the root and two at each level below.
func seenBy(all bool, depth int) uint64 {
	if all {
		return uint64(depth)
	}
	return uint64(2*depth - 1)
}

// price adds what the counts cost and what the calls of the Finder that a replaced person affects
// compose to at delta. All other calls are free.
func (q *Quantiles) price(delta privacy.Delta) error {
	each, err := q.finder.Loss(1)
	if err != nil {
		return err
	}
	seen, err := meter.Composed("", delta, meter.Each(each, seenBy(takesAll(q.finder), q.depth)))
	if err != nil {
		return err
	}
	q.tree = meter.Proved("tree of interior points", "threshold/quantiles.md", seen.Loss,
		meter.Each(each, 1<<q.depth-1))
	noise, err := q.counts.Loss(1)
	q.spend = meter.Sum("quantile tree", meter.Once(q.tree.Loss), meter.Once(noise))
	return err
}

// parts says how finely ε is divided between the tree and the counts.
const parts = 16

// divide tries depths and shares of ε for the smallest error bound, by estimates from public facts.
func (p QuantilesParams) divide(beta float64) (depth, share int) {
	bitLength, _ := checkSize(p.Size)
	best, epsilon := math.Inf(1), p.Epsilon.Float64()
	for d := 1; d <= 16; d++ {
		if p.Depth > 0 && d != p.Depth {
			continue
		}
		each := math.Log(beta) - float64(d+1)*math.Ln2
		atOne := math.Inf(1) // what TreeLog needs for ε = 1; for another ε that much less
		if !p.Delta.IsZero() {
			atOne = divide(1, 1, p.Delta.Float64()/float64(4*d), math.Exp(each),
				math.Log(float64(bitLength+1))).needs
		}
		for s := 1; s < parts; s++ {
			tree := epsilon * float64(s) / parts
			needs := min(4*(logInt(p.Size)-each)*float64(d), atOne*float64(2*d-1)) / tree
			noise := 2 * parts / (epsilon * float64(parts-s)) *
				math.Sqrt(2*math.Ldexp(2, d)*2*math.Log(4/beta))
			if bound := math.Ldexp(float64(p.Persons), -d) + needs + noise; bound < best {
				best, depth, share = bound, d, s
			}
		}
	}
	return depth, share
}

// best returns the Finder that needs the fewest persons.
func (p QuantilesParams) best(epsilon privacy.Epsilon, depth int, beta float64) (Finder, error) {
	calls := seenBy(true, depth)
	if p.Delta.IsZero() {
		return p.pure(epsilon, calls, beta)
	}
	tree, err := p.treeLog(epsilon, seenBy(false, depth), beta)
	if err == nil &&
		4*(logInt(p.Size)+math.Log(1/beta)-1)/epsilon.Float64() > float64(tree.Needs()) {
		// even with all of ε for one call the exponential mechanism would need more
		return tree, nil
	}
	pure, pureErr := p.pure(epsilon, calls, beta)
	if err == nil && pureErr == nil && tree.Needs() < pure.Needs() {
		return tree, nil
	}
	return pure, pureErr
}

// pure uses the exponential mechanism, whose calls compose within all of δ.
func (p QuantilesParams) pure(epsilon privacy.Epsilon, calls uint64,
	beta float64) (Finder, error) {
	each, _, err := privacy.EachOf(calls, epsilon, p.Delta, privacy.ChoiceLoss)
	if err != nil {
		return nil, err
	}
	return NewExponential(ExponentialParams{Epsilon: each, Size: p.Size, Beta: beta})
}

// treeLog uses TreeLog; half of δ pays for its calls, half for composing them.
func (p QuantilesParams) treeLog(epsilon privacy.Epsilon, calls uint64,
	beta float64) (Finder, error) {
	half := p.Delta.Rat()
	half.Quo(half, ratOf(2))
	slack, err := privacy.NewDelta(half)
	if err != nil {
		return nil, err
	}
	each, _, err := privacy.EachOf(calls, epsilon, slack, privacy.PureLoss)
	if err != nil {
		return nil, err
	}
	share, err := privacy.NewDelta(new(big.Rat).Quo(half, ratOf(int64(calls))))
	if err != nil {
		return nil, err
	}
	return NewTreeLog(TreeLogParams{Epsilon: each, Delta: share, Size: p.Size, Beta: beta})
}

// Finder returns the Finder that finds the cuts.
func (q *Quantiles) Finder() Finder { return q.finder }

// Depth returns the depth of the tree.
func (q *Quantiles) Depth() int { return q.depth }

// ErrorBound returns a number of persons by which, with probability 1 − Beta, no count of the
// function is off.
func (q *Quantiles) ErrorBound() float64 {
	return math.Ldexp(float64(q.persons), -q.depth) + float64(q.finder.Needs()) + q.NoiseBound()
}

// TypicalError returns about half the persons between two cuts, plus what noise adds.
func (q *Quantiles) TypicalError(persons int64) float64 {
	n := float64(persons)
	return min(math.Ldexp(n, -q.depth)/2+q.NoiseBound()/3, n/2)
}

// mostCounts is the largest number of counts from which a function is made.
func (q *Quantiles) mostCounts() int { return 2<<q.depth - 1 }

// AccuracyBound returns the bound of ReleaseAccuracy.
func (q *Quantiles) AccuracyBound() (right, count, all float64) {
	return accuracyBound(q.counts, q.mostCounts(), q.beta)
}

// NoiseBound returns a number of persons by which, with probability 1 − Beta/2, no count at a point
// of the function is off: only its noise counts there.
func (q *Quantiles) NoiseBound() float64 { return q.noiseBound(q.beta) }

func (q *Quantiles) noiseBound(beta float64) float64 {
	return q.counts.Noise().SumBound(2<<q.depth-1, beta)
}

// LearnsWithin bounds, for n persons drawn independently from a population (H: kolmogorov.md
// drawn), how far a released distribution function is from the population's, at all values at once:
// with probability 1 − β − beta by off/n + √(ln(2/beta)/(2n)), where but for probability β no count
// of the release is off by more than this many persons (H: kolmogorov.md off; Dvoretzky, Kiefer,
// Wolfowitz; Massart). Proof: kolmogorov.md.
func LearnsWithin(off float64, persons int64, beta float64) float64 {
	n := float64(persons)
	return off/n + math.Sqrt(math.Log(2/beta)/(2*n))
}

// Loss is (ε, δ) for d = 1, and group privacy beyond.
func (q *Quantiles) Loss(d privacy.Distance) (privacy.Loss, error) { return q.spend.Loss.Group(d) }

// interval is a node of the tree: the values from lo to hi, and the range of indices of the codes
// there.
type interval struct {
	lo, hi   *big.Int
	from, to int
}

// Release measures the function.
func (q *Quantiles) Release(src coin.Source, codes domain.Sorted, step coin.Step) (*CDF, error) {
	return function(q.release(src, codes, nil, step))
}

// ReleaseAccuracy measures persons with a yes and persons with a no, for the loss of one function.
func (q *Quantiles) ReleaseAccuracy(src coin.Source, data Labelled,
	step coin.Step) (*Accuracy, error) {
	return accuracy(q.release(src, data.Codes, data.answers(), step))
}

func (q *Quantiles) release(src coin.Source, codes domain.Sorted, yes []bool,
	step coin.Step) (*measurement, error) {
	if codes.Bits() != q.bits { // H: quantiles.md bits
		return nil, refuse("codes", phrase.Of("%d bits long", codes.Bits()), "codes of %d bits",
			q.bits)
	}
	stages := newStages(step, q.depth+1)
	src = meter.Within(src, q.spend)
	cuts, err := q.cuts(meter.Within(src, q.tree), codes, stages)
	if err != nil {
		return nil, err
	}
	m, err := q.measure(src, cuts, codes.Len(), yes)
	if err != nil {
		return nil, err
	}
	return m, stages.next()
}

// cuts splits the domain, and its parts, depth times. Cuts of empty intervals are empty.
func (q *Quantiles) cuts(src coin.Source, codes domain.Sorted, stages *stages) ([]interval, error) {
	all := interval{new(big.Int), new(big.Int).Sub(q.size, oneInt), 0, codes.Len()}
	cells, cuts := []interval{all}, []interval(nil)
	for range q.depth {
		var finer, between []interval
		for i, cell := range cells {
			left, cut, right, err := q.split(src, codes, cell, stages)
			if err != nil {
				return nil, err
			}
			finer = append(finer, left, right)
			between = append(between, cut)
			if i < len(cuts) {
				between = append(between, cuts[i])
			}
		}
		cells, cuts = finer, between
		if err := stages.next(); err != nil {
			return nil, err
		}
	}
	return cuts, nil
}

// split cuts an interval at an interior point of its codes, or of the codes in its middle. An empty
// interval stays empty and has no cut, and a single value is its own cut: that is public.
func (q *Quantiles) split(src coin.Source, codes domain.Sorted, in interval,
	stages *stages) (left, cut, right interval, err error) {
	at := in.lo
	switch in.lo.Cmp(in.hi) {
	case 1:
		return in, in, in, nil
	case -1:
		if at, err = q.finder.Release(src, q.shown(codes, in), stepOf(stages.pause())); err != nil {
			return left, cut, right, err
		}
		if at.Cmp(in.lo) < 0 {
			at = in.lo
		}
		if at.Cmp(in.hi) > 0 {
			at = in.hi
		}
	}
	below, notAbove := codes.Rank(at)
	left = interval{in.lo, new(big.Int).Sub(at, oneInt), in.from, below}
	right = interval{new(big.Int).Add(at, oneInt), in.hi, notAbove, in.to}
	return left, interval{at, at, below, notAbove}, right, nil
}

// shown returns the codes of an interval that the Finder is given: for the exponential mechanism
// all of them, with as many copies of the interval's ends on both sides as keep the point within
// it; otherwise a window.
func (q *Quantiles) shown(codes domain.Sorted, in interval) domain.Sorted {
	needs := q.finder.Needs()
	if takesAll(q.finder) {
		return pad(&ranged{codes, in.from, in.to}, in.lo, needs, in.hi, needs)
	}
	return middle(codes, in, needs)
}

// middle returns the window in the middle of an interval's codes.
func middle(codes domain.Sorted, in interval, count int) domain.Sorted {
	return nearby(codes, in, (in.to-in.from)/2, count)
}

// nearby returns the count codes around a position among an interval's codes. Where there are fewer
// on a side, copies of the interval's end stand in for those missing.
func nearby(codes domain.Sorted, in interval, place, count int) domain.Sorted {
	start := in.from + place - count/2
	from, to := min(max(start, in.from), in.to), max(min(start+count, in.to), in.from)
	return pad(&ranged{codes, from, to}, in.lo, from-start, in.hi, start+count-to)
}

// measure counts, with noise, the codes at the cuts and in the cells between them: all together, or
// those with a yes and those with a no.
func (q *Quantiles) measure(src coin.Source, cuts []interval, codes int,
	yes []bool) (*measurement, error) {
	cuts = slices.DeleteFunc(cuts, func(c interval) bool { return c.lo.Cmp(c.hi) > 0 })
	places, exact := toCount(cuts, codes, q.size, yes)
	noisy, err := q.counts.Release(src, exact, nil)
	if err != nil {
		return nil, err
	}
	all := &measurement{size: q.size}
	for _, cut := range cuts {
		all.points = append(all.points, cut.lo)
	}
	for counts := range slices.Chunk(noisy, len(places)) {
		m := measured{make([]int64, len(cuts)+1), make([]int64, len(cuts))}
		for i, place := range places {
			if place%2 == 0 {
				m.cells[place/2] = counts[i]
			} else {
				m.atoms[place/2] = counts[i]
			}
		}
		all.of = append(all.of, m)
	}
	return all, nil
}

// toCount lists the parts of the domain that have values, and the number of codes in each: position
// 2i is the cell before cut i, 2i+1 the cut. A cell without values, which is public, is left out.
// With answers it counts the yeses in all parts, then the noes.
func toCount(cuts []interval, codes int, size *big.Int, yes []bool) (places []int, counts []int64) {
	var noes []int64
	add := func(place, from, to int) {
		places = append(places, place)
		all := int64(to - from)
		if yes != nil {
			no := int64(0)
			for _, says := range yes[from:to] {
				if !says {
					no++
				}
			}
			noes, all = append(noes, no), all-no
		}
		counts = append(counts, all)
	}
	lo, from := new(big.Int), 0
	for i, cut := range cuts {
		if lo.Cmp(cut.lo) < 0 {
			add(2*i, from, cut.from)
		}
		add(2*i+1, cut.from, cut.to)
		lo, from = new(big.Int).Add(cut.lo, oneInt), cut.to
	}
	if lo.Cmp(size) < 0 {
		add(2*len(cuts), from, codes)
	}
	return places, append(counts, noes...)
}
