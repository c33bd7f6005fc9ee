package density

import (
	"flag"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

var simulateSups = flag.Bool("sups", false, "write treesups.go anew: some 10 minutes")

// supDraws are the given number of draws of the largest error of sums of leaves, in units of the
// noise's scale, ascending; scale 0 stands for continuous noise, and discrete noise of another
// scale is made of it by cutting fractions off.
func supDraws(s treeShape, scale float64, draws int, seed uint64) []float64 {
	random := rand.New(rand.NewPCG(seed, uint64(s.levels)<<32|uint64(s.fanout)))
	one := random.ExpFloat64
	if scale > 0 {
		one = func() float64 { return math.Floor(scale*random.ExpFloat64()) / scale }
	}
	noisy := make([][]float64, 0, s.levels+1)
	for size := power(s.fanout, s.levels); size > 1; size /= s.fanout {
		noisy = append(noisy, make([]float64, size))
	}
	noisy = append(noisy, []float64{0})
	sups := make([]float64, draws)
	for i := range sups {
		for _, level := range noisy[:s.levels] {
			for j := range level {
				level[j] = one() - one()
			}
		}
		sum := 0.0
		for _, x := range consistent(noisy, s.fanout) {
			sum += x
			sups[i] = max(sups[i], math.Abs(sum))
		}
	}
	slices.Sort(sups)
	return sups
}

// plantedShapes are the shapes of all trees of at most 2^20 cells whose depth is not given.
func plantedShapes() (list []treeShape) {
	known := map[treeShape]bool{}
	for leaves := 2; leaves <= mostCells+1; leaves++ {
		var best treeShape
		least := math.Inf(1)
		for levels := 1; ; levels++ {
			f := fanout(leaves, levels)
			// the variance of one noise grows as the square of the levels
			if v := float64(levels*levels) * noises(levels, f); v < least {
				best, least = treeShape{levels, f}, v
			}
			if f == 2 {
				break
			}
		}
		if !known[best] {
			known[best] = true
			list = append(list, best)
		}
	}
	return list
}

// TestTreeSupsCover: each tree that is planted has a line in the table, and more levels or children
// never make the number smaller where the rest stays.
func TestTreeSupsCover(t *testing.T) {
	if *simulateSups {
		writeSups(t)
	}
	shapes := plantedShapes()
	for _, s := range shapes {
		sup, ok := treeSups[s]
		if !ok {
			t.Errorf("%+v is not in the table: go test ./core/density -run TreeSups -sups", s)
		}
		if less, ok := treeSups[treeShape{s.levels, s.fanout - 1}]; ok && sup < 0.98*less {
			t.Errorf("%+v has %g, and one child less %g", s, sup, less)
		}
	}
	if len(shapes) != len(treeSups) {
		t.Errorf("%d shapes, %d lines", len(shapes), len(treeSups))
	}
	for _, cells := range []int{1, 5, 100, 4096, 1 << 16} {
		h := must(NewHierarchy(HierarchyParams{
			Epsilon: epsilon("1"), Size: big.NewInt(int64(cells)), Persons: 1000}))
		s := treeShape{h.levels, h.fanout}
		if _, ok := treeSups[s]; !ok {
			t.Errorf("%d cells: %+v is not in the table", cells, s)
		}
	}
}

// TestTreeSups draws the law of small trees anew, with continuous noise and with discrete noise
// down to where most draws are 0: 95 of 100 are within the table's number, and it is no more than a
// few hundredths above their quantile.
func TestTreeSups(t *testing.T) {
	const draws = 4000
	for _, s := range []treeShape{{1, 8}, {1, 60}, {2, 9}, {2, 30}, {3, 12}} {
		for i, scale := range []float64{0, 10, 2, 0.5, 0.3} {
			sups := supDraws(s, scale, draws, uint64(100+i))
			within, _ := slices.BinarySearch(sups, treeSups[s])
			// 95 % less four standard deviations
			if within < draws*95/100-56 || scale == 0 && within > draws*96/100+50 {
				t.Errorf("%+v, scale %g: %d of %d within %g", s, scale, within, draws, treeSups[s])
			}
		}
	}
	for s, sup := range treeSups { // a planted narrow table is found
		if s.levels == 1 && s.fanout == 60 {
			sups := supDraws(s, 0, draws, 7)
			if within, _ := slices.BinarySearch(sups, 0.9*sup); within >= draws*95/100-56 {
				t.Errorf("a table a tenth too narrow passes: %d of %d", within, draws)
			}
		}
	}
}

// certain is the order statistic of the draws that is at least the 95 % quantile with a
// certainty of 99.9 %.
func certain(draws int) int {
	return map[int]int{1000: 971, 2000: 1930, 10_000: 9567}[draws]
}

func writeSups(t *testing.T) {
	shapes := plantedShapes()
	slices.SortFunc(shapes, func(a, b treeShape) int {
		return (a.levels-b.levels)<<20 + a.fanout - b.fanout
	})
	treeSups = map[treeShape]float64{}
	var lines strings.Builder
	for i, s := range shapes {
		draws := 10_000
		if leaves := power(s.fanout, s.levels); leaves > 200_000 {
			draws = 1000
		} else if leaves > 20_000 {
			draws = 2000
		}
		sup := supDraws(s, 0, draws, 1)[certain(draws)-1]
		treeSups[s] = math.Ceil(sup*1000) / 1000
		if i > 0 && i%5 == 0 {
			lines.WriteString("\n")
		} else if i > 0 {
			lines.WriteString(" ")
		}
		fmt.Fprintf(&lines, "{%d, %d}: %.3f,", s.levels, s.fanout, treeSups[s])
	}
	file, err := os.ReadFile("treesups.go")
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := strings.Cut(string(file), "float64{")
	text := before + "float64{\n\t" + strings.ReplaceAll(lines.String(), "\n", "\n\t") + "\n}\n"
	if err := os.WriteFile("treesups.go", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
