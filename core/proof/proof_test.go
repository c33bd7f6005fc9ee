package proof

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/internal/prooftest"
)

var update = flag.Bool("update", false, "write what Coq says of theorems.txt")

const (
	theoremsFile = "theorems.txt"
	vectorsFile  = "../coin/testdata/proved.txt"
	mutantsFile  = "mutants.txt"
	closed       = "Closed under the global context"
)

// sources are the files of proofs, each after those that it stands on.
var sources = []string{"Laws.v", "Mechanisms.v", "Coin.v", "CoinLaws.v"}

// coqc runs a program of Coq in a directory.
func coqc(t *testing.T, dir, program string, arguments ...string) (string, error) {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, append([]string{"-R", ".", "Hush"},
		arguments...)...)
	command.Dir = dir
	out, err := command.CombinedOutput()
	return string(out), err
}

var quiet = []string{"-q", "-w", "-notation-overridden,-ambiguous-paths"}

func compile(t *testing.T, dir, file string) (string, error) {
	t.Helper()
	return coqc(t, dir, "coqc", append(slices.Clone(quiet), file)...)
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

var theorem = regexp.MustCompile(`(?m)^Theorem (\w+)`)

// theorems are the names of a file's theorems.
func theorems(text string) (names []string) {
	for _, match := range theorem.FindAllStringSubmatch(text, -1) {
		names = append(names, match[1])
	}
	return names
}

// TestProofs has Coq check all proofs, say what each theorem assumes, refuse the mutants, and
// compute the vectors that core/coin is held to; coqchk checks the result once more.
func TestProofs(t *testing.T) {
	if os.Getenv("HUSH_PROOFS") == "" {
		t.Skip("./build.sh proofs has Coq check the proofs")
	}
	dir := t.TempDir()
	for _, file := range sources {
		write(t, filepath.Join(dir, file), read(t, file))
		out, err := compile(t, dir, file)
		if err != nil {
			t.Fatalf("%s: %v\n%s", file, err, out)
		}
	}
	same(t, theoremsFile, assumptions(t, dir))
	same(t, vectorsFile, vectors(t, dir))
	for _, m := range mutants(t) {
		t.Run(m.file+" "+m.theorem, func(t *testing.T) { m.refused(t, dir) })
	}
	modules := []string{"-silent", "-o"}
	for _, file := range sources {
		modules = append(modules, "Hush."+strings.TrimSuffix(file, ".v"))
	}
	if out, err := coqc(t, dir, "coqchk", modules...); err != nil ||
		strings.Count(out, "<none>") != 4 {
		t.Errorf("coqchk: %v\n%s", err, out)
	}
}

// same compares a text with a file, or writes it there.
func same(t *testing.T, file, text string) {
	t.Helper()
	if *update {
		write(t, file, text)
	}
	if read(t, file) != text {
		t.Errorf("%s is not what Coq says; with -update it is written\n%s", file, text)
	}
}

// printed is a text that Coq prints, in its quotes.
var printed = regexp.MustCompile(`(?s)= "(.*?)"\s*: string`)

// vectors are what the programs of Coin.v do with streams of words.
func vectors(t *testing.T, dir string) string {
	t.Helper()
	write(t, filepath.Join(dir, "Vectors.v"), read(t, "Vectors.v"))
	out, err := compile(t, dir, "Vectors.v")
	if err != nil {
		t.Fatalf("Vectors.v: %v\n%s", err, out)
	}
	text := "# Computed in Coq by core/proof/Vectors.v; do not edit (./build.sh proofs " +
		"-update).\n# An operation, and below it the first words of a stream, the seed of those " +
		"that follow, and draws with the words that they took.\n"
	for _, match := range printed.FindAllStringSubmatch(out, -1) {
		text += match[1]
	}
	return text
}

// assumptions says of every theorem what it assumes.
func assumptions(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("From Hush Require ")
	for _, file := range sources {
		b.WriteString(" " + strings.TrimSuffix(file, ".v"))
	}
	b.WriteString(".\n")
	for _, file := range sources {
		for _, name := range theorems(read(t, file)) {
			name = strings.TrimSuffix(file, ".v") + "." + name
			fmt.Fprintf(&b, "Goal True. idtac %q. Abort.\nPrint Assumptions Hush.%s.\n", name,
				name)
		}
	}
	write(t, filepath.Join(dir, "Assumptions.v"), b.String())
	out, err := compile(t, dir, "Assumptions.v")
	if err != nil {
		t.Fatalf("Print Assumptions: %v\n%s", err, out)
	}
	return strings.ReplaceAll(out, "\n"+closed, ": "+closed)
}

// mutant is a statement that is changed so that it does not hold.
type mutant struct{ file, theorem, why, from, to string }

// mutants reads their list.
func mutants(t *testing.T) (all []mutant) {
	t.Helper()
	head := regexp.MustCompile(`^(\w+\.v) (\w+): (.*)\n- (.*)\n\+ (.*)$`)
	for _, block := range strings.Split(strings.TrimSpace(read(t, mutantsFile)), "\n\n") {
		if strings.HasPrefix(block, "#") {
			continue
		}
		m := head.FindStringSubmatch(block)
		if m == nil {
			t.Fatalf("%s: not a mutant: %q", mutantsFile, block)
		}
		all = append(all, mutant{m[1], m[2], m[3], m[4], m[5]})
	}
	return all
}

// apply returns the file with the change, and the line at which the proof of the changed statement
// begins.
func (m mutant) apply(text string) (changed string, proof int, err error) {
	before, rest, ok := strings.Cut(text, "Theorem "+m.theorem)
	statement, after, ended := strings.Cut(rest, "Proof.")
	if !ok || !ended || strings.Count(statement, m.from) != 1 {
		return "", 0, fmt.Errorf("%s: %q is not once in the statement of %s", m.file, m.from,
			m.theorem)
	}
	before += "Theorem " + m.theorem + strings.Replace(statement, m.from, m.to, 1)
	return before + "Proof." + after, 1 + strings.Count(before, "\n"), nil
}

var errorLine = regexp.MustCompile(`line (\d+), characters [^\n]*\nError`)

// refused: Coq reads the changed statement, and refuses its proof.
func (m mutant) refused(t *testing.T, proved string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(proved)); err != nil {
		t.Fatal(err)
	}
	changed, proof, err := m.apply(read(t, m.file))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, m.file), changed)
	out, err := compile(t, dir, m.file)
	if err == nil {
		t.Fatalf("%s: Coq takes it", m.why)
	}
	at := errorLine.FindStringSubmatch(out)
	if at == nil {
		t.Fatalf("%s: no error of Coq: %v\n%s", m.why, err, out)
	}
	if line, _ := strconv.Atoi(at[1]); line < proof || strings.Contains(out, "Syntax error") {
		t.Errorf("%s: Coq does not read the statement: %s", m.why, out)
	}
}

// TestTheoremsAreCited: proof.md names every theorem, and each that a proof names is there.
func TestTheoremsAreCited(t *testing.T) {
	prooftest.Check(t, os.DirFS("."))
	there := map[string]bool{}
	for line := range strings.Lines(read(t, theoremsFile)) {
		name, _, _ := strings.Cut(line, ":")
		there[name] = true
		if !strings.Contains(read(t, "proof.md"), "`"+name+"`") {
			t.Errorf("proof.md does not name %s", name)
		}
	}
	files, err := filepath.Glob("../*/*.md")
	if err != nil || len(files) < 50 {
		t.Fatalf("%d proofs (%v)", len(files), err)
	}
	var modules []string
	for _, file := range sources {
		modules = append(modules, strings.TrimSuffix(file, ".v"))
	}
	named := regexp.MustCompile("`((?:" + strings.Join(modules, "|") + ")\\.[a-z]\\w+)`")
	cited := 0
	for _, file := range files {
		for _, match := range named.FindAllStringSubmatch(read(t, file), -1) {
			if cited++; !there[match[1]] && match[1][len(match[1])-2:] != ".v" {
				t.Errorf("%s names %s, which is no theorem", file, match[1])
			}
		}
	}
	if cited < 20 {
		t.Errorf("%d theorems are named", cited)
	}
}

// TestStatements needs no Coq: theorems.txt lists every theorem, no proof is left out and nothing
// is taken as an axiom, and each mutant fits its statement.
func TestStatements(t *testing.T) {
	unproved := regexp.MustCompile(`\b(Admitted|admit|Axiom|Axioms|Parameter|Parameters|` +
		`Conjecture|give_up|bypass_check|Unset Guard Checking)\b`)
	var names []string
	for _, file := range sources {
		text := read(t, file)
		if word := unproved.FindString(text); word != "" {
			t.Errorf("%s has %s", file, word)
		}
		for _, name := range theorems(text) {
			names = append(names, strings.TrimSuffix(file, ".v")+"."+name+": "+closed)
		}
	}
	if listed := strings.Split(strings.TrimSpace(read(t, theoremsFile)), "\n"); !slices.Equal(
		listed, names) {
		t.Errorf("theorems.txt lists\n%q, the files have\n%q", listed, names)
	}
	there, err := filepath.Glob("*.v")
	if err != nil || len(there) != len(sources)+1 { // and Vectors.v, which has no theorem
		t.Errorf("%v are there, listed are %v (%v)", there, sources, err)
	}
	for _, m := range mutants(t) {
		if _, _, err := m.apply(read(t, m.file)); err != nil {
			t.Error(err)
		}
	}
}
