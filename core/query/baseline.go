package query

import (
	"math"
	"math/big"

	"hush/core/coin"
	"hush/core/privacy"
)

// Baseline lists what lessons compare with. "local" is [Local], the price of trusting nobody.
// "exact" is what the paper builds on: the decomposition and the means that
// [Learn] finds where every value is told exactly. It protects nobody and is for lessons on made-up
// data. Its pieces are of Lipschitz constant 1/4, as those of the ways that are private.
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
	return append(list, Choice{Name: "exact", Error: uncorrected,
		New: func() (Conjunctive, error) {
			return conjunctions{baseline{UpToWidth(p.Width)}}, nil
		}}), nil
}

const (
	mostExact       = 64  // attributes: a value is asked for of each and each piece
	baselineSamples = 200 // sets of a piece, whose mean is learned
)

// baseline learns the disjunctions of records without privacy.
type baseline struct{ workloads []Workload }

// Loss says that nobody is protected.
func (baseline) Loss(privacy.Distance) (privacy.Loss, error) { return privacy.NoPrivacy(), nil }

func (m baseline) ReleaseConjunctions(src coin.Source, records *Records,
	step coin.Step) (*Release, error) {
	f := Coverage{records.Complement()}
	out := &Release{Format: format, Method: ByPieces, Kind: Conjunctions, Size: f.Size(),
		Persons: f.Persons(), Loss: privacy.NoPrivacy(), Origin: src.Origin(),
		Workloads: m.workloads}
	for _, w := range m.workloads { // the pieces are the same for all
		learned, err := Learn(src, f, big.NewRat(1, 4), false, w, baselineSamples, step)
		if err != nil {
			return nil, err
		}
		out.Pieces = learned.Pieces
		for _, mean := range learned.Means {
			if mean != nil {
				persons := new(big.Rat).Mul(mean, big.NewRat(f.Top()*meanUnit, 1))
				out.Means = append(out.Means,
					new(big.Int).Quo(persons.Num(), persons.Denom()).Int64())
			}
		}
	}
	return out, nil
}
