package query

import (
	"slices"
	"testing"

	"hush/core/coin"
	"hush/core/privacy"
)

// A person has one record, which is a set, and what people add is made in this package.
var (
	_ func(*Records, int) Set      = (*Records).Row // H: marginals.md one-record
	_ interface{ mean(law) int64 } = People(nil)    // H: pieces.md own-people
)

// TestProofsRefuse: what the proofs do not allow is refused.
func TestProofsRefuse(t *testing.T) {
	unset := privacy.Epsilon{}
	src, half := coin.NewSeeded(1), rat(1, 2)
	edges := must(NewGraph(4, []Edge{{0, 1}}))
	records := correlated(9, 4)
	of := func(_ any, err error) error { return err }
	pieces := func(change func(*PiecesParams)) error {
		p := PiecesParams{Epsilon: loud, Most: 3, Threshold: half, Workloads: UpToWidth(1)}
		change(&p)
		return of(NewPieces(p))
	}
	sampled := func(change func(*SampledParams)) error {
		p := SampledParams{Epsilon: loud, Threshold: half, Updates: 1, Checks: 1,
			Workload: OfWidth(1)}
		change(&p)
		return of(NewSampled(p))
	}
	wide := must(NewSampled(SampledParams{Epsilon: loud, Threshold: half, Updates: 1, Checks: 1,
		Workload: OfWidth(1)}))
	for i, c := range []struct {
		field string
		err   error
	}{
		// H: oracle.md unit
		{"unit", of(NewOracle(OracleParams{Epsilon: loud, Queries: 1, Unit: 1<<30 + 1}))},
		{"queries", of(NewOracle(OracleParams{Epsilon: loud}))}, // H: oracle.md some-query
		// H: marginals.md some-epsilon
		{"epsilon", of(NewMarginals(MarginalsParams{Width: 1}))},
		{"width", of(NewMarginals(MarginalsParams{Epsilon: loud}))}, // H: marginals.md width
		// H: marginals.md width
		{"width", of(NewMarginals(MarginalsParams{Epsilon: loud, Width: 2, Product: true}))},
		// H: marginals.md width
		{"width", of(must(NewMarginals(MarginalsParams{Epsilon: loud, Width: 5})).Release(src,
			records, nil))},
		{"width", of(NewMWEM(MWEMParams{Epsilon: loud, Rounds: 2}))}, // H: mwem.md width
		{"rounds", of(NewMWEM(MWEMParams{Epsilon: loud, Width: 2}))}, // H: mwem.md rounds
		// H: mwem.md rounds
		{"rounds", of(NewMWEM(MWEMParams{Epsilon: loud, Width: 2, Rounds: 1001}))},
		{"epsilon", of(NewLocal(LocalParams{}))}, // H: local.md some-odds
		// H: sampled.md some-epsilon
		{"epsilon", sampled(func(p *SampledParams) { p.Epsilon = unset })},
		// H: sampled.md threshold
		{"threshold", sampled(func(p *SampledParams) { p.Threshold = nil })},
		// H: sampled.md threshold
		{"threshold", sampled(func(p *SampledParams) { p.Threshold = rat(0, 1) })},
		// H: sampled.md threshold
		{"threshold", sampled(func(p *SampledParams) { p.Threshold = rat(3, 2) })},
		{"updates", sampled(func(p *SampledParams) { p.Updates = 0 })}, // H: sampled.md updates
		// H: sampled.md updates
		{"updates", sampled(func(p *SampledParams) { p.Updates = 1001 })},
		{"checks", sampled(func(p *SampledParams) { p.Checks = 0 })},  // H: sampled.md checks
		{"attributes", of(wide.Release(src, correlated(9, 23), nil))}, // H: sampled.md universe
		// H: pieces.md some-epsilon
		{"epsilon", pieces(func(p *PiecesParams) { p.Epsilon = unset })},
		{"most", pieces(func(p *PiecesParams) { p.Most = 0 })},    // H: pieces.md most
		{"most", pieces(func(p *PiecesParams) { p.Most = 4097 })}, // H: pieces.md most
		// H: pieces.md threshold
		{"threshold", pieces(func(p *PiecesParams) { p.Threshold = rat(0, 1) })},
		// H: pieces.md threshold
		{"threshold", pieces(func(p *PiecesParams) { p.Threshold = rat(3, 2) })},
		// H: pieces.md workloads
		{"workloads", pieces(func(p *PiecesParams) { p.Workloads = nil })},
		// H: pieces.md workloads
		{"workloads", pieces(func(p *PiecesParams) {
			p.Workloads = slices.Repeat(UpToWidth(1),
				65)
		})},
		// H: pieces.md signed
		{"signed", of(must(NewPieces(PiecesParams{Epsilon: loud, Most: 1,
			Workloads: []Workload{OfWidth(1)}})).Release(src, edges, nil))},
		// H: decompose.md workload-fits; pieces.md workloads
		{"width", of(must(NewPieces(PiecesParams{Epsilon: loud, Most: 1,
			Workloads: []Workload{OfWidth(5)}})).Release(src, Coverage{records}, nil))},
		{"alpha", of(NewCounted(CountedParams{Alpha: rat(3, 2)}))}, // H: pieces.md threshold
		{"width", of(NewExhaustive(LearnerParams{Epsilon: loud}))}, // H: learners.md width
		{"width", of(NewGreedy(LearnerParams{Epsilon: loud}))},     // H: learners.md width
		// H: learners.md width
		{"width", of(NewGreedy(LearnerParams{Epsilon: loud, Width: 1025}))},
		// H: learners.md few-enough
		{"width", of(must(NewExhaustive(LearnerParams{Epsilon: loud, Width: 9})).Learn(src, 60,
			func(Set) int64 { return 0 }, nil))},
		// H: learners.md pure
		{"delta", of(NewReleasedRule(ChoiceParams{Epsilon: loud, Delta: delta("1e-6"), Persons: 9,
			Size: 4, Width: 1}))},
		// H: decompose.md constant
		{"gamma", of(Learn(src, Coverage{records}, rat(0, 1), Exact, false, OfWidth(1), 1, nil))},
		// H: decompose.md constant
		{"samples", of(Learn(src, Coverage{records}, half, Exact, false, OfWidth(1), 0, nil))},
		// H: decompose.md workload-fits
		{"chances", of(Learn(src, Coverage{records}, half, Exact, false,
			Workload{Chances: []uint64{1, 1, 1, certain + 1}}, 1, nil))},
		// H: marginals.md vertices
		{"vertices", of(must(NewPairs(PairsParams{Epsilon: loud})).Release(src,
			must(NewGraph(1025, []Edge{{0, 1}})), nil))},
	} {
		if c.err == nil {
			t.Errorf("case %d: no refusal of %s", i, c.field)
			continue
		}
		field(t, c.err, c.field)
	}
	_, _, err := BestRule(&Release{Size: 3}, &Release{Size: 4}, 1) // H: learners.md same-attributes
	field(t, err, "size")
}

// TestOracleCuts: a value above Unit counts as Unit, so that no person moves a sum further.
func TestOracleCuts(t *testing.T) {
	answers := func(value uint64) int64 {
		o := must(NewOracle(OracleParams{Epsilon: loud, Queries: 1, Unit: 5}))
		return must(o.Start(coin.NewSeeded(1), 3).Ask("all",
			func(int) uint64 { return value }))
	}
	if at, above := answers(5), answers(1<<40); at != above { // H: oracle.md cut
		t.Errorf("three persons of Unit add up to about %d, of more to %d", at, above)
	}
}
