package mutants

import (
	"flag"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var losses = flag.String("losses", "", "delete, halve and double what losses are made of, in the "+
	"`files` below core that begin so, with commas, or all, and run tests until one fails")

// switches is a file of core/privacy, beside those of the tree: the calls that losses are made of
// ask it how much of their share is left. HUSH_CHANGE is a change, the number of a call and a
// factor, or, after "reach", a file to which all changes are written that would have been one.
const switches = `package privacy

import (
	"fmt"
	"math/big"
	"os"
	"strings"
	"sync"
)

var (
	lossChange  = os.Getenv("HUSH_CHANGE")
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

// promises is whether a package makes promises: what is shipped of core, but for studies.
func promises(pkg string) bool {
	return pkg != "study" && !strings.HasPrefix(pkg, "internal/") && !strings.HasPrefix(pkg, "web/")
}

// instrument finds the calls in what makes promises, and puts a switch around each. A call of the
// same name that makes no loss has another type.
func instrument(t *testing.T) (in *tree, sites []site) {
	in = newTree(t)
	for _, pkg := range in.sorted(promises) {
		sites = append(sites, in.addLosses(t, pkg, len(sites))...)
	}
	in.files[filepath.Join(in.dir, "core", "privacy", "switches.go")] = switches
	return in, sites
}

// addLosses puts switches into the files of a package, which number its calls from the first.
func (in *tree) addLosses(t *testing.T, pkg string, first int) (sites []site) {
	p := in.load(t, pkg)
	of, imports := "scaling.", "scaling \"hush/core/privacy\""
	if pkg == "privacy" {
		of, imports = "", ""
	}
	for i, file := range p.files {
		text, e := p.texts[i], &edits{at: map[int]string{}}
		at := func(pos token.Pos) int { return in.set.Position(pos).Offset }
		around := func(from, to token.Pos, begin, end string) {
			e.around(at(from), at(to), of+begin, end)
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
			number := fmt.Sprint(first + len(sites))
			switch method.Sel.Name + " " + resultsOf(p.info.TypeOf(call)) {
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
			sites = append(sites, site{first + len(sites), p.names[i],
				text[at(call.Pos()):at(call.End())], in.set.Position(call.Pos()).Line})
			return true
		})
		in.change(p.names[i], text, e, file, imports)
	}
	return sites
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

// TestLosses lists the calls that losses are made of and, with -losses, fails for each that may be
// deleted, halved or doubled without a short test of core failing.
func TestLosses(t *testing.T) {
	in, sites := instrument(t)
	if len(sites) < 150 {
		t.Errorf("%d calls, want at least 150", len(sites))
	}
	if *losses == "" {
		return
	}
	h := in.hunt(t, in.sorted(func(pkg string) bool {
		return promises(pkg) || pkg == "internal/replay"
	}), "Test|Example|Fuzz")
	t.Logf("%d calls, %d tests", len(sites), len(h.proofs))
	of, alive := 0, 0
	for _, s := range sites {
		if !begins(s.file, *losses) {
			continue
		}
		for _, f := range factors {
			of++
			change := fmt.Sprintf("%d %s", s.number, f.times)
			by := h.killer(t, s.file, change, change, 30*time.Second)
			if by == nil {
				alive++
				t.Errorf("%s:%d: %s: %s, and nothing fails", s.file, s.line, s.text, f.name)
				continue
			}
			t.Logf("%s:%d: %s: %s: %s %s", s.file, s.line, s.text, f.name, by.pkg, by.name)
		}
	}
	t.Logf("%d changes, %d alive", of, alive)
}
