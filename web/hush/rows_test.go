package main

import (
	"encoding/csv"
	"path/filepath"
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
