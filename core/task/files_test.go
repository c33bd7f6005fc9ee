package task

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// importsNothing leaves out other packages: what refers to them is of no file here.
type importsNothing struct{}

func (importsNothing) Import(string) (*types.Package, error) { return nil, errors.New("left out") }

// TestFilesReferDownwards: the files of this package stand one on the other. A question refers to
// what several share and to the questions that it is made of, and nothing refers back to it but the
// catalogue and what is said of releases: else no file holds a question whole.
func TestFilesReferDownwards(t *testing.T) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: importsNothing{}, Error: func(error) {}}
	pkg, _ := conf.Check("task", set, files, info) // errors: imports are left out
	in := func(at token.Pos) string { return filepath.Base(set.Position(at).Filename) }
	uses := map[string]map[string]string{} // by file and file: a name
	for id, o := range info.Uses {
		if from, to := in(id.Pos()), in(o.Pos()); o.Pkg() == pkg && from != to {
			if uses[from] == nil {
				uses[from] = map[string]string{}
			}
			uses[from][to] = id.Name
		}
	}
	if len(uses) < len(files)/2 {
		t.Fatalf("of %d files only %d refer to others", len(files), len(uses))
	}
	done, path := map[string]bool{}, []string(nil)
	var visit func(file string)
	visit = func(file string) {
		if at := slices.Index(path, file); at >= 0 {
			t.Errorf("files refer to each other in a circle: %q, the last by %s",
				append(path[at:], file), uses[path[len(path)-1]][file])
			return
		}
		if done[file] {
			return
		}
		path = append(path, file)
		for _, to := range slices.Sorted(maps.Keys(uses[file])) {
			visit(to)
		}
		path, done[file] = path[:len(path)-1], true
	}
	for _, file := range slices.Sorted(maps.Keys(uses)) {
		visit(file)
	}
}
