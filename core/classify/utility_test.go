package classify

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"hush/core/internal/audittest"
)

const utilityFile = "UTILITY.md"

// caseCounts are the m of the chart.
var caseCounts = []int{1, 10, 100, 1000, 10_000, 100_000, 1_000_000}

// effortless is thresholds whose labellings take no time: what theory allows, where a browser would
// be too slow.
type effortless struct{ *Stumps }

func (effortless) Work(int) float64 { return 0 }

// bestFor is the forecast for m cases of thresholds from n persons, whatever time they take.
func bestFor(e string, n, m float64, plain bool) (Forecast, bool) {
	p := AnswersParams{Class: effortless{stumps(Below, 1<<30)}, Epsilon: epsilon(e),
		Delta: delta("1e-13"), Beta: 0.05, Method: Partition, Plain: plain}
	d, ok := p.best(n, m)
	if !ok {
		return Forecast{}, false
	}
	return d.forecast(p.Class, p.Beta), true
}

// forecastOf bounds the excess error in percent at ε = 1; 100 where no plan is found.
func forecastOf(n float64, m int, plain bool) float64 {
	if f, ok := bestFor("1", n, float64(m), plain); ok {
		return 100 * f.Excess()
	}
	return 100
}

// free is how many cases have at most twice the excess error of one, by forecast.
type free struct{ alpha, cases float64 }

func freeCases(e string, n float64) (f free, ok bool) {
	one, ok := bestFor(e, n, 1, false)
	if !ok {
		return f, false
	}
	f.alpha = one.Excess()
	cheap := func(m float64) bool {
		more, ok := bestFor(e, n, m, false)
		return ok && more.Excess() <= 2*f.alpha
	}
	f.cases = 1
	for cheap(2 * f.cases) {
		f.cases *= 2
	}
	f.cases = bisect(f.cases, 2*f.cases, cheap)
	return f, true
}

// peopleFor is how many people the universal algorithm wants at least, to one part in 64.
func peopleFor(e string, m uint64, plain bool) float64 {
	takes := func(n float64) bool {
		_, err := NewUniversal(UniversalParams{Class: stumps(Below, 1<<30), Epsilon: epsilon(e),
			Delta: delta("1e-8"), Persons: uint64(n), Queries: m, Plain: plain})
		return err == nil
	}
	n := 1000.0
	for !takes(n) && n < 1e12 {
		n *= 2
	}
	for low := n / 2; n-low > n/64; {
		if middle := (low + n) / 2; takes(middle) {
			n = middle
		} else {
			low = middle
		}
	}
	return n
}

// magnitude is a number of people with two digits.
func magnitude(n float64) string {
	unit := math.Pow10(int(math.Log10(n)) - 1)
	return fmt.Sprintf("%.0f", math.Ceil(n/unit)*unit)
}

// measured labels m cases by votes on relabelled persons, a fifth with wrong labels: the excess
// error in percent, and the unstable cases.
func measured(t *testing.T, m int) (line string) {
	t.Helper()
	const n, e = 200_000, "4"
	c := noisy(stumps(Below, 1<<30), n, m, Stump{At: 1 << 29}, 0.2)
	p := AnswersParams{Class: c.class, Epsilon: epsilon(e), Delta: delta("1e-8"), Persons: n,
		Queries: uint64(m)}
	a, err := NewAnswers(p)
	if err != nil {
		return fmt.Sprintf("| %d | refused | | |\n", m)
	}
	s := c.answers(t, e, false)
	if bound := a.Forecast().Excess(); s.excess > bound {
		t.Errorf("%d cases: excess %.4f, forecast at most %.4f", m, s.excess, bound)
	}
	return fmt.Sprintf("| %d | %.1f | %.1f | %.1f |\n", m, 100*a.Forecast().Excess(),
		100*s.excess+1e-9, s.unstable)
}

// TestUtility compares the file with what forecasts and labels drawn from seeds give; -update and
// ./build.sh bench classify write it anew.
func TestUtility(t *testing.T) {
	if testing.Short() && !*audittest.Update {
		t.Skip("some seconds of labels")
	}
	sizes := []float64{1e6, 1e7, 1e8, 1e9}
	var table, chart, claim, drawn strings.Builder
	for _, m := range caseCounts {
		fmt.Fprintf(&table, "| %d |", m)
		for _, n := range sizes {
			for _, plain := range []bool{false, true} {
				text := "–"
				if bound := forecastOf(n, m, plain); bound < 100 {
					text = fmt.Sprintf("%.2f", bound)
				}
				table.WriteString(" " + text + " |")
			}
		}
		table.WriteString("\n")
	}
	for _, n := range sizes {
		var line []string
		for _, m := range caseCounts {
			line = append(line, fmt.Sprintf("%.2f", math.Min(forecastOf(n, m, false), 20)))
		}
		fmt.Fprintf(&chart, "  line [%s]\n", strings.Join(line, ", "))
	}
	for _, e := range []string{"0.5", "1", "2"} {
		var before free
		var powers []float64
		for _, n := range []float64{1e6, 1e7, 1e8, 1e9, 1e10, 1e11} {
			f, ok := freeCases(e, n)
			if !ok {
				t.Fatalf("ε %s, %g persons: no plan for one case", e, n)
			}
			power := ""
			if before.cases > 0 {
				s := math.Log(f.cases/before.cases) / math.Log(before.alpha/f.alpha)
				powers = append(powers, s)
				power = fmt.Sprintf("%.1f", s)
			}
			before = f
			fmt.Fprintf(&claim, "| %s | 10^%.0f | %.3g | %.3g | %.3g | %.2g | %s |\n", e,
				math.Log10(n), f.alpha, f.cases, math.Pow(f.alpha, -3),
				f.cases*math.Pow(f.alpha, 3), power)
		}
		if first, last := powers[0],
			powers[len(powers)-1]; !(first < 2 && last > first && last < 3.5) {
			t.Errorf("ε %s: powers %v do not grow towards 3", e, powers)
		}
	}
	for _, m := range []int{1, 10, 30, 100, 300} {
		drawn.WriteString(measured(t, m))
	}
	var any strings.Builder
	for _, e := range []string{"1", "4"} {
		for _, m := range []uint64{3, 20, 100} {
			relabelled, plain := peopleFor(e, m, false), peopleFor(e, m, true)
			fmt.Fprintf(&any, "| %s | %d | %s | %s |\n", e, m, magnitude(relabelled),
				magnitude(plain))
			if plain >= relabelled {
				t.Errorf("ε %s, %d cases: plain votes want %g people, relabelled ones %g", e, m,
					plain, relabelled)
			}
		}
	}
	text := fmt.Sprintf(utilityText, table.String(), chart.String(), claim.String(),
		drawn.String(), any.String())
	audittest.Document(t, utilityFile, text)
}

const utilityText = "# How many cases can be labelled\n\nMade by TestUtility; do not edit " +
	"(./build.sh bench classify).\n\n## Excess error by the number of cases\n\nBy how many " +
	"percent more of m cases are labelled wrongly than by the best threshold, at most, by " +
	"forecast (answers.md, Theorem 2): ε = 1, δ = 10^−13, n persons, whatever time it takes. " +
	"“Relabelled” is the paper's\nalgorithm with our parameters; “plain” leaves relabelling out, " +
	"where some threshold makes no mistake. A rule that is published (SemiPrivate) has the same " +
	"error for any number of cases.\n\n| m | 10^6 relabelled | plain | 10^7 relabelled | plain | " +
	"10^8 relabelled | plain | 10^9 relabelled | plain " +
	"|\n|---|---|---|---|---|---|---|---|---|\n%s\n```mermaid\nxychart-beta\n  title \"Excess " +
	"error by the number of cases, relabelled: 10^6, 10^7, 10^8, 10^9 persons (20 stands for: " +
	"refused)\"\n  x-axis \"cases\" [1, 10, 100, 1000, 10^4, 10^5, 10^6]\n  y-axis \"percent, at " +
	"most\" 0 --> 20\n%s```\n\n## About 1/α³ cases for nothing?\n\nThe paper says that an error " +
	"of α for about 1/α³ cases takes no more persons, up to logarithms and constants, than for " +
	"one. Here α is the forecast for one case, and “free” how many cases have\nat most twice " +
	"that.\n\n| ε | n | α | free | 1/α³ | free·α³ | power " +
	"|\n|---|---|---|---|---|---|---|\n%s\n“Power” is the s with which free grows like (1/α)^s " +
	"from the line above. It does grow towards 3, so the claim's shape is seen from afar. But up " +
	"to a thousand million persons it is about 2, and\n1/α³ is thousands to a million times too " +
	"many: few unstable cases cost ε each before composition by √T sets in, and each part of the " +
	"persons must be larger by the logarithms of m and n, which\ncome in squared. What can be " +
	"said of real data: dozens to thousands of cases are nearly as good as one; then the error " +
	"rises steeply, and soon no plan is found. Where a rule may be published,\nSemiPrivate or a " +
	"public grid do better for any number of cases.\n\n## Drawn\n\nLabels of m cases by votes on " +
	"200,000 relabelled persons, a fifth with wrong labels, thresholds, ε = 4, δ = 10^−8: the " +
	"forecast, the mean of 3 runs from seeds, and how many of the cases were unstable.\n\n| m | " +
	"At most, %% | Drawn, %% | Unstable |\n|---|---|---|---|\n%s\n## Any number of cases: votes, " +
	"then a rule\n\nHow many people the universal algorithm wants before it answers m " +
	"first cases by votes, after which\na published rule labels any others: thresholds, δ = " +
	"10^−8, rounded to two digits. A rule alone\n(SemiPrivate, with public cases given) takes " +
	"any number of people, and is the simple way.\n\n| ε | m | universal, relabelled | " +
	"universal, plain votes |\n|---|---|---|---|\n%s"
