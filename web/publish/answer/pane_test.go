package answer

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/web/exhibit"
	"hush/web/state"
)

// Red is handed out after a tick, and everything else at once.
func TestNoiseIsGated(t *testing.T) {
	count := func(change func(*state.Model)) (all, off int) {
		pane := app.HTMLString(&Pane{Model: exhibit.Model(change)})
		for _, tag := range strings.Split(pane, "<button")[1:] {
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
		"good": {exhibit.Graded(ask.Good), 8, 0}, "rough": {exhibit.Graded(ask.Rough), 8, 0},
		"noise": {exhibit.Graded(ask.Noise), 9, 9},
		"known": {func(m *state.Model) {
			exhibit.Graded(ask.Noise)(m)
			m.Answer.Know(m.Answer.Result, true)
		}, 9, 0},
	} {
		if all, off := count(c.change); all != c.all || off != c.off {
			t.Errorf("%s: %d of %d ways out are shut, want %d of %d", name, off, all, c.off,
				c.all)
		}
	}
}
