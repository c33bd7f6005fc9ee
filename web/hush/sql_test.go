package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestSQL: the statement names the table and its columns, the question for the counts is asked of
// a file of counts, and what cannot be written says why.
func TestSQL(t *testing.T) {
	people := save(t, "people.csv", "who,age\na,41\nb,32\n")
	recipe := save(t, "mean.json", `{"version": 1, "task": "mean", "column": 2, "person": 1,
		"table": {"encoding": "utf-8", "delimiter": ",", "header": "yes", "columns": 2},
		"domain": {"kind": "integer", "lo": "0", "hi": "120"}, "epsilon": "1"}`)
	counts := filepath.Join(t.TempDir(), "counts.json")
	code, out, said := hush(t, "sql", "-dialect", "postgresql", "-table", "clinic.visits",
		"-counts", counts, recipe, people)
	if code != exitDone {
		t.Fatalf("code %d: %s", code, said)
	}
	for _, part := range []string{`FROM "clinic"."visits"`, `CAST("who" AS text)`, "place <= 1"} {
		if !strings.Contains(out, part) {
			t.Errorf("the SQL has no %s:\n%s", part, out)
		}
	}
	made := save(t, "counts.csv", "age,persons\n41,600000000\n32,400000000\n")
	code, out, said = hush(t, "ask", "-agree", "-ledger", t.TempDir(), counts, made)
	if code != exitDone || !strings.Contains(out, "1000000000 people") {
		t.Errorf("code %d, %q, %s: want a price for 10^9 people", code, out, said)
	}
	for _, refused := range [][]string{{"-dialect", "oracle"}, {"-key", "'; DROP TABLE x"},
		{"-table", ""}} {
		code, out, said := hush(t, append(append([]string{"sql"}, refused...), recipe, people)...)
		if code != exitUnread || out != "" || said == "" {
			t.Errorf("%v: code %d, %q, %q", refused, code, out, said)
		}
	}
}
