package report

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/publication"
	"hush/web/webtest/clinicpage"
)

var office = flag.Bool("office", false, "open documents and workbooks in LibreOffice, too")

// onePoint is a PNG of one point, in the place of those that the browser makes.
const onePoint = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9" +
	"awAAAABJRU5ErkJggg=="

// zipped is an archive of files, as the browser makes it.
func zipped(t *testing.T, files []File) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		in, err := w.Create(f.Name)
		if err != nil {
			t.Fatal(err)
		}
		content := []byte(f.Text)
		switch {
		case f.Files != nil:
			content = zipped(t, f.Files)
		case f.PNG != "":
			if content, err = base64.StdEncoding.DecodeString(onePoint); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := in.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// madeBy are the files of a form of a publication, as the page's script makes them.
func madeBy(t *testing.T, form string, r Report) (files []File) {
	t.Helper()
	content, err := json.Marshal(r.Content(true))
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command("node", "--input-type=module", "-e", `
		import { readFileSync } from "node:fs";
		import { made } from "../../static/forms.src.js";
		const text = (name) => readFileSync(name, "utf8");
		const charts = { python: text("../../static/charts.py"), r: text("../../static/charts.R") };
		const page = JSON.parse(readFileSync(0, "utf8"));
		process.stdout.write(JSON.stringify(made("`+form+`", page, charts)));`)
	command.Stdin = bytes.NewReader(content)
	out, err := command.Output()
	if err == nil {
		err = json.Unmarshal(out, &files)
	}
	if err != nil {
		t.Fatalf("%v: %.600s", err, out)
	}
	return files
}

// unpacked is a folder with the files of an archive of everything.
func unpacked(t *testing.T, r Report) string {
	t.Helper()
	folder := t.TempDir()
	for _, f := range madeBy(t, "zip", r) {
		path := filepath.Join(folder, f.Name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		content := []byte(f.Text)
		if f.Files != nil {
			content = zipped(t, f.Files)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// clinicReport is a page of eight figures with one picture each.
func clinicReport(t *testing.T) Report {
	r := Report{Page: clinicpage.Make(t)}
	for range r.Page.Figures() {
		r.Pictures = append(r.Pictures, Picture{Wide: drawn(t)})
	}
	return r
}

func named(t *testing.T, files []File, name string) File {
	t.Helper()
	for _, f := range files {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("there is no file %s", name)
	return File{}
}

// TestArchive: the archive has everything, once, and its page and its JSON are the page.
func TestArchive(t *testing.T) {
	r := clinicReport(t)
	files := madeBy(t, "zip", r)
	names := map[string]bool{}
	for _, f := range files {
		if names[f.Name] {
			t.Errorf("%s stands twice", f.Name)
		}
		names[f.Name] = true
	}
	if len(files) != 8+3*8+1 {
		t.Errorf("%d files", len(files))
	}
	read, err := publication.Read([]byte(named(t, files, "publication.json").Text))
	if err != nil || publication.Digest(read) != publication.Digest(r.Page) {
		t.Errorf("publication.json: %v", err)
	}
	if _, err := publication.FromHTML([]byte(named(t, files,
		"publication.html").Text)); err != nil {
		t.Errorf("publication.html: %v", err)
	}
	var plan publication.Plan
	if err := json.Unmarshal([]byte(named(t, files, "ask-again/plan-1.json").Text),
		&plan); err != nil || len(plan.Questions) != 2 {
		t.Errorf("the plan has %d questions, %v", len(plan.Questions), err)
	}
}

// TestDictionary: each column of each CSV file has a line that says what it means.
func TestDictionary(t *testing.T) {
	files := madeBy(t, "zip", clinicReport(t))
	read := func(name string) [][]string {
		rows, err := csv.NewReader(strings.NewReader(named(t, files, name).Text)).ReadAll()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return rows
	}
	said := map[string]string{}
	for _, row := range read("data-dictionary.csv")[1:] {
		if row[2] == "" {
			t.Errorf("%s of %s means nothing", row[1], row[0])
		}
		said[row[0]+" "+row[1]] = row[3] + "; " + row[4]
	}
	count := 0
	for i := range 8 {
		name := fmt.Sprintf("figures/figure-%d.csv", i+1)
		for _, column := range read(name)[0] {
			if _, ok := said[name+" "+column]; !ok {
				t.Errorf("nothing is said of %s of %s", column, name)
			}
			count++
		}
	}
	if len(said) != count || count < 30 {
		t.Errorf("%d lines for %d columns", len(said), count)
	}
	for column, want := range map[string]string{
		"figures/figure-1.csv count":    "patients; from low to high",
		"figures/figure-1.csv age_from": "years; ",
		"figures/figure-6.csv verdict":  "; ",
	} {
		if said[column] != want {
			t.Errorf("%s is of %q, want %q", column, said[column], want)
		}
	}
}

// TestOfficeParts: every part is XML, each refers to parts that are there, no cell is or becomes a
// formula, and hostile texts stay texts.
func TestOfficeParts(t *testing.T) {
	hostileRow := "=1+1\x00\x0b\ufffe]]>" + hostile
	r := hostilePage(t)
	r.Page.Pieces[2].Figure.Release.Statement = hostileRow
	r.Page.Title = "=cmd()"
	for name, parts := range map[string][]File{
		"xlsx": madeBy(t, "xlsx", r), "docx": madeBy(t, "docx", r),
		"clinic.xlsx": madeBy(t, "xlsx", clinicReport(t)),
		"clinic.docx": madeBy(t, "docx", clinicReport(t))} {
		paths := map[string]bool{}
		for _, part := range parts {
			if paths[part.Name] {
				t.Errorf("%s: %s stands twice", name, part.Name)
			}
			paths[part.Name] = true
			if part.PNG == "" {
				parseXML(t, part.Text)
			}
		}
		targets := regexp.MustCompile(`(?:Target|PartName)="/?([^"]*)"`)
		for _, part := range parts {
			folder := strings.Split(part.Name, "_rels/")[0]
			if part.Name == "[Content_Types].xml" {
				folder = ""
			}
			if !strings.HasSuffix(part.Name, ".rels") && folder != "" {
				continue
			}
			for _, target := range targets.FindAllStringSubmatch(part.Text, -1) {
				if !paths[folder+target[1]] {
					t.Errorf("%s: %s refers to %s", name, part.Name, folder+target[1])
				}
			}
		}
		for _, part := range parts {
			if strings.Contains(part.Text, "<f>") || strings.Contains(part.Text, "<script>") ||
				strings.Contains(name, "xlsx") && strings.Contains(part.Text, ">=") {
				t.Errorf("%s: %s holds a formula or a script", name, part.Name)
			}
		}
	}
}

// TestWorkbook: numbers are numbers, names are texts, and each figure has its sheet.
func TestWorkbook(t *testing.T) {
	parts := madeBy(t, "xlsx", clinicReport(t))
	book := named(t, parts, "xl/workbook.xml").Text
	if n := strings.Count(book, "<sheet "); n != 10 {
		t.Errorf("%d sheets, want one for each of 8 figures and 2 more", n)
	}
	table := named(t, parts, "xl/worksheets/sheet4.xml").Text // of Figure 3
	if !strings.Contains(table, "Old Town</t>") || strings.Count(table, "<c><v>") < 90 {
		t.Errorf("the table of figure 3: %.600s", table)
	}
	if about := named(t, parts, "xl/worksheets/sheet1.xml").Text; !strings.Contains(about,
		`<row ht="45" customHeight="1">`) {
		t.Error("a long text of the first sheet has the room of a short one")
	}
	for text, want := range map[string]bool{"12": true, "-3.25": true, "0": true, "0.5": true,
		"007": false, "1e5": false, "": false, "-": false, "1234567890123456": false} {
		if isNumber(text) != want {
			t.Errorf("%q is a number: %v", text, !want)
		}
	}
}

// TestOffice opens a document and a workbook in LibreOffice, and reads what it makes of them.
func TestOffice(t *testing.T) {
	if !*office {
		t.Skip("-office opens them in LibreOffice")
	}
	folder := unpacked(t, clinicReport(t))
	if dir := os.Getenv("HUSH_SHOTS"); dir != "" {
		folder = dir
		for _, f := range madeBy(t, "zip", clinicReport(t)) {
			if f.Files != nil {
				if err := os.WriteFile(filepath.Join(dir, f.Name), zipped(t, f.Files),
					0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for name, want := range map[string]struct{ to, text string }{
		"publication.docx": {"txt:Text", "Children under ten are the largest group."},
		"publication.xlsx": {"csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false," +
			"false,false,-1", "Clinic visits in 2025"},
	} {
		out := t.TempDir()
		for _, to := range []string{want.to, "pdf"} {
			command := exec.Command("soffice", "-env:UserInstallation=file://"+out+"/profile",
				"--headless", "--convert-to", to, "--outdir", out, filepath.Join(folder, name))
			if said, err := command.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, said)
			}
		}
		made, err := filepath.Glob(filepath.Join(out, "publication*"))
		if err != nil || len(made) < 2 {
			t.Fatalf("%s became %q, %v", name, made, err)
		}
		all := ""
		for _, path := range made {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if filepath.Ext(path) != ".pdf" {
				all += string(text)
			} else if dir := os.Getenv("HUSH_SHOTS"); dir != "" {
				if err := os.WriteFile(filepath.Join(dir, name+".pdf"), text, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		if !strings.Contains(all, want.text) || !strings.Contains(all, "Old Town") {
			t.Errorf("%s reads as %.500s", name, all)
		}
	}
}

// recorder stands in for matplotlib: it writes what is drawn.
const recorder = `
import json
class Axes:
    def __getattr__(self, name):
        def call(*given, **named):
            print("DRAWN", json.dumps([name, given]))
        return call
class Figure:
    def tight_layout(self): pass
def subplots(**named): return Figure(), Axes()
def show(): print("SHOWN")
`

// redrawn runs the notebook's code in a folder, without matplotlib, and returns what it drew, a
// figure in each list.
func redrawn(t *testing.T, folder string) (shown [][]string) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	var book struct {
		NBFormat int `json:"nbformat"`
		Cells    []struct {
			Kind    string `json:"cell_type"`
			Source  string
			Outputs []any
		}
	}
	text, err := os.ReadFile(filepath.Join(folder, "charts.ipynb"))
	if err == nil {
		err = json.Unmarshal(text, &book)
	}
	if err != nil || book.NBFormat != 4 {
		t.Fatalf("the notebook: %v", err)
	}
	var program strings.Builder
	for _, c := range book.Cells {
		if c.Kind == "code" {
			program.WriteString(c.Source + "\nprint('CELL')\n")
			if c.Outputs == nil {
				t.Error("a code cell without a list of outputs")
			}
		}
	}
	stub := t.TempDir()
	if err := os.Mkdir(filepath.Join(stub, "matplotlib"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"matplotlib/__init__.py": "",
		"matplotlib/pyplot.py": recorder, "charts.py": program.String()} {
		if err := os.WriteFile(filepath.Join(stub, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.Command(python, "-B", filepath.Join(stub, "charts.py"))
	command.Dir = folder
	command.Env = append(os.Environ(), "PYTHONPATH="+stub, "PYTHONUTF8=1")
	said, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("the notebook's code: %v: %s", err, said)
	}
	for _, part := range strings.Split(string(said), "CELL\n")[1:] {
		shown = append(shown, strings.Split(strings.TrimSpace(part), "\n"))
	}
	return shown[:len(shown)-1]
}

// TestNotebook: the notebook draws each figure from its CSV file: as many bars, of the same height.
func TestNotebook(t *testing.T) {
	r := clinicReport(t)
	folder := unpacked(t, r)
	cells := redrawn(t, folder)
	if len(cells) != 8 {
		t.Fatalf("%d figures are drawn", len(cells))
	}
	for i, f := range r.Page.Figures() {
		d := redrawingOf(f.Release)
		drawn := strings.Join(cells[i], "\n")
		if d.Kind == "table" {
			t.Errorf("figure %d is not drawn", i+1)
			continue
		}
		rows, _ := f.Release.Rows()
		value := slices.Index(rows[0], d.Value)
		var heights []float64
		for _, row := range rows[1:] {
			height, err := strconv.ParseFloat(row[value], 64)
			if err != nil {
				t.Fatal(err)
			}
			heights = append(heights, height)
		}
		got := heightsOf(t, drawn)
		if !slices.Equal(got, heights) || !strings.HasSuffix(drawn, "SHOWN") {
			t.Errorf("figure %d is drawn as %v, want %v", i+1, got, heights)
		}
		if ranged := strings.Contains(drawn, "errorbar") || strings.Contains(drawn,
			"fill_between"); ranged != (d.Low != "") {
			t.Errorf("figure %d has error bars: %v", i+1, ranged)
		}
	}
}

// heightsOf are the numbers that were drawn.
func heightsOf(t *testing.T, drawn string) []float64 {
	t.Helper()
	for _, line := range strings.Split(drawn, "\n") {
		text, is := strings.CutPrefix(line, "DRAWN ")
		if !is {
			continue
		}
		var call [2]json.RawMessage
		var lists [][]float64
		if json.Unmarshal([]byte(text), &call) != nil || json.Unmarshal(call[1], &lists) != nil {
			continue
		}
		if name := string(call[0]); name == `"barh"` || name == `"plot"` {
			return lists[1]
		}
	}
	return nil
}

// TestHostileNotebook: texts of a page are texts in a notebook and in a script, whatever they say.
func TestHostileNotebook(t *testing.T) {
	r := hostilePage(t)
	nasty := "\"); raise SystemExit(7) #'''\"\"\"\\\n$x$ \x00 `rm` ![](x)<script>"
	r.Page.Title, r.Page.Lead = nasty, nasty
	for _, f := range r.Page.Figures() {
		f.Sentence, f.Release.Plan.Column, f.Release.Plan.ErrorUnit = nasty, nasty, nasty
		f.Release.Recipe.Noun.Many = nasty
	}
	folder := unpacked(t, r)
	if cells := redrawn(t, folder); len(cells) != 2 {
		t.Errorf("%d figures are drawn", len(cells))
	}
	var book struct {
		Cells []struct {
			Kind   string `json:"cell_type"`
			Source string
		}
	}
	text, err := os.ReadFile(filepath.Join(folder, "charts.ipynb"))
	if err == nil {
		err = json.Unmarshal(text, &book)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range book.Cells {
		if c.Kind == "markdown" &&
			strings.ContainsAny(strings.TrimLeft(c.Source, "#"), "<>[]()`*\\$") {
			t.Errorf("a text of the notebook is markup: %s", c.Source)
		}
	}
	script(t, folder)
}

// script runs charts.R where there is R.
func script(t *testing.T, folder string) {
	t.Helper()
	r, err := exec.LookPath("Rscript")
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("no Rscript")
	}
	command := exec.Command(r, "--vanilla", "charts.R")
	command.Dir = folder
	command.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
	said, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("charts.R: %v: %s", err, said)
	}
	drawn, err := os.Stat(filepath.Join(folder, "Rplots.pdf"))
	if err != nil || drawn.Size() < 3000 {
		t.Errorf("charts.R drew nothing: %v, %s", err, said)
	}
	if dir := os.Getenv("HUSH_SHOTS"); dir != "" {
		text, err := os.ReadFile(filepath.Join(folder, "Rplots.pdf"))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, t.Name()+"-R.pdf"), text, 0o600)
		}
		if err != nil {
			t.Error(err)
		}
	}
}

func TestRScript(t *testing.T) { script(t, unpacked(t, clinicReport(t))) }

// TestRedrawingOfEveryKind: of each kind of answer that a chart shows as bars or a line, a program
// finds the column to draw.
func TestRedrawingOfEveryKind(t *testing.T) {
	kinds := []string{}
	for _, f := range clinicpage.Make(t).Figures() {
		kinds = append(kinds, f.Release.Recipe.Task+" "+redrawingOf(f.Release).Kind)
	}
	want := []string{"histogram bars", "share bars", "table bars", "count bars", "mode bars",
		"median bars", "mean bars", "distribution line"}
	if !slices.Equal(kinds, want) {
		t.Errorf("the figures are drawn as %q, want %q", kinds, want)
	}
}
