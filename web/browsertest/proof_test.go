//go:build browser

package browsertest

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"hush/core/audit"
)

// pictures keeps the page in both themes and on a small screen, where HUSH_SHOTS asks for it.
func (p *webPage) pictures(name string) {
	p.t.Helper()
	if os.Getenv("HUSH_SHOTS") == "" {
		return
	}
	p.screenshot(name+"-light", 1280, 900, "light")
	p.screenshot(name+"-dark", 1280, 900, "dark")
	p.screenshot(name+"-narrow", 360, 900, "light")
	p.size(1280, 900)
}

// TestProveIt proves a claim, plants mistakes, chooses a pair, comes back by its address, and
// cancels.
func TestProveIt(t *testing.T) {
	p := open(t, serveBundle(t).url)
	goTo(p, "Proof")
	p.waitText("Holds. If any person is replaced, no outcome becomes more than 3/2 times as " +
		"likely: the largest ratio over all 8 pairs of neighbours is 3/2.")
	p.waitText("not a release")
	p.waitText("Both runs make the same draws, no input moves further than its noise allows for")
	p.waitText("discrete Laplace noise")
	charts := `["laws-chart", "ratios-chart", "need-chart"].every((id) => document.querySelector("#" + id + " svg"))`
	p.until("the charts", charts)
	p.axe()
	p.pictures("proof-holds")

	p.click("radio", "No noise on a count of 0")
	p.waitText("Fails: the outcome “")
	p.waitText("is impossible for the")
	p.waitText("Fails: the two runs draw differently")
	p.until("the red bars", charts)
	p.axe()
	p.theme("dark")
	p.axeOf("dark", "color-contrast")
	p.theme("light")
	p.pictures("proof-fails")
	p.choose("First data set", "4 × yes")
	p.choose("Second data set, one person replaced", "1 × no, 3 × yes")
	p.waitText("Fails, though not for this pair")
	p.reload()
	p.waitText("Fails, though not for this pair")
	if got := p.value("combobox", "First data set"); got != "4 × yes" && got != "0.0.0.0" {
		t.Errorf("after a reload the first data set is %q", got)
	}
	p.choose("Algorithm", "A histogram with noise") // the list of mistakes changes where it stands
	p.waitText("Holds. If any person is replaced, no outcome becomes more than 9/4 times as likely")
	p.click("radio", "Noise for adding or removing a person")
	p.waitText("is 81/16 times as likely")
	p.waitText("Fails: the draws cost more than the claim.")
	for _, address := range []string{"/prove/stability-histogram?bug=low",
		"/prove/above-threshold?bug=goes-on", "/prove/best-of-runs?bug=fixed",
		"/prove/stable-votes?bug=tells", "/prove/relabelling?bug=told",
		"/prove/semi-private?bug=own", "/prove/treelog?bug=range", "/prove/merr?bug=whole",
		"/prove/mwem?bug=whole"} {
		p.eval(`void (location.hash = "#`+address+`")`, nil)
		p.waitText("Fails")
		p.until("the charts", charts)
		p.pictures("proof" + strings.ReplaceAll(strings.Split(address, "?")[0][6:], "/", "-"))
	}

	p.eval(`void (location.hash = "#/prove/binary-search?persons=4&values=8")`, nil) // seconds
	p.waitText("Following every coin on every data set…")
	p.click("button", "Cancel")
	p.waitText("Cancelled.")
	p.choose("Persons", "1")
	p.waitText("Holds.")
	var asked int
	p.eval(`new Promise((done) => { const open = indexedDB.databases(); open.then((all) => done(all.filter((d) => d.name === "hush").length)); })`, &asked)
	if asked > 0 {
		t.Error("a demonstration opened the ledger's store")
	}
}

// TestHowWeKnow shows the figures of the bundle's file and no others.
func TestHowWeKnow(t *testing.T) {
	s := serveBundle(t)
	p := open(t, s.url)
	goTo(p, "Proof")
	p.click("link", "Evidence")
	p.waitText("claims audited, all hold")
	var text string
	p.eval(`fetch(new URL("evidence.json", document.querySelector('script[src$="page.js"]').src)).then((answer) => answer.text())`, &text)
	var records []audit.Record
	if err := json.Unmarshal([]byte(text), &records); err != nil {
		t.Fatal(err)
	}
	want := 0
	for _, r := range records {
		want += len(r.Claims) + len(r.Planted) + len(r.Intervals)
	}
	if len(records) < 4 {
		t.Errorf("%d packages", len(records))
	}
	p.until("a row for each claim and each interval",
		fmt.Sprintf(`document.querySelectorAll("section.step tbody tr").length === %d`, want))
	p.axe()
	p.pictures("evidence")
	p.eval(`document.querySelectorAll("details").forEach((d) => { d.open = true; })`, nil)
	p.axe()
	p.theme("dark")
	p.axeOf("dark", "color-contrast")
	p.theme("light")
	p.pictures("evidence-open")
}
