//go:build browser

package browsertest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hush/core/task"
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
// rows. Nothing is chosen beforehand, a column whose name says so is proposed, and the guarantee
// and n follow the answer.
func TestWhoAPersonIs(t *testing.T) {
	p := open(t, serveBundle(t).url)
	p.upload("#file", messyVisits(t))
	p.waitText("Can a person have several rows?")
	p.waitText("Yes, named by Patienten-Nr.")
	if p.there("confirm") || p.evalBool(answered) {
		t.Error("an answer is chosen beforehand, or the page goes on without one")
	}
	p.pictures("who-a-person-is")
	p.axe()
	p.confirmAs("persons-1")
	p.describe("Alter", "0", "120")
	p.question()
	p.fill("textbox", "Privacy loss ε (epsilon)", "3")
	p.waitText("of all 301 people") // and the one of the broken row, who has no identifier
	p.click("button", "Release, spending ε = 3")
	p.waitText(histogramSays)
	p.click("DisclosureTriangle", "The guarantee exactly")
	p.waitText("rows with the same identifier are one person")
	if r := released(p); r.Plan.People != 301 || r.Recipe.Person != 1 {
		t.Errorf("n = %d by column %d", r.Plan.People, r.Recipe.Person)
	}

	// A file whose names say nothing is asked the same, and any column can be named.
	p.clickSelector("#edit-step-data")
	p.upload("#file", textFile(t, "b.csv", "a,b\n1,5\n1,6\n2,7\n3,9\n"))
	p.waitText("b.csv")
	if p.there("persons-1") || p.evalBool(answered) {
		t.Error("a column is proposed by its cells")
	}
	p.clickSelector("#persons-yes")
	p.clickSelector("#confirm")
	p.waitText("Choose the column that identifies a row's person.")
	p.choose("Named in", "1 · a")
	p.clickSelector("#confirm")
	p.until("the columns", `document.getElementById("step-columns")`)
}

// TestCellsInNoCategory: the owner sees which cells the list leaves without a place, wherever in
// the file, and says what they are; the answer then counts them. What is left out leaves the page
// nowhere.
func TestCellsInNoCategory(t *testing.T) {
	p := open(t, serveBundle(t).url)
	var b strings.Builder
	truth := map[string]int64{} // once MITTE counts as Mitte
	b.WriteString("Bezirk,Geschlecht\n")
	for i := range 1000 { // the first rows are as they should be
		district, sex := "Mitte", "w"
		switch {
		case i >= 900 && i < 950:
			district = "MITTE"
		case i >= 950 && i < 960:
			district = "Herr Geheim"
		case i%2 == 0:
			district, sex = "Hafen", "m"
		}
		if i%4 == 1 {
			sex = "weiblich"
		}
		fmt.Fprintf(&b, "%s,%s\n", district, sex)
		truth[strings.Replace(district, "MITTE", "Mitte", 1)]++
	}
	p.upload("#file", textFile(t, "bezirke.csv", b.String()))
	p.confirm()
	p.describeList("Bezirk", "Mitte", "Hafen")
	p.waitText("Some cells are in none of these categories.")
	p.waitText("“MITTE”")
	p.waitText("“Herr Geheim”")
	p.axe()
	p.pictures("cells-in-no-category")
	p.kind("histogram")
	p.choose("Column", "Bezirk")
	p.waitText("Some cells of Bezirk match none of its categories, and count as no value.")
	p.axe()
	p.click("button", "Say what they are")
	p.until("the cells", `document.getElementById("place-1")`)
	if chosen := p.value("combobox", "“MITTE”"); chosen != "0" {
		t.Errorf("of MITTE is proposed %q", chosen)
	}
	p.click("button", "Count them so")
	p.until("an end", `!document.getElementById("place-1")`)
	p.question()
	p.fill("textbox", "Privacy loss ε (epsilon)", "3")
	p.waitPrice()
	p.click("button", "Release, spending ε = 3")
	p.waitText("spent ε = 3 of")
	r := released(p)
	for _, bin := range r.Answer.Result.(*task.Histogram).Bins {
		if off := bin.Count - truth[bin.Label]; off < -15 || off > 15 {
			t.Errorf("%s has %d people, want about %d", bin.Label, bin.Count, truth[bin.Label])
		}
	}
	file := p.download(func() { p.export("#export-json") })
	for name, text := range map[string]string{"release": string(file.data),
		"address": p.address()} {
		if strings.Contains(text, "Geheim") {
			t.Errorf("what was left out is in the %s", name)
		}
	}

	// Labels: cells of several spellings under a word of the owner's.
	p.columns()
	p.describing("Geschlecht", func() {
		p.holds("Geschlecht", "categories")
		p.fill("textbox", "Categories, one a line", "women = w\nmen = m")
		p.click("DisclosureTriangle", "Case, spaces, other cells")
		p.axe()
	})
	p.waitText("“weiblich”")
	p.choose("“weiblich”", "counts as women")
	p.click("button", "Count them so")
	p.until("an end", `!document.getElementById("place-2")`)
	p.pictures("categories-with-labels")
	p.until("both spellings",
		`document.querySelector("#column-2 .range").textContent.includes("women, men")`)
}

// TestFoldedCategories: a file with many spellings is described in two lines and a tick; what is
// asked of its women counts all of them, and whatever is shown or taken away says "women".
func TestFoldedCategories(t *testing.T) {
	p := open(t, serveBundle(t).url)
	var b strings.Builder
	b.WriteString("Geschlecht;Alter\n")
	spelled := []string{"w", " W ", "Weiblich", "WEIBLICH\u00a0", "women", "m", "M", "männlich",
		"MÄNNLICH", "k. A."} // half are women
	for i := range 2000 {
		fmt.Fprintf(&b, "%s;%d\n", spelled[i%10], 20+i%60)
	}
	p.upload("#file", textFile(t, "personen.csv", b.String()))
	p.confirm()
	p.describing("Geschlecht", func() {
		p.holds("Geschlecht", "categories")
		p.fill("textbox", "Categories, one a line", "women = w, weiblich\nmen = m, männlich")
		p.click("DisclosureTriangle", "Case, spaces, other cells")
		p.click("checkbox", "Case and spaces do not count")
		p.axe()
		p.pictures("folded-categories")
	})
	p.waitText("“k. A.”") // the only one left
	if p.evalBool(`document.body.textContent.includes("“WEIBLICH")`) {
		t.Error("a folded cell has no place")
	}
	p.click("button", "Leave all out")
	p.kind("histogram")
	p.choose("Column", "Geschlecht")
	p.question()
	p.fill("textbox", "Privacy loss ε (epsilon)", "3")
	p.waitPrice()
	p.click("button", "Release, spending ε = 3")
	p.waitText("spent ε = 3 of")
	truth := map[string]int64{"women": 1000, "men": 800}
	r := released(p)
	bins := r.Answer.Result.(*task.Histogram).Bins
	for _, bin := range bins {
		if off := bin.Count - truth[bin.Label]; off < -15 || off > 15 {
			t.Errorf("%s has %d people, want about %d", bin.Label, bin.Count, truth[bin.Label])
		}
	}
	if len(bins) != 2 || !r.Recipe.Domain.Fold || len(r.Recipe.Domain.Spellings) != 4 {
		t.Errorf("%d bins, read by %+v", len(bins), r.Recipe.Domain)
	}
	p.pictures("folded-released")
	for _, format := range []string{"#export-csv", "#export-html"} {
		file := p.download(func() { p.export(format) })
		if text := string(file.data); !strings.Contains(text, "women") ||
			!strings.Contains(text, "men") || format == "#export-csv" &&
			strings.Contains(text, "weiblich") {
			t.Errorf("%s does not say women: %.400s", format, text)
		}
	}
}

// TestTypedIsNotLost: what is typed into one description is there after a chip of another column,
// and after the question was asked for, without Done.
func TestTypedIsNotLost(t *testing.T) {
	p := open(t, serveBundle(t).url)
	p.upload("#file", textFile(t, "a.csv", "cost,age\n1,30\n2,40\n3,50\n"))
	p.confirm()
	p.clickSelector("#describe-1")
	p.fill("textbox", "Smallest possible value", "0")
	p.fill("textbox", "Largest possible value", "9")
	p.click("button", "0–120")
	p.waitText("2 of 2 columns described")
	p.clickSelector("#describe-1")
	p.fill("textbox", "Largest possible value", "")
	p.click("button", "Ask a question")
	p.until("what is wrong", `document.getElementById("hi-fault")?.textContent`)
	p.fill("textbox", "Largest possible value", "8")
	p.click("button", "Ask a question")
	p.until("the question", `document.getElementById("sentence")`)
	p.columns()
	p.until("what was typed",
		`document.querySelector("#column-1 .range").textContent.includes("0 to 8")`)
}

// barRows counts the rows in which the bar that stays shows something, and how high it is.
const barRows = `(() => {
	const shown = [...document.querySelectorAll(".bar-in > *, .bar-in .push > *")].filter((e) =>
		!e.matches(".push") && e.checkVisibility() && e.getBoundingClientRect().width > 2);
	const rows = [];
	for (const box of shown.map((e) => e.getBoundingClientRect()).sort((a, b) => a.top - b.top)) {
		const row = rows.find((r) => box.top < r.bottom - 4);
		if (row) row.bottom = Math.max(row.bottom, box.bottom);
		else rows.push({ bottom: box.bottom });
	}
	const bar = document.querySelector(".bar-stay").getBoundingClientRect();
	return { rows: rows.length, height: bar.height, below: bar.bottom - innerHeight,
		wide: document.documentElement.scrollWidth - innerWidth };
})()`

// answered holds where it was said whether a person can have several rows.
const answered = `Boolean(document.querySelector("#persons [aria-pressed=true]"))`

// smallTargets are the controls on the screen that are less than 24 pixels high or wide.
const smallTargets = `[...document.querySelectorAll("a, button, input, select, summary")]
	.filter((e) => e.checkVisibility() && !e.classList.contains("hidden-visually"))
	.map((e) => [e.id || e.innerText, (e.closest("label") ?? e).getBoundingClientRect()])
	.filter(([, { width, height }]) => width > 0 && Math.min(width, height) < 24)
	.map(([name, { width, height }]) => name + " " + width + " by " + height)`

// TestBarLeavesRoom: at 360 pixels the bar that stays has at most two rows and 12 % of a height of
// 640, and at 200 % zoom, where the window is 640 by 400, at most a sixth of it; on the way from
// the file to the answer its main button is in view at once, and no control is too small to press.
func TestBarLeavesRoom(t *testing.T) {
	p := open(t, serveBundle(t).url)
	look := func(stage, main string) {
		t.Helper()
		for _, size := range [][2]int64{{360, 640}, {640, 400}, {1280, 800}} {
			p.size(size[0], size[1])
			var bar struct{ Rows, Height, Below, Wide float64 }
			p.eval(barRows, &bar)
			t.Logf("%s at %v: %+v", stage, size, bar)
			if bar.Rows > 2 || bar.Below > 0.5 || bar.Wide > 0 ||
				size[1] == 400 && bar.Height > 400.0/6 || size[1] == 640 && bar.Height > .12*640 {
				t.Errorf("%s at %v: the bar has %v rows and %v pixels, "+
					"%v below the edge, %v too wide",
					stage, size, bar.Rows, bar.Height, bar.Below, bar.Wide)
			}
			if !p.evalBool(`(() => { const b = document.querySelector("` + main +
				`").getBoundingClientRect(); return b.bottom <= innerHeight && b.height >= 32 })()`) {
				t.Errorf("%s at %v: the main button is not in view", stage, size)
			}
			var small []string
			if p.eval(smallTargets, &small); len(small) > 0 {
				t.Errorf("%s at %v: too small to press: %s", stage, size,
					strings.Join(small, "; "))
			}
			p.screenshot(fmt.Sprintf("bar-%s-%d", stage, size[0]), size[0], size[1], "light")
		}
		p.axe()
		p.size(1280, 900)
	}
	p.upload("#file", messyVisits(t))
	p.waitText("Can a person have several rows?")
	look("data", ".bar-stay .button")
	var asked struct{ Top, Fold float64 }
	p.size(360, 740)
	p.eval(`({ top: document.getElementById("decide-title").getBoundingClientRect().top,
		fold: document.querySelectorAll(".data-folds details[open]").length })`, &asked)
	if asked.Top > 500 || asked.Fold > 0 {
		t.Errorf("at 360 pixels the decision stands at %v, and %v problems are unfolded", asked.Top,
			asked.Fold)
	}
	p.size(1280, 900)
	p.confirmAs("persons-1")
	look("columns", "#ask")
	p.describe("Alter", "0", "120")
	p.question()
	p.fill("textbox", "Privacy loss ε (epsilon)", "3")
	p.waitPrice()
	look("question", "#run")
	p.click("button", "Release, spending ε = 3")
	p.waitText("spent ε = 3 of")
	look("answer", "#another")
}
