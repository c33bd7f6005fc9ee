package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestRows: rows are made up from each kind of release that has some, under the columns' names, and
// cost nothing; any other file is refused with a reason.
func TestRows(t *testing.T) {
	file, dir := people(t), filepath.Join(t.TempDir(), "ledger")
	draw := func(words ...string) string {
		t.Helper()
		code, out, said := hush(t, append([]string{"ask", "-spend", "-json", "-epsilon", "0.5",
			"-ledger", dir}, append(words, file)...)...)
		if code != exitDone {
			t.Fatalf("%v: code %d, %s", words, code, said)
		}
		return save(t, "drawn.json", out)
	}
	for head, release := range map[string]string{
		"age,sex": draw("-with", "age=0..100", "-with", "sex=f,m", "madeup"),
		"sex,age": draw("-with", "sex=f,m", "-with", "age=0..100", "joint"),
		"age":     draw("-range", "0..100", "density", "age"),
	} {
		code, out, said := hush(t, "rows", "-rows", "300", release)
		rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if code != exitDone || err != nil || len(rows) != 301 ||
			strings.Join(rows[0], ",") != head {
			t.Errorf("%s: code %d, %d rows, %v, %s", head, code, len(rows), err, said)
		}
		if code, _, said := hush(t, "rows", "-rows", "none", release); code != exitUsage ||
			!strings.Contains(said, `rows is "none", want a whole number from 1`) {
			t.Errorf("%s: no number of rows: code %d, %s", head, code, said)
		}
	}
	if list := entries(t, dir); len(list) != 3 {
		t.Errorf("%d debits, want those of the 3 releases", len(list))
	}
	for name, c := range map[string]struct{ file, want string }{
		"a table":        {file, "is no release"},
		"another answer": {draw("-range", "0..100", "mean", "age"), "release of mean"},
	} {
		if code, _, said := hush(t, "rows", c.file); code != exitUnread ||
			!strings.Contains(said, c.want) {
			t.Errorf("%s: code %d, %s", name, code, said)
		}
	}
}

// TestRowsAsFiles: rows are written as the ending of the file says, read back as the same columns,
// and a place that cannot be written, or an ending that is not known, says so and leaves nothing.
func TestRowsAsFiles(t *testing.T) {
	file := save(t, "visits.csv", "age;Größe;since;Ort\n"+strings.Repeat(
		"41;1,82;03.02.2021;=Ulm\n19;1,60;28.12.2019;Köln\n", 600))
	at, dir := t.TempDir(), filepath.Join(t.TempDir(), "ledger")
	code, out, said := hush(t, "ask", "-spend", "-json", "-epsilon", "1", "-ledger", dir, "-with",
		"age=0..100", "-with", "Größe=1,00..2,50", "-with", "since=01.01.2019..31.12.2022", "-with",
		"Ort==Ulm,Köln", "-agree", "madeup", file)
	if code != exitDone {
		t.Fatalf("code %d, %s", code, said)
	}
	release := save(t, "release.json", out)
	for _, name := range []string{"a.csv", "a.XLSX", "a.parquet"} {
		code, out, said := hush(t, "rows", "-rows", "400", "-o", filepath.Join(at, name), release)
		if code != exitDone || out != "" || !strings.Contains(said, name) {
			t.Fatalf("%s: code %d, %q, %s", name, code, out, said)
		}
	}
	for name, want := range map[string]string{"a.txt": ".parquet", "a": ".parquet",
		"none/a.xlsx": "no such file"} {
		code, _, said := hush(t, "rows", "-o", filepath.Join(at, name), release)
		if code != exitUsage || !strings.Contains(said, want) {
			t.Errorf("%s: code %d, %s", name, code, said)
		}
	}
	if left, err := os.ReadDir(at); err != nil || len(left) != 3 {
		t.Errorf("%d files, %v", len(left), err)
	}
	var found opened
	for _, name := range []string{"a.csv", "a.parquet"} {
		_, out, said := hush(t, "look", "-json", filepath.Join(at, name))
		if err := json.Unmarshal([]byte(out), &found); err != nil || found.Rows != 400 {
			t.Fatalf("%s: %d rows, %v, %s", name, found.Rows, err, said)
		}
		for i, want := range []struct{ name, kind string }{{"age", "integer"},
			{"Größe", "decimal"}, {"since", "date"}, {"Ort", "category"}} {
			f := found.Fields[i]
			if f.Name != want.name || string(f.Guess.Kind) != want.kind {
				t.Errorf("%s: column %d is %s, %s", name, i+1, f.Name, f.Guess.Kind)
			}
		}
	}
	if _, err := os.Stat("../../static/node_modules/saxes"); err != nil {
		t.Skip("the packages of static/package.json are not installed")
	}
	if err := os.Rename(filepath.Join(at, "a.XLSX"), filepath.Join(at, "a.xlsx")); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command("node", "readers/testdata/page.mjs", "../../static",
		at).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	var page struct{ CSV []byte }
	text, err := os.ReadFile(filepath.Join(at, "a.xlsx.page"))
	if err == nil {
		err = json.Unmarshal(text, &page)
	}
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(page.CSV))).ReadAll()
	if err != nil || len(rows) != 401 ||
		!slices.Equal(rows[0], []string{"age", "Größe", "since", "Ort"}) {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	as := regexp.MustCompile(`^\d+ [12]\.\d\d 20(19|2[0-2])-\d\d-\d\d ('=Ulm|Köln)$`)
	missing := 0
	for _, row := range rows[1:] {
		if slices.Contains(row, "") {
			missing++
		} else if !as.MatchString(strings.Join(row, " ")) {
			t.Fatalf("a row is %q", row)
		}
	}
	if missing > 100 {
		t.Errorf("%d of 400 rows have a cell without a value", missing)
	}
}
