package prove

import (
	"fmt"
	"slices"
	"strings"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/message"
	"hush/core/meter"
	"hush/core/phrase"
)

// Replay is the pair of a Finding, run twice: the first data set with coins of a seed, the second
// with the same outcomes of all its draws. A guarantee rests on this: what is public of the draws
// is equal, no input moves further than its noise was made for, nothing but the outcomes of the
// draws shows in what is released, and all draws together cost no more than the claim.
type Replay struct {
	Draws []Draw `json:"draws"`
	Holds bool   `json:"holds"`
	// Sentence says what is wrong, or that nothing is.
	Sentence string `json:"sentence"`
}

// Draw is one draw of a mechanism, with its input in both runs.
type Draw struct {
	Name   string `json:"name"`
	First  string `json:"first"`
	Second string `json:"second"`
	Moved  string `json:"moved"` // by how much the input differs
	May    string `json:"may"`   // by how much it may
	Holds  bool   `json:"holds"`
}

// replaySeeds is the number of runs that are tried until one shows what is wrong; if none does, the
// last is shown.
const replaySeeds = 10

// replay runs a pair.
func replay(say *message.Language, t trial, from, to []int) (*Replay, error) {
	var shown *Replay
	for seed := range coin.Seed(replaySeeds) {
		r, err := replayOf(say, t, from, to, seed)
		if err != nil || !r.Holds {
			return r, err
		}
		if shown == nil || len(r.Draws) < len(shown.Draws) {
			shown = r
		}
	}
	return shown, nil
}

// replayOf runs a pair with the coins of one seed.
func replayOf(say *message.Language, t trial, from, to []int,
	seed coin.Seed) (*Replay, error) {
	recording := meter.Record(seed)
	first, err := t.run(recording, from)
	if err != nil {
		return nil, err
	}
	again := recording.Replay()
	second, err := t.run(again, to)
	if err != nil {
		return nil, err
	}
	r := &Replay{}
	was := recording.Inputs()
	for i, is := range again.Inputs() {
		r.Draws = append(r.Draws, drawOf(say, was[i], is))
	}
	found := again.Violations()
	key := phrase.Key("Holds. Both runs make the same draws, no input moves further than its " +
		"noise allows for, and all draws together cost no more than the claim.")
	switch {
	case slices.ContainsFunc(found, func(v meter.Violation) bool { return v.Where == "trace" }):
		key = "Fails: the two runs draw differently, so the draws reveal who is in the data."
	case len(found) > 0:
		key = "Fails: an input moves further than its noise was made for."
	case again.Ended():
		key = "Holds. The outcomes drawn are impossible for the other data set, but unlikely " +
			"enough that the claimed δ allows them: from here on nothing is promised."
	case first != second:
		key = "Fails: with the same outcomes of all draws, a different result is released. Data " +
			"got past the noise."
	case costs(recording, t.claim) || costs(again, t.claim):
		key = "Fails: the draws cost more than the claim."
	default:
		r.Holds = true
	}
	r.Holds = r.Holds || len(found) == 0 && again.Ended()
	r.Sentence = say.Text(key)
	return r, nil
}

// costs tells whether the draws cost more than the claim.
func costs(m *meter.Meter, claim audit.Claim) bool {
	spent, err := audit.ClaimOf(m.Spent())
	return err == nil && (spent.Odds.Cmp(claim.Odds) > 0 || spent.Delta.Cmp(claim.Delta) > 0)
}

// drawOf puts one draw into words.
func drawOf(say *message.Language, was, is meter.Drawn) Draw {
	d := Draw{Name: say.Text(was.Spend.Name), First: inputText(say, was.Input),
		Second: inputText(say, is.Input),
		Moved:  say.Text("nothing"), May: mayText(say, was.Spend.Claim), Holds: !is.Broke}
	switch {
	case d.First == d.Second:
	case len(was.Input.Values) == 0 || len(was.Input.Values) != len(is.Input.Values) ||
		!slices.Equal(was.Input.Labels, is.Input.Labels):
		d.Moved = say.Text("other people or candidates")
	default:
		moves := make([]string, len(was.Input.Values))
		for i, v := range was.Input.Values {
			moves[i] = strings.Replace(fmt.Sprintf("%+d", is.Input.Values[i]-v), "-", "−", 1)
		}
		d.Moved = strings.Join(moves, ", ")
	}
	return d
}

// inputText lists an input.
func inputText(say *message.Language, in meter.Input) string {
	var list []string
	for i, v := range in.Values {
		text := fmt.Sprint(v)
		if i < len(in.Labels) {
			text = say.Text(phrase.Key(in.Labels[i])) + ": " + text
		}
		list = append(list, text)
	}
	return strings.Join(append(list, slices.Sorted(slices.Values(in.People))...), ", ")
}

// mayText puts the claim about an input into words.
func mayText(say *message.Language, c meter.Claim) string {
	var list []string
	if c.L1 > 0 {
		list = append(list, say.Format("%d in all", c.L1))
	}
	if c.L2Squared > 0 {
		list = append(list, say.Format("squares of %d in all", c.L2Squared))
	}
	if c.Each > 0 {
		list = append(list, say.Format("each value by %d", c.Each))
	}
	if c.OneSigned {
		list = append(list, say.Text("all the same way"))
	}
	if c.People > 0 {
		list = append(list, say.Format("people replaced: %d", c.People))
	}
	if c.Newcomers > 0 {
		list = append(list, say.Format("candidates of one person: %d", c.Newcomers))
	}
	if list == nil {
		return say.Text("nothing")
	}
	return strings.Join(list, "; ")
}
