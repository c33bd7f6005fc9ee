//go:build browser

package browsertest

import "testing"

// TestFirefox is one walk from a sample to a release, in the other browser that people have.
func TestFirefox(t *testing.T) {
	f := openFirefox(t, serveBundle(t).url)
	f.until("the page to start", pageStarted)
	f.eval(`(document.getElementById("begin").open = true)`, nil)
	f.click("Clinic visits")
	f.waitText("3 200 patients")
	f.until("the sentence", `document.getElementById("column")?.value === "1"`)
	f.until("a price", `document.getElementById("forecast")`)
	f.click("Release, spending")
	f.waitText("by bin: the largest is")
	f.until("a chart", `document.querySelector("#release-chart svg path")`)
	for _, problem := range f.problems {
		t.Errorf("in Firefox: %s", problem)
	}
}

// A press on the page before its program runs is done when it runs; also one that begins before the
// program's page is whole and ends after it.
func TestFirefoxBeforeTheProgramRuns(t *testing.T) {
	s, start := heldBundle(t, bundleFiles(t))
	f := startFirefox(t)
	f.call("browsingContext.navigate",
		map[string]any{"context": f.tab, "url": s.url, "wait": "interactive"}, nil)
	f.click("Clinic visits")
	f.until("the button to say that it waits", `document.querySelector("button[aria-busy=true]")`)
	start()
	f.waitText("wait_minutes")
}

func TestFirefoxPressedAcrossTheStart(t *testing.T) {
	s, start := heldBundle(t, bundleFiles(t))
	f := startFirefox(t)
	f.call("browsingContext.navigate",
		map[string]any{"context": f.tab, "url": s.url, "wait": "interactive"}, nil)
	f.pointTo("Clinic visits")
	f.mouse("pointerDown")
	start()
	f.until("the program's page behind the drawn one", `(() => {
		const page = document.body.firstElementChild;
		return page.matches(".page:not(.unfinished)") && document.getElementById("app-wasm-loader");
	})()`)
	f.mouse("pointerUp")
	f.waitText("wait_minutes")
}
