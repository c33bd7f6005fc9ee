package task

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/param"
	"hush/core/sample"
	"hush/core/table"
)

func TestHistogramOfNumbers(t *testing.T) {
	file := ages(10_000)
	s := open(t, file)
	release := askFor(t, s, recipe(s, "histogram", 0, ageDomain, ask.Params{"width": "25"}), file)

	h := release.Answer.Result.(*Histogram)
	labels := []string{"0–24", "25–49", "50–74", "75–99", "100–119"}
	truth := []int64{2500, 2500, 2500, 2500, 0}
	if len(h.Bins) != len(labels) {
		t.Fatalf("%d bins, want %d", len(h.Bins), len(labels))
	}
	for i, b := range h.Bins {
		if b.Label != labels[i] {
			t.Errorf("bin %d is called %q, want %q", i, b.Label, labels[i])
		}
		if off := b.Count - truth[i]; max(off, -off) > h.AllError {
			t.Errorf("bin %s counts %d, want %d ± %d", b.Label, b.Count, truth[i], h.AllError)
		}
	}
	if h.AllError <= h.Error || h.Error <= 0 {
		t.Errorf("errors %d and %d: the one for all bins must be larger", h.Error, h.AllError)
	}
	if release.Origin != coin.Seeded {
		t.Errorf("origin %q: a seeded run must say so", release.Origin)
	}
	if release.Plan.People != 10_000 {
		t.Errorf("n = %d, want 10000", release.Plan.People)
	}
}

func TestHistogramOfCategories(t *testing.T) {
	file := ages(9_000)
	s := open(t, file)
	d := domain.Spec{Kind: domain.Category, Categories: []string{"Ulm", "Bern", "Paris"}}
	h := askFor(t, s, recipe(s, "histogram", 1, d, nil), file).Answer.Result.(*Histogram)
	truth := map[string]int64{"Ulm": 2700, "Bern": 2700, "Paris": 0}
	for _, b := range h.Bins {
		if off := b.Count - truth[b.Label]; max(off, -off) > h.AllError {
			t.Errorf("%s counts %d, want %d ± %d", b.Label, b.Count, truth[b.Label], h.AllError)
		}
	}
}

func TestMedian(t *testing.T) {
	file := ages(10_001)
	s := open(t, file)
	release := askFor(t, s, recipe(s, "median", 0, ageDomain, nil), file)
	m := release.Answer.Result.(*Median)
	value, err := strconv.Atoi(m.Value)
	if err != nil {
		t.Fatal(err)
	}
	// Each age stands for 100 people, so the middle is 49 or 50, one more or less for the rank
	// error.
	if slack := int(m.RankError/100) + 1; value < 49-slack || value > 50+slack {
		t.Errorf("median %d with rank error %d, want about 50", value, m.RankError)
	}
}

func TestClippedCountsAreNeverNegative(t *testing.T) {
	file := []byte("x\n1\n2\n")
	s := open(t, file)
	d := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "199"}
	negatives := func(clip string) (n int) {
		for _, b := range askFor(
			t, s, recipe(s, "histogram", 0, d, ask.Params{"width": "1", "negative": clip}), file).
			Answer.Result.(*Histogram).Bins {
			if b.Count < 0 {
				n++
			}
		}
		return n
	}
	if n := negatives("true"); n != 0 {
		t.Errorf("%d negative counts, want none", n)
	}
	if n := negatives("false"); n == 0 {
		t.Error("200 empty bins and not one negative count: the noise is one-sided or the option " +
			"does nothing")
	}
}

func TestRefusals(t *testing.T) {
	file := ages(10)
	s := open(t, file)
	good := recipe(s, "histogram", 0, ageDomain, ask.Params{"width": "10"})
	for _, test := range []struct {
		name, field string
		change      func(*ask.Recipe)
	}{
		{"another version", "version", func(r *ask.Recipe) { r.Version = 99 }},
		{"an unknown task", "task", func(r *ask.Recipe) { r.Task = "oracle" }},
		{"a column beyond the last", "column", func(r *ask.Recipe) { r.Column = 3 }},
		{"a negative column", "column", func(r *ask.Recipe) { r.Column = -1 }},
		{"another reading of the file", "table", func(r *ask.Recipe) { r.Table.Delimiter = ";" }},
		{"a bound that is no number", "lo", func(r *ask.Recipe) { r.Domain.Lo = "few" }},
		{"a histogram without bounds", "hi", func(r *ask.Recipe) {
			r.Domain.Lo, r.Domain.Hi = "", ""
		}},
		{"a person column beyond the last", "person", func(r *ask.Recipe) { r.Person = 3 }},
		{"persons and counts at once", "count", func(r *ask.Recipe) { r.Person, r.Count = 1, 2 }},
		{"bounds the wrong way round", "hi", func(r *ask.Recipe) { r.Domain.Lo = "500" }},
		{"no ε", "epsilon", func(r *ask.Recipe) { r.Epsilon = "" }},
		{"ε = 0", "epsilon", func(r *ask.Recipe) { r.Epsilon = "0" }},
		{"an unknown parameter", "bins", func(r *ask.Recipe) {
			r.Params = ask.Params{"bins": "3"}
		}},
		{"a width of nothing", "width", func(r *ask.Recipe) {
			r.Params = ask.Params{"width": "0"}
		}},
		{"a width between steps", "width", func(r *ask.Recipe) {
			r.Params = ask.Params{"width": "2.5"}
		}},
		{"too many bins", "width", func(r *ask.Recipe) {
			r.Domain.Hi, r.Params = "99999999", ask.Params{"width": "1"}
		}},
		{"a flag that is none", "negative", func(r *ask.Recipe) {
			r.Params = ask.Params{"negative": "maybe"}
		}},
		{"a long label", "label", func(r *ask.Recipe) { r.Label = strings.Repeat("x", 201) }},
		{"the median of categories", "kind", func(r *ask.Recipe) {
			r.Task, r.Params, r.Domain = "median", nil,
				domain.Spec{Kind: domain.Category, Categories: []string{"a", "b"}}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := good
			test.change(&r)
			_, err := s.Plan(r)
			wantField(t, err, test.field)
			if _, err := s.Run(r, nil); err == nil {
				t.Error("Run accepts what Plan refuses")
			}
		})
	}
	if _, err := s.Plan(good); err != nil {
		t.Errorf("the recipe itself: %v", err)
	}
	if _, err := s.Run(good, nil); !errors.Is(err, ask.ErrNotRead) {
		t.Errorf("Run without Encode: %v, want ErrNotRead", err)
	}
}

// wantField fails unless err refuses that field.
func wantField(t *testing.T, err error, field string) {
	t.Helper()
	var refused *param.Error
	if !errors.As(err, &refused) || refused.Field != field {
		t.Fatalf("error %v, want a refusal of %q", err, field)
	}
}

// TestPlanIsPublic shows that a forecast depends on n and the recipe alone.
func TestPlanIsPublic(t *testing.T) {
	a, b := ages(500), []byte("age,city\n"+strings.Repeat("7,Rom\n", 499)+"x,\n")
	one, two := open(t, a), open(t, b)
	r := recipe(one, "histogram", 0, ageDomain, nil)
	p, err := one.Plan(r)
	if err != nil {
		t.Fatal(err)
	}
	r.Table = must(two.Opened()).Options
	q, err := two.Plan(r)
	if err != nil {
		t.Fatal(err)
	}
	if x, y := marshal(t, p), marshal(t, q); x != y {
		t.Errorf("two files of 500 people give two plans:\n%s\n%s", x, y)
	}
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestCancelReleasesNothing(t *testing.T) {
	file := ages(1000)
	s := open(t, file)
	r := recipe(s, "median", 0, ageDomain, nil)
	askFor(t, s, r, file)
	stop := errors.New("stop")
	release, err := s.Run(r, func(done, total int64) error { return stop })
	if !errors.Is(err, stop) || release != nil {
		t.Errorf("a cancelled run gives %v, %v", release, err)
	}
}

// TestFileChanged: n is public and fixed when the file is opened; another number of rows is another
// file.
func TestFileChanged(t *testing.T) {
	file := ages(100)
	s := open(t, file)
	pass, err := s.Encode(recipe(s, "median", 0, ageDomain, nil))
	if err != nil {
		t.Fatal(err)
	}
	if err := pass.Write(ages(99)); err != nil {
		t.Fatal(err)
	}
	if err := pass.Close(); !errors.Is(err, ask.ErrChanged) {
		t.Errorf("closing: %v, want ErrChanged", err)
	}
}

func TestColumnIsReadOnce(t *testing.T) {
	file := ages(100)
	s := open(t, file)
	r := recipe(s, "histogram", 0, ageDomain, ask.Params{"width": "10"})
	askFor(t, s, r, file)
	r.Params, r.Epsilon, r.Label = ask.Params{"width": "20"}, "2", "age"
	if pass, err := s.Encode(r); pass != nil || err != nil {
		t.Errorf("the same column is read again: %v, %v", pass, err)
	}
	r.Domain.Hi = "149"
	if pass, err := s.Encode(r); pass == nil || err != nil {
		t.Errorf("another domain is not read: %v, %v", pass, err)
	}
}

// TestPersonColumn: all rows of one person count as one, n is the number of persons, and it is
// known only when the file has been read.
func TestPersonColumn(t *testing.T) {
	var b strings.Builder
	b.WriteString("who,age\n")
	for i := range 3000 {
		fmt.Fprintf(&b, "p%d,%d\n", i%1000, 10+i%1000%50)
	}
	file := []byte(b.String())
	s := open(t, file)
	r := recipe(s, "histogram", 1, ageDomain, ask.Params{"width": "120"})
	r.Person = 1
	if _, err := s.Plan(r); !errors.Is(err, ask.ErrNotRead) {
		t.Fatalf("Plan before reading: %v, want ErrNotRead", err)
	}
	release := askFor(t, s, r, file)
	if release.Plan.People != 1000 {
		t.Errorf("n = %d, want 1000 persons", release.Plan.People)
	}
	if count := release.Answer.Result.(*Histogram).Bins[0].Count; count < 950 || count > 1050 {
		t.Errorf("one bin for all holds %d, want about 1000", count)
	}
	if !strings.Contains(release.Plan.Guarantee.Neighbours, "identifier") {
		t.Errorf("the guarantee does not say who a person is: %s",
			release.Plan.Guarantee.Neighbours)
	}
	r.Epsilon = "2"
	if _, err := s.Plan(r); err != nil {
		t.Errorf("n is known by now: %v", err)
	}
}

// TestCountColumn: a row stands for several persons.
func TestCountColumn(t *testing.T) {
	file := []byte("age,people\n10,400\n30,500\n50,100\n70,x\n")
	s := open(t, file)
	r := recipe(s, "median", 0, ageDomain, nil)
	r.Count = 2
	release := askFor(t, s, r, file)
	if release.Plan.People != 1000 {
		t.Errorf("n = %d, want 1000 persons", release.Plan.People)
	}
	if m := release.Answer.Result.(*Median); m.Value != "30" {
		t.Errorf("the median is %s, want 30", m.Value)
	}
}

// TestFilter: a person who does not meet a condition counts for nobody and stays in n.
func TestFilter(t *testing.T) {
	file := ages(9000)
	s := open(t, file)
	r := recipe(s, "histogram", 0, ageDomain, ask.Params{"width": "120"})
	r.Filter = []table.Condition{
		{Column: 2, Spec: domain.Spec{Kind: domain.Category, Categories: []string{"Bern"}}},
		{Column: 1, Spec: domain.Spec{Kind: domain.Float64}, To: "49"},
	}
	truth := int64(0)
	for i := range 9000 {
		if i%10 != 0 && i%3 == 0 && i%100 < 50 {
			truth++
		}
	}
	release := askFor(t, s, r, file)
	if release.Plan.People != 9000 {
		t.Errorf("n = %d, want all 9000", release.Plan.People)
	}
	h := release.Answer.Result.(*Histogram)
	if off := h.Bins[0].Count - truth; max(off, -off) > h.AllError {
		t.Errorf("%d people meet the conditions, want %d ± %d", h.Bins[0].Count, truth, h.AllError)
	}
}

func TestDates(t *testing.T) {
	var b strings.Builder
	b.WriteString("day\n")
	for i := range 2800 {
		fmt.Fprintf(&b, "%02d.03.2026\n", 1+i%28)
	}
	file := []byte(b.String())
	s := open(t, file)
	d := domain.Spec{Kind: domain.Date, Lo: "2026-03-01", Hi: "2026-03-28", Format: "DD.MM.YYYY"}
	h := askFor(t, s, recipe(s, "histogram", 0, d, ask.Params{"width": "7"}), file).
		Answer.Result.(*Histogram)
	if len(h.Bins) != 4 || h.Bins[1].Label != "2026-03-08–2026-03-14" {
		t.Fatalf("bins %+v", h.Bins)
	}
	for _, bin := range h.Bins {
		if off := bin.Count - 700; max(off, -off) > h.AllError {
			t.Errorf("%s counts %d, want 700 ± %d", bin.Label, bin.Count, h.AllError)
		}
	}
	m := askFor(
		t, s, recipe(s, "median", 0, domain.Spec{Kind: domain.Date, Format: "DD.MM.YYYY"}, nil),
		file).Answer.Result.(*Median)
	if m.Value < "2026-03-12" || m.Value > "2026-03-17" {
		t.Errorf("the median day, without bounds, is %s", m.Value)
	}
}

func TestUnreadableCellsAreListed(t *testing.T) {
	file := []byte("x\n1\n2\nn/a\n3\n")
	s := open(t, file)
	r := recipe(s, "histogram", 0, domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "9"}, nil)
	pass, err := s.Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	feed(t, pass, file)
	p := s.Problems()
	if len(p) != 1 || p[0].Places[0].Row != 4 || p[0].Repair == nil ||
		p[0].Repair.Field != "missing" {
		t.Errorf("problems %+v", p)
	}
}

func TestSamplesAreAnswered(t *testing.T) {
	for _, set := range sample.Sets() {
		file := set.CSV()
		s := open(t, file)
		if got := must(s.Opened()).Rows; got != int64(set.Rows) {
			t.Errorf("%s: n = %d, want %d", set.Name, got, set.Rows)
		}
		if got := len(must(s.Opened()).Problems); got != 0 {
			t.Errorf("%s: %d problems in our own file", set.Name, got)
		}
	}
}

func TestExports(t *testing.T) {
	file := ages(1000)
	s := open(t, file)
	r := recipe(s, "histogram", 1,
		domain.Spec{
			Kind: domain.Category, Categories: []string{"=1+2", "Bern", `a "b", c`, "-5", "@x"}},
		nil)
	r.Label = "+city"
	release := askFor(t, s, r, file)

	rows, err := csv.NewReader(strings.NewReader(release.CSV())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var first []string
	for _, row := range rows {
		first = append(first, row[0])
	}
	if want := []string{"city", "'=1+2", "Bern", `a "b", c`, "-5", "'@x"}; !slices.Equal(
		first, want) {
		t.Errorf("first column %q, want %q", first, want)
	}

	var back struct {
		Release
		Build string
	}
	if err := json.Unmarshal([]byte(release.JSON("0123")), &back); err != nil {
		t.Fatal(err)
	}
	if back.Build != "0123" {
		t.Errorf("the build is %q", back.Build)
	}
	if x, y := marshal(t, back.Release), marshal(t, release); x != y {
		t.Errorf("the JSON does not come back:\n%s\n%s", x, y)
	}
}

func TestCatalogueIsComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, task := range Catalogue() {
		for name, text := range map[string]string{"ID": task.ID, "Title": string(task.Title),
			"Question": string(task.Question),
			"Answer":   string(task.Answer), "Algorithm": string(task.Algorithm),
			"How": string(task.How), "Simple": string(task.Simple), "Source": task.Source,
			"Limits": string(task.Limits)} {
			if text == "" {
				t.Errorf("%s: %s is empty", task.ID, name)
			}
		}
		if seen[task.ID] {
			t.Errorf("%s is there twice", task.ID)
		}
		seen[task.ID] = true
		if task.Prepare == nil || len(task.Domains)+len(task.Others) == 0 {
			t.Errorf("%s cannot be asked about any column", task.ID)
		}
		for _, p := range task.Params {
			if p.Label == "" || p.Help == "" || p.Effect == "" || p.Default == "" &&
				p.Kind != ask.Lines && p.Kind != ask.Text {
				t.Errorf("%s: parameter %q lacks a label, a default, its meaning or its effect",
					task.ID, p.Name)
			}
		}
	}
}

// TestNobodyIsNoDataSet: n = 0 is refused before anything is priced, whichever column n comes from.
func TestNobodyIsNoDataSet(t *testing.T) {
	for _, task := range Catalogue() {
		if task.Example == nil {
			continue
		}
		s := NewSession(coin.NewSeeded(1))
		pass, err := s.Survey(table.Options{Header: table.Yes})
		if err != nil {
			t.Fatal(err)
		}
		feed(t, pass, []byte(strings.Repeat("x,", 19)+"x\n"))
		r := task.Example.Recipe
		r.Version, r.Task, r.Epsilon, r.Table = ask.RecipeVersion, task.ID, "1",
			must(s.Opened()).Options
		var refused *param.Error
		if _, err := s.Plan(r); !errors.As(err, &refused) || refused.Field != "people" {
			t.Errorf("%s: nobody is priced: %v", task.ID, err)
		}
	}
	file := []byte("age,people\n34,0\n71,0\n")
	s := open(t, file)
	r := recipe(s, "histogram", 0, ageDomain, nil)
	r.Count = 2
	pass, err := s.Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	feed(t, pass, file)
	var refused *param.Error
	if _, err := s.Plan(r); !errors.As(err, &refused) || refused.Field != "people" {
		t.Errorf("counts of 0 are priced: %v", err)
	}
}
