package mutants

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// tree is the code with switches: files that stand in place of others, or beside them.
type tree struct {
	dir      string            // of the module
	files    map[string]string // path → text
	exports  map[string]string // import path → what the compiler made of it
	packages map[string]goList // those of core and the engine, named as in the list
	spots    int               // with a switch of the rules
	set      *token.FileSet
}

// goList is a package as the go command lists it.
type goList struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
}

func newTree(t *testing.T) *tree {
	in := &tree{files: map[string]string{}, exports: map[string]string{},
		packages: map[string]goList{}, set: token.NewFileSet()}
	var err error
	if in.dir, err = filepath.Abs(root); err != nil {
		t.Fatal(err)
	}
	for d := json.NewDecoder(bytes.NewReader(in.run(t, ".", "go", "list", "-export", "-deps",
		"-json=ImportPath,Dir,Export,GoFiles", "./core/...", "./web/engine"))); ; {
		var p goList
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return in
		} else if err != nil {
			t.Fatal(err)
		}
		in.exports[p.ImportPath] = p.Export
		if pkg, own := strings.CutPrefix(p.ImportPath, "hush/"); own && pkg != "core" {
			in.packages[strings.TrimPrefix(pkg, "core/")] = p
		}
	}
}

// sorted are the packages of which something holds.
func (in *tree) sorted(of func(pkg string) bool) (list []string) {
	for _, pkg := range slices.Sorted(maps.Keys(in.packages)) {
		if of(pkg) {
			list = append(list, pkg)
		}
	}
	return list
}

// run is the output of a command, run in a directory of the tree, that must not fail.
func (in *tree) run(t *testing.T, below, name string, args ...string) []byte {
	command := exec.CommandContext(t.Context(), name, args...)
	command.Dir = filepath.Join(in.dir, filepath.FromSlash(below))
	var says bytes.Buffer
	command.Stderr = &says
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", command, err, out, says.Bytes())
	}
	return out
}

// typed is a package with the types of its expressions.
type typed struct {
	set   *token.FileSet
	pkg   *types.Package
	info  *types.Info
	files []*ast.File
	names []string // of the files, as in the list
	texts []string
}

func (in *tree) load(t *testing.T, pkg string) *typed {
	listed := in.packages[pkg]
	p := &typed{set: in.set, info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}}}
	for _, name := range listed.GoFiles {
		text, err := os.ReadFile(filepath.Join(listed.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(in.set, name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		p.files, p.names = append(p.files, file), append(p.names, pkg+"/"+name)
		p.texts = append(p.texts, string(text))
	}
	config := types.Config{Importer: importer.ForCompiler(in.set, "gc",
		func(name string) (io.ReadCloser, error) { return os.Open(in.exports[name]) })}
	var err error
	if p.pkg, err = config.Check(listed.ImportPath, in.set, p.files, p.info); err != nil {
		t.Fatal(err)
	}
	return p
}

// edits are texts that are inserted into a file.
type edits struct{ at map[int]string }

// around inserts a text before a place and one behind another; of nested ones the outer come first.
func (e *edits) around(from, to int, begin, end string) {
	e.at[from] += begin
	e.at[to] = end + e.at[to]
}

func (e *edits) apply(text string) string {
	var changed strings.Builder
	last := 0
	for _, offset := range slices.Sorted(maps.Keys(e.at)) {
		changed.WriteString(text[last:offset])
		changed.WriteString(e.at[offset])
		last = offset
	}
	changed.WriteString(text[last:])
	return changed.String()
}

// change replaces a file of the list, which imports a package as well.
func (in *tree) change(name, text string, e *edits, file *ast.File, imports string) {
	if len(e.at) == 0 {
		return
	}
	if imports != "" {
		e.at[in.set.Position(file.Name.End()).Offset] = "; import " + imports
	}
	in.files[filepath.Join(in.dir, filepath.FromSlash(fromRoot(name)))] = e.apply(text)
}

// hunt is for the tests that notice changes.
type hunt struct {
	in     *tree
	proofs []*proof            // the cheapest come first
	first  map[string][]*proof // those that failed at other changes of a file
}

// proof is a short test that may notice a change.
type proof struct {
	pkg, name string
	binary    string
	reach     map[string]bool // the switches that it comes to
	takes     time.Duration
}

// overlay writes the files with switches into a new directory, with the table that the go command
// reads in place of the tree.
func (in *tree) overlay(t *testing.T) (dir string) {
	dir = t.TempDir()
	replace := map[string]string{}
	for name, text := range in.files {
		replace[name] = filepath.Join(dir, fmt.Sprintf("%d.go", len(replace)))
		if err := os.WriteFile(replace[name], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	table, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err) // unreachable: strings only
	}
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), table, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// hunt builds the tests of packages with the switches, and runs each short one without a change. It
// leaves those out that come to no switch, and those that fail: one may count what is allocated.
func (in *tree) hunt(t *testing.T, packages []string, kinds string) *hunt {
	dir := in.overlay(t)
	h := &hunt{in: in, first: map[string][]*proof{}}
	for _, pkg := range packages {
		binary := filepath.Join(dir, strings.ReplaceAll(pkg, "/", "-"))
		in.run(t, ".", "go", "test", "-c", "-vet=off", "-overlay",
			filepath.Join(dir, "overlay.json"), "-o", binary, "./"+fromRoot(pkg))
		if _, err := os.Stat(binary); errors.Is(err, os.ErrNotExist) {
			continue // it has no tests
		}
		tests := "^(" + kinds + ")"
		if pkg == "internal/replay" { // in seconds, of every question
			tests = "^(TestReplays|TestCliffs)$"
		}
		for name := range strings.FieldsSeq(string(in.run(t, fromRoot(pkg), binary, "-test.short",
			"-test.list", tests))) {
			p := &proof{pkg: pkg, name: name, binary: binary, reach: map[string]bool{}}
			h.measure(t, p, filepath.Join(dir, "reached"))
		}
	}
	slices.SortFunc(h.proofs, func(a, b *proof) int { return cmp.Compare(a.takes, b.takes) })
	return h
}

// measure runs a test without a change.
func (h *hunt) measure(t *testing.T, p *proof, reached string) {
	start := time.Now()
	failure := p.fails(t.Context(), h.in, "reach "+reached, 10*time.Minute)
	p.takes = time.Since(start)
	switches, err := os.ReadFile(reached)
	if errors.Is(err, os.ErrNotExist) {
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(reached); err != nil {
		t.Fatal(err)
	}
	if failure != "" {
		t.Logf("left out: %s %s fails with the switches:\n%.400s", p.pkg, p.name, failure)
		return
	}
	for name := range strings.Lines(string(switches)) {
		p.reach[strings.TrimSpace(name)] = true
	}
	h.proofs = append(h.proofs, p)
}

// fails is what a test says that fails with a change; "" where it passes.
func (p *proof) fails(ctx context.Context, in *tree, change string, limit time.Duration) string {
	command := exec.CommandContext(ctx, p.binary, "-test.short", "-test.failfast",
		"-test.run=^"+p.name+"$", "-test.timeout="+limit.String())
	command.Dir = filepath.Join(in.dir, filepath.FromSlash(fromRoot(p.pkg)))
	command.Env = append(os.Environ(), "HUSH_CHANGE="+change)
	out, err := command.CombinedOutput()
	if err == nil {
		return ""
	}
	return err.Error() + string(out)
}

// killer is the first test of those that come to a switch and fail with its change; nil where none
// does. One that takes ten times as long, and some seconds, has failed.
func (h *hunt) killer(t *testing.T, file, reached, change string, patience time.Duration) *proof {
	tried := map[*proof]bool{}
	for _, p := range slices.Concat(h.first[file], h.proofs) {
		if tried[p] || !p.reach[reached] {
			continue
		}
		if tried[p] = true; p.fails(t.Context(), h.in, change, patience+10*p.takes) != "" {
			if !slices.Contains(h.first[file], p) {
				h.first[file] = append(h.first[file], p)
			}
			return p
		}
	}
	return nil
}

// reaches is whether a test comes to a switch.
func (h *hunt) reaches(at string) bool {
	return slices.ContainsFunc(h.proofs, func(p *proof) bool { return p.reach[at] })
}

// begins is whether a name begins as one of those with commas, or these are all.
func begins(name, with string) bool {
	return with == "all" || slices.ContainsFunc(strings.Split(with, ","),
		func(begin string) bool { return strings.HasPrefix(name, begin) })
}
