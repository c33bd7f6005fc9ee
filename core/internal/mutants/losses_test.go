package mutants

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
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

var losses = flag.String("losses", "", "delete, halve and double what losses are made of, in the "+
	"`files` below core that begin so, with commas, or all, and run tests until one fails")

// switches is a file of core/privacy, beside those of the tree: the calls that losses are made of
// ask it how much of their share is left. HUSH_LOSS is a change, the number of a call and a factor,
// or, after "reach", a file to which all changes are written that would have been one.
const switches = `package privacy

import (
	"fmt"
	"math/big"
	"os"
	"strings"
	"sync"
)

var (
	lossChange  = os.Getenv("HUSH_LOSS")
	lossReached sync.Map
	lossFile    = sync.OnceValue(func() *os.File {
		file, err := os.Create(strings.TrimPrefix(lossChange, "reach "))
		if err != nil {
			panic(err)
		}
		return file
	})
)

func changed(site int, times string) bool {
	change := fmt.Sprint(site, " ", times)
	if strings.HasPrefix(lossChange, "reach ") {
		if _, again := lossReached.LoadOrStore(change, true); !again {
			fmt.Fprintln(lossFile(), change)
		}
	}
	return change == lossChange
}

func factorOf(site int) (num, den int64) {
	switch {
	case changed(site, "0/1"):
		return 0, 1
	case changed(site, "1/2"):
		return 1, 2
	case changed(site, "2/1"):
		return 2, 1
	}
	return 1, 1
}

func times(l Loss, num, den int64) Loss {
	by := func(x *big.Rat) *big.Rat {
		if x == nil {
			return nil
		}
		return new(big.Rat).Mul(x, big.NewRat(num, den))
	}
	l.epsilon, l.rho, l.delta, l.odds = by(l.epsilon), by(l.rho), by(l.delta), nil
	if l.delta != nil {
		l.delta = capAtOne(l.delta)
	}
	return l
}

func Scaled(site int, l Loss) Loss {
	if num, den := factorOf(site); num != den {
		return times(l, num, den)
	}
	return l
}

func ScaledLoss(site int) func(Loss, error) (Loss, error) {
	return func(l Loss, err error) (Loss, error) { return Scaled(site, l), err }
}

func ScaledGroup(site int) func(Loss, error) (Loss, error) {
	return func(l Loss, err error) (Loss, error) {
		switch {
		case changed(site, "1/2"):
			return times(l, 1, 2), err
		case changed(site, "2/1"):
			return times(l, 2, 1), err
		}
		return l, err
	}
}

func ScaledEntries(site int, d Distance) Distance {
	if d > 1 && changed(site, "0/1") {
		return 1
	}
	return d
}

func ScaledPerson(site int) func(Loss, bool) (Loss, bool) {
	return func(l Loss, ok bool) (Loss, bool) {
		if num, den := factorOf(site); num != den {
			return times(l, num, den), ok && num > 0
		}
		return l, ok
	}
}

func ScaledPersonErr(site int) func(Loss, bool, error) (Loss, bool, error) {
	return func(l Loss, ok bool, err error) (Loss, bool, error) {
		l, ok = ScaledPerson(site)(l, ok)
		return l, ok, err
	}
}

func ScaledPart(site int, a, b int64) (num, den int64) {
	switch num, den = factorOf(site); num {
	case 0:
		return 1, 1
	default:
		return num * a, den * b
	}
}
`

// site is a call that a loss is made of.
type site struct {
	number     int
	file, text string // the file below core, and the call
	line       int
}

// factor is one change of a call's share of a loss.
type factor struct{ name, times string }

var factors = []factor{{"deleted", "0/1"}, {"halved", "1/2"}, {"doubled", "2/1"}}

// instrumented is the tree below core with a switch around each call that a loss is made of.
type instrumented struct {
	dir     string // of the module
	sites   []site
	files   map[string]string // file of the tree → its text with switches
	exports map[string]string // package → what the compiler made of it
	set     *token.FileSet
}

// goList is a package as the go command lists it.
type goList struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
}

// instrument finds the calls in what is shipped of core, but for studies, which promise nothing. A
// call of the same name that makes no loss has another type.
func instrument(t *testing.T) *instrumented {
	in := &instrumented{files: map[string]string{}, exports: map[string]string{},
		set: token.NewFileSet()}
	var err error
	if in.dir, err = filepath.Abs(filepath.Join(root, "core")); err != nil {
		t.Fatal(err)
	}
	var packages []goList
	for d := json.NewDecoder(bytes.NewReader(in.run(t, ".", "go", "list", "-export", "-deps",
		"-json=ImportPath,Dir,Export,GoFiles", "./..."))); ; {
		var p goList
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		in.exports[p.ImportPath] = p.Export
		if pkg, own := strings.CutPrefix(p.ImportPath, "hush/core/"); own && pkg != "study" &&
			!strings.HasPrefix(pkg, "internal/") {
			packages = append(packages, p)
		}
	}
	for _, p := range packages {
		in.add(t, p)
	}
	in.files[filepath.Join(in.dir, "privacy", "switches.go")] = switches
	return in
}

// run is the output of a command, run in a directory below core, that must not fail.
func (in *instrumented) run(t *testing.T, below, name string, args ...string) []byte {
	command := exec.CommandContext(t.Context(), name, args...)
	command.Dir = filepath.Join(in.dir, filepath.FromSlash(below))
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", command, err, out)
	}
	return out
}

// add puts switches into the files of a package.
func (in *instrumented) add(t *testing.T, p goList) {
	var names []string
	var parsed []*ast.File
	for _, name := range p.GoFiles {
		names = append(names, filepath.Join(p.Dir, name))
		file, err := parser.ParseFile(in.set, names[len(names)-1], nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, file)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{Importer: importer.ForCompiler(in.set, "gc",
		func(name string) (io.ReadCloser, error) { return os.Open(in.exports[name]) })}
	if _, err := config.Check(p.ImportPath, in.set, parsed, info); err != nil {
		t.Fatal(err)
	}
	of := "scaling."
	if p.ImportPath == "hush/core/privacy" {
		of = ""
	}
	for i, file := range parsed {
		text, err := os.ReadFile(names[i])
		if err != nil {
			t.Fatal(err)
		}
		inserted := map[int]string{}
		at := func(pos token.Pos) int { return in.set.Position(pos).Offset }
		around := func(from, to token.Pos, begin, end string) {
			inserted[at(from)] += of + begin // of nested calls the outer comes first
			inserted[at(to)] = end + inserted[at(to)]
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, is := n.(*ast.CallExpr)
			if !is || len(call.Args) > 2 {
				return true
			}
			method, is := call.Fun.(*ast.SelectorExpr)
			if !is {
				return true
			}
			number := fmt.Sprint(len(in.sites))
			switch method.Sel.Name + " " + resultsOf(info.TypeOf(call)) {
			case "Loss (privacy.Loss, error)":
				around(call.Pos(), call.End(), "ScaledLoss("+number+")(", ")")
			case "OfPerson (privacy.Loss, bool)":
				around(call.Pos(), call.End(), "ScaledPerson("+number+")(", ")")
			case "OfPerson (privacy.Loss, bool, error)":
				around(call.Pos(), call.End(), "ScaledPersonErr("+number+")(", ")")
			case "Group (privacy.Loss, error)":
				around(call.Pos(), call.End(), "ScaledGroup("+number+")(", ")")
				around(call.Args[0].Pos(), call.Args[0].End(), "ScaledEntries("+number+", ", ")")
			case "Part privacy.Epsilon":
				around(call.Args[0].Pos(), call.Args[1].End(), "ScaledPart("+number+", ", ")")
			case "Plus privacy.Loss":
				around(call.Args[0].Pos(), call.Args[0].End(), "Scaled("+number+", ", ")")
			default:
				return true
			}
			below, _ := filepath.Rel(in.dir, names[i]) // unreachable error: both are absolute
			in.sites = append(in.sites, site{len(in.sites), filepath.ToSlash(below),
				string(text[at(call.Pos()):at(call.End())]), in.set.Position(call.Pos()).Line})
			return true
		})
		if len(inserted) == 0 {
			continue
		}
		if of != "" {
			inserted[at(file.Name.End())] = "; import scaling \"hush/core/privacy\""
		}
		var changed strings.Builder
		last := 0
		for _, offset := range slices.Sorted(maps.Keys(inserted)) {
			changed.Write(text[last:offset])
			changed.WriteString(inserted[offset])
			last = offset
		}
		changed.Write(text[last:])
		in.files[names[i]] = changed.String()
	}
}

// resultsOf are the types that a call returns, by their packages.
func resultsOf(t types.Type) string {
	tuple, is := t.(*types.Tuple)
	if !is {
		return types.TypeString(t, (*types.Package).Name)
	}
	var list []string
	for result := range tuple.Variables() {
		list = append(list, types.TypeString(result.Type(), (*types.Package).Name))
	}
	return "(" + strings.Join(list, ", ") + ")"
}

// build makes the tests of each package with the switches.
func (in *instrumented) build(t *testing.T) (dir string) {
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
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, table, 0o600); err != nil {
		t.Fatal(err)
	}
	for name := range in.exports {
		pkg, own := strings.CutPrefix(name, "hush/core/")
		if own && (!strings.HasPrefix(pkg, "internal/") || pkg == "internal/replay") {
			in.run(t, ".", "go", "test", "-c", "-vet=off", "-overlay", list, "-o",
				filepath.Join(dir, strings.ReplaceAll(pkg, "/", "-")), "./"+pkg)
		}
	}
	return dir
}

// proof is a short test that may notice a change.
type proof struct {
	pkg, name string
	binary    string
	reach     map[string]bool // the changes that change what it does
	takes     time.Duration
}

// fails is what a test says that fails with a change; "" where it passes.
func (p *proof) fails(t *testing.T, in *instrumented, change string, limit time.Duration) string {
	command := exec.CommandContext(t.Context(), p.binary, "-test.short", "-test.failfast",
		"-test.run=^"+p.name+"$", "-test.timeout="+limit.String())
	command.Dir = filepath.Join(in.dir, filepath.FromSlash(p.pkg))
	command.Env = append(os.Environ(), "HUSH_LOSS="+change)
	out, err := command.CombinedOutput()
	if err == nil {
		return ""
	}
	return err.Error() + string(out)
}

// proofs runs each short test without a change; the cheapest come first.
func (in *instrumented) proofs(t *testing.T, dir string) (list []*proof) {
	reached := filepath.Join(dir, "reached")
	for name := range in.exports {
		pkg := strings.TrimPrefix(name, "hush/core/")
		binary := filepath.Join(dir, strings.ReplaceAll(pkg, "/", "-"))
		if _, err := os.Stat(binary); err != nil {
			continue
		}
		tests := "^(Test|Example|Fuzz)"
		if pkg == "internal/replay" { // in seconds, of every question
			tests = "^(TestReplays|TestCliffs)$"
		}
		for _, name := range strings.Fields(string(in.run(t, pkg, binary, "-test.short",
			"-test.list", tests))) {
			p := &proof{pkg: pkg, name: name, binary: binary, reach: map[string]bool{}}
			start := time.Now()
			if out := p.fails(t, in, "reach "+reached, 10*time.Minute); out != "" {
				t.Fatalf("%s %s fails without a change:\n%s", pkg, name, out)
			}
			p.takes = time.Since(start)
			changes, err := os.ReadFile(reached)
			if errors.Is(err, os.ErrNotExist) { // the package knows no loss
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			for change := range strings.Lines(string(changes)) {
				p.reach[strings.TrimSpace(change)] = true
			}
			if err := os.Remove(reached); err != nil {
				t.Fatal(err)
			}
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b *proof) int { return cmp.Compare(a.takes, b.takes) })
	return list
}

// TestLosses lists the calls that losses are made of and, with -losses, fails for each that may be
// deleted, halved or doubled without a short test of core failing. A test that takes ten times as
// long, and half a minute, has failed.
func TestLosses(t *testing.T) {
	in := instrument(t)
	if len(in.sites) < 150 {
		t.Errorf("%d calls, want at least 150", len(in.sites))
	}
	if *losses == "" {
		return
	}
	list := in.proofs(t, in.build(t))
	t.Logf("%d calls, %d tests", len(in.sites), len(list))
	of, alive := 0, 0
	first := map[string][]*proof{} // what failed at other changes of a file
	for _, s := range in.sites {
		if *losses != "all" && !slices.ContainsFunc(strings.Split(*losses, ","),
			func(begin string) bool { return strings.HasPrefix(s.file, begin) }) {
			continue
		}
		for _, f := range factors {
			of++
			by := in.killer(t, slices.Concat(first[s.file], list),
				fmt.Sprintf("%d %s", s.number, f.times))
			if by == nil {
				alive++
				t.Errorf("%s:%d: %s: %s, and nothing fails", s.file, s.line, s.text, f.name)
				continue
			}
			t.Logf("%s:%d: %s: %s: %s %s", s.file, s.line, s.text, f.name, by.pkg, by.name)
			if !slices.Contains(first[s.file], by) {
				first[s.file] = append(first[s.file], by)
			}
		}
	}
	t.Logf("%d changes, %d alive", of, alive)
}

// killer is the first test of those that fail with a change; nil where none does.
func (in *instrumented) killer(t *testing.T, list []*proof, change string) *proof {
	tried := map[*proof]bool{}
	for _, p := range list {
		if tried[p] || !p.reach[change] {
			continue
		}
		if tried[p] = true; p.fails(t, in, change, 30*time.Second+10*p.takes) != "" {
			return p
		}
	}
	return nil
}
