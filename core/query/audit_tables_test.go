package query

import (
	"fmt"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
)

// pair is one column of two categories. In an audit a person may have both of its attributes, and
// is then in none of its cells.
func pair() []Column { return []Column{{{1}, {2}}} }

// countsRun releases the clamped counts of a mechanism.
func countsRun(m Conjunctive, size int) func(src coin.Source, rows []int) (string, error) {
	return func(src coin.Source, rows []int) (string, error) {
		r, err := m.Release(src, recordsOf(rows, size), nil)
		if err != nil {
			return "", err
		}
		for i := range r.Counts {
			r.Counts[i] = clamp(r.Counts[i], len(rows))
		}
		return fmt.Sprint(r.Counts), nil
	}
}

// baseNoise is Laplace noise of base 5/4 where this many values move.
func baseNoise(moves int) noise { return must(noise{base: base(5, 4)}.priced(moves)) }

// each is columns of one attribute each.
func each() []Column { return []Column{{{1}}, {{2}}} }

func TestAuditTables(t *testing.T) {
	seconds(t)
	for _, a := range []struct {
		name    string
		columns []Column
		width   int
		moves   int
	}{
		{"both tables of 1 of 2 columns", each(), 1, 4},
		{"the full table of 2 columns", each(), 2, 2},
		{"the table of 1 column, 2 categories", pair(), 1, 2},
	} {
		shipped := must(NewTables(TablesParams{Epsilon: epsilon("1"), Columns: a.columns,
			Width: a.width}))
		if shipped.noise.moves != a.moves {
			t.Errorf("%s: NewTables lets %d cells move, want %d", a.name, shipped.noise.moves,
				a.moves)
		}
		m := &Tables{baseNoise(a.moves), a.columns, a.width}
		audittest.Holds(
			t, audit.Audit[string]{Name: a.name, Space: cube(1, 2),
				Claim: claimOf(lossOf(base(5, 4), uint64(a.moves))),
				Law:   enumerated(2, countsRun(m, 2))})
	}
}

func TestPlantedTables(t *testing.T) {
	seconds(t)
	m := &Tables{baseNoise(4), each(), 1}
	audittest.Caught(
		t, audit.Audit[string]{Name: "both tables of 1 of 2 columns, with sensitivity T",
			Space: cube(1, 2), Claim: claimOf(lossOf(base(5, 4), 2)),
			Law: enumerated(2, countsRun(m, 2))})
}

func TestAuditGrantedTables(t *testing.T) {
	for name, columns := range map[string][]Column{"both tables of 1 of 2 columns, ε = 1": each(),
		"the table of 1 column, 2 categories, ε = 1": pair()} {
		m := must(NewTables(TablesParams{Epsilon: epsilon("1"), Columns: columns, Width: 1}))
		audittest.Holds(
			t, audit.Audit[string]{Name: name, Space: cube(1, 2),
				Claim: granted("1", "0", hardly), Law: lawWith(short(2), countsRun(m, 2))})
	}
	if testing.Short() {
		return
	}
	gaussian := must(NewTables(TablesParams{Epsilon: epsilon("3"), Delta: delta("0.05"),
		Columns: pair(), Width: 1}))
	audittest.Holds(
		t, audit.Audit[string]{Name: "the table of 1 column, 2 categories, Gaussian",
			Space: cube(1, 2), Claim: granted("3", "0.05", little),
			Law: gaussianLaw(cutAt(14), wideCounts(gaussian))})
}

func TestPlantedGrantedTables(t *testing.T) {
	twin := must(NewTables(TablesParams{Epsilon: epsilon("2"), Columns: each(), Width: 1}))
	audittest.Caught(
		t, audit.Audit[string]{Name: "both tables of 1 of 2 columns, each with all of ε",
			Space: cube(1, 2), Claim: granted("1", "0", hardly),
			Law: lawWith(short(2), countsRun(twin, 2))})
}

func TestAuditColumns(t *testing.T) {
	m := must(NewMarginals(MarginalsParams{Epsilon: epsilon("1"), Columns: pair(), Width: 2}))
	audittest.Holds(
		t, audit.Audit[string]{Name: "all conjunctions of 1 column, 2 categories, ε = 1",
			Space: cube(2, 2), Claim: granted("1", "0", hardly),
			Law: lawWith(short(3), marginalRun(m))})
}

// TestPlantedColumns: a person has both attributes of a column that exclude each other, and keeps
// them.
func TestPlantedColumns(t *testing.T) {
	seconds(t)
	m := &Marginals{noise: baseNoise(3), width: 2}
	audittest.Caught(
		t, audit.Audit[string]{Name: "all conjunctions of 1 column whose attributes overlap",
			Space: cube(2, 2), Claim: claimOf(lossOf(base(5, 4), 2)),
			Law: enumerated(3, marginalRun(m))})
}
