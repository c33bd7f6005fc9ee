package main

import (
	"archive/zip"
	"bufio"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/publication"
	"hush/core/task"
	"hush/web/hush/ledger"
)

// ages is a question about the first column of people.
func ages(t *testing.T, file, question, epsilon string) ask.Recipe {
	t.Helper()
	return ask.Recipe{Version: ask.RecipeVersion, Task: question, Table: readingOf(t, file),
		Column: 1, Label: "age", Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "100"},
		Epsilon: epsilon}
}

func saveJSON(t *testing.T, name string, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return save(t, name, string(text))
}

// TestPlan: several questions are one debit of their common price; each is kept and shown.
func TestPlan(t *testing.T) {
	file, dir := people(t), filepath.Join(t.TempDir(), "ledger")
	several := ask.Several{Division: ask.Evenly, Total: "1", Delta: "0"}
	for _, question := range []string{"count", "mean"} {
		several.Parts = append(several.Parts, ask.Part{Recipe: ages(t, file, question, "")})
	}
	report := saveJSON(t, "report.json", several)
	if code, out, said := hush(t, "plan", "-ledger", dir, report, file); code != exitDone ||
		!strings.Contains(out, "ε = 1") || len(entries(t, dir)) > 0 {
		t.Fatalf("the price: code %d, %s %s", code, out, said)
	} else if told := strings.Count(out, "\n  "); told != 4 { // an error and a verdict of each
		t.Errorf("the price has %d lines about two figures: %s", told, out)
	}
	code, out, said := hush(t, "plan", "-spend", "-json", "-ledger", dir, report, file)
	var figures []struct {
		Number  int
		File    string
		Release *task.Release
	}
	if err := json.Unmarshal([]byte(out), &figures); code != exitDone || err != nil ||
		len(figures) != 2 {
		t.Fatalf("code %d, %v: %s %s", code, err, said, out)
	}
	list := entries(t, dir)
	if len(list) != 1 || list[0].Loss.String() != "ε = 1" || list[0].Questions() != 2 ||
		list[0].Open() {
		t.Errorf("the ledger has %d debits, the first %+v", len(list), list[0])
	}
	for i, f := range figures {
		if f.Number != i+1 || f.Release == nil || f.Release.Recipe.Epsilon != "0.5" {
			t.Errorf("figure %d is %+v", i+1, f)
		}
		if code, _, said := hush(t, "check", f.File); code != exitDone {
			t.Errorf("figure %d does not hold: %s", i+1, said)
		}
	}
	if code, _, said := hush(t, "plan", saveJSON(t, "none.json", ask.Several{}),
		file); code != exitUnread || !strings.Contains(said, "no parts") {
		t.Errorf("no parts: code %d, %s", code, said)
	}
}

// TestPlanIsTold: each answer begins a line, with how far it is off below it where it is mostly
// noise, and what all promise together is the last line.
func TestPlanIsTold(t *testing.T) {
	file, dir := people(t), filepath.Join(t.TempDir(), "ledger")
	several := ask.Several{Division: ask.Evenly, Total: "0.01", Delta: "0"}
	for _, question := range []string{"mean", "mean"} {
		r := ages(t, file, question, "")
		names := []string{"f", "m", "x"}
		r.Group = &ask.Group{Column: 2, Label: "sex", Names: names[:2+len(several.Parts)]}
		several.Parts = append(several.Parts, ask.Part{Recipe: r})
	}
	code, out, said := hush(t, "plan", "-spend", "-ledger", dir,
		saveJSON(t, "report.json", several), file)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if code != exitDone || !strings.HasSuffix(lines[0], "too few people to tell.") ||
		!strings.HasPrefix(lines[1], "Off by up to ") ||
		!strings.HasPrefix(lines[len(lines)-1], "All together: Change any one person's data") {
		t.Errorf("code %d, %s: %s", code, said, out)
	}
	if strings.Count(out, "Change any") != 1 || strings.Contains(out, `\u000a`) {
		t.Errorf("a plan is told as\n%s", out)
	}
}

// hasPictures reports whether the command draws pictures: without Node, it is built without them,
// and says so when it writes a page.
func hasPictures(said string) bool { return !strings.Contains(said, "in the place of pictures") }

// TestPlanAsPage: a plan is written as a page that holds, with its pictures, title, publisher and
// source; a page that cannot be written costs nothing.
func TestPlanAsPage(t *testing.T) {
	file, dir := people(t), filepath.Join(t.TempDir(), "ledger")
	several := ask.Several{Division: ask.Evenly, Total: "1", Delta: "0"}
	for _, question := range []string{"count", "mean"} {
		several.Parts = append(several.Parts, ask.Part{Recipe: ages(t, file, question, "")})
	}
	report, at := saveJSON(t, "report.json", several), t.TempDir()
	for place, want := range map[string]string{"none/page.html": "no such file", ".": "directory"} {
		code, _, said := hush(t, "plan", "-spend", "-html", filepath.Join(at, place), "-ledger",
			dir, report, file)
		if code != exitUsage || !strings.Contains(said, want) ||
			!strings.Contains(said, "Nothing was spent") || len(entries(t, dir)) > 0 {
			t.Errorf("%s: code %d, %s, %d debits", place, code, said, len(entries(t, dir)))
		}
	}
	page := filepath.Join(at, "page.html")
	if code, _, said := hush(t, "plan", "-title", "Ages", "-ledger", dir, report,
		file); code != exitUsage || !strings.Contains(said, "-html") {
		t.Errorf("a title of no page: code %d, %s", code, said)
	}
	args := []string{"plan", "-spend", "-html", page, "-title", "Ages <&>", "-publisher", "Office",
		"-source", "Survey of 2026", "-ledger", dir, report, file}
	code, out, said := hush(t, args...)
	if code != exitDone || !strings.Contains(out, "2. ") {
		t.Fatalf("code %d, %s %s", code, out, said)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	saved, err := publication.FromHTML(text)
	if err != nil || saved.Title != "Ages <&>" || saved.Publisher != "Office" ||
		saved.Source != "Survey of 2026" || len(saved.Figures()) != 2 {
		t.Fatalf("%v, %+v", err, saved)
	}
	if total, err := saved.Total(); err != nil || total.Loss.String() != "ε = 1" {
		t.Errorf("the page costs %v, %v", total.Loss, err)
	}
	code, checked, _ := hush(t, "check", page)
	if code != exitDone {
		t.Errorf("it does not hold: code %d, %s", code, checked)
	}
	open := strings.Count(string(text), "<details open>")
	if drawn := strings.Count(string(text), "<svg "); hasPictures(said) {
		if drawn != 2*2 || open > 0 ||
			!strings.Contains(checked, "cannot  The shapes in its pictures") {
			t.Errorf("%d pictures of 2 figures, %d open tables; checked: %s", drawn, open, checked)
		}
	} else if drawn > 0 || open < 2 || strings.Contains(string(text), "Error bars") ||
		!strings.Contains(checked, "It has no picture and no script") {
		t.Errorf("%d open tables of 2, of a page without pictures; checked: %s", open, checked)
	}
	if left, err := os.ReadDir(at); err != nil || len(left) != 1 {
		t.Errorf("%d files beside it, %v", len(left)-1, err)
	}
}

// TestAskAsPage: an answer is written as a page that holds, and that costs what was debited.
func TestAskAsPage(t *testing.T) {
	file, dir := people(t), filepath.Join(t.TempDir(), "ledger")
	page := filepath.Join(t.TempDir(), "page.html")
	code, out, said := hush(t, "ask", "-spend", "-html", page, "-title", "Ages", "-ledger", dir,
		"-range", "0..100", "-epsilon", "0.5", "histogram", "age", file)
	if code != exitDone {
		t.Fatalf("code %d, %s %s", code, out, said)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	sentence, _, _ := strings.Cut(out, "\n")
	if !strings.Contains(string(text), html.EscapeString(sentence)) {
		t.Errorf("the page does not say %q", sentence)
	}
	code, out, said = hush(t, "check", page)
	if list := entries(t, dir); code != exitDone || len(list) != 1 ||
		!strings.Contains(out, "\n"+list[0].Loss.String()+"\n") {
		t.Errorf("code %d, %d debits, %s %s", code, len(list), out, said)
	}
}

// TestPlanAsDocument: a plan is written as a Word document, beside the page or alone; it says what
// the page says, names the releases that were kept, and not the directory of the ledger. One
// that cannot be written costs nothing, and leaves no page either.
func TestPlanAsDocument(t *testing.T) {
	file, dir := people(t), filepath.Join(t.TempDir(), "ledger")
	several := ask.Several{Division: ask.Evenly, Total: "1", Delta: "0"}
	for _, question := range []string{"count", "mean"} {
		several.Parts = append(several.Parts, ask.Part{Recipe: ages(t, file, question, "")})
	}
	report, at := saveJSON(t, "report.json", several), t.TempDir()
	page, document := filepath.Join(at, "page.html"), filepath.Join(at, "page.docx")
	for place, want := range map[string]string{filepath.Join(at, "none", "a.docx"): "no such file",
		at: "directory", page: "same file"} {
		code, _, said := hush(t, "plan", "-spend", "-html", page, "-docx", place, "-ledger", dir,
			report, file)
		if left, err := os.ReadDir(at); code != exitUsage || !strings.Contains(said, want) ||
			len(entries(t, dir)) > 0 || err != nil || len(left) > 0 {
			t.Errorf("%s: code %d, %s, %d files, %v", place, code, said, len(left), err)
		}
	}
	if code, out, said := hush(t, "plan", "-spend", "-html", page, "-docx", document, "-title",
		"Ages <&>", "-publisher", "Office", "-source", "Survey of 2026", "-ledger", dir, report,
		file); code != exitDone {
		t.Fatalf("code %d, %s %s", code, out, said)
	}
	parts := unzipped(t, document)
	body := html.UnescapeString(parts["word/document.xml"])
	for _, part := range []string{">Ages <&><", ">Office<", ">Survey of 2026<", ">Where ε went<"} {
		if !strings.Contains(body, part) {
			t.Errorf("the document has no %s", part)
		}
	}
	if !strings.Contains(parts["docProps/core.xml"], "<dc:title>Ages &#60;&#38;&#62;</dc:title>") {
		t.Errorf("its title: %s", parts["docProps/core.xml"])
	}
	entry := entries(t, dir)[0]
	for i := range 2 {
		name := fmt.Sprintf("%s-%d.json", entry.ID, i+1)
		if !strings.Contains(body, fmt.Sprintf("Figure %d is the release in the file %s", i+1,
			name)) || strings.Contains(body, dir) {
			t.Errorf("the document does not name %s, or the directory of the ledger", name)
		}
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	saved, err := publication.FromHTML(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range saved.Figures() {
		if !strings.Contains(body, ">"+f.Release.Statement+"<") {
			t.Errorf("the document does not say %q", f.Release.Statement)
		}
	}
	if code, _, said := hush(t, "check", document); code != exitUnread ||
		!strings.Contains(said, "document") {
		t.Errorf("it is checked: code %d, %s", code, said)
	}
	alone := filepath.Join(t.TempDir(), "answer.docx")
	if code, _, said := hush(t, "ask", "-spend", "-docx", alone, "-ledger", dir, "-range",
		"0..100", "-epsilon", "0.5", "histogram", "age", file); code != exitDone {
		t.Fatalf("code %d, %s", code, said)
	}
	if body := unzipped(t, alone)["word/document.xml"]; !strings.Contains(body, "<w:tblHeader/>") ||
		!strings.Contains(body, "-1.json, which hush check") {
		t.Errorf("the document of one answer: %.600s", body)
	}
}

// unzipped are the parts of an archive.
func unzipped(t *testing.T, name string) map[string]string {
	t.Helper()
	archive, err := zip.OpenReader(name)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	parts := map[string]string{}
	for _, f := range archive.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		parts[f.Name] = string(text)
	}
	return parts
}

// TestPlanKilled: a run that was killed behind its first draw leaves that, and the next draws the
// rest at no cost.
func TestPlanKilled(t *testing.T) {
	program, file := binary(t), people(t)
	dir := filepath.Join(t.TempDir(), "ledger")
	several := ask.Several{Division: ask.Evenly, Total: "1", Delta: "0"}
	for _, question := range []string{"count", "mean", "median"} {
		several.Parts = append(several.Parts, ask.Part{Recipe: ages(t, file, question, "")})
	}
	args := []string{"plan", "-spend", "-ledger", dir,
		saveJSON(t, "report.json", several), file}
	first := exec.CommandContext(t.Context(), program, args...)
	said, err := first.StderrPipe()
	if err == nil {
		err = first.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(said); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "Drawn") {
			first.Process.Kill()
		}
	}
	first.Wait()
	before := entries(t, dir)
	if len(before) != 1 || !before[0].Open() {
		t.Fatalf("%d debits are left, or nothing is open", len(before))
	}
	l, err := ledger.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	drawn, found, err := l.Answer(before[0], 1)
	if err != nil || !found {
		t.Fatalf("the first answer is not there: %v", err)
	}
	out, err := exec.CommandContext(t.Context(), program, args...).Output()
	if err != nil || !strings.Contains(string(out), "\n3. ") ||
		strings.Count(string(out), "Change any one person") != 1 {
		t.Errorf("the rest: %v, %s", err, out)
	}
	again, _, err := l.Answer(before[0], 1)
	if list := entries(t, dir); err != nil || again != drawn || len(list) != 1 || list[0].Open() {
		t.Errorf("%d debits, the same answer: %t, %v", len(list), again == drawn, err)
	}
}

// TestTopUp: a release of this ledger becomes more exact for the difference, once; another is
// refused.
func TestTopUp(t *testing.T) {
	file, dir := people(t), filepath.Join(t.TempDir(), "ledger")
	recipe := saveJSON(t, "count.json", ages(t, file, "count", "0.5"))
	code, out, said := hush(t, "ask", "-spend", "-json", "-ledger", dir, recipe, file)
	if code != exitDone {
		t.Fatal(said)
	}
	release := save(t, "release.json", out)
	code, out, said = hush(t, "topup", "-epsilon", "2", "-ledger", dir, release, file)
	if code != exitDone || !strings.Contains(out, "ε = 1.5") || len(entries(t, dir)) != 1 {
		t.Fatalf("the price: code %d, %s %s", code, out, said)
	}
	spend := []string{"topup", "-epsilon", "2", "-spend", "-json", "-ledger", dir, release, file}
	code, out, said = hush(t, spend...)
	list := entries(t, dir)
	if code != exitDone || len(list) != 2 || list[1].Replaces != list[0].ID ||
		list[1].Loss.String() != "ε = 1.5" {
		t.Fatalf("code %d, %d debits: %s", code, len(list), said)
	}
	var after task.Release
	if err := json.Unmarshal([]byte(out), &after); err != nil || after.Recipe.Epsilon != "2" ||
		len(after.Head.Before) != 1 {
		t.Errorf("the new answer is %+v, %v", after.Recipe, err)
	}
	if code, _, said := hush(t, spend...); code != exitRefused ||
		!strings.Contains(said, "more exact before") || len(entries(t, dir)) != 2 {
		t.Errorf("a second top-up: code %d, %s", code, said)
	}
	other := filepath.Join(t.TempDir(), "ledger")
	if code, _, said := hush(t, "topup", "-spend", "-ledger", other, release,
		file); code != exitRefused {
		t.Errorf("a release of another ledger: code %d, %s", code, said)
	}
}
