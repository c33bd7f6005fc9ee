package density

import (
	"bytes"
	"encoding/csv"
	"flag"
	"fmt"
	"math"
	"math/big"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/privacy"
	"hush/core/threshold"
)

var dataDir = flag.String("data", "", "directory of CSV files with columns value and count, for TestCompare")

// column are counts of the values 0, 1, ….
type column struct {
	name   string
	counts []int
	n      int
}

func readColumns(t testing.TB, dir string, size int) (all []column) {
	files, err := filepath.Glob(filepath.Join(dir, "*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		c := column{name: strings.TrimSuffix(filepath.Base(file), ".csv"), counts: make([]int, size)}
		rows, err := csv.NewReader(bytes.NewReader(must(data(file)))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, row := range rows[1:] {
			count := must(strconv.Atoi(row[1]))
			c.counts[must(strconv.Atoi(row[0]))] += count
			c.n += count
		}
		all = append(all, c)
	}
	return all
}

// sorted views a column.
func (c column) sorted() domain.Sorted {
	var codes []uint64
	var upTo []int
	sum := 0
	for v, count := range c.counts {
		if count > 0 {
			sum += count
			codes, upTo = append(codes, uint64(v)), append(upTo, sum)
		}
	}
	return threshold.Counted(domain.SortedCodes(codes, bitsOf(big.NewInt(int64(len(c.counts))))), upTo)
}

// errors are the largest difference of the distribution functions and the sum of those of all values, both in parts of n.
func (c column) errors(d *Distribution) (kolmogorov, l1 float64) {
	true64, est := 0.0, 0.0
	cell := 0
	for v, count := range c.counts {
		for d.bounds[cell+1].Cmp(big.NewInt(int64(v))) <= 0 {
			cell++
		}
		density := d.Density(cell)
		l1 += math.Abs(density - float64(count))
		true64 += float64(count)
		est += density
		kolmogorov = max(kolmogorov, math.Abs(true64-est))
	}
	return kolmogorov / float64(c.n), l1 / float64(c.n)
}

func median(list []float64) float64 {
	list = slices.Clone(list)
	slices.Sort(list)
	return (list[len(list)/2] + list[(len(list)-1)/2]) / 2
}

// contenders are the algorithms to compare.
func contenders(e privacy.Epsilon, n, size int) map[string]Learner {
	s, p := big.NewInt(int64(size)), uint64(n)
	d := delta("1e-9")
	all := map[string]Learner{
		"histogram": must(NewHistogram(HistogramParams{Epsilon: e, Size: s, Persons: p})),
	}
	for l := 2; l <= 4; l++ {
		all[fmt.Sprint("hierarchy ", l)] = must(NewHierarchy(HierarchyParams{Epsilon: e, Size: s, Persons: p, Levels: l}))
	}
	for _, depth := range []int{4, 6, 8} {
		all[fmt.Sprint("quantiletree ", depth)] = must(NewQuantileTree(QuantileTreeParams{Epsilon: e, Delta: d, Size: s, Persons: p, Depth: depth}))
	}
	for _, rounds := range []int{8, 16, 32, 64} {
		all[fmt.Sprint("merr ", rounds)] = must(NewMERR(MERRParams{Epsilon: e, Delta: d, Size: s, Persons: p, Rounds: rounds}))
		all[fmt.Sprint("merr recount ", rounds)] = must(NewMERR(MERRParams{Epsilon: e, Delta: d, Size: s, Persons: p, Rounds: rounds, Recount: 6}))
	}
	return all
}

// TestCompare prints the median errors of all algorithms.
func TestCompare(t *testing.T) {
	if *dataDir == "" {
		t.Skip("with -data only")
	}
	src := coin.NewSeeded(1)
	const runs = 5
	for _, e := range []string{"0.1", "1"} {
		for _, c := range readColumns(t, *dataDir, 4096) {
			view := c.sorted()
			all := contenders(epsilon(e), c.n, 4096)
			names := []string{}
			for name := range all {
				names = append(names, name)
			}
			slices.Sort(names)
			for _, name := range names {
				var k, l []float64
				for range runs {
					kolmogorov, l1 := c.errors(must(all[name].Release(src, view, nil)))
					k, l = append(k, kolmogorov), append(l, l1)
				}
				t.Logf("ε %-4s %-12s n %9d  %-18s K %.5f  L1 %.4f", e, c.name, c.n, name, median(k), median(l))
			}
		}
	}
}
