package task

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/audit"
	"hush/core/basic"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/table"
)

// keyed is a source whose keys are those of a seed: all else is src's. What is claimed of persons
// holds for every key.
type keyed struct {
	coin.Source
	keys coin.Source
}

func (k keyed) UniformBig(n *big.Int) *big.Int {
	if n.BitLen() == 65 {
		return k.keys.UniformBig(n)
	}
	return k.Source.UniformBig(n)
}

// personsAudit audits a question about persons with several rows, from the bytes of the file to the
// answer. A person's value is a list of rows; the file holds the rows of all persons in one of
// several orders.
type personsAudit struct {
	name   string
	recipe ask.Recipe
	lists  []string // of each value the rows' cells: "x", "y", or "-" for an empty one
	order  string   // "blocks", "turns" or "last first"
	seed   uint64
	// a mistake: what is done to the rows before they are read, and by which use
	mistake func(rows []visitRow) []visitRow
	use     *table.Use
}

type visitRow struct {
	person string
	cell   string
}

// rows gives a person with the same rows in two data sets, one who is not replaced, the same
// identifier.
func (a personsAudit) rows(values []int) (rows []visitRow) {
	times := map[int]int{}
	for _, v := range values {
		times[v]++
		person := fmt.Sprintf("p%d of %d", times[v], v)
		for _, cell := range strings.Fields(a.lists[v]) {
			rows = append(rows, visitRow{person, cell})
		}
	}
	switch a.order {
	case "turns":
		seen := map[visitRow]int{}
		turn := make([]int, len(rows))
		for i, r := range rows {
			turn[i] = seen[visitRow{person: r.person}]
			seen[visitRow{person: r.person}]++
		}
		index := make([]int, len(rows))
		for i := range index {
			index[i] = i
		}
		slices.SortStableFunc(index, func(i, j int) int { return turn[i] - turn[j] })
		sorted := make([]visitRow, len(rows))
		for i, at := range index {
			sorted[i] = rows[at]
		}
		rows = sorted
	case "last first":
		slices.Reverse(rows)
	}
	if a.mistake != nil {
		rows = a.mistake(rows)
	}
	return rows
}

// audit is the law of the answer with the loss of its plan; a claim is allowed what is cut.
func (a personsAudit) audit(t *testing.T, persons int) audit.Audit[string] {
	r := a.recipe
	r.Version, r.Person = ask.RecipeVersion, 1
	r.Table = table.Options{Encoding: table.UTF8, Delimiter: ",", Header: table.Yes, Columns: 2,
		Compression: "none", Newline: table.LF, Blank: table.SkipBlank}
	r.Table = must(r.Table.Decided())
	read := r
	if a.use != nil {
		read.Use = a.use
	}
	plan := must(ask.Price(nil, All{}, r, int64(persons)))
	_, prepared, err := ask.Prepare(All{}, r, int64(persons))
	if err != nil {
		t.Fatal(err)
	}
	claim := must(audit.ClaimOf(plan.Loss))
	claim.Delta = new(big.Rat).Add(claim.Delta, new(big.Rat).Mul(noiseTail, big.NewRat(8, 1)))
	return audit.Audit[string]{Name: a.name, Claim: claim,
		Space: audit.Space{Persons: persons, Values: len(a.lists), NoNone: true},
		Law: func(values []int) (*coin.Law[string], error) {
			var file strings.Builder
			file.WriteString("person,cell\n")
			for _, row := range a.rows(values) {
				fmt.Fprintf(&file, "%s,%s\n", row.person, strings.TrimSuffix(row.cell, "-"))
			}
			s := ask.NewSession(All{}, keyed{nil, coin.NewSeeded(coin.Seed(a.seed))})
			if err := s.Load(strings.NewReader(file.String()), read); err != nil {
				return nil, err
			}
			data, err := s.Data(read)
			if err != nil {
				return nil, err
			}
			return coin.Enumerate(coin.Limits{Tail: noiseTail},
				func(src coin.Source) (string, error) {
					if a.mistake == nil && a.use == nil { // the whole of it, with its accounts
						release, err := s.With(
							keyed{src, coin.NewSeeded(coin.Seed(a.seed))}).Run(r, nil)
						if err != nil {
							return "", err
						}
						return fmt.Sprint(release.Answer.Table(ask.Voice{}, "")), nil
					}
					result, err := prepared.Run(src, data, nil)
					if err != nil {
						return "", err
					}
					return fmt.Sprint(result.Table(ask.Voice{}, "")), nil
				})
		}}
}

// rowLists are all lists of 1 to 3 rows of cells, in every order.
func rowLists(cells ...string) (lists []string) {
	last := []string{""}
	for range 3 {
		var next []string
		for _, list := range last {
			for _, cell := range cells {
				next = append(next, strings.TrimSpace(list+" "+cell))
			}
		}
		lists, last = append(lists, next...), next
	}
	return lists
}

var (
	xy          = domain.Spec{Kind: domain.Category, Categories: []string{"x", "y"}}
	rowsCounted = ask.Recipe{Task: "count", Column: 2, Domain: xy, Epsilon: "3"}
	twoBins     = ask.Recipe{Task: "histogram", Column: 2, Domain: xy, Epsilon: "6"}
	rowsByGroup = ask.Recipe{Task: "count", Column: 2, Domain: xy, Epsilon: "6",
		Group: &ask.Group{Column: 2, Names: []string{"x", "y"}}}
	rowsAdded = ask.Recipe{Task: "sum", Column: 2, Epsilon: "3",
		Domain: domain.Spec{Kind: domain.Integer, Lo: "-1", Hi: "2"}}
)

func with(r ask.Recipe, u table.Use) ask.Recipe {
	r.Use = &u
	return r
}

// TestAuditPersons: of persons with several rows, each of which may be empty, in whatever order
// they stand in the file, a question has the loss of its plan for the replacement of all rows of
// one person.
func TestAuditPersons(t *testing.T) {
	short := []string{"-", "x", "y", "x x", "x y", "y - y", "x x x", "y x y"}
	numbers := []string{"-", "1", "-1", "1 1", "1 -1", "-1 - 1", "1 1 1", "-1 -1 1"}
	for _, a := range []personsAudit{
		{name: "count of rows, at most 2 each, 1 to 3 rows in every order",
			recipe: with(rowsCounted, table.Use{Rows: 2}), lists: rowLists("x", "-")},
		{name: "count of rows, at most 2 each, in turns", order: "turns", seed: 5,
			recipe: with(rowsCounted, table.Use{Rows: 2}), lists: rowLists("x", "-")},
		{name: "count of persons who have a row, in turns", order: "turns",
			recipe: with(rowsCounted, table.Use{Rows: 1}), lists: rowLists("x", "-")},
		{name: "histogram of rows, at most 2 each", recipe: with(twoBins, table.Use{Rows: 2}),
			lists: short},
		{name: "histogram of rows, at most 2 each, the last first", order: "last first", seed: 3,
			recipe: with(twoBins, table.Use{Rows: 2}), lists: short},
		{name: "rows by group, 1 group with 2 rows each", lists: short,
			recipe: with(rowsByGroup, table.Use{Rows: 2, Groups: 1, Column: 2})},
		{name: "persons by group, 2 groups each, in turns", order: "turns", lists: short,
			recipe: with(rowsByGroup, table.Use{Rows: 1, Groups: 2, Column: 2})},
		{name: "sum of the persons' sums", lists: numbers,
			recipe: with(rowsAdded, table.Use{Values: []table.Value{{Column: 2, Of: table.Sum}}})},
		{name: "sum of the persons' numbers of rows", lists: rowLists("1", "-"),
			recipe: with(rowsAdded,
				table.Use{Values: []table.Value{{Column: 2, Of: table.Number}}})},
		{name: "sum of rows' values, at most 2 each", lists: numbers,
			recipe: with(rowsAdded, table.Use{Rows: 2})},
	} {
		if testing.Short() && (a.recipe.Task == "histogram" || a.recipe.Group != nil ||
			a.order == "turns") {
			continue // half a minute of big fractions
		}
		audittest.Holds(t, a.audit(t, 2))
	}
}

// TestPlantedPersons: mistakes that bounds on rows invite are found.
func TestPlantedPersons(t *testing.T) {
	short := []string{"-", "x", "y", "x x", "x y", "y y y", "x x x", "y x y"}
	three := rowsByGroup
	three.Domain = domain.Spec{Kind: domain.Category, Categories: []string{"x", "y", "z"}}
	three.Group = &ask.Group{Column: 2, Names: three.Domain.Categories}
	for _, a := range []personsAudit{
		{name: "persons by group, planted: the bound on groups is forgotten",
			lists:  []string{"-", "x", "z", "x y", "x y z", "z z"},
			recipe: with(three, table.Use{Rows: 1, Groups: 1, Column: 2}),
			use:    &table.Use{Rows: 1, Groups: 2, Column: 2}},
		{name: "count of rows, planted: 3 rows of each for the price of 2", lists: short,
			recipe: with(rowsCounted, table.Use{Rows: 2}), use: &table.Use{Rows: 3}},
		{name: "histogram of rows, planted: the first rows of the file in place of the persons'",
			recipe: with(twoBins, table.Use{Rows: 1}), lists: short,
			mistake: func(rows []visitRow) []visitRow {
				rows = slices.Clone(rows[:min(len(rows), 2)])
				for i := range rows {
					rows[i].person = fmt.Sprint(i)
				}
				return rows
			}},
		{name: "histogram of rows, planted: bound before a filter that looks at other persons",
			recipe: with(twoBins, table.Use{Rows: 1}), lists: short,
			mistake: func(rows []visitRow) []visitRow {
				times := map[string]int{}
				for _, r := range rows {
					times[r.cell]++
				}
				rows = slices.Clone(rows)
				for i := range rows {
					if 2*times[rows[i].cell] < len(rows) {
						rows[i].cell = "-"
					}
				}
				return rows
			}},
	} {
		if testing.Short() && a.recipe.Group != nil {
			continue // some seconds of big fractions
		}
		audittest.Caught(t, a.audit(t, 2))
	}
}

// rowsChoice is a choice of k from 1 to 6 by the persons' numbers of rows, as the question of
// RowsBound reads them from a file of three persons with 1 to 6 rows each.
func rowsChoice(t *testing.T, name string,
	choose func(src coin.Source, rows basic.Values) (uint64, error)) audit.Audit[uint64] {
	return boundChoice(t, name, RowsBound, choose)
}

// boundChoice is rowsChoice by a question. The rows of a person are in different groups.
func boundChoice(t *testing.T, name string, question func(ask.Recipe) ask.Recipe,
	choose func(src coin.Source, rows basic.Values) (uint64, error)) audit.Audit[uint64] {
	bound := must(basic.NewUpperBound(basic.UpperBoundParams{Base: threeHalves, Size: 6}))
	r := question(ask.Recipe{Version: ask.RecipeVersion, Person: 1, Epsilon: "1",
		Table: must(table.Options{Encoding: table.UTF8, Delimiter: ",", Header: table.Yes,
			Columns: 2}.Decided())})
	return audit.Audit[uint64]{Name: name, Claim: must(audit.ClaimOf(must(bound.Loss(1)))),
		Space: audit.Space{Persons: 3, Values: 6, NoNone: true},
		Law: func(list []int) (*coin.Law[uint64], error) {
			var file strings.Builder
			file.WriteString("person,cell\n")
			for turn := range 6 { // one row of each after another
				for person, v := range list {
					if turn <= v {
						fmt.Fprintf(&file, "%d,x%d\n", person, turn)
					}
				}
			}
			s := ask.NewSession(All{}, coin.NewSeeded(1))
			if err := s.Load(strings.NewReader(file.String()), r); err != nil {
				return nil, err
			}
			data, err := s.Data(r)
			if err != nil {
				return nil, err
			}
			rows := values(data.Main)
			if rows.Len() != len(list) {
				t.Fatalf("%d numbers of rows of %d persons", rows.Len(), len(list))
			}
			return coin.Enumerate(coin.Limits{}, func(src coin.Source) (uint64, error) {
				return choose(src, rows)
			})
		}}
}

var threeHalves = must(coin.NewBase(3, 2))

// TestAuditRowsBound: the choice of k costs ln r, whatever a person's rows are.
func TestAuditRowsBound(t *testing.T) {
	bound := must(basic.NewUpperBound(basic.UpperBoundParams{Base: threeHalves, Size: 6}))
	audittest.Holds(t, rowsChoice(t, "the choice of k by the number of persons with more",
		func(src coin.Source, rows basic.Values) (uint64, error) {
			return bound.Release(src, rows, nil)
		}))
	audittest.Holds(t, boundChoice(t, "the choice of g by the number of persons in more groups",
		func(base ask.Recipe) ask.Recipe { return GroupsBound(base, 2) },
		func(src coin.Source, groups basic.Values) (uint64, error) {
			return bound.Release(src, groups, nil)
		}))
}

// TestPlantedRowsBound: the number of rows that k drops moves by as many as one person has, and the
// distance from a number of persons both ways.
func TestPlantedRowsBound(t *testing.T) {
	choice := must(mechanism.NewExponential(mechanism.ExponentialParams{
		Base: threeHalves, Sensitivity: 1, OneSigned: true}))
	for _, c := range []struct {
		name  string
		score func(rows []int64, k int64) int64
	}{
		{"by the number of rows dropped", func(rows []int64, k int64) (score int64) {
			for _, n := range rows {
				score -= max(n-k, 0)
			}
			return score - k
		}},
		{"by the distance from one person with more", func(rows []int64, k int64) int64 {
			above := int64(-1)
			for _, n := range rows {
				if n > k {
					above++
				}
			}
			return -max(above, -above)
		}},
	} {
		audittest.Caught(t, rowsChoice(t, "the choice of k, planted: "+c.name,
			func(src coin.Source, rows basic.Values) (uint64, error) {
				var list, scores []int64
				for i := range rows.Len() {
					code, _ := rows.Code(i)
					list = append(list, int64(code)+1)
				}
				for k := range int64(6) {
					scores = append(scores, c.score(list, k+1))
				}
				at, err := choice.Release(src, scores, nil)
				return uint64(at), err
			}))
	}
}
