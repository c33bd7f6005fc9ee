package task

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/joint"
	"hush/core/param"
	"hush/core/privacy"
)

// jointRecipe keeps an age, a day, a city and a wage that goes with the age.
func jointRecipe(s *Session) ask.Recipe {
	r := madeUpRecipe(s)
	r.Task = "joint"
	for i := range r.Others {
		r.Others[i].Role = roleKept.Name
	}
	r.Others[0].Cuts = []string{"20", "30", "40", "50", "60"}
	r.Others[1].Cuts = []string{"2020-02-01", "2020-03-01"}
	r.Others[3].Cuts = []string{"2000", "2500", "3000", "3500"}
	return r
}

// TestJointKeeps: made-up rows have each column about as in the data, and what connects them, which
// made-up columns lose; a release that was saved makes up the same.
func TestJointKeeps(t *testing.T) {
	file := staff(8000)
	s := open(t, file)
	r := jointRecipe(s)
	release := askFor(t, s, r, file)
	var saved Release
	if err := json.Unmarshal([]byte(release.JSON("")), &saved); err != nil {
		t.Fatal(err)
	}
	made := saved.Answer.Result.(*Joint)
	const rows = 20000 // more than people
	text, err := made.Synthetic(nil, coin.NewSeeded(3), r, fmt.Sprint(rows))
	if err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(records) != rows+1 ||
		strings.Join(records[0], "|") != "age|'=start|city|wage" {
		t.Fatalf("%d records under %q, %v", len(records), records[0], err)
	}
	months, cities, empty := map[string]int{}, map[string]int{}, 0
	var ages, wages []float64
	within := map[int]bool{}
	for _, row := range records[1:] {
		if row[0] == "" || row[1] == "" {
			continue // the noise gives some rows no value
		}
		age, err := strconv.Atoi(row[0])
		if err != nil || age < 0 || age > 100 || len(row[1]) != 10 {
			t.Fatalf("row %q", row)
		}
		months[row[1][:7]]++
		cities[row[2]]++
		if row[3] == "" {
			empty++
			continue
		}
		wage, err := strconv.ParseFloat(row[3], 64)
		if err != nil || wage < 0 || wage > 5000 || math.Mod(wage*2, 1) != 0 {
			t.Fatalf("row %q", row)
		}
		within[age] = true
		ages, wages = append(ages, float64(age)), append(wages, wage)
	}
	near := func(what string, got int, want float64) {
		if math.Abs(float64(got)-want*rows) > 0.05*rows {
			t.Errorf("%s: %d of %d, want about %.0f", what, got, rows, want*rows)
		}
	}
	near("without a wage", empty, 0.25)
	near("Rom", cities["Rom"], 0.5)
	near("Ulm", cities["Ulm"], 0.25)
	near("January", months["2020-01"], 1./3)
	for age := 20; age < 60; age++ {
		if !within[age] {
			t.Errorf("nobody of %d: numbers are not spread within their bins", age)
		}
	}
	if c := correlation(ages, wages); c < 0.8 {
		t.Errorf("what goes together is lost: %.2f", c)
	}
	if !strings.Contains(release.Statement, string(OnlyPairs)) {
		t.Error(release.Statement)
	}
}

// TestJointTables: the tables of made-up rows add up to everybody, agree on their columns, and are
// in their intervals; those of three columns are refused in no way but by not being there.
func TestJointTables(t *testing.T) {
	file := staff(3000)
	s := open(t, file)
	release := askFor(t, s, jointRecipe(s), file)
	made := release.Answer.Result.(*Joint)
	if n := len(made.Tables()); n != 6 {
		t.Fatalf("%d tables", n)
	}
	for _, one := range made.Tables() {
		if err := one.Check(); err != nil {
			t.Error(err)
		}
		sum := int64(0)
		for cell, count := range one.Counts {
			sum += count
			if c := one.Count(cell); c.Value < c.Low || c.Value > c.High {
				t.Errorf("%s: %+v", one.CellName(cell), c)
			}
		}
		if sum != 3000 || one.Over().Counts[0] != 3000 {
			t.Errorf("%d people", sum)
		}
	}
	for field, change := range map[string]func(t *Joint){
		"axes":  func(t *Joint) { t.Axes[0].Places = t.Axes[0].Places[1:] },
		"model": func(t *Joint) { t.Model = nil },
	} {
		var saved Release
		if err := json.Unmarshal([]byte(release.JSON("")), &saved); err != nil {
			t.Fatal(err)
		}
		other := saved.Answer.Result.(*Joint)
		change(other)
		var refused *param.Error
		if err := other.Check(); !errors.As(err, &refused) || refused.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

// TestJointRefusals: what cannot be counted, and rows that cannot be made.
func TestJointRefusals(t *testing.T) {
	file := staff(300)
	s := open(t, file)
	r := jointRecipe(s)
	r.Others[0].Cuts = nil
	for age := range 99 {
		r.Others[0].Cuts = append(r.Others[0].Cuts, fmt.Sprint(age+1))
	}
	if _, err := s.Plan(r); err != nil {
		t.Errorf("100 bins: %v", err)
	}
	wide := jointRecipe(s)
	wide.Others[3].Domain.Hi, wide.Others[3].Cuts = "5000", nil
	for wage := range 300 {
		wide.Others[3].Cuts = append(wide.Others[3].Cuts, fmt.Sprint(wage+1))
	}
	one := jointRecipe(s)
	one.Others = one.Others[:1]
	for field, r := range map[string]ask.Recipe{"others.3.categories": wide, "others": one} {
		_, err := s.Plan(r)
		var refused *param.Error
		if !errors.As(err, &refused) || refused.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	r = jointRecipe(s)
	made := askFor(t, s, r, file).Answer.Result.(*Joint)
	for _, rows := range []string{"", "0", "x", "250001"} {
		if _, err := made.Synthetic(nil, coin.NewSeeded(1), r, rows); err == nil {
			t.Errorf("%q rows", rows)
		}
	}
	r.Others[2].Domain = domain.Spec{Kind: domain.Category, Categories: []string{"Bern"}}
	if _, err := made.Synthetic(nil, coin.NewSeeded(1), r, "10"); err == nil {
		t.Error("rows by another recipe")
	}
}

// TestJointAlone: columns that are counted by themselves have much less noise, and pairs a little
// more, at the same price; a saved release reads the same.
func TestJointAlone(t *testing.T) {
	file := staff(3000)
	s := open(t, file)
	r := jointRecipe(s)
	summed := askFor(t, s, r, file)
	r.Params = ask.Params{paramAlone: alone}
	counted := askFor(t, s, r, file)
	if fmt.Sprint(summed.Plan.Loss) != fmt.Sprint(counted.Plan.Loss) {
		t.Errorf("%v and %v", summed.Plan.Loss, counted.Plan.Loss)
	}
	var saved Release
	if err := json.Unmarshal([]byte(counted.JSON("")), &saved); err != nil ||
		saved.JSON("") != counted.JSON("") {
		t.Fatal(err)
	}
	was, is := summed.Answer.Result.(*Joint), saved.Answer.Result.(*Joint)
	for column := range is.Axes {
		one := is.Of(column)
		if err := one.Check(); err != nil {
			t.Error(err)
		}
		if one.CellError() >= was.Of(column).CellError() {
			t.Errorf("%s: ± %d, of the pairs ± %d", is.Axes[column].Column, one.CellError(),
				was.Of(column).CellError())
		}
	}
	if few, many := was.Of(0, 1).CellError(), is.Of(0, 1).CellError(); few >= many || many > 2*few {
		t.Errorf("a pair is within ± %d, and ± %d with columns alone", few, many)
	}
	if !is.Measures(r) || is.Measures(summed.Recipe) || was.Measures(r) {
		t.Error("columns are counted by themselves where that is not asked")
	}
	r.Params[ParamCriteria] = "pairs, 40 %"
	if made := askFor(t, s, r, file).Answer.Result.(*Joint); made.UnlikeAsked(r) != "" ||
		made.Model.Measured.Singles == nil {
		t.Error("with criteria columns are not counted by themselves")
	} else if delete(r.Params, paramAlone); made.UnlikeAsked(r) != paramAlone {
		t.Error("with criteria columns are counted by themselves where that is not asked")
	}
}

// TestJointSums: what is printed beside a sum of made-up rows, how far the end of its interval is,
// holds in 95 of 100 releases; 95 of 100 sums are off by half as much and more. A column that many
// pairs have is known better than by one of them.
func TestJointSums(t *testing.T) {
	const people = 700
	releases, epsilons := 400, []string{"0.5", "4"}
	if testing.Short() {
		releases, epsilons = 60, epsilons[1:]
	}
	file := staff(people)
	s := open(t, file)
	r := jointRecipe(s)
	cities := []int64{people / 4, people / 2, people / 4, 0} // Bern, Rom, Ulm, no value
	wages := int64((people + 3) / 4)                         // of people without one
	for _, r.Epsilon = range epsilons {
		missed, printed, before := 0, 0.0, 0.0
		var off []float64
		for range releases {
			made := askFor(t, s, r, file).Answer.Result.(*Joint)
			table := made.Of(2, 3)
			city, wage := table.Over(0), table.Over(1)
			see := func(c Estimated, truth int64) {
				if float64(truth) < c.Low || float64(truth) > c.High {
					missed++
				}
				printed += max(c.High-c.Value, c.Value-c.Low)
				off = append(off, math.Abs(c.Value-float64(truth)))
			}
			for place, truth := range cities {
				see(city.Count(place), truth)
			}
			see(wage.Count(len(wage.Counts)-1), wages)
			if total := table.Over(); total.Count(0) != (Estimated{people, people, people}) {
				t.Fatalf("in all %v", total.Count(0))
			}
			before += float64(table.margin([]int{0}).Error)
		}
		slices.Sort(off)
		within := off[len(off)*95/100]
		printed /= float64(len(off))
		t.Logf("ε = %s: %d of %d miss, ± %.1f, 95 of 100 within %.1f, before ± %.1f", r.Epsilon,
			missed, len(off), printed, within, before/float64(releases))
		// five numbers of 400 releases: 5 % is 100, and 150 has a chance below 10^-4
		if missed > len(off)*3/40 {
			t.Errorf("ε = %s: %d of %d miss", r.Epsilon, missed, len(off))
		}
		if printed > 2*within || printed > .75*before/float64(releases) {
			t.Errorf("ε = %s: ± %.1f, 95 of 100 within %.1f, of one table ± %.1f", r.Epsilon,
				printed, within, before/float64(releases))
		}
	}
}

// TestJointChosen: chosen pairs alone are measured, at less noise for the same price; the others
// are known not to be, and rows of columns that no pair connects stay independent.
func TestJointChosen(t *testing.T) {
	file := staff(4000)
	s := open(t, file)
	all := askFor(t, s, jointRecipe(s), file)
	r := jointRecipe(s)
	r.Params = ask.Params{paramPairs: "wage,age\n\n =start , city"}
	release := askFor(t, s, r, file)
	made := release.Answer.Result.(*Joint)
	if n := len(made.Tables()); n != 2 || made.Of(0, 3) == nil || made.Of(1, 2) == nil ||
		made.Of(0, 1) != nil || made.Of(2) == nil {
		t.Fatalf("%d tables", n)
	}
	whole := all.Answer.Result.(*Joint)
	if few, many := made.Of(0, 3).CellError(), whole.Of(0, 3).CellError(); few >= many {
		t.Errorf("± %d, of all pairs ± %d", few, many)
	}
	if fmt.Sprint(all.Plan.Loss) != fmt.Sprint(release.Plan.Loss) {
		t.Errorf("%v, of all pairs %v", release.Plan.Loss, all.Plan.Loss)
	}
	if k, measured := made.Kept(0, 3); !measured || k.Off > 0.05 || k.Sure <= 0 || k.Sure > 0.2 {
		t.Errorf("%+v, %v", k, measured)
	}
	if _, measured := made.Kept(0, 1); measured {
		t.Error("a pair that was not chosen is called measured")
	}
	if _, measured := made.Kept(2); !measured {
		t.Error("a column of a chosen pair is not called measured")
	}
	if !strings.Contains(release.Statement, string(OnlyChosen)) {
		t.Error(release.Statement)
	}
	say := ask.Voice{}
	if list := made.NotFor(say); len(list) != 4 || !strings.Contains(list[2],
		"the 4 pairs that were not measured, such as age · =start, age · city, =start · wage") {
		t.Errorf("%q", list)
	}
	if list := whole.NotFor(say); len(list) != 3 {
		t.Errorf("%q", list)
	}
	for name, lines := range map[string]string{
		"one name":      "age",
		"three":         "age, city, wage\nage, =start",
		"itself":        "age, age",
		"another":       "age, height",
		"twice":         "age, city\ncity, age\n=start, wage",
		"a column left": "age, city\ncity, wage",
	} {
		r.Params[paramPairs] = lines
		_, err := s.Plan(r)
		var refused *param.Error
		if !errors.As(err, &refused) || refused.Field != paramPairs {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestJointOfBefore: a release whose loss was divided between columns and pairs as earlier releases
// did is still read; one with noise that follows from no rule is refused.
func TestJointOfBefore(t *testing.T) {
	const n = 500
	file := staff(n)
	s := open(t, file)
	r := jointRecipe(s)
	r.Epsilon, r.Params = "0.2", ask.Params{paramAlone: alone}
	release := askFor(t, s, r, file)
	made := release.Answer.Result.(*Joint)
	delta, err := privacy.ParseDelta("0.0000001")
	if err != nil {
		t.Fatal(err)
	}
	epsilon, err := privacy.ParseEpsilon(r.Epsilon)
	if err != nil {
		t.Fatal(err)
	}
	of := joint.PairsParams{Epsilon: epsilon, Delta: delta, Sizes: made.Model.Measured.Sizes}
	again := func(part int64) error {
		of.Alone = part
		by, err := joint.NewPairs(of)
		if err != nil {
			t.Fatal(err)
		}
		blank := by.Blank(n)
		for k := range blank.Tables {
			blank.Tables[k].Counts = made.Model.Measured.Tables[k].Counts
		}
		for i := range blank.Singles {
			blank.Singles[i].Counts = made.Model.Measured.Singles[i].Counts
		}
		made.Model.Measured = blank
		var saved Release
		if err := json.Unmarshal([]byte(release.JSON("")), &saved); err != nil {
			t.Fatal(err)
		}
		_, err = NewLivingTable(nil, &saved)
		return err
	}
	before, err := joint.PartByNoise(of, n)
	if err != nil {
		t.Fatal(err)
	}
	now, err := joint.PartAlone(of, n)
	if err != nil || now == before {
		t.Fatalf("the part is %d, and was %d, %v", now, before, err)
	}
	for _, part := range []int64{now, before} {
		if err := again(part); err != nil {
			t.Errorf("%d %%: %v", part, err)
		}
	}
	if again(before/2) == nil {
		t.Error("noise that follows from no rule is read")
	}
}
