//go:build peer

package peer

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/differential-privacy/go/v3/dpagg"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/privacy"
	"hush/core/table"
	"hush/core/task"
)

var (
	python = flag.String("python", "", "interpreter that has the libraries of requirements.txt; "+
		"without it only what needs none is compared")
	tablesPython = flag.String("tables-python", "", "one that has OpenDP's tables, which take an "+
		"older mbi")
	kind  = flag.String("kind", "", "of question, to ask no other")
	about = flag.String("about", "", "a part of a set's name, to ask about no other")
	write = flag.Bool("update", false, "write PEERS.md, of all questions")
)

//go:embed peers.py
var peersScript string

// mostPeople are in a set of which all is asked: others take them one by one.
const mostPeople = 400_000

// simpleRuns are made of a count and of a sum, which take no time: the median of so many is within
// about a twentieth of the true one.
const simpleRuns = 1001

// binRuns and quantileRuns are made of bins and of quantiles.
const (
	binRuns      = 51
	quantileRuns = 25
)

// job is one question about one set at one ε, asked of Hush and of each peer so many times.
type job struct {
	Kind    string    `json:"kind"`
	Name    string    `json:"-"`
	Set     string    `json:"-"`
	N       int       `json:"n"`
	Epsilon float64   `json:"epsilon"`
	Rho     float64   `json:"rho,omitempty"` // zCDP in place of pure ε: what (ε, tableDelta) is worth
	Runs    int       `json:"runs"`
	Size    int       `json:"size"`             // values are 0 to Size − 1
	Values  []int     `json:"values,omitempty"` // those that occur, ascending
	Counts  []int     `json:"counts,omitempty"` // how often each
	Edges   []int     `json:"edges,omitempty"`
	Least   *int      `json:"least,omitempty"` // counts below are shown as this; nil: as they are
	Targets []float64 `json:"targets,omitempty"`
	Probes  []int     `json:"probes,omitempty"` // values up to which people are counted
	Sizes   []int     `json:"sizes,omitempty"`  // of columns
	Rows    [][]int   `json:"rows,omitempty"`

	set  *set
	seed coin.Seed // of Hush's coins
	real []float64 // what is asked for; of quantiles the targets
}

// errors of answers, by peer; why is said where there are none.
type outcome struct {
	errors map[string][]float64
	why    map[string]string
}

// TestPeers asks Hush, as it stands, and other libraries the same questions and writes the table.
func TestPeers(t *testing.T) {
	jobs := peerJobs(t)
	for i := range jobs {
		jobs[i].seed = coin.Seed(i) // the same whatever is left out
	}
	jobs = slices.DeleteFunc(jobs, func(j job) bool {
		return *kind != "" && *kind != j.Kind || !strings.Contains(j.Set, *about)
	})
	outcomes := make([]outcome, len(jobs))
	for i, j := range jobs {
		outcomes[i] = outcome{map[string][]float64{}, map[string]string{}}
		ours := j.ours(t)
		for range j.Runs {
			outcomes[i].add("Hush", j.error(ours()))
			if answer := j.google(t); answer != nil {
				outcomes[i].add("Google", j.error(answer))
			}
		}
		t.Logf("%s, %s, ε = %g: %s", j.Name, j.Set, j.Epsilon, outcomes[i].median("Hush"))
	}
	missing := askPeers(t, jobs, outcomes)
	text := peersTable(jobs, outcomes, missing)
	t.Log("\n" + text)
	if *write && *kind == "" && *about == "" {
		if err := os.WriteFile("PEERS.md", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func (o outcome) add(peer string, err float64) { o.errors[peer] = append(o.errors[peer], err) }

// middle is the median of a peer's errors; false: it has none.
func (o outcome) middle(peer string) (float64, bool) {
	list := slices.Sorted(slices.Values(o.errors[peer]))
	if len(list) == 0 {
		return 0, false
	}
	middle := list[len(list)/2]
	if middle < 1e-9 {
		middle = 0 // what is left of sums of float64
	}
	return middle, true
}

func (o outcome) median(peer string) string {
	if middle, ok := o.middle(peer); ok {
		return strconv.FormatFloat(middle, 'g', 3, 64)
	}
	return "–"
}

// peerJobs are all questions about all sets.
func peerJobs(t *testing.T) (jobs []job) {
	for _, s := range append(sets(t), incomes(2_000), incomes(20_000), incomes(100_000)) {
		if s.n > mostPeople {
			continue
		}
		for _, epsilon := range []float64{0.1, 1} {
			of := func(kind, name string) job { return s.job(kind, name, epsilon) }
			count, sum := of("count", "a count"), of("sum", "a sum")
			count.Edges = []int{s.size / 2}
			count.Runs, sum.Runs = simpleRuns, simpleRuns
			histogram := of("histogram", "20 bins")
			for i := range 21 {
				histogram.Edges = append(histogram.Edges, i*(s.size/20))
			}
			histogram.Edges[20] = s.size
			histogram.Runs = binRuns
			positive := histogram
			positive.Name, positive.Least = "20 bins, none below 0", new(int)
			all := of("percentiles", "all percentiles")
			all.Probes = s.probes()
			jobs = append(jobs, count, sum, histogram, positive, all)
			for _, m := range []int{1, 9, 99} {
				j := of("quantiles", fmt.Sprintf("%d quantiles", m))
				j.Runs = quantileRuns
				for i := range m {
					j.Targets = append(j.Targets, float64(i+1)/float64(m+1))
				}
				jobs = append(jobs, j)
			}
		}
	}
	if *data != "" {
		jobs = append(jobs, tableJobs(t)...)
	}
	for _, s := range sets(t) {
		if s.n > mostPeople {
			for _, epsilon := range []float64{0.1, 1} {
				all := s.job("percentiles", "all percentiles", epsilon)
				all.Probes = s.probes()
				jobs = append(jobs, all)
			}
		}
	}
	for i := range jobs {
		jobs[i].real = jobs[i].truth()
	}
	return jobs
}

// job asks about a set, five times.
func (s *set) job(kind, name string, epsilon float64) job {
	j := job{Kind: kind, Name: name, Set: s.name, N: s.n, Epsilon: epsilon, Runs: 5, Size: s.size,
		set: s}
	for value, c := range s.counts {
		if c > 0 {
			j.Values, j.Counts = append(j.Values, value), append(j.Counts, c)
		}
	}
	return j
}

// incomes are made up, log-normal, from 0 to a million.
func incomes(n int) *set {
	s := newSet(fmt.Sprintf("made up: incomes, n = %d", n), 1_000_001)
	for i := range n {
		z := math.Sqrt2 * math.Erfinv(2*(float64(i)+0.5)/float64(n)-1)
		s.add(min(1_000_000, int(math.Exp(10.3+0.8*z))), 1)
	}
	return s
}

// probes are where distribution functions are compared: at values that occur and just before them,
// at most about 4 000.
func (s *set) probes() (list []int) {
	const most = 2000
	var occur []int
	for value, c := range s.counts {
		if c > 0 {
			occur = append(occur, value)
		}
	}
	for i := 0; i < len(occur); i += 1 + len(occur)/most {
		list = append(list, max(0, occur[i]-1), occur[i])
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// tableJobs ask for all pairs of five columns of the Adult data.
func tableJobs(t *testing.T) (jobs []job) {
	f, err := os.Open(filepath.Join(*data, "adult.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"workclass", "marital-status", "occupation", "relationship", "race"}
	j := job{Kind: "tables", Name: "all tables of two of five columns", Set: "adult.csv",
		Sizes: []int{9, 7, 15, 6, 5}, Runs: 3}
	for _, row := range rows[1:] {
		var kept []int
		for i, name := range names {
			code, err := strconv.Atoi(row[slices.Index(rows[0], name)])
			if err != nil || code >= j.Sizes[i] {
				t.Fatalf("%s: %q", name, row)
			}
			kept = append(kept, code)
		}
		j.Rows = append(j.Rows, kept)
	}
	j.N = len(j.Rows)
	delta, err := privacy.ParseDelta(tableDelta)
	if err != nil {
		t.Fatal(err)
	}
	for _, j.Epsilon = range []float64{0.1, 1} {
		jobs = append(jobs, j)
		epsilon, err := privacy.ParseEpsilon(strconv.FormatFloat(j.Epsilon, 'g', -1, 64))
		if err != nil {
			t.Fatal(err)
		}
		rho, err := privacy.RhoFor(epsilon, delta)
		if err != nil {
			t.Fatal(err)
		}
		concentrated := j
		concentrated.Name += ", δ = " + tableDelta
		concentrated.Rho, _ = rho.Rat().Float64()
		jobs = append(jobs, concentrated)
	}
	return jobs
}

// tableDelta is allowed where tables are released with Gaussian noise.
const tableDelta = "1e-7"

// error is in people: of a number what it is off by, a sum in multiples of the largest value; of
// lists of counts the mean; of percentiles the largest; of quantiles the mean rank error.
func (j job) error(answer []float64) float64 {
	off, worst := 0.0, 0.0
	for i := range j.real {
		e := math.Abs(answer[i] - j.real[i])
		if j.Kind == "quantiles" {
			e = j.set.rankError(int(math.Round(answer[i])), j.real[i]) * float64(j.N)
		}
		off, worst = off+e, max(worst, e)
	}
	switch j.Kind {
	case "percentiles":
		return worst
	case "sum":
		return off / float64(j.Size-1)
	}
	return off / float64(len(j.real))
}

// truth works out what is asked for.
func (j job) truth() (list []float64) {
	upTo := func(last int) float64 {
		sum := 0
		for i := 0; i < len(j.Values) && j.Values[i] <= last; i++ {
			sum += j.Counts[i]
		}
		return float64(sum)
	}
	switch j.Kind {
	case "count":
		return []float64{upTo(j.Size) - upTo(j.Edges[0]-1)}
	case "sum":
		sum := 0.0
		for i, v := range j.Values {
			sum += float64(v) * float64(j.Counts[i])
		}
		return []float64{sum}
	case "histogram":
		for i, edge := range j.Edges[1:] {
			list = append(list, upTo(edge-1)-upTo(j.Edges[i]-1))
		}
	case "percentiles":
		for _, probe := range j.Probes {
			list = append(list, upTo(probe))
		}
	case "quantiles":
		return j.Targets
	case "tables":
		j.pairs(func(a, b, x, y int) {
			count := 0.0
			for _, row := range j.Rows {
				if row[a] == x && row[b] == y {
					count++
				}
			}
			list = append(list, count)
		})
	}
	return list
}

// pairs goes through the cells of all tables of two columns.
func (j job) pairs(cell func(a, b, x, y int)) {
	for a := range j.Sizes {
		for b := a + 1; b < len(j.Sizes); b++ {
			for x := range j.Sizes[a] {
				for y := range j.Sizes[b] {
					cell(a, b, x, y)
				}
			}
		}
	}
}

// ours answers as Hush does, again at each call: the question as the page asks it, with what it
// takes by itself.
func (j job) ours(t *testing.T) func() []float64 {
	t.Helper()
	r := ask.Recipe{Version: ask.RecipeVersion, Column: 1, Count: 2,
		Domain:  domain.Spec{Kind: domain.Integer, Lo: "0", Hi: strconv.Itoa(j.Size - 1)},
		Epsilon: strconv.FormatFloat(j.Epsilon, 'g', -1, 64), Params: ask.Params{}}
	switch j.Kind {
	case "count":
		r.Task, r.Domain.Lo = "count", strconv.Itoa(j.Edges[0])
	case "sum":
		r.Task = "sum"
	case "histogram":
		r.Task = "histogram"
		r.Params["width"] = strconv.Itoa(j.Size / 20)
		if j.Least != nil {
			r.Params["negative"] = "true"
		}
	case "percentiles":
		r.Task = "distribution"
	case "quantiles":
		r.Task = "quantiles"
		var parts []string
		for _, target := range j.Targets {
			parts = append(parts, strconv.FormatFloat(math.Round(1e6*100*target)/1e6, 'g', -1, 64))
		}
		r.Params["targets"] = strings.Join(parts, ", ")
	case "tables":
		r.Task, r.Column, r.Count, r.Domain = "tables", 0, 0, domain.Spec{}
		if j.Rho > 0 {
			r.Params[ask.ParamDelta] = tableDelta
		} else {
			r.Params[ask.ParamDelta] = "0"
		}
		for c, size := range j.Sizes {
			var values []string
			for v := range size {
				values = append(values, strconv.Itoa(v))
			}
			r.Others = append(r.Others, ask.Field{Role: "by", Column: c + 1,
				Label:  fmt.Sprint("c", c),
				Domain: domain.Spec{Kind: domain.Category, Categories: values}})
		}
	}
	again := j.release(t, r, j.seed)
	return func() []float64 { return j.numbers(t, again()) }
}

// numbers are what a job asks for, of Hush's answer.
func (j job) numbers(t *testing.T, result ask.Result) (answer []float64) {
	t.Helper()
	switch result := result.(type) {
	case *task.Estimates:
		return []float64{number(t, result.Rows[0].Value)}
	case *task.Histogram:
		for _, bin := range result.Bins {
			answer = append(answer, float64(bin.Count))
		}
		// A last bin that holds what the division leaves over is one with the bin before it.
		for last := len(answer) - 1; last >= len(j.Edges)-1; last-- {
			answer[last-1] += answer[last]
			answer = answer[:last]
		}
	case *task.Distribution:
		f := function{{-1, 0, 0}}
		for _, p := range result.Points {
			f = append(f, step{number(t, p.Value), p.Below, p.UpTo})
		}
		for _, probe := range j.Probes {
			answer = append(answer, f.upTo(float64(probe)))
		}
	case *task.Quantiles:
		for _, row := range result.Rows {
			answer = append(answer, number(t, row.Value))
		}
	case *task.TableSet:
		j.pairs(func(a, b, x, y int) {
			counts := result.Of(a, b)
			answer = append(answer, float64(counts.Counts[x*len(counts.Axes[1].Places)+y]))
		})
	default:
		t.Fatalf("%s is answered with %T", j.Kind, result)
	}
	return answer
}

// function is a distribution function, at values in ascending order.
type function []step

// step is how many people a function has below a value, and up to it.
type step struct{ value, below, upTo float64 }

// upTo is how many people the function has up to a value, straight between its steps.
func (f function) upTo(value float64) float64 {
	i, is := slices.BinarySearchFunc(f, value, func(s step, value float64) int {
		return cmp.Compare(s.value, value)
	})
	switch {
	case is:
		return f[i].upTo
	case i == len(f):
		return f[i-1].upTo
	}
	at, next := f[i-1], f[i]
	return at.upTo + (next.below-at.upTo)*(value-at.value)/max(1, next.value-1-at.value)
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	value, err := strconv.ParseFloat(strings.NewReplacer("−", "-", "\u00a0", "").Replace(text), 64)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// release asks a question of a file of this job, anew at each call.
func (j job) release(t *testing.T, r ask.Recipe, seed coin.Seed) func() ask.Result {
	t.Helper()
	var file bytes.Buffer
	if j.Kind == "tables" {
		for c := range j.Sizes {
			fmt.Fprintf(&file, "%sc%d", []string{",", ""}[max(0, 1-c)], c)
		}
		for _, row := range j.Rows {
			cells := strings.Trim(strings.ReplaceAll(fmt.Sprint(row), " ", ","), "[]")
			file.WriteString("\n" + cells)
		}
	} else {
		file.WriteString("value,people")
		for i, v := range j.Values {
			fmt.Fprintf(&file, "\n%d,%d", v, j.Counts[i])
		}
	}
	s := task.NewSession(coin.NewSeeded(seed))
	pass, err := s.Survey(table.Options{})
	take := func(pass table.Pass, err error) {
		if err == nil {
			_, err = io.Copy(writer{pass}, bytes.NewReader(file.Bytes()))
		}
		if err == nil {
			err = pass.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	take(pass, err)
	opened, err := s.Opened()
	if err != nil {
		t.Fatal(err)
	}
	r.Table = opened.Options
	pass, err = s.Encode(r)
	take(pass, err)
	return func() ask.Result {
		release, err := s.Run(r, nil)
		if err != nil {
			t.Fatalf("%s of %s: %v", j.Name, j.Set, err)
		}
		return release.Answer.Result
	}
}

// writer is a pass as an io.Writer.
type writer struct{ table.Pass }

func (w writer) Write(p []byte) (int, error) { return len(p), w.Pass.Write(p) }

// google is the answer of Google's library, which counts persons added or removed: a single count
// or sum from 0 moves as far by a replaced person, a tree of quantiles twice. Nil: it has none.
func (j job) google(t *testing.T) (answer []float64) {
	people := func(add func(value float64) error) {
		for i, v := range j.Values {
			for range j.Counts[i] {
				if err := add(float64(v)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	switch j.Kind {
	case "count":
		c, err := dpagg.NewCount(&dpagg.CountOptions{Epsilon: j.Epsilon,
			MaxPartitionsContributed: 1})
		if err == nil {
			err = c.IncrementBy(int64(j.real[0]))
		}
		if err != nil {
			t.Fatal(err)
		}
		result, err := c.Result()
		if err != nil {
			t.Fatal(err)
		}
		return []float64{float64(result)}
	case "sum":
		s, err := dpagg.NewBoundedSumFloat64(&dpagg.BoundedSumFloat64Options{Epsilon: j.Epsilon,
			MaxPartitionsContributed: 1, Lower: 0, Upper: float64(j.Size - 1)})
		if err != nil {
			t.Fatal(err)
		}
		people(s.Add)
		result, err := s.Result()
		if err != nil {
			t.Fatal(err)
		}
		return []float64{result}
	case "percentiles":
		if j.N > mostPeople {
			return nil
		}
		upTo := j.set.googleFunction(t, j.Epsilon/2)
		for _, probe := range j.Probes {
			answer = append(answer, upTo(probe))
		}
		return answer
	case "quantiles":
		q := googleTree(t, j.Epsilon/2, j.Size)
		people(q.Add)
		for _, target := range j.Targets {
			value, err := q.Result(target)
			if err != nil {
				t.Fatal(err)
			}
			answer = append(answer, value)
		}
		return answer
	}
	return nil
}

// askPeers has the script answer all jobs, and says of each library that is missing why.
func askPeers(t *testing.T, jobs []job, outcomes []outcome) (missing []string) {
	if *python == "" {
		return []string{"OpenDP, diffprivlib, mbi: no Python was named"}
	}
	why, installed := map[string]string{}, map[string]bool{}
	for _, interpreter := range []string{*python, *tablesPython} {
		var number []int // of the jobs asked
		var asked []job
		for i, j := range jobs {
			if interpreter == *python || j.Kind == "tables" {
				number, asked = append(number, i), append(asked, j)
			}
		}
		in, err := json.Marshal(asked)
		if err != nil {
			t.Fatal(err)
		}
		if interpreter == "" {
			continue
		}
		run := exec.Command(interpreter, "-W", "ignore", "-c", peersScript)
		run.Stdin, run.Stderr = bytes.NewReader(in), os.Stderr
		out, err := run.Output()
		if err != nil {
			t.Fatal(err)
		}
		for lines := json.NewDecoder(bytes.NewReader(out)); ; {
			var said struct {
				Job       *int
				Peer, Why string
				Answers   [][]float64
			}
			if err := lines.Decode(&said); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			if said.Job == nil {
				why[said.Peer] = said.Why
				continue
			}
			installed[said.Peer] = true
			j := number[*said.Job]
			for _, answer := range said.Answers {
				outcomes[j].add(said.Peer, jobs[j].error(answer))
			}
			if said.Why != "" {
				outcomes[j].why[said.Peer] = said.Why
			}
		}
	}
	for _, peer := range slices.Sorted(maps.Keys(why)) {
		if !installed[peer] { // by no interpreter
			missing = append(missing, peer+": "+why[peer])
		}
	}
	return missing
}

var peerNames = []string{"Google", "OpenDP", "diffprivlib", "mbi"}

// peersTable is PEERS.md.
func peersTable(jobs []job, outcomes []outcome, missing []string) string {
	var b strings.Builder
	b.WriteString(peersHead)
	for _, why := range missing {
		fmt.Fprintf(&b, "Left out: %s.\n\n", why)
	}
	b.WriteString("| Question | Data | n | ε | Hush | " + strings.Join(peerNames, " | ") +
		" | Hush / best other |\n|---|---|--:|--:|--:|" + strings.Repeat("--:|", len(peerNames)+1) +
		"\n")
	behind, compared := 0, 0
	for i, j := range jobs {
		fmt.Fprintf(&b, "| %s | %s | %d | %g | %s |", j.Name, j.Set, j.N, j.Epsilon,
			outcomes[i].median("Hush"))
		best := math.Inf(1)
		for _, name := range peerNames {
			if middle, ok := outcomes[i].middle(name); ok {
				best = min(best, middle)
			}
			fmt.Fprintf(&b, " %s |", outcomes[i].median(name))
		}
		ours, _ := outcomes[i].middle("Hush")
		switch {
		case math.IsInf(best, 1):
			b.WriteString(" – |\n")
		case j.lawful(ours):
			b.WriteString(" same law |\n")
		case best == 0:
			b.WriteString(" – |\n")
		default:
			if compared++; ours > 1.1*best {
				behind++
			}
			fmt.Fprintf(&b, " %.2f |\n", ours/best)
		}
	}
	fmt.Fprintf(&b, "\nOf %d rows Hush is more than a tenth behind the best other in %d.\n",
		compared, behind)
	return b.String()
}

// lawful says of a count and of a sum, to which all libraries add Laplace noise of the same scale,
// and of bins, where it is twice that, that what Hush is off by is the median or mean of that law:
// where another is off by less, it is by chance. A count's is a whole number.
func (j job) lawful(off float64) bool {
	var law, near float64
	switch {
	case j.Kind == "count":
		law, near = math.Ln2/j.Epsilon, 1
	case j.Kind == "sum":
		law = math.Ln2 / j.Epsilon
	case j.Kind == "histogram" && j.Least == nil:
		law = 2 / j.Epsilon
	default:
		return false
	}
	return math.Abs(off-law) <= max(near, 0.15*law)
}

const peersHead = `# Beside other libraries

Written by ` + "`./build.sh bench peers`" + ` (` + "`COLUMNS`" + ` names a directory with the data). Each number is the
median error of 5 runs (counts and sums: 1001; bins: 51; quantiles: 25; tables: 3), in people: of a
number, what it is off by (a sum in multiples of the largest value); of bins and tables, the mean
over all cells; of all percentiles, the largest over all values; of quantiles, the mean rank error.
Hush is asked as the page asks, and takes what it takes by itself. Sets of more than 400 000 people
are asked for all percentiles only, of Hush and of OpenDP's tree, which takes counts. OpenDP and diffprivlib take people one by one: of sets of more than 100 000 they are not asked, nor for
quantiles where people times quantiles are more than 100 000 (OpenDP) or 1 000 000 (diffprivlib), or
candidates times quantiles more than 50 000 (OpenDP): above that a question takes minutes. After 2
seconds of a question they make at most 5 runs, after 10 seconds no more.

To a count, a sum and bins all libraries add Laplace noise of the same scale: 1/ε, a sum's times the
largest value, that of bins 2/ε. "Same law" says that Hush is off by as much as that law is, within
15 %; what another is off by more or less is chance, most where it makes few runs. diffprivlib shows
counts below 0 as 0: it stands in a row of its own, where Hush is asked to do the same, which it
does on request, since sums over many bins come out too high then. There both have the same law too,
cut at 0.

The guarantee is the same everywhere: pure ε for one replaced person, n public. A library that
counts persons added or removed is given the distance 2, or half of ε, where a replaced person moves
its answer twice as far; a single count, or sum from 0, moves no further, and has all of ε. mbi is
given the counts of all tables with Laplace noise, or Gaussian noise where there is a δ, and fits a
graphical model to them. Where there is a δ, the others are given the ρ of zCDP that Hush takes it
for. OpenDP's tables are fitted by an older mbi.

Where Hush is behind with quantiles: of one quantile all but Google's have nearly the same law, and
differ by chance. Of 99 quantiles of ADULTFRANK at ε = 0.1 Hush and Google's tree are
off by 28 and 29 people in the mean of 12 runs. A tree of counts would be off by 5 there and by 0.4 at
ε = 1, but by 1.4 and 1.1 times as many as what is taken on MEDCOST: nothing public tells which.

`
