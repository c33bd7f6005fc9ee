//go:build browser

package browsertest

import (
	"fmt"
	"strings"
	"testing"
)

// TestRowsChosenPrivately describes visits of patients, lets the number of visits that count be
// chosen privately, and finds that number in the form and its price in the ledger.
func TestRowsChosenPrivately(t *testing.T) {
	p := open(t, serveBundle(t).url)
	var table strings.Builder
	table.WriteString("patient\tminutes\n")
	for i := range 2000 {
		for range 1 + i%4 {
			fmt.Fprintf(&table, "p%d\t%d\n", i, 10+i%50)
		}
	}
	p.click("DisclosureTriangle", "Other ways to begin")
	paste(p, "The table as text", table.String())
	p.click("button", "Read the pasted table")
	p.confirm()
	p.choose("One row is", "one of several rows per person")
	p.choose("Named in", "1 · patient")
	p.choose("Rows of each person that count", "a few rows, drawn at random")
	p.waitText("About 21 people will have more rows, in 95 of 100 choices at most 169.")
	p.fill("textbox", "Privacy loss ε for that choice", "2")
	p.waitText("About 1 person will have more rows, in 95 of 100 choices at most 8.")
	p.axe()
	p.click("button", "Choose privately, for ε = 2")
	p.waitText("was chosen, for ε = 2. At most 8 of 2000 people have more, in 95")
	p.until("the number", `Number(document.getElementById("use-rows").value) >= 3`)
	p.axe()
	p.pictures("rows-chosen")
	goTo(p, "Ledger")
	p.waitText("Quantiles")
	p.waitText("ε = 2")
}

// TestRowsLesson counts the visits of made-up patients with several bounds on those of each.
func TestRowsLesson(t *testing.T) {
	p := open(t, serveBundle(t).url)
	goTo(p, "Learn")
	p.click("link", "How many rows of a person count?")
	p.waitText("the smallest error of these")
	p.axe()
	p.pictures("rows-lesson")
	p.click("button", "Draw again")
	p.waitText("the smallest error of these")
}
