package threshold

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"hush/core/internal/audittest"
	"hush/core/privacy"
)

const comparedPreface = `# Thresholds, compared

Made by a test; do not edit (` + "`go test ./core/threshold -run TestCompared -update`" + `).
All of it for ε = 1 and, where one is spent, δ = 10^-6, from the bounds that are proved and that
the code goes by (` + "`Needs`, `Mistakes`, `ErrorBound`" + `).

## Interior points

Persons with a value that are enough in 95 of 100 runs, by the number of bits of the domain. The
first two are the simple mechanisms, and need no δ. ConstructPaths, StoppingPoint, OneRandomPath
and LevelUp are parts of HeavyPaths, and LevelUp of TreeLog too.

The last two columns are how many no method does without, without a δ and with it (fewest.md).

| bits | exponential mechanism | noisy binary search | TreeLog | TreeLog with its paper's constants | HeavyPaths | any, no δ | any |
|---|---|---|---|---|---|---|---|
`

const comparedCuts = `
## Cut-offs

Mistakes at most, in 95 of 100 runs, on people whom some cut-off answers without any. The simple
way is the exponential mechanism over all cuts; the other learns from an interior point, and is
private on any data, but is good only on such data.

| bits | exponential mechanism over cuts | by an interior point |
|---|---|---|
`

// TestCompared writes COMPARED.md.
func TestCompared(t *testing.T) {
	var b strings.Builder
	b.WriteString(comparedPreface)
	one, exception := epsilon("1"), delta("1e-6")
	for _, bits := range tableBits {
		size := values(uint(bits))
		tree := TreeLogParams{Epsilon: one, Delta: exception, Size: size}
		paper := tree
		paper.Persons = 1_000_000
		finders := []Finder{
			must(NewExponential(ExponentialParams{Epsilon: one, Size: size})),
			must(NewBinarySearch(BinarySearchParams{Epsilon: one, Size: size})),
			must(NewTreeLog(tree)), must(NewPaperTreeLog(paper)),
			must(NewHeavyPaths(HeavyPathsParams{Epsilon: one, Delta: exception, Size: size})),
		}
		fmt.Fprintf(&b, "| %d |", bits)
		for _, f := range finders {
			fmt.Fprintf(&b, " %d |", f.Needs())
		}
		fmt.Fprintf(&b, " %d | %d |\n", FewestPersons(size, one, privacy.Delta{}, 0.05),
			FewestPersons(size, one, exception, 0.05))
		if bits >= 1024 && finders[2].Needs() >= finders[0].Needs() {
			t.Errorf("%d bits: TreeLog needs %d persons, the exponential mechanism %d", bits,
				finders[2].Needs(), finders[0].Needs())
		}
	}
	b.WriteString(comparedCuts)
	for _, bits := range tableBits {
		size := values(uint(bits))
		cuts := must(NewAgnostic(AgnosticParams{Epsilon: one, Size: size}))
		point := must(NewRealizable(
			RealizableParams{Epsilon: one, Delta: exception, Size: new(big.Int).Set(size)}))
		fmt.Fprintf(&b, "| %d | %d | %d |\n", bits, cuts.ErrorBound(0.05), point.Mistakes())
	}
	audittest.Document(t, "COMPARED.md", b.String())
}
