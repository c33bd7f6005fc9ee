package joint

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
	"hush/core/privacy"
)

var (
	compare = flag.Bool("compare", false, "measure made-up rows of the Adult data for JOINT.md")
	adult   = flag.String("adult", "", "the Adult data as whole numbers, for TestJoint")
	sets    = flag.String("sets", "", "a Python with the packages of sets.py, for TestJointSets")
	program = flag.String("hush", "", "the program hush, for TestJointSets")
)

// learned is how many persons are made up of; the others test what is learned from made-up rows.
const learned = 36000

// feature is a column of the Adult data, in public bins.
type feature struct {
	name   string
	places int
	of     func(row map[string]int) int
}

func category(name string, places int) feature {
	return feature{name, places, func(row map[string]int) int { return row[name] }}
}

func binned(name string, of func(row map[string]int) int, cuts ...int) feature {
	return feature{name, len(cuts) + 1, func(row map[string]int) int {
		at, found := slices.BinarySearch(cuts, of(row))
		if found {
			at++
		}
		return at
	}}
}

// features are ten columns with 58 060 800 cells. Of capital the data have percentiles.
var features = []feature{
	binned("age", func(row map[string]int) int { return row["age"] + 16 },
		21, 26, 31, 36, 41, 46, 51, 56, 66),
	category("workclass", 9), category("education-num", 16), category("marital-status", 7),
	category("occupation", 15), category("relationship", 6), category("sex", 2),
	binned("capital", func(row map[string]int) int {
		return row["capital-gain"] - row["capital-loss"]
	}, 0, 1, 6),
	binned("hours", func(row map[string]int) int { return row["hours-per-week"] + 1 },
		35, 40, 46),
	category("income>50K", 2),
}

// readAdult gives the features of everybody.
func readAdult(t *testing.T) (columns [][]uint8, sizes []int) {
	file, err := os.Open(*adult)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	columns = make([][]uint8, len(features))
	for _, cells := range rows[1:] {
		row := map[string]int{}
		for i, cell := range cells {
			row[rows[0][i]] = must(strconv.Atoi(cell))
		}
		for i, f := range features {
			columns[i] = append(columns[i], uint8(f.of(row)))
		}
	}
	for _, f := range features {
		sizes = append(sizes, f.places)
	}
	return columns, sizes
}

// head are the first persons.
func head(columns [][]uint8, persons int) (first [][]uint8) {
	for _, column := range columns {
		first = append(first, column[:persons])
	}
	return first
}

// columnsOf are the rows of a model by column.
func columnsOf(m *Model) [][]uint8 {
	columns := make([][]uint8, len(m.Measured.Sizes))
	for row := range m.Rows() {
		for i, place := range m.Row(row) {
			columns[i] = append(columns[i], place)
		}
	}
	return columns
}

// distance is the mean total variation of the tables of this many columns together.
func distance(a, b [][]uint8, sizes []int, together int) float64 {
	sum, number := 0.0, 0.0
	var extend func(set []int, from int)
	extend = func(set []int, from int) {
		if len(set) == together {
			sum, number = sum+variation(a, b, sizes, set), number+1
			return
		}
		for i := from; i < len(sizes); i++ {
			extend(append(slices.Clone(set), i), i+1)
		}
	}
	extend(nil, 0)
	return sum / number
}

func variation(a, b [][]uint8, sizes, set []int) float64 {
	cells := 1
	for _, i := range set {
		cells *= sizes[i]
	}
	off := make([]float64, cells)
	add := func(columns [][]uint8, sign float64) {
		for row := range columns[0] {
			cell := 0
			for _, i := range set {
				cell = cell*sizes[i] + int(columns[i][row])
			}
			off[cell] += sign / float64(len(columns[0]))
		}
	}
	add(a, 1)
	add(b, -1)
	sum := 0.0
	for _, x := range off {
		sum += math.Abs(x) / 2
	}
	return sum
}

// logistic learns the last column from the others, one coefficient for each place, with a small
// ridge, and tests it on further rows: the area under the curve, and how many are right.
func logistic(learn, test [][]uint8, sizes []int) (area, right float64) {
	last, from, size := len(sizes)-1, []int{}, 1
	for _, c := range sizes[:last] {
		from, size = append(from, size), size+c
	}
	at, ones := make([]int, last+1), slices.Repeat([]float64{1}, last+1)
	entries := func(columns [][]uint8, row int) []int {
		for i := range from {
			at[i+1] = from[i] + int(columns[i][row])
		}
		return at
	}
	w, flaw := likeliest(size, 1, len(learn[0]), func(row int) ([]int, []float64, bool) {
		return entries(learn, row), ones, learn[last][row] == 1
	})
	if flaw != "" {
		panic(flaw)
	}
	type scored struct {
		z   float64
		yes bool
	}
	var all []scored
	yes := 0.0
	for row := range test[0] {
		s := scored{yes: test[last][row] == 1}
		for _, entry := range entries(test, row) {
			s.z += w[entry]
		}
		if s.yes {
			yes++
		}
		if s.yes == (s.z > 0) {
			right += 1 / float64(len(test[0]))
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b scored) int {
		if a.z < b.z {
			return -1
		} else if a.z > b.z {
			return 1
		}
		return 0
	})
	ranks := 0.0
	for i := 0; i < len(all); {
		end := i
		for end < len(all) && all[end].z == all[i].z {
			end++
		}
		middle := float64(i+end+1) / 2
		for ; i < end; i++ {
			if all[i].yes {
				ranks += middle
			}
		}
	}
	return (ranks - yes*(yes+1)/2) / (yes * (float64(len(all)) - yes)), right
}

// noisySingles are independent columns: each counted with an equal part of ρ, and rows drawn by
// rounding, in random order.
func noisySingles(src coin.Source, columns [][]uint8, sizes []int, rho privacy.Rho) [][]uint8 {
	var out [][]uint8
	for i, column := range columns {
		share := new(big.Rat).Quo(rho.Rat(), big.NewRat(int64(len(sizes)), 1))
		noise := must(mechanism.NewGaussian(mechanism.GaussianParams{
			Rho: must(privacy.NewRho(share)), L2SensitivitySquared: moves}))
		counts := make([]int64, sizes[i])
		for _, place := range column {
			counts[place]++
		}
		parts := make([]float64, sizes[i])
		for place, count := range must(noise.Release(src, counts, nil)) {
			parts[place] = float64(count) / float64(len(column))
		}
		c := &chain{coins: src, of: &Measured{Sizes: sizes[i : i+1]},
			singles: [][]float64{toShares(parts, 0)}, rows: make([]uint8, len(column))}
		c.deal(0)
		out = append(out, c.rows)
	}
	return out
}

// heading has how well a model learned from real rows does.
const heading = `# Made-up rows beside real ones

Made by TestJoint; do not edit (ADULT=adult.csv ./build.sh bench joint).

Ten columns of the Adult data (age in 10 bins, workclass, education, marital status, occupation,
relationship, sex, capital gain less loss in 4, hours a week in 4, income above 50K: 58 060 800
cells), the first 36 000 persons, δ = 10⁻⁷, a replaced person, means of 5 seeds (shuffled: 20). Pairs and triples
are the mean total variation of all tables of two, and of three, columns of the made-up rows from
those of the people; "alone" is the same of independent columns, each counted with a tenth of ρ.
A logistic model learned from made-up rows is tested on the 12 842 further persons: the area under
its curve, and the part that it gets right. Learned from the real rows it has %.3f and %.3f.
Shuffled are the same people with every column in an order of its own, so that nothing goes
together: there pairs are counted in vain, and rows may be off by at most 10 %% more than independent
columns. "Part" is the percentage of ρ with which columns are counted by themselves. SETS.md has other
people, and PEERS.md the rows of other libraries.

| ε | part | pairs | alone | triples | alone | area | right | shuffled: pairs | alone |
|---|---|---|---|---|---|---|---|---|---|
`

// line is what was measured at one ε.
type line struct{ pairs, triples, area, right, alonePairs, aloneTriples float64 }

// divide makes means of sums.
func (l *line) divide(runs float64) {
	for _, x := range []*float64{&l.pairs, &l.triples, &l.area, &l.right, &l.alonePairs,
		&l.aloneTriples} {
		*x /= runs
	}
}

const (
	seeds    = 5
	shuffles = 20
)

// TestJoint measures made-up rows of the Adult data and writes JOINT.md.
func TestJoint(t *testing.T) {
	if !*compare || *adult == "" {
		t.Skip("takes minutes: ADULT=adult.csv ./build.sh bench joint")
	}
	all, sizes := readAdult(t)
	people, test := head(all, learned), make([][]uint8, len(all))
	for i, column := range all {
		test[i] = column[learned:]
	}
	shuffled := make([][]uint8, len(people))
	for i, column := range people {
		shuffled[i] = slices.Clone(column)
		src := coin.NewSeeded(coin.Seed(i))
		for k := range shuffled[i] {
			other := src.Uniform(uint64(k + 1))
			shuffled[i][k], shuffled[i][other] = shuffled[i][other], shuffled[i][k]
		}
	}
	area, right := logistic(people, test, sizes)
	text := &strings.Builder{}
	fmt.Fprintf(text, heading, area, right)
	for _, granted := range []string{"0.05", "0.1", "0.25", "0.5", "1", "2"} {
		delta := must(privacy.ParseDelta("0.0000001"))
		epsilon := must(privacy.ParseEpsilon(granted))
		p := PairsParams{Epsilon: epsilon, Delta: delta, Sizes: sizes}
		p.Alone = must(PartAlone(p, learned))
		m := must(NewPairs(p))
		rho := must(privacy.RhoFor(epsilon, delta))
		var mean, mixed line
		run := func(people [][]uint8, seed int, l *line, whole bool) {
			src := coin.NewSeeded(coin.Seed(seed))
			model := must(Fit(src, must(m.Release(src, people, nil)), nil))
			made := columnsOf(model)
			l.pairs += distance(people, made, sizes, 2)
			alone := noisySingles(src, people, sizes, rho)
			l.alonePairs += distance(people, alone, sizes, 2)
			if !whole {
				return
			}
			l.triples += distance(people, made, sizes, 3)
			l.aloneTriples += distance(people, alone, sizes, 3)
			area, right := logistic(made, test, sizes)
			l.area, l.right = l.area+area, l.right+right
		}
		for seed := range seeds {
			run(people, seed, &mean, true)
		}
		for seed := range shuffles {
			run(shuffled, seed, &mixed, false)
		}
		mean.divide(seeds)
		mixed.divide(shuffles)
		row := fmt.Sprintf("| %s | %d | %.4f | %.4f | %.4f | %.4f | %.3f | %.3f | %.4f | %.4f |\n",
			granted, p.Alone, mean.pairs, mean.alonePairs, mean.triples, mean.aloneTriples,
			mean.area, mean.right, mixed.pairs, mixed.alonePairs)
		t.Log(row)
		text.WriteString(row)
		if mean.pairs > mean.alonePairs || mean.triples > mean.aloneTriples {
			t.Errorf("ε = %s: worse than independent columns", granted)
		}
		if mixed.pairs > 1.1*mixed.alonePairs {
			t.Errorf("ε = %s, shuffled: %v, independent columns %v", granted, mixed.pairs,
				mixed.alonePairs)
		}
	}
	audittest.Document(t, "JOINT.md", text.String())
}

//go:embed sets.py
var setsScript string

const setsHeading = `# Made-up rows of people that packages bring along

Made by TestJointSets; do not edit (ADULT=adult.csv ./build.sh bench joint).

Up to ten columns of each set, of at most 40 places, numbers in ten bins, and as in every file a
place for people without a value, though nobody is; δ = 10⁻⁷, a replaced person, means of 30
releases, of 5 from 10 000 persons on. Each is asked as anybody asks: "hush ask joint" draws and
"hush rows" writes the rows. Pairs are the mean total variation of all tables of two columns of
these rows from those of the people; "alone" is the same of independent columns, of which each is
counted with an equal part of ρ. "Times" is pairs by alone, with the standard error of that as if
both were independent. The rule was chosen on the first three sets; the others were kept out.

| people | persons | ε | pairs | alone | times | ± |
|---|--:|--:|--:|--:|--:|--:|
`

// file is a set of people as a file, and the words that ask for rows which keep all its columns.
type file struct {
	name, dir string
	words     []string
	sizes     []int
	n         int
}

func writeFile(t *testing.T, columns [][]int, sizes []int) file {
	made := file{dir: t.TempDir(), sizes: sizes, n: len(columns[0])}
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	var head []string
	for i, size := range sizes {
		name := fmt.Sprint("c", i)
		var places []string
		for place := range size {
			places = append(places, strconv.Itoa(place))
		}
		head = append(head, name)
		made.words = append(made.words, "-with", name+"="+strings.Join(places, ","))
	}
	must(0, w.Write(head))
	for row := range made.n {
		cells := make([]string, len(columns))
		for i, column := range columns {
			cells[i] = strconv.Itoa(column[row])
		}
		must(0, w.Write(cells))
	}
	w.Flush()
	made.name = filepath.Join(made.dir, "people.csv")
	must(0, os.WriteFile(made.name, text.Bytes(), 0o600))
	return made
}

// asked are as many made-up rows as there are people, by column, as the program writes them.
func (f file) asked(t *testing.T, granted string, run int) [][]uint8 {
	t.Helper()
	hush := func(words ...string) []byte {
		out, err := exec.Command(*program, words...).Output()
		if err != nil {
			said := err.Error()
			if exit, is := errors.AsType[*exec.ExitError](err); is {
				said += ": " + string(exit.Stderr)
			}
			t.Fatalf("%s: %s", strings.Join(words, " "), said)
		}
		return out
	}
	ledger := filepath.Join(f.dir, fmt.Sprint(granted, "-", run))
	words := slices.Concat([]string{"ask", "-spend", "-json", "-agree", "-epsilon", granted,
		"-ledger", ledger}, f.words, []string{"joint", f.name})
	release := filepath.Join(f.dir, "release.json")
	must(0, os.WriteFile(release, hush(words...), 0o600))
	rows := must(csv.NewReader(bytes.NewReader(
		hush("rows", "-rows", strconv.Itoa(f.n), release))).ReadAll())
	columns := make([][]uint8, len(rows[0]))
	for _, cells := range rows[1:] {
		for i, cell := range cells {
			place := f.sizes[i] // no value
			if cell != "" {
				place = must(strconv.Atoi(cell))
			}
			columns[i] = append(columns[i], uint8(place))
		}
	}
	return columns
}

// TestJointSets measures made-up rows, as the command draws and writes them, of people that nothing
// but one rule was chosen on, and writes SETS.md.
func TestJointSets(t *testing.T) {
	if !*compare || *sets == "" || *program == "" {
		t.Skip("takes an hour: ./build.sh bench joint")
	}
	out, err := exec.Command(*sets, "-c", setsScript).Output()
	if err != nil {
		t.Fatal(err)
	}
	text, d := &strings.Builder{}, delta("0.0000001")
	text.WriteString(setsHeading)
	for line := range bytes.Lines(out) {
		var set struct {
			Name, Missing string
			Sizes         []int
			Columns       [][]int
		}
		if err := json.Unmarshal(line, &set); err != nil {
			t.Fatal(err)
		}
		if set.Missing != "" {
			fmt.Fprintf(text, "| %s | %s | | | | | |\n", set.Name, set.Missing)
			continue
		}
		people, sizes := make([][]uint8, len(set.Columns)), make([]int, len(set.Columns))
		for i, column := range set.Columns {
			for _, place := range column {
				people[i] = append(people[i], uint8(place))
			}
			sizes[i] = set.Sizes[i] + 1 // no value
		}
		asks := writeFile(t, set.Columns, set.Sizes)
		runs := 30
		if asks.n >= 10_000 {
			runs = 5
		}
		for _, granted := range []string{"0.05", "0.1", "0.25", "0.5", "1"} {
			rho := must(privacy.RhoFor(epsilon(granted), d))
			var pairs, alone []float64
			for run := range runs {
				pairs = append(pairs, distance(people, asks.asked(t, granted, run), sizes, 2))
				alone = append(alone, distance(people, noisySingles(coin.NewSeeded(coin.Seed(run)),
					people, sizes, rho), sizes, 2))
			}
			ours, theirs := stat.Mean(pairs, nil), stat.Mean(alone, nil)
			times := ours / theirs
			off := times * math.Hypot(stat.StdErr(stat.StdDev(pairs, nil), float64(runs))/ours,
				stat.StdErr(stat.StdDev(alone, nil), float64(runs))/theirs)
			row := fmt.Sprintf("| %s | %d | %s | %.4f | %.4f | %.3f | %.3f |\n", set.Name, asks.n,
				granted, ours, theirs, times, off)
			t.Log(row)
			text.WriteString(row)
			if times > 1.02 {
				t.Errorf("%s, ε = %s: %v, independent columns %v", set.Name, granted, ours, theirs)
			}
		}
	}
	audittest.Document(t, "SETS.md", text.String())
}
