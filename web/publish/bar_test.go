package publish

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/web/engine"
	"hush/web/exhibit"
	"hush/web/state"
	"hush/web/state/asking"
	"hush/web/state/dataset"
	"hush/web/state/release"
)

// barOf is the bar of a state, as text.
func barOf(change func(*state.Model)) string {
	return app.HTMLString(&Bar{Model: exhibit.Model(change)})
}

func TestBarSaysWhatStands(t *testing.T) {
	judged := func(g ask.Grade) func(*state.Model) {
		return func(m *state.Model) { m.Forecast.Plan.Verdict = exhibit.Judged(g) }
	}
	spent := func(losses string) func(*state.Model) {
		return func(m *state.Model) {
			a := exhibit.Spent(exhibit.Fingerprint, losses)
			m.Data.Account = &a
		}
	}
	const dialog = "<dialog"
	for name, c := range map[string]struct {
		change  func(*state.Model)
		want    []string
		without string
	}{
		"good": {judged(ask.Good), []string{"Good to publish", "±\u00a03.96 people in each count",
			"typically; up to 12", "costs ε\u00a0=\u00a00.5 of 3",
			"ε\u00a0=\u00a02.5 left afterwards", ">Release<"}, dialog},
		"rough": {judged(ask.Rough), []string{"verdict rough", ">Release<"}, dialog},
		"noise": {judged(ask.Noise), []string{"Mostly noise", ">Release anyway…<", dialog,
			"Release what is mostly noise?", "nobody could tell them apart"}, ">Release<"},
		"claimed from outside": {func(m *state.Model) {
			r := m.Question.Recipe()
			r.Label = "height"
			m.Saved.Adopt(r)
		}, []string{dialog, "your file says &#34;age&#34;, the description says &#34;height&#34;",
			">Agree<", "Use the file’s own", ">Look at its contents…<"}, ">Release<"},
		"found nothing": {func(m *state.Model) {
			m.Answer.Shown = release.Shown{Phase: release.Failed,
				Failure: &engine.Fault{Code: engine.FoundNothing}}
		}, []string{">Search again<", `"Search again, spending ε = 0.5"`}, ">Try again<"},
		"no verdict": {nil, []string{"typically; up to 12", ">Release<"}, "verdict good"},
		"no bound": {func(m *state.Model) { m.Forecast.Plan.Off.Bound = -1 },
			[]string{"±\u00a03.96 people in each count", ">typically<"}, "up to"},
		"a plan of an earlier version": {func(m *state.Model) { m.Forecast.Plan.Off = nil },
			[]string{"Typically off by about", ">Release<"}, "verdict good"},
		"over the limit": {spent("29/10,0"), []string{"only ε\u00a0=\u00a00.1 left",
			"Change the limit", "#/ledger"}, "left afterwards"},
		"no limit": {func(m *state.Model) { m.Data.Account.Limit = nil },
			[]string{"costs ε\u00a0=\u00a00.5", "no limit is set"}, "left afterwards"},
		"incomplete": {func(m *state.Model) {
			m.Question.Form.Column, m.Forecast.Estimate = 2, asking.Estimate{}
		}, []string{"Nothing is spent yet", "disabled", ">Release<"}, "costs"},
		"good answer": {exhibit.Graded(ask.Good), []string{"Good to publish",
			"Ask another question", "Put it on the page", "left"}, ">Release<"},
		"noise answered": {exhibit.Graded(ask.Noise), []string{"Mostly noise",
			"Change the question", "Release once more, spending ε = 0.5"}, "Put it on the page"},
	} {
		bar := barOf(c.change)
		for _, want := range c.want {
			if !strings.Contains(bar, want) {
				t.Errorf("%s: the bar does not say %q: %s", name, want, bar)
			}
		}
		if strings.Contains(bar, c.without) {
			t.Errorf("%s: the bar says %q", name, c.without)
		}
	}
	if bar := barOf(func(m *state.Model) { m.Data.File = dataset.File{} }); strings.Contains(bar,
		"bar-stay") {
		t.Error("there is a bar without a file")
	}
}
