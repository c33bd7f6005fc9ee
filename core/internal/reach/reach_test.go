package reach

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write audits.txt anew")

// Every package of core, web and wasm is one of these, or below one. Roots are those all of whose
// code counts as used: the questions and their lessons, the proofs, the films and the page. Looked
// at are the algorithms; the others only carry on what names what.
var (
	roots = []string{"hush/core/task", "hush/core/ask", "hush/core/prove", "hush/core/study",
		"hush/core/course", "hush/core/publication", "hush/core/verify", "hush/core/review",
		"hush/core/warehouse",
		"hush" + "/web", "hush" + "/wasm"} // parted, so that no search takes them for imports
	algorithms = []string{
		"hush/core/mechanism", "hush/core/basic", "hush/core/threshold", "hush/core/density",
		"hush/core/query", "hush/core/joint", "hush/core/classify", "hush/core/selection",
		"hush/core/survival",
	}
	others = []string{
		"hush/core/coin", "hush/core/privacy", "hush/core/param", "hush/core/phrase",
		"hush/core/message",
		"hush/core/domain", "hush/core/table", "hush/core/sample", "hush/core/audit",
		"hush/core/codebook", "hush/core/meter", "hush/core/proof", "hush/core/internal",
	}
	library  = "hush/core" // what programs import
	patterns = []string{"./core/...", "./web/...", "./wasm/..."}
)

// below says whether a package is one of a list, or below one.
func below(path string, list []string) bool {
	return slices.ContainsFunc(list, func(p string) bool {
		return path == p || strings.HasPrefix(path, p+"/")
	})
}

// outside are methods that code of other modules calls by way of an interface: formatting, JSON,
// errors, sorting, heaps, reading and writing.
var outside = []string{
	"String", "GoString", "Format", "Error", "Is", "As", "Unwrap", "MarshalJSON", "UnmarshalJSON",
	"MarshalText", "UnmarshalText", "Len", "Less", "Swap", "Push", "Pop", "Read", "Write", "Close",
}

// TestUnreached: every function, method and type of the algorithm packages can be reached, exported
// or not. What tests alone need belongs in their files.
//
// A declaration is reached if a reached one, or any of a root package, names it. A method is
// reached if it is named by a selector of its own type; if its type is reached, and a reached
// selector names it on an interface that the type implements; or if its type is reached, and it
// has the name of one that other modules call (outside). A type is reached where it is named.
//
// An example does not reach anything: it shows how to use what a program needs.
//
// So it overstates what is reached: code behind a condition that never holds counts, methods
// called outside count whether they are or not, interfaces and types with type parameters go
// by the method's name, and so does a root's code that nothing calls. It understates it where
// a method is called by reflection only; there is no such call. Files for the browser alone are not
// compiled here; TestBrowserFiles keeps algorithms out of them. Fields and constants are not
// looked at.
func TestUnreached(t *testing.T) {
	m := load(t)
	m.reachAll()
	looked := 0
	for object := range m.nodes {
		name := called(object)
		if name == "" || !below(object.Pkg().Path(), algorithms) {
			continue
		}
		if looked++; !m.reached[object] {
			t.Errorf("%s is used by no question, lesson or proof: use it, or delete it", name)
		}
	}
	if looked < 1500 {
		t.Errorf("only %d functions, methods and types are looked at", looked)
	}
}

// TestBrowserFiles: code that only the browser's binary has names no algorithm package, so that
// leaving it out hides nothing.
func TestBrowserFiles(t *testing.T) {
	files, err := filepath.Glob("../../../w*/*_js.go") // web and wasm
	deeper, _ := filepath.Glob("../../../w*/*/*_js.go")
	if files = append(files, deeper...); err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range file.Imports {
			if path := strings.Trim(i.Path.Value, `"`); below(path, algorithms) {
				t.Errorf("%s imports %s: go by way of a package that is compiled here", name, path)
			}
		}
	}
}

// called names a function, method or type: "threshold.TreeLog.Needs". Else "".
func called(o types.Object) string {
	name := o.Pkg().Name() + "."
	switch o := o.(type) {
	case *types.Func:
		if receiver := receiverOf(o); receiver != nil {
			name += receiver.Name() + "."
		}
	case *types.TypeName:
	default:
		return ""
	}
	return name + o.Name()
}

// receiverOf is the type that has a method; nil for a function, and for a method of an interface.
func receiverOf(f *types.Func) *types.TypeName {
	receiver := f.Signature().Recv()
	if receiver == nil {
		return nil
	}
	t := receiver.Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := t.(*types.Named); ok && !types.IsInterface(named) {
		return named.Obj()
	}
	return nil
}

// module is this module's own code, type-checked from its sources together, so that an object is
// the same wherever it is used.
type module struct {
	fset     *token.FileSet
	packages map[string]*types.Package
	exports  map[string]string // files of export data, by package
	foreign  types.Importer
	info     *types.Info
	nodes    map[types.Object]ast.Node // package-level declarations, and methods
	listed   []listed                  // this module's own
	// run or checked whenever their package is: init, and the roots
	started []start
	left    []string // packages that nothing is reached in
	at      string   // the package of the declaration that is visited
	reached map[types.Object]bool
	entered map[types.Object]bool // from another package, or by way of an interface
	types   []*types.TypeName     // reached
	called  []*types.Func         // reached methods of interfaces
}

// start is a declaration that is run or checked without being named, and its package.
type start struct {
	node ast.Node
	of   string
}

// listed is a package as go list tells it.
type listed struct {
	ImportPath, Dir, Export   string
	GoFiles                   []string
	TestGoFiles, XTestGoFiles []string
	TestImports, XTestImports []string
}

func load(t *testing.T) *module {
	t.Helper()
	m := &module{
		fset: token.NewFileSet(), packages: map[string]*types.Package{},
		nodes: map[types.Object]ast.Node{}, reached: map[types.Object]bool{},
		entered: map[types.Object]bool{},
		info: &types.Info{
			Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		},
		exports: map[string]string{},
	}
	m.foreign = importer.ForCompiler(m.fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(m.exports[path])
	})
	for _, p := range list(t, patterns) { // what is imported comes first
		m.exports[p.ImportPath] = p.Export
		if strings.HasPrefix(p.ImportPath, "hush/") {
			m.listed = append(m.listed, p)
			if err := m.check(p); err != nil {
				t.Fatal(err)
			}
		}
	}
	return m
}

// list asks go list for packages, and for those that they import.
func list(t *testing.T, patterns []string) (all []listed) {
	t.Helper()
	command := exec.Command("go", append([]string{"list", "-export", "-deps", "-json=" +
		"ImportPath,Dir,Export,GoFiles,TestGoFiles,XTestGoFiles,TestImports,XTestImports"},
		patterns...)...)
	command.Dir = filepath.Join("..", "..", "..")
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// Import gives this module's packages as they were checked, and others from their export data.
func (m *module) Import(path string) (*types.Package, error) {
	if p := m.packages[path]; p != nil {
		return p, nil
	}
	if strings.HasPrefix(path, "hush/") {
		return nil, fmt.Errorf("%s is not checked yet", path)
	}
	return m.foreign.Import(path)
}

// check type-checks a package and notes its declarations.
func (m *module) check(p listed) error {
	var files []*ast.File
	for _, name := range p.GoFiles {
		path := filepath.Join(p.Dir, name)
		file, err := parser.ParseFile(m.fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	config := types.Config{Importer: m}
	checked, err := config.Check(p.ImportPath, m.fset, files, m.info)
	if err != nil {
		return err
	}
	m.packages[p.ImportPath] = checked
	root := below(p.ImportPath, roots) || p.ImportPath == library
	if !root && !below(p.ImportPath, algorithms) && !below(p.ImportPath, others) {
		return fmt.Errorf("%s is new: say whether it is a root or has algorithms", p.ImportPath)
	}
	for _, file := range files {
		for _, d := range file.Decls {
			if root {
				m.started = append(m.started, start{d, p.ImportPath})
			}
			m.declare(d, p.ImportPath)
		}
	}
	return nil
}

func (m *module) declare(d ast.Decl, of string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil && d.Name.Name == "init" {
			m.started = append(m.started, start{d, of})
		} else {
			m.nodes[m.info.Defs[d.Name]] = d
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				m.nodes[m.info.Defs[spec.Name]] = spec
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					if name.Name != "_" {
						m.nodes[m.info.Defs[name]] = spec
					}
				}
			}
		}
	}
}

// reachAll goes on until nothing more is reached.
func (m *module) reachAll() {
	for _, s := range m.started {
		if m.at = s.of; !below(s.of, m.left) {
			m.visit(s.node)
		}
	}
	for before := -1; before < len(m.reached); {
		before = len(m.reached)
		for _, t := range slices.Clone(m.types) {
			for _, name := range outside {
				m.reachMethod(t, name)
			}
			for _, method := range slices.Clone(m.called) {
				if implements(t.Type(), method) {
					m.reachMethod(t, method.Name())
				}
			}
		}
	}
}

// visit reaches what a declaration names.
func (m *module) visit(node ast.Node) {
	ast.Inspect(node, func(n ast.Node) bool {
		if name, ok := n.(*ast.Ident); ok {
			m.reach(m.info.Uses[name])
			m.reach(m.info.Defs[name])
		}
		return true
	})
}

// reach notes an object of this module, and goes on with its declaration.
func (m *module) reach(o types.Object) {
	if f, ok := o.(*types.Func); ok {
		o = f.Origin()
	}
	if o == nil || o.Pkg() == nil || below(o.Pkg().Path(), m.left) {
		return
	}
	if o.Pkg().Path() != m.at {
		m.entered[o] = true
	}
	if m.reached[o] {
		return
	}
	if f, ok := o.(*types.Func); ok && f.Signature().Recv() != nil && receiverOf(f) == nil {
		m.reached[o] = true // a method of an interface, of another module perhaps
		m.called = append(m.called, f)
		return
	}
	node, declared := m.nodes[o]
	if !declared {
		return // a field, a variable of a function, something of another module
	}
	m.reached[o] = true
	if t, ok := o.(*types.TypeName); ok && !t.IsAlias() {
		m.types = append(m.types, t)
	}
	before := m.at
	m.at = o.Pkg().Path()
	m.visit(node)
	m.at = before
}

// reachMethod reaches a method of a type, also one of a field that is embedded.
func (m *module) reachMethod(t *types.TypeName, name string) {
	o, _, _ := types.LookupFieldOrMethod(t.Type(), true, t.Pkg(), name)
	if f, ok := o.(*types.Func); ok {
		m.at = "" // called from wherever the interface is known
		m.reach(f)
	}
}

// implements says whether a type has the interface that a method is of; with type parameters on
// either side, whatever has a method of that name.
func implements(t types.Type, method *types.Func) bool {
	if types.IsInterface(t) {
		return false
	}
	of := method.Signature().Recv().Type()
	if generic(t) || generic(of) {
		return true
	}
	wanted, ok := of.Underlying().(*types.Interface)
	return ok && (types.Implements(t, wanted) || types.Implements(types.NewPointer(t), wanted))
}

func generic(t types.Type) bool {
	named, ok := t.(*types.Named)
	return ok && named.TypeParams().Len() > 0
}
