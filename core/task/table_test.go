package task

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/table"
)

// clinic is the made-up data of visits: as a file, and its rows.
func clinic() (file []byte, rows [][]string) {
	file = set("clinic").CSV()
	rows = must(csv.NewReader(strings.NewReader(string(file))).ReadAll())
	return file, rows[1:]
}

var (
	byDistrict   = ask.Field{Role: "by", Column: 3, Label: "district", Domain: districts}
	byDepartment = ask.Field{Role: "by", Column: 4, Label: "department", Domain: departments}
	byAge        = ask.Field{Role: "by", Column: 1, Label: "age",
		Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "99"}}
)

// TestTable: every cell is the number of rows that are in it, but for the noise; what is worked out
// of it adds up; and it is the same after it was saved and opened.
func TestTable(t *testing.T) {
	file, rows := clinic()
	s := open(t, file)
	r := withoutMain(s, "table", []ask.Field{byAge, byDistrict, byDepartment}, nil)
	r.Others[0].Cuts = []string{"18", "65"}
	r.Epsilon = "2"
	release := askFor(t, s, r, file)
	var saved Release
	if err := json.Unmarshal([]byte(release.JSON("")), &saved); err != nil {
		t.Fatal(err)
	}
	counted := saved.Answer.Result.(*ContingencyTable)
	if sizes := []int{len(counted.Axes[0].Places), len(counted.Axes[1].Places),
		len(counted.Axes[2].Places)}; !slices.Equal(sizes, []int{3, 6, 5}) {
		t.Fatalf("the places are %v", sizes)
	}
	truth := make([]int64, 3*6*5)
	for _, row := range rows {
		age, err := strconv.Atoi(row[0])
		district := slices.Index(districts.Categories, row[2])
		department := slices.Index(departments.Categories, row[3])
		if err != nil || district < 0 || department < 0 {
			continue
		}
		group := 0
		if age >= 18 {
			group++
		}
		if age >= 65 {
			group++
		}
		truth[(group*6+district)*5+department]++
	}
	for cell, count := range counted.Counts {
		if off := count - truth[cell]; max(off, -off) > counted.AllError {
			t.Errorf("%s: %d, and are %d", counted.CellName(cell), count, truth[cell])
		}
	}
	sum := int64(0)
	for _, count := range counted.Counts {
		sum += count
	}
	for _, axes := range [][]int{{}, {0}, {2}, {0, 1}, {1, 2}, {0, 1, 2}} {
		over, margin := counted.Over(axes...), int64(0)
		for _, count := range over.Counts {
			margin += count
		}
		if margin != sum || over.AllError < counted.CellError() {
			t.Errorf("over %v the counts add up to %d ± %d, want %d", axes, margin, over.AllError,
				sum)
		}
	}
	for within := -1; within < 3; within++ {
		shares := map[int]float64{}
		for cell, share := range counted.Shares(within) {
			if share.Low > share.Value || share.Value > share.High || share.Low < 0 ||
				share.High > 1 {
				t.Fatalf("within %d, %s: %v", within, counted.CellName(cell), share)
			}
			whole := -1
			if within >= 0 {
				whole = placesOf(counted.Axes, cell)[within]
			}
			shares[whole] += share.Value
		}
		for whole, share := range shares {
			if math.Abs(share-1) > 0.1 {
				t.Errorf("within %d, place %d: shares add up to %g", within, whole, share)
			}
		}
	}
	if rows := counted.Wide(""); len(rows) != 1+3*6+1 || len(rows[0]) != 2+5+1 {
		t.Errorf("the wide table has %d rows of %d", len(rows), len(rows[0]))
	}
	saved.Unverified = true
	for name, copies := range map[string][2]string{
		"release": {wideOf(t, release), string(release.Verdict.Grade)},
		"opened":  {wideOf(t, &saved), "unverified"},
	} {
		for i, row := range strings.Split(strings.TrimSpace(copies[0]), "\n") {
			if i > 0 && !strings.HasSuffix(row, ","+copies[1]) {
				t.Errorf("%s: row %q of the wide file does not say %q", name, row, copies[1])
			}
		}
	}
	if header := counted.File("")[0]; strings.Join(header, "|") !=
		"age from|age to|district|department|count|low|high|share" {
		t.Errorf("the file's header is %q", header)
	}
}

func wideOf(t *testing.T, r *Release) string {
	t.Helper()
	text, ok := r.WideCSV()
	if !ok {
		t.Fatal("a table has no wide layout")
	}
	return text
}

// TestTableShareIntervals: the interval of a share holds the true one in at least 95 of 100
// releases.
func TestTableShareIntervals(t *testing.T) {
	exact := &ContingencyTable{Axes: []Axis{{Places: make([]Place, 2)}, {Places: make([]Place, 2)}},
		Counts: []int64{40, 60, 5, 0}, People: 105}
	file := []byte("a,b\n" + strings.Repeat("x,p\n", 40) + strings.Repeat("x,q\n", 60) +
		strings.Repeat("y,p\n", 5))
	s := open(t, file)
	two := func(column int, names ...string) ask.Field {
		return ask.Field{Role: "by", Column: column, Label: fmt.Sprint("column ", column),
			Domain: domain.Spec{Kind: domain.Category, Categories: names}}
	}
	r := withoutMain(s, "table", []ask.Field{two(1, "x", "y"), two(2, "p", "q")}, nil)
	wrong, all := 0, 0
	for range 200 {
		counted := askFor(t, s, r, file).Answer.Result.(*ContingencyTable)
		exact.Margins = counted.Margins
		for within := -1; within < 2; within++ {
			truth := exact.Shares(within)
			for cell, share := range counted.Shares(within) {
				if all++; truth[cell].Value < share.Low-1e-9 ||
					truth[cell].Value > share.High+1e-9 {
					wrong++
				}
			}
		}
	}
	if wrong*20 > all {
		t.Errorf("%d of %d intervals do not hold the share", wrong, all)
	}
}

// TestTableImpossible: what cannot be has no count and no noise, and lines that name no cell are
// refused with their number.
func TestTableImpossible(t *testing.T) {
	file, _ := clinic()
	s := open(t, file)
	with := func(lines string) ask.Recipe {
		return withoutMain(s, "table", []ask.Field{byDistrict, byDepartment},
			ask.Params{"impossible": lines})
	}
	r := with("district = Hill, department = eyes\n\n\"district = Old Town\", department = heart")
	counted := askFor(t, s, r, file).Answer.Result.(*ContingencyTable)
	want := []int{1*5 + 1, 4*5 + 3}
	if !slices.Equal(counted.Impossible, want) || counted.Counts[want[0]] != 0 ||
		counted.Count(want[1]) != (Estimated{}) {
		t.Errorf("impossible are %v, want %v", counted.Impossible, want)
	}
	for lines, word := range map[string]string{"district = Hill\nplace = 1": "line 2",
		"district = Ulm": "Ulm", "district = Hill, district = Mill": "line 1", "Hill": "line 1",
		`"district = Hill`: "line 1"} {
		_, err := s.Plan(with(lines))
		if wantField(t, err, "impossible"); err != nil && !strings.Contains(err.Error(), word) {
			t.Errorf("%q is refused with %q, which does not say %q", lines, err, word)
		}
	}
	everywhere := ""
	for _, d := range districts.Categories {
		everywhere += "district = " + d + "\n"
	}
	_, err := s.Plan(with(everywhere))
	wantField(t, err, "impossible")
}

// TestTableMissing: those without a value have places of their own, so everybody is in a cell.
func TestTableMissing(t *testing.T) {
	file := []byte("city,sex\nUlm,f\nUlm,\n,m\n,\nBonn,f\n")
	s := open(t, file)
	category := func(column int, label string, names ...string) ask.Field {
		return ask.Field{Role: "by", Column: column, Label: label,
			Domain: domain.Spec{Kind: domain.Category, Categories: names}}
	}
	r := withoutMain(s, "table", []ask.Field{category(1, "city", "Ulm", "Bonn"),
		category(2, "sex", "f", "m")}, ask.Params{"missing": "true"})
	r.Epsilon = "100"
	counted := askFor(t, s, r, file).Answer.Result.(*ContingencyTable)
	if want := []int64{1, 0, 1, 1, 0, 0, 0, 1, 1}; !slices.Equal(counted.Counts, want) ||
		!counted.Whole {
		t.Errorf("counts are %v, want %v", counted.Counts, want)
	}
}

// months is a column of a hundred categories.
func months(column int) ask.Field {
	f := ask.Field{Role: "by", Column: column, Domain: domain.Spec{Kind: domain.Category}}
	for i := range 100 {
		f.Domain.Categories = append(f.Domain.Categories, fmt.Sprint("month ", i))
	}
	return f
}

// TestTableRefusals name the field.
func TestTableRefusals(t *testing.T) {
	file, _ := clinic()
	s := open(t, file)
	filtered := withoutMain(s, "table", []ask.Field{byDistrict}, ask.Params{"missing": "true"})
	filtered.Filter = []table.Condition{{Column: 3, Spec: districts, In: []string{"Hill"}}}
	_, err := s.Plan(filtered)
	wantField(t, err, "missing")
	for name, c := range map[string]struct {
		others []ask.Field
		field  string
	}{
		"no column":      {nil, "columns"},
		"a column twice": {[]ask.Field{byDistrict, byDistrict}, "others.1.column"},
		"five columns":   {slices.Repeat([]ask.Field{byDistrict}, 5), "others"},
		"too many cells": {[]ask.Field{months(1), months(2), months(3), months(4)}, "cells"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.Plan(withoutMain(s, "table", c.others, nil))
			wantField(t, err, c.field)
		})
	}
}

// TestGroupsOfSeveralColumns: means, sums and medians are those of each combination.
func TestGroupsOfSeveralColumns(t *testing.T) {
	file, rows := clinic()
	s := open(t, file)
	ages := make([][]float64, 6*5)
	for _, row := range rows {
		age, err := strconv.ParseFloat(row[0], 64)
		district := slices.Index(districts.Categories, row[2])
		department := slices.Index(departments.Categories, row[3])
		if err == nil && district >= 0 && department >= 0 {
			cell := district*5 + department
			ages[cell] = append(ages[cell], age)
		}
	}
	and := byDepartment
	and.Role = "and"
	for _, id := range []string{"mean", "sum", "median"} {
		r := recipe(s, id, 0, byAge.Domain, nil)
		r.Group = &ask.Group{Column: 3, Label: "district", Names: districts.Categories}
		r.Others, r.Epsilon = []ask.Field{and}, "20"
		release := askFor(t, s, r, file)
		for cell, of := range ages {
			slices.Sort(of)
			n, sum := float64(len(of)), 0.0
			for _, age := range of {
				sum += age
			}
			var name, value string
			want, within := of[len(of)/2], 3.0
			switch out := release.Answer.Result.(type) {
			case *Estimates:
				name, value = out.Rows[cell].Group, out.Rows[cell].Value
				if want = sum; id == "mean" {
					want = sum / n
				} else {
					within = 100
				}
			case *Medians:
				name, value = out.Rows[cell].Group, out.Rows[cell].Value
				if off := float64(out.Rows[cell].Size) - n; math.Abs(off) > 5 {
					t.Errorf("%s: %d people, and are %g", name, out.Rows[cell].Size, n)
				}
			}
			if got := parsed(value); math.Abs(got-want) > within {
				t.Errorf("%s of %s is %s, want about %g", id, name, value, want)
			}
			if want := districts.Categories[cell/5] + " · " +
				departments.Categories[cell%5]; name != want {
				t.Errorf("%s: group %q, want %q", id, name, want)
			}
		}
		if e, is := release.Answer.Result.(*Estimates); is && len(e.Axes) != 2 {
			t.Errorf("%s: %d axes, want 2", id, len(e.Axes))
		}
	}
	r := recipe(s, "mean", 0, byAge.Domain, nil)
	r.Group = &ask.Group{Column: 4, Label: "department", Names: departments.Categories}
	r.Others = []ask.Field{and}
	_, err := s.Plan(r)
	wantField(t, err, "others.0.column")
}
