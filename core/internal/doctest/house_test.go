package doctest

import (
	"os/exec"
	"strings"
	"testing"

	"hush/core/task"
)

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
