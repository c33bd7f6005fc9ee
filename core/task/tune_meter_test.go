package task

import (
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/meter"
)

// TestScoreIsPaidFor: the noise of a score is made for as many points as one person moves it.
func TestScoreIsPaidFor(t *testing.T) {
	further := false
	for _, a := range scoreAudits() {
		s := open(t, []byte(a.header+"\n"+strings.Join(a.lines, "\n")+"\n"))
		options := must(s.Opened()).Options
		a.recipe.Table = options
		q, p, err := ask.Prepare(All{}, a.recipe, int64(len(a.lines)))
		if err != nil {
			t.Fatal(err)
		}
		q.Trial = true
		inner := p.(tunable)
		tried := &tuned{query: q, inner: []tunable{inner}, tried: []ask.Combination{{}},
			noise: q.Epsilon}
		data, recording := a.dataOf(t, options, a.lines), meter.Record(1)
		run, err := tried.candidate(recording, 0, data, nil)
		if err != nil {
			t.Fatal(err)
		}
		if run.Output.result == nil {
			continue // refused because of its draws
		}
		_, moves, err := inner.score(run.Output.result.Result, data, nil)
		if err != nil {
			t.Fatal(err)
		}
		drawn := recording.Inputs()
		if last := drawn[len(drawn)-1].Spend; last.Claim.L1 != moves {
			t.Errorf("%s: noise for %d points, moves by %d", a.name, last.Claim.L1, moves)
		}
		further = further || moves > 1
	}
	if !further {
		t.Error("no score moves by more than 1")
	}
}
