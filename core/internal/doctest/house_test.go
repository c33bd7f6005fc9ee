package doctest

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hush/core/task"
)

// What golden files may be, so that a change can be reviewed: this many lines in all, and this many
// of them that list every question and so change with each new one, beside the one of its own form.
const (
	mostGoldenLines = 30_000
	mostLists       = 7
	mostBytes       = 50_000 // of one, as webtest.Golden cuts them
)

// TestGoldenFiles counts the lines of all golden files, and the files with a list of all questions.
func TestGoldenFiles(t *testing.T) {
	lines, lists := 0, []string(nil)
	err := filepath.WalkDir(filepath.Join(root, "web"),
		func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.Contains(filepath.ToSlash(path), "/testdata/") {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			lines += bytes.Count(text, []byte("\n"))
			if len(text) > mostBytes {
				t.Errorf("%s has %d bytes, want at most %d", path, len(text), mostBytes)
			}
			for _, q := range task.Catalogue() {
				if !bytes.Contains(text, []byte(q.Title)) {
					return nil
				}
			}
			lists = append(lists, path)
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	if lines < 1000 || lines >= mostGoldenLines {
		t.Errorf("golden files have %d lines, want fewer than %d", lines, mostGoldenLines)
	}
	if len(lists) == 0 || len(lists) > mostLists {
		t.Errorf("%d golden files list all questions, want at most %d: %q", len(lists), mostLists,
			lists)
	}
}

// TestRetried: build.sh says of each browser test that it tried again what became of it, and fails
// where one failed twice in a row.
func TestRetried(t *testing.T) {
	for _, c := range []struct {
		retried, broken string
		fails           bool
		says            []string
	}{
		{"", "", false, []string{"all tests passed", "no browser test was tried again"}},
		{"TestA", "", false, []string{"all tests passed", "TestA: failed once, then passed"}},
		{"TestA\nTestB", "TestB", true, []string{"TestA: failed once, then passed",
			"TestB: failed twice in a row", "failed twice in a row: TestB"}},
	} {
		command := exec.CommandContext(t.Context(), "bash", "-c",
			`source ./build.sh; tell_retried "$1" "$2"`, "build.sh", c.retried, c.broken)
		command.Dir = root
		out, err := command.CombinedOutput()
		if (err != nil) != c.fails {
			t.Errorf("%q, of which %q are broken: %v\n%s", c.retried, c.broken, err, out)
		}
		for _, text := range c.says {
			if !strings.Contains(string(out), text) {
				t.Errorf("%q, of which %q are broken: %q is not in\n%s", c.retried, c.broken, text,
					out)
			}
		}
	}
}

// TestBenchmarks: every benchmark is in the list of them, each in the list is there, and another
// name is refused.
func TestBenchmarks(t *testing.T) {
	const begin = "source ./build.sh; source .ci/browsers.sh; source .ci/bench.sh; "
	shell := func(script string) (string, error) {
		command := exec.CommandContext(t.Context(), "bash", "-c", begin+script)
		command.Dir = root
		out, err := command.CombinedOutput()
		return string(out), err
	}
	listed, err := shell("printf 'bench_%s\\n' $benchmarks | sort")
	if err != nil {
		t.Fatalf("%v: %s", err, listed)
	}
	there, err := shell("compgen -A function bench_ | sort")
	if err != nil || there != listed || strings.Count(there, "\n") < 10 {
		t.Errorf("benchmarks are\n%slisted are\n%s%v", there, listed, err)
	}
	if out, err := shell("measure nothing"); err == nil || !strings.Contains(out, "no benchmark") {
		t.Errorf("a name that is no benchmark's: %v: %s", err, out)
	}
}

// TestFilesOfQuestions: a question stands in the file of core/task that has its ID for a name.
func TestFilesOfQuestions(t *testing.T) {
	for _, q := range task.Catalogue() {
		if !strings.Contains(file(t, "core/task/"+q.ID+".go"), "= ask.Task{\n") {
			t.Errorf("core/task/%s.go has no ask.Task", q.ID)
		}
	}
}
