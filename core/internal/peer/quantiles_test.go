//go:build peer

package peer

import (
	"encoding/csv"
	"flag"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"hush/core/basic"
	"hush/core/coin"
	"hush/core/privacy"
)

var data = flag.String(
	"data", "", "directory of CSV files to measure quantiles on; without it only made-up data")

// set is a column of whole numbers from 0 to size − 1 with counts.
type set struct {
	name   string
	size   int
	counts []int // by value
	n      int
}

func (s *set) add(value, persons int) {
	s.counts[value] += persons
	s.n += persons
}

func newSet(name string, size int) *set {
	return &set{name: name, size: size, counts: make([]int, size)}
}

// distinct and persons make the column for Hush.
func (s *set) column() basic.Values {
	var codes values
	var counts []uint64
	for value, c := range s.counts {
		if c > 0 {
			codes, counts = append(codes, uint64(value)), append(counts, uint64(c))
		}
	}
	return basic.WithCounts(codes, counts)
}

type values []uint64

func (v values) Len() int                  { return len(v) }
func (v values) Code(i int) (uint64, bool) { return v[i], true }

// rankError is how many persons, as a part of all, a value is away from a target.
func (s *set) rankError(value int, target float64) float64 {
	below := 0
	for v := range min(value, s.size) {
		below += s.counts[v]
	}
	upTo := below
	if value < s.size {
		upTo += s.counts[value]
	}
	aim := target * float64(s.n)
	return max(0, float64(below)-aim, aim-float64(upTo)) / float64(s.n)
}

// sets are made-up columns and, where a directory is given, those of its files.
func sets(t testing.TB) (all []*set) {
	uniform, tied, skewed := newSet("made up: uniform", 1000), newSet("made up: half tied", 100),
		newSet("made up: skewed", 100_000)
	for i := range 20_000 {
		uniform.add(i%1000, 1)
		tied.add([]int{40, i % 100}[i%2], 1)
		skewed.add(int(math.Exp(float64(i%1000)/1000*math.Log(99_000))), 1)
	}
	all = append(all, uniform, tied, skewed)
	if *data == "" {
		return all
	}
	for _, c := range []struct {
		file   string
		column string
		size   int
	}{
		{"adult.csv", "age", 85}, {"adult.csv", "hours-per-week", 99},
		{"adult.csv", "capital-gain", 100}, {"pums.csv", "age", 100},
		{"pums.csv", "income", 200_000},
	} {
		all = append(all, read(t, filepath.Join(*data, c.file), c.column, c.size))
	}
	files, err := filepath.Glob(filepath.Join(*data, "dpbench-1d", "*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		all = append(all, read(t, file, "value", 4096))
	}
	return all
}

// read keeps one column of whole numbers, cut to the domain; a column "count" says how many persons
// a row stands for.
func read(t testing.TB, path, column string, size int) *set {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at, count := -1, -1
	for i, name := range rows[0] {
		switch name {
		case column:
			at = i
		case "count":
			count = i
		}
	}
	if at < 0 {
		t.Fatalf("%s has no column %s", path, column)
	}
	s := newSet(strings.TrimSuffix(filepath.Base(path), ".csv")+": "+column, size)
	for _, row := range rows[1:] {
		value, err := strconv.ParseFloat(row[at], 64)
		if err != nil {
			continue
		}
		persons := 1
		if count >= 0 {
			if persons, err = strconv.Atoi(row[count]); err != nil {
				t.Fatal(err)
			}
		}
		s.add(min(max(int(value), 0), size-1), persons)
	}
	return s
}

// hush releases the targets and returns their mean rank error.
func (s *set) hush(t testing.TB, epsilon string, targets []int64, src coin.Source) float64 {
	e, err := privacy.ParseEpsilon(epsilon)
	if err != nil {
		t.Fatal(err)
	}
	p := basic.QuantilesParams{Epsilon: e, Size: big.NewInt(int64(s.size)), People: int64(s.n)}
	for _, target := range targets {
		p.Targets = append(p.Targets, big.NewRat(target, 100))
	}
	q, err := basic.NewQuantiles(p)
	if err != nil {
		t.Fatal(err)
	}
	codes, err := q.Release(src, s.column(), nil)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for i, code := range codes {
		sum += s.rankError(int(code), float64(targets[i])/100)
	}
	return sum / float64(len(targets))
}

// google is the same by Google's quantile tree, whose answers are rounded to whole numbers.
func (s *set) google(t testing.TB, epsilon float64, targets []int64) float64 {
	q := googleTree(t, epsilon, s.size-1)
	s.each(t, q.Add)
	sum := 0.0
	for _, target := range targets {
		v, err := q.Result(float64(target) / 100)
		if err != nil {
			t.Fatal(err)
		}
		sum += s.rankError(int(math.Round(v)), float64(target)/100)
	}
	return sum / float64(len(targets))
}

// TestQuantileError prints the mean rank error of quartiles and of deciles, in per cent of all
// persons. Google's ε is for persons added or removed: for the same promise about replaced persons
// it has half of ours. The second figure gives it all.
func TestQuantileError(t *testing.T) {
	const most = 400_000 // Google's tree takes persons one by one
	src := coin.NewSeeded(1)
	worse := 0
	for _, s := range sets(t) {
		for _, targets := range [][]int64{{25, 50, 75}, {10, 20, 30, 40, 50, 60, 70, 80, 90}} {
			for _, epsilon := range []string{"0.1", "1"} {
				e, _ := strconv.ParseFloat(epsilon, 64)
				runs := 20
				if s.n > most {
					runs = 3
				}
				var ours, same, all float64
				for range runs {
					ours += s.hush(t, epsilon, targets, src) / float64(runs)
					if s.n <= most {
						same += s.google(t, e/2, targets) / float64(runs)
						all += s.google(t, e, targets) / float64(runs)
					}
				}
				line := fmt.Sprintf("%-28s n %8d  %d targets  ε %-4s hush %7.3f %%", s.name, s.n,
					len(targets), epsilon, 100*ours)
				if s.n <= most {
					line += fmt.Sprintf("  google %7.3f %%, with twice the loss %7.3f %%", 100*same,
						100*all)
					if ours > same {
						worse++
					}
				}
				t.Log(line)
			}
		}
	}
	t.Logf("the quantile tree is the better one in %d cases", worse)
}

func BenchmarkGoogleQuantileTree(b *testing.B) {
	s := sets(b)[0]
	for b.Loop() {
		s.google(b, 1, []int64{25, 50, 75})
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(s.n), "ns/person")
}
