package answer

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/exhibit"
	"hush/web/report"
)

// TestOpenedLooksUnverified: an answer from a file has no green grade, and is unverified on the
// page and in the report that is made of it.
func TestOpenedLooksUnverified(t *testing.T) {
	r := exhibit.Release("classify", "Label new cases", "The rule.", exhibit.Labels(true),
		exhibit.Features)
	page := app.HTMLString((&Figure{Release: r, Opened: true, Doubts: []string{"a doubt"}}).
		Render())
	if !strings.Contains(page, "Unverified") || !strings.Contains(page, "a doubt") ||
		strings.Contains(page, "verdict good") {
		t.Error(page)
	}
	for _, unverified := range []bool{false, true} {
		r.Unverified = unverified
		text := report.Of("", "", report.Answer{Release: r, Picture: picture(t)}).HTML()
		if strings.Contains(text, "opened from a file") != unverified {
			t.Errorf("the report of an answer from a file, %v, says otherwise", unverified)
		}
	}
}
