package mutants

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	mutate = flag.String("mutate", "",
		"apply the changes `numbers`, as 7,10..12, or all, and run their tests")
	search = flag.String("search", "",
		"look for a test that fails in these `packages` below core, "+
			"with commas, \".\" being the file's own, and write the list anew; or, with "+
			"-rules, in these too")
)

const (
	list      = "mutants.txt"
	root      = "../../.."
	survivors = "nothing" // in place of a killer
)

// A mutant is a change of one file that breaks a guarantee.
type mutant struct {
	file   string // below core/, or beginning with web/
	breaks string // what it breaks
	old    string // stands in the file once
	new    string
	killer string // package, as file, and test, which fails with it; "" where none is known
}

// entry is a mutant's text in the list.
func (m mutant) entry() string {
	killer := m.killer
	if killer == "" {
		killer = survivors
	}
	return fmt.Sprintf("%s: %s\n%s%s= %s\n", m.file, m.breaks, marked("-", m.old),
		marked("+", m.new), killer)
}

func marked(mark, text string) string {
	return mark + " " + strings.ReplaceAll(text, "\n", "\n"+mark+" ") + "\n"
}

// parse reads a mutant from the list.
func parse(entry string) (m mutant, err error) {
	lines := strings.Split(entry, "\n")
	var found bool
	if m.file, m.breaks, found = strings.Cut(lines[0], ": "); !found {
		return m, fmt.Errorf("%q: want a file, a colon and what the change breaks", lines[0])
	}
	var old, new []string
	for _, line := range lines[1:] {
		mark, text, _ := strings.Cut(line, " ")
		switch mark {
		case "-":
			old = append(old, text)
		case "+":
			new = append(new, text)
		case "=":
			m.killer = text
		default:
			return m, fmt.Errorf("%q: want a line with -, + or = before a space", line)
		}
	}
	m.old, m.new = strings.Join(old, "\n"), strings.Join(new, "\n")
	if m.killer == survivors {
		m.killer = ""
	}
	if m.old == "" || m.old == m.new {
		return m, fmt.Errorf("%q changes nothing", lines[0])
	}
	return m, nil
}

// fromRoot is the path of a file or package of the list, from the root of the tree.
func fromRoot(name string) string {
	if strings.HasPrefix(name, "web/") {
		return name
	}
	return "core/" + name
}

// apply is the file's text with the change.
func (m mutant) apply() (string, error) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(fromRoot(m.file))))
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(text), m.old); n != 1 {
		return "", fmt.Errorf("%s: %q stands in it %d times, want once: move the change with the "+
			"code", m.file, m.old, n)
	}
	return strings.Replace(string(text), m.old, m.new, 1), nil
}

func read(t *testing.T) (mutants []mutant) {
	t.Helper()
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range strings.Split(strings.TrimSuffix(string(text), "\n"), "\n\n") {
		m, err := parse(entry)
		if err != nil {
			t.Fatal(err)
		}
		mutants = append(mutants, m)
	}
	return mutants
}

func write(t *testing.T, mutants []mutant) {
	t.Helper()
	entries := make([]string, len(mutants))
	for i, m := range mutants {
		entries[i] = m.entry()
	}
	if err := os.WriteFile(list, []byte(strings.Join(entries, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestMutants checks that every change still applies and, with -mutate, that its test fails at it.
func TestMutants(t *testing.T) {
	mutants := read(t)
	if len(mutants) < 300 {
		t.Errorf("%d changes, want at least 300", len(mutants))
	}
	for _, m := range mutants {
		if _, err := m.apply(); err != nil {
			t.Error(err)
		}
	}
	if *mutate == "" || t.Failed() {
		return
	}
	t.Run("run", func(t *testing.T) {
		for _, i := range chosen(t, len(mutants)) {
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				t.Parallel()
				mutants[i-1].run(t)
			})
		}
	})
	if *search != "" {
		write(t, mutants)
	}
}

// chosen are the numbers that -mutate names, of n.
func chosen(t *testing.T, n int) (numbers []int) {
	for _, part := range strings.Split(strings.Replace(*mutate, "all", "1..", 1), ",") {
		from, to, several := strings.Cut(part, "..")
		first, err := strconv.Atoi(from)
		last := first
		if several && to == "" {
			last = n
		} else if several && err == nil {
			last, err = strconv.Atoi(to)
		}
		if err != nil || first < 1 || last > n {
			t.Fatalf("-mutate %s: want numbers from 1 to %d, as 7,10..12, or all", part, n)
		}
		for i := first; i <= last; i++ {
			numbers = append(numbers, i)
		}
	}
	return numbers
}

// run applies a change and fails unless a test does.
func (m *mutant) run(t *testing.T) {
	overlay := m.overlay(t)
	if m.killer != "" {
		pkg, name, _ := strings.Cut(m.killer, " ")
		if fails(t, overlay, pkg, name) != "" {
			return
		}
	}
	if *search != "" {
		for _, pkg := range strings.Split(*search, ",") {
			if pkg == "." {
				pkg = path.Dir(m.file)
			}
			if name := fails(t, overlay, pkg, "Test"); name != "" {
				m.killer = pkg + " " + name
				t.Logf("%s: %s: killed by %s", m.file, m.breaks, m.killer)
				return
			}
		}
		m.killer = ""
	}
	t.Errorf("%s: %s: it survives\n- %s\n+ %s", m.file, m.breaks, m.old, m.new)
}

// overlay writes the changed file, and the table that the go command reads in place of the tree.
func (m mutant) overlay(t *testing.T) string {
	text, err := m.apply()
	if err != nil {
		t.Fatal(err)
	}
	changed := filepath.Join(t.TempDir(), path.Base(m.file))
	original, err := filepath.Abs(filepath.Join(root, filepath.FromSlash(fromRoot(m.file))))
	if err != nil {
		t.Fatal(err)
	}
	table, err := json.Marshal(map[string]any{"Replace": map[string]string{original: changed}})
	if err != nil {
		t.Fatal(err) // unreachable: strings only
	}
	name := filepath.Join(t.TempDir(), "overlay.json")
	for file, content := range map[string]string{changed: text, name: string(table)} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return name
}

var (
	failed = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)
	hung   = regexp.MustCompile(`running tests:\n\t(\w+)`)
	// of a goroutine that no test waits for; no build that failed says that
	panicked = regexp.MustCompile(`(?m)^(panic|fatal error): `)
)

// fails is the first short test of a package whose name begins so and that fails with the change,
// or "" where all pass. One that does not end in minutes has failed, and a panic of a goroutine is
// one that has no name.
func fails(t *testing.T, overlay, pkg, name string) string {
	t.Helper()
	if name != "Test" {
		name += "$"
	}
	command := exec.CommandContext(t.Context(), "go", "test", "-overlay", overlay, "-short",
		"-failfast", "-vet=off", "-timeout=5m", "-run", "^"+name, "./"+fromRoot(pkg))
	command.Dir = root
	out, err := command.CombinedOutput()
	if err == nil {
		return ""
	}
	for _, line := range []*regexp.Regexp{failed, hung, panicked} {
		if m := line.FindSubmatch(out); m != nil {
			return string(m[1])
		}
	}
	t.Fatalf("neither passes nor fails with the change:\n%s", out)
	return ""
}
