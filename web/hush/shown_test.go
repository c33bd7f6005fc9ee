package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestRowsAreShown: an answer of several rows is a table with a bar for each number that has a
// range, hatched where it is noise; one of a single row is its sentence alone, and nothing in a
// cell moves the cursor.
func TestRowsAreShown(t *testing.T) {
	file := save(t, "people.csv",
		"age,town\n"+strings.Repeat("41,Mill\n52,\"Pa\u001b[2Jrk\"\n", 400))
	t.Setenv("HUSH_LEDGER", filepath.Join(t.TempDir(), "ledger"))
	show := func(words ...string) string {
		t.Helper()
		code, out, said := hush(t, append(append([]string{"ask", "-spend", "-agree"}, words...),
			file)...)
		if code != exitDone || strings.Contains(out, "\u001b") {
			t.Fatalf("%v: code %d, %q %s", words, code, out, said)
		}
		return out
	}
	counts := show("-epsilon", "1", "-range", "0..100", "-set", "width=10", "histogram", "age")
	lines := strings.Split(counts, "\n")
	if !strings.HasPrefix(lines[1], "  age_from  age_to  count") ||
		!strings.Contains(counts, strings.Repeat("█", longestBar)) ||
		!strings.Contains(lines[6], "40      50") || !strings.Contains(lines[6], "█  ") {
		t.Errorf("a histogram is shown as\n%s", counts)
	}
	for _, line := range lines {
		if strings.HasSuffix(line, "noise") && strings.Contains(line, "█") {
			t.Errorf("noise has a full bar: %s", line)
		}
	}
	if out := show("-epsilon", "0.1", "-range", "0..100", "mean", "age"); strings.Count(out,
		"\n") != 2 {
		t.Errorf("a mean is shown as\n%s", out)
	}
	if out := show("-epsilon", "0.5", "-range", "0..100", "-by", "town=Mill,Pa\u001b[2Jrk", "mean",
		"age"); !strings.Contains(out, "Mill") || !strings.Contains(out, "█") {
		t.Errorf("means by group are shown as\n%s", out)
	}
}

// TestLongTable: a table of more rows than a terminal shows says how many there are, and where.
func TestLongTable(t *testing.T) {
	file := people(t)
	t.Setenv("HUSH_LEDGER", filepath.Join(t.TempDir(), "ledger"))
	code, out, said := hush(t, "ask", "-spend", "-epsilon", "1", "-range", "0..100", "-set",
		"width=1", "histogram", "age", file)
	if code != exitDone || !strings.Contains(out, "… and 77 more rows: hush ledger -csv answer") ||
		strings.Count(out, "\n") != 1+1+mostShown+1+1 {
		t.Errorf("code %d, %s %s", code, out, said)
	}
}
