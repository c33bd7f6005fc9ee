package doctest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// byHand are the tests that write files with a flag named update and are none of golden's, by
// package, or by package and name: who changes these says which.
var byHand = map[string]string{
	"core/density TestCompared":      "measured: algorithms side by side",
	"core/joint":                     "measured: minutes, beside other libraries' rows",
	"core/classify":                  "measured: how useful labels are",
	"core/query TestCompared":        "measured: algorithms side by side",
	"core/mechanism TestCompared":    "bounds side by side: a change is one of a mechanism",
	"core/threshold TestCompared":    "bounds side by side: a change is one of a mechanism",
	"core/threshold TestSuccess":     "bounds in a doc comment: a change is one of a mechanism",
	"core/selection":                 "measured: algorithms side by side",
	"core/privacy":                   "measured beside another library",
	"core/internal/peer":             "measured beside other libraries",
	"core/proof TestProofs":          "what Coq says: ./build.sh proofs -update",
	"core/table TestMalformed":       "vectors of a parser: a change reads files otherwise",
	"core/task TestReleasedAsBefore": "every release of before; golden adds those that are missing",
	"core/task TestPlanKeepsItsWord": "measured: minutes",
	"core/internal/reach":            "what audits go through: a change is one of a mechanism",
	"core/internal/audittest":        "tests of the flag itself",
	"web/browsertest":                "drawn in a browser",
}

// TestGolden: golden of build.sh runs each test that writes a file with -update, but those that are
// written by hand, and each that it runs writes one.
//
// AUDIT.md is not looked for: its lines are claims, and audittest writes them.
func TestGolden(t *testing.T) {
	command := exec.CommandContext(t.Context(), "bash", "-c", `source ./build.sh; echo "$goldens"`)
	command.Dir = root
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		if words := strings.Fields(line); len(words) > 0 {
			for _, name := range words[1:] {
				listed[words[0]+" Test"+name] = true
			}
		}
	}
	there := map[string]bool{}
	for _, dir := range []string{"core", "web", "wasm"} {
		maps.Copy(there, writers(t, filepath.Join(root, dir)))
	}
	if len(there) < 20 {
		t.Fatalf("only %d tests that write are found", len(there))
	}
	reasons := maps.Clone(byHand)
	for _, test := range slices.Sorted(maps.Keys(there)) {
		dir, _, _ := strings.Cut(test, " ")
		_, one := byHand[test]
		_, all := byHand[dir]
		delete(reasons, test)
		delete(reasons, dir)
		if listed[test] == (one || all) {
			t.Errorf("%s writes files with -update: is it one of goldens in build.sh (%t), or is "+
				"there a reason in byHand why it is not (%t)? It takes one of the two", test,
				listed[test], one || all)
		}
	}
	for test := range listed {
		if !there[test] {
			t.Errorf("golden runs %s, which writes nothing with -update: take it off", test)
		}
	}
	for name := range reasons {
		t.Errorf("byHand has %s, which writes nothing with -update: take it off", name)
	}
}

// TestGoldenFindsWriters: tests that write by way of another function of their package are found,
// and others are not.
func TestGoldenFindsWriters(t *testing.T) {
	const planted = `package a

import ("flag"; "hush/core/internal/audittest"; "hush/web/webtest")

var again = flag.Bool("update", false, "")

func TestOwn(t *testing.T) { if *again { } }
func TestNone(t *testing.T) { draw(t) }
func TestBeside(t *testing.T) { golden(t) }
func TestDocument(t *testing.T) { audittest.Document(t, "A.md", "") }
func TestInside(t *testing.T) { t.Run("a", func(t *testing.T) { webtest.Golden(t, "a", "") }) }
func draw(t *testing.T) {}
func golden(t *testing.T) { draw(t); if *webtest.Update { } }
`
	file, err := parser.ParseFile(token.NewFileSet(), "a_test.go", planted, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := writing([]*ast.File{file})
	want := []string{"TestBeside", "TestDocument", "TestInside", "TestOwn"}
	if !slices.Equal(found, want) {
		t.Errorf("%v write, want %v", found, want)
	}
}

// writers are the tests below a directory that write files, "core/task TestVerdictDocument".
func writers(t *testing.T, below string) map[string]bool {
	t.Helper()
	packages := map[string][]*ast.File{}
	err := filepath.WalkDir(below, func(at string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(at, "_test.go") &&
			!strings.HasSuffix(at, "audittest.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), at, nil, 0)
		dir, _ := filepath.Rel(root, filepath.Dir(at))
		packages[filepath.ToSlash(dir)] = append(packages[filepath.ToSlash(dir)], file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for dir, files := range packages {
		for _, name := range writing(files) {
			found[dir+" "+name] = true
		}
	}
	return found
}

// writing are the tests of a package that come, by way of its functions perhaps, to a flag named
// update or to what writes where one is set.
func writing(files []*ast.File) (tests []string) {
	flags, uses := map[string]bool{}, map[string]map[string]bool{}
	for _, file := range files {
		for _, d := range file.Decls {
			if vars, ok := d.(*ast.GenDecl); ok && vars.Tok == token.VAR {
				for _, spec := range vars.Specs {
					v := spec.(*ast.ValueSpec)
					for i, value := range v.Values {
						if i < len(v.Names) && updates(value) {
							flags[v.Names[i].Name] = true
						}
					}
				}
			}
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				if uses[f.Name.Name] == nil {
					uses[f.Name.Name] = map[string]bool{}
				}
				used(f.Body, uses[f.Name.Name])
			}
		}
	}
	write := map[string]bool{"webtest.Golden": true, "webtest.Update": true,
		"audittest.Document": true, "audittest.Update": true}
	maps.Copy(write, flags)
	for more := true; more; {
		more = false
		for name, all := range uses {
			if !write[name] && slices.ContainsFunc(slices.Collect(maps.Keys(all)),
				func(name string) bool { return write[name] }) {
				write[name], more = true, true
			}
		}
	}
	for name := range uses {
		if write[name] && strings.HasPrefix(name, "Test") && name != "TestMain" {
			tests = append(tests, name)
		}
	}
	slices.Sort(tests)
	return tests
}

// used adds the names that a body uses: "write" of its package, "webtest.Golden", and a method
// where it is called. A field is none of them.
func used(body ast.Node, names map[string]bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if method, ok := n.Fun.(*ast.SelectorExpr); ok {
				names[method.Sel.Name] = true
			}
		case *ast.SelectorExpr:
			if of, ok := n.X.(*ast.Ident); ok {
				names[of.Name+"."+n.Sel.Name] = true
			}
			used(n.X, names)
			return false
		case *ast.Ident:
			names[n.Name] = true
		}
		return true
	})
}

// updates reports whether an expression makes a flag whose name begins with update.
func updates(value ast.Expr) bool {
	call, ok := value.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	of, ok := call.Fun.(*ast.SelectorExpr)
	literal, text := call.Args[0].(*ast.BasicLit)
	if !ok || !text || literal.Kind != token.STRING {
		return false
	}
	name, err := strconv.Unquote(literal.Value)
	pkg, is := of.X.(*ast.Ident)
	return err == nil && is && pkg.Name == "flag" && strings.HasPrefix(name, "update")
}
