//go:build browser

package browsertest

import "testing"

// TestFirefox is one walk from a sample to a release, in the other browser that people have.
func TestFirefox(t *testing.T) {
	path := findFirefox()
	if path == "" {
		t.Skip("skipped: no Firefox; install one, or name one in FIREFOX")
	}
	f := openFirefox(t, path, serveBundle(t).url)
	f.until("the page to start", pageStarted)
	f.click("Clinic visits")
	f.waitText("3 200 patients")
	f.until("the sentence", `document.getElementById("column")?.value === "1"`)
	f.waitText("What to expect, before anything is spent")
	f.click("Release, spending")
	f.waitText("by bin: the largest is")
	f.until("a chart", `document.querySelector("#release-chart svg path")`)
	for _, problem := range f.problems {
		t.Errorf("in Firefox: %s", problem)
	}
}
