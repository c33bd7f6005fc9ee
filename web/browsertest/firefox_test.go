//go:build browser

package browsertest

import (
	"strings"
	"testing"
)

const tryExample = "#try-example" // the landing's button to begin with made-up patients

// TestFirefox is one walk from the landing to a report, in the other browser that people have: by
// made-up patients first, and then with a file of one's own. Nothing of it is an error there.
func TestFirefox(t *testing.T) {
	f := openFirefox(t, serveBundle(t).url)
	f.until("the page to start", pageStarted)
	f.click(tryExample)
	f.waitText("An example, released when Hush was made")
	f.until("its chart", `document.querySelector("#release-chart svg path")`)
	f.click("#another")
	f.waitText("Clinic visits · 3 200 patients")
	f.until("the sentence", `document.getElementById("column")?.value === "1"`)
	f.press("Release, spending ε = ")
	f.waitText(histogramSays)
	f.waitText("spent ε = ")
	f.until("a chart", `document.querySelector("#release-chart svg path")`)

	f.click("#edit-step-data")
	f.upload("#file", visitors(t, 1000))
	f.waitText("visitors.csv")
	f.click("#persons-no")
	f.click("#describe-2")
	f.fill("lo", "20")
	f.fill("hi", "69")
	f.click("#describe")
	f.until("the end of the description", `!document.getElementById("describe")`)
	f.waitText("1 of 3 columns described")
	f.click("#ask")
	f.until("the sentence", `document.getElementById("column")?.value === "2"`)
	f.fill("epsilon", "2")
	f.press("Release, spending ε = 2")
	f.waitText(histogramSays)
	f.waitText("spent ε = 2 of 3")
	f.until("a chart", `document.querySelector("#release-chart svg path")`)
	f.click("#collect")
	f.waitText("The page: one figure")

	f.click("#another")
	f.fill("epsilon", "0.1")
	f.press("Release anyway…, spending ε = 0.1")
	f.until("the question whether to", `document.querySelector("#doubt[open]")`)
	f.waitText("Release what is mostly noise?")
	f.waitText("costs ε = 0.1 of 3") // nothing is spent before the answer
	f.click("#doubt-release")
	f.waitText("spent ε = 2.1 of 3")
	f.until("no way to copy noise unasked", `document.getElementById("export-png")?.disabled === true`)
	f.click("#know")
	f.click("#collect")
	f.waitText("The page: 2 figures")
	f.click("#open-page")
	f.until("the page of figures", `document.getElementById("save-report")`)
	f.click("#save-report")
	report := string(f.download("hush-report.html"))
	if n := strings.Count(report, `class="picture wide`); n != 2 || !strings.Contains(report, " by age") {
		t.Errorf("the report shows %d pictures of age by bin, want 2", n)
	}
	if strings.Contains(report, "visitors") || strings.Contains(report, "Köln") {
		t.Error("the report holds what is not public")
	}
}

// press is a click on the button of that accessible name, or one that begins so.
func (f *firefox) press(name string) {
	f.t.Helper()
	f.click(`button[aria-label^="` + name + `"]`)
}

// earlyFirefox opens a bundle whose program does not come before start is called, and waits until
// what is done to the page is kept.
func earlyFirefox(t *testing.T) (f *firefox, start func()) {
	t.Helper()
	s, start := heldBundle(t, bundleFiles(t))
	f = startFirefox(t)
	f.call("browsingContext.navigate",
		map[string]any{"context": f.tab, "url": s.url, "wait": "interactive"}, nil)
	f.until("the page before its program", `document.documentElement.classList.contains("early") &&
		document.getElementById("app-wasm-loader")`)
	return f, start
}

// A press on the page before its program runs is done when it runs; also one that begins before the
// program's page is whole and ends after it.
func TestFirefoxBeforeTheProgramRuns(t *testing.T) {
	for name, c := range map[string]struct {
		act  func(f *firefox)
		then string
	}{
		"the example": {func(f *firefox) { f.click(tryExample) }, histogramSays},
		"a sample": {func(f *firefox) {
			f.click("#begin summary")
			f.click("#begin .sample")
		}, "Clinic visits · 3 200 patients"},
		"a file": {func(f *firefox) { f.upload("#file", visitors(t, 100)) }, "visitors.csv"},
	} {
		t.Run(name, func(t *testing.T) {
			f, start := earlyFirefox(t)
			c.act(f)
			f.until("the page to say that something waits",
				`document.querySelector("[aria-busy=true]")`)
			start()
			f.waitText(c.then)
		})
	}
}

func TestFirefoxPressedAcrossTheStart(t *testing.T) {
	f, start := earlyFirefox(t)
	// A press is waited for as long as the slowest machine takes to start the program.
	f.eval(`void (globalThis.setTimeout = ((later) => (work, ms, ...more) =>
		later(work, ms === 5000 ? 1e6 : ms, ...more))(setTimeout))`, nil)
	at := f.reach(tryExample)
	f.mouse(at, "pointerDown")
	start()
	f.until("the program's page behind the drawn one", `(() => {
		const page = document.body.firstElementChild;
		return page.matches(".page:not(.unfinished)") && document.getElementById("app-wasm-loader");
	})()`)
	f.mouse(at, "pointerUp")
	f.waitText(histogramSays)
}
