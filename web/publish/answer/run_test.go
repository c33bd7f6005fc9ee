package answer

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/sample"
	"hush/core/table"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/report"
)

// askedOf is a file and a release that was made from it.
type askedOf struct {
	file    []byte
	release *task.Release
}

// releaseOf asks a question of a file with seeded coins, reading it as a person confirms it.
func releaseOf(t *testing.T, file []byte, r ask.Recipe) askedOf {
	t.Helper()
	s := task.NewSession(coin.NewSeeded(5))
	survey, err := s.Survey(table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := survey.Write(file); err != nil {
		t.Fatal(err)
	}
	if err := survey.Close(); err != nil {
		t.Fatal(err)
	}
	opened, err := s.Opened()
	if err != nil {
		t.Fatal(err)
	}
	r.Version, r.Table, r.Epsilon = ask.RecipeVersion, opened.Options, "1"
	if err := s.Load(bytes.NewReader(file), r); err != nil {
		t.Fatal(err)
	}
	release, err := s.Run(r, nil)
	if err != nil {
		t.Fatal(err)
	}
	return askedOf{file, release}
}

// askables are the question with which each task is taught, and others that read a file in every
// further way.
func askables(t *testing.T) map[string]askedOf {
	t.Helper()
	file := func(name string) []byte {
		set, ok := sample.Named(name)
		if !ok {
			t.Fatalf("no made-up data set %q", name)
		}
		return set.CSV()
	}
	list := map[string]askedOf{}
	for _, entry := range task.Catalogue() {
		r := entry.Example.Recipe
		r.Task = entry.ID
		list[entry.ID] = releaseOf(t, file(entry.Example.Sample), r)
	}
	age := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "100"}
	mean := ask.Recipe{Task: "mean", Column: 1, Label: "age", Domain: age}
	by := func(change func(*ask.Recipe)) ask.Recipe {
		r := mean
		change(&r)
		return r
	}
	list["by group, filtered"] = releaseOf(t, file("clinic"), by(func(r *ask.Recipe) {
		r.Group = &ask.Group{Column: 3, Names: []string{"Harbour", "Hill", "Nowhere"}}
		r.Filter = []table.Condition{{Column: 1, Spec: age, From: "18"}}
	}))
	list["groups to be found"] = releaseOf(t, file("clinic"), by(func(r *ask.Recipe) {
		r.Group = &ask.Group{Column: 4, Find: &ask.Find{Share: 50, Delta: "0.000001"}}
	}))
	list["persons"] = releaseOf(t, []byte("age;who\n"+strings.Repeat("30;a\n40;b\n50;c\n", 200)),
		by(func(r *ask.Recipe) { r.Person = 2 }))
	list["counted"] = releaseOf(t, []byte("age,persons\n30,500\n40,0\n50,700\n"),
		by(func(r *ask.Recipe) { r.Count = 2 }))
	return list
}

// TestArchiveRunsNatively: the command asks the recipe of each archive again.
func TestArchiveRunsNatively(t *testing.T) {
	program := build(t)
	all := askables(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		folder := filepath.Join(t.TempDir(), "archive")
		for _, f := range exportFiles(
			report.Answer{Release: all[name].release, Picture: picture(t)}, picture(t), "", "") {
			save(t, filepath.Join(folder, f.Name), []byte(f.Text))
		}
		t.Run(name, func(t *testing.T) {
			data := filepath.Join(t.TempDir(), "people.csv")
			save(t, data, all[name].file)
			askAgain(t, program, filepath.Join(folder, "recipe.json"), data, all[name].release)
		})
	}
}

// askAgain checks that the question is priced first, drawn only with -spend, and then from real
// coins.
func askAgain(t *testing.T, hush, recipe, data string, before *task.Release) {
	t.Helper()
	ledger := t.TempDir()
	said, out, err := run(hush, "ask", "-ledger", ledger, "-agree", recipe, data)
	costs := before.Plan.Loss.String()
	if err != nil || !strings.Contains(out, costs) ||
		!strings.Contains(said, "Nothing is drawn.") {
		t.Errorf("asked for the price it says %q and writes %q, %v; want %q", said, out, err, costs)
	}
	said, out, err = run(hush, "ask", "-ledger", ledger, "-agree", "-spend", "-json", recipe,
		data)
	if err != nil {
		t.Fatalf("asked to draw it says %q, %v", said, err)
	}
	var again task.Release
	if err := json.Unmarshal([]byte(out), &again); err != nil {
		t.Fatal(err)
	}
	if again.Origin != coin.Crypto {
		t.Errorf("it draws from %q", again.Origin)
	}
	if engine.Encode(again.Recipe) != engine.Encode(before.Recipe) ||
		engine.Encode(again.Plan) != engine.Encode(before.Plan) {
		t.Errorf("the question is another: %s, %s", engine.Encode(again.Recipe),
			engine.Encode(again.Plan))
	}
}

func run(program string, arguments ...string) (said, out string, err error) {
	command := exec.Command(program, arguments...)
	var stdout, stderr strings.Builder
	command.Stdout, command.Stderr = &stdout, &stderr
	err = command.Run()
	return stderr.String(), stdout.String(), err
}

func save(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// build compiles the command hush.
func build(t *testing.T) (program string) {
	t.Helper()
	program = filepath.Join(t.TempDir(), "hush")
	compile := exec.Command("go", "build", "-o", program, "hush/web/hush")
	if text, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return program
}
