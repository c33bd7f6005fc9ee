//go:build peer

package peer

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/table"
	"hush/core/task"
)

var tumult = flag.String("tumult", "", "interpreter that has Tumult Analytics "+
	"(requirements-persons.txt)")

//go:embed tumult.py
var tumultScript string

// The bounds on persons' rows, which nobody exceeds, and how often each question is asked.
const (
	boundGroups  = 2
	boundRows    = 3
	orderShops   = 20
	orderPersons = 2000
	tumultRuns   = 9 // of a question with one answer; of one by shop each run has 20
)

// order is a row: of whom, where, at what price.
type order struct {
	person, shop string
	price        int
}

func (o order) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{o.person, o.shop, o.price})
}

// orders are of persons with up to 3 orders in each of one or two shops.
func orders(persons int) (list []order, shops []string) {
	rng := rand.New(rand.NewPCG(27, 1))
	for s := range orderShops {
		shops = append(shops, fmt.Sprintf("shop%02d", s))
	}
	for p := range persons {
		first := rng.IntN(orderShops)
		for which := range boundGroups {
			shop := shops[(first+which*(1+rng.IntN(orderShops-1)))%orderShops]
			for range max(rng.IntN(boundRows+1), 1-which) {
				list = append(list, order{fmt.Sprint("p", p), shop, 1 + rng.IntN(9)})
			}
		}
	}
	return list, shops
}

// ofPersons is a question about orders, at much and at little ε.
type ofPersons struct {
	kind   string
	recipe ask.Recipe
	twice  bool // a replaced person moves it twice as far as one who comes or goes
	truth  []float64
}

// TestPersonsBesideTumult: where nobody exceeds the bounds, Hush and Tumult Analytics answer six
// questions about persons with several rows with the same numbers at ε = 100; at ε = 1 Hush's
// median errors are compared with Tumult's. -update writes PERSONS.md.
func TestPersonsBesideTumult(t *testing.T) {
	list, shops := orders(orderPersons)
	jobs := personsQuestions(list, shops)
	var theirs [][2][][]float64 // by job, at ε = 100 and at 1
	if *tumult != "" {
		theirs = askTumult(t, list, shops, jobs)
	}
	var b strings.Builder
	b.WriteString(personsHead)
	b.WriteString("| Question | off at ε = 100: Hush | Tumult | off at ε = 1: Hush | Tumult | " +
		"Hush / Tumult |\n|---|--:|--:|--:|--:|--:|\n")
	for i, j := range jobs {
		ours := [2]float64{}
		for k, epsilon := range []string{"100", "1"} {
			var off []float64
			runs := []int{1, 101}[k]
			for seed := range runs {
				off = append(off, errorsOf(askOrders(t, list, j.recipe, epsilon, seed), j.truth)...)
			}
			ours[k] = middle(off)
		}
		row := []string{"–", "–", "–"}
		if theirs != nil {
			much, little := 0.0, []float64{}
			for _, answer := range theirs[i][0] {
				much = max(much, middle(errorsOf(answer, j.truth)))
			}
			for _, answer := range theirs[i][1] {
				little = append(little, errorsOf(answer, j.truth)...)
			}
			row = []string{brief(much), brief(middle(little)), "–"}
			if middle(little) > 0 {
				row[2] = fmt.Sprintf("%.2f", ours[1]/middle(little))
			}
			// noise of the widest of them at ε = 100, a sum's: a scale of 10·2·6/100
			if limit := map[bool]float64{true: 0.04, false: 4}[j.kind == "mean by shop"]; ours[0] >
				limit || much > limit {
				t.Errorf("%s at ε = 100: off by %v, Tumult by %v", j.kind, ours[0], much)
			}
			// Of a median of nine, or of twenty, a factor of three is chance.
			if ours[1] > 3*middle(little) && ours[1] > 1 {
				t.Errorf("%s at ε = 1: off by %v, Tumult by %v", j.kind, ours[1], middle(little))
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", j.kind, brief(ours[0]), row[0],
			brief(ours[1]), row[1], row[2])
	}
	t.Log("\n" + b.String())
	if *write && theirs != nil {
		if err := os.WriteFile("PERSONS.md", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

const personsHead = "# Persons with several rows beside Tumult Analytics\n\n" +
	"Written by `./build.sh bench persons`: 2000 made-up persons with up to 3 orders in each of " +
	"one or two of 20 shops, and\nTumult Analytics 0.21 (Spark) with the same bounds on rows and " +
	"groups, which nobody exceeds. Each number is the median of\nwhat single answers are off by, " +
	"over all shops: Hush is asked 101 times at ε = 1, Tumult 9 times, and " +
	"once by shop. Pure ε for\none replaced person: where that moves an answer twice as far " +
	"as one who comes or goes, Tumult has half of ε.\n\n"

func brief(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }

func middle(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

func errorsOf(answer, truth []float64) (off []float64) {
	for i := range truth {
		if i >= len(answer) {
			return append(off, math.Inf(1))
		}
		off = append(off, math.Abs(answer[i]-truth[i]))
	}
	return off
}

func personsQuestions(list []order, shops []string) []ofPersons {
	times, persons, total := make([]float64, len(shops)), make([]float64, len(shops)),
		make([]float64, len(shops))
	all, dear := 0.0, map[string]bool{}
	seen := map[[2]string]bool{}
	for _, o := range list {
		s := slices.Index(shops, o.shop)
		times[s]++
		total[s] += float64(o.price)
		all++
		if !seen[[2]string{o.person, o.shop}] {
			seen[[2]string{o.person, o.shop}] = true
			persons[s]++
		}
		if o.price >= 5 {
			dear[o.person] = true
		}
	}
	mean := slices.Clone(total)
	for s := range mean {
		mean[s] /= times[s]
	}
	price := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "10"}
	rows := &table.Use{Rows: boundRows, Groups: boundGroups, Column: 2}
	by := &ask.Group{Column: 2, Names: shops}
	of := func(task string, use *table.Use, group *ask.Group) ask.Recipe {
		return ask.Recipe{Task: task, Column: 3, Domain: price, Use: use, Group: group}
	}
	filtered := of("count", &table.Use{Rows: 1}, nil)
	filtered.Filter = []table.Condition{{Column: 3, Spec: price, From: "5"}}
	return []ofPersons{
		{"rows", of("count", &table.Use{Rows: boundGroups * boundRows}, nil), false,
			[]float64{all}},
		{"rows by shop", of("count", rows, by), true, times},
		{"persons by shop", of("count", &table.Use{Rows: 1, Groups: boundGroups, Column: 2}, by),
			true, persons},
		{"sum by shop", of("sum", rows, by), true, total},
		{"mean by shop", of("mean", rows, by), true, mean},
		{"persons with a price of at least 5", filtered, false, []float64{float64(len(dear))}},
	}
}

func askOrders(t *testing.T, list []order, r ask.Recipe, epsilon string, seed int) (
	answer []float64) {
	t.Helper()
	var file strings.Builder
	file.WriteString("person,shop,price\n")
	for _, o := range list {
		fmt.Fprintf(&file, "%s,%s,%d\n", o.person, o.shop, o.price)
	}
	var err error
	r.Version, r.Person, r.Epsilon = ask.RecipeVersion, 1, epsilon
	r.Table, err = table.Options{Encoding: table.UTF8, Delimiter: ",", Header: table.Yes,
		Columns: 3}.Decided()
	if err != nil {
		t.Fatal(err)
	}
	s := task.NewSession(coin.NewSeeded(coin.Seed(seed)))
	if err := s.Load(strings.NewReader(file.String()), r); err != nil {
		t.Fatal(err)
	}
	release, err := s.Run(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range release.Answer.Result.(*task.Estimates).Rows {
		x, err := strconv.ParseFloat(strings.ReplaceAll(row.Value, ",", ""), 64)
		if err != nil {
			t.Fatal(err)
		}
		answer = append(answer, x)
	}
	return answer
}

func askTumult(t *testing.T, list []order, shops []string,
	jobs []ofPersons) (answers [][2][][]float64) {
	t.Helper()
	type job struct {
		Kind    string  `json:"kind"`
		Epsilon float64 `json:"epsilon"`
		Runs    int     `json:"runs"`
	}
	work := struct {
		Rows   []order  `json:"rows"`
		Shops  []string `json:"shops"`
		Groups int      `json:"groups"`
		Each   int      `json:"each"`
		Jobs   []job    `json:"jobs"`
	}{Rows: list, Shops: shops, Groups: boundGroups, Each: boundRows}
	for _, j := range jobs {
		part := 1.0
		runs := tumultRuns
		if j.twice {
			part, runs = 0.5, 1
		}
		work.Jobs = append(work.Jobs, job{j.kind, 100 * part, 1}, job{j.kind, part, runs})
	}
	input, err := json.Marshal(work)
	if err != nil {
		t.Fatal(err)
	}
	run := exec.Command(*tumult, "-c", tumultScript)
	run.Stdin = bytes.NewReader(input)
	var said bytes.Buffer
	run.Stderr = &said
	output, err := run.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	var each [][][]float64
	for line := range strings.Lines(string(output)) {
		var got struct{ Answers [][]float64 }
		if err := json.Unmarshal([]byte(line), &got); err != nil {
			t.Fatal(err, line)
		}
		each = append(each, got.Answers)
	}
	if len(each) != 2*len(jobs) {
		t.Fatalf("%d answers to %d questions", len(each), 2*len(jobs))
	}
	for pair := range slices.Chunk(each, 2) {
		answers = append(answers, [2][][]float64{pair[0], pair[1]})
	}
	return answers
}
