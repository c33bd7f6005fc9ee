package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestWalk runs the walk of the README, as it stands there, with the built command.
func TestWalk(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(readme), "\n## The command\n")
	script := regexp.MustCompile("(?s)```sh\n(.*?)```").FindStringSubmatch(section)
	if !found || script == nil {
		t.Fatal("the README has no walk")
	}
	dir, program := t.TempDir(), binary(t)
	shell := exec.Command("bash", "-euo", "pipefail", "-c", script[1])
	shell.Dir = dir
	shell.Env = append(os.Environ(), "HUSH_LEDGER="+filepath.Join(dir, "ledger"),
		"PATH="+filepath.Dir(program)+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := shell.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, want := range []string{"2000 rows, 2 columns", "It costs ε = 0.5", "Nothing is drawn",
		"Debited ε = 0.5", "What no file can show", "It costs ε = 1", "of ε = 3"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the walk does not write %q: %s", want, out)
		}
	}
	if list := entries(t, filepath.Join(dir, "ledger")); len(list) != 5 ||
		list[2].Replaces != list[1].ID {
		t.Errorf("the walk leaves %d debits", len(list))
	}
	counts, err := os.ReadFile(filepath.Join(dir, "counts.sql"))
	if err != nil || !strings.Contains(string(counts), `FROM "clinic"."people"`) {
		t.Errorf("its SQL is %s, %v", counts, err)
	}
	exported, err := os.ReadFile(filepath.Join(dir, "ledger.json"))
	if err != nil || !strings.Contains(string(exported), `"hush-ledger"`) {
		t.Errorf("it exports %s, %v", exported, err)
	}
}

// TestWalkOn runs the walk of the README through PostgreSQL and DuckDB, as it stands there, with
// the built command.
func TestWalkOn(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(readme), "\n## A file too big for a tab\n")
	script := regexp.MustCompile("(?s)```sh\n(.*?)```").FindStringSubmatch(section)
	if !found || script == nil {
		t.Fatal("the README has no walk")
	}
	duck := findDuckDB(t)
	s := startServer(t)
	dir, program := t.TempDir(), binary(t)
	shell := exec.Command("bash", "-euo", "pipefail", "-c", script[1])
	shell.Dir = dir
	shell.Env = append(os.Environ(), "HUSH_LEDGER="+filepath.Join(dir, "ledger"),
		"PGHOST="+s.dir, "PGPORT="+s.port, "PGUSER="+secretUser, "PGPASSWORD="+secretPassword,
		"PATH="+strings.Join([]string{filepath.Dir(program), filepath.Dir(duck), s.bin,
			os.Getenv("PATH")}, string(os.PathListSeparator)))
	out, err := shell.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	list := entries(t, filepath.Join(dir, "ledger"))
	if len(list) != 2 {
		t.Fatalf("the walk leaves %d debits: %s", len(list), out)
	}
	for _, want := range []string{"PostgreSQL counts", "1000000 people", "It costs ε = 0.5",
		"Nothing is drawn", "Debited ε = 0.5", "DuckDB counts",
		"Mean age of those with a value is about 52."} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the walk does not write %q: %s", want, out)
		}
	}
	if !strings.Contains(string(out), list[0].Query) && !strings.Contains(string(out),
		list[1].Query) {
		t.Errorf("it names no query: %s", out)
	}
}

// TestPython runs the Python recipe of the README, as it stands there, with the built command.
func TestPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("skipped: python3 is not installed")
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	recipe := regexp.MustCompile("(?s)cat >mean.json <<'END'\n(.*?)END\n").
		FindSubmatch(readme)
	script := regexp.MustCompile("(?s)```python\n(.*?)```").FindSubmatch(readme)
	if recipe == nil || script == nil {
		t.Fatal("the README has no recipe, or no program")
	}
	dir, program := filepath.Dir(people(t)), binary(t)
	if err := os.WriteFile(filepath.Join(dir, "mean.json"), recipe[1], 0o600); err != nil {
		t.Fatal(err)
	}
	run := exec.Command(python, "-c", string(script[1]))
	run.Dir = dir
	run.Env = append(os.Environ(), "HUSH_LEDGER="+filepath.Join(dir, "ledger"),
		"PATH="+filepath.Dir(program)+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := run.CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "Mean age of those with a value is about ") {
		t.Errorf("it prints %q, %v", out, err)
	}
	if list := entries(t, filepath.Join(dir, "ledger")); len(list) != 1 {
		t.Errorf("it leaves %d debits, want 1", len(list))
	}
}
