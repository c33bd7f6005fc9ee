package gallery

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/engine"
	"hush/web/exhibit"
	"hush/web/parts"
	"hush/web/publish"
	"hush/web/publish/explore"
	"hush/web/say"
	"hush/web/state"
)

// answerSpecimens is step 4 with each kind of answer.
func answerSpecimens() []Specimen {
	var states []variant
	for _, a := range exhibit.Answers() {
		states = append(states,
			variant{a.State, func(m *state.Model) {
				m.Release = state.Release{Phase: state.ReleaseDone, Result: a.Release}
			}})
	}
	for _, v := range []struct {
		state string
		left  uint64
		votes state.Votes
	}{
		{"votes go on", 12, state.Votes{}},
		{"votes that refuse a case", 1,
			state.Votes{
				Fault: &engine.Fault{Code: engine.Refused, Field: "case.0", Value: "abc",
					Want: "whole numbers from 0 to 120"}}},
		{"votes have ended", 0, state.Votes{Ended: "all cases that were paid for are labelled"}},
		{"votes of another session", 7, state.Votes{}},
	} {
		states = append(states, variant{v.state, func(m *state.Model) {
			m.Release = state.Release{Phase: state.ReleaseDone, Result: exhibit.Voted(v.left)}
			if m.Votes = v.votes; v.state != "votes of another session" {
				m.Votes.Release = m.Release.Result
			}
		}})
	}
	states = append(states, variant{"export failed", func(m *state.Model) {
		m.Release = state.Release{Phase: state.ReleaseDone, Result: exhibit.Answers()[0].Release,
			NoExport: "The file could not be made: this browser made no picture of the chart."}
	}})
	list := exhibits(func(m *state.Model, b *parts.Browser) app.UI {
		return &publish.ReleaseStep{Model: m, Browser: b}
	}, states)
	return append(list,
		Specimen{State: "contacts of chosen places", Draw: func(b *parts.Browser) app.UI {
			r := exhibit.Release("contacts", "Contacts between groups", "", exhibit.Contacts())
			return parts.Step(4, "step-release", say.Text("Release"), false,
				explore.Ticked(r, b, 0, 2))
		}})
}

// historySpecimens is the session's list of releases: one, all of them, and all side by side.
func historySpecimens() []Specimen {
	var states []variant
	for _, h := range []struct {
		name     string
		count    int
		compared bool
	}{{"one release", 1, false}, {"many releases", len(exhibit.Answers()), false},
		{"two of a kind side by side", 2, true},
		{"all side by side", len(exhibit.Answers()), true}} {
		states = append(states, variant{h.name, func(m *state.Model) {
			for _, a := range exhibit.Answers()[:h.count] {
				m.History.Add(a.Release)
			}
			for i := range m.History.Past {
				m.History.Past[i].Compare = h.compared
			}
			m.Release = state.Release{Phase: state.ReleaseDone,
				Result: exhibit.Answers()[0].Release}
		}})
	}
	return exhibits(func(m *state.Model, b *parts.Browser) app.UI {
		return parts.Step(4, "step-release", say.Text("Release"), false,
			&publish.SessionHistory{Model: m, Browser: b})
	}, states)
}
