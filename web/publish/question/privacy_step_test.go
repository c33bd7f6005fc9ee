package question

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/web/exhibit"
	"hush/web/state"
)

// What stands beside a wrong ε must not praise it.
func TestStrength(t *testing.T) {
	for _, wrong := range []string{"0", "-1", "101", "99999999999999999999", "1e400", "few", ""} {
		if s := strength(wrong); s != "" {
			t.Errorf("ε %q is called %q", wrong, s)
		}
	}
	for epsilon, want := range map[string]string{
		"0.000000001": "Very strong", "0.5": "Strong", "3": "Moderate",
		"20": "Weak", "21": "No protection", "100": "No protection",
	} {
		if s := strength(epsilon); !strings.HasPrefix(s, want) {
			t.Errorf("ε %s is called %q, want %q", epsilon, s, want)
		}
	}
}

// TestStrengthIsSaidOnce: beside the slider stands one sentence on how strong the protection is,
// before a price is known and after; where the promise says that it is none, it stands there.
func TestStrengthIsSaidOnce(t *testing.T) {
	inTags := regexp.MustCompile(`<[^>]*>`)
	strengths := regexp.MustCompile(`(?i)[a-z]+ protection`)
	for text, want := range map[string]string{"0.05": "strong protection",
		"0.5": "Strong protection", "3": "Moderate protection",
		"10": "Weak protection", "20": "Weak protection", "20.5": "no protection",
		"100": "no protection"} {
		epsilon, err := privacy.ParseEpsilon(text)
		if err != nil {
			t.Fatal(err)
		}
		loss := privacy.PureLoss(epsilon)
		for _, priced := range []bool{false, true} {
			m := exhibit.Model(func(m *state.Model) {
				m.Question.Form.Epsilon = text
				plan := *m.Forecast.Plan
				plan.Loss, plan.Guarantee.Promise = loss, loss.Promise(phrase.Of("person")).String()
				if m.Forecast.Plan = &plan; !priced {
					m.Forecast.Plan = nil
				}
			})
			shown := inTags.ReplaceAllString(app.HTMLString(&Dial{Model: m}), " ")
			said := strengths.FindAllString(strings.ReplaceAll(shown, "\u00a0", " "), -1)
			if len(said) != 1 || !strings.EqualFold(said[0], want) {
				t.Errorf("ε = %s, priced: %v: says %q, want %q once: %s", text, priced, said, want,
					shown)
			}
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

// TestDialSaysOfWhichSize: where the size of the answer decides, one sentence says of which size it
// is good, and none beside it from which ε on.
func TestDialSaysOfWhichSize(t *testing.T) {
	m := exhibit.Model(func(m *state.Model) {
		m.Question.Form.Epsilon = "0.5"
		for i, epsilon := range ask.CurveEpsilons {
			grade := ask.Unknown
			if i > 9 {
				grade = ask.Good
			}
			m.Wish.Curve = append(m.Wish.Curve, ask.Point{Epsilon: epsilon, Grade: grade})
		}
		plan := *m.Forecast.Plan
		plan.Verdict = &ask.Verdict{Grade: ask.Unknown, Error: 6, From: "30 people"}
		m.Forecast.Plan = &plan
	})
	shown := strings.ReplaceAll(app.HTMLString(&Dial{Model: m}), "\u00a0", " ")
	if !strings.Contains(shown, "At ε = 0.5 good if the answer is 30 people or more.") ||
		strings.Contains(shown, "Good to publish from") {
		t.Error(shown)
	}
}
