package query

import (
	"math/big"

	"hush/core/coin"
)

// Piece is the sets that contain all of In and none of Out: a subcube of the sets of the ground
// set.
type Piece struct {
	In  Set `json:"in"`
	Out Set `json:"out"`
}

// Contains says whether s belongs to the piece.
func (p Piece) Contains(s Set) bool { return p.In.Within(s) && !p.Out.Meets(s) }

// free returns the members of the ground set that the piece leaves open.
func (p Piece) free(size int) Set { return p.Out.complement(size).minus(p.In) }

// Decomposition is a list of pieces such that every set belongs to exactly one.
type Decomposition []Piece

// Find returns the index of the piece that s belongs to. For a monotone decomposition its In is the
// paper's F(s) and its Out T(F(s)). The index is −1 if there is no such piece, which can happen
// only where the pieces were read from elsewhere.
func (d Decomposition) Find(s Set) int {
	for i, p := range d {
		if p.Contains(s) {
			return i
		}
	}
	return -1
}

// Rule says how a threshold test is set up for pieces of Lipschitz constant α (Algorithms 1 and 2):
// x is split off a set if the marginal value of x, known to ± Tolerance, is above Include. All are
// fractions of α.
type Rule struct{ Include, Tolerance *big.Rat }

var (
	// Exact is Algorithm 1: for values known exactly. At most Σ_{j<1/α} (d choose j) pieces.
	Exact = Rule{big.NewRat(1, 1), new(big.Rat)}

	// TwoThresholds is Algorithm 2 as in the paper: |S| < 3/α. Its second threshold, 5α/6, bounds a
	// domain that contains the piece (decompose.md).
	TwoThresholds = Rule{big.NewRat(1, 2), big.NewRat(1, 12)}

	// OneThreshold allows a larger tolerance and smaller sets: |S| < 2/α.
	OneThreshold = Rule{big.NewRat(3, 4), big.NewRat(1, 8)}
)

// Decompose splits the sets of a ground set into pieces on each of which no element adds more than
// α·Top to a set and, if both is set, none takes more than that away: Algorithm 1 for the rule
// Exact, 2 for the other rules, 4 where both is set. f's values may be off by Tolerance·α·Top, if
// each set always has the same value.
//
// Every set belongs to exactly one piece whatever f says; the Lipschitz bound is for a submodular f
// (decompose.md). limit is the most pieces made (0 is no limit); tests after the last of them count
// as negative. step may be nil.
func Decompose(f Function, alpha *big.Rat, rule Rule, both bool, limit int,
	step coin.Step) (Decomposition, error) {
	include := new(big.Rat).Mul(rule.Include, alpha)
	include.Mul(include, new(big.Rat).SetInt64(f.Top()))
	values := map[string]int64{}
	value := func(s Set) int64 {
		key := s.key()
		v, ok := values[key]
		if !ok {
			v = f.Value(s)
			values[key] = v
		}
		return v
	}
	passes := 1
	if both {
		passes = 2
	}
	s := newSplitter(f.Size(), passes, limit)
	for x, pass := range s.elements() {
		if step != nil {
			if err := step(int64(pass*s.size+x), int64(passes*s.size)); err != nil {
				return nil, err
			}
		}
		for i, p := range s.open(x) {
			if s.full() {
				break
			}
			from, to := p.ends(s.size, x, pass)
			if new(big.Rat).SetInt64(value(to)-value(from)).Cmp(include) > 0 {
				s.split(i, x, pass)
			}
		}
	}
	return s.pieces, nil
}

// ends returns the two sets whose values a test compares. From below, x is added to the smallest
// set of the piece; from above, it is taken from the largest.
func (p Piece) ends(size, x, pass int) (from, to Set) {
	if pass == 0 {
		return p.In, p.In.With(x)
	}
	top := p.Out.complement(size)
	return top, top.Without(x)
}

// splitter holds the pieces while they are split: from below by the elements in order and then, in
// a second pass if there is one, from above.
type splitter struct {
	size, passes, limit int
	pieces              Decomposition
}

func newSplitter(size, passes, limit int) *splitter {
	return &splitter{size, passes, limit, Decomposition{{In: emptySet(size), Out: emptySet(size)}}}
}

func (s *splitter) full() bool { return s.limit > 0 && len(s.pieces) >= s.limit }

// elements returns each element and pass in the order of the tests.
func (s *splitter) elements() func(yield func(x, pass int) bool) {
	return func(yield func(x, pass int) bool) {
		for pass := range s.passes {
			for x := range s.size {
				if !yield(x, pass) {
					return
				}
			}
		}
	}
}

// open returns the current pieces that leave x open, with their indices.
func (s *splitter) open(x int) func(yield func(i int, p Piece) bool) {
	return func(yield func(i int, p Piece) bool) {
		for i := range len(s.pieces) {
			if p := s.pieces[i]; !p.In.Has(x) && !p.Out.Has(x) && !yield(i, p) {
				return
			}
		}
	}
}

// split splits a piece in two: with and without x. The old one keeps the set from which its tests
// start.
func (s *splitter) split(i, x, pass int) {
	p := s.pieces[i]
	old, new := Piece{p.In, p.Out.With(x)}, Piece{p.In.With(x), p.Out}
	if pass == 1 {
		old, new = new, old
	}
	s.pieces[i] = old
	s.pieces = append(s.pieces, new)
}
