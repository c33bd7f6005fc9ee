package proof

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/verify"
)

// TestOutcome: the heading of a check is green only where all that a reader sees was compared, or
// there is nothing but data.
func TestOutcome(t *testing.T) {
	for name, c := range map[string]struct {
		shown  verify.Status
		failed int
		class  string
		says   string
	}{
		"data alone":             {"", 0, `"outcome ok"`, "All that can be checked holds."},
		"a page":                 {verify.Holds, 0, `"outcome ok"`, "and in what the page shows"},
		"a page, not compared":   {verify.Cannot, 0, `"outcome"`, "Not all that a reader sees"},
		"a page that fails":      {verify.Fails, 1, `"outcome no"`, "One line does not hold."},
		"not compared and fails": {verify.Cannot, 1, `"outcome no"`, "One line does not hold."},
	} {
		html := app.HTMLString(outcome(&verify.Report{Shown: c.shown}, c.failed, c.failed))
		if !strings.Contains(html, c.class) || !strings.Contains(html, c.says) {
			t.Errorf("%s: %s", name, html)
		}
	}
}
