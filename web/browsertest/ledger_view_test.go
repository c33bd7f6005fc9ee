//go:build browser

package browsertest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hush/web/engine"
)

// release asks about ages of 20 to 69 in the file at hand and releases, spending epsilon.
func release(p *webPage, epsilon string) {
	p.t.Helper()
	p.question()
	p.fill("textbox", "Privacy loss ε (epsilon)", epsilon)
	p.click("button", "Release")
	p.waitText(histogramSays)
}

// goTo follows a link of the masthead.
func goTo(p *webPage, view string) {
	p.t.Helper()
	p.click("link", view)
}

// TestLedgerShowsWhatWasSpent: spend, see it here and in another tab at once, reload, reach the
// limit, change it.
func TestLedgerShowsWhatWasSpent(t *testing.T) {
	path := visitors(t, 1000)
	p := open(t, serveBundle(t).url)
	goTo(p, "Ledger")
	p.waitText("Nothing has been released on this device yet.")
	other := p.another(p.address())
	other.waitText("Nothing has been released on this device yet.")

	goTo(p, "Publish")
	p.upload("#file", path)
	askAge(p)
	p.waitBudget("The limit for all releases together is ε = 3, δ = 0.000001. Left: ε = 3, δ = " +
		"0.000001.")
	p.waitBudget("This release would leave ε = 2.5, δ = 0.000001.")
	release(p, "1.5")
	p.waitText("spent ε = 1.5 of 3")
	p.question()
	p.waitText("Half of the limit or more is spent.")
	other.waitText(
		"Spent: ε = 1.5 in one release, of ε = 3, δ = 0.000001 in all. Left: ε = 1.5, δ = " +
			"0.000001.")
	other.waitText("Histogram")

	goTo(p, "Ledger")
	p.waitText("Open in this tab visitors.csv")
	p.waitText("Spent of the limit: 50 %.")
	goTo(p, "Publish")
	p.question()
	p.fill("textbox", "Privacy loss ε (epsilon)", "2")
	p.waitText("This release would go over the limit and will be refused: it costs ε = 2, and ε " +
		"= 1.5, δ = 0.000001 is left of ε = 3, δ = 0.000001.")
	p.click("button", "Release")
	p.waitText("This release is refused: it costs ε = 2, ε = 1.5 was spent on this data set " +
		"before, and the limit is ε = 3, δ = 0.000001 in all. Nothing was spent.")
	p.fill("textbox", "Privacy loss ε (epsilon)", "1")
	p.click("button", "Try again")
	p.waitText("spent ε = 2.5 of 3")
	p.waitBudget("on this device: ε = 2.5 in 2 releases")
	p.fill("textbox", "Privacy loss ε (epsilon)", "0.1")
	p.waitText("At least four fifths of the limit is spent.")

	p.reload()
	goTo(p, "Ledger")
	p.waitText("Spent: ε = 2.5 in 2 releases")
	p.waitText("Spent of the limit: 83.4 %.")
	p.click("DisclosureTriangle", "Change the limit")
	p.fill("textbox", "Most ε in all", "less")
	p.click("button", "Set this limit")
	p.waitText("Wanted: a number from 0.000000001 to 100")
	if got := p.value("textbox", "Most ε in all"); got != "less" {
		t.Errorf("the input is now %q", got)
	}
	p.fill("textbox", "Most ε in all", "5/2")
	p.click("button", "Set this limit")
	p.waitText("The limit is fully spent.")
	other.waitText("The limit is fully spent.")
	p.until("the form closed",
		`![...document.querySelectorAll(".account details")].some((d) => d.open)`)
	p.click("DisclosureTriangle", "Change the limit")
	if !p.evalBool(
		`[...document.querySelectorAll("button")].find((b) => b.textContent === "Remove the limit").disabled`) {
		t.Error("the limit can be removed before the words for it are ticked")
	}
	p.click("checkbox", "I want no limit for this data set")
	p.click("button", "Remove the limit")
	p.waitText("Spent: ε = 2.5 in 2 releases, without a limit.")
}

func (p *webPage) evalBool(expression string) (holds bool) {
	p.t.Helper()
	p.eval(expression, &holds)
	return holds
}

// TestLedgerFile: export, import into the same browser and into another, and files that are
// refused.
func TestLedgerFile(t *testing.T) {
	s := serveBundle(t)
	path := visitors(t, 10_000)
	p := open(t, s.url)
	p.upload("#file", path)
	askAge(p)
	release(p, "0.1")
	release(p, "0.2")
	goTo(p, "Ledger")
	p.waitText("Spent: ε = 0.3 in 2 releases")
	file := p.download(func() { p.click("button", "Export the ledger") })
	all, err := engine.ReadLedger(string(file.data))
	if err != nil || len(all) != 1 || len(all[0].Entries) != 2 {
		t.Fatalf("exported %s (%v)", file.data, err)
	}
	for _, secret := range []string{"visitors", "age", "Köln", "Person"} {
		if strings.Contains(string(file.data), secret) {
			t.Errorf("the ledger's file holds %q", secret)
		}
	}
	keep := func(name string, text []byte) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	ledger := keep("ledger.json", file.data)

	p.upload("#ledger-file", ledger)
	p.waitText("The file holds one data set. 0 releases added, 2 known here already.")

	p.eval(`void (globalThis.readText = File.prototype.text, File.prototype.text = () => Promise.reject(new DOMException("moved", "NotFoundError")))`, nil)
	p.upload("#ledger-file", ledger)
	p.waitText("The file can no longer be read: it was moved or changed. Choose it again.")
	p.eval(`void (File.prototype.text = readText)`, nil)
	p.upload("#ledger-file", keep("cut.json", file.data[:len(file.data)/2]))
	p.waitText("This ledger file cannot be read: line")
	p.upload("#ledger-file",
		keep("later.json",
			[]byte(strings.Replace(string(file.data), `"version": 1`, `"version": 4`, 1))))
	p.waitText("it is of version 4, and this page reads versions 1 to 3.")
	p.upload("#ledger-file",
		keep("number.json", []byte(strings.Replace(string(file.data), `"1/5"`, `"-1/5"`, 1))))
	p.waitText("data set 1, release 2:")
	// One entry is new and one contradicts: neither may get in.
	cheaper := all[0]
	cheaper.Entries[1].Loss, cheaper.Entries[0].ID = cheaper.Entries[0].Loss,
		"00000000-0000-4000-8000-000000000000"
	text, err := engine.WriteLedger([]engine.Spending{cheaper})
	if err != nil {
		t.Fatal(err)
	}
	p.upload("#ledger-file", keep("cheaper.json", []byte(text)))
	p.waitText("This ledger file contradicts the ledger of this browser")
	p.waitText("Spent: ε = 0.3 in 2 releases")

	// What is lost here comes back from the file.
	p.script(deleteOneEntry, nil)
	p.reload()
	goTo(p, "Ledger")
	p.waitText("The ledger lacks entries of this data set")
	goTo(p, "Publish")
	p.upload("#file", path)
	p.waitText("Is this your table?")
	p.confirm()
	p.describe("age", "20", "69")
	p.question()
	p.waitText("Nothing can be released without a record of the budget spent.")
	goTo(p, "Ledger")
	p.upload("#ledger-file", ledger)
	p.waitText("One release added, 1 known here already.")
	p.waitGone("The ledger lacks entries of this data set")
	p.waitText("Spent: ε = 0.3 in 2 releases")
	goTo(p, "Publish")
	p.waitPrice()
	release(p, "0.1")
	p.waitText("spent ε = 0.4 of 3")
	p.waitBudget("on this device: ε = 0.4 in 3 releases")

	// In another browser the same bytes have another name.
	q := open(t, s.url)
	goTo(q, "Ledger")
	q.waitText("Nothing has been released on this device yet.")
	q.upload("#ledger-file", ledger)
	q.waitText("2 releases added, 0 known here already. One data set is named by another browser")
	q.waitText("Imported from another browser")
	goTo(q, "Publish")
	q.upload("#file", path)
	askAge(q)
	q.waitBudget("Nothing has been spent on this file yet.")
	goTo(q, "Ledger")
	q.until("two data sets", `document.querySelectorAll(".account").length === 2`)
	again := q.download(func() { q.click("button", "Export the ledger") })
	if back, err := engine.ReadLedger(string(again.data)); err != nil || len(back) != 1 ||
		back[0].Browser != all[0].Browser {
		t.Errorf("exported again: %s (%v), want the other browser's name kept", again.data, err)
	}
}

const deleteOneEntry = `
	const db = await new Promise((done) => { const open = indexedDB.open("hush"); open.onsuccess = () => done(open.result); });
	await new Promise((done) => {
		const tx = db.transaction("entries", "readwrite");
		tx.objectStore("entries").openCursor().onsuccess = ({ target }) => target.result.delete();
		tx.oncomplete = done;
	});
	db.close();`

// TestLedgerOfABrowserThatKeepsNothing: the page says so, and so does the workbench.
func TestLedgerOfABrowserThatKeepsNothing(t *testing.T) {
	p := open(t, serveBundle(t).url)
	p.waitText(landed)
	p.inWorker("engine.js", refuseStorage, nil)
	goTo(p, "Ledger")
	p.waitText("The browser refuses to store the ledger")
	p.waitText("nothing can be released here")
	p.screenshot("ledger-refused", 1280, 700, "light")
	p.axe()
}

// TestLedgerIsAccessible looks at the ledger in its states, narrow and wide, in both themes.
func TestLedgerIsAccessible(t *testing.T) {
	p := open(t, serveBundle(t).url)
	look := func(state string) {
		t.Helper()
		for _, theme := range []string{"light", "dark"} {
			for _, width := range []int64{360, 1280} {
				p.screenshot(fmt.Sprintf("ledger-%s-%s-%d", state, theme, width), width, 1500,
					theme)
				p.axe()
				p.until("no sideways scrolling",
					`document.documentElement.scrollWidth <= innerWidth`)
			}
		}
	}
	goTo(p, "Ledger")
	p.waitText("Nothing has been released on this device yet.")
	look("empty")
	p.upload("#ledger-file", writeLedger(t))
	p.waitText("4 data sets have names from another browser")
	goTo(p, "Publish")
	p.upload("#file", visitors(t, 1000))
	askAge(p)
	release(p, "0.5")
	look("released")
	p.question()
	p.fill("textbox", "Privacy loss ε (epsilon)", "3")
	p.waitText("This release would go over the limit")
	look("over")
	goTo(p, "Ledger")
	p.waitText("Open in this tab")
	p.eval(`document.querySelectorAll(".account details").forEach((d) => { d.open = true; })`, nil)
	look("full")
}

// writeLedger is a ledger of another browser, one data set at each level and one with losses.
func writeLedger(t *testing.T) string {
	t.Helper()
	set := func(digit string, lost int, losses ...string) map[string]any {
		releases := []any{}
		for i, loss := range losses {
			releases = append(releases,
				map[string]any{
					"id":   fmt.Sprintf("0a1b2c3d-0a1b-4c2d-8e3f-%s%011d", digit, i),
					"task": "median",
					"loss": map[string]string{"epsilon": loss, "delta": "0"},
					"time": fmt.Sprintf("2026-01-0%dT12:00:00.000Z", i+1)})
		}
		s := map[string]any{"fingerprint": strings.Repeat(digit, 64), "browser": "00112233445566aa",
			"limit": engine.DefaultLimit(), "releases": releases}
		if lost > 0 {
			s["lost"] = []string{"0a1b2c3d-0a1b-4c2d-8e3f-999999999999"}
		}
		return s
	}
	text, err := json.Marshal(
		map[string]any{"format": "hush-ledger", "version": 1, "dataSets": []any{
			set("a", 0, "1", "1/2"), set("b", 0, "2", "1/2", "1/30"), set("c", 0, "3"),
			set("d", 1, "1/7")}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "ledger.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestSlackIsSetAside: a δ is set aside before the first release; then more is released than the
// plain sum allows, and what the ledger says of it outlives the tab.
func TestSlackIsSetAside(t *testing.T) {
	p := open(t, serveBundle(t).url)
	p.upload("#file", visitors(t, 1000))
	askAge(p)
	goTo(p, "Ledger")
	p.click("DisclosureTriangle", "Change the limit")
	p.fill("textbox", "Most ε in all", "1")
	p.fill("textbox", "δ set aside", "2")
	p.click("button", "Set this limit")
	p.waitText("Wanted: 0 or a number from 1e-100 to below 1")
	p.fill("textbox", "Most δ in all", "0")
	p.fill("textbox", "δ set aside", "0.1")
	p.click("button", "Set this limit")
	p.waitText("All releases together cost at most ε = 1, δ = 0.1, however many there are: that " +
		"was fixed before the first one. Nothing is spent yet.")
	p.axe()

	goTo(p, "Publish")
	release(p, "0.4") // ρ = .4·tanh(.1) each, of .2683; the plain sum has room for two
	p.waitBudget("on this device: 14.9 % of its limit in one release.")
	p.waitBudget("There is room for 5 like it.")
	for _, spent := range []string{"29.8", "44.6"} {
		p.clickSelector("#run")
		p.waitText("spent " + spent + " % of the limit")
		p.question()
	}
	says := func() {
		t.Helper()
		goTo(p, "Ledger")
		p.waitText("All releases together cost at most ε = 1, δ = 0.1, however many there are: " +
			"that was fixed before the first one. Used by 3 releases: 44.6 %. " +
			"Left: room for ε = 0.")
		p.waitText("ρ (zero-concentrated) 0.1196")
		p.waitText("ε, the plain sum 1.2 1")
	}
	says()
	p.axe()
	p.reload()
	says()

	// What was fixed stays, and all of it counts as spent once the limit is raised.
	p.click("DisclosureTriangle", "Change the limit")
	p.fill("textbox", "Most ε in all", "2")
	p.click("button", "Set this limit")
	p.waitText("The limit was raised once.")
	p.reload()
	goTo(p, "Ledger")
	p.waitText("The limit was raised once.")
	p.waitText("All releases together cost at most ε = 2, δ = 0.1")
}

// TestRulesOfCompositionAreCompared: the engine says what two releases cost together by each rule,
// and which one holds.
func TestRulesOfCompositionAreCompared(t *testing.T) {
	p := open(t, serveBundle(t).url)
	p.upload("#file", visitors(t, 1000))
	askAge(p)
	p.waitBudget("There is room for 6 like it.")
	release(p, "0.5")
	p.waitBudget("There is room for 5 like it.")
	p.clickSelector("#run")
	p.waitText("spent ε = 1 of 3")
	goTo(p, "Ledger")
	p.click("button", "Compare the rules of composition for data set")
	p.waitText("basic composition: the sum 1 0 yes: the ledger counts this")
	p.waitText("optimal composition")
	p.axe()
}

// TestLongLedgerIsPaged: a thousand releases of one data set come in from a file; the last 20 are
// listed, and then fifty more at a time. How long the page is busy meanwhile is reported, and not
// judged here.
func TestLongLedgerIsPaged(t *testing.T) {
	const many, atFirst, atOnce = 1000, 20, 50
	releases := []any{}
	for i := range many {
		releases = append(releases, map[string]any{
			"id":   fmt.Sprintf("0a1b2c3d-0a1b-4c2d-8e3f-%012d", i),
			"task": []string{"median", "count", "histogram"}[i%3],
			"loss": map[string]string{"epsilon": fmt.Sprintf("%d/%d", 1+i%7, 1000+i), "delta": "0"},
			"time": time.Date(2026, 1, 1, 0, i, 0, 0, time.UTC).Format("2006-01-02T15:04:05.000Z")})
	}
	text, err := json.Marshal(map[string]any{"format": "hush-ledger", "version": 1,
		"dataSets": []any{map[string]any{"fingerprint": strings.Repeat("a", 64),
			"browser": "00112233445566aa", "limit": engine.DefaultLimit(),
			"releases": releases}}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "long.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	p := open(t, serveBundle(t).url)
	busy := func(what string, do func()) {
		t.Helper()
		p.eval(`void (globalThis.tasks = [], globalThis.observer = new PerformanceObserver((list) => {
			for (const { duration } of list.getEntries()) tasks.push(duration);
		}), observer.observe({ type: "longtask" }))`, nil)
		do()
		var got struct {
			Tasks          int
			Total, Longest float64
		}
		p.eval(`new Promise((done) => setTimeout(() => {
			observer.disconnect();
			done({ tasks: tasks.length, total: tasks.reduce((a, b) => a + b, 0), longest: Math.max(0, ...tasks) });
		}, 200))`, &got)
		t.Logf("%s: %d long tasks, %.0f ms in all, the longest %.0f ms", what, got.Tasks,
			got.Total, got.Longest)
	}
	listed := func(want int) {
		t.Helper()
		p.until(fmt.Sprintf("%d releases in the list", want),
			fmt.Sprintf(`[...document.querySelectorAll(".account table")]
				.some((table) => table.querySelectorAll("tbody tr").length === %d)`, want))
	}
	goTo(p, "Ledger")
	busy("a file of 1000 releases read", func() {
		p.upload("#ledger-file", file)
		p.waitText("1000 releases added")
	})
	p.reload()
	p.waitText("in 1000 releases") // what starts the program is not the ledger's
	goTo(p, "Publish")
	p.until("the ledger has gone", `!document.querySelector(".account")`)
	busy("the page of 1000 releases drawn", func() {
		goTo(p, "Ledger")
		p.waitText("in 1000 releases")
		p.eval(`document.querySelectorAll(".account details").forEach((d) => { d.open = true; })`,
			nil)
		listed(atFirst)
	})
	busy("fifty more drawn", func() {
		p.click("button", "Show 50 earlier releases")
		listed(atFirst + atOnce)
	})
}
