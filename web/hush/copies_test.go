package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// drawnCount asks for the number of people within a range of the second column, and returns the
// file of the release.
func drawnCount(t *testing.T, dir, recipe, file string) string {
	t.Helper()
	code, out, said := hush(t, "ask", "-spend", "-json", "-ledger", dir, recipe, file)
	if code != exitDone {
		t.Fatalf("code %d, %s", code, said)
	}
	return save(t, "release.json", out)
}

// TestTopUpOfOtherBytes: a file whose rows only read alike has the same account, and other sums: no
// answer about one is topped up from the other, and nothing is debited.
func TestTopUpOfOtherBytes(t *testing.T) {
	var one, other strings.Builder
	for i := range 300 {
		fmt.Fprintf(&one, "{\"name\":\"p%d\",\"cost\":12.5}\n", i)
		fmt.Fprintf(&other, "{\"name\":\"p%d\",\"cost\":12.50}\n", i)
	}
	first, second := save(t, "one.jsonl", one.String()), save(t, "other.jsonl", other.String())
	dir := filepath.Join(t.TempDir(), "ledger")
	recipe := saveJSON(t, "count.json", map[string]any{"version": 1, "task": "count", "column": 2,
		"label": "cost", "domain": map[string]any{"kind": "category", "categories": []string{
			"12.5"}}, "epsilon": "1", "table": readingOf(t, first)})
	release := drawnCount(t, dir, recipe, first)
	code, out, said := hush(t, "ask", "-ledger", dir, recipe, second)
	if code != exitDone || !strings.Contains(out, "ε = 1, of ε = 3") {
		t.Fatalf("the two files have accounts of their own: code %d, %s%s", code, out, said)
	}
	code, out, said = hush(t, "topup", "-epsilon", "1.2", "-spend", "-ledger", dir, release, second)
	if code != exitRefused || out != "" || !strings.Contains(said, "other bytes") ||
		len(entries(t, dir)) != 1 {
		t.Errorf("code %d, %d debits, %s%s", code, len(entries(t, dir)), out, said)
	}
	code, _, said = hush(t, "topup", "-epsilon", "1.2", "-spend", "-ledger", dir, release, first)
	if code != exitDone || len(entries(t, dir)) != 2 {
		t.Errorf("of its own bytes: code %d, %s", code, said)
	}
}

// TestTopUpsOfCopies: two copies of a ledger each make the same answer more exact. Joined they say
// what both together cost: ε₂ + (ε₁ + ε₂), and never that of one chain.
func TestTopUpsOfCopies(t *testing.T) {
	file, dir := people(t), filepath.Join(t.TempDir(), "ledger")
	recipe := saveJSON(t, "count.json", ages(t, file, "count", "1"))
	release := drawnCount(t, dir, recipe, file)
	copied := filepath.Join(t.TempDir(), "ledger")
	if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{dir, copied} {
		if code, _, said := hush(t, "topup", "-epsilon", "1.2", "-spend", "-ledger", at, release,
			file); code != exitDone {
			t.Fatalf("code %d, %s", code, said)
		}
	}
	_, exported, _ := hush(t, "ledger", "export", "-ledger", copied)
	if code, _, said := hush(t, "ledger", "import", save(t, "ledger.json", exported), "-ledger",
		dir); code != exitDone {
		t.Fatalf("code %d, %s", code, said)
	}
	if _, out, _ := hush(t, "ledger", "-ledger", dir); !strings.Contains(out,
		"Spent on this data set: ε = 3.4, of ε = 3") {
		t.Errorf("the ledger says %s", out)
	}
	if code, _, said := hush(t, "ask", "-spend", "-ledger", dir, mean(t, file, "0.1"),
		file); code != exitRefused {
		t.Errorf("a release beyond the limit: code %d, %s", code, said)
	}
}

// TestTopUpOfSeveralRows: of counts with several rows of each person, as hush sql has a database
// make them, an answer is topped up for the difference that a person pays; each debit is
// shown.
func TestTopUpOfSeveralRows(t *testing.T) {
	file, dir := save(t, "counts.csv", "age,rows\n31,400\n47,300\n62,500\n"),
		filepath.Join(t.TempDir(), "ledger")
	for i, task := range []string{"count", "mean", "histogram"} {
		recipe := saveJSON(t, "recipe.json", map[string]any{"version": 1, "task": task,
			"column": 1, "label": "age", "count": 2, "use": map[string]any{"rows": 3},
			"domain":  map[string]any{"kind": "integer", "lo": "0", "hi": "100"},
			"epsilon": "0.1", "table": readingOf(t, file)})
		code, out, said := hush(t, "ask", "-spend", "-agree", "-json", "-ledger", dir, recipe, file)
		if code != exitDone {
			t.Fatalf("%s: code %d, %s", task, code, said)
		}
		release := save(t, "release.json", out)
		code, out, said = hush(t, "topup", "-epsilon", "0.2", "-spend", "-agree", "-ledger", dir,
			release, file)
		list := entries(t, dir)
		if code != exitDone || out == "" || len(list) != 2*i+2 {
			t.Fatalf("%s: code %d, %d debits, %s%s", task, code, len(list), out, said)
		}
		first, _ := list[2*i].Loss.Epsilon()
		more, _ := list[2*i+1].Loss.Epsilon()
		if first.Cmp(more) != 0 {
			t.Errorf("%s: %s, and %s for as much again", task, list[2*i].Loss, list[2*i+1].Loss)
		}
	}
}
