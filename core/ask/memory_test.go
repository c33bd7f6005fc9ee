package ask

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

type held struct {
	epsilon *big.Rat
	list    []uint64
	any     any
	names   map[string]int
}

var made int

func count(held) (int, error)   { made++; return made, nil }
func another(held) (int, error) { made++; return made, nil }
func fails(held) (int, error)   { made++; return 0, errors.New("no") }

// TestRemember: what is remembered is given again where all that it was made of is the same, behind
// pointers too, and made by the same maker; an error is not remembered.
func TestRemember(t *testing.T) {
	q := &Query{memory: memory{}}
	list := func() []held {
		return []held{{}, {epsilon: big.NewRat(1, 3)}, {epsilon: big.NewRat(2, 3)},
			{list: []uint64{}},
			{list: []uint64{1, 23}}, {list: []uint64{12, 3}}, {any: 1}, {any: "1"}, {any: int64(1)},
			{any: &held{list: []uint64{7}}}, {any: &held{list: []uint64{8}}},
			{names: map[string]int{"a": 1, "b": 2}}, {names: map[string]int{"a": 2, "b": 1}}}
	}
	first := map[int]bool{}
	for i, from := range list() {
		number, err := Remember(q, from, count)
		if err != nil || first[number] && i != 3 {
			t.Errorf("%d: %d, %v", i, number, err)
		}
		first[number] = true
	}
	for i, from := range list() {
		if number, _ := Remember(q, from, count); !first[number] {
			t.Errorf("%d was made again", i)
		}
		if number, _ := Remember(q, from, another); first[number] {
			t.Errorf("%d is another maker's", i)
		}
	}
	before := made
	for range 2 {
		if _, err := Remember(q, held{}, fails); err == nil {
			t.Error("no error")
		}
	}
	if made != before+2 {
		t.Error("an error is remembered")
	}
}

// TestMakersSeeOnlyTheirKey: what is remembered is made by functions of the package level, which
// see nothing but what they are given, and that is the key. A closure could hold more.
func TestMakersSeeOnlyTheirKey(t *testing.T) {
	paths, err := filepath.Glob("../task/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(path, "_test.go") {
			texts = append(texts, string(text))
		}
	}
	calls, wrong := closures(t, texts...)
	if len(wrong) > 0 {
		t.Errorf("no functions of the package level: %q", wrong)
	}
	if calls < 10 {
		t.Errorf("only %d calls are looked at", calls)
	}
	for _, planted := range []string{"func() (int, error) { return x, nil }", "x.make", "local"} {
		if _, wrong := closures(t, "package p\nfunc f(x t) { local := x.make\n"+
			"ask.Remember(q, x, "+planted+") }"); len(wrong) != 1 {
			t.Errorf("%s is not found", planted)
		}
	}
}

// closures counts the calls of Remember in the files of a package, and lists the makers that are no
// functions of a package and no methods of a type.
func closures(t *testing.T, texts ...string) (calls int, wrong []string) {
	t.Helper()
	known := map[string]bool{} // packages, and what is declared outside of functions
	var files []*ast.File
	for _, text := range texts {
		file, err := parser.ParseFile(token.NewFileSet(), "", text, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
		for _, path := range file.Imports {
			known[filepath.Base(strings.Trim(path.Path.Value, `"`))] = true
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				known[d.Name.Name] = known[d.Name.Name] || d.Recv == nil
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, is := s.(*ast.TypeSpec); is {
						known[s.Name.Name] = true
					}
				}
			}
		}
	}
	for k, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			call, is := n.(*ast.CallExpr)
			if !is || len(call.Args) != 3 {
				return true
			}
			if of, is := call.Fun.(*ast.SelectorExpr); !is || of.Sel.Name != "Remember" {
				return true
			}
			calls++
			maker := call.Args[2]
			if of, is := maker.(*ast.SelectorExpr); is {
				maker = of.X
				if of, is := maker.(*ast.SelectorExpr); is { // of a type of another package
					maker = of.X
				}
			}
			if root, is := maker.(*ast.Ident); !is || !known[root.Name] {
				at := call.Args[2]
				wrong = append(wrong, texts[k][at.Pos()-file.FileStart:at.End()-file.FileStart])
			}
			return true
		})
	}
	return calls, wrong
}
