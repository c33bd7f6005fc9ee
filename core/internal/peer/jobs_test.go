//go:build peer

package peer

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"hush/core/coin"
	"hush/core/privacy"
)

// mostPeople are in a set of which all is asked: others take them one by one.
const mostPeople = 400_000

// simpleRuns are made of a count and of a sum, which take no time: the median of this many is
// within about a twentieth of the true one.
const simpleRuns = 1001

// binRuns and quantileRuns are made of bins and of quantiles.
const (
	binRuns      = 51
	quantileRuns = 25
)

// job is one question about one set at one ε, asked of Hush and of each peer this many times.
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
