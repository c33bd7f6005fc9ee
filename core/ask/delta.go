package ask

import (
	"math/big"
	"slices"

	"hush/core/privacy"
)

// paramDelta is the name of the parameter δ; with the value autoDelta, δ is worked out from public
// facts.
const (
	ParamDelta = "delta"
	autoDelta  = "auto"
)

// DeltaParam is a parameter δ that is above 0 only where the person says so.
var DeltaParam = Param{
	Name: ParamDelta, Label: "Chance of an exception δ (delta)", Kind: Decimal, Default: "0",
	Help: "0, or a chance far below 1 divided by the number of people, such as 0.000000001.",
	Effect: "Above 0, Gaussian noise is used where its proven error is smaller; the guarantee " +
		"then has exceptions of this chance.",
}

// Delta reads the parameter δ, for one entry of a person; "0" is pure differential privacy.
func (q *Query) Delta() (privacy.Delta, error) { return q.forEach(q.delta()) }

// WholeDelta is the δ for all entries of a person; 0 where the question takes none.
func (q *Query) WholeDelta() (privacy.Delta, error) {
	if !q.takesDelta() {
		return privacy.Delta{}, nil
	}
	return q.delta()
}

// takesDelta says whether the question has the parameter δ.
func (q *Query) takesDelta() bool {
	return slices.ContainsFunc(q.Task.Params, func(p Param) bool { return p.Name == ParamDelta })
}

// delta returns the recipe's δ for all entries of a person.
func (q *Query) delta() (privacy.Delta, error) {
	text := q.Param(ParamDelta)
	if text == "0" {
		return privacy.Delta{}, nil
	}
	delta, err := privacy.ParseDelta(text)
	if err != nil {
		return delta, err
	}
	return delta, delta.Check(uint64(q.Persons()))
}

// AllowedDeltaParam is a parameter δ that only algorithms in need of one spend.
var AllowedDeltaParam = Param{
	Name: ParamDelta, Label: "δ (delta), if one is needed", Kind: Decimal, Default: autoDelta,
	Help: "auto: a ten-millionth, or less for many people. 0: none.",
	Effect: "Only algorithms for very many possible values spend it: the guarantee then has " +
		"exceptions of this chance.",
}

// AllowedDelta reads the parameter allowed δ, for one entry of a person.
func (q *Query) AllowedDelta() (privacy.Delta, error) {
	if q.Shared != nil {
		return *q.Shared, nil
	}
	return q.forEach(q.personDelta())
}

// EachDelta returns the δ that one entry of a person may have, so that all of them together have at
// most delta (group.md of core/privacy).
func (q *Query) EachDelta(delta privacy.Delta) (privacy.Delta, error) {
	return privacy.DeltaOfEach(q.Epsilon, delta, privacy.Distance(q.Recipe.Use.Entries()))
}

func (q *Query) forEach(delta privacy.Delta, err error) (privacy.Delta, error) {
	if err != nil {
		return delta, err
	}
	return q.EachDelta(delta)
}

// personDelta is the δ allowed for all entries of a person.
func (q *Query) personDelta() (privacy.Delta, error) {
	if q.Param(ParamDelta) != autoDelta {
		return q.delta()
	}
	return q.ownDelta()
}

// ownDelta is the allowed δ where the recipe states none: a ten-millionth, or less for many people.
func (q *Query) ownDelta() (privacy.Delta, error) {
	limit := new(big.Rat).SetFrac64(1, 10*max(q.Persons(), 1))
	r := big.NewRat(1, 10_000_000)
	for r.Cmp(limit) > 0 {
		r.Quo(r, big.NewRat(10, 1))
	}
	return privacy.NewDelta(r)
}
