package web

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/frame"
	"hush/web/state/place"
	"hush/web/webtest"
)

// TestUnknownPageIsTold: the workbench is shown, and that the address names no page.
func TestUnknownPageIsTold(t *testing.T) {
	m, _ := webtest.Started(t)
	for path, want := range map[string]string{"/nowhere": "nowhere", "/nowhere/more?q=1": "nowhere",
		"/": "", "": "", "/learn": "", "/?q=***": ""} {
		if m.Go(path); m.NoPage != want {
			t.Errorf("%q leads to no page %q, want %q", path, m.NoPage, want)
		}
	}
	m.Go("/nowhere")
	if shown := app.HTMLString(frame.NoPageNote(m.NoPage)); m.View != place.ViewWorkbench ||
		!strings.Contains(shown, "There is no page named “nowhere” here") {
		t.Errorf("the note is %s", shown)
	}
}
