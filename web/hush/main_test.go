package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hush/core/ask"
)

// hush runs a command line in this process.
func hush(t *testing.T, args ...string) (code int, out, said string) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(t.Context(), args, &o, &e)
	return code, o.String(), e.String()
}

// save writes a file of the test.
func save(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// recipeIn is the recipe in a file.
func recipeIn(t *testing.T, name string) ask.Recipe {
	t.Helper()
	written, err := readDraft(name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := checked[ask.Recipe](written)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestCommandLine(t *testing.T) {
	people := save(t, "people.csv", "age,name\n41,a\n32,b\n")
	for _, c := range []struct {
		name string
		args []string
		code int
		out  string // what it writes, in part
		said string // on the standard error
	}{
		{"nothing", nil, exitUsage, "", "Usage"},
		{"help", []string{"help"}, exitDone, "look FILE", ""},
		{"no command", []string{"lock"}, exitUsage, "", `"lock"`},
		{"flags of one", []string{"look", "-h"}, exitDone, "", "-json"},
		{"no flag", []string{"look", "-no", people}, exitUsage, "", "-no"},
		{"too few", []string{"look"}, exitUsage, "", "the arguments FILE"},
		{"look", []string{"look", people}, exitDone, `"header":"yes"`, ""},
		{"a flag behind", []string{"look", people, "-json"}, exitDone, `"rows": "2"`, ""},
		{"an argument like a flag", []string{"look", "--", "-json"}, exitUnread, "", "-json"},
		{"no file", []string{"look", people + "x"}, exitUnread, "", "people.csvx"},
		{"a directory", []string{"look", filepath.Dir(people)}, exitUnread, "", "directory"},
		{"no release", []string{"check", people}, exitUnread, "", "no release"},
		{"no shell", []string{"completion", "ksh"}, exitUsage, "", "ksh"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, said := hush(t, c.args...)
			if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(said, c.said) {
				t.Errorf("code %d, want %d; it writes %q, want %q, and says %q, want %q",
					code, c.code, out, c.out, said, c.said)
			}
		})
	}
}

// TestApart: the page's binary has no code of the command, or of a library that only it needs.
func TestApart(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "./wasm")
	list.Dir = "../.."
	list.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(out), "hush/web/engine\n") {
		t.Error("the list has no engine: it is not that of the page")
	}
	for _, other := range []string{"hush/web/hush", "parquet-go", "klauspost", "brotli", "lz4",
		"jackc"} {
		if strings.Contains(string(out), other) {
			t.Errorf("the page's binary has %s", other)
		}
	}
}

// TestCompletions: each shell gets the name of each command and each flag, and bash, where it is
// there, completes with them.
func TestCompletions(t *testing.T) {
	for shell := range shells {
		code, out, said := hush(t, "completion", shell)
		if code != exitDone || said != "" {
			t.Fatalf("%s: code %d, %s", shell, code, said)
		}
		for _, c := range commands {
			for _, word := range append([]string{c.name}, c.words...) {
				if !strings.Contains(out, word) {
					t.Errorf("%s does not complete %s", shell, word)
				}
			}
		}
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("there is no bash to complete in")
	}
	_, out, _ := hush(t, "completion", "bash")
	script := out + `
COMP_WORDS=(hush ch); COMP_CWORD=1; _hush; echo "${COMPREPLY[*]}"
COMP_WORDS=(hush look -j); COMP_CWORD=2; _hush; echo "${COMPREPLY[*]}"`
	text, err := exec.Command("bash", "-c", script).CombinedOutput()
	if err != nil || string(text) != "check\n-json\n" {
		t.Errorf("bash completes %q, %v", text, err)
	}
}
