//go:build browser

package browsertest

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"hush/core/ask"
	"hush/core/publication"
	"hush/core/task"
)

// releaseAges opens a file and releases the histogram of its ages under a name that would like to
// be a script.
func releaseAges(t *testing.T, label string) *webPage {
	p := open(t, serveBundle(t).url)
	p.upload("#file", visitors(t, 1000))
	p.confirm()
	p.describing("age", func() {
		p.fill("textbox", "Smallest possible value", "20")
		p.fill("textbox", "Largest possible value", "69")
		p.fill("textbox", "Name to publish it under", label)
	})
	p.question()
	p.waitPrice()
	p.click("button", "Release, spending")
	p.until("a chart", `document.querySelector("#release-chart svg path")`)
	return p
}

var exportButtons = map[string]string{"CSV": "#export-csv", "JSON": "#export-json",
	"Chart (SVG)": "#export-svg",
	"Chart (PNG)": "#export-png", "Report (HTML)": "#export-html", "All (ZIP)": "#export-zip"}

// inEveryForm clicks every export of the answer on the screen: each is made, and reads as what it
// is.
func inEveryForm(t *testing.T, p *webPage, question string) {
	t.Helper()
	for name, button := range exportButtons {
		data := p.download(func() { p.export(button) }).data
		var err error
		switch name {
		case "CSV":
			var rows [][]string
			if rows, err = csv.NewReader(bytes.NewReader(data)).ReadAll(); len(rows) < 2 {
				t.Errorf("%s: a CSV of %d rows", question, len(rows))
			}
		case "JSON":
			err = json.Unmarshal(data, new(task.Release))
		case "Chart (SVG)":
			if svgShapes(t, data) < 3 {
				t.Errorf("%s: an SVG without shapes", question)
			}
		case "Chart (PNG)":
			_, err = png.Decode(bytes.NewReader(data))
		case "Report (HTML)":
			if !bytes.Contains(data, []byte("</html>")) || !bytes.Contains(data, []byte("<svg")) {
				t.Errorf("%s: a report without a picture", question)
			}
		case "All (ZIP)":
			var files *zip.Reader
			want := 6
			if question == "table" { // laid out wide, too
				want++
			}
			if files, err = zip.NewReader(bytes.NewReader(data), int64(len(data))); err == nil &&
				len(files.File) != want {
				t.Errorf("%s: an archive of %d files", question, len(files.File))
			}
		}
		if err != nil {
			t.Errorf("%s, %s: %v", question, name, err)
		}
	}
	if p.has("alert", "The file could not be made") {
		t.Errorf("%s: an export failed", question)
	}
}

func TestEveryExport(t *testing.T) {
	const label = `age <script>alert(1)</script> & "more"`
	p := releaseAges(t, label)
	p.theme("dark") // what leaves the page is by daylight all the same
	saved := map[string][]byte{}
	save := func(button string) []byte {
		file := p.download(func() { p.export(exportButtons[button]) })
		saved[file.name] = file.data
		return file.data
	}

	rows, err := csv.NewReader(bytes.NewReader(save("CSV"))).ReadAll()
	want := []string{"age_script_alert_1_script_more_from", "age_script_alert_1_script_more_to",
		"count", "low", "high"}
	if err != nil || len(rows) < 10 || !slices.Equal(rows[0][:5], want) || rows[1][0] != "20" {
		t.Errorf("the CSV says %q, %v", rows, err)
	}
	var release struct {
		task.Release
		Build string
	}
	if err := json.Unmarshal(save("JSON"), &release); err != nil {
		t.Errorf("the JSON: %v", err)
	}
	var base string
	p.eval(`document.querySelector("script[src$='page.js']").src`, &base)
	if release.Build == "" || !strings.Contains(base, "/"+release.Build+"/") {
		t.Errorf("the build is %q, and the page comes from %s", release.Build, base)
	}
	svg := save("Chart (SVG)")
	for _, part := range []string{"Noise added for privacy", "bins of", "Made with Hush",
		"people"} {
		if !bytes.Contains(svg, []byte(part)) {
			t.Errorf("the picture that leaves the page does not say %q", part)
		}
	}
	if shapes := svgShapes(t, svg); shapes < 20 || bytes.Contains(svg, []byte("style")) ||
		!bytes.Contains(svg, []byte(`fill="#0d655c"`)) {
		t.Errorf("the SVG has %d shapes: %s", shapes, svg)
	}
	picture, err := png.Decode(bytes.NewReader(save("Chart (PNG)")))
	if err != nil {
		t.Fatalf("the PNG: %v", err)
	}
	size := picture.Bounds().Size()
	if size.X != 1440 || size.Y < 800 || size.Y > 1300 {
		t.Errorf("the PNG is %v, want 1440 by 800 and what its words need", size)
	}
	accent := 0
	for y := range size.Y {
		for x := range 1440 {
			if r, g, b, _ := picture.At(x, y).RGBA(); r < 0x5000 && g > 0x6000 && b > 0x5000 {
				accent++
			}
		}
	}
	if r, g, b, _ := picture.At(2, 2).RGBA(); accent < 50_000 || r>>8 != 0xff || g>>8 != 0xfe ||
		b>>8 != 0xfb {
		t.Errorf("the PNG has %d points of bars and a corner of %x %x %x", accent, r>>8, g>>8, b>>8)
	}
	report := string(save("Report (HTML)"))
	if strings.Count(report, "<script") != 1 ||
		!strings.Contains(report, publication.AppendixStart) ||
		!strings.Contains(report, release.Build) ||
		strings.Contains(report, "visitors") {
		t.Error("the report holds a script or the file's name, or does not hold the build")
	}

	archive := save("All (ZIP)")
	files, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatalf("the archive: %v", err)
	}
	for _, f := range files.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r) // checks the sum too
		if err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
		if f.Name == "recipe.json" {
			var recipe ask.Recipe
			if err := json.Unmarshal(text, &recipe); err != nil || recipe.Label != label ||
				recipe.Task != "histogram" {
				t.Errorf("the recipe: %s, %v", text, err)
			}
		} else if !bytes.Equal(text, saved[f.Name]) {
			t.Errorf("%s in the archive is not what is saved alone (%d and %d bytes)", f.Name,
				len(text), len(saved[f.Name]))
		}
	}
	if len(files.File) != 6 {
		t.Errorf("the archive has %d files", len(files.File))
	}
	if again := save("All (ZIP)"); !bytes.Equal(again, archive) {
		t.Error("the same release makes another archive")
	}
	if p.has("alert", "The file could not be made") {
		t.Error("an export failed")
	}
}

// TestReportAlone opens a saved report as a person would: from a file, in a tab of its own.
func TestReportAlone(t *testing.T) {
	p := releaseAges(t, `age <img src=x onerror=alert(1)>`)
	path := filepath.Join(t.TempDir(), "report.html")
	file := p.download(func() { p.export("#export-html") })
	if err := os.WriteFile(path, file.data, 0o600); err != nil {
		t.Fatal(err)
	}
	alone := p.another("file://" + path)
	alone.waitText("What is promised")
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{360, 1280} {
			alone.screenshot(fmt.Sprintf("report-%s-%d", theme, width), width, 1600, theme)
			alone.axe()
			alone.until("no sideways scrolling",
				`document.documentElement.scrollWidth <= innerWidth`)
		}
	}
	var seen struct {
		Requests, Scripts, Images int
		Background, Bar           string
	}
	alone.eval(`({ Requests: performance.getEntriesByType("resource").length, Scripts: [...document.scripts].filter((e) => e.type !== "application/json").length, Images: document.images.length,
		Background: getComputedStyle(document.body).backgroundColor,
		Bar: [...document.querySelectorAll("figure svg path")].map((e) => getComputedStyle(e).fill).join(" ") })`, &seen)
	if seen.Requests != 0 || seen.Scripts != 0 || seen.Images != 0 {
		t.Errorf("the report asks for %d things, has %d scripts and %d images", seen.Requests,
			seen.Scripts, seen.Images)
	}
	if seen.Background != "rgb(26, 33, 41)" || !strings.Contains(seen.Bar, "rgb(111, 208, 191)") {
		t.Errorf("in the dark the report's ground is %s and its shapes are %s", seen.Background,
			seen.Bar)
	}
	// The policy is in force: the tab's record would show a violation, and here one is provoked.
	alone.expect("policy violated: style-src")
	alone.expect("Applying inline style violates")
	alone.eval(`void document.body.setAttribute("style", "color: red")`, nil)
	var colour string
	if alone.eval(`getComputedStyle(document.body).color`, &colour); colour == "rgb(255, 0, 0)" {
		t.Error("the policy lets a style through")
	}
}

// TestReportPrints: one answer with a page-long table takes two sheets of A4 at most, no heading is
// separated from its section, and no chart or row is cut.
func TestReportPrints(t *testing.T) {
	p := releaseAges(t, "age")
	path := filepath.Join(t.TempDir(), "report.html")
	file := p.download(func() { p.export("#export-html") })
	if err := os.WriteFile(path, file.data, 0o600); err != nil {
		t.Fatal(err)
	}
	alone := p.another("file://" + path)
	alone.waitText("What is promised")
	var sheets []byte
	alone.do(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		sheets, _, err = page.PrintToPDF().WithPreferCSSPageSize(true).WithPrintBackground(true).
			Do(ctx)
		return err
	}))
	if dir := os.Getenv("HUSH_SHOTS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, "report.pdf"), sheets, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(regexp.MustCompile(`/Type\s*/Page\b[^s]`).FindAll(sheets, -1)); n < 1 || n > 2 {
		t.Errorf("the report of one answer takes %d sheets", n)
	}
	if !bytes.Contains(sheets, []byte("595")) || !bytes.Contains(sheets, []byte("842")) &&
		!bytes.Contains(sheets, []byte("841")) {
		t.Error("the sheets are not A4")
	}
	alone.do(emulation.SetEmulatedMedia().WithMedia("print"))
	var loose []string
	alone.eval(`[["h1, h2, h3, thead", "breakAfter"], [".picture, tr, .warn", "breakInside"]].flatMap(([what, how]) =>
		[...document.querySelectorAll(what)].filter((e) => getComputedStyle(e)[how] !== "avoid").map((e) => e.tagName + " " + how))`, &loose)
	if len(loose) > 0 {
		t.Errorf("what may be cut or left alone on paper: %q", loose)
	}
}

func TestReleasesSideBySide(t *testing.T) {
	p := releaseAges(t, "age")
	if p.has("heading", "Side by side") {
		t.Error("one release stands beside itself")
	}
	first := p.shown()
	p.clickAgain("Release once more")
	p.waitText("all 2 together cost ε = 1 wherever")
	p.click("checkbox", "1 · Histogram of age")
	p.click("checkbox", "2 · Histogram of age")
	p.waitText("Side by side")
	p.until("both in one picture",
		`document.querySelector("#comparison-chart svg")?.textContent.includes("2 · ε = 0.5")`)
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{360, 1280} {
			p.size(width, 1600)
			p.eval(`void document.getElementById("export-csv").scrollIntoView()`, nil)
			p.screenshot(fmt.Sprintf("compared-%s-%d", theme, width), width, 1600, theme)
			p.axe()
			p.until("no sideways scrolling", `document.documentElement.scrollWidth <= innerWidth`)
		}
	}
	p.kind("mean")
	p.waitText("Off by at most")
	p.click("button", "Release, spending")
	p.waitText("all 3 together cost ε = 1.5 wherever")
	p.click("checkbox", "3 · Mean of age")
	p.until("three columns",
		`document.querySelectorAll("#comparison thead th").length === 3 && !document.querySelector("#comparison-chart")`)
	p.click("button", "Look again at 1 · Histogram")
	p.wait("the first to be shown", func() bool { return p.shown() == first })
	p.click("DisclosureTriangle", "Clear this list")
	p.click("button", "Clear it now")
	p.until("an empty list",
		`!document.getElementById("history") && document.getElementById("statement")`)
	p.waitText("spent ε = 1.5 of 3")
	p.question()
	p.until("the account as it was", `document.getElementById("spent")?.textContent.
		replaceAll("\u00a0", " ").startsWith("Spent on this file so far, on this device: ε = 1.5 in 3 releases.")`)
}

// TestReportForms: a report is saved as a document, a workbook, and an archive of everything, whose
// pictures are drawn and whose parts are what a person saves alone.
func TestReportForms(t *testing.T) {
	p := releaseAges(t, "age")
	p.eval(`void document.getElementById("collect").click()`, nil)
	p.until("the way to the page", `document.getElementById("open-page")`)
	p.eval(`void document.getElementById("open-page").click()`, nil)
	p.until("the page of figures", `document.getElementById("save-report-zip")`)
	p.pictures("report-forms")
	saved := map[string]*zip.Reader{}
	for _, form := range []string{"docx", "xlsx", "zip"} {
		file := p.download(func() {
			p.eval(`void document.getElementById("save-report-`+form+`").click()`, nil)
		})
		archive, err := zip.NewReader(bytes.NewReader(file.data), int64(len(file.data)))
		if err != nil {
			t.Fatalf("%s: %v", form, err)
		}
		saved[form] = archive
		if dir := os.Getenv("HUSH_SHOTS"); dir != "" {
			name := filepath.Join(dir, "saved."+form)
			if err := os.WriteFile(name, file.data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	read := func(form, name string) []byte {
		in, err := saved[form].Open(name)
		if err != nil {
			t.Fatalf("%s: %v", form, err)
		}
		defer in.Close()
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatalf("%s of %s: %v", name, form, err)
		}
		return text
	}
	picture, err := png.Decode(bytes.NewReader(read("docx", "word/media/figure1.png")))
	if err != nil || picture.Bounds().Dx() != 1120 {
		t.Errorf("the picture of the document: %v", err)
	}
	if !bytes.Contains(read("xlsx", "xl/worksheets/sheet2.xml"), []byte("<c><v>20</v></c>")) {
		t.Error("the workbook holds no numbers")
	}
	if _, err := publication.FromHTML(read("zip", "publication.html")); err != nil {
		t.Errorf("the page of the archive: %v", err)
	}
	for _, name := range []string{"publication.json", "publication.docx", "publication.xlsx",
		"figures/figure-1.csv", "figures/figure-1.svg", "data-dictionary.csv", "charts.ipynb",
		"charts.R", "ask-again/figure-1.json", "README.txt"} {
		if len(read("zip", name)) < 100 {
			t.Errorf("%s is short", name)
		}
	}
	if p.has("alert", "The file could not be made") {
		t.Error("a form failed")
	}
}
