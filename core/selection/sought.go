package selection

import (
	"fmt"
	"math/big"

	"hush/core/privacy"
)

// SoughtParams are the parameters of a search that finds on its own what is good enough, among runs
// with one of several combinations drawn at random. The division of the loss is explained in
// tune.md, A threshold that is sought.
type SoughtParams struct {
	Epsilon      privacy.Epsilon // of all; required
	Delta        privacy.Delta   // that samples may mislead with, above 0; required
	Combinations int64           // required
	Levels       []int64         // the scores to choose from, the highest first; public; required
	Runs         uint64          // to find the threshold, at most; required
}

// soughtParts is the number of parts into which ε is cut to find what a run may cost.
const soughtParts = 1 << 12

// Run returns the largest ε that a run with its score may cost if Runs are to suffice; an error
// (epsilon) says that there is none.
func (p SoughtParams) Run() (privacy.Epsilon, error) {
	low, high := int64(0), int64(soughtParts/2) // low is possible, or nothing is
	for low+1 < high {
		middle := (low + high) / 2
		m, err := p.Search(privacy.PureLoss(p.Epsilon.Part(middle, soughtParts)))
		if err == nil && m.Samples() <= p.Runs {
			low = middle
		} else {
			high = middle
		}
	}
	if low == 0 {
		return privacy.Epsilon{}, refuse("epsilon", p.Epsilon.String(),
			"more, fewer combinations, or more than %d runs", p.Runs)
	}
	return p.Epsilon.Part(low, soughtParts), nil
}

// Search returns the search for runs with loss one, which has no δ: all of ε beyond twice a run's
// goes to the search. A threshold counts if one run in 2k reaches it, for k combinations; in half
// of the cases the best such threshold, or a better one, is found.
func (p SoughtParams) Search(one privacy.Loss) (*Unknown, error) {
	if p.Combinations < 1 {
		return nil, refuse("combinations", fmt.Sprint(p.Combinations), "at least 1")
	}
	run, ok := one.Epsilon()
	if !ok {
		return nil, privacy.ErrNoBound
	}
	rest, err := privacy.NewEpsilon(new(big.Rat).Sub(p.Epsilon.Rat(), run.Mul(run, ratOf(2))))
	if err != nil {
		return nil, err
	}
	return NewUnknown(UnknownParams{Loss: one, Epsilon: rest, Delta: p.Delta, Levels: p.Levels,
		Share: big.NewRat(1, 2*p.Combinations), Beta: big.NewRat(1, 2)})
}
