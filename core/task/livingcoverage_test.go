package task

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/internal/stattest"
	"hush/core/message"
	"hush/core/table"
)

var livingTable = flag.String("living", "", "a file for the table of TestLivingPrinted: 400 "+
	"releases of each data set, about an hour")

// A livingTown is made-up data for living tables, a line for each person: the year of birth, of
// which half of all share one; what they own, large numbers of which many are alike, in bins; a
// city, of which two are as common as each other; and two small whole numbers.
type livingTown struct {
	name  string
	alike bool // a column follows from the one before it; else they have nothing to do with it
	last  int  // the year of the crowd
}

var livingTowns = []livingTown{{"alike", true, 1972}, {"independent", false, 1972},
	{"alike, all in one year", true, 1989}}

// The columns of such a town.
const (
	livingBorn = iota
	livingOwns
	livingCity
	livingVisits
	livingScore
)

type livingPerson [5]float64

func (w livingTown) people(n int) (list []livingPerson) {
	src := coin.NewSeeded(11)
	for i := range n {
		var p livingPerson
		switch p[livingBorn] = 1931 + float64(src.Uniform(70)); {
		case i%2 == 0 || w.last == 1989 && i%10 != 1:
			p[livingBorn] = float64(w.last)
		case i%7 == 0:
			p[livingBorn] = 1982
		}
		of := float64(src.Uniform(70))
		if w.alike {
			of = p[livingBorn] - 1931
		}
		p[livingOwns] = 1000 * math.Floor(of*of*of/2)
		if i%3 == 0 {
			p[livingOwns] = math.Floor(p[livingOwns]/50000) * 50000
		}
		p[livingCity] = float64(src.Uniform(100))
		switch c := p[livingCity]; {
		case c < 35:
			p[livingCity] = 0
		case c < 70:
			p[livingCity] = 1
		default:
			p[livingCity] = 2
		}
		p[livingVisits], p[livingScore] = float64(src.Uniform(8)), float64(src.Uniform(8))
		if w.alike {
			p[livingVisits] = math.Floor((p[livingBorn] - 1931) / 10)
			p[livingScore] = p[livingVisits]
		}
		list = append(list, p)
	}
	return list
}

var livingCities = []string{"Bern", "Rom", "Ulm"}

// livingCuts are where the bins of years and of what people own begin.
var livingCuts = [2][]string{{"1940", "1950", "1960", "1965", "1970", "1973", "1980", "1990"},
	{"1000", "100000", "1000000", "5000000", "20000000", "50000000", "100000000"}}

func livingFile(people []livingPerson) []byte {
	var b strings.Builder
	b.WriteString("born,owns,city,visits,score\n")
	for _, p := range people {
		fmt.Fprintf(&b, "%.0f,%.0f,%s,%.0f,%.0f\n", p[livingBorn], p[livingOwns],
			livingCities[int(p[livingCity])], p[livingVisits], p[livingScore])
	}
	return []byte(b.String())
}

// livingRecipe keeps all five.
func livingRecipe(s *Session, epsilon, delta string) ask.Recipe {
	whole := func(lo, hi string) domain.Spec {
		return domain.Spec{Kind: domain.Integer, Lo: lo, Hi: hi}
	}
	r := recipe(s, "joint", -1, domain.Spec{}, ask.Params{ask.ParamDelta: delta})
	r.Epsilon = epsilon
	for i, spec := range []domain.Spec{whole("1900", "2009"), whole("0", "199999999"),
		{Kind: domain.Category, Categories: livingCities}, whole("0", "7"), whole("0", "7")} {
		r.Others = append(r.Others, ask.Field{Role: roleKept.Name, Column: i + 1,
			Label:  []string{"born", "owns", "city", "visits", "score"}[i],
			Domain: spec})
	}
	r.Others[livingBorn].Cuts, r.Others[livingOwns].Cuts = livingCuts[0], livingCuts[1]
	return r
}

// ranged reads the first range in a sentence.
var livingRanged = regexp.MustCompile(`\(([−0-9. ]+) to ([−0-9. ]+)\)`)

// livingAsked is a question, what is read of the answer, and the truth.
type livingAsked struct {
	name  string
	q     LivingQuestion
	row   int // of the table; −1: the sentence
	truth func(people []livingPerson, a *LivingAnswer) float64
}

func livingMean(column int, is func(p livingPerson) bool) func([]livingPerson,
	*LivingAnswer) float64 {
	return func(people []livingPerson, _ *LivingAnswer) float64 {
		sum, n := 0.0, 0.0
		for _, p := range people {
			if is(p) {
				sum, n = sum+p[column], n+1
			}
		}
		return sum / n
	}
}

func livingCounted(is func(p livingPerson) bool) func([]livingPerson, *LivingAnswer) float64 {
	return func(people []livingPerson, _ *LivingAnswer) (n float64) {
		for _, p := range people {
			if is(p) {
				n++
			}
		}
		return n
	}
}

func livingQuantile(column int, part float64) func([]livingPerson, *LivingAnswer) float64 {
	return func(people []livingPerson, _ *LivingAnswer) float64 {
		var all []float64
		for _, p := range people {
			all = append(all, p[column])
		}
		slices.Sort(all)
		return all[int(math.Ceil(part*float64(len(all))))-1]
	}
}

// livingSlope is that of a line of people; or, where the answer names bins, of their middles.
func livingSlope(y, x int) func([]livingPerson, *LivingAnswer) float64 {
	middle := func(column int, v float64) float64 {
		starts, ends := []float64{1900, 0}[column], []float64{2009, 199999999}[column]
		for _, text := range livingCuts[column] {
			if cut := must(strconv.ParseFloat(text, 64)); cut <= v {
				starts = cut
			} else {
				ends = min(ends, cut-1)
			}
		}
		return (starts + ends) / 2
	}
	return func(people []livingPerson, a *LivingAnswer) float64 {
		var n, u, v, uu, uv float64
		for _, p := range people {
			s, t := p[x], p[y]
			if strings.Contains(a.Sentence, "middles of the bins") {
				if x <= livingOwns {
					s = middle(x, s)
				}
				if y <= livingOwns {
					t = middle(y, t)
				}
			}
			n, u, v, uu, uv = n+1, u+s, v+t, uu+s*s, uv+s*t
		}
		return (uv - u*v/n) / (uu - u*u/n)
	}
}

// livingFirst is how many people are in the places that a sentence names.
func livingFirst(columns ...int) func([]livingPerson, *LivingAnswer) float64 {
	place := func(column int, label string, p livingPerson) bool {
		if column == livingCity {
			return livingCities[int(p[column])] == label
		}
		from, to, _ := strings.Cut(label, "–")
		return p[column] >= livingNumber(from) && p[column] <= livingNumber(cmp.Or(to, from))
	}
	named := regexp.MustCompile(`: ([^:]*), about `)
	return func(people []livingPerson, a *LivingAnswer) float64 {
		labels := strings.Split(named.FindStringSubmatch(a.Sentence)[1], " · ")
		return livingCounted(func(p livingPerson) bool {
			for i, column := range columns {
				if !place(column, labels[i], p) {
					return false
				}
			}
			return true
		})(people, a)
	}
}

// livingNumber reads a number as it is printed; NaN if it is none.
func livingNumber(text string) float64 {
	text = strings.NewReplacer("\u00a0", "", "−", "-", " ", "").Replace(text)
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

func everybody(livingPerson) bool   { return true }
func fromBern(p livingPerson) bool  { return p[livingCity] == 0 }
func twoVisits(p livingPerson) bool { return p[livingVisits] == 2 }

var livingQuestions = []livingAsked{
	{"count of a city", LivingQuestion{Kind: LivingCount, Columns: []int{livingCity}}, 0,
		livingCounted(fromBern)},
	{"count of two columns", LivingQuestion{Kind: LivingCount, Columns: []int{livingVisits,
		livingCity}}, 8, livingCounted(func(p livingPerson) bool {
		return fromBern(p) && twoVisits(p)
	})},
	{"most common of visits", LivingQuestion{Kind: LivingCount, Columns: []int{livingVisits}}, -1,
		livingFirst(livingVisits)},
	{"most common of two columns", LivingQuestion{Kind: LivingCount, Columns: []int{livingCity,
		livingVisits}}, -1, livingFirst(livingCity, livingVisits)},
	{"mean", LivingQuestion{Kind: LivingMean, Columns: []int{livingVisits}}, -1,
		livingMean(livingVisits, everybody)},
	{"mean of a group", LivingQuestion{Kind: LivingMean, Columns: []int{livingVisits, livingCity}},
		0, livingMean(livingVisits, fromBern)},
	{"mean of years in bins", LivingQuestion{Kind: LivingMean, Columns: []int{livingBorn}}, -1,
		livingMean(livingBorn, everybody)},
	{"mean of large numbers in bins", LivingQuestion{Kind: LivingMean, Columns: []int{livingOwns}},
		0, livingMean(livingOwns, everybody)},
	{"mean in bins, of a group", LivingQuestion{Kind: LivingMean, Columns: []int{livingOwns},
		Where: []LivingCondition{{livingVisits, 2}}}, -1, livingMean(livingOwns, twoVisits)},
	{"median year", LivingQuestion{Kind: LivingQuantile, Columns: []int{livingBorn}, Part: "0.5"},
		-1, livingQuantile(livingBorn, .5)},
	{"quartile of years", LivingQuestion{Kind: LivingQuantile, Columns: []int{livingBorn},
		Part: "0.75"}, 0, livingQuantile(livingBorn, .75)},
	{"decile of large numbers", LivingQuestion{Kind: LivingQuantile, Columns: []int{livingOwns},
		Part: "0.9"}, -1, livingQuantile(livingOwns, .9)},
	{"slope", LivingQuestion{Kind: LivingLine, Columns: []int{livingScore, livingVisits}}, -1,
		livingSlope(livingScore, livingVisits)},
	{"slope in bins", LivingQuestion{Kind: LivingLine, Columns: []int{livingOwns, livingBorn}}, -1,
		livingSlope(livingOwns, livingBorn)},
	{"slope by bins", LivingQuestion{Kind: LivingLine, Columns: []int{livingVisits, livingBorn}}, 0,
		livingSlope(livingVisits, livingBorn)},
}

// printed are the ends that a reader of the sentence or of the table has, the latter through CSV.
func (l livingAsked) printed(t *testing.T, a *LivingAnswer) (low, high float64) {
	t.Helper()
	if l.row < 0 {
		found := livingRanged.FindStringSubmatch(strings.ReplaceAll(a.Sentence, "\u00a0", " "))
		if found == nil {
			t.Fatalf("%s: no range in %q", l.name, a.Sentence)
		}
		return livingNumber(found[1]), livingNumber(found[2])
	}
	var file strings.Builder
	w := csv.NewWriter(&file)
	if err := w.WriteAll(a.Table(nil)); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(file.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	from := len(a.Names) + 1
	return livingNumber(rows[1+l.row][from]), livingNumber(rows[1+l.row][from+1])
}

// TestLivingPrinted: 95 of 100 ranges that a living table prints, in its sentence and in its table,
// hold the truth of the people, counted one by one. It walks from a file of people over the
// release and its JSON to the answer, as the page does, on data of few years, large numbers, bins
// and columns that are alike.
func TestLivingPrinted(t *testing.T) {
	const persons, beta = 2000, .05
	releases, towns, laws := 8, livingTowns[:1], []string{"0.000001"}
	if *livingTable != "" {
		releases, towns, laws = 400, livingTowns, append(laws, "0")
	}
	var lines strings.Builder
	for _, delta := range laws {
		for _, town := range towns {
			people := town.people(persons)
			file := livingFile(people)
			held, wide := map[string]int{}, map[string]float64{}
			for seed := range releases {
				living := livingOf(t, coin.Seed(seed+1), delta, file)
				for _, one := range livingQuestions {
					a, err := living.Answer(one.q)
					if err != nil {
						t.Fatalf("%s: %v", one.name, err)
					}
					low, high := one.printed(t, a)
					truth := one.truth(people, a)
					if low-1e-9 <= truth && truth <= high+1e-9 {
						held[one.name]++
					} else if held[one.name]+5 < seed {
						t.Logf("%s: %v is not from %v to %v: %s", one.name, truth, low, high,
							a.Sentence)
					}
					wide[one.name] += (high - low) / float64(releases)
				}
			}
			for _, one := range livingQuestions {
				h := held[one.name]
				if chance := stattest.AtMost(h, releases, 1-beta); chance < 1e-4 {
					t.Errorf("%s, δ = %s, %s: %d of %d ranges hold the truth", town.name, delta,
						one.name, h, releases)
				}
				fmt.Fprintf(&lines, "| %s | %s | %s | %d | %.1f | %.1f | %s |\n", one.name,
					town.name, map[bool]string{true: "Laplace", false: "Gaussian"}[delta == "0"],
					releases, 100*float64(h)/float64(releases),
					100*stattest.Most(h, releases, .05), message.Prose(wide[one.name]))
			}
			if *livingTable == "" {
				continue
			}
			if err := os.WriteFile(*livingTable, []byte(livingHead+lines.String()),
				0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Log("\n" + lines.String())
}

// livingOf is the living table of a file, from the JSON of its release.
func livingOf(t *testing.T, seed coin.Seed, delta string, file []byte) *LivingTable {
	t.Helper()
	s := NewSession(coin.NewSeeded(seed))
	feed(t, must(s.Survey(table.Options{})), file)
	release := askFor(t, s, livingRecipe(s, "4", delta), file)
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

const livingHead = `# Ranges of living tables, as they are printed

Made by a test; do not edit: go test ./core/task -run TestLivingPrinted -timeout 120m -args -living LIVING.md
Each line is about 400 releases of a file of 2 000 people, ε = 4, with five columns: years of birth and large numbers in bins, a
city, and two small whole numbers. Half of all people are born in one year, and in the last data set nine of ten. *Alike* columns
follow from each other; independent ones have nothing to do with each other. *Held* is how many of 100 ranges, read from the sentence
or the table that the page shows, hold the truth, counted person by person; *at most* is the greatest chance of holding that these
releases do not refute at 5 in 100 (Clopper, Pearson), so 95 or more is as it should be. *Width* is the mean one, as printed. A mean in
bins holds wherever people are in their bins, so it nearly always holds; so do quantiles, whose ends are bins, and what is most common,
which is right for all places at once. The slope of bins is that of their middles, as its sentence says.

| question | data | noise | releases | held, of 100 | at most | width |
|---|---|---|--:|--:|--:|--:|
`

// TestLivingMost: the most common of many alike places is chosen by looking, and its range holds
// all the same.
func TestLivingMost(t *testing.T) {
	const releases, persons, places = 40, 5120, 64
	people := make([]livingPerson, persons)
	for i := range people {
		people[i][livingVisits], people[i][livingScore] = float64(i%places), float64(i%2)
	}
	file := livingFile(people)
	q := LivingQuestion{Kind: LivingCount, Columns: []int{0}}
	held, clear := 0, 0
	for seed := range coin.Seed(releases) {
		s := NewSession(coin.NewSeeded(seed + 1))
		feed(t, must(s.Survey(table.Options{})), file)
		r := livingRecipe(s, "1", "0.000001")
		r.Others = r.Others[livingVisits:]
		r.Others[0].Domain.Hi, r.Others[1].Domain.Hi = fmt.Sprint(places-1), "1"
		living, err := NewLivingTable(nil, askFor(t, s, r, file))
		if err != nil {
			t.Fatal(err)
		}
		a := must(living.Answer(q))
		low, high := livingAsked{name: "most", row: -1}.printed(t, a)
		if truth := livingFirst(livingVisits)(people, a); low <= truth && truth <= high {
			held++
		}
		if strings.HasPrefix(a.Sentence, "Most common") {
			clear++
		}
	}
	t.Logf("%d of %d ranges hold, %d are clear", held, releases, clear)
	if stattest.AtMost(held, releases, .95) < 1e-4 || clear > releases/10 {
		t.Errorf("%d of %d ranges hold what is first; of what is alike %d are called the most "+
			"common", held, releases, clear)
	}
}
