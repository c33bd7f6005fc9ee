package mutants

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var losses = flag.String("losses", "", "delete, halve and double what losses are made of, in the "+
	"`files` below core that begin so, with commas, or all, and run tests until one fails")

// scale is a file of core/privacy, beside those of the tree, by which changes scale losses.
const scale = `package privacy

import "math/big"

func Scale(l Loss, num, den int64) Loss {
	times := func(x *big.Rat) *big.Rat {
		if x == nil {
			return nil
		}
		return new(big.Rat).Mul(x, big.NewRat(num, den))
	}
	l.epsilon, l.rho, l.delta, l.odds = times(l.epsilon), times(l.rho), times(l.delta), nil
	if l.delta != nil {
		l.delta = capAtOne(l.delta)
	}
	return l
}

func ScaleErr(num, den int64) func(Loss, error) (Loss, error) {
	return func(l Loss, err error) (Loss, error) { return Scale(l, num, den), err }
}

func ScaleOK(num, den int64) func(Loss, bool) (Loss, bool) {
	return func(l Loss, ok bool) (Loss, bool) { return Scale(l, num, den), ok && num > 0 }
}

func ScaleOKErr(num, den int64) func(Loss, bool, error) (Loss, bool, error) {
	return func(l Loss, ok bool, err error) (Loss, bool, error) {
		return Scale(l, num, den), ok && num > 0, err
	}
}
`

// site is a call that a loss is made of.
type site struct {
	file, text string // the file below core, and the call
	line       int
	from, to   int       // where the call stands
	call       [4]string // what is called on, by what name, and its arguments
}

// scaled are the names of the calls that are mutated.
var scaled = []string{"OfPerson", "Group", "Part", "Loss", "Plus"}

// sites lists the calls in what is shipped of core.
func sites(t *testing.T) (list []site) {
	core := filepath.Join(root, "core")
	err := filepath.WalkDir(core, func(name string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, name, text, 0)
		if err != nil {
			return err
		}
		below, err := filepath.Rel(core, name)
		of := func(n ast.Node) string {
			return string(text[set.Position(n.Pos()).Offset:set.Position(n.End()).Offset])
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			call, is := n.(*ast.CallExpr)
			if !is || len(call.Args) > 2 {
				return true
			}
			method, is := call.Fun.(*ast.SelectorExpr)
			if !is || !slices.Contains(scaled, method.Sel.Name) {
				return true
			}
			s := site{file: filepath.ToSlash(below), text: of(call),
				line: set.Position(call.Pos()).Line, from: set.Position(call.Pos()).Offset,
				to: set.Position(call.End()).Offset, call: [4]string{of(method.X), method.Sel.Name}}
			for i, arg := range call.Args {
				s.call[2+i] = of(arg)
			}
			list = append(list, s)
			return true
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// factor is one change of a call's share of a loss.
type factor struct {
	name     string
	num, den int64
}

var factors = []factor{{"deleted", 0, 1}, {"halved", 1, 2}, {"doubled", 2, 1}}

// with is the call with a change; in is how its file names core/privacy.
func (s site) with(f factor, in string) string {
	x, a, b := s.call[0], s.call[2], s.call[3]
	by := fmt.Sprintf("(%d, %d)", f.num, f.den)
	switch s.call[1] {
	case "Part":
		if f.num == 0 {
			return x + ".Part(1, 1)"
		}
		return fmt.Sprintf("%s.Part(%d*(%s), %d*(%s))", x, f.num, a, f.den, b)
	case "Plus":
		return fmt.Sprintf("%s.Plus(%sScale(%s, %d, %d))", x, in, a, f.num, f.den)
	case "Group":
		if f.num == 0 {
			return x + ".Group(1)"
		}
	case "OfPerson":
		if strings.HasSuffix(x, "Noise()") {
			return in + "ScaleOK" + by + "(" + s.text + ")"
		}
		return in + "ScaleOKErr" + by + "(" + s.text + ")"
	}
	return in + "ScaleErr" + by + "(" + s.text + ")"
}

// overlay writes the changed file and the file of scale.
func (s site) overlay(t *testing.T, f factor) string {
	name := filepath.Join(root, "core", filepath.FromSlash(s.file))
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	in, clause := "scaling.", "package "+packageOf(string(text))
	changed := string(text[:s.from]) + s.with(f, in) + string(text[s.to:])
	if path.Dir(s.file) == "privacy" {
		changed = string(text[:s.from]) + s.with(f, "") + string(text[s.to:])
	} else {
		changed = strings.Replace(changed, clause+"\n",
			clause+"; import scaling \"hush/core/privacy\"\n", 1) + "\nvar _ = scaling.Scale\n"
	}
	dir := t.TempDir()
	replace := map[string]string{}
	for original, content := range map[string]string{name: changed,
		filepath.Join(root, "core/privacy/scale.go"): scale} {
		full, err := filepath.Abs(original)
		if err != nil {
			t.Fatal(err)
		}
		replace[full] = filepath.Join(dir, path.Base(filepath.ToSlash(original)))
		if err := os.WriteFile(replace[full], []byte(content), 0o600); err != nil {
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
	return list
}

// packageOf is the name in the package clause.
func packageOf(text string) string {
	_, name, _ := strings.Cut("\n"+text, "\npackage ")
	name, _, _ = strings.Cut(name, "\n")
	return name
}

// TestLosses lists the calls that losses are made of and, with -losses, fails for each that may be
// deleted, halved or doubled without a short test of its package, or of those that ask every
// question, failing. A call that does not build so makes no loss.
func TestLosses(t *testing.T) {
	list := sites(t)
	if len(list) < 150 {
		t.Errorf("%d calls, want at least 150", len(list))
	}
	if *losses == "" {
		return
	}
	var of, alive, others int
	for _, s := range list {
		if *losses != "all" && !slices.ContainsFunc(strings.Split(*losses, ","),
			func(begin string) bool { return strings.HasPrefix(s.file, begin) }) {
			continue
		}
		for _, f := range factors {
			overlay := s.overlay(t, f)
			build := exec.CommandContext(t.Context(), "go", "build", "-overlay", overlay,
				"./core/"+path.Dir(s.file))
			build.Dir = root
			if out, err := build.CombinedOutput(); err != nil {
				t.Logf("%s:%d: %s: no loss: %.200s", s.file, s.line, s.text, out)
				others++
				break
			}
			of++
			killer := ""
			for _, pkg := range []string{"internal/replay", path.Dir(s.file), "ask", "task"} {
				tests := "Test"
				if pkg == "internal/replay" { // in seconds, of every question
					tests = "(TestReplays|TestCliffs)"
				}
				if name := fails(t, overlay, pkg, tests); name != "" {
					killer = pkg + " " + name
					break
				}
			}
			if killer == "" {
				alive++
				t.Errorf("%s:%d: %s: %s, and nothing fails", s.file, s.line, s.text, f.name)
				continue
			}
			t.Logf("%s:%d: %s: %s: %s", s.file, s.line, s.text, f.name, killer)
		}
	}
	t.Logf("%d changes, %d alive; %d calls of other things", of, alive, others)
}
