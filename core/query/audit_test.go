package query

import (
	"fmt"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/privacy"
)

// In an audit a person's value is the record as a mask: value 0 is nobody's yes, so none is not
// needed beside it. For graphs the values number the edges of edgesOf.

// recordsOf are the records of a data set of masks.
func recordsOf(rows []int, size int) *Records {
	r := must(NewRecords(len(rows), size))
	for i, mask := range rows {
		for x := range size {
			if mask>>x&1 == 1 {
				r.Yes(i, x)
			}
		}
	}
	return r
}

// cube is all data sets of this many persons on this many attributes.
func cube(persons, size int) audit.Space {
	return audit.Space{Persons: persons, Values: 1 << size, NoNone: true}
}

// edgesOf are all edges on this many vertices; the first is none.
func edgesOf(vertices int) []Edge {
	edges := []Edge{{-1, -1}}
	for v := range vertices {
		for u := range v {
			edges = append(edges, Edge{u, v})
		}
	}
	return edges
}

func graphOf(rows []int, vertices int) *Graph {
	g := &Graph{Vertices: vertices}
	for _, v := range rows {
		g.Edges = append(g.Edges, edgesOf(vertices)[v])
	}
	return g
}

// seconds skips a test of several seconds in the short run.
func seconds(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds of work: not with -short")
	}
}

func claimOf(loss privacy.Loss, err error) audit.Claim {
	return must(audit.ClaimOf(must(loss, err)))
}

// enumerated makes a law from a run in which everything random goes through src.
func enumerated(top int,
	run func(src coin.Source, rows []int) (string, error)) func([]int) (*coin.Law[string], error) {
	return func(rows []int) (*coin.Law[string], error) {
		return coin.Enumerate(coin.Limits{Top: uint64(top)}, func(src coin.Source) (string, error) {
			return run(src, rows)
		})
	}
}

// clamp keeps a noisy figure at most 1 outside its range.
func clamp(x int64, most int) int64 { return min(max(x, -1), int64(most)+1) }

func TestAuditOracle(t *testing.T) {
	for _, p := range []OracleParams{{Base: base(3, 2), Queries: 2},
		{Base: base(5, 4), Queries: 2, Unit: 2}} {
		o := must(NewOracle(p))
		audittest.Holds(
			t, audit.Audit[string]{
				Name:  fmt.Sprintf("statistical queries, 2 of 3 answered, unit %d", o.unit),
				Space: cube(3, 2),
				Claim: claimOf(o.Loss(1)),
				Law:   enumerated(3*int(o.unit)+1, askThree(o, 3*int(o.unit), true))})
	}
}

// askThree asks for two attributes, the second depending on the answer to the first, for the first
// again, and for one too many.
func askThree(o *Oracle, most int, again bool) func(src coin.Source, rows []int) (string, error) {
	return func(src coin.Source, rows []int) (string, error) {
		a, records := o.Start(src, len(rows)), recordsOf(rows, 2)
		value := func(x int) func(int) uint64 {
			return func(person int) uint64 {
				if records.Row(person).Has(x) {
					return 9 // counts as the unit
				}
				return 0
			}
		}
		first, err := a.Ask("0", value(0))
		if err != nil {
			return "", err
		}
		x := 1
		if first > 1 {
			x = 0
		}
		second, err := a.Ask("second", value(x))
		if err != nil {
			return "", err
		}
		if !again { // the twin forgets what it has answered
			a.known = map[string]int64{}
		}
		third, err := a.Ask("0", value(0))
		if err != nil {
			return "", err
		}
		if _, err := a.Ask("third", value(1)); again && err != ErrExhausted {
			return "", fmt.Errorf("a third query: %v", err)
		}
		return fmt.Sprint(clamp(first, most), clamp(second, most), clamp(third, most)), nil
	}
}

func TestPlantedOracle(t *testing.T) {
	seconds(t)
	o := must(NewOracle(OracleParams{Base: base(3, 2), Queries: 2}))
	caught := func(name string, law func([]int) (*coin.Law[string], error)) {
		audittest.Caught(
			t, audit.Audit[string]{Name: "statistical queries " + name, Space: cube(3, 2),
				Claim: claimOf(o.Loss(1)), Law: law})
	}
	caught("noised anew when asked again, and without a cap", // H: oracle.md cap, once
		enumerated(4, func(src coin.Source, rows []int) (string, error) {
			wide := *o
			wide.queries = 99
			return askThree(&wide, 3, false)(src, rows)
		}))
	wrong := must(NewOracle(OracleParams{Base: base(9, 4), Queries: 2}))
	caught("with half the noise", enumerated(4, askThree(wrong, 3, true)))
}

func TestAuditMarginals(t *testing.T) {
	seconds(t)
	m := &Marginals{noise: baseNoise(3), width: 2}
	audittest.Holds(
		t, audit.Audit[string]{Name: "all conjunctions of 2 attributes", Space: cube(2, 2),
			Claim: claimOf(lossOf(base(5, 4), 3)), Law: enumerated(3, marginalRun(m))})
}

func TestPlantedMarginals(t *testing.T) {
	seconds(t)
	m := &Marginals{noise: baseNoise(3), width: 2}
	audittest.Caught(
		t, audit.Audit[string]{Name: "all conjunctions of 2 attributes with sensitivity 2",
			Space: cube(2, 2), Claim: claimOf(lossOf(base(5, 4), 2)),
			Law: enumerated(3, marginalRun(m))})
}

func pairsRun(m *Pairs) func(src coin.Source, rows []int) (string, error) {
	return func(src coin.Source, rows []int) (string, error) {
		r, err := m.Release(src, graphOf(rows, 3), nil)
		if err != nil {
			return "", err
		}
		for i := range r.Counts {
			r.Counts[i] = clamp(r.Counts[i], len(rows))
		}
		return fmt.Sprint(r.Counts), nil
	}
}

func TestAuditPairs(t *testing.T) {
	seconds(t)
	m := must(NewPairs(PairsParams{Base: base(5, 4)}))
	audittest.Holds(
		t, audit.Audit[string]{Name: "edges between each two of 3 vertices",
			Space: audit.Space{Persons: 2, Values: 4, NoNone: true}, Claim: claimOf(m.Loss(1)),
			Law: enumerated(3, pairsRun(m))})
}

func TestPlantedPairs(t *testing.T) {
	seconds(t)
	m := must(NewPairs(PairsParams{Base: base(5, 4)}))
	audittest.Caught(
		t, audit.Audit[string]{Name: "edges between each two of 3 vertices with sensitivity 1",
			Space: audit.Space{Persons: 2, Values: 4, NoNone: true},
			Claim: claimOf(lossOf(base(5, 4), 1)), Law: enumerated(3, pairsRun(m))})
}

// lossOf is moves·ln r.
func lossOf(r coin.Base, moves uint64) (privacy.Loss, error) {
	return privacy.LossFromOdds(r.Pow(moves).Rat(), nil)
}

func marginalRun(m *Marginals) func(src coin.Source, rows []int) (string, error) {
	return func(src coin.Source, rows []int) (string, error) {
		r, err := m.Release(src, recordsOf(rows, 2), nil)
		if err != nil {
			return "", err
		}
		for i := range r.Counts {
			r.Counts[i] = clamp(r.Counts[i], len(rows))
		}
		return fmt.Sprint(r.Counts), nil
	}
}
