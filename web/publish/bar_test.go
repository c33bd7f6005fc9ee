package publish

import (
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/web/exhibit"
	"hush/web/state"
)

// drawnAs is the bar and the card of a state, as text.
func drawnAs(change func(*state.Model)) (bar, card string) {
	m := exhibit.Model(change)
	return app.HTMLString(&Bar{Model: m}), app.HTMLString(&AnswerPane{Model: m})
}

func TestBarSaysWhatStands(t *testing.T) {
	judged := func(g ask.Grade) func(*state.Model) {
		return func(m *state.Model) { m.Forecast.Plan.Verdict = exhibit.Judged(g) }
	}
	spent := func(losses string) func(*state.Model) {
		return func(m *state.Model) {
			a := exhibit.Spent(exhibit.Fingerprint, losses)
			m.Account = &a
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
		"no verdict": {nil, []string{"typically; up to 12", ">Release<"}, "verdict good"},
		"no bound": {func(m *state.Model) { m.Forecast.Plan.Off.Bound = -1 },
			[]string{"±\u00a03.96 people in each count", ">typically<"}, "up to"},
		"a plan of an earlier version": {func(m *state.Model) { m.Forecast.Plan.Off = nil },
			[]string{"Typically off by about", ">Release<"}, "verdict good"},
		"over the limit": {spent("29/10,0"), []string{"only ε\u00a0=\u00a00.1 left",
			"Change the limit", "#/ledger"}, "left afterwards"},
		"no limit": {func(m *state.Model) { m.Account.Limit = nil },
			[]string{"costs ε\u00a0=\u00a00.5", "no limit is set"}, "left afterwards"},
		"incomplete": {func(m *state.Model) {
			m.Question.Column, m.Forecast = 2, state.Forecast{}
		}, []string{"Nothing is spent yet", "disabled", ">Release<"}, "costs"},
		"good answer": {exhibit.Graded(ask.Good), []string{"Good to publish",
			"Ask another question", "Add to report", "left"}, ">Release<"},
		"noise answered": {exhibit.Graded(ask.Noise), []string{"Mostly noise",
			"Change the question", "Release once more, spending ε = 0.5"}, "Add to report"},
	} {
		bar, _ := drawnAs(c.change)
		for _, want := range c.want {
			if !strings.Contains(bar, want) {
				t.Errorf("%s: the bar does not say %q: %s", name, want, bar)
			}
		}
		if strings.Contains(bar, c.without) {
			t.Errorf("%s: the bar says %q", name, c.without)
		}
	}
	if bar, _ := drawnAs(func(m *state.Model) { m.Data = state.Data{} }); strings.Contains(bar,
		"bar-stay") {
		t.Error("there is a bar without a file")
	}
}

// Red is handed out after a tick, and everything else at once.
func TestNoiseIsGated(t *testing.T) {
	count := func(change func(*state.Model)) (all, off int) {
		_, card := drawnAs(change)
		for _, tag := range strings.Split(card, "<button")[1:] {
			tag, _, _ = strings.Cut(tag, ">")
			if strings.Contains(tag, `id="export-`) || strings.Contains(tag, `id="collect"`) ||
				strings.Contains(tag, `id="copy-`) {
				all++
				if strings.Contains(tag, "disabled") && !strings.Contains(tag, `"false"`) {
					off++
				}
			}
		}
		return all, off
	}
	for name, c := range map[string]struct {
		change   func(*state.Model)
		all, off int
	}{
		"good": {exhibit.Graded(ask.Good), 7, 0}, "rough": {exhibit.Graded(ask.Rough), 7, 0},
		"noise": {exhibit.Graded(ask.Noise), 8, 8},
		"known": {func(m *state.Model) {
			exhibit.Graded(ask.Noise)(m)
			m.Know(m.Release.Result, true)
		}, 8, 0},
	} {
		if all, off := count(c.change); all != c.all || off != c.off {
			t.Errorf("%s: %d of %d ways out are shut, want %d of %d", name, off, all, c.off,
				c.all)
		}
	}
}

// TestDialSaysFromWhichEpsilon: the strip below the slider has a piece for each of its stops, and
// the words say where the answer becomes good.
func TestDialSaysFromWhichEpsilon(t *testing.T) {
	for grades, want := range map[string]string{
		"nnrrgggggggggg": "Good to publish from ε = 0.13 on.",
		"nnnnnnnnnnnrrr": "Rough from ε = 3 on.",
		"nnnnnnnnnnnnnn": "Mostly noise at every ε here.",
		"gggggggggggggg": "Good to publish at every ε here.",
	} {
		m := exhibit.Model(func(m *state.Model) {
			for i, g := range grades {
				m.Wish.Curve = append(m.Wish.Curve, ask.Point{Epsilon: ask.CurveEpsilons[i],
					Grade: map[rune]ask.Grade{'n': ask.Noise, 'r': ask.Rough, 'g': ask.Good}[g]})
			}
		})
		// where a grade begins between two stops, the curve has a point there
		if i := strings.IndexByte(grades, 'g'); i > 0 {
			begins := m.Wish.Curve[i]
			begins.Epsilon = "0.13"
			m.Wish.Curve = slices.Insert(m.Wish.Curve, i, begins)
		}
		shown := strings.ReplaceAll(app.HTMLString(&Dial{Model: m}), "\u00a0", " ")
		if !strings.Contains(shown, want) || strings.Count(shown, "<rect") != len(grades) {
			t.Errorf("%s: %s", grades, shown)
		}
	}
}
