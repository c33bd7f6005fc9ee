package query

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"testing"

	"hush/core/coin"
)

// crossed are the records of people in categories of four columns, most of them in few cells, with
// the columns.
func crossed(t *testing.T, people int) ([]Column, *Records) {
	t.Helper()
	sizes, size := []int{3, 4, 2, 5}, 14
	var columns []Column
	from, first := 0, make([]int, len(sizes))
	for i, cells := range sizes {
		column := Column{}
		for c := range cells {
			column = append(column, emptySet(size).With(from+c))
		}
		columns, first[i], from = append(columns, column), from, from+cells
	}
	records := must(NewRecords(people, size))
	for person := range people {
		of := person * person % 7
		for i, cells := range sizes {
			records.Yes(person, first[i]+(of*(i+1)+person%2)%cells)
		}
	}
	return columns, records
}

// TestFit: the fitted tables are those of n people, agree with each other, and are nearer to the
// true ones than what was measured. What is kept of the counts before is what the release had.
func TestFit(t *testing.T) {
	columns, records := crossed(t, 2000)
	var margins []Margin
	for i := range columns {
		for k := range i {
			margins = append(margins, Margin{Columns: []int{k, i}})
		}
	}
	for name, m := range map[string]Conjunctive{
		"residuals": must(NewResiduals(ResidualsParams{Epsilon: epsilon("0.5"),
			Delta: delta("1e-6"), Columns: columns, Margins: margins})),
		"tables": must(NewTables(
			TablesParams{Epsilon: epsilon("0.5"), Columns: columns, Width: 2})),
		"full": must(NewTables(
			TablesParams{Epsilon: epsilon("0.5"), Columns: columns, Width: 4})),
	} {
		exact := must(must(NewTables(
			TablesParams{Epsilon: epsilon("100"), Columns: columns, Width: 2})).
			Release(coin.NewSeeded(1), records, nil))
		before, after := 0.0, 0.0
		for seed := range coin.Seed(5) {
			r := must(m.Release(coin.NewSeeded(seed), records, nil))
			raw := map[int]*Table{}
			for i, margin := range margins {
				raw[i] = must(r.Table(margin.Columns...))
			}
			if err := r.Fit(nil); err != nil {
				t.Fatal(err)
			}
			text := must(json.Marshal(r))
			again := new(Release)
			if err := json.Unmarshal(text, again); err != nil {
				t.Fatal(err)
			}
			for i, margin := range margins {
				fitted := must(again.Table(margin.Columns...))
				truth := must(exact.Table(margin.Columns...))
				if !slices.Equal(fitted.Raw, raw[i].Persons) || fitted.StdDev != raw[i].StdDev {
					t.Fatalf("%s: the counts before are other ones", name)
				}
				total := 0.0
				for cell, x := range fitted.Persons {
					if total += x; x < 0 {
						t.Errorf("%s: %g persons", name, x)
					}
					before += math.Abs(raw[i].Persons[cell] - truth.Persons[cell])
					after += math.Abs(x - truth.Persons[cell])
				}
				if math.Abs(total-2000) > 0.1 {
					t.Errorf("%s: %g persons in all", name, total)
				}
				for k, column := range margin.Columns {
					alone := must(again.Table(column))
					for at, x := range marginOf(must(newPartition(14, columns)),
						must(newPartition(14, columns)).table(setOf(margin.Columns), 0),
						fitted.Persons, []int{column}) {
						if math.Abs(x-alone.Persons[at]) > 0.1 {
							t.Errorf("%s: column %d of table %d: %g and %g", name, k, i, x,
								alone.Persons[at])
						}
					}
				}
			}
		}
		if after > 0.8*before {
			t.Errorf("%s: off by %.0f before and %.0f after", name, before, after)
		}
		t.Logf("%s: off by %.0f before and %.0f after", name, before, after)
	}
}

func setOf(columns []int) Set {
	set := emptySet(8)
	for _, i := range columns {
		set = set.With(i)
	}
	return set
}

// TestFitRefuses other methods, too many columns, a cancelled run, and fitted counts that are none.
func TestFitRefuses(t *testing.T) {
	columns, records := crossed(t, 200)
	pieces := must(must(NewMarginals(MarginalsParams{Epsilon: epsilon("1"), Width: 1})).
		Release(coin.NewSeeded(1), records, nil))
	if err := pieces.Fit(nil); err == nil {
		t.Error("marginals are fitted")
	}
	var many []Column
	for i := range 24 {
		many = append(many, Column{emptySet(24).With(i)})
	}
	if FitsTo(many, 2) || !FitsTo(columns, 2) || FitsTo(columns, 9) {
		t.Error("what can be fitted is told wrong")
	}
	wide := must(NewTables(TablesParams{Epsilon: epsilon("1"), Columns: many, Width: 2}))
	r := must(wide.Release(coin.NewSeeded(1), must(NewRecords(10, 24)), nil))
	if err := r.Fit(nil); err == nil {
		t.Error("24 columns are fitted")
	}
	r = must(must(NewTables(TablesParams{Epsilon: epsilon("1"), Columns: columns, Width: 2})).
		Release(coin.NewSeeded(1), records, nil))
	stop := errors.New("stop")
	if err := r.Fit(func(int64, int64) error { return stop }); err != stop || r.Fitted != nil {
		t.Errorf("cancelled: %v, %d counts", err, len(r.Fitted))
	}
	if err := r.Fit(nil); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(){
		"one too few":   func() { r.Fitted = r.Fitted[1:] },
		"one too large": func() { r.Fitted[0] = 201 },
		"one below 0":   func() { r.Fitted[0] = -1 },
	} {
		kept := slices.Clone(r.Fitted)
		spoil()
		if json.Unmarshal(must(json.Marshal(r)), new(Release)) == nil {
			t.Errorf("%s is taken", name)
		}
		r.Fitted = kept
	}
}
