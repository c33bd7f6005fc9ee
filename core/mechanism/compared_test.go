package mechanism

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"hush/core/internal/audittest"
)

const comparedPreface = `# Choices and tests, compared

Made by a test; do not edit (` + "`go test ./core/mechanism -run TestCompared -update`" + `).
All of it for ε = 1 and, where one is spent, δ = 10^-6, from the bounds that are proved and that
the code goes by.

## The most frequent of many values

By how many people the value chosen may be behind the most frequent one, in 95 of 100 releases,
by how many values are possible. The choosing mechanism takes part in the values that somebody
has only, so that its price does not depend on how many are possible; it is given 10^6 people
here, and each of them a value of their own but those who share the best. In brackets: how many
must share a value before any is chosen.

| values | exponential mechanism | permute and flip | choosing mechanism | with the constants of the literature |
|---|---|---|---|---|
`

const comparedAbove = `
## The first of many counts that is above a threshold

By how many people an answer may be wrong, in 95 of 100 runs, by the number of counts that are
compared: AboveThreshold, and noise on each count, all of them paid for.

| counts | noise on each count | AboveThreshold | AboveThreshold, where counts only rise or only fall |
|---|---|---|---|
`

// TestCompared writes COMPARED.md.
func TestCompared(t *testing.T) {
	const beta, people = 0.05, 1_000_000
	var b strings.Builder
	b.WriteString(comparedPreface)
	one, exception := mustEpsilon(t, "1"), delta("1e-6")
	em := must(NewExponential(ExponentialParams{Epsilon: one, Sensitivity: 1}))
	flip := must(NewPermuteAndFlip(PermuteAndFlipParams{Epsilon: one, Sensitivity: 1}))
	stable := must(NewStableChoice(
		StableChoiceParams{Epsilon: one, Delta: exception, Newcomers: 1}))
	choosing := must(NewChoosing(ChoosingParams{Epsilon: one, Delta: exception, Newcomers: 1,
		Beta: big.NewRat(1, 20)}))
	touched := big.NewInt(people)
	for _, bits := range []uint{3, 10, 20, 64, 1024} {
		size := new(big.Int).Lsh(big.NewInt(1), bits)
		fmt.Fprintf(&b, "| 2^%d | %d | %d | %d (%d) | %d (%d) |\n", bits,
			em.ErrorBound(beta, size), flip.ErrorBound(beta, size),
			stable.ErrorBound(beta, touched), stable.NeededScore(beta),
			choosing.ErrorBound(people), choosing.threshold)
	}
	b.WriteString(comparedAbove)
	half := one.Part(1, 2)
	above := func(sign bool) *AboveThreshold {
		return must(NewAboveThreshold(AboveThresholdParams{EpsilonThreshold: half,
			EpsilonQueries: half, Sensitivity: 1, OneSigned: sign}))
	}
	for _, counts := range []int{10, 100, 1000} {
		each := must(NewLaplace(LaplaceParams{Epsilon: one, L1Sensitivity: uint64(counts)}))
		simple := each.SimultaneousErrorBound(beta, counts)
		quick := above(false).ErrorBound(beta, counts)
		fmt.Fprintf(&b, "| %d | %d | %d | %d |\n", counts, simple, quick,
			above(true).ErrorBound(beta, counts))
		if quick >= simple {
			t.Errorf("%d counts: AboveThreshold is off by %d, noise on each by %d", counts, quick,
				simple)
		}
	}
	audittest.Document(t, "COMPARED.md", b.String())
}
