package house

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"math/bits"
	"path"
	"slices"
	"strings"
	"testing"
)

// mostMethods is how many methods a type below web has at most: a reader who meets it has to
// know what it does.
const mostMethods = 45

// mostUp is how many arrows between the files of a package below web/state run back up at most.
const mostUp = 10

// packagesOf parses the packages below a place, without their tests, by directory and file.
func packagesOf(texts tree, place string) (map[string]map[string]*ast.File, *token.FileSet, error) {
	found, set := map[string]map[string]*ast.File{}, token.NewFileSet()
	for name, text := range texts {
		if !strings.HasPrefix(name, place+"/") || path.Ext(name) != ".go" ||
			strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
		if err != nil {
			return nil, nil, err
		}
		if found[path.Dir(name)] == nil {
			found[path.Dir(name)] = map[string]*ast.File{}
		}
		found[path.Dir(name)][path.Base(name)] = f
	}
	return found, set, nil
}

// crowded lists the types below web that have more than mostMethods.
func crowded(texts tree) (large []string, err error) {
	all, _, err := packagesOf(texts, "web")
	if err != nil {
		return nil, err
	}
	for dir, files := range all {
		methods := map[string]map[string]bool{} // of a type, by name: a pair of files has one twice
		for _, f := range files {
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Recv == nil {
					continue
				}
				of := strings.TrimPrefix(types.ExprString(fn.Recv.List[0].Type), "*")
				of, _, _ = strings.Cut(of, "[")
				if methods[of] == nil {
					methods[of] = map[string]bool{}
				}
				methods[of][fn.Name.Name] = true
			}
		}
		for of, names := range methods {
			if len(names) > mostMethods {
				large = append(large, fmt.Sprintf("%s.%s: %d methods", dir, of, len(names)))
			}
		}
	}
	slices.Sort(large)
	return large, nil
}

// unread stands in for every package that is imported: what it declares is not known, and not
// needed.
type unread struct{}

func (unread) Import(of string) (*types.Package, error) {
	p := types.NewPackage(of, path.Base(of))
	p.MarkComplete()
	return p, nil
}

// arrows are the files that each file of a package takes a name from, as bits by their order.
func arrows(set *token.FileSet, files map[string]*ast.File) (names []string, uses []uint) {
	names = slices.Sorted(maps.Keys(files))
	var parsed []*ast.File
	for _, name := range names {
		parsed = append(parsed, files[name])
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	check := types.Config{Importer: unread{}, Error: func(error) {}} // what is unread is no error
	own, _ := check.Check("a", set, parsed, info)
	uses = make([]uint, len(names))
	at := func(p token.Pos) int {
		return slices.Index(names, path.Base(set.Position(p).Filename))
	}
	for id, o := range info.Uses {
		if from, to := at(id.Pos()), -1; o.Pkg() == own && o.Pos().IsValid() {
			if to = at(o.Pos()); to != from {
				uses[from] |= 1 << to
			}
		}
	}
	return names, uses
}

// up is how many arrows run back up when the files stand in the order in which the fewest do.
func up(uses []uint) int {
	least := make([]int, 1<<len(uses)) // with these at the bottom
	for below := 1; below < len(least); below++ {
		least[below] = len(uses) * len(uses)
		for top := range uses {
			rest := below &^ (1 << top)
			if rest == below {
				continue
			}
			n := least[rest]
			for u := uint(rest); u != 0; u &= u - 1 {
				n += int(uses[bits.TrailingZeros(u)] >> top & 1)
			}
			least[below] = min(least[below], n)
		}
	}
	return least[len(least)-1]
}

// mostFiles is how many files a package has at most, if their best order is to be found.
const mostFiles = 18

// tangled lists the packages below web/state in which more than mostUp arrows run back up.
func tangled(texts tree) (found []string, err error) {
	all, set, err := packagesOf(texts, "web/state")
	if err != nil {
		return nil, err
	}
	for dir, files := range all {
		if len(files) > mostFiles {
			found = append(found, fmt.Sprintf("%s: %d files", dir, len(files)))
			continue
		}
		_, uses := arrows(set, files)
		if n := up(uses); n > mostUp {
			found = append(found, fmt.Sprintf("%s: %d arrows run back up", dir, n))
		}
	}
	slices.Sort(found)
	return found, nil
}

// TestTypesAreParted: no type below web does too much to be known.
func TestTypesAreParted(t *testing.T) {
	large, err := crowded(house(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(large) > 0 {
		t.Errorf("a type that does too much to be known: part it by what a visitor meets\n  %s",
			strings.Join(large, "\n  "))
	}
	of := func(name string, from, to int) string {
		text := "package a\n"
		for i := from; i < to; i++ {
			text += fmt.Sprintf("func (x %s) M%d() {}\n", name, i)
		}
		return text
	}
	got, err := crowded(tree{
		"web/a/a.go": of("*Full", 0, mostMethods), "web/a/a_test.go": of("*Full", mostMethods, 99),
		"web/b/b.go": of("*More", 0, mostMethods), "web/b/c.go": of("More", mostMethods, 46),
		"web/c/a_js.go": of("Pair[T]", 0, 30), "web/c/a_other.go": of("Pair[T]", 0, 30),
		"core/d/d.go": of("Core", 0, mostMethods+1)})
	if err != nil || len(got) != 1 || !strings.HasPrefix(got[0], "web/b.More:") {
		t.Errorf("too large are %q, want web/b.More only: %v", got, err)
	}
}

// TestArrowsRunDown: in a package below web/state, one file stands on another, and few arrows run
// back up. Packages cannot import each other in a circle.
func TestArrowsRunDown(t *testing.T) {
	found, err := tangled(house(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(found) > 0 {
		t.Errorf("arrows that run back up: what a higher file does for a lower one is a function "+
			"or an interface that the lower one is given\n  %s", strings.Join(found, "\n  "))
	}
	// Each file has a type whose method calls those of some others, and one of a type that is not
	// read.
	texts := func(place string, files int, calls func(from, to int) bool) tree {
		made := tree{}
		for i := range files {
			text := fmt.Sprintf("package a\nimport \"hush/web/x\"\ntype T%d struct{ x.X }\n"+
				"func (t *T%d) M%d() {\n\tt.Update()\n", i, i, i)
			for j := range files {
				if calls(i, j) {
					text += fmt.Sprintf("\tnew(T%d).M%d()\n", j, j)
				}
			}
			made[fmt.Sprintf("%s/f%d.go", place, i)] = text + "}\n"
		}
		return made
	}
	down := texts("web/state/a", 6, func(from, to int) bool { return from > to })
	maps.Copy(down, texts("web/state/b", 6, func(from, to int) bool { return from != to }))
	maps.Copy(down, texts("web/c", 6, func(from, to int) bool { return from != to }))
	got, err := tangled(down)
	if err != nil || len(got) != 1 || !strings.HasPrefix(got[0], "web/state/b: 15 arrows") {
		t.Errorf("tangled are %q, want web/state/b only: %v", got, err)
	}
}
