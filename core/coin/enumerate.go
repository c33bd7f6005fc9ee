package coin

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
)

// Limits bounds an enumeration. Zero fields mean the documented default.
type Limits struct {
	// Runs is the largest number of branches walked; default 2^20.
	Runs int
	// Tail is the mass at which a Geometric draw is cut: it branches on 0 … k−1 for the smallest k
	// with r^(−k) ≤ Tail, and the rest is cut mass. Default 2^−40.
	Tail *big.Rat
	// Top, where it is not zero, replaces the cut of Geometric draws: they branch on 0 … Top, and
	// Top has all the mass from there on, so nothing is cut. The law is exact for a run that treats
	// all values from Top on alike, as one that clamps what it adds noise to.
	Top uint64
	// Bits, where it is not zero, rounds every chance down to a multiple of 2^−Bits; what is left
	// is cut, so that the masses are lower bounds and those with the cut upper ones. Numbers stay
	// short where a base has many digits.
	Bits uint
	// Uniform is the largest n a Uniform draw may have; default 4096.
	Uniform uint64
	// OnRun, where it is set, receives after every branch how many were walked and what mass they
	// and the cut have. Its error ends the enumeration. The mass is not to be kept.
	OnRun func(runs int, covered *big.Rat) error
}

// Enumerate calls run once for every way its coins can fall and returns the exact law of its
// results. run must be a function of its coins alone: it is started again from the beginning for
// every branch. Equal results merge.
//
// Bernoulli and Uniform branch on every value, Choose on every group with a positive multiplicity,
// Geometric up to the cut or the top. To keep runs few, a comparison with noise is drawn as one
// Bernoulli with its exact tail.
//
// The error is run's own, or says that a limit was passed. Cost: one run per branch.
func Enumerate[T comparable](limits Limits, run func(Source) (T, error)) (*Law[T], error) {
	law := NewLaw[T]()
	walk := newEnumeration(limits)
	covered := new(big.Rat)
	for runs := 1; ; runs++ {
		if runs > walk.limits.Runs {
			return nil, fmt.Errorf(
				"coin: more than %d branches: cut tails earlier, or enumerate in steps",
				walk.limits.Runs)
		}
		var outcome T
		if err := walk.run(func() (err error) {
			outcome, err = run(walk)
			return err
		}); err != nil {
			return nil, err
		}
		law.Add(outcome, walk.mass())
		if walk.limits.OnRun != nil {
			covered.Add(covered, walk.mass())
			if err := walk.limits.OnRun(runs, new(big.Rat).Add(covered, &walk.cut)); err != nil {
				return nil, err
			}
		}
		if !walk.advance() {
			law.AddCut(&walk.cut)
			return law, nil
		}
	}
}

// enumeration is the Source that walks a tree of branches depth first. Its path holds one node per
// draw of the current run; a run first replays the path and then extends it by first branches.
type enumeration struct {
	limits     Limits
	path       []node
	depth      int // draws made in the current run
	cut        big.Rat
	geometrics []geometricLaw
}

var _ Source = (*enumeration)(nil)

// node is one draw: its branches' values and chances, and the branch taken.
type node struct {
	kind     string
	branches []branch
	taken    int
	mass     *big.Rat // of the path down to this node and its taken branch
}

type branch struct {
	value  uint64
	chance *big.Rat
}

// stopped ends a run that cannot be enumerated; Enumerate turns it into its error.
type stopped struct{ err error }

func newEnumeration(limits Limits) *enumeration {
	if limits.Runs == 0 {
		limits.Runs = 1 << 20
	}
	if limits.Tail == nil {
		limits.Tail = powerOfTwo(-40)
	}
	if limits.Uniform == 0 {
		limits.Uniform = 4096
	}
	return &enumeration{limits: limits}
}

// run starts one run and turns the panic of a draw that cannot be enumerated into its error.
func (e *enumeration) run(f func() error) (err error) {
	e.depth = 0
	defer func() {
		if reason := recover(); reason != nil {
			stop, ours := reason.(stopped)
			if !ours {
				panic(reason)
			}
			err = stop.err
		}
	}()
	err = f()
	if err == nil && e.depth < len(e.path) {
		err = errNotReplayed
	}
	return err
}

var errNotReplayed = errors.New(
	"coin: an enumerated run drew otherwise when it was repeated: it depends on more than its " +
		"coins")

// mass returns the mass of the entire current path.
func (e *enumeration) mass() *big.Rat {
	if len(e.path) == 0 {
		return one
	}
	return e.path[len(e.path)-1].mass
}

// advance moves to the next branch of the deepest node that has one; it returns false when all are
// done.
func (e *enumeration) advance() bool {
	for len(e.path) > 0 {
		last := &e.path[len(e.path)-1]
		if last.taken+1 < len(last.branches) {
			last.taken++
			e.weigh(len(e.path) - 1)
			return true
		}
		e.path = e.path[:len(e.path)-1]
	}
	return false
}

func (e *enumeration) weigh(i int) {
	before := one
	if i > 0 {
		before = e.path[i-1].mass
	}
	n := &e.path[i]
	n.mass = new(big.Rat).Mul(before, n.branches[n.taken].chance)
}

// draw returns the value of the branch to follow. fork lists the branches, and is called only for a
// new node.
func (e *enumeration) draw(kind string, fork func() []branch) uint64 {
	if e.depth == len(e.path) {
		branches := fork()
		if e.limits.Bits > 0 {
			branches = e.rounded(branches)
		}
		e.path = append(e.path, node{kind: kind, branches: branches})
		e.weigh(e.depth)
	}
	n := &e.path[e.depth]
	if n.kind != kind {
		panic(stopped{errNotReplayed})
	}
	e.depth++
	return n.branches[n.taken].value
}

// rounded returns the branches with chances of Limits.Bits, and cuts the rest.
func (e *enumeration) rounded(branches []branch) []branch {
	var kept []branch
	lost := big.NewRat(1, 1)
	for _, b := range branches {
		if chance := roundedDown(b.chance, e.limits.Bits); chance.Sign() > 0 {
			kept = append(kept, branch{b.value, chance})
			lost.Sub(lost, chance)
		}
	}
	if kept == nil {
		panic(stopped{
			fmt.Errorf("coin: cannot enumerate a draw with chances of %d bits: want more",
				e.limits.Bits)})
	}
	e.cut.Add(&e.cut, lost.Mul(lost, e.mass()))
	return kept
}

// roundedDown returns the largest multiple of 2^−bits that is at most x.
func roundedDown(x *big.Rat, bits uint) *big.Rat {
	n := new(big.Int).Lsh(x.Num(), bits)
	return ofBits(n.Quo(n, x.Denom()), bits)
}

func ofBits(n *big.Int, bits uint) *big.Rat {
	return new(big.Rat).SetFrac(n, new(big.Int).Lsh(bigOne, bits))
}

func (e *enumeration) Origin() Origin { return Enumerating }

func (e *enumeration) Bernoulli(p Chance) bool {
	return e.draw("bernoulli", func() []branch {
		if bits := e.limits.Bits; bits > 0 {
			low, high := p.enclose(bits + 16).fixed(bits)
			high.Sub(new(big.Int).Lsh(bigOne, bits), high)
			if p.complement {
				low, high = high, low
			}
			return likely(branch{0, ofBits(high, bits)}, branch{1, ofBits(low, bits)})
		}
		yes := p.Rat()
		return likely(branch{0, new(big.Rat).Sub(one, yes)}, branch{1, yes})
	}) == 1
}

func (e *enumeration) Uniform(n uint64) uint64 {
	if n == 0 {
		panic("coin: internal error: uniform choice among nothing")
	}
	if n > e.limits.Uniform {
		panic(stopped{
			fmt.Errorf("coin: cannot enumerate a uniform draw from %d values: at most %d", n,
				e.limits.Uniform)})
	}
	return e.draw("uniform", func() []branch {
		each := new(big.Rat).SetFrac(bigOne, new(big.Int).SetUint64(n))
		branches := make([]branch, n)
		for i := range branches {
			branches[i] = branch{uint64(i), each}
		}
		return branches
	})
}

func (e *enumeration) UniformBig(n *big.Int) *big.Int {
	if !n.IsUint64() && n.Sign() > 0 {
		panic(stopped{
			fmt.Errorf("coin: cannot enumerate a uniform draw from 2^64 or more values: at most %d",
				e.limits.Uniform)})
	}
	return new(big.Int).SetUint64(e.Uniform(n.Uint64()))
}

// geometricLaw is a cut geometric law, computed once per base.
type geometricLaw struct {
	base     Base
	branches []branch
	tail     *big.Rat
}

func (e *enumeration) Geometric(r Base) uint64 {
	if r.IsOne() {
		panic("coin: internal error: geometric noise needs a base above 1")
	}
	return e.draw("geometric", func() []branch {
		law := e.geometric(r)
		if e.limits.Bits == 0 { // else all that is not a branch's is cut
			e.cut.Add(&e.cut, new(big.Rat).Mul(e.mass(), law.tail))
		}
		return law.branches
	})
}

func (e *enumeration) geometric(r Base) geometricLaw {
	for _, law := range e.geometrics {
		if law.base.same(r) {
			return law
		}
	}
	ratio := new(big.Rat).Inv(r.Rat())
	stop := new(big.Rat).Sub(one, ratio)
	law := geometricLaw{base: r, tail: new(big.Rat).Set(one)}
	for e.limits.Top > 0 || law.tail.Cmp(e.limits.Tail) > 0 {
		if len(law.branches) >= e.limits.Runs {
			panic(stopped{fmt.Errorf("coin: cannot enumerate geometric noise with base %v: more "+
				"than %d values before the cut", r, e.limits.Runs)})
		}
		k := uint64(len(law.branches))
		if e.limits.Top > 0 && k == e.limits.Top {
			law.branches, law.tail = append(law.branches, branch{k, law.tail}), new(big.Rat)
			break
		}
		law.branches = append(law.branches, branch{k, new(big.Rat).Mul(law.tail, stop)})
		if law.tail = new(big.Rat).Mul(law.tail, ratio); e.limits.Bits > 0 {
			law.tail = roundedDown(law.tail, 2*e.limits.Bits)
		}
	}
	e.geometrics = append(e.geometrics, law)
	return law
}

func (e *enumeration) Choose(g Groups, r Base, step Step) (int, error) {
	if step != nil {
		if err := step(int64(g.Len()), int64(g.Len())); err != nil {
			return -1, err
		}
	}
	return int(e.draw("choose", func() []branch { return choiceLaw(g, r) })), nil
}

// maxSpread is the largest difference of scores whose weights are computed exactly.
const maxSpread = 1 << 16

// choiceLaw lists the groups that can be chosen with their exact probabilities.
func choiceLaw(g Groups, r Base) []branch {
	var branches []branch
	var scores []int64
	for i := range g.Len() {
		score, m, many := g.Group(i)
		if many == nil {
			many = new(big.Int).SetUint64(m)
		}
		if many.Sign() > 0 {
			branches = append(branches, branch{uint64(i), new(big.Rat).SetInt(many)})
			scores = append(scores, score)
		}
	}
	if len(branches) == 0 {
		panic("coin: internal error: choice among groups of which none has a positive multiplicity")
	}
	lowest, total := slices.Min(scores), new(big.Rat)
	for i, b := range branches {
		d := uint64(scores[i]) - uint64(lowest)
		if d > maxSpread {
			panic(stopped{
				fmt.Errorf("coin: cannot enumerate a choice among scores that differ by %d: at "+
					"most %d", d, maxSpread)})
		}
		b.chance.Quo(b.chance, r.Pow(d).Rat())
		total.Add(total, b.chance)
	}
	for _, b := range branches {
		b.chance.Quo(b.chance, total)
	}
	return branches
}

// likely leaves out branches that cannot happen.
func likely(branches ...branch) []branch {
	kept := branches[:0]
	for _, b := range branches {
		if b.chance.Sign() > 0 {
			kept = append(kept, b)
		}
	}
	return kept
}
