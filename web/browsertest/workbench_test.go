//go:build browser

package browsertest

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"hush/core/coin"
	"hush/core/task"
)

// visitors is a file such as people have: a byte order mark, semicolons, quotes, CRLF, a ragged
// row, missing ages. There are n people; those whose number is not a multiple of 50 have an age of
// 20 to 69, each equally often.
func visitors(t *testing.T, n int) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("\ufeffname;age;town\r\n")
	for i := range n {
		age := strconv.Itoa(20 + i%50)
		if i%50 == 0 {
			age = ""
		}
		fmt.Fprintf(&b, "\"Person; no. %d\";%s;Köln\r\n", i, age)
	}
	b.WriteString("half a row\r\n")
	path := filepath.Join(t.TempDir(), "visitors.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// askAge fills in the form for ages of 20 to 69 by mouse and keyboard, as far as the forecast.
func askAge(p *webPage) {
	p.confirm()
	p.describe("age", "20", "69")
	p.question()
	p.waitPrice()
}

func TestHistogramOfAPickedFile(t *testing.T) {
	const n = 5000
	p := open(t, serveBundle(t).url)
	p.upload("#file", visitors(t, n))
	p.waitText("5 001 rows") // the ragged row is a person too
	p.waitText("3 columns separated by semicolons, names in the first row, utf-8 text")
	p.waitText("A row has fewer fields than 3")
	askAge(p)
	p.waitText("costs ε = 0.5 of 3")
	p.fill("textbox", "Privacy loss ε (epsilon)", "1")
	p.options()
	p.fill("textbox", "Bin width", "10")
	p.click("button", "Release, spending ε = 1")
	p.waitText(histogramSays)
	p.waitText("spent ε = 1 of 3")
	p.until("a chart", `document.querySelector("#release-chart svg path")`)

	file := p.download(func() { p.export("#export-json") })
	var release task.Release
	if err := json.Unmarshal(file.data, &release); err != nil {
		t.Fatalf("the JSON: %v", err)
	}
	h := release.Answer.Result.(*task.Histogram)
	if release.Origin != coin.Crypto || release.Plan.People != n+1 || h == nil || len(h.Bins) != 5 {
		t.Fatalf("the release: origin %q, n = %d, answer %+v", release.Origin, release.Plan.People,
			release.Answer)
	}
	for i, b := range h.Bins {
		want := int64(n / 5)
		if i == 0 {
			want -= n / 50 // those without an age
		}
		if off := b.Count - want; max(off, -off) > 3*h.AllError {
			t.Errorf("bin %s counts %d, want about %d", b.Label, b.Count, want)
		}
	}
	if epsilon, ok := release.Plan.Loss.Epsilon(); !ok || epsilon.RatString() != "1" {
		t.Errorf("the loss is %v, want ε = 1", release.Plan.Loss)
	}
	for _, secret := range []string{"visitors", "Person", "Köln", "half a row"} {
		if strings.Contains(string(file.data), secret) {
			t.Errorf("the release holds %q, which is not public", secret)
		}
	}

	file = p.download(func() { p.export("#export-csv") })
	rows, err := csv.NewReader(strings.NewReader(string(file.data))).ReadAll()
	if err != nil {
		t.Fatalf("the CSV: %v", err)
	}
	if len(rows) != 6 || rows[0][0] != "age_from" || rows[1][0] != "20" || rows[1][1] != "30" ||
		rows[1][2] != fmt.Sprint(h.Bins[0].Count) {
		t.Errorf("the CSV says %q", rows)
	}

	file = p.download(func() { p.export("#export-svg") })
	if file.name != "hush-histogram.svg" {
		t.Errorf("the chart is called %q", file.name)
	}
	if shapes := svgShapes(t, file.data); shapes < 10 {
		t.Errorf("the SVG has %d shapes, want bars and error bars", shapes)
	}
}

// svgShapes parses an SVG document and counts what it draws.
func svgShapes(t *testing.T, data []byte) (shapes int) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(string(data)))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return shapes
		}
		if err != nil {
			t.Fatalf("the SVG: %v", err)
		}
		if start, ok := token.(xml.StartElement); ok &&
			(start.Name.Local == "path" || start.Name.Local == "text") {
			shapes++
		}
	}
}

func TestMedianOfADroppedFile(t *testing.T) {
	p := open(t, serveBundle(t).url)
	p.drop("#drop", visitors(t, 5000))
	askAge(p)
	p.askAbout("median", "age")
	p.waitText("Interval of values")
	p.click("button", "Release, spending ε = 0.5")
	p.waitText("Half of the people with a value of age have")
	file := p.download(func() { p.export("#export-json") })
	var release task.Release
	if err := json.Unmarshal(file.data, &release); err != nil {
		t.Fatal(err)
	}
	// Each age stands for 100 people, so a rank error of some dozens moves the median by one or
	// two.
	if age, err := strconv.Atoi(release.Answer.Result.(*task.Median).Value); err != nil ||
		age < 42 || age > 48 {
		t.Errorf("the median is %q, want about 45", release.Answer.Result.(*task.Median).Value)
	}
	if text := string(file.data); strings.Contains(text, "town") ||
		strings.Contains(text, "name\"") {
		t.Error("the header of a column that was not described is in a release")
	}
}

func TestFaultsStandAtTheirFields(t *testing.T) {
	p := open(t, serveBundle(t).url)
	p.sample("Salaries")
	p.describing("salary", func() {
		p.fill("textbox", "Smallest possible value", "0")
		p.fill("textbox", "Largest possible value", "many")
		p.clickSelector("#hi")
		p.press(kb.Enter)
		p.until("a marked field",
			`document.getElementById("hi").getAttribute("aria-invalid") === "true"`)
		if got := p.value("textbox", "Largest possible value"); got != "many" {
			t.Errorf("the input is now %q", got)
		}
		p.fill("textbox", "Largest possible value", "30000")
	})
	p.askAbout("histogram", "salary")
	p.options()
	p.fill("textbox", "Bin width", "2500")
	p.fill("textbox", "Privacy loss ε (epsilon)", "-1")
	p.until("a marked ε",
		`document.getElementById("epsilon").getAttribute("aria-invalid") === "true"`)
	p.fill("textbox", "Privacy loss ε (epsilon)", "0.1")
	p.waitText("All 13 counts at once")
	p.describing("role", func() {
		p.fill("textbox", "Categories, one a line", "")
		p.click("button", "Done")
		p.until("a marked list",
			`document.getElementById("categories").getAttribute("aria-invalid") === "true"`)
		p.fill("textbox", "Categories, one a line", "sales\nother")
	})
}

func TestCancelWhileReading(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large.csv")
	writePeople(t, path, 400<<20)
	p := open(t, serveBundle(t).url)
	p.upload("#file", path)
	p.click("button", "Cancel")
	p.waitText(landed)
	p.sample("Clinic visits")
	p.waitText("Clinic visits · 3 200 patients")
}

func TestPageOutlivesItsEngine(t *testing.T) {
	p := open(t, serveBundle(t).url)
	p.upload("#file", visitors(t, 1000))
	askAge(p)
	p.inWorker("engine.js",
		`void setTimeout(() => { postMessage({ op: "died", reason: "out-of-memory" }); close(); })`,
		nil)
	p.waitText("The engine stopped and a new one")
	p.click("button", "Release, spending ε = 0.5")
	p.waitText(histogramSays)
	p.waitText("spent ε = 0.5 of 3")
	p.waitBudget("Spent on this file so far, on this device: ε = 0.5 in one release.")
}

func TestAnswersOffline(t *testing.T) {
	s := servePlain(t, "/docs/play/")
	p := open(t, s.url)
	p.until("the service worker to be in charge", `navigator.serviceWorker.controller`)
	s.stop()
	p.reload()
	p.sample("Ways to work")
	p.waitText("4 000 commuters")
	p.choose("Column", "minutes")
	p.waitPrice()
}

// TestByKeyboardAlone goes from an empty page to a release without a mouse.
func TestByKeyboardAlone(t *testing.T) {
	p := open(t, serveBundle(t).url)
	tabTo(p, "DisclosureTriangle", "Other ways to begin")
	p.press(kb.Enter)
	tabTo(p, "button", "Clinic visits")
	p.press(kb.Enter)
	p.waitText("Clinic visits · 3 200 patients")
	p.until("the focus on the question",
		`document.activeElement.id === "step-question"`)
	tabs := tabTo(p, "combobox", "Column")
	p.press(kb.ArrowDown)
	p.until("another column", `document.getElementById("column").value === "2"`)
	tabs += tabTo(p, "slider", "Privacy loss")
	p.press(kb.ArrowRight)
	p.until("the next stop", `document.getElementById("epsilon").value === "0.7"`)
	p.waitText("Smallest group that stands out")
	p.until("the button to be priced", `document.querySelector("#run:enabled")?.ariaLabel ===
		"Release, spending ε = 0.7"`)
	tabs += tabTo(p, "button", "Release, spending ε = 0.7")
	if tabs > 25 {
		t.Errorf("a release takes %d tab stops from the question on, want 25 at most", tabs)
	}
	p.press(kb.Enter)
	p.waitText(histogramSays)
	if role, name := p.focused(); name == "" && role == "" {
		t.Error("the focus is lost after a release")
	}
}

// tabTo presses Tab until the element of that role and name has the focus, and counts.
func tabTo(p *webPage, role, name string) (tabs int) {
	p.t.Helper()
	for ; tabs < 60; tabs++ {
		if r, n := p.focused(); r == role && strings.HasPrefix(n, name) {
			return tabs
		}
		p.press(kb.Tab)
	}
	p.t.Fatalf("60 tabs do not reach the %s %q", role, name)
	return tabs
}

// TestEveryStateIsAccessible looks at each state of the page in both themes, narrow and wide, and
// keeps pictures.
func TestEveryStateIsAccessible(t *testing.T) {
	p := open(t, serveBundle(t).url)
	look := func(state string) {
		t.Helper()
		for _, theme := range []string{"light", "dark"} {
			for _, width := range []int64{360, 1280} {
				p.screenshot(fmt.Sprintf("%s-%s-%d", state, theme, width), width, 900, theme)
				p.axe()
				p.until("no sideways scrolling",
					`document.documentElement.scrollWidth <= innerWidth`)
			}
		}
	}
	p.waitText(landed)
	look("empty")
	p.upload("#file", visitors(t, 1000))
	p.waitText("Is this your table?")
	look("opened")
	p.confirm()
	look("columns")
	p.describing("age", func() {
		p.fill("textbox", "Smallest possible value", "20")
		p.fill("textbox", "Largest possible value", "21")
		p.click("button", "Done")
		p.waitText("Some of the first rows lie outside")
		look("outside")
		p.fill("textbox", "Largest possible value", "69")
	})
	p.question()
	p.waitPrice()
	p.click("button", "More…")
	look("search")
	p.click("button", "More…")
	p.options()
	p.fill("textbox", "Bin width", "0")
	p.until("a fault", `document.getElementById("width").getAttribute("aria-invalid") === "true"`)
	look("fault")
	p.fill("textbox", "Bin width", "5")
	p.waitText("All 10 counts at once")
	look("priced")
	p.click("button", "Release, spending")
	p.until("a chart", `document.querySelector("#release-chart svg path")`)
	look("released")
}

// TestSpendingIsRemembered: what was spent is remembered by the data set, also after a reload, and
// added up exactly.
func TestSpendingIsRemembered(t *testing.T) {
	path := visitors(t, 1000)
	p := open(t, serveBundle(t).url)
	p.upload("#file", path)
	askAge(p)
	p.fill("textbox", "Privacy loss ε (epsilon)", "0.5")
	for range 2 {
		p.question()
		p.waitText("costs ε = 0.5 of 3")
		p.click("button", "Release")
		p.waitText(histogramSays)
	}
	p.waitText("spent ε = 1 of 3")
	p.reload()
	p.waitText("A question is waiting") // the address kept it
	p.upload("#file", path)
	p.waitText("ε = 1.5 left afterwards")
	p.describing("age", func() {
		if got := p.value("textbox", "Largest possible value"); got != "69" {
			t.Errorf("the question came back with a largest value of %q, want 69", got)
		}
	})
}

// TestAddressOfWhatWasTyped: the address holds a question before another is gone to, however soon
// after the last key.
func TestAddressOfWhatWasTyped(t *testing.T) {
	path := visitors(t, 1000)
	p := open(t, serveBundle(t).url)
	p.expect("Blocked attempt to show a 'beforeunload'") // it is left before anybody clicked
	p.upload("#file", path)
	askAge(p)
	p.options()
	typed := func(text string) {
		t.Helper()
		p.on("textbox", "Bin width", `function(text) {
			this.value = text;
			this.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText" }));
		}`, nil, text)
	}
	holds := func(width string) {
		t.Helper()
		p.until("an address with a bin width of "+width,
			`atob(location.hash.split("q=")[1] ?? "").includes('"width":"`+width+`"')`)
	}
	typed("7")
	p.visit("about:blank")
	p.eval(`history.back()`, nil)
	holds("7")
	p.reload()
	p.waitText("A question is waiting")
	p.upload("#file", path)
	p.click("button", "Yes, continue") // half a row may be one that a line end broke
	p.waitPrice()

	p.options()
	typed("9")
	p.eval(`document.querySelector("nav a[href='#/ledger']").click()`, nil)
	p.waitText("Budget spent and left")
	p.eval(`history.back()`, nil)
	holds("9")
	p.until("the question of before", `document.getElementById("width")?.value === "9"`)
}
