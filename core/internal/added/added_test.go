package added

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	_ "hush/core/task" // a change of it asks for another run
)

// whole runs all of that on a copy of the sources.
var whole = flag.Bool("whole", false, "add the question to a copy of the sources, write there "+
	"what is due and run the short tests of all that looks at every question: minutes")

const root = "../../.."

// The line after which the question is named in the catalogue, and that line.
const (
	last = "{varianceTask, varianceFigure},\n"
	line = "\t{evenTask, evenFigure},\n"
)

// TestQuestionIsAdded: a question of one number takes its own file and a line of the catalogue. In
// an overlay, which leaves the sources as they are, the real catalogue has it, and it is planned,
// priced, judged, framed, released, written and read as any other.
func TestQuestionIsAdded(t *testing.T) {
	dir := t.TempDir()
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for path, text := range question(t) {
		at := filepath.Join(dir, filepath.Base(path))
		write(t, at, text)
		path, err := filepath.Abs(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		overlay.Replace[path] = at
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	write(t, file, text)
	out := run(t, root, "go", "test", "-overlay", file, "-vet=off", "-short", "-v", "./core/task",
		"-run", "^Test(Even|Frames|GrowthIsDocumented|EveryQuestionIsJudged)$/^(even|$)")
	for _, ran := range []string{"--- PASS: TestEven ", "--- PASS: TestFrames ",
		"--- PASS: TestGrowthIsDocumented ", "--- PASS: TestEveryQuestionIsJudged/even ",
		"--- PASS: TestEveryQuestionIsJudged/even_by_groups_found "} {
		if !strings.Contains(out, ran) {
			t.Errorf("%q is not in\n%s", ran, out)
		}
	}
}

// looking are the packages that look at every question.
var looking = []string{"./core", "./core/ask", "./core/task", "./core/warehouse", "./core/verify",
	"./core/review", "./core/study", "./core/message/...", "./core/internal/doctest",
	"./core/internal/house", "./core/internal/hypotheses", "./core/internal/reach",
	"./core/internal/replay", "./web/..."}

// TestQuestionIsAddedToAll: a copy of the sources has the question, and golden of build.sh writes
// there; then the short tests of all packages that look at every question pass.
func TestQuestionIsAddedToAll(t *testing.T) {
	if !*whole {
		t.Skip("minutes: with -whole only")
	}
	dir := t.TempDir()
	run(t, root, "sh", "-c", "tar -cf - --exclude=./dist --exclude=./.git --exclude=./.cache "+
		`--exclude=node_modules . | tar -xf - -C "$0"`, dir)
	for path, text := range question(t) {
		write(t, filepath.Join(dir, path), text)
	}
	const alone = "unset GOFLAGS GOTOOLCHAIN GOWORK GOEXPERIMENT; "
	run(t, dir, "bash", "-c", alone+"./build.sh golden")
	t.Logf("due were\n%s", run(t, root, "sh", "-c",
		`diff -rq . "$0" -x .git -x .cache -x dist -x node_modules || true`, dir))
	run(t, dir, "bash", "-c", alone+`source ./build.sh; one_module
		go test -vet=off -short -timeout 60m -skip '^TestQuestionIsAdded$' `+
		strings.Join(looking, " "))
}

// question is what is written by hand, by path, with a test of it alone.
func question(t *testing.T) map[string][]byte {
	t.Helper()
	read := func(path string) []byte {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	tests, err := filepath.Glob(root + "/core/task/*_test.go")
	if err != nil || len(tests) == 0 {
		t.Fatal(err)
	}
	for _, path := range tests {
		read(path) // another run is asked for where one changes
	}
	catalogue := read(root + "/core/task/catalogue.go")
	with := bytes.Replace(catalogue, []byte(last), []byte(last+line), 1)
	if bytes.Equal(with, catalogue) {
		t.Fatalf("catalogue.go has no %q any more", last)
	}
	return map[string][]byte{"core/task/catalogue.go": with,
		"core/task/even.go":      read("testdata/even.go"),
		"core/task/even_test.go": read("testdata/even_test.go")}
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}

// run runs a command and returns its output; where it fails, so does the test, with that output.
func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, args...)
	command.Dir = dir
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}
