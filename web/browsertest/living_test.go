//go:build browser

package browsertest

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hush/web/host"
)

// livingTable releases made-up data of the bundled visits to a clinic, and returns the living table
// that was saved of it and the link to it.
func livingTable(t *testing.T, s *site) (p *webPage, file, link string) {
	p = open(t, s.url)
	p.sample("Clinic visits")
	p.kind("joint")
	for at, column := range []string{"age", "district"} {
		p.choose("Column with a column to keep "+string(rune('1'+at)), column)
	}
	p.click("button", "Add a column: a column to keep")
	p.choose("Column with a column to keep 3", "department")
	p.fill("textbox", "Cut points of age", "18, 40, 65")
	p.fill("textbox", "Privacy loss ε (epsilon)", "2.5")
	p.click("button", "Release, spending ε = 2.5")
	p.waitText("A living table")
	file = string(p.download(func() { p.click("button", "Save the living table") }).data)
	p.eval(`document.getElementById("living-link").textContent`, &link)
	if !strings.HasPrefix(link, s.url+"#/table/") || len(link) > 8200 {
		t.Errorf("the link has %d characters: %.60s", len(link), link)
	}
	return p, file, link
}

// TestLivingTable: made-up data of a bundled sample is saved as a living table; another browser,
// which has never seen the data, opens it without a network, from its file and from a link, and
// asks it; a file with a number changed does not open, and the page has its line.
func TestLivingTable(t *testing.T) {
	s := serveBundle(t)
	p, file, link := livingTable(t, s)
	p.click("button", "Open as a living table")
	p.waitText("Where it comes from")
	p.until("its chart", `document.querySelector("#table-chart svg")`)

	other := open(t, s.url) // a profile of its own
	other.installed()
	other.menu("link", "Living table")
	other.waitText("Drop a living table here")
	other.axe()
	other.pictures("living-empty")
	s.stop()
	other.expect("ERR_CONNECTION_REFUSED")
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	other.upload("#table-file", write("table.json", file))
	other.waitText("Measured: the true number is in the range in 95 of 100 releases.")
	other.until("the chart", `document.querySelector("#table-chart svg")`)

	other.choose("By column 1", "district") // a table of two columns, under a condition
	other.choose("By column 2", "department")
	other.until("the answer by two columns",
		`document.getElementById("table-sentence").textContent.includes(" · ")`)
	other.choose("Only where, 1", "age")
	other.waitText("Not measured: follows from pairs only. The pairs leave this range possible")
	other.axe()
	other.pictures("living-table")

	other.choose("What to know", "The mean")
	other.choose("For each", "department")
	other.waitText("The mean of age of patients, by department.")
	other.waitText("Each person counts as the middle of a bin")
	other.theme("dark")
	other.axeOf("dark", "color-contrast")
	other.theme("light")
	other.pictures("living-mean")

	other.choose("What to know", "A quantile, such as the median")
	other.waitText("50 % of patients have")
	other.fill("textbox", "Part at or below it", "2")
	other.waitText("part is")
	other.fill("textbox", "Part at or below it", "0.9")
	other.waitText("90 % of patients have")

	other.choose("What to know", "What goes with a yes (logistic regression)")
	other.choose("The odds that", "department")
	other.choose("is", "injuries")
	other.choose("By column 1", "district")
	other.waitText("the odds of department: injuries are about")
	other.waitText("Measured: the true number is in the range in 95 of 100 releases.")
	other.choose("By column 2", "age")
	other.waitText("Not measured: follows from pairs only. How far off it is, nobody knows.")
	other.waitText("The other columns stay the same.")
	other.waitText("age (years) · 1 more")
	other.axe()
	other.pictures("living-logistic")

	changed := strings.Replace(file, `"stdDev": `, `"stdDev": 1`, 1)
	other.upload("#table-file", write("changed.json", changed))
	other.waitText("This file does not open.")
	other.waitText("At least one byte of the file was changed")
	other.axe()
	other.pictures("living-refused")

	other.visit(link)
	other.waitText("Measured: the true number is in the range")
	other.visit(link[:len(link)-40])
	other.waitText("as “Copy the link” gave it")
}

// TestEmbeddedTable: a page of another site shows a living table: from a file beside the program,
// which is the one request more that the frame makes, and from a link without it. A file of another
// site is not asked for, and one that is no living table is not shown.
func TestEmbeddedTable(t *testing.T) {
	_, file, link := livingTable(t, serveBundle(t))
	others := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {}), "/")
	bundle := host.New(bundleFiles(t))
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/tables/visits.json":
			w.Write([]byte(file))
		case "/tables/changed.json":
			w.Write([]byte(strings.Replace(file, `"stdDev": `, `"stdDev": 1`, 1)))
		default:
			bundle.ServeHTTP(w, r)
		}
	}), "/")
	show := func(table string) *webPage {
		p := openOther(t, otherSite(t, s, `<script src="`+s.url+`embed.js" async></script>
<hush-demo table="`+table+`" theme="dark"><p>What stood here before.</p></hush-demo>`), s)
		p.pressButton("Run this demo")
		return p.frame(s.url + "embed.html")
	}
	const measured = "Measured: the true number is in the range"

	f := show("tables/visits.json")
	f.waitText(measured)
	f.until("the chart", `document.querySelector("#table-chart svg")`)
	f.choose("What to know", "The mean")
	f.waitText("The mean of age of patients is about")
	f.axe()
	f.until("the whole table to be in the frame",
		`document.documentElement.scrollHeight <= innerHeight`)
	for _, request := range f.sentRequests() {
		if !isOfBundle(t, s, request) && request != s.url+"tables/visits.json" {
			t.Errorf("%s is asked for", request)
		}
	}

	asked := len(s.answers())
	f = show(link)
	f.waitText(measured)
	for _, answer := range s.answers()[asked:] {
		if strings.HasPrefix(answer.path, "/tables/") {
			t.Errorf("%s is asked for, beside a link", answer.path)
		}
	}

	f = show("tables/changed.json")
	f.waitText("This file does not open.")
	f = show(others.url + "visits.json")
	f.waitText("A living table lies on the site that this program comes from")
	if n := len(others.answers()); n > 0 {
		t.Errorf("another site is asked %d times", n)
	}
}
