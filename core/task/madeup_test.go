package task

import (
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
)

// staff are n persons with an age, a day, a city, and a wage that not all have and that goes with
// the age.
func staff(n int) []byte {
	src := coin.NewSeeded(9)
	var b strings.Builder
	b.WriteString("age,start,city,wage\n")
	for i := range n {
		age := 20 + src.Uniform(40)
		wage := ""
		if i%4 > 0 {
			wage = fmt.Sprintf("%d.50", 1000+50*age)
		}
		fmt.Fprintf(&b, "%d,2020-%02d-15,%s,%s\n", age, 1+i%3,
			[]string{"Bern", "Rom", "Rom", "Ulm"}[i%4], wage)
	}
	return []byte(b.String())
}

func madeUpRecipe(s *Session) ask.Recipe {
	r := recipe(s, "madeup", -1, domain.Spec{}, nil)
	r.Others = []ask.Field{
		{Role: roleColumn, Column: 1, Label: "age", Domain: hundredDomain},
		{Role: roleColumn, Column: 2, Label: "=start",
			Domain: domain.Spec{Kind: domain.Date, Lo: "2020-01-01", Hi: "2020-12-31"}},
		{Role: roleColumn, Column: 3, Label: "city",
			Domain: domain.Spec{Kind: domain.Category, Categories: []string{"Bern", "Rom", "Ulm"}}},
		{Role: roleColumn, Column: 4, Label: "wage",
			Domain: domain.Spec{Kind: domain.Decimal, Lo: "0", Hi: "5000", Step: "0.5"}},
	}
	return r
}

func TestMadeUp(t *testing.T) {
	file := staff(8000)
	s := open(t, file)
	r := madeUpRecipe(s)
	release := askFor(t, s, r, file)
	m := release.Answer.Result.(*MadeUp)
	noise := 0
	for _, g := range release.Verdict.Cells {
		if g == ask.Noise {
			noise++
		}
	}
	if n := len(release.Verdict.Cells); 2*noise > n && release.Verdict.Grade != ask.Noise {
		t.Errorf("%s, and %d of %d rows are noise", release.Verdict.Grade, noise, n)
	}
	if release.Plan.Forecast[1].Detail != string(Lost) ||
		release.Plan.Forecast[2].Value != "ε = 0.25" {
		t.Errorf("%s\n%+v", release.Statement, release.Plan.Forecast)
	}
	for i, c := range m.Columns {
		if missing := c.Missing > 0; missing != (i == 3) {
			t.Errorf("%s: %d of a million without a value", c.Name, c.Missing)
		}
	}
	const rows = 4000
	text, err := m.Synthetic(nil, coin.NewSeeded(3), r, fmt.Sprint(rows))
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
	for _, row := range records[1:] {
		age, err := strconv.Atoi(row[0])
		if err != nil || len(row[1]) != 10 {
			t.Fatalf("row %q", row)
		}
		months[row[1][:7]]++
		cities[row[2]]++
		if row[3] == "" {
			empty++
			continue
		}
		wage, err := strconv.ParseFloat(row[3], 64)
		if err != nil || wage < 0 || wage > 5000 {
			t.Fatalf("row %q", row)
		}
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
	near("February", months["2020-02"], 1./3)
	// In the data the wage is a function of the age; made-up rows say that this is lost.
	if c := correlation(ages, wages); math.Abs(c) > 0.06 {
		t.Errorf("made-up columns go together: %.2f", c)
	}
}

func correlation(x, y []float64) float64 {
	n := float64(len(x))
	var sx, sy, xx, yy, xy float64
	for i := range x {
		sx, sy, xx, yy, xy = sx+x[i], sy+y[i], xx+x[i]*x[i], yy+y[i]*y[i], xy+x[i]*y[i]
	}
	return (n*xy - sx*sy) / math.Sqrt((n*xx-sx*sx)*(n*yy-sy*sy))
}

// TestMadeUpLoss: the columns' losses add up to the granted loss, for any number of columns.
func TestMadeUpLoss(t *testing.T) {
	s := open(t, staff(500))
	all := madeUpRecipe(s)
	for k := 1; k <= len(all.Others); k++ {
		r := all
		r.Others = all.Others[:k]
		plan, err := s.Plan(r)
		if err != nil {
			t.Fatal(err)
		}
		if e, _ := plan.Loss.Epsilon(); e.Cmp(big1) != 0 || plan.Loss.Delta().Sign() != 0 {
			t.Errorf("%d columns: %v", k, plan.Loss)
		}
		_, p, err := ask.Prepare(All{}, r, 500)
		if err != nil {
			t.Fatal(err)
		}
		if loss, err := p.Loss(); err != nil || loss.Delta().Sign() != 0 {
			t.Errorf("%v, %v", loss, err)
		} else if e, _ := loss.Epsilon(); e.Cmp(big1) > 0 || toFloat64(e) < 0.999 {
			t.Errorf("%d columns add up to %v", k, loss)
		}
	}
}

func TestMadeUpRefusals(t *testing.T) {
	file := staff(500)
	s := open(t, file)
	r := madeUpRecipe(s)
	release := askFor(t, s, r, file)
	m := release.Answer.Result.(*MadeUp)
	for _, rows := range []string{"", "0", "x", "250001"} {
		_, err := m.Synthetic(nil, coin.NewSeeded(1), r, rows)
		wantField(t, err, "rows")
	}
	short := r
	short.Others = r.Others[:2]
	_, err := m.Synthetic(nil, coin.NewSeeded(1), short, "5")
	wantField(t, err, "others")
	r.Others[2].Domain.Categories = nil
	for i := range 201 {
		r.Others[2].Domain.Categories = append(r.Others[2].Domain.Categories, fmt.Sprint("c", i))
	}
	_, err = s.Plan(r)
	wantField(t, err, "others.2.categories")
}

// A category that a spreadsheet would take for a formula is written as the tables of a release
// write it; numbers stay as they are in the column's own notation.
func TestMadeUpFormulas(t *testing.T) {
	names := []string{"=HYPERLINK(1)", "@x", "+1-1", "-cmd|x"}
	file := []byte("link,gain\n")
	for i := range 4000 {
		file = fmt.Appendf(file, "%s,\"-%d,5\"\n", names[i%4], 1+i%2)
	}
	s := open(t, file)
	r := recipe(s, "madeup", -1, domain.Spec{}, nil)
	r.Others = []ask.Field{
		{Role: roleColumn, Column: 1, Label: "link",
			Domain: domain.Spec{Kind: domain.Category, Categories: names}},
		{Role: roleColumn, Column: 2, Label: "gain",
			Domain: domain.Spec{Kind: domain.Decimal, Lo: "-3", Hi: "-1", Step: "0.5", Mark: ","}},
	}
	made := askFor(t, s, r, file).Answer.Result.(*MadeUp)
	text, err := made.Synthetic(nil, coin.NewSeeded(5), r, "40")
	if err != nil {
		t.Fatal(err)
	}
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range records[1:] {
		if !strings.HasPrefix(row[0], "'") || !strings.HasPrefix(row[1], "-") {
			t.Fatalf("a row %q", row)
		}
	}
}
