package privacy

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"slices"
)

// A LossDistribution is the law of the privacy loss of several releases together, fixed in advance
// with all their parameters (H: lossdistribution.md fixed). It gives δ as a function of ε, and ε as
// a function of δ.
//
// # Bounds
//
// [LossDistribution.Delta] is at least the true δ of the composed pairs, and [LossDistribution.At]
// at least the smallest ε for a δ, however large it is; for pairs of one base both are exact but
// for outward rounding.
// What a later release asks may depend on earlier answers; its pair may not. Proof:
// lossdistribution.md.
//
// # Cost and accuracy
//
// The product of the pairs' outcomes, on the lattice, and of the reach of the sum. Pairs of
// different bases are split onto a lattice, which raises ε by at most a few parts in a thousand
// (TestLossDistributionAgainstOthers).
//
// # Reference
//
// Koskela, Jälkö, Honkela, 2020 (privacy loss distributions on a lattice); Doroshenko, Ghazi,
// Kamath, Kumar, Manurangsi, "Connect the Dots: Tighter Discrete Approximations of Privacy Loss
// Distributions", 2022 (splitting an outcome between two places). Differs: whole numbers rounded
// outward in place of floats, so that the result is a bound and not an estimate.
type LossDistribution struct {
	step  *big.Rat // odds are powers of it
	first int      // the power of law[0]
	law   []mass
	// lost bounds the mass of the outcomes that Q never has, and of those cut off above.
	lost *big.Rat
}

// Pairs is a pair together with the number of releases that have it.
type Pairs struct {
	Pair  Pair
	Times uint64
}

const (
	// The lattice for pairs with different bases has at least stepsPerLoss steps to the root mean
	// square loss of a pair, and stepsInAll to the largest sum of losses, disregarding outcomes
	// rarer than rareOutcome: the former suits many releases, the latter few.
	stepsPerLoss = 16
	stepsInAll   = 1 << 12
	rareOutcome  = 1e-15
	// mostPlaces bounds the places of a law, mostSums the work of adding laws up.
	mostPlaces = 1 << 18
	mostSums   = 1 << 30
)

// ComposePairs returns the law of the loss of all pairs together, or ErrNoBound where they are too
// many or too different to be added up.
func ComposePairs(list []Pairs) (*LossDistribution, error) {
	base, step := stepsOf(list)
	if base != nil {
		d, err := composeOn(base, list)
		if err == nil {
			return d, nil
		}
	}
	return composeOn(step, list)
}

// composeOn is ComposePairs on the lattice with this step.
func composeOn(step *big.Rat, list []Pairs) (*LossDistribution, error) {
	d := &LossDistribution{step: step, law: []mass{massOne}, lost: new(big.Rat)}
	sums := 0
	var placed placements
	for _, p := range list {
		revealed := new(big.Rat).SetInt(new(big.Int).SetUint64(p.Times))
		if p.Pair.revealed != nil {
			d.lost.Add(d.lost, revealed.Mul(revealed, p.Pair.revealed))
		}
		if p.Pair.base == nil {
			continue
		}
		single := placed.of(p.Pair, d.step)
		if single == nil {
			return nil, ErrNoBound
		}
		for n := p.Times; n > 0; n >>= 1 {
			if n&1 == 1 {
				if sums += len(d.law) * len(single.law); sums > mostSums {
					return nil, ErrNoBound
				}
				d.add(single)
			}
			if n > 1 {
				if sums += len(single.law) * len(single.law); sums > mostSums {
					return nil, ErrNoBound
				}
				single.add(single)
			}
			if len(d.law) > mostPlaces {
				return nil, ErrNoBound
			}
		}
	}
	return d, nil
}

// Planned is one release of a plan: its loss and, where they are known, pairs that dominate
// everything that it draws (H: least.md has-loss, dominates; lossdistribution.md dominates).
// Without pairs it counts as the worst release with that loss.
type Planned struct {
	Loss  Loss
	Pairs []Pairs
}

// Mark returns a text that identifies what a plan uses of a release: two releases with one mark
// have the same loss and the same pairs.
func (p Planned) Mark() string {
	sum := sha256.New()
	l := p.Loss
	fmt.Fprint(sum, l.noEpsilon, l.rest, ratText(l.epsilon), ratText(l.Delta()), ratText(l.Rho()),
		ratText(l.odds), ratText(l.rangeOf()))
	for _, of := range p.Pairs {
		fmt.Fprintf(sum, "\n%d times %s %s", of.Times, ratText(of.Pair.base),
			ratText(of.Pair.revealed))
		for _, o := range of.Pair.outcomes {
			fmt.Fprintf(sum, " %d:%s", o.power, ratText(o.mass))
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// ComposePlan is [Compose] for releases whose pairs are known: the least total by any of its rules
// or by the law of the loss itself. The list, with all parameters, is fixed before the first draw.
// A total below [Least] is discarded, so that in the worst case the plain sum stands.
func ComposePlan(plan []Planned, delta Delta) (Total, error) {
	return composePlan(plan, delta, composeByLaw)
}

// composePlan is ComposePlan with the given function for the law of the loss.
func composePlan(plan []Planned, delta Delta, law func([]Planned, Delta) (Loss, error)) (Total,
	error) {
	losses := make([]Loss, len(plan))
	for i, p := range plan {
		losses[i] = p.Loss
	}
	total, err := Compose(losses, delta)
	if exact, none := law(plan, delta); none == nil {
		exact.rho = sumOf(plan).Rho()
		total.Considered = append(total.Considered, Candidate{Distribution, exact})
	}
	all := possible(plan, delta, total.Considered)
	if len(all) == 0 {
		all = lifted(plan, delta, total.Considered)
	}
	if len(all) == 0 {
		return Total{}, cmp.Or(err, ErrNoBound)
	}
	slices.SortStableFunc(all, func(a, b Candidate) int {
		return a.Loss.epsilonOrZero().Cmp(b.Loss.epsilonOrZero())
	})
	return Total{Loss: all[0].Loss, Rule: all[0].Rule, Considered: all}, nil
}

func composeByLaw(plan []Planned, delta Delta) (Loss, error) {
	var list []Pairs
	for _, p := range plan {
		if len(p.Pairs) > 0 {
			list = append(list, p.Pairs...)
			continue
		}
		pair, err := PairOf(p.Loss)
		if err != nil {
			return Loss{}, err
		}
		list = append(list, Pairs{pair, 1})
	}
	d, err := ComposePairs(list)
	if err != nil {
		return Loss{}, err
	}
	return d.At(delta)
}

// stepsOf returns the lattices to add up on: the common base, where all pairs have it and nothing
// is rounded, and a fraction of the losses' root mean square and of the largest sum of losses, as
// the rational that a float stands for. The second serves where there is no common base, or where
// it is too fine: nearly all outcomes of very wide noise have the same loss.
func stepsOf(list []Pairs) (base, step *big.Rat) {
	equal, squares, n, span := true, 0.0, 0.0, 0.0
	for _, p := range list {
		if p.Pair.base == nil {
			continue
		}
		equal = equal && (base == nil || base.Cmp(p.Pair.base) == 0)
		base = p.Pair.base
		log, _ := LogDown(base).Float64()
		largest, times := 0.0, float64(p.Times)
		for _, o := range p.Pair.outcomes {
			m, _ := o.mass.Float64()
			loss := log * float64(o.power)
			squares += times * m * loss * loss
			if m > rareOutcome {
				largest = max(largest, loss)
			}
		}
		n, span = n+times, span+times*largest
	}
	if base == nil {
		return nil, nil
	}
	log := max(min(math.Sqrt(squares/n)/stepsPerLoss, span/stepsInAll), 1e-300)
	step = new(big.Rat).Add(one, new(big.Rat).SetFloat64(math.Expm1(log)))
	if !equal {
		base = nil
	}
	return base, step
}

// placements holds the laws of pairs on one lattice, so that a pair that many releases share is
// placed once.
type placements []placement

type placement struct {
	pair Pair
	law  *LossDistribution // nil: too many places
}

// of returns a copy of a pair's law, since adding up changes it.
func (list *placements) of(p Pair, step *big.Rat) *LossDistribution {
	i := slices.IndexFunc(*list, func(known placement) bool { return known.pair.equal(p) })
	if i < 0 {
		i = len(*list)
		*list = append(*list, placement{p, p.onLattice(step)})
	}
	law := (*list)[i].law
	if law == nil {
		return nil
	}
	single := *law
	return &single // add makes a new law and a new lost
}

// equal reports whether two pairs have the same outcomes.
func (p Pair) equal(q Pair) bool {
	return p.base.Cmp(q.base) == 0 && slices.EqualFunc(p.outcomes, q.outcomes,
		func(a, b outcome) bool {
			return a.power == b.power && (a.mass == b.mass || a.mass.Cmp(b.mass) == 0)
		})
}

// onLattice splits each outcome between the two places around its odds, so that P and Q keep their
// masses: the two places distinguish at least as much as the outcome did. nil: too many places.
func (p Pair) onLattice(step *big.Rat) *LossDistribution {
	type part struct {
		place int
		mass  mass
	}
	var parts []part
	first, last := math.MaxInt, math.MinInt
	put := func(place int, m *big.Rat) {
		parts = append(parts, part{place, massUp(m)})
		first, last = min(first, place), max(last, place)
	}
	same := step.Cmp(p.base) == 0
	baseDown, baseUp := Log(p.base)
	stepDown, stepUp := Log(step)
	for _, o := range p.outcomes {
		if same {
			put(int(o.power), o.mass)
			continue
		}
		n := big.NewRat(o.power, 1)
		low, high := new(big.Rat).Mul(n, baseDown), new(big.Rat).Mul(n, baseUp)
		if o.power < 0 {
			low, high = high, low
		}
		place := floor(new(big.Rat).Quo(low, stepUp))
		if low.Sign() < 0 {
			place = floor(new(big.Rat).Quo(low, stepDown))
		}
		if !place.IsInt64() || max(place.Int64(), -place.Int64()) > mostPlaces {
			return nil
		}
		j := int(place.Int64())
		// The share of the upper place is (1 − e^(j·ln step − loss))·step/(step − 1).
		least := new(big.Rat).SetInt64(int64(j))
		most := new(big.Rat).Set(least)
		if j < 0 {
			least.Mul(least, stepUp)
			most.Mul(most, stepDown)
		} else {
			least.Mul(least, stepDown)
			most.Mul(most, stepUp)
		}
		scale := new(big.Rat).Quo(step, new(big.Rat).Sub(step, one))
		share := func(exponent *big.Rat, exp func(*big.Rat) *big.Rat) *big.Rat {
			s := new(big.Rat).Sub(one, exp(exponent))
			s.Mul(s, scale)
			if s.Sign() < 0 {
				return new(big.Rat)
			}
			if s.Cmp(one) > 0 {
				return big.NewRat(1, 1)
			}
			return s
		}
		upper := share(least.Sub(least, high), ExpDown)
		lower := new(big.Rat).Sub(one, share(most.Sub(most, low), ExpUp))
		put(j+1, upper.Mul(upper, o.mass))
		put(j, lower.Mul(lower, o.mass))
	}
	if last-first >= mostPlaces {
		return nil
	}
	d := &LossDistribution{step: step, first: first, law: make([]mass, last-first+1),
		lost: new(big.Rat)}
	for _, x := range parts {
		d.law[x.place-first] = d.law[x.place-first].plus(x.mass)
	}
	return d
}

// add turns d into the law of d's loss plus an independent loss of other's, which may be d itself,
// and cuts the tails.
func (d *LossDistribution) add(other *LossDistribution) {
	sum := make([]mass, len(d.law)+len(other.law)-1)
	for i, a := range d.law {
		if a.isZero() {
			continue
		}
		for j, b := range other.law {
			if !b.isZero() {
				sum[i+j] = sum[i+j].plus(a.times(b))
			}
		}
	}
	// What is lost in either is lost in both: at most the sum of the two.
	d.lost = new(big.Rat).Add(d.lost, other.lost)
	d.first += other.first
	d.law = sum
	d.cut()
}

// cut moves the rarest outcomes above into lost, and the rarest below up to where the rest begins.
func (d *LossDistribution) cut() {
	tail := mass{lo: 1 << 20} // 2^-106 a time: all times and doublings together stay below 2^-64
	above, end := mass{}, len(d.law)
	for end > 1 {
		next := above.plus(d.law[end-1])
		if tail.less(next) {
			break
		}
		above = next
		end--
	}
	d.lost.Add(d.lost, above.rat())
	d.law = d.law[:end]
	below, begin := mass{}, 0
	for begin < len(d.law)-1 {
		next := below.plus(d.law[begin])
		if tail.less(next) {
			break
		}
		below = next
		begin++
	}
	d.law = d.law[begin:]
	d.law[0] = d.law[0].plus(below)
	d.first += begin
}

// Delta returns an upper bound on the δ for which all releases together are (ε, δ)-DP: at most 1.
func (d *LossDistribution) Delta(epsilon *big.Rat) *big.Rat {
	delta := new(big.Rat).Set(d.lost)
	if d.step != nil {
		delta.Add(delta, dyadic(d.beyond(epsilon), -pointBits-massBits))
	}
	return capAtOne(roundUp(delta))
}

// beyond returns the sum of mass·(1 − e^ε/odds) over the places whose odds are above e^ε, rounded
// up.
func (d *LossDistribution) beyond(epsilon *big.Rat) *big.Int {
	log := LogUp(d.step)
	sum, part := new(big.Int), new(big.Int)
	below := floor(new(big.Rat).Quo(epsilon, log)) // odds of step^below are at most e^ε
	last := d.first + len(d.law) - 1
	if below.Cmp(big.NewInt(int64(last))) >= 0 {
		return sum
	}
	first := max(int(below.Int64())+1, d.first)
	inverse := pointDown(new(big.Rat).Inv(d.step))
	// e^ε/odds at the first place, rounded down: it only shrinks from there on, and once it is
	// rounded to 0, whole masses are added.
	ratio := new(big.Int)
	exponent := new(big.Rat).Mul(log, big.NewRat(int64(first), 1))
	if exponent.Sub(epsilon, exponent).Cmp(big.NewRat(-pointBits, 1)) > 0 {
		ratio = pointDown(ExpDown(exponent))
	}
	for j := first; j <= last; j++ {
		if m := d.law[j-d.first]; !m.isZero() && ratio.Cmp(pointOne) < 0 {
			sum.Add(sum, part.Mul(m.whole(), part.Sub(pointOne, ratio)))
		}
		ratio.Rsh(ratio.Mul(ratio, inverse), pointBits)
	}
	return sum
}

// At returns an upper bound on the smallest ε for which all releases together are (ε, δ)-DP. It
// returns ErrNoBound where there is no such ε.
func (d *LossDistribution) At(delta Delta) (Loss, error) {
	rest := new(big.Rat).Sub(delta.Rat(), d.lost)
	if rest.Sign() < 0 {
		return Loss{}, ErrNoBound
	}
	loss := Loss{epsilon: new(big.Rat), delta: delta.Rat()}
	if d.step == nil {
		return loss, nil
	}
	allowed, inverse := pointDown(rest), pointDown(new(big.Rat).Inv(d.step))
	// At place j everything is in units of step^j: weighed, the mass of Q from j on, and over/of,
	// the largest odds so far. So nothing rounds to 0, however large the odds are.
	above, weighed := new(big.Int), new(big.Int)
	over, of := new(big.Int), big.NewInt(1)
	place, y := 0, new(big.Int)
	for j := d.first + len(d.law) - 1; j >= max(1, d.first); j-- {
		weighed.Rsh(weighed.Mul(weighed, inverse), pointBits)
		of.Rsh(of.Mul(of, inverse), pointBits)
		m := d.law[j-d.first]
		if place = j; m.isZero() {
			continue
		}
		chance := m.whole()
		chance.Lsh(chance, pointBits-massBits)
		above.Add(above, chance)
		weighed.Add(weighed, chance)
		y.Sub(above, allowed)
		if y.Sign() > 0 && (over.Sign() == 0 ||
			new(big.Int).Mul(y, of).Cmp(new(big.Int).Mul(over, weighed)) > 0) {
			over, of = new(big.Int).Lsh(y, guardBits), new(big.Int).Lsh(weighed, guardBits)
		}
		// Below, y is less than 2 and weighed at least one mass: no odds there are 2^127.
		if new(big.Int).Rsh(over, massBits+2).Cmp(of) > 0 {
			break
		}
	}
	if over.Sign() > 0 {
		_, odds := logFixed(new(big.Rat).SetFrac(over, of))
		_, step := logFixed(d.step)
		odds.Add(odds, step.Mul(step, big.NewInt(int64(place))))
		if odds.Sign() > 0 {
			loss.epsilon = shorten(odds, workBits-1, true)
		}
	}
	return loss, nil
}

// pointBits is the number of binary places in the sums of Delta and At. These are whole numbers,
// since fractions would be reduced to lowest terms at each of thousands of places. guardBits more
// keep the odds found so far precise while they are converted to smaller units.
const (
	pointBits = 512
	guardBits = pointBits + massBits + 2
)

// never written to
var pointOne = pow2(pointBits)

// pointDown returns a number of at least 0 in units of 2^-pointBits, rounded down.
func pointDown(r *big.Rat) *big.Int {
	n := new(big.Int).Lsh(r.Num(), pointBits)
	return n.Quo(n, r.Denom())
}

// mass is a chance in units of 2^-126. Sums and products are rounded up, and stop below 4.
type mass struct{ hi, lo uint64 }

const massBits = 126

var massOne = mass{hi: 1 << (massBits - 64)}

// massUp rounds up a rational of at least 0 and below 2.
func massUp(r *big.Rat) mass {
	n := divUp(new(big.Int).Lsh(r.Num(), massBits), r.Denom())
	low := new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64))
	return mass{n.Rsh(n, 64).Uint64(), low.Uint64()}
}

func (m mass) rat() *big.Rat { return dyadic(m.whole(), -massBits) }

// whole returns the chance in units of 2^-126.
func (m mass) whole() *big.Int {
	n := new(big.Int).SetUint64(m.hi)
	return n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(m.lo))
}

func (m mass) isZero() bool { return m.hi|m.lo == 0 }

func (m mass) less(n mass) bool { return m.hi < n.hi || m.hi == n.hi && m.lo < n.lo }

// plus never overflows: the masses of a law sum to less than 2.
func (m mass) plus(n mass) mass {
	lo, carry := bits.Add64(m.lo, n.lo, 0)
	hi, _ := bits.Add64(m.hi, n.hi, carry)
	return mass{hi, lo}
}

// times drops the lowest 126 bits of 256, and adds a unit where one of them is set.
func (m mass) times(n mass) mass {
	p1, p0 := bits.Mul64(m.lo, n.lo)
	a1, a0 := bits.Mul64(m.hi, n.lo)
	b1, b0 := bits.Mul64(m.lo, n.hi)
	p3, p2 := bits.Mul64(m.hi, n.hi)
	var carry uint64
	p1, carry = bits.Add64(p1, a0, 0)
	p2, carry = bits.Add64(p2, a1, carry)
	p3 += carry
	p1, carry = bits.Add64(p1, b0, 0)
	p2, carry = bits.Add64(p2, b1, carry)
	p3 += carry
	product := mass{p3<<2 | p2>>62, p2<<2 | p1>>62}
	if p1<<2|p0 != 0 {
		product = product.plus(mass{lo: 1})
	}
	return product
}
