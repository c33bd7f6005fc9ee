// Package audittest turns audits into tests and their figures into a table. It serves tests only
// and is not shipped.
//
// A package whose algorithms are audited has a file AUDIT.md beside them. Every audit checks its
// own line in it; go test with -update writes the line instead, and the diff is the review. Where
// TestMain calls Main, a line that no test made is found too.
package audittest

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"hush/core/audit"
)

// Update is the flag -update: golden files are written, not compared.
var Update = flag.Bool("update", false, "write golden files and AUDIT.md anew")

// File is the table, in the directory of the package under test.
const File = "AUDIT.md"

const preface = `# Exact audits

Made by the tests; do not edit (go test -run 'TestAudit|TestPlanted' -update). Each line is the exact output law on every data set of a
tiny space (persons replaced one at a time, none among the values as ∅) and the figures for every ordered pair of neighbours.

`

const (
	claims  = "## Claims\n\n"
	planted = "\n## Planted mistakes\n\nBroken twins of the same algorithms, each with one " +
		"deliberate mistake: the audit must find every claim violated.\n\n"
)

// Document checks that a file of the package holds this text, which the test has made; with -update
// it writes the file.
func Document(t *testing.T, file, text string) {
	t.Helper()
	if *Update {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	held, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(held) != text {
		t.Errorf("%s is not what this code gives (run with -update):\n%s", file, text)
	}
}

// Holds runs the audit and fails the test unless the claim holds on every pair. It keeps the line
// in the table.
func Holds[T comparable](t *testing.T, a audit.Audit[T]) *audit.Report {
	t.Helper()
	return expect(t, a, audit.Holds)
}

// Caught runs the audit of a broken twin and fails the test unless the claim is violated on some
// pair. The twin's name says what is broken.
func Caught[T comparable](t *testing.T, a audit.Audit[T]) *audit.Report {
	t.Helper()
	return expect(t, a, audit.Violated)
}

func expect[T comparable](t *testing.T, a audit.Audit[T], want audit.Verdict) *audit.Report {
	t.Helper()
	report, err := audit.Run(a, nil)
	if err != nil {
		t.Fatal(err)
	}
	Expect(t, report, want)
	return report
}

// Expect fails the test unless a report has this verdict, and keeps its line in the table: under
// claims what holds, else under planted mistakes.
func Expect(t *testing.T, report *audit.Report, want audit.Verdict) {
	t.Helper()
	if report.Verdict() != want {
		t.Errorf("want a claim that is %s:\n%s", want, report.Row())
		return
	}
	text, err := os.ReadFile(File)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	made[name(report.Row())] = true
	old := string(text)
	table := insert(old, report.Row(), want == audit.Holds)
	switch {
	case table == old:
	case !*Update:
		t.Errorf("%s has another line than (run with -update):\n%s", File, report.Row())
	default:
		if err := os.WriteFile(File, []byte(table), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// insert puts a row into its half of the table, in the place of a row with the same name, in
// alphabetical order.
func insert(table, row string, holds bool) string {
	var good, bad []string
	half := &good
	for line := range strings.Lines(table) {
		switch {
		case strings.HasPrefix(line, "## Planted"):
			half = &bad
		case strings.HasPrefix(line, "| ") && !strings.HasPrefix(audit.Header, line):
			*half = append(*half, line)
		}
	}
	half = &bad
	if holds {
		half = &good
	}
	*half = slices.DeleteFunc(*half, func(line string) bool { return name(line) == name(row) })
	*half = append(*half, row)
	for _, lines := range [][]string{good, bad} {
		slices.SortFunc(lines, func(a, b string) int { return strings.Compare(name(a), name(b)) })
	}
	return preface + claims + audit.Header + strings.Join(good, "") + planted + audit.Header +
		strings.Join(bad, "")
}

// made are the names of the lines that this run of the tests came to.
var made = map[string]bool{}

// Main runs the tests of a package. When all were run and passed, a line of the table that none of
// them made is an error, or is taken out with -update.
func Main(m *testing.M) {
	code := m.Run()
	if code == 0 && flag.Lookup("test.run").Value.String() == "" && flag.Lookup("test.skip").
		Value.String() == "" && !testing.Short() {
		if err := checkStale(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

func checkStale() error {
	text, err := os.ReadFile(File)
	if err != nil {
		return err
	}
	var kept strings.Builder
	var stale []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "| ") && !strings.HasPrefix(audit.Header, line) &&
			!made[name(line)] {
			stale = append(stale, name(line))
		} else {
			kept.WriteString(line)
		}
	}
	switch {
	case stale == nil:
		return nil
	case *Update:
		return os.WriteFile(File, []byte(kept.String()), 0o644)
	}
	return fmt.Errorf("%s has lines that no test makes (run with -update): %q", File, stale)
}

func name(line string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " |")
	return first
}
