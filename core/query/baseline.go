package query

import (
	"math"
	"math/big"

	"hush/core/coin"
	"hush/core/privacy"
)

// Baseline lists the baselines that lessons compare with. "local" is [Local], the price of trusting
// nobody. "exact" is what the paper builds on: the decomposition and the means that [Learn] finds
// where every value is given exactly. "tolerant" is the same for values [Rounded] as coarsely as
// its Algorithm 2 allows (the rule [TwoThresholds]), to 1/48 of all people. The last two protect
// nobody and are for lessons on made-up data. Their pieces have the Lipschitz constant 1/4, like
// those of the private methods.
func Baseline(p ChoiceParams) ([]Choice, error) {
	if _, err := Choose(p); err != nil {
		return nil, err
	}
	p.Width = min(p.Width, p.Size)
	local, err := NewLocal(LocalParams{Epsilon: p.Epsilon})
	if err != nil {
		return nil, err
	}
	off := math.Sqrt(2/math.Pi) * local.deviation(p.Persons, p.Size) / float64(p.Persons)
	list := []Choice{{Name: "local", Error: off,
		New: func() (Conjunctive, error) { return local, nil }}}
	if p.Width > 64 || p.Size > mostExact {
		return list, nil
	}
	learned := func(name string, tolerant bool) Choice {
		return Choice{Name: name, Error: uncorrected, New: func() (Conjunctive, error) {
			return conjunctions{baseline{UpToWidth(p.Width), tolerant}}, nil
		}}
	}
	return append(list, learned("exact", false), learned("tolerant", true)), nil
}

const (
	mostExact       = 64  // attributes: a value is asked for of each and each piece
	baselineSamples = 200 // sets of a piece, whose mean is learned
	toleratedSteps  = 24  // half of 1/24 is TwoThresholds.Tolerance/4
)

// baseline learns the disjunctions of records without privacy.
type baseline struct {
	workloads []Workload
	tolerant  bool // of rounded values
}

// Loss states that nobody is protected.
func (baseline) Loss(privacy.Distance) (privacy.Loss, error) { return privacy.NoPrivacy(), nil }

func (m baseline) ReleaseConjunctions(src coin.Source, records *Records,
	step coin.Step) (*Release, error) {
	var f Function = Coverage{records.Complement()}
	top, rule := f.Top(), Exact
	if m.tolerant {
		f, rule = Rounded{f, toleratedSteps}, TwoThresholds
	}
	out := &Release{Format: format, Method: ByPieces, Kind: Conjunctions, Size: f.Size(),
		Persons: records.Persons(), Loss: privacy.NoPrivacy(), Origin: src.Origin(),
		Workloads: m.workloads}
	for _, w := range m.workloads { // the pieces are the same for all
		learned, err := Learn(src, f, big.NewRat(1, 4), rule, false, w, baselineSamples,
			step)
		if err != nil {
			return nil, err
		}
		out.Pieces = learned.Pieces
		for _, mean := range learned.Means {
			if mean != nil {
				persons := new(big.Rat).Mul(mean, big.NewRat(top*meanUnit, 1))
				out.Means = append(out.Means,
					new(big.Int).Quo(persons.Num(), persons.Denom()).Int64())
			}
		}
	}
	return out, nil
}
