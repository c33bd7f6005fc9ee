package doctest

import (
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// root is the project's directory, seen from this package's.
const root = "../../.."

// source is one package of core as its files say it.
type source struct {
	dir   string // below core: "threshold"
	doc   *doc.Package
	funcs []*ast.FuncDecl      // all that are shipped, unexported ones too
	tests map[string]*ast.File // by file name
	other []string             // the names of the files that are not Go
	set   *token.FileSet
}

// sources reads the packages of core that are shipped, in alphabetical order.
func sources(t *testing.T) (all []*source) {
	t.Helper()
	core := filepath.Join(root, "core")
	err := filepath.WalkDir(core, func(at string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		if name := entry.Name(); name == "internal" || name == "testdata" {
			return fs.SkipDir
		}
		dir, err := filepath.Rel(core, at)
		if err == nil && at != core { // the library has no algorithm and no proof of its own
			all, err = read(all, at, filepath.ToSlash(dir))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 10 {
		t.Fatalf("only %d packages in %s", len(all), core)
	}
	return all
}

// read appends the package in a directory, if there is one.
func read(all []*source, at, dir string) ([]*source, error) {
	entries, err := os.ReadDir(at)
	if err != nil {
		return nil, err
	}
	s := &source{dir: dir, tests: map[string]*ast.File{}, set: token.NewFileSet()}
	var files []*ast.File
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() {
			continue
		}
		if !strings.HasSuffix(name, ".go") {
			s.other = append(s.other, name)
			continue
		}
		file, err := parser.ParseFile(s.set, filepath.Join(at, name), nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		if strings.HasSuffix(name, "_test.go") {
			s.tests[name] = file
			continue
		}
		files = append(files, file)
		for _, declaration := range file.Decls {
			if f, ok := declaration.(*ast.FuncDecl); ok {
				s.funcs = append(s.funcs, f)
			}
		}
	}
	if files == nil {
		return all, nil
	}
	// This takes unexported functions out of the files.
	s.doc, err = doc.NewFromFiles(s.set, files, path.Join("hush/core", dir), doc.PreserveAST)
	return append(all, s), err
}

// documented is an exported thing and its doc comment.
type documented struct {
	name, text string
	file       string // its name
	kind       *doc.Type
}

// exported lists what a package exports, itself first.
func (s *source) exported() (all []documented) {
	add := func(name, text string, at ast.Node, kind *doc.Type) {
		file := filepath.Base(s.set.Position(at.Pos()).Filename)
		all = append(all, documented{name, text, file, kind})
	}
	all = append(all, documented{name: s.doc.Name, text: s.doc.Doc})
	values := func(groups ...[]*doc.Value) {
		for _, v := range slices.Concat(groups...) {
			add(v.Names[0], v.Doc, v.Decl, nil)
		}
	}
	functions := func(before string, groups ...[]*doc.Func) {
		for _, f := range slices.Concat(groups...) {
			add(before+f.Name, f.Doc, f.Decl, nil)
		}
	}
	values(s.doc.Consts, s.doc.Vars)
	functions("", s.doc.Funcs)
	for _, kind := range s.doc.Types {
		add(kind.Name, kind.Doc, kind.Decl, kind)
		values(kind.Consts, kind.Vars)
		functions("", kind.Funcs)
		functions(kind.Name+".", kind.Methods)
	}
	return all
}

// symbols are the exported names of a package: types, functions, values, and Type.Method.
func (s *source) symbols() map[string]bool {
	names := map[string]bool{}
	for _, d := range s.exported()[1:] {
		names[d.name] = true
	}
	values := slices.Concat(s.doc.Consts, s.doc.Vars)
	for _, kind := range s.doc.Types {
		values = append(values, slices.Concat(kind.Consts, kind.Vars)...)
		ast.Inspect(kind.Decl, func(n ast.Node) bool { // fields, and methods of interfaces
			if field, ok := n.(*ast.Field); ok {
				for _, name := range field.Names {
					names[kind.Name+"."+name.Name] = true
				}
			}
			return true
		})
	}
	for _, v := range values {
		for _, name := range v.Names {
			names[name] = true
		}
	}
	return names
}

// plain is a text without its markup.
func plain(all []comment.Text) string {
	var b strings.Builder
	for _, part := range all {
		switch part := part.(type) {
		case comment.Plain:
			b.WriteString(string(part))
		case comment.Italic:
			b.WriteString(string(part))
		case *comment.Link:
			b.WriteString(plain(part.Text))
		case *comment.DocLink:
			b.WriteString(plain(part.Text))
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
