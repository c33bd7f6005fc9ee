package report

import (
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"html"
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/table"
	"hush/core/task"
)

// printedTable writes how often printed intervals hold.
var printedTable = flag.String("printed", "", "release each question 400 times of each data set, "+
	"and write how often printed intervals hold to this file: minutes")

// A resident is one person of made-up data.
type resident struct {
	value    int
	city     string
	married  int
	yes      bool // mostly from the middle value on
	x, y     int  // in one of two crowds
	from, to string
}

func (w town) middle() int { return (w.lo + w.hi) / 2 }

// A town is made-up data of one column of whole numbers, which others stand beside.
type town struct {
	name          string
	n, lo, hi     int
	width         int // of bins
	value         func(i int, part float64) int
	crowdedCities bool // nine of ten live in one
}

var towns = []town{
	{"years, half of them one", 600, 1950, 2025, 10, func(i int, part float64) int {
		switch {
		case i%2 == 0:
			return 1972
		case i%10 == 1:
			return 1982
		}
		return 1950 + int(76*part)
	}, false},
	{"nine of ten alike", 400, 0, 99, 10, func(i int, part float64) int {
		if i%10 != 0 {
			return 42
		}
		return int(100 * part)
	}, true},
	{"up to 10^9", 500, 0, 999_999_999, 100_000_000, func(_ int, part float64) int {
		return int(1e9 * part * part * part)
	}, false},
	{"zeros", 400, 0, 20, 3, func(i int, part float64) int {
		if i%5 != 0 {
			return 0
		}
		return int(21 * part)
	}, true},
	{"twelve people", 12, 0, 20, 7, func(_ int, part float64) int { return int(21 * part) }, false},
}

var cities = []string{"Bern", "Rom", "Ulm"}

func (w town) people() (list []resident) {
	src := coin.NewSeeded(17)
	part := func() float64 { return float64(src.Uniform(1<<30)) / (1 << 30) }
	for i := range w.n {
		p := resident{value: w.value(i, part()), city: cities[int(3*part())]}
		if w.crowdedCities && i%10 != 3 {
			p.city = cities[0]
		}
		p.married = int(src.Uniform(2))
		p.yes = (p.value >= w.middle()) != (i%9 == 0)
		crowd := crowds[max(i%4-2, 0)]
		p.x, p.y = int(crowd[0])+i%3, int(crowd[1])-i/3%3
		p.from, p.to = places[i%6], places[i*i/5%6]
		list = append(list, p)
	}
	return list
}

// A query is how a question is asked of a town, and what is true of the answer.
type query struct {
	recipe func(w town, r *ask.Recipe)
	// truth is the number of those called by a row of the table, its cells but those of the answer
	// (nothing: all); of a headline in percent it is that of 100.
	truth func(w town, people []resident, row []string) float64
	// spoken are the cells of the row that a sentence is about.
	spoken func(sentence string) []string
	// ranks says that the answer is a value, and its error is in people; part is that below it.
	ranks bool
	// print reads a question whose claims are of another form.
	print func(p print)
}

func mainColumn(w town, r *ask.Recipe) {
	r.Column, r.Label = 1, "value"
	r.Domain = domain.Spec{Kind: domain.Integer, Lo: fmt.Sprint(w.lo), Hi: fmt.Sprint(w.hi)}
}

func upperHalf(w town, r *ask.Recipe) {
	mainColumn(w, r)
	r.Domain.Lo = fmt.Sprint((w.lo + w.hi) / 2)
}

var citySpec = domain.Spec{Kind: domain.Category, Categories: cities}

func cityColumn(_ town, r *ask.Recipe) { r.Column, r.Label, r.Domain = 2, "city", citySpec }

func tableColumns(_ town, r *ask.Recipe) {
	role := r.Others[0].Role
	r.Others = []ask.Field{{Role: role, Column: 2, Label: "city", Domain: citySpec},
		{Role: role, Column: 3, Label: "married",
			Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "1"}}}
}

func binned(w town, r *ask.Recipe) {
	mainColumn(w, r)
	r.Params = ask.Params{"width": fmt.Sprint(w.width)}
}

// everybody is the row of an answer without groups.
func everybody(string) []string { return nil }

// of counts those who meet a condition in a row: the first of its cells is a city, if any.
func of(number func(w town, people []resident) float64) func(town, []resident, []string) float64 {
	return func(w town, people []resident, row []string) float64 {
		if len(row) > 0 {
			people = slices.DeleteFunc(slices.Clone(people), func(p resident) bool {
				return p.city != row[0]
			})
		}
		return number(w, people)
	}
}

// number is how a question of one number is asked, and its exact number, which it declares: of the
// upper half where it counts those in the range, and else of the whole.
func number(q ask.Task) query {
	recipe := mainColumn
	if q.Counts {
		recipe = upperHalf
	}
	return query{recipe: recipe, spoken: everybody,
		truth: of(func(w town, people []resident) float64 {
			var r ask.Recipe
			recipe(w, &r)
			lo := int(read(r.Domain.Lo))
			var list []ask.Person
			for _, p := range people {
				one := ask.Person{Times: 1, Main: int64(p.value - lo), Value: float64(p.value)}
				one.Main = max(one.Main, -1)
				list = append(list, one)
			}
			return q.Number(list)
		})}
}

// binRange reads "1 970–1 979", "5" and, of sentences, "between a and b", "under b", "a or more".
func binRange(w town, text string) (from, to float64) {
	from, to = float64(w.lo), float64(w.hi)
	if m := compiled(`under (` + digits + `)`).FindStringSubmatch(text); m != nil {
		return from, read(m[1]) - 1
	}
	if m := compiled(`(` + digits + `) or more`).FindStringSubmatch(text); m != nil {
		return read(m[1]), to
	}
	ends := compiled(`(` + digits + `)(?: and |–)(` + digits + `)`).FindStringSubmatch(text)
	if ends == nil {
		at := read(text)
		return at, at
	}
	return read(ends[1]), read(ends[2])
}

func inBin(w town, people []resident, row []string) (n float64) {
	from, to := binRange(w, row[0])
	for _, p := range people {
		if v := float64(p.value); v >= from && v <= to {
			n++
		}
	}
	return n
}

func inCell(_ town, people []resident, row []string) (n float64) {
	for _, p := range people {
		if p.city == row[0] && (len(row) < 2 || fmt.Sprint(p.married) == row[1]) {
			n++
		}
	}
	return n
}

// spokenBin is the bin of a sentence about a histogram.
func spokenBin(sentence string) []string {
	for _, pattern := range []string{`(between .*?) \(±`, `(under .*?) \(±`, `have (.*? or more)`,
		`most often (.*?):`, `highest count, (.*?), is`, `have value (.*?) \(±`, `have (.*?) \(±`} {
		if m := compiled(pattern).FindStringSubmatch(sentence); m != nil {
			return m[1:]
		}
	}
	return []string{"?"}
}

// spokenCity is the city that a sentence is about, and who is married.
func spokenCity(sentence string) (row []string) {
	for _, city := range cities {
		if strings.Contains(sentence, city) {
			row = []string{city}
		}
	}
	if m := compiled(`, married ([01])`).FindStringSubmatch(sentence); m != nil {
		row = append(row, m[1])
	}
	return row
}

// queries are those whose intervals are read, by question, but for those of one number.
var queries = map[string]query{
	"histogram": {recipe: binned, truth: inBin, spoken: spokenBin},
	"table":     {recipe: tableColumns, truth: inCell, spoken: spokenCity},
	"mode":      {recipe: cityColumn, truth: inCell, spoken: spokenCity},
	"median":    {recipe: mainColumn, ranks: true},
	"quantiles": {recipe: mainColumn, ranks: true},
	"distribution": {recipe: mainColumn,
		truth: func(_ town, people []resident, row []string) (n float64) {
			for _, p := range people {
				if float64(p.value) <= read(row[0]) {
					n++
				}
			}
			return n
		}},
}

// digits is a number as a page writes it: in groups, with a true minus sign.
const digits = `[−-]?\d+(?:\x{00a0}\d{3})*(?:\.\d+)?`

var numerals = strings.NewReplacer("\u00a0", "", "−", "-", "%", "", " ", "")

// compiled is a pattern, of which each is compiled once.
func compiled(pattern string) *regexp.Regexp {
	known, is := patterns.Load(pattern)
	if !is {
		known, _ = patterns.LoadOrStore(pattern, regexp.MustCompile(pattern))
	}
	return known.(*regexp.Regexp)
}

var patterns sync.Map // *regexp.Regexp by its pattern

// read reads such a number; a text that is none is no number.
func read(text string) float64 {
	text = numerals.Replace(text)
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

var (
	fromTo     = regexp.MustCompile(`(?i)about (` + digits + `)(?:[^()]|\([^)0-9]*\))*?\((` + digits + `) to (` + digits + `)(?:[^0-9()]*) in 95 of 100 releases\)`)
	plusMinus  = regexp.MustCompile(`(?i)about (` + digits + `)(?:[^()]|\([^)0-9]*\))*?\(± (` + digits + `)(?:[^0-9()]*) in 95 of 100 releases\)`)
	inPeople   = regexp.MustCompile(`(?:give or take|each ±) (` + digits + `) people \(?in 95`)
	offByMost  = regexp.MustCompile(`No count is off by more than (` + digits + `) people \(in 95 of 100 releases\)`)
	behind     = regexp.MustCompile(`at most (` + digits + `) people behind the most common one \(in 95 of 100 releases\)`)
	promise    = regexp.MustCompile(`95 of 100`)
	cellOf     = regexp.MustCompile(`<t[dh][^>]*>(.*?)</t[dh]>`)
	rowOf      = regexp.MustCompile(`<tr>.*?</tr>`)
	headlineOf = regexp.MustCompile(`<h2[^>]*>(.*?)</h2>`)
	subOf      = regexp.MustCompile(`<p class="sub">.*?</p>`)
	errorOf    = regexp.MustCompile(`(?:±|give or take) (` + digits + `)(?: people| in)`)
	keyOff     = regexp.MustCompile(`\(± (` + digits + `)[^)]*\)$`)
	captionOff = regexp.MustCompile(`, ± (` + digits + `) people in each count`)
)

// A tally is how often printed intervals held, by the text that has them.
type tally map[string]*[2]int // all, and wrong

func (a tally) add(name string, held bool) {
	if a[name] == nil {
		a[name] = new([2]int)
	}
	a[name][0]++
	if !held {
		a[name][1]++
	}
}

// critical is how many of n intervals may be wrong before it is more than a part of them: more
// are found once in a million times in those that do.
func critical(all int, part float64) int {
	law := distuv.Binomial{N: float64(all), P: part}
	k := 0
	for ; 1-law.CDF(float64(k)) > 1e-6; k++ {
	}
	return k
}

// TestPrintedIntervals reads numbers out of the texts of releases: the sentence, the table,
// CSV, JSON and the page that is published. Every interval holds in 95 of 100 releases, and every
// number stands in its own. A false alarm happens to one line of a million; there are some 500.
func TestPrintedIntervals(t *testing.T) {
	runs := 40
	if *printedTable != "" {
		runs = 400
	}
	catalogue := task.Catalogue()
	printedIn := make([][]string, len(catalogue)) // the lines of each question
	for i, q := range catalogue {
		one, is := queries[q.ID]
		if !is && q.Number != nil {
			one, is = number(q), true
		}
		if !is {
			if list := claimsOf(t, q); len(list) > 0 {
				t.Errorf("%s: nothing reads what it prints: %q: add to queries how it is asked "+
					"of a town, and what is true of a row of its answer", q.ID, list)
			}
			continue
		}
		t.Run(q.ID, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if printedIn[i] == nil {
					t.Error("nothing was read")
				}
			}()
			for k, w := range towns {
				if testing.Short() && (k+len(q.ID))%len(towns) > 1 {
					continue // two towns each
				}
				groups := []bool{false}
				if q.ByGroup && !one.ranks {
					groups = append(groups, true)
				}
				for _, grouped := range groups {
					list := printed(t, q, one, w, grouped, runs)
					for _, name := range slices.Sorted(maps.Keys(list)) {
						all, wrong := list[name][0], list[name][1]
						part := 0.05
						if strings.HasPrefix(name, typically) {
							part = 0.5
						}
						if wrong > critical(all, part) {
							t.Errorf("%s, %s: %d of %d printed intervals are wrong, and at most "+
								"%d "+
								"by chance", w.name, name, wrong, all, critical(all, part))
						}
						low, high := held(all, wrong)
						printedIn[i] = append(printedIn[i], fmt.Sprintf(
							"| %s | %s | %s | %d | %.1f | %.1f to %.1f |", q.ID, w.name, name, all,
							100-100*float64(wrong)/float64(all), low, high))
					}
				}
			}
		})
	}
	if *printedTable != "" {
		t.Cleanup(func() { // after the questions, which run side by side
			text := printedHead + strings.Join(slices.Concat(printedIn...), "\n") + "\n"
			if err := os.WriteFile(*printedTable, []byte(text), 0o644); err != nil {
				t.Error(err)
			}
		})
	}
}

// held is the interval of Clopper and Pearson, at 95 %, of a part in percent.
func held(all, wrong int) (low, high float64) {
	right, n := float64(all-wrong), float64(all)
	high = 1
	if wrong > 0 {
		high = distuv.Beta{Alpha: right + 1, Beta: n - right}.Quantile(0.975)
	}
	if right > 0 {
		low = distuv.Beta{Alpha: right, Beta: n - right + 1}.Quantile(0.025)
	}
	return math.Floor(1000*low) / 10, math.Ceil(1000*high) / 10
}

const printedHead = `# How often printed intervals hold

Made by a test; do not edit: go test ./web/report -run TestPrintedIntervals -timeout 120m -args -printed PRINTED.md in web/report.
Numbers are read out of the printed texts of releases at ε = 1: *intervals* is how many, *held* how many of 100 hold the truth, with
what 95 % confidence leaves of it. Rows of a table are counted one by one.

| question | data | printed in | intervals | held, of 100 | between |
|---|---|---|--:|--:|--:|
`

// printed releases a question run after run, and reads what is printed.
func printed(t *testing.T, q ask.Task, one query, w town, grouped bool, runs int) tally {
	t.Helper()
	people, list := w.people(), tally{}
	var file strings.Builder
	file.WriteString("value,city,married,yes,x,y,from,to\n")
	for _, p := range people {
		yes := map[bool]string{true: "ja", false: "nein"}[p.yes]
		fmt.Fprintf(&file, "%d,%s,%d,%s,%d,%d,%s,%s\n", p.value, p.city, p.married, yes, p.x, p.y,
			p.from, p.to)
	}
	s := ask.NewSession(task.All{}, coin.NewSeeded(0))
	r := q.Example.Recipe
	r.Version, r.Task, r.Epsilon, r.Others = ask.RecipeVersion, q.ID, "1", slices.Clone(r.Others)
	if one.print != nil {
		if testing.Short() {
			runs = 8
		}
		r.Epsilon = "4" // or most would say no number
	}
	one.recipe(w, &r)
	where := ""
	if grouped {
		r.Group, where = &ask.Group{Column: 2, Label: "city", Names: cities}, " by group"
		one.spoken = spokenCity
	}
	read := func(into table.Pass, err error) {
		if err == nil && into != nil {
			err = ask.ReadAll(into, []byte(file.String()))
		}
		if err != nil {
			t.Fatalf("%s, %s: %v", q.ID, w.name, err)
		}
	}
	read(s.Survey(r.Table))
	found, err := s.Opened()
	if err != nil {
		t.Fatal(err)
	}
	r.Table = found.Options
	read(s.Encode(r))
	for run := range runs {
		release, err := s.With(coin.NewSeeded(coin.Seed(run))).Run(r, nil)
		if err != nil {
			t.Logf("%s, %s: %v", q.ID, w.name, err)
			return list
		}
		reader{t, q, one, w, people, list, where}.all(release)
	}
	return list
}

type reader struct {
	*testing.T
	q      ask.Task
	query  query
	town   town
	people []resident
	list   tally
	where  string
}

func (p reader) all(r *task.Release) {
	page := Of("", "2026-01-31", Answer{Release: r}).HTML()
	if p.query.print != nil {
		printed := printOf(p, r, page, shownRows(page))
		p.query.print(printed)
		printed.left()
		return
	}
	p.sentence("sentence", r.Statement)
	if m := headlineOf.FindStringSubmatch(page); m != nil {
		p.sentence("page's sentence", html.UnescapeString(m[1]))
	}
	p.rows("table", r.Table(nil))
	file, err := csv.NewReader(strings.NewReader(r.CSV())).ReadAll()
	if err != nil {
		p.Fatal(err)
	}
	p.rows("CSV", file)
	shown := shownRows(page)
	p.rows("page's table", shown)
	p.json(r.JSON(""))
	p.caption(page, shown)
	p.keys(Of("", "2026-01-31", Answer{Release: r}, Answer{Release: r}))
}

// shownRows are those of a page's first table, with its header.
func shownRows(page string) (shown [][]string) {
	for _, row := range rowOf.FindAllString(strings.ReplaceAll(page[strings.Index(page,
		"<figure"):],
		"\n", ""), -1) {
		var cells []string
		for _, cell := range cellOf.FindAllStringSubmatch(row, -1) {
			cells = append(cells, html.UnescapeString(cell[1]))
		}
		if len(shown) == 0 || len(cells) == len(shown[0]) {
			shown = append(shown, cells)
		}
	}
	return shown
}

// keys reads the large figure of a page of several answers, and its error.
func (p reader) keys(page Report) {
	for _, k := range page.keys() {
		m := keyOff.FindStringSubmatch(k.name)
		if m == nil {
			continue // the number of people
		}
		value := read(strings.TrimSuffix(k.value, "\u00a0%"))
		if p.query.ranks {
			p.list.add("large figure", p.misplaced(value, .5) <= read(m[1]))
			return // the second answer is the same
		}
		truth := p.query.truth(p.town, p.people, nil)
		if strings.HasSuffix(k.value, "%") {
			truth *= 100
		}
		const slack = 1e-9
		p.list.add("large figure", math.Abs(value-truth) <= read(m[1])+slack*math.Abs(truth))
		return
	}
}

// caption reads the error below a page's sentence, and holds the numbers of the table against it.
// Where the sentence has another error of people, the caption says which is which.
func (p reader) caption(page string, rows [][]string) {
	sub := html.UnescapeString(subOf.FindString(page))
	said := errorOf.FindStringSubmatch(headlineOf.FindString(page))
	below := errorOf.FindStringSubmatch(sub)
	if said != nil && below != nil && said[1] != below[1] && p.q.ID != "mode" &&
		!strings.Contains(sub, "± "+said[1]+" in all counts at once") &&
		!strings.Contains(sub, "on most data") {
		p.Errorf("%s, %s: which error is which? %s", p.q.ID, p.town.name, sub)
	}
	m := captionOff.FindStringSubmatch(sub)
	if m == nil || p.query.truth == nil {
		return
	}
	low := slices.IndexFunc(rows[0], func(c string) bool { return strings.HasPrefix(c, "low") })
	for _, row := range rows[1:] {
		truth := p.query.truth(p.town, p.people, row[:low-1])
		p.list.add("caption"+p.where, math.Abs(read(row[low-1])-truth) <= read(m[1]))
	}
}

// json reads numbers with ends out of JSON.
func (p reader) json(text string) {
	var release struct {
		Answer struct {
			Estimates struct {
				Rows []struct{ Group, Value, Low, High string }
			}
		}
	}
	if err := json.Unmarshal([]byte(text), &release); err != nil {
		p.Fatal(err)
	}
	for _, row := range release.Answer.Estimates.Rows {
		var of []string
		if row.Group != "" {
			of = []string{row.Group}
		}
		truth := p.query.truth(p.town, p.people, of)
		p.list.add("JSON"+p.where, read(row.Low) <= truth && truth <= read(row.High))
	}
}

// misplaced is how many people too many lie on one side of a value.
func (p reader) misplaced(value, part float64) float64 {
	below, above, n := 0.0, 0.0, float64(len(p.people))
	for _, one := range p.people {
		if float64(one.value) < value {
			below++
		}
		if float64(one.value) > value {
			above++
		}
	}
	return max(below-part*n, above-(1-part)*n, 0)
}

// rows reads a table with its header: each number with its range, or a value with its error in
// people.
func (p reader) rows(name string, rows [][]string) {
	at := func(word string) int {
		return slices.IndexFunc(rows[0], func(cell string) bool {
			return cell == word || strings.HasPrefix(cell, word+" (") ||
				strings.HasPrefix(cell, "people") && strings.HasPrefix(word, "people") &&
					strings.Contains(strings.ReplaceAll(cell, "_", " "), word)
		})
	}
	low, off := at("low"), at("±")
	switch {
	case p.query.ranks:
		column := at("people away from the middle")
		if column < 0 {
			column = at("people on the wrong side")
		}
		if column < 0 {
			p.Fatalf("%s: no error in %q", p.q.ID, rows[0])
		}
		all := true
		for _, row := range rows[1:] {
			part := .5
			if column > 1 {
				part = read(row[0]) / 100
			}
			all = all && p.misplaced(read(row[column-1]), part) <= read(row[column])
		}
		p.list.add(name+p.where, all)
	case low > 0:
		for _, row := range rows[1:] {
			if row[low] == "" {
				continue // it cannot be
			}
			of := row[:low-1]
			if name == "CSV" && p.q.ID == "histogram" { // its ends: the last is not of the bin
				of = []string{fmt.Sprintf("%.0f–%.0f", read(row[0]), read(row[1])-1)}
			}
			if name == "CSV" && p.q.ID == "table" {
				of = []string{row[0], row[1]}
			}
			truth := p.query.truth(p.town, p.people, of)
			from, value, to := read(row[low]), read(row[low-1]), read(row[low+1])
			if math.IsNaN(truth) {
				continue // of nobody
			}
			if !(from <= value && value <= to) {
				p.Errorf("%s, %s, %s%s: %q is outside its own range", p.q.ID, p.town.name, name,
					p.where, row)
			}
			p.list.add(name+p.where, from <= truth+1e-9*math.Abs(truth) &&
				truth-1e-9*math.Abs(truth) <= to)
		}
	case off > 1, p.q.ID == "mode":
		row := rows[1]
		column := max(off, 3)
		truth := p.query.truth(p.town, p.people, row[:1])
		p.list.add(name+p.where, math.Abs(read(row[2])-truth) <= read(row[column]))
	default:
		p.Fatalf("%s: no range in %q", p.q.ID, rows[0])
	}
}

// sentence reads what holds in 95 of 100 releases; it fails at what it cannot read.
func (p reader) sentence(name, text string) {
	left := len(promise.FindAllString(text, -1))
	name += p.where
	number := func(number string) (truth float64) {
		truth = p.query.truth(p.town, p.people, p.query.spoken(text))
		behind := text[strings.Index(text, number)+len(number):]
		if strings.HasPrefix(behind, "\u00a0%") {
			truth *= 100
			if !p.q.OfAll {
				truth /= float64(len(p.people))
			}
		}
		return truth
	}
	const slack = 1e-9
	for _, m := range fromTo.FindAllStringSubmatch(text, -1) {
		left--
		truth := number(m[1])
		from, value, to := read(m[2]), read(m[1]), read(m[3])
		// the value is rounded to nearest, and its range outward
		if math.IsNaN(truth) || !(from <= value && value <= to) {
			p.Errorf("%s, %s: %s", p.q.ID, p.town.name, text)
		}
		p.list.add(name, from <= truth+slack*math.Abs(truth) && truth <= to+slack*math.Abs(truth))
	}
	for _, m := range plusMinus.FindAllStringSubmatch(text, -1) {
		left--
		truth := number("bout " + m[1])
		if math.IsNaN(truth) {
			p.Errorf("%s, %s: what is it about? %s", p.q.ID, p.town.name, text)
		}
		off := math.Abs(read(m[1]) - truth)
		p.list.add(name, off <= read(m[2])+slack)
		if off > 3*read(m[2]) {
			p.Logf("%s, %s: %g is true: %s", p.q.ID, p.town.name, truth, text)
		}
	}
	for _, m := range behind.FindAllStringSubmatch(text, -1) {
		left--
		best := 0.0
		for _, city := range cities {
			best = max(best, inCell(p.town, p.people, []string{city}))
		}
		p.list.add(name, best-inCell(p.town, p.people, spokenCity(text)) <= read(m[1]))
	}
	for _, m := range inPeople.FindAllStringSubmatch(text, -1) {
		left--
		all := true
		if p.q.ID == "median" {
			v := compiled(`is about (` + digits + `)`).FindStringSubmatch(text)
			if v == nil {
				p.Errorf("no value in %q", text)
				continue
			}
			all = p.misplaced(read(v[1]), .5) <= read(m[1])
		} else {
			for _, v := range compiled(`(`+digits+`)\x{00a0}% below (`+digits+`)`).
				FindAllStringSubmatch(text, -1) {
				all = all && p.misplaced(read(v[2]), read(v[1])/100) <= read(m[1])
			}
		}
		p.list.add(name, all)
	}
	left -= len(offByMost.FindAllString(text, -1)) // its table is read
	if left != 0 {
		p.Errorf("%s, %s: %d promises are not read: %s", p.q.ID, p.town.name, left, text)
	}
}
