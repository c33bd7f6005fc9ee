package task

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/internal/audittest"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/table"
)

// form is a question of the catalogue in one of the ways in which it can be asked.
type form struct {
	name   string
	recipe ask.Recipe
	file   []byte
}

// forms are the example of each question, and those by group.
func forms() (list []form) {
	for _, q := range Catalogue() {
		set := set(q.Example.Sample)
		one := form{q.ID, q.Example.Recipe, set.CSV()}
		one.recipe.Version, one.recipe.Task = ask.RecipeVersion, q.ID
		list = append(list, one)
		if q.ByGroup {
			column, names := 3, []string{"Harbour", "Hill", "Market", "Mill", "Old Town", "Park"}
			switch set.Name {
			case "pay":
				column, names = 1, []string{"sales", "care", "office"}
			case "trial":
				column, names = 1, []string{"new", "usual"}
			}
			one.name, one.recipe.Group = q.ID+" by group", &ask.Group{Column: column, Names: names}
			list = append(list, one)
			if !q.FindsGroups() {
				continue
			}
			one.name = q.ID + " by groups found"
			one.recipe.Group = &ask.Group{Column: column,
				Find: &ask.Find{Share: 50, Delta: "0.0001"}}
			list = append(list, one)
		}
	}
	return list
}

// opened is a session that has read what a form asks about.
func (f form) opened(t *testing.T, seed coin.Seed) (*Session, ask.Recipe) {
	t.Helper()
	s := NewSession(coin.NewSeeded(seed))
	survey, err := s.Survey(table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	feed(t, survey, f.file)
	r := f.recipe
	r.Table = must(s.Opened()).Options
	r.Epsilon = "1"
	pass, err := s.Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	feed(t, pass, f.file)
	return s, r
}

// TestEveryQuestionIsJudged: each question of the catalogue has a verdict before a release and
// after it, and some ε reaches each grade. The cells are the rows of the table, and an answer that
// is mostly noise is not stated.
func TestEveryQuestionIsJudged(t *testing.T) {
	for _, f := range forms() {
		t.Run(f.name, func(t *testing.T) {
			s, r := f.opened(t, 5)
			r.Noun = codebook.Noun{One: "book", Many: "books"}
			before, after := map[ask.Grade]int{}, map[ask.Grade]int{}
			const steps, stride = 43, 5 // far apart first: most questions are done then
			for k := 0; k < steps && (len(before) < 3 || len(after) < 3); k++ {
				e := -4.5 + 0.15*float64(k*stride%steps)
				r.Epsilon = strconv.FormatFloat(math.Pow(10, e), 'f', 6, 64)
				plan, err := s.Plan(r)
				if err != nil {
					t.Fatal(err)
				}
				release, err := s.Run(r, nil)
				if err != nil {
					t.Fatal(err)
				}
				if release.Plan.Verdict.Grade != plan.Verdict.Grade {
					t.Error("the plan's verdict changes with the release")
				}
				before[plan.Verdict.Grade]++
				after[release.Verdict.Grade]++
				checkVerdict(t, plan.Verdict)
				checkVerdict(t, release.Verdict)
				told := !strings.HasSuffix(release.Statement, ": too few books to tell.")
				if told == (release.Verdict.Grade == ask.Noise) {
					t.Errorf("%s at ε = %s: %s", release.Verdict.Grade, r.Epsilon,
						release.Statement)
				}
				rows := len(release.Table(nil)) - 1
				if n := len(release.Verdict.Cells); n > 0 && n != rows {
					t.Errorf("%d cells for %d rows", n, rows)
				}
				if strings.Contains(release.Statement, "people") {
					t.Errorf("books are called people: %s", release.Statement)
				}
			}
			for _, g := range []ask.Grade{ask.Good, ask.Rough, ask.Noise} {
				if either := before[g] + before[ask.Unknown]; either == 0 || after[g] == 0 {
					t.Errorf("%s: %d times before and %d times after", g, before[g], after[g])
				}
			}
		})
	}
}

func checkVerdict(t *testing.T, v *ask.Verdict) {
	t.Helper()
	if v.Text == "" {
		t.Errorf("no reason for %+v", v)
	}
	if _, err := json.Marshal(v); err != nil {
		t.Error(err)
	}
}

// TestVerdictGrowsWithEpsilon: before a release, more ε never makes a verdict worse.
func TestVerdictGrowsWithEpsilon(t *testing.T) {
	rank := map[ask.Grade]int{ask.Noise: 0, ask.Rough: 1, ask.Unknown: 2, ask.Good: 3}
	for _, f := range forms() {
		s, r := f.opened(t, 5)
		last := 0
		for _, epsilon := range []string{"0.001", "0.003", "0.01", "0.03", "0.1", "0.3", "1", "3",
			"10"} {
			r.Epsilon = epsilon
			plan, err := s.Plan(r)
			if err != nil {
				t.Fatal(err)
			}
			if now := rank[plan.Verdict.Grade]; now < last {
				t.Errorf("%s: worse at ε = %s", f.name, epsilon)
			} else {
				last = now
			}
		}
	}
}

// TestVerdictDocument keeps VERDICT.md, the rule of each question with its example, as the code has
// it.
func TestVerdictDocument(t *testing.T) {
	var b strings.Builder
	b.WriteString(`# What the error is judged against

Made by a test; do not edit (` + "`go test ./core/task -run TestVerdictDocument -update`" + `).
An answer has one verdict before its release, from public facts, and one after it, which reads the
released values too and costs nothing. The rule is ask.Judge:

| Error, as a part of the number it is judged against | Verdict |
|---|---|
`)
	last := ask.Grade("")
	for part := 0; part <= 100; part++ {
		g := ask.Judge(float64(part), 100)
		if g != last && last != "" {
			fmt.Fprintf(&b, "| up to %d %% | %s |\n", part-1, last.Words())
		}
		last = g
	}
	fmt.Fprintf(&b, "| more | %s |\n", last.Words())
	b.WriteString(`
The error is the bound that holds in 95 of 100 releases; where that is proven for the worst data and
far above what is usual, three times the typical error, which Laplace noise is above in 5 of 100
releases; and the typical error where no bound is known. It is good only where the bound, which is
drawn, is too.
The examples are those of the questions' lessons, with seeded coins: error / what it is judged
against, before and after.

| Question | Judged against | ε = 0.1 | ε = 1 |
|---|---|---|---|
`)
	number := func(v *ask.Verdict) string {
		return fmt.Sprintf("%s / %s %s", phrase.Prose(v.Error), phrase.Prose(v.About), v.Grade)
	}
	for _, f := range forms() {
		task := Catalogue()[slices.IndexFunc(Catalogue(), func(q ask.Task) bool {
			return q.ID == f.recipe.Task
		})]
		if f.name != task.ID {
			continue
		}
		if task.Judged == "" {
			t.Errorf("%s does not say what it is judged against", task.ID)
		}
		s, r := f.opened(t, 5)
		fmt.Fprintf(&b, "| %s | %s |", task.Title, task.Judged)
		for _, r.Epsilon = range []string{"0.1", "1"} {
			release, err := s.Run(r, nil)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, " %s; %s |", number(release.Plan.Verdict), number(release.Verdict))
		}
		b.WriteString("\n")
	}
	audittest.Document(t, "VERDICT.md", b.String())
}

// census is a file in the shape of a survey: education in 16 groups of unequal sizes, and incomes
// from 0 to 500 000 of which some cells are empty.
func census() []byte {
	const n = 1948
	src := coin.NewSeeded(16)
	var b strings.Builder
	b.WriteString("educ,income\n")
	for range n {
		// the 9th and the 13th group are the largest
		group := 1 + src.Uniform(16)
		if src.Uniform(10) < 5 {
			group = []uint64{9, 9, 9, 11, 13, 13}[src.Uniform(6)]
		}
		income := ""
		if src.Uniform(20) > 0 {
			x := float64(src.Uniform(1000)+1) / 1000
			income = fmt.Sprintf("%.0f", min(-9000*math.Log(x)*(0.5+float64(group)/4), 500_000))
		}
		fmt.Fprintf(&b, "%d,%s\n", group, income)
	}
	return []byte(b.String())
}

func byEducation(s *Session) ask.Recipe {
	r := recipe(s, "mean", 1, domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "500000"}, nil)
	r.Group = &ask.Group{Column: 1}
	for g := range 16 {
		r.Group.Names = append(r.Group.Names, fmt.Sprint(g+1))
	}
	r.Epsilon = "0.5"
	return r
}

// TestGroupsAreNamed: an answer by group says by which column, and that name decides nothing.
func TestGroupsAreNamed(t *testing.T) {
	file := census()
	s := open(t, file)
	r := byEducation(s)
	r.Epsilon, r.Group.Label = "100", "education"
	if says := askFor(t, s, r, file).Statement; !strings.Contains(says, " education ") {
		t.Errorf("says %q", says)
	}
	if bare := r.Bare(); bare.Group.Label != "" || r.Group.Label != "education" {
		t.Error("the name of the column decides something")
	}
}

// TestIncomeByEducation: mean income by 16 groups at ε = 0.5 is mostly noise in most groups, and
// what Help says would work does: asked so, the answer is good.
func TestIncomeByEducation(t *testing.T) {
	file := census()
	s := open(t, file)
	r := byEducation(s)
	release := askFor(t, s, r, file)
	noise := 0
	for _, g := range release.Verdict.Cells {
		if g == ask.Noise {
			noise++
		}
	}
	if noise <= 8 || release.Verdict.Grade != ask.Noise || release.Plan.Verdict.Grade == ask.Good {
		t.Fatalf("%d of 16 groups are mostly noise: %+v, before %+v", noise, release.Verdict,
			release.Plan.Verdict)
	}
	help, err := s.Help(r)
	if err != nil {
		t.Fatal(err)
	}
	if len(help) == 0 || len(help) > 4 {
		t.Fatalf("help: %+v", help)
	}
	exact := 0
	for _, h := range help {
		t.Log(h.Text, h.Grade, h.Exact)
		if h.Exact {
			exact++
		}
		if h.Grade != ask.Good || !h.Exact {
			continue
		}
		good := 0
		for seed := range coin.Seed(5) {
			again := NewSession(coin.NewSeeded(seed))
			survey, err := again.Survey(table.Options{})
			if err != nil {
				t.Fatal(err)
			}
			feed(t, survey, file)
			out := askFor(t, again, h.Recipe, file)
			if g := out.Plan.Verdict.Grade; g != ask.Good && g != ask.Unknown {
				t.Errorf("%s: its plan says %+v", h.Text, out.Plan.Verdict)
			}
			if out.Verdict.Grade == ask.Good {
				good++
			}
		}
		if good < 4 {
			t.Errorf("%s: good in %d of 5 releases", h.Text, good)
		}
	}
	if exact == 0 {
		t.Errorf("nothing that can be asked at once: %+v", help)
	}
}

// TestHelpBeforeARelease: what Help says of public facts alone makes the plan good.
func TestHelpBeforeARelease(t *testing.T) {
	rank := map[ask.Grade]int{ask.Noise: 0, ask.Rough: 1, ask.Unknown: 2, ask.Good: 3}
	for _, f := range forms() {
		s, r := f.opened(t, 5)
		for _, epsilon := range []string{"0.01", "0.1", "20"} {
			r.Epsilon = epsilon
			plan, err := s.Plan(r)
			if err != nil {
				t.Fatal(err)
			}
			help, err := s.Help(r)
			if err != nil {
				t.Fatal(err)
			}
			if good := plan.Verdict.Grade == ask.Good; good != (len(help) == 0) && good {
				t.Errorf("%s: help for a good answer: %+v", f.name, help)
			} else if ranged := strings.HasPrefix(f.name, "mean"); len(help) == 0 && !good &&
				(ranged || plan.Verdict.Grade != ask.Unknown) {
				t.Errorf("%s: no help at ε = %s", f.name, epsilon)
			}
			for _, h := range help {
				better, err := s.Plan(h.Recipe)
				if err != nil {
					t.Fatal(err)
				}
				helps := rank[h.Grade] > rank[plan.Verdict.Grade] ||
					h.Grade == plan.Verdict.Grade && h.From != "" &&
						(h.Error < plan.Verdict.Error || h.From != plan.Verdict.From)
				if better.Verdict.Grade != h.Grade || better.Verdict.Error != h.Error || !helps {
					t.Errorf("%s, %s: %+v, want %+v", f.name, h.Text, better.Verdict, h)
				}
			}
		}
	}
}

// TestNoQuantileIsExtrapolated: beyond the first and the last place that was released only the
// place is reported.
func TestNoQuantileIsExtrapolated(t *testing.T) {
	spec := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "500000"}
	d := &Distribution{Total: 1900, Error: 10, People: 1948, Points: []DistributionPoint{
		{Value: "12000", Code: "12000", Below: 400, UpTo: 500},
		{Value: "60000", Code: "60000", Below: 1500, UpTo: 1600},
	}}
	for part, want := range map[float64]string{0.1: "below 12000", 0.9: "above 60000",
		0.24: "12000", 0.8: "60000"} {
		if got := d.At(nil, spec, part); got != want {
			t.Errorf("at %g: %q, want %q", part, got, want)
		}
	}
	text, err := d.Reaching(ask.Voice{}, spec, "95")
	if err != nil || !strings.Contains(text, "lies above 60000") {
		t.Errorf("%s, %v", text, err)
	}
	d.Error = 300
	if text, err = d.Reaching(ask.Voice{}, spec, "90"); err != nil ||
		!strings.HasPrefix(text, "There are too few people to tell") {
		t.Errorf("%s, %v", text, err)
	}
	cells := &Density{People: 1948, Cells: []DensityCell{
		{First: "0", Last: "11999", Code: "11999", People: 400},
		{First: "12000", Last: "60000", Code: "60000", People: 1100},
		{First: "60001", Last: "500000", Code: "500000", People: 400},
	}}
	for part, want := range map[float64]string{0.1: "below 12000", 0.9: "above 60000"} {
		if got := cells.At(nil, spec, part); got != want {
			t.Errorf("density at %g: %q, want %q", part, got, want)
		}
	}

	// released: no value beyond the last place, whatever the part
	file := census()
	for seed := range coin.Seed(3) {
		s := NewSession(coin.NewSeeded(seed))
		survey, err := s.Survey(table.Options{})
		if err != nil {
			t.Fatal(err)
		}
		feed(t, survey, file)
		r := recipe(s, "distribution", 1, spec, nil)
		out := askFor(t, s, r, file).Answer.Result.(*Distribution)
		last, _ := strconv.Atoi(out.Points[len(out.Points)-1].Value)
		for part := 0.05; part < 1; part += 0.05 {
			at := out.At(nil, spec, part)
			if x, err := strconv.Atoi(at); err == nil && x > last {
				t.Errorf("%.2f are at or below %s, and the last place is %d", part, at, last)
			}
		}
	}
}

// TestBandsStayWithin: no band of people passes nobody or all, none of a mean or quantile the
// public range, none of a share 0 and 1, for every question and several seeds.
func TestBandsStayWithin(t *testing.T) {
	seeds := coin.Seed(6)
	if testing.Short() {
		seeds = 2
	}
	bands := 0
	for _, f := range forms() {
		for seed := range seeds {
			s, r := f.opened(t, seed)
			for _, r.Epsilon = range []string{"0.002", "0.1"} {
				release, err := s.Run(r, nil)
				if err != nil {
					t.Fatal(err)
				}
				within := func(what string, low, high, least, most float64) {
					t.Helper()
					bands++
					if !(low <= high && low >= least-1e-9 && high <= most+1e-9) {
						t.Errorf("%s at ε = %s: %s from %g to %g, beyond %g to %g", f.name,
							r.Epsilon, what, low, high, least, most)
					}
				}
				n := float64(release.Plan.People)
				checkBands(release, n, within)
			}
		}
	}
	if bands < 500 {
		t.Errorf("%d bands were looked at", bands)
	}
}

func checkBands(release *Release, n float64,
	within func(what string, low, high, least, most float64)) {
	spec := release.Recipe.Domain
	lo, hi := parsed(spec.Lo), parsed(spec.Hi)
	rows := release.Table(nil)
	column := func(name string, of func(row []string) float64) (list []float64) {
		i := slices.IndexFunc(rows[0], func(head string) bool {
			return strings.HasPrefix(head, name)
		})
		if i < 0 {
			return nil
		}
		for _, row := range rows[1:] {
			list = append(list, of(row[i:i+1]))
		}
		return list
	}
	number := func(row []string) float64 { return parsed(row[0]) }
	lows, highs := column("low", number), column("high", number)
	least, most := 0.0, n
	switch result := release.Answer.Result.(type) {
	case *Estimates:
		if release.Recipe.Task == "sum" {
			return // what a sum may be depends on who has a value
		}
		if from, to, ok := ScaleOf(release.Recipe, int64(n)); ok {
			least, most = from, to
		}
		for _, row := range result.Rows {
			if row.Size != nil {
				within("group", parsed(row.Size.Low), parsed(row.Size.High), 0, n)
			}
		}
	case *Cutoff:
		most = 100
	case *Density:
		for _, b := range result.Bands {
			within("band", b.Low, b.High, 0, n)
		}
	case *Median:
		within("median", parsed(result.Value), parsed(result.Value), lo, hi)
	case *Quantiles:
		for _, q := range result.Rows {
			within("quantile", parsed(q.Value), parsed(q.Value), lo, hi)
		}
	}
	var counts []float64 // of bins and cells, whose range reaches to their count
	low := func(head string) bool { return strings.HasPrefix(head, "low") }
	at := slices.IndexFunc(rows[0], low)
	if kinds := []string{"histogram", "table", "tables", "joint", "clusters", "medians"}; at > 0 &&
		slices.Contains(kinds, release.Answer.Kind()) {
		counts = column(rows[0][at-1], number)
	}
	for i := range lows {
		low, high := least, most
		if counts != nil {
			low, high = min(low, math.Floor(counts[i])), max(high, math.Ceil(counts[i]))
		}
		within("row", lows[i], highs[i], low, high)
	}
}

// TestClustersAtTheEdge: a centre at the end of a range is never called good.
func TestClustersAtTheEdge(t *testing.T) {
	s := open(t, ages(5000))
	r := recipe(s, "clusters", -1, domain.Spec{}, nil)
	r.Others = []ask.Field{
		{Role: roleCoordinate, Column: 1, Label: "age", Domain: ageDomain},
		{Role: roleCoordinate, Column: 1, Label: "again", Domain: ageDomain},
	}
	r.Epsilon = "10"
	_, p, err := ask.Prepare(All{}, r, 5000)
	if err != nil {
		t.Fatal(err)
	}
	inside := &Clusters{Error: 5, All: 5000, Centres: []Cluster{{[]string{"40", "50"}, 4000},
		{[]string{"80", "90"}, 900}}}
	edge := &Clusters{Error: 5, All: 5000, Centres: []Cluster{{[]string{"40", "50"}, 4000},
		{[]string{"56", "119"}, 900}}}
	if v := p.Judge(inside); v.Grade != ask.Good || v.Cells[1] != ask.Good {
		t.Errorf("inside: %+v", v)
	}
	if v := p.Judge(edge); v.Grade != ask.Rough || v.Cells[1] != ask.Rough ||
		v.Cells[0] != ask.Good || !strings.Contains(v.Text, "end of a range") {
		t.Errorf("at the edge: %+v", v)
	}
}

// TestNounAndUnit: the rows are called what the codebook calls them, and values have their unit.
func TestNounAndUnit(t *testing.T) {
	file := pay(12_000)
	s := open(t, file)
	r := recipe(s, "median", 1, payDomain, nil)
	r.Noun, r.Unit, r.Label = codebook.Noun{One: "book", Many: "books"}, "€", "price"
	release := askFor(t, s, r, file)
	if !strings.Contains(release.Statement, "\u00a0€: half of the books") ||
		release.Plan.ErrorUnit != "books away from the middle" {
		t.Errorf("%s; %s", release.Statement, release.Plan.ErrorUnit)
	}
	r.Task, r.Params = "count", nil
	release = askFor(t, s, r, file)
	want := "About 9\u00a00"
	if !strings.HasPrefix(release.Statement, want) ||
		!strings.Contains(release.Statement, " books ") {
		t.Error(release.Statement)
	}
	s.Say = &message.Language{Tag: "x", Messages: map[message.Key]message.Message{
		countName: {Text: "Anzahl"}, "number of %s with a value": {Text: "Anzahl %s"}}}
	release = askFor(t, s, r, file)
	if e := release.Answer.Result.(*Estimates); !e.Counts() || e.Title(s.Say) != "Anzahl books" {
		t.Errorf("in another language a count is called %q", e.Title(s.Say))
	}
	s.Say = nil
	r.Task = "mean"
	if release = askFor(t, s, r, file); !strings.Contains(release.Statement, "\u00a0€ (1") {
		t.Error(release.Statement)
	}
}

// TestExportsCarryTheMark: a table for programs says of each row what can be relied on.
func TestExportsCarryTheMark(t *testing.T) {
	file := ages(300)
	s := open(t, file)
	r := recipe(s, "histogram", 0, ageDomain, ask.Params{"width": "10"})
	r.Epsilon = "0.2"
	release := askFor(t, s, r, file)
	lines := strings.Split(strings.TrimSpace(release.CSV()), "\n")
	if !strings.HasSuffix(lines[0], ",verdict") || len(lines) != len(release.Verdict.Cells)+1 {
		t.Fatalf("%s\n%d lines", lines[0], len(lines))
	}
	for i, line := range lines[1:] {
		if !strings.HasSuffix(line, ","+string(release.Verdict.Cells[i])) {
			t.Errorf("%s, want %s", line, release.Verdict.Cells[i])
		}
	}
	if !strings.Contains(release.JSON(""), `"verdict": {`) {
		t.Error("no verdict in the JSON")
	}
	release.Unverified = true
	want := ",verdict"
	for line := range strings.Lines(release.CSV()) {
		if !strings.HasSuffix(line, want+"\n") {
			t.Errorf("%s, want %s", line, want)
		}
		want = ",unverified"
	}
	release.Unverified = false
	release.Verdict = nil // of an earlier version
	if strings.Contains(release.CSV(), "verdict") {
		t.Error(release.CSV())
	}
}

// TestVerdictOfTheBest: where values are tried, the verdict is that on the run released; a lesson
// tells what is mostly noise, to show it.
func TestVerdictOfTheBest(t *testing.T) {
	file := ages(5000)
	s := open(t, file)
	r := recipe(s, "histogram", 0, ageDomain, ask.Params{ask.TryName("width"): "10, 20, 40"})
	release := askFor(t, s, r, file)
	bins := len(release.Answer.Result.(*Histogram).Bins)
	if release.Tuned == nil || len(release.Verdict.Cells) != bins || release.Plan.Verdict == nil {
		t.Errorf("%+v for %d bins", release.Verdict, bins)
	}
	q := countTask.Example
	l := ask.Lesson{Sample: q.Sample, Recipe: q.Recipe, Draws: 1, Seed: 3}
	l.Recipe.Version, l.Recipe.Task, l.Recipe.Epsilon = ask.RecipeVersion, "count", "0.001"
	taught, err := Teach(nil, l, nil)
	if err != nil {
		t.Fatal(err)
	}
	if draw := taught.Draws[0]; draw.Verdict.Grade != ask.Noise ||
		!strings.HasPrefix(draw.Statement, "About ") {
		t.Errorf("%+v: %s", draw.Verdict, draw.Statement)
	}
}

// TestForecastHoldsForSmallAnswers: a mean, sum, count or share that is small for its range is
// never good before and noise after. What a verdict says from some size on holds there.
func TestForecastHoldsForSmallAnswers(t *testing.T) {
	const people = 20_000
	file := []byte("pay\n" + strings.Repeat("2500\n", people) + strings.Repeat("7\n", 90))
	for _, id := range []string{"mean", "sum", "count", "share"} {
		for _, epsilon := range []string{"0.01", "0.1", "1", "10"} {
			for _, hi := range []string{"5000", "100000", "1000000", "5000000"} {
				s := open(t, file)
				r := recipe(s, id, 0, domain.Spec{Kind: domain.Integer, Lo: "0", Hi: hi}, nil)
				r.Epsilon = epsilon
				if id == "share" || id == "count" {
					r.Domain = domain.Spec{Kind: domain.Category, Categories: []string{"7"}}
				}
				out := askFor(t, s, r, file)
				before, after := out.Plan.Verdict, out.Verdict
				if before.Grade == ask.Good && after.Grade != ask.Good {
					t.Errorf("%s up to %s, ε = %s: %+v before, %+v after", id, hi, epsilon,
						before, after)
				}
				if before.Grade == ask.Unknown && (before.From == "" ||
					!strings.Contains(before.Text, before.From+" or more")) {
					t.Errorf("%s up to %s, ε = %s: %+v", id, hi, epsilon, before)
				}
				if id == "mean" && before.Grade == ask.Unknown &&
					(after.Grade == ask.Good) != (5*before.Error <= 2500) &&
					math.Abs(5*before.Error-2500) > 300 {
					t.Errorf("up to %s, ε = %s: from %s on, and of 2500 %s", hi, epsilon,
						before.From, after.Grade)
				}
			}
		}
	}
}
