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
	f.waitText("Rows 3 200")
	f.eval(`(document.getElementById("column").value = "1", document.getElementById("column").dispatchEvent(new Event("change", { bubbles: true })))`, nil)
	f.until("the form of the column", `document.getElementById("lo")`)
	f.fill("lo", "0")
	f.fill("hi", "100")
	f.until("a price", `document.getElementById("forecast")`)
	f.click("Release, spending")
	f.waitText("by bin: the largest is")
	f.until("a chart", `document.querySelector("#release-chart svg path")`)
	for _, problem := range f.problems {
		t.Errorf("in Firefox: %s", problem)
	}
}
