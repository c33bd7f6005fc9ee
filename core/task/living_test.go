package task

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/joint"
	"hush/core/message"
	"hush/core/param"
)

// livingStaff is the living table of a staff, from its file.
func livingStaff(t *testing.T, persons int) *LivingTable {
	t.Helper()
	file := staff(persons)
	s := open(t, file)
	release := askFor(t, s, jointRecipe(s), file)
	var saved Release
	if err := json.Unmarshal([]byte(release.JSON("")), &saved); err != nil {
		t.Fatal(err)
	}
	living, err := NewLivingTable(nil, &saved)
	if err != nil {
		t.Fatal(err)
	}
	return living
}

// TestLivingTable: without the data, a living table answers what the staff really are: counts with
// their ranges, the mean wage by age, the median, and by how much the wage rises with each year.
func TestLivingTable(t *testing.T) {
	living := livingStaff(t, 8000)
	const age, start, city, wage = 0, 1, 2, 3
	answer := func(q LivingQuestion) *LivingAnswer {
		t.Helper()
		a, err := living.Answer(q)
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range a.Rows {
			if len(row.Places) != len(a.Names) && !row.Apart || row.From > row.At ||
				row.At > row.To {
				t.Errorf("%+v", row)
			}
		}
		return a
	}
	row := func(a *LivingAnswer, place string) LivingRow {
		t.Helper()
		for _, row := range a.Rows {
			if strings.Join(row.Places, " · ") == place {
				return row
			}
		}
		t.Fatalf("no %s in %+v", place, a.Rows)
		return LivingRow{}
	}
	holds := func(r LivingRow, known joint.Known, truth float64) {
		t.Helper()
		if r.Known != known || truth < r.From || truth > r.To || !r.Ranged() {
			t.Errorf("%+v, in truth %v", r, truth)
		}
	}

	cities := answer(LivingQuestion{Kind: LivingCount, Columns: []int{city}})
	holds(row(cities, "Rom"), joint.ByCounts, 4000)
	if cities.Known != joint.ByCounts || !strings.Contains(cities.Sentence, "Rom, about") ||
		!strings.Contains(cities.Note, "95 of 100") ||
		!strings.Contains(cities.Note, "holds for all rows at once") {
		t.Errorf("%+v", cities)
	}
	all := answer(LivingQuestion{Kind: LivingCount})
	if r := all.Rows[0]; all.Known != joint.Certain || r.Value != message.Grouped(8000) ||
		r.Ranged() {
		t.Errorf("%+v", all)
	}
	in := []LivingCondition{{city, 2}}
	if name := living.Axes[city].Places[2].Label; name != "Ulm" {
		t.Fatal(name)
	}
	holds(answer(LivingQuestion{Kind: LivingCount, Where: in}).Rows[0], joint.ByCounts, 2000)
	holds(row(answer(LivingQuestion{Kind: LivingCount, Columns: []int{city, wage}}),
		"Bern · no value"), joint.ByCounts, 2000)
	three := answer(LivingQuestion{Kind: LivingCount, Columns: []int{city, wage, start}})
	if three.Known != joint.ByBounds || len(three.Rows) != 4*6*4 {
		t.Errorf("%s, %d rows", three.Known, len(three.Rows))
	}
	four := answer(LivingQuestion{Kind: LivingCount, Columns: []int{age, wage, start}, Where: in})
	if four.Known != joint.Unmeasured || four.Rows[0].Ranged() ||
		!strings.Contains(four.Note, "Not measured: follows from pairs only") ||
		!strings.HasSuffix(four.Sentence, " in the made-up rows.") {
		t.Errorf("%q, %q", four.Sentence, four.Note)
	}

	mean := answer(LivingQuestion{Kind: LivingMean, Columns: []int{wage}})
	if r := mean.Rows[0]; math.Abs(r.At-3125) > 60 || r.Known != joint.ByCounts ||
		!strings.Contains(mean.Note, "middle of a bin") {
		t.Errorf("%+v", mean)
	}
	byAge := answer(LivingQuestion{Kind: LivingMean, Columns: []int{wage, age}})
	if young, old := row(byAge, "20–29"), row(byAge, "50–59"); young.To > 2700 ||
		old.From < 3000 {
		t.Errorf("%+v, %+v", young, old)
	}
	half := answer(LivingQuestion{Kind: LivingQuantile, Columns: []int{age}, Part: "0.5"})
	holds(half.Rows[0], joint.ByCounts, 39.5)
	if !strings.HasPrefix(half.Sentence, "50 % of") {
		t.Error(half.Sentence)
	}
	days := answer(LivingQuestion{Kind: LivingQuantile, Columns: []int{start}, Part: "0.5"})
	if !strings.HasPrefix(days.Rows[0].Value, "2020-02") {
		t.Errorf("%+v", days.Rows)
	}
	line := answer(LivingQuestion{Kind: LivingLine, Columns: []int{wage, age}})
	if !strings.Contains(line.Sentence, "middles of the bins of wage, age") ||
		!strings.Contains(line.Note, "its range is not for these") {
		t.Errorf("%q, %q", line.Sentence, line.Note)
	}
	if r := line.Rows[0]; !r.Apart || r.Known != joint.ByCounts || math.Abs(r.At-50) > 15 {
		t.Errorf("%+v", r)
	}
}

// TestLivingLogistic: how old people of a city are, of which the counts are measured, and who of
// those with a wage works in Ulm, which follows from pairs only; and why there are no coefficients.
func TestLivingLogistic(t *testing.T) {
	living := livingStaff(t, 8000)
	const age, start, city, wage = 0, 1, 2, 3
	const fifties, ulm = 4, 2
	answer := func(place int, columns ...int) *LivingAnswer {
		t.Helper()
		a, err := living.Answer(LivingQuestion{Kind: LivingLogistic, Columns: columns,
			Place: place})
		if err != nil {
			t.Fatal(err)
		}
		if intercept := a.Rows[0]; !intercept.Apart || intercept.Ranged() || len(a.Rows) < 3 {
			t.Fatalf("%+v", a.Rows)
		}
		return a
	}
	counts := map[string]float64{}
	for line := range strings.Lines(string(staff(8000))) {
		cells := strings.Split(line, ",")
		counts[fmt.Sprint(cells[2], cells[0][0] == '5')]++
	}
	truth := math.Log(counts["Romtrue"] / counts["Romfalse"] * counts["Bernfalse"] /
		counts["Berntrue"])
	one := answer(fifties, age, city)
	if r := one.Rows[1]; r.Known != joint.ByCounts || !r.Ranged() || r.From > r.At ||
		r.At > r.To || r.From > truth || r.To < truth || r.To-r.From > .6 ||
		strings.Join(r.Places, "|") != "city|Rom, not Bern" {
		t.Errorf("%+v", r)
	}
	if !strings.HasPrefix(one.Sentence, "Among people with city: Rom the odds of age: 50–59 are "+
		"about ") || strings.Contains(one.Sentence, "made-up") {
		t.Error(one.Sentence)
	}
	two := answer(ulm, city, wage, start)
	if r := two.Rows[1]; r.Known != joint.Unmeasured || r.Ranged() || math.Abs(r.At) > .001 ||
		len(r.Value) < 7 || r.Places[1] != "1 more" {
		t.Errorf("%+v", r)
	}
	if r := two.Rows[0]; math.Abs(r.At-math.Log(.5)) > .5 {
		t.Errorf("%+v", r)
	}
	for _, want := range []string{"Not measured: follows from pairs only. How far off it is, " +
		"nobody knows. The other columns stay the same. Fitted to the ", "with a value in each",
		"middle of a bin of wage"} {
		if !strings.Contains(two.Note, want) {
			t.Errorf("%q is not in %q", want, two.Note)
		}
	}
	if !strings.Contains(two.Sentence, "wage is higher by 1") ||
		!strings.HasSuffix(two.Sentence, " times as high in the made-up rows.") {
		t.Error(two.Sentence)
	}

	for _, c := range []struct {
		unfit       joint.UnfitError
		field, says string
	}{
		{joint.UnfitError{Flaw: joint.OneAnswer, Column: city, Place: -1}, "place", "city"},
		{joint.UnfitError{Flaw: joint.OneValue, Column: wage, Place: -1}, "columns", "wage"},
		{joint.UnfitError{Flaw: joint.Dependent, Column: -1, Place: -1}, "columns", "follow"},
		{joint.UnfitError{Flaw: joint.Separated, Column: city, Place: 1}, "columns", "city: Rom"},
		{joint.UnfitError{Flaw: joint.Separated, Column: -1, Place: -1}, "columns", "decide"},
	} {
		var refused *param.Error
		err := living.unfit(&c.unfit, living.within(LivingCondition{city, 0}))
		if !errors.As(err, &refused) || refused.Field != c.field ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v", c.unfit, err)
		}
	}
}

// TestLivingTableRefusals: what cannot be asked, each with its field; and a release that does not
// follow from its question.
func TestLivingTableRefusals(t *testing.T) {
	living := livingStaff(t, 500)
	for i, c := range []struct {
		field string
		q     LivingQuestion
	}{
		{"kind", LivingQuestion{Kind: "sum"}},
		{"columns", LivingQuestion{Kind: LivingCount, Columns: []int{0, 1, 2, 3}}},
		{"columns", LivingQuestion{Kind: LivingCount, Columns: []int{0, 0}}},
		{"columns", LivingQuestion{Kind: LivingCount, Columns: []int{4}}},
		{"columns", LivingQuestion{Kind: LivingMean}},
		{"columns", LivingQuestion{Kind: LivingMean, Columns: []int{2}}},
		{"columns", LivingQuestion{Kind: LivingMean, Columns: []int{1}}},
		{"columns", LivingQuestion{Kind: LivingQuantile, Columns: []int{2}, Part: "0.5"}},
		{"part", LivingQuestion{Kind: LivingQuantile, Columns: []int{0}, Part: "1"}},
		{"columns", LivingQuestion{Kind: LivingLine, Columns: []int{0, 2}}},
		{"where", LivingQuestion{Kind: LivingLine, Columns: []int{0, 3},
			Where: []LivingCondition{{2, 0}}}},
		{"columns", LivingQuestion{Kind: LivingLogistic, Columns: []int{0}}},
		{"place", LivingQuestion{Kind: LivingLogistic, Columns: []int{0, 2}, Place: -1}},
		{"place", LivingQuestion{Kind: LivingLogistic, Columns: []int{2, 0}, Place: 3}},
		{"where", LivingQuestion{Kind: LivingCount, Where: []LivingCondition{{2, 9}}}},
		{"where", LivingQuestion{Kind: LivingCount, Where: []LivingCondition{{2, 0}, {2, 1}}}},
		{"where", LivingQuestion{Kind: LivingCount, Columns: []int{2},
			Where: []LivingCondition{{2, 0}}}},
		{"where", LivingQuestion{Kind: LivingCount, Where: make([]LivingCondition, 6)}},
	} {
		var refused *param.Error
		if _, err := living.Answer(c.q); !errors.As(err, &refused) || refused.Field != c.field {
			t.Errorf("%d: %+v: %v", i, c.q, err)
		}
	}
	for name, change := range map[string]func(r *Release){
		"less noise": func(r *Release) {
			r.Answer.Result.(*Joint).Model.Measured.Tables[1].StdDev /= 2
		},
		"another kind": func(r *Release) { r.Recipe.Task = "count" },
		"a smaller ε":  func(r *Release) { r.Recipe.Epsilon = "0.25" },
		"other columns": func(r *Release) {
			r.Recipe.Others = append([]ask.Field(nil), r.Recipe.Others[:3]...)
		},
	} {
		var saved Release
		if err := json.Unmarshal([]byte(living.Release.JSON("")), &saved); err != nil {
			t.Fatal(err)
		}
		change(&saved)
		if _, err := NewLivingTable(nil, &saved); err == nil {
			t.Errorf("%s is not refused", fmt.Sprint(name))
		}
	}
}

// TestLivingLink: a small table fits into a link, and answers the same; a large one does not; a
// link that was cut or changed is refused, or its text is another.
func TestLivingLink(t *testing.T) {
	file := staff(8000)
	s := open(t, file)
	finer := jointRecipe(s)
	finer.Others[0].Cuts, finer.Others[3].Cuts = nil, nil
	for i := range 90 {
		finer.Others[0].Cuts = append(finer.Others[0].Cuts, fmt.Sprint(i+1))
		finer.Others[3].Cuts = append(finer.Others[3].Cuts, fmt.Sprint(50*i+50))
	}
	if link := LivingLink(askFor(t, s, finer, file), "0123"); link != "" {
		t.Errorf("four columns of 8000 people make a link of %d characters", len(link))
	}
	r := *livingStaff(t, 1000).Release
	packed := *r.Answer.Result.(*Joint)
	r.Recipe.Data, r.Recipe.Source = "staff of 2026.csv", "a source that the owner typed"
	link := LivingLink(&r, "0123")
	t.Logf("%d characters of %d", len(link), len(r.JSON("0123")))
	if link == "" {
		t.Fatal("too long for a link")
	}
	text, err := UnpackLiving(link)
	if err != nil {
		t.Fatal(err)
	}
	var saved Release
	if err := json.Unmarshal([]byte(text), &saved); err != nil {
		t.Fatal(err)
	}
	if sorted := saved.Answer.Result.(*Joint).Model; sorted.Rows() != packed.Model.Rows() {
		t.Errorf("%d rows", sorted.Rows())
	}
	q := LivingQuestion{Kind: LivingCount, Columns: []int{0, 1}}
	var answers []string
	for _, release := range []*Release{&r, &saved} {
		living, err := NewLivingTable(nil, release)
		if err != nil {
			t.Fatal(err)
		}
		a, err := living.Answer(q)
		if err != nil {
			t.Fatal(err)
		}
		answers = append(answers, fmt.Sprintf("%+v", *a))
	}
	if answers[0] != answers[1] {
		t.Errorf("%s\n%s", answers[0], answers[1])
	}
	for _, bad := range []string{"", link[:len(link)/2], "?" + link, strings.Repeat("A", 9000)} {
		var refused *param.Error
		if _, err := UnpackLiving(bad); !errors.As(err, &refused) || refused.Field != "link" {
			t.Errorf("%.20q: %v", bad, err)
		}
	}
	bomb := packedZeros(t)
	if _, err := UnpackLiving(bomb); err == nil {
		t.Errorf("%d characters unpack to more than %d bytes", len(bomb), mostUnpacked)
	}
	if strings.Contains(text, "2026.csv") || strings.Contains(text, "owner typed") {
		t.Error("a link names the data set")
	}
}

// packedZeros unpacks to more than any link may.
func packedZeros(t *testing.T) string {
	t.Helper()
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(make([]byte, mostUnpacked+1)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return base64.RawURLEncoding.EncodeToString(packed.Bytes())
}
