//go:build browser

package browsertest

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"hush/core/task"
)

// TestMeanByGroupOfAPastedTable pastes a table, asks for the ε that an error needs, releases means
// by group, and finds the question again in the address on a page of its own.
func TestMeanByGroupOfAPastedTable(t *testing.T) {
	s := serveBundle(t)
	p := open(t, s.url)
	var table strings.Builder
	table.WriteString("team\thours\n")
	for i := range 3000 {
		fmt.Fprintf(&table, "%s\t%d\n", []string{"red", "blue"}[i%2], 20+10*(i%2)+i%5)
	}
	p.click("DisclosureTriangle", "Other ways to begin")
	paste(p, "The table as text", table.String())
	p.click("button", "Read the pasted table")
	p.confirm()
	p.describe("hours", "0", "60")
	p.askAbout("mean", "hours")
	p.choose("Answer for", "for each team") // which is described where it is chosen
	p.fill("textbox", "Categories of team, with commas between", "red, blue")
	p.waitText("Off by at most, in a group of equal share")
	p.click("DisclosureTriangle", "I know how exact it must be")
	p.fill("textbox", "Off by at most (± of the mean)", "0.5")
	p.click("button", "Find the smallest ε")
	p.until("another ε", `document.getElementById("epsilon").value !== "0.5"`)
	p.click("button", "Release, spending ε = ")
	p.waitText("Mean hours of those with a value runs from")

	file := p.download(func() { p.export("#export-json") })
	var release task.Release
	if err := json.Unmarshal(file.data, &release); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{22, 32} {
		row := release.Answer.Result.(*task.Estimates).Rows[i]
		if got, err := strconv.ParseFloat(row.Value, 64); err != nil || got < want-2 ||
			got > want+2 {
			t.Errorf("%s: %s, want about %g", row.Group, row.Value, want)
		}
	}

	var address string
	p.eval(`location.href`, &address)
	if !strings.Contains(address, "#/?q=") || strings.Contains(address, "pasted") {
		t.Fatalf("the address is %s", address)
	}
	q := open(t, address)
	q.waitText("A question is waiting")
	q.click("DisclosureTriangle", "Other ways to begin")
	paste(q, "The table as text", table.String())
	q.click("button", "Read the pasted table")
	q.waitText("Off by at most, in a group of equal share")
	q.axe()
}

// paste puts a long text into a field at once, as from the clipboard; typed, it would be an event
// for each line.
func paste(p *webPage, name, text string) {
	p.t.Helper()
	p.on("textbox", name,
		`function(text) { this.value = text; this.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertFromPaste" })); }`, nil, text)
}

// TestGroupsFoundPrivately asks for the mean by groups that nobody lists: the large ones are found,
// a person alone in one is not named anywhere in the release, and ε and δ of both steps stand in
// the ledger.
func TestGroupsFoundPrivately(t *testing.T) {
	p := open(t, serveBundle(t).url)
	var table strings.Builder
	table.WriteString("team\thours\n")
	for i := range 4000 {
		team := []string{"red", "blue"}[i%2]
		if i%100 == 7 {
			team = fmt.Sprintf("the only one of %d", i)
		}
		fmt.Fprintf(&table, "%s\t%d\n", team, 20+10*(i%2)+i%5)
	}
	p.click("DisclosureTriangle", "Other ways to begin")
	paste(p, "The table as text", table.String())
	p.click("button", "Read the pasted table")
	p.confirm()
	p.describe("hours", "0", "60")
	p.askAbout("mean", "hours")
	p.choose("Answer for", "for each … that is found privately")
	p.choose("Answer for", "for each team that is found")
	p.options()
	p.fill("textbox", "Part of ε for finding them, in percent", "30")
	p.fill("textbox", "δ (delta) for finding them", "0.1")
	p.waitText("a number below 1/n = 1/4000")
	p.fill("textbox", "δ (delta) for finding them", "0.0000001")
	p.fill("textbox", "Privacy loss ε (epsilon)", "1")
	p.waitText("A group is found from")
	p.click("button", "Release, spending ε = 1")
	p.waitText("2 groups were found.")
	p.until("a chart", `document.querySelector("#release-chart svg path")`)
	p.axe()

	file := p.download(func() { p.export("#export-json") })
	var release task.Release
	if err := json.Unmarshal(file.data, &release); err != nil {
		t.Fatal(err)
	}
	rows := release.Answer.Result.(*task.Estimates).Rows
	if len(rows) != 3 || rows[0].Group != "blue" || rows[1].Group != "red" ||
		strings.Contains(string(file.data), "the only one") {
		t.Fatalf("the groups are %+v", rows)
	}
	for i, want := range []float64{32, 22} {
		if got, err := strconv.ParseFloat(rows[i].Value, 64); err != nil || got < want-2 ||
			got > want+2 {
			t.Errorf("%s: %s, want about %g", rows[i].Group, rows[i].Value, want)
		}
	}
	p.click("link", "Ledger")
	p.waitText("Spent: ε = 1, δ ≤ ") // of the two steps together
}
