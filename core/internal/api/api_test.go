package api

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	// What the program of core/task's documentation uses: without this its changes would not run
	// the test again.
	_ "hush/core/task"
)

var update = flag.Bool("update", false, "write api.txt anew")

// packages are those that a program imports; core/task says what for.
var packages = []string{"coin", "privacy", "domain", "table", "ask", "task", "verify"}

// exported writes the declarations that a package exports, without comments.
func exported(dir, name string, files map[string]string) (string, error) {
	fset := token.NewFileSet()
	var parsed []*ast.File
	for file, text := range files {
		f, err := parser.ParseFile(fset, file, text, parser.SkipObjectResolution)
		if err != nil {
			return "", err
		}
		parsed = append(parsed, f)
	}
	p, err := doc.NewFromFiles(fset, parsed, "hush/core/"+name)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n", p.ImportPath)
	write := func(node any) {
		var text bytes.Buffer
		if err = printer.Fprint(&text, fset, node); err == nil {
			fmt.Fprintf(&b, "\n%s\n", text.String())
		}
	}
	values := func(list []*doc.Value) {
		for _, v := range list {
			v.Decl.Doc = nil
			write(v.Decl)
		}
	}
	funcs := func(list []*doc.Func) {
		for _, f := range list {
			f.Decl.Doc, f.Decl.Body = nil, nil
			write(f.Decl)
		}
	}
	values(p.Consts)
	values(p.Vars)
	funcs(p.Funcs)
	for _, t := range p.Types {
		t.Decl.Doc = nil
		write(t.Decl)
		values(t.Consts)
		values(t.Vars)
		funcs(t.Funcs)
		funcs(t.Methods)
	}
	return b.String(), err
}

// read are the files of a package that every system compiles.
func read(t *testing.T, dir string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no package in %s: %v", dir, err)
	}
	files := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(name, "_test.go") &&
			!strings.Contains("\n"+string(text), "\n//go:build ") {
			files[name] = string(text)
		}
	}
	return files
}

// TestAPI: api.txt is what the packages export.
func TestAPI(t *testing.T) {
	var b strings.Builder
	for _, name := range packages {
		dir := filepath.Join("..", "..", name)
		text, err := exported(dir, name, read(t, dir))
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString(text + "\n")
	}
	if *update {
		if err := os.WriteFile("api.txt", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("api.txt")
	if err != nil {
		t.Fatal(err)
	}
	now, before := strings.Split(b.String(), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(now), len(before)) {
		a, b := "", ""
		if i < len(now) {
			a = now[i]
		}
		if i < len(before) {
			b = before[i]
		}
		if a != b {
			t.Fatalf("api.txt, line %d: it is %q, and was %q. Programs may use it: where the "+
				"change is meant, run go test ./core/internal/api -update, and say it in "+
				"CHANGELOG", i+1, a, b)
		}
	}
}

// TestSees: a change in the exported declarations changes the text, and one inside does not.
func TestSees(t *testing.T) {
	const text = `package p

// A is a thing.
type A struct {
	B int // of it
	c int
}

func (a A) D(e int) error { return nil }

func f() {}

const G = 1
`
	written := func(text string) string {
		t.Helper()
		out, err := exported("p", "p", map[string]string{"p.go": text})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	whole := written(text)
	for _, change := range [][2]string{{"B int", "B int64"}, {"D(e int)", "D(e, f int)"},
		{"G = 1", "G = 2"}, {"func f()", "func F()"}, {"type A", "type AA"}} {
		if written(strings.Replace(text, change[0], change[1], 1)) == whole {
			t.Errorf("%s in place of %s changes nothing", change[1], change[0])
		}
	}
	for _, change := range [][2]string{{"A is a thing", "A is some thing"},
		{"c int", "c int64"}, {"return nil", "return error(nil)"}, {"func f()", "func g()"}} {
		if now := written(strings.Replace(text, change[0], change[1], 1)); now != whole {
			t.Errorf("%s in place of %s changes it:\n%s", change[1], change[0], now)
		}
	}
}

var program = regexp.MustCompile(`(?s)//\tpackage main\n.*?\n//\t}\n//\n`)

// TestProgram runs the program that core/task's documentation has to copy from.
func TestProgram(t *testing.T) {
	text, err := os.ReadFile("../../task/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	found := program.FindString(string(text))
	if found == "" {
		t.Fatal("core/task/doc.go has no program")
	}
	source := strings.ReplaceAll(strings.ReplaceAll(found, "//\t", ""), "\n//\n", "\n\n")
	dir := t.TempDir()
	people := "age,sex\n" + strings.Repeat("41,f\n59,m\n", 500)
	for name, text := range map[string]string{"main.go": source, "people.csv": people} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "ask"),
		filepath.Join(dir, "main.go"))
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	run := exec.Command(filepath.Join(dir, "ask"))
	run.Dir = dir
	out, err := run.CombinedOutput()
	if err != nil || !regexp.MustCompile(`^It costs ε = 0\.5\nMean age is about (49|5[01])\.`).Match(
		out) {
		t.Errorf("%v: %s", err, out)
	}
	if _, err := os.Stat(filepath.Join(dir, "release.json")); err != nil {
		t.Error(err)
	}
}
