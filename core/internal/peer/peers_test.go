//go:build peer

package peer

import (
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/coin"
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
