package classify

import (
	"errors"
	"testing"

	"hush/core/coin"
)

// TestWatch: a watched run is the run itself. It gives the same answers from the same coins, and it
// reports the rules' own votes.
func TestWatch(t *testing.T) {
	const persons = 2000
	a := must(NewAnswers(
		AnswersParams{Class: stumps(Above, 40), Epsilon: epsilon("2"), Delta: delta("0.0001"),
			Persons: persons, Queries: 6, Plain: true,
			Plan: &Plan{Rows: persons, Rules: 251, Unstable: 2, VoteEpsilon: epsilon("2")}}))
	dice := coin.NewSeeded(5)
	examples := make([]Example, persons)
	for i := range examples {
		x := dice.Uniform(40)
		examples[i] = Example{Point{x}, x >= 20 != (dice.Uniform(10) == 0)}
	}
	cases := []Point{{0}, {18}, {21}, {18}, {21}, {39}}
	stable, unstable, unasked := 0, 0, 0
	for seed := range coin.Seed(20) {
		rules, votes, err := a.watch(seed, examples, cases)
		if err != nil {
			t.Fatal(err)
		}
		ballot := must(a.Start(coin.NewSeeded(seed), examples, nil))
		for i, v := range votes {
			answer, err := ballot.Answer(cases[i])
			if v.Asked != (err == nil) || !v.Asked && !errors.Is(err, ErrNoMore) ||
				v.Answer != answer {
				t.Fatalf("seed %d, case %d: watched %+v, answered %+v (%v)", seed, i, v, answer,
					err)
			}
			yes := 0
			for _, r := range rules {
				if r.Says(cases[i]) {
					yes++
				}
			}
			if yes != v.Yes || v.Margin != distance(yes, len(rules)) {
				t.Errorf("seed %d, case %d: %d of the rules say yes, told are %+v", seed, i, yes, v)
			}
			switch {
			case !v.Asked:
				unasked++
			case v.Answer.Stable:
				stable++
			default:
				unstable++
			}
		}
	}
	if stable == 0 || unstable == 0 || unasked == 0 {
		t.Errorf("%d stable answers, %d unstable, %d not asked: nothing is shown", stable, unstable,
			unasked)
	}
	if _, _, err := a.watch(1, examples[1:], cases); err == nil {
		t.Error("one example is missing, and nobody minds")
	}
}
