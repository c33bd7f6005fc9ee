package audit_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
)

// recordOf is a table of one claim and one broken twin, as tests write it.
func recordOf(t *testing.T) string {
	t.Helper()
	row := func(name string, num uint64) string {
		report, err := audit.Run(
			audit.Audit[bool]{Name: name, Space: audit.Space{Persons: 1, Values: 2},
				Claim: audit.Pure(3, 1),
				Law: func(rows []int) (*coin.Law[bool], error) {
					return coin.Enumerate(coin.Limits{}, func(src coin.Source) (bool, error) {
						return src.Bernoulli(coin.Ratio(num, 4)) == (rows[0] == 1), nil
					})
				}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return report.Row()
	}
	return "# Title\n\n" + audit.Header + row("sound", 3) + "\n## Planted\n\n" + audit.Header +
		row("broken", 4)
}

func TestReadRecord(t *testing.T) {
	have, err := audit.ReadRecord(recordOf(t))
	if err != nil {
		t.Fatal(err)
	}
	want := audit.Record{
		Claims:  []audit.Line{{"sound", 3, 6, "3", "0", "3", "0", "∅ → 1", audit.Holds}},
		Planted: []audit.Line{{"broken", 3, 6, "3", "0", "none", "1", "∅ → 1", audit.Violated}},
	}
	if !reflect.DeepEqual(have, want) {
		t.Errorf("have %+v\nwant %+v", have, want)
	}
}

func TestReadRecordRefuses(t *testing.T) {
	text := recordOf(t)
	for name, change := range map[string][2]string{
		"a claim that fails":   {"| holds |", "| violated |"},
		"a twin that holds":    {"| violated |", "| holds |"},
		"a cell too few":       {" | none |", " |"},
		"words for numbers":    {"| 3, 6 |", "| three, six |"},
		"a name twice":         {"| broken |", "| sound |"},
		"one table":            {"## Planted\n\n" + audit.Header, ""},
		"a table without rows": {text, audit.Header + audit.Header},
	} {
		if changed := strings.Replace(text, change[0], change[1], 1); changed == text {
			t.Errorf("%s: the case does not apply", name)
		} else if r, err := audit.ReadRecord(changed); err == nil || len(r.Claims) > 0 {
			t.Errorf("%s is let through", name)
		}
	}
}

// TestReadIntervals reads the table of this tree, and refuses others.
func TestReadIntervals(t *testing.T) {
	text, err := os.ReadFile("../task/INTERVALS.md")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := audit.ReadIntervals(string(text))
	if want := strings.Count(string(text), "\n|") - 2; err != nil || len(rows) != want ||
		rows[0][0] != "histogram" {
		t.Errorf("%d rows, want %d: %v", len(rows), want, err)
	}
	for name, wrong := range map[string]string{
		"no table": "words", "two tables": string(text) + string(text),
		"a cell less": strings.Replace(string(text), "| 1000 |", "", 1),
		"no rows":     string(text)[:strings.Index(string(text), "|--")] + "|--|\n",
	} {
		if rows, err := audit.ReadIntervals(wrong); err == nil {
			t.Errorf("%s: %d rows", name, len(rows))
		}
	}
}

// TestRecordsOfThisTree reads the tables that are there, and writes each line again.
func TestRecordsOfThisTree(t *testing.T) {
	files, err := filepath.Glob("../*/AUDIT.md")
	if err != nil || len(files) < 4 {
		t.Fatalf("%d tables, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r, err := audit.ReadRecord(string(text))
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if rows := strings.Count(string(text), "\n| ") - 2; len(r.Claims)+len(r.Planted) != rows {
			t.Errorf("%s: %d lines read of %d", file, len(r.Claims)+len(r.Planted), rows)
		}
	}
}
