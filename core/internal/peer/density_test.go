//go:build peer

package peer

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/differential-privacy/go/v3/dpagg"

	"hush/core/coin"
	"hush/core/density"
	"hush/core/domain"
	"hush/core/privacy"
	"hush/core/threshold"
)

// sorted views a set for Hush.
func (s *set) sorted() domain.Sorted {
	var codes []uint64
	var upTo []int
	sum := 0
	for v, c := range s.counts {
		if c > 0 {
			sum += c
			codes, upTo = append(codes, uint64(v)), append(upTo, sum)
		}
	}
	return threshold.Counted(domain.SortedCodes(codes, big.NewInt(int64(s.size-1)).BitLen()), upTo)
}

// errors compares an estimate of the number of persons up to each value: the largest difference,
// and the sum of those of single values, as parts of all.
func (s *set) errors(upTo func(v int) float64) (kolmogorov, l1 float64) {
	truth, before := 0, 0.0
	for v, c := range s.counts {
		truth += c
		now := upTo(v)
		kolmogorov = max(kolmogorov, math.Abs(now-float64(truth)))
		l1 += math.Abs(now - before - float64(c))
		before = now
	}
	return kolmogorov / float64(s.n), l1 / float64(s.n)
}

// googleTree is Google's tree of quantiles, still empty, of numbers from 0 to upper.
func googleTree(t testing.TB, epsilon float64, upper int) *dpagg.BoundedQuantiles {
	q, err := dpagg.NewBoundedQuantiles(&dpagg.BoundedQuantilesOptions{
		Epsilon: epsilon, MaxPartitionsContributed: 1, MaxContributionsPerPartition: 1, Lower: 0,
		Upper: float64(upper),
	})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// each adds the value of each person.
func (s *set) each(t testing.TB, add func(value float64) error) {
	for value, c := range s.counts {
		for range c {
			if err := add(float64(value)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// googleFunction makes a distribution function of 201 quantiles of Google's tree, straight between
// them.
func (s *set) googleFunction(t testing.TB, epsilon float64) func(int) float64 {
	q := googleTree(t, epsilon, s.size)
	s.each(t, func(value float64) error { return q.Add(value + 0.5) })
	const parts = 200
	at := make([]float64, parts+1)
	for i := range at {
		var err error
		if at[i], err = q.Result(float64(i) / parts); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(at)
	return func(v int) float64 {
		x := float64(v + 1)
		i, _ := slices.BinarySearch(at, x)
		switch {
		case i == 0:
			return 0
		case i > parts:
			return float64(s.n)
		}
		part := 0.0
		if at[i] > at[i-1] {
			part = (x - at[i-1]) / (at[i] - at[i-1])
		}
		return (float64(i-1) + part) / parts * float64(s.n)
	}
}

// TestDensityError prints, for each column of whole numbers, the median Kolmogorov and L1 error of
// 20 runs of what Advise takes for either goal, of every algorithm, and of Google's quantile tree,
// whose ε is for persons added or removed and so has half of ours; and how far Advise is from the
// best.
func TestDensityError(t *testing.T) {
	const runs = 20
	src := coin.NewSeeded(1)
	near := map[string]int{}
	for _, s := range sets(t) {
		if s.size > 1<<13 {
			continue
		}
		view := s.sorted()
		for _, e := range []string{"0.1", "1"} {
			epsilon, err := privacy.ParseEpsilon(e)
			if err != nil {
				t.Fatal(err)
			}
			errors := map[string][2][]float64{}
			add := func(name string, kolmogorov, l1 float64) {
				lists := errors[name]
				errors[name] = [2][]float64{append(lists[0], kolmogorov), append(lists[1], l1)}
			}
			release := func(name string, l density.Learner) {
				d, err := l.Release(src, view, nil)
				if err != nil {
					t.Fatal(err)
				}
				upTo := make([]float64, s.size)
				for v := range upTo {
					upTo[v] = d.Count(big.NewInt(int64(v)))
				}
				kolmogorov, l1 := s.errors(func(v int) float64 { return upTo[v] })
				add(name, kolmogorov, l1)
			}
			p := density.AdviceParams{Epsilon: epsilon, Size: big.NewInt(int64(s.size)),
				Persons: uint64(s.n)}
			function, err := density.Advise(p)
			if err != nil {
				t.Fatal(err)
			}
			p.Goal = density.Density
			dense, err := density.Advise(p)
			if err != nil {
				t.Fatal(err)
			}
			f, _ := strconv.ParseFloat(e, 64)
			for range runs {
				for _, l := range function.Learners {
					release(l.Name().String(), l)
				}
				if s.n <= mostPeople { // Google's tree takes persons one by one
					kolmogorov, l1 := s.errors(s.googleFunction(t, f/2))
					add("Google's quantile tree", kolmogorov, l1)
				}
			}
			middle := func(name string, goal int) float64 {
				list := slices.Sorted(slices.Values(errors[name][goal]))
				return list[len(list)/2]
			}
			line := fmt.Sprintf("| %s | %d | %s |", s.name, s.n, e)
			for goal, chosen := range []string{function.Learners[0].Name().String(),
				dense.Learners[0].Name().String()} {
				best := math.Inf(1)
				for name := range errors {
					best = min(best, middle(name, goal))
				}
				for _, name := range []string{"hierarchical histogram", "histogram", "MERR, prefix",
					"quantile tree", "Google's quantile tree"} {
					switch {
					case len(errors[name][goal]) == 0:
						line += " – |"
					case name == chosen:
						line += fmt.Sprintf(" **%.3g** |", middle(name, goal))
					default:
						line += fmt.Sprintf(" %.3g |", middle(name, goal))
					}
				}
				group := "others"
				if strings.HasSuffix(s.name, ": value") {
					group = "DPBench"
				}
				if middle(chosen, goal) <= 1.05*best {
					near[group+[]string{"Kolmogorov", "L1"}[goal]]++
				}
				near[group]++
			}
			t.Log(line)
		}
	}
	for _, group := range []string{"DPBench", "others"} {
		t.Logf("%s: Advise is within 5 %% of the best for Kolmogorov in %d and for L1 in %d of "+
			"%d cases each", group, near[group+"Kolmogorov"], near[group+"L1"], near[group]/2)
	}
}
