package classify

import (
	"hush/core/coin"
	"hush/core/sample/crowd"
)

// Vote is what happened when a case was asked: for lessons on made-up data, never for a release.
type Vote struct {
	Yes    int    // rules that say yes
	Margin int64  // of them and the others, as many would have to change before the majority can
	Asked  bool   // false: the unstable answers were used up before
	Answer Answer // if Asked
}

// Watch runs Answers with seeded coins on some cases, taught by made-up people (who takes the car,
// by distance), and reports its rules and its votes, which are secrets. The answers are those that
// Start and Answer would give with the same coins. No guarantee covers it: Proof: stable.md is
// about the answers alone.
func (a *Answers) Watch(seed coin.Seed, people crowd.MadeUp[[]crowd.Commuter],
	cases []Point) (rules []Rule, votes []Vote, err error) {
	var examples []Example
	for _, p := range people.People() {
		examples = append(examples, Example{Point: Point{p.Distance}, Yes: p.Car})
	}
	return a.watch(seed, examples, cases)
}

func (a *Answers) watch(seed coin.Seed, examples []Example,
	cases []Point) (rules []Rule, votes []Vote, err error) {
	ballot, err := a.Start(coin.NewSeeded(seed), examples, nil)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range cases {
		v := Vote{Yes: ballot.count(p)}
		v.Margin = distance(v.Yes, len(ballot.rules))
		switch v.Answer, err = ballot.vote(v.Yes); err {
		case nil:
			v.Asked = true
		case ErrNoMore:
		default:
			return nil, nil, err
		}
		votes = append(votes, v)
	}
	return ballot.rules, votes, nil
}

// Needed returns a margin with which, except with a chance of beta, all cases are answered, and
// answered correctly.
func (a *Answers) Needed(beta float64) int64 { return a.votes.Needed(beta) }
