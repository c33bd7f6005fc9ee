package gallery

import (
	"math/big"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/privacy"
	"hush/web/engine"
	"hush/web/exhibit"
	"hush/web/parts"
	"hush/web/publish/answer"
	"hush/web/publish/explore"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/better"
	"hush/web/state/release"
	"hush/web/state/stage"
)

// answerSpecimens shows step 4 with each kind of answer.
func answerSpecimens() []Specimen {
	var states []variant
	for _, a := range exhibit.Answers() {
		states = append(states,
			variant{a.State, func(m *state.Model) {
				m.Answer.Shown = release.Shown{Phase: release.Done, Result: a.Release}
			}})
	}
	for _, v := range []struct {
		state string
		left  uint64
		votes release.Votes
	}{
		{"votes go on", 12, release.Votes{}},
		{"votes that refuse a case", 1,
			release.Votes{
				Fault: &engine.Fault{Code: engine.Refused, Field: "case.0", Value: "abc",
					Want: "whole numbers from 0 to 120"}}},
		{"votes have ended", 0, release.Votes{Ended: "all cases that were paid for are labelled"}},
		{"votes of another session", 7, release.Votes{}},
	} {
		states = append(states, variant{v.state, func(m *state.Model) {
			m.Answer.Shown = release.Shown{Phase: release.Done, Result: exhibit.Voted(v.left)}
			if m.Votes = v.votes; v.state != "votes of another session" {
				m.Votes.Release = m.Answer.Result
			}
		}})
	}
	for _, g := range []struct {
		state string
		grade ask.Grade
	}{{"good to publish", ask.Good}, {"rough", ask.Rough}, {"mostly noise", ask.Noise}} {
		states = append(states, variant{g.state, func(m *state.Model) {
			exhibit.Graded(g.grade)(m)
			if g.grade != ask.Good {
				m.Help.List = exhibit.Helps(m.Question.Recipe())
			}
		}})
	}
	states = append(states, variant{"mostly noise, and known", func(m *state.Model) {
		exhibit.Graded(ask.Noise)(m)
		m.Answer.Know(m.Answer.Result, true)
	}}, variant{"rough, and to be made good", func(m *state.Model) {
		toppable(m, false, rest())
	}}, variant{"rough, and to be averaged", func(m *state.Model) {
		toppable(m, false, exhibit.Loss("3/10", "1/100000"))
	}}, variant{"paid for to be made good, and not drawn", func(m *state.Model) {
		toppable(m, true, rest())
	}}, variant{"in the report", func(m *state.Model) {
		for _, a := range exhibit.Answers()[:2] {
			exhibit.Show(m, a.Release)
			m.Figures.Collect(a.Release)
		}
	}}, variant{"another question at hand", func(m *state.Model) {
		exhibit.Graded(ask.Good)(m)
		m.Question.Form.Epsilon = "2"
	}})
	states = append(states, variant{"export failed", func(m *state.Model) {
		m.Answer.Shown = release.Shown{Phase: release.Done, Result: exhibit.Answers()[0].Release,
			NoExport: "The file could not be made: this browser made no picture of the chart."}
	}})
	for i, change := range states {
		states[i].change = func(m *state.Model) {
			change.change(m)
			m.Way.GoTo(stage.Answer)
		}
	}
	list := exhibits(pane, states)
	return append(list,
		Specimen{State: "contacts of chosen places", Draw: func(b *parts.Browser) app.UI {
			r := exhibit.Release("contacts", "Contacts between groups", "", exhibit.Contacts())
			return parts.Step(4, "step-release", say.Text("Release"), false,
				explore.Ticked(r, b, 0, 2))
		}})
}

// historySpecimens shows the session's list of releases: one, all of them, and some side by side.
func historySpecimens() []Specimen {
	var states []variant
	for _, h := range []struct {
		name     string
		count    int
		compared int // of the first, how many
	}{{"one release", 1, 0}, {"many releases", len(exhibit.Answers()), 0},
		{"two of a kind side by side", 2, 2},
		{"five side by side", len(exhibit.Answers()), 5}} {
		states = append(states, variant{h.name, func(m *state.Model) {
			for _, a := range exhibit.Answers()[:h.count] {
				m.History.Add(a.Release, "2026-01-31")
			}
			for i := range m.History.Past {
				m.History.Past[i].Compare = i < h.compared
			}
			m.Answer.Shown = release.Shown{Phase: release.Done,
				Result: exhibit.Answers()[0].Release}
			m.Way.GoTo(stage.Answer)
		}})
	}
	return exhibits(func(m *state.Model, b *parts.Browser) app.UI {
		return &answer.List{Model: m, Browser: b}
	}, states)
}

// rest is the price of a top-up with Laplace noise.
func rest() privacy.Loss {
	rest, err := privacy.Rest(exhibit.Loss("4/5", "0"), exhibit.Loss("1/2", "0"), big.NewRat(1, 5))
	if err != nil {
		panic("web: internal error: " + err.Error())
	}
	return rest
}

// toppable shows a rough answer that can be made good for the difference in price.
func toppable(m *state.Model, paid bool, debit privacy.Loss) {
	exhibit.Graded(ask.Rough)(m)
	r := *m.Answer.Result
	r.Head = &ask.Head{}
	m.Answer.Result = &r
	plan := r.Plan
	verdict := *plan.Verdict
	verdict.Grade, verdict.Error = ask.Good, verdict.Error/4
	plan.Verdict = &verdict
	m.TopUp = better.TopUp{Of: &r, Offer: &engine.TopUpOffer{Epsilon: "0.8", Paid: paid,
		TopUpPlan: ask.TopUpPlan{Plan: plan, Debit: debit}}}
}
