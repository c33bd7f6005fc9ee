// Package prooftest keeps proof files and code together: every name a proof uses must exist. Tests
// only; not shipped.
package prooftest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"regexp"
	"strings"
	"testing"
)

// Package holds the declarations in one directory of Go files.
type Package struct {
	Functions map[string]bool   // functions and methods, the latter also as Type.Method
	Types     map[string]string // types and the files that declare them
	Tests     map[string]bool
	Files     map[string]bool // every file of the directory
}

// Read parses the Go files of dir.
func Read(t *testing.T, dir fs.FS) Package {
	t.Helper()
	p := Package{map[string]bool{}, map[string]string{}, map[string]bool{}, map[string]bool{}}
	entries, err := fs.ReadDir(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		p.Files[entry.Name()] = true
		if !strings.HasSuffix(entry.Name(), ".go") {
			continue
		}
		source, err := fs.ReadFile(dir, entry.Name())
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), entry.Name(), source,
			parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		p.declare(file, entry.Name())
	}
	return p
}

func (p Package) declare(file *ast.File, name string) {
	isTest := strings.HasSuffix(name, "_test.go")
	for _, declaration := range file.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			switch {
			case isTest:
				p.Tests[d.Name.Name] = true
				continue
			case d.Recv != nil:
				p.Functions[receiver(d)+"."+d.Name.Name] = true
			}
			p.Functions[d.Name.Name] = true
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if s, ok := spec.(*ast.TypeSpec); ok && !isTest {
					p.Types[s.Name.Name] = name
				}
			}
		}
	}
}

func receiver(d *ast.FuncDecl) string {
	expr := d.Recv.List[0].Type
	if star, ok := expr.(*ast.StarExpr); ok {
		expr = star.X
	}
	if ident, ok := expr.(*ast.Ident); ok {
		return ident.Name
	}
	return ""
}

var (
	functionName = regexp.MustCompile("`([A-Za-z][A-Za-z0-9.]*)\\(\\)`")
	testName     = regexp.MustCompile("`((?:Test|Example|Fuzz|Benchmark)[A-Za-z0-9_]*)`")
)

// Check fails for each proof file (.md) of dir that names a function as `name()` or a test as
// `TestName` which does not exist in the package, and returns the package for further checks. It
// fails when there is no proof at all.
func Check(t *testing.T, dir fs.FS) Package {
	t.Helper()
	p, proofs := Read(t, dir), 0
	for name := range p.Files {
		if !strings.HasSuffix(name, ".md") {
			continue
		}
		proofs++
		text, err := fs.ReadFile(dir, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, problem := range p.Missing(string(text)) {
			t.Errorf("%s names %s, which does not exist", name, problem)
		}
	}
	if proofs == 0 {
		t.Error("no proof file")
	}
	return p
}

// Missing lists the names in a proof's text that the package lacks.
func (p Package) Missing(text string) (names []string) {
	for _, match := range functionName.FindAllStringSubmatch(text, -1) {
		if !p.Functions[match[1]] {
			names = append(names, match[1]+"()")
		}
	}
	for _, match := range testName.FindAllStringSubmatch(text, -1) {
		if !p.Tests[match[1]] {
			names = append(names, match[1])
		}
	}
	return names
}
