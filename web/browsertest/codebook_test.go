//go:build browser

package browsertest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// textFile is a file with this text.
func textFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// messyVisits are the visits of 300 patients, of a few rows each, as a German practice writes them:
// districts in several spellings, and rows that are not as they should be.
func messyVisits(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("Patienten-Nr.;Bezirk;Geschlecht;Alter\n")
	districts := []string{"Mitte", "Hafen", "MITTE", "Mitte", "Hafen ", "mitte", "Süd", "Park"}
	sexes := []string{"w", "m", "W", "weiblich", "m", "F", "", "d"}
	for i := range 600 {
		fmt.Fprintf(&b, "P%03d;%s;%s;%d\n", i%300, districts[i%8], sexes[i/8%8], 20+i%60)
	}
	b.WriteString("P001;Mitte\n")
	return textFile(t, "besuche.csv", b.String())
}

// TestWhoAPersonIs: before anything is described the page asks whether a person can have several
// rows. Nothing is chosen beforehand, a column whose name says so is proposed, and the guarantee and
// n follow the answer.
func TestWhoAPersonIs(t *testing.T) {
	p := open(t, serveBundle(t).url)
	p.upload("#file", messyVisits(t))
	p.waitText("Can a person have several rows?")
	p.waitText("Yes, named by 1 · Patienten-Nr.")
	if p.evalBool(`Boolean(document.querySelector("#persons :checked"))`) {
		t.Error("an answer is chosen beforehand")
	}
	p.pictures("who-a-person-is")
	p.axe()
	p.clickSelector("#confirm")
	p.waitText("Say whether a person can have several rows.")
	p.until("the focus on the question", `document.activeElement?.id === "persons"`)
	if p.there("step-columns") {
		t.Fatal("the page went on without an answer")
	}
	p.axe()
	p.confirmAs("persons-1")
	p.describe("Alter", "0", "120")
	p.question()
	p.fill("textbox", "Privacy loss ε (epsilon)", "3")
	p.waitText("of all 301 people") // and the one of the broken row, who has no identifier
	p.click("button", "Release, spending ε = 3")
	p.waitText(histogramSays)
	p.click("DisclosureTriangle", "The guarantee exactly")
	p.waitText("whose rows carry the same identifier")
	if r := released(p); r.Plan.People != 301 || r.Recipe.Person != 1 {
		t.Errorf("n = %d by column %d", r.Plan.People, r.Recipe.Person)
	}

	// A file whose names say nothing is asked the same, and any column can be named.
	p.clickSelector("#edit-step-data")
	p.upload("#file", textFile(t, "b.csv", "a,b\n1,5\n1,6\n2,7\n3,9\n"))
	p.waitText("b.csv")
	if p.there("persons-1") || p.evalBool(`Boolean(document.querySelector("#persons :checked"))`) {
		t.Error("a column is proposed by its cells")
	}
	p.clickSelector("#persons-yes")
	p.clickSelector("#confirm")
	p.waitText("Choose the column that says who a row stands for.")
	p.choose("Named in", "1 · a")
	p.clickSelector("#confirm")
	p.until("the columns", `document.getElementById("step-columns")`)
}
