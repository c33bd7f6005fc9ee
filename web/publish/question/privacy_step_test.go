package question

import (
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
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
		"0.000000001": "Very strong", "0.5": "Strong", "3": "Moderate", "100": "Weak",
	} {
		if s := strength(epsilon); !strings.HasPrefix(s, want) {
			t.Errorf("ε %s is called %q, want %q", epsilon, s, want)
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
