package reach

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// beside is code that is shipped, but that no release goes through: audits and studies themselves.
var beside = []string{"hush/core/prove", "hush/core/study", "hush/core/audit",
	"hush" + "/web/proof", "hush" + "/web/state/claim", "hush/core/internal"}

// plumbing are packages that all others stand on: to call them is not to go through a release.
var plumbing = []string{"hush/core/coin", "hush/core/privacy", "hush/core/param",
	"hush/core/phrase", "hush/core/message", "hush/core/meter", "hush/core/domain"}

// coverage are the names of tests of printed ranges; an audit is known by the functions it calls.
var coverage = regexp.MustCompile(`^Test\w*(Coverage|Intervals?|Printed|EndsHold|NothingIsClaimed)`)

// TestAuditsWalkTheShippedPath compares audits.txt with the entry points that each audit, and each
// test of coverage, goes through; -update writes it anew. An audit that goes through none, or that
// sets fields of a shipped type itself, needs a reason below its line, in words; -update keeps
// reasons, and writes none.
//
// An audit is a test that calls core/audit or audittest, by way of other tests' functions perhaps.
// An entry point is an exported function or method that shipped code calls from another package,
// or by way of an interface. One that is handed a source of randomness, or calls one that is,
// draws; an audit that draws goes through one that does. That of an algorithm goes through one of
// its own package. Shipped is what is reached (see TestUnreached) without audits and studies.
//
// A planted mistake is a broken twin, which nobody ships: it needs no reason.
//
// The walk is of names: it does not say that a branch is taken, or with which parameters.
func TestAuditsWalkTheShippedPath(t *testing.T) {
	m := load(t)
	m.left = beside
	m.reachAll()
	w := &walker{module: m, entries: map[string]bool{}, drawing: m.drawing()}
	for object := range m.entered {
		if f, ok := object.(*types.Func); ok && m.reached[f] && f.Exported() {
			w.entries[keyOf(f)] = true
		}
	}
	var audits []walked
	for _, p := range w.tests(t) {
		audits = append(audits, w.audits(p)...)
	}
	if len(audits) < 200 {
		t.Fatalf("only %d audits are found", len(audits))
	}
	w.planted(t)
	stored, err := os.ReadFile("audits.txt")
	if err != nil && !*update {
		t.Fatal(err)
	}
	text, problems := written(audits, string(stored))
	if *update {
		if err := os.WriteFile("audits.txt", []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range problems {
		t.Error(p)
	}
	if n := strings.Count(text, because+unexplained); n > 0 {
		t.Errorf("%d audits are unexplained: write the reason", n)
	}
	if text != string(stored) && !*update {
		t.Error("audits.txt is not what this code gives (run with -update)")
	}
}

// walked is a test and what it goes through.
type walked struct {
	name    string   // "core/joint TestAuditAccept"
	through []string // entry points
	around  []string // what it goes around them by; nil: it does not
}

func (a walked) line() string {
	if a.around != nil {
		return a.name + ": around by " + strings.Join(a.around, ", ")
	}
	return a.name + ": " + strings.Join(a.through, ", ")
}

const because = "  because "

// unexplained stood for the reasons of audits that were there before this list. It is none.
const unexplained = "nobody has written down why: the test is older than this list"

// written is the list with the reasons of the stored one, and what is wrong with these.
func written(audits []walked, stored string) (text string, problems []string) {
	reasons := map[string]string{}
	last := ""
	for line := range strings.Lines(stored) {
		if reason, ok := strings.CutPrefix(line, because); ok {
			reasons[last] = strings.TrimSpace(reason)
		} else {
			last, _, _ = strings.Cut(line, ":")
		}
	}
	slices.SortFunc(audits, func(a, b walked) int { return strings.Compare(a.name, b.name) })
	var b strings.Builder
	for _, a := range audits {
		fmt.Fprintln(&b, a.line())
		reason := reasons[a.name]
		switch delete(reasons, a.name); {
		case a.around == nil && reason != "":
			problems = append(problems, a.name+" needs no reason any more: "+reason)
		case a.around != nil && len(strings.Fields(reason)) < 5:
			problems = append(problems, a.line()+", without a reason in words")
		case a.around != nil && reason != "":
			fmt.Fprintln(&b, because+reason)
		}
	}
	for name := range reasons {
		problems = append(problems, name+" is no audit, and has a reason")
	}
	slices.Sort(problems)
	return b.String(), problems
}

// keyOf names a function or method the same way in all versions of a package: a package is checked
// again with its tests.
func keyOf(o types.Object) string {
	if f, ok := o.(*types.Func); ok {
		if receiver := receiverOf(f); receiver != nil {
			return o.Pkg().Path() + "." + receiver.Name() + "." + o.Name()
		}
	}
	return o.Pkg().Path() + "." + o.Name()
}

// short is a key as people write it.
func short(key string) string { return key[strings.LastIndex(key, "/")+1:] }

// isSource says whether a type is coin.Source, or a function that is handed one.
func isSource(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		o := t.Obj()
		if o.Pkg() != nil && o.Pkg().Path() == "hush/core/coin" && o.Name() == "Source" {
			return true
		}
		s, ok := t.Underlying().(*types.Signature)
		return ok && handed(s)
	case *types.Signature:
		return handed(t)
	}
	return false
}

func handed(s *types.Signature) bool {
	for v := range s.Params().Variables() {
		if isSource(v.Type()) {
			return true
		}
	}
	return false
}

// draws says whether a function is handed a source of randomness or is a source's own.
func draws(f *types.Func) bool {
	r := f.Signature().Recv()
	return handed(f.Signature()) || r != nil && isSource(r.Type())
}

// drawing are the keys of all functions of the module that draw, or name one that does.
func (m *module) drawing() map[string]bool {
	found, names := map[string]bool{}, map[string][]string{}
	for object, node := range m.nodes {
		f, ok := object.(*types.Func)
		if !ok {
			continue
		}
		key := keyOf(f)
		found[key] = draws(f)
		ast.Inspect(node, func(n ast.Node) bool {
			if name, ok := n.(*ast.Ident); ok {
				if f, ok := m.info.Uses[name].(*types.Func); ok && f.Pkg() != nil {
					names[key] = append(names[key], keyOf(f.Origin()))
					found[key] = found[key] || draws(f)
				}
			}
			return true
		})
	}
	for more := true; more; {
		more = false
		for key, list := range names {
			if !found[key] && slices.ContainsFunc(list, func(k string) bool { return found[k] }) {
				found[key], more = true, true
			}
		}
	}
	return found
}

// walker walks from tests to shipped code.
type walker struct {
	*module
	entries, drawing map[string]bool
}

// declared is a declaration and what its names mean.
type declared struct {
	node ast.Node
	info *types.Info
}

// tested is a package as it is checked with its tests.
type tested struct {
	path  string // without "_test"
	nodes map[string]declared
	tests []string // their keys
}

// tests checks all packages with their tests.
func (w *walker) tests(t *testing.T) (all []tested) {
	t.Helper()
	var missing []string
	for _, p := range w.listed {
		for _, path := range slices.Concat(p.TestImports, p.XTestImports) {
			if path != "C" && w.exports[path] == "" && w.packages[path] == nil {
				missing = append(missing, path)
			}
		}
	}
	slices.Sort(missing)
	if missing = slices.Compact(missing); len(missing) > 0 {
		for _, p := range list(t, missing) {
			w.exports[p.ImportPath] = p.Export
		}
	}
	for _, p := range w.listed {
		for path, files := range map[string][]string{
			p.ImportPath:           slices.Concat(p.GoFiles, p.TestGoFiles),
			p.ImportPath + "_test": p.XTestGoFiles,
		} {
			if len(files) == 0 || path == p.ImportPath && len(p.TestGoFiles) == 0 {
				continue
			}
			var parsed []*ast.File
			for _, name := range files {
				file, err := parser.ParseFile(w.fset, filepath.Join(p.Dir, name), nil,
					parser.SkipObjectResolution)
				if err != nil {
					t.Fatal(err)
				}
				parsed = append(parsed, file)
			}
			one, err := w.checkTests(path, parsed)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, one)
		}
	}
	return all
}

// checkTests checks the files of a package with its tests.
func (w *walker) checkTests(path string, files []*ast.File) (tested, error) {
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Types: map[ast.Expr]types.TypeAndValue{}}
	config := types.Config{Importer: w.module}
	if _, err := config.Check(path, w.fset, files, info); err != nil {
		return tested{}, err
	}
	of := &module{info: info, nodes: map[types.Object]ast.Node{}}
	for _, file := range files {
		for _, d := range file.Decls {
			of.declare(d, path)
		}
	}
	all := tested{path: strings.TrimSuffix(path, "_test"), nodes: map[string]declared{}}
	for object, node := range of.nodes {
		if object == nil || !w.test(object) {
			continue
		}
		key := keyOf(object)
		all.nodes[key] = declared{node, info}
		if f, ok := object.(*types.Func); ok && strings.HasPrefix(f.Name(), "Test") &&
			f.Name() != "TestMain" && f.Signature().Recv() == nil {
			all.tests = append(all.tests, key)
		}
	}
	return all, nil
}

// test says whether an object is one of tests: of their files, or of a package that serves them.
func (w *walker) test(o types.Object) bool {
	return strings.HasSuffix(w.fset.Position(o.Pos()).Filename, "_test.go") ||
		below(o.Pkg().Path(), []string{"hush/core/internal"})
}

// audits are those of a package.
func (w *walker) audits(p tested) (list []walked) {
	for _, key := range p.tests {
		walk := &walk{walker: w, in: p, seen: map[string]bool{}, named: map[string]bool{},
			sets: map[string]bool{}, types: map[*types.TypeName]bool{}}
		walk.visit(key)
		walk.dispatch()
		name := key[strings.LastIndex(key, ".")+1:]
		if walk.audit || coverage.MatchString(name) {
			of := strings.TrimPrefix(p.path, "hush/")
			list = append(list, walk.judge(of+" "+name))
		}
	}
	return list
}

// walk is that of one test.
type walk struct {
	*walker
	in     tested
	seen   map[string]bool
	named  map[string]bool // functions and methods that are shipped, or could be
	sets   map[string]bool // fields of shipped types that no other package can set
	types  map[*types.TypeName]bool
	called []*types.Func // methods of interfaces
	audit  bool          // a claim is held against a law
	holds  bool          // and is to hold
}

// visit goes through what a declaration of the tests names.
func (w *walk) visit(key string) {
	if w.seen[key] {
		return
	}
	w.seen[key] = true
	d, ok := w.in.nodes[key]
	if !ok {
		return
	}
	ast.Inspect(d.node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if o := d.info.Uses[n]; o != nil && o.Pkg() != nil {
				w.name(o)
			}
		case *ast.CompositeLit:
			w.literal(d.info, n)
		case *ast.AssignStmt:
			for _, to := range n.Lhs {
				if s, ok := ast.Unparen(to).(*ast.SelectorExpr); ok {
					w.set(d.info.Types[s.X].Type, d.info.Uses[s.Sel])
				}
			}
		}
		return true
	})
}

func (w *walk) name(o types.Object) {
	path := o.Pkg().Path()
	if !strings.HasPrefix(path, "hush/") {
		return
	}
	switch o := o.(type) {
	case *types.Func:
		o = o.Origin()
		if o.Signature().Recv() != nil && receiverOf(o) == nil {
			if !slices.Contains(w.called, o) {
				w.called = append(w.called, o)
			}
			return
		}
		switch {
		case path == "hush/core/audit" && o.Name() == "Run",
			path == "hush/core/internal/audittest" &&
				slices.Contains([]string{"Holds", "Caught", "Expect"}, o.Name()):
			w.audit = true
			w.holds = w.holds || o.Name() == "Holds" || o.Name() == "Run"
			return
		}
		for v := range o.Signature().Results().Variables() {
			w.hold(v.Type())
		}
		if w.test(o) {
			w.visit(keyOf(o))
		} else {
			w.named[keyOf(o)] = true
		}
	case *types.TypeName:
		w.hold(o.Type())
		if w.test(o) {
			w.visit(keyOf(o))
		}
	case *types.Const, *types.Var:
		if path == "hush/core/audit" && o.Name() == "Holds" {
			w.holds = true
		}
		if o.Parent() == o.Pkg().Scope() && w.test(o) {
			w.visit(keyOf(o))
		}
	}
}

// hold notes a type of which the test has a value.
func (w *walk) hold(t types.Type) {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok && !types.IsInterface(named) {
		w.types[named.Obj()] = true
	}
}

// dispatch names the methods that interfaces stand for, of the types in hand.
func (w *walk) dispatch() {
	for i := 0; i < len(w.called); i++ { // a method of a test may call more
		for t := range w.types {
			if !implements(t.Type(), w.called[i]) {
				continue
			}
			o, _, _ := types.LookupFieldOrMethod(t.Type(), true, t.Pkg(), w.called[i].Name())
			if f, ok := o.(*types.Func); ok && f.Pkg() != nil {
				w.name(f)
			}
		}
	}
}

// literal looks for fields that are set by hand.
func (w *walk) literal(info *types.Info, n *ast.CompositeLit) {
	t := info.Types[n].Type
	if p, ok := t.Underlying().(*types.Pointer); ok { // an element of a list that leaves it out
		t = p.Elem()
	}
	fields, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, e := range n.Elts {
		if pair, ok := e.(*ast.KeyValueExpr); !ok {
			w.set(t, fields.Field(i))
		} else if name, ok := pair.Key.(*ast.Ident); ok {
			w.set(t, info.Uses[name])
		}
	}
}

// set notes a field that only a type's own package can set, if the type has an entry point that
// draws.
func (w *walk) set(t types.Type, field types.Object) {
	v, ok := field.(*types.Var)
	if t == nil || !ok || !v.IsField() || v.Exported() {
		return
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || w.test(named.Obj()) {
		return
	}
	key := keyOf(named.Obj())
	for entry := range w.entries {
		if strings.HasPrefix(entry, key+".") && w.drawing[entry] {
			w.sets["setting "+short(key)+"."+v.Name()] = true
		}
	}
}

// judge says what a test goes through.
func (w *walk) judge(name string) walked {
	a := walked{name: name}
	path := w.in.path
	var draws, quiet, past []string
	for key := range w.named {
		of := key[:strings.LastIndex(key, "/")+1]
		of += strings.SplitN(key[len(of):], ".", 2)[0]
		own := of == path
		switch {
		case !own && (below(path, algorithms) || below(of, plumbing) || below(of, beside)):
		case !w.entries[key] && w.drawing[key] && own:
			past = append(past, short(key))
		case !w.entries[key]:
		case w.drawing[key]:
			draws = append(draws, short(key))
		case !strings.Contains(short(key), ".New"):
			quiet = append(quiet, short(key))
		}
	}
	a.through = draws
	if len(draws)+len(past) == 0 {
		a.through = quiet
	}
	for s := range w.sets {
		past = append(past, s)
	}
	if len(a.through) == 0 || len(w.sets) > 0 {
		if a.around = past; len(past) == 0 {
			a.around = []string{"code of its own"}
		}
	}
	if a.around != nil && w.audit && !w.holds { // a broken twin
		a.through, a.around = []string{"a broken twin"}, nil
	}
	slices.Sort(a.through)
	slices.Sort(a.around)
	return a
}

// planted checks made-up audits: one of the shipped path, and three that go around it.
func (w *walker) planted(t *testing.T) {
	const source = `package mechanism_test

import (
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
)

func TestThrough(t *testing.T) {
	release(t)
	audittest.Holds(t, audit.Audit[bool]{})
}
func release(t *testing.T) {
	m, _ := mechanism.NewLaplace(mechanism.LaplaceParams{})
	_ = m.Release
}
func TestOwn(t *testing.T) {
	_ = func(src coin.Source) bool { return src.Uniform(2) == 1 }
	audittest.Holds(t, audit.Audit[bool]{})
}
func TestPrepares(t *testing.T) {
	_, _ = mechanism.NewLaplace(mechanism.LaplaceParams{})
	audittest.Holds(t, audit.Audit[bool]{})
}
func TestTwin(t *testing.T) { audittest.Caught(t, audit.Audit[bool]{}) }
func TestNoAudit(t *testing.T) { release(t) }
`
	file, err := parser.ParseFile(w.fset, "planted_test.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	p, err := w.checkTests("hush/core/mechanism_test", []*ast.File{file})
	if err != nil {
		t.Fatal(err)
	}
	const stored = "core/mechanism TestThrough: x\n" + because + "it was once around by a law\n" +
		"core/mechanism TestOwn: x\n" + because + "it is about a law of its own\n"
	text, problems := written(w.audits(p), stored)
	const want = "core/mechanism TestOwn: around by code of its own\n" + because +
		"it is about a law of its own\n" +
		"core/mechanism TestPrepares: around by code of its own\n" +
		"core/mechanism TestThrough: mechanism.Laplace.Release\n" +
		"core/mechanism TestTwin: a broken twin\n"
	if text != want {
		t.Errorf("planted audits give\n%s, want\n%s", text, want)
	}
	if len(problems) != 2 || !strings.Contains(problems[0], "TestPrepares") ||
		!strings.Contains(problems[1], "TestThrough") {
		t.Errorf("planted audits are refused with %q", problems)
	}
}
