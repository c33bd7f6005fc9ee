package hypotheses

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// hypothesis is one item of a proof's list, and the places that carry its name.
type hypothesis struct {
	proof, name, kind  string // the proof from core on: "selection/threshold.md"
	lines, tests, docs []string
}

// full is the name as other packages write it.
func (h *hypothesis) full() string { return h.proof + " " + h.name }

// mark is the name as the proof's own package writes it.
func (h *hypothesis) mark() string { return "// H: " + path.Base(h.proof) + " " + h.name }

// report is what a tree says of its hypotheses.
type report struct {
	all      map[string]*hypothesis
	problems []string
}

func (r *report) fault(format string, args ...any) {
	r.problems = append(r.problems, fmt.Sprintf(format, args...))
}

// read reads the proofs below core, then the Go files of the tree, and checks each hypothesis.
func read(tree fs.FS) (*report, error) {
	r := &report{all: map[string]*hypothesis{}}
	var sources []string
	err := fs.WalkDir(tree, ".", func(at string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			if name := entry.Name(); name == "testdata" || name == "node_modules" ||
				name != "." && strings.HasPrefix(name, ".") ||
				at == "core/internal/hypotheses" { // its marks are examples
				return fs.SkipDir
			}
		case path.Ext(at) == ".go":
			sources = append(sources, at)
		case path.Ext(at) == ".md" && strings.HasPrefix(at, "core/"):
			text, err := fs.ReadFile(tree, at)
			if err != nil {
				return err
			}
			r.proof(strings.TrimPrefix(at, "core/"), string(text))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, at := range sources {
		text, err := fs.ReadFile(tree, at)
		if err != nil {
			return nil, err
		}
		if err := r.source(at, text); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.all)) {
		r.check(r.all[name])
	}
	return r, nil
}

var (
	item    = regexp.MustCompile(`(?m)^- \*\*([a-z0-9]+(?:-[a-z0-9]+)*)\*\* \(([^)]*)\)[:.]`)
	assumes = regexp.MustCompile(`(?m)^(?:\*\*Assumptions\.\*\*|## Assumptions$)`)
	none    = regexp.MustCompile(`(?m)^\*\*Assumptions\.\*\* (?:None\b|Those of \[)`)
	states  = regexp.MustCompile(`\*\*(?:Theorem|Claim|Lemma|Proposition|Corollary)\b`)
	inProse = regexp.MustCompile(`\*(?:Checked[^*]*|At run time|Left to[^*]*)[.:]\*`)
	mark    = regexp.MustCompile(`\bH: `)
	marked  = regexp.MustCompile(`^([a-z0-9/]+\.md) ` +
		`([a-z0-9]+(?:-[a-z0-9]+)*(?:, [a-z0-9]+(?:-[a-z0-9]+)*)*)(?:; )?`)
)

// proof reads the hypotheses of a proof, if it has any.
func (r *report) proof(name, text string) {
	found := item.FindAllStringSubmatch(text, -1)
	switch {
	case len(found) == 0 && !none.MatchString(text):
		if assumes.MatchString(text) || states.MatchString(text) {
			r.fault("%s: its hypotheses have no names, and it does not say that it has none", name)
		}
	case !assumes.MatchString(text):
		r.fault("%s: a list of hypotheses without **Assumptions.** before it", name)
	case inProse.MatchString(text):
		r.fault("%s: %q stands beside the list: make it an item", name, inProse.FindString(text))
	}
	for _, f := range found {
		h := &hypothesis{proof: name, name: f[1], kind: f[2]}
		switch {
		case h.kind != "types" && h.kind != "run time" && h.kind != "caller":
			r.fault("%s is of kind %q, want types, run time or caller", h.full(), h.kind)
		case r.all[h.full()] != nil:
			r.fault("%s is there twice", h.full())
		default:
			r.all[h.full()] = h
		}
	}
}

// source reads the marks of a Go file.
func (r *report) source(at string, text []byte) error {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, at, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	docs := exportedDocs(file)
	for _, group := range file.Comments {
		said := strings.Join(strings.Fields(group.Text()), " ")
		for _, place := range mark.FindAllStringIndex(said, -1) {
			where := fmt.Sprintf("%s:%d", at, set.Position(group.Pos()).Line)
			rest := said[place[1]:]
			first := marked.FindStringSubmatch(rest)
			if first == nil {
				r.fault("%s: %q is no mark, want “H: proof.md name”", where, "H: "+rest)
			}
			for m := first; m != nil; m = marked.FindStringSubmatch(rest) {
				for name := range strings.SplitSeq(m[2], ", ") {
					r.place(at, where, m[1], name, docs[group], inside(set, file, group))
				}
				rest = rest[len(m[0]):]
			}
		}
	}
	return nil
}

// place notes that a file carries the name of a hypothesis.
func (r *report) place(at, where, proof, name string, exported bool, of string) {
	if !strings.Contains(proof, "/") {
		proof = path.Join(strings.TrimPrefix(path.Dir(at), "core/"), proof)
	}
	h := r.all[proof+" "+name]
	switch {
	case h == nil:
		r.fault("%s: no proof has the hypothesis %s %s", where, proof, name)
	case of == "":
		r.fault("%s: %s marks no line: it stands outside of every declaration", where, h.full())
	case strings.HasSuffix(at, "_test.go"):
		h.tests = append(h.tests, where+" "+of)
	case exported:
		h.docs = append(h.docs, where+" "+of)
	default:
		h.lines = append(h.lines, where+" "+of)
	}
}

// check is what each kind of hypothesis needs.
func (r *report) check(h *hypothesis) {
	if h.kind == "caller" {
		if len(h.docs) == 0 {
			r.fault("%s is left to the caller, and no doc comment of an exported name says so (%s)",
				h.full(), h.mark())
		}
		return
	}
	if len(h.lines) == 0 {
		r.fault("%s (%s) has no line that ensures it (%s)", h.full(), h.kind, h.mark())
	}
	if len(h.tests) == 0 {
		r.fault("%s (%s) has no test that breaks it (%s)", h.full(), h.kind, h.mark())
	}
}

// inside names the declaration that a comment documents, stands in, or ends the line of; "" where
// there is none.
func inside(set *token.FileSet, file *ast.File, comment *ast.CommentGroup) string {
	line := func(at token.Pos) int { return set.Position(at).Line }
	if comment == file.Doc {
		return "package " + file.Name.Name
	}
	for _, d := range file.Decls {
		doc, name := (*ast.CommentGroup)(nil), ""
		switch d := d.(type) {
		case *ast.FuncDecl:
			doc, name = d.Doc, d.Name.Name
		case *ast.GenDecl:
			doc, name = d.Doc, d.Tok.String()
			if d.Tok == token.TYPE {
				name = d.Specs[0].(*ast.TypeSpec).Name.Name
			}
		}
		if doc == comment || d.Pos() <= comment.Pos() && line(comment.Pos()) <= line(d.End()) {
			return name
		}
	}
	return ""
}

// exportedDocs are the doc comments of what other packages can use, and of its fields.
func exportedDocs(file *ast.File) map[*ast.CommentGroup]bool {
	docs := map[*ast.CommentGroup]bool{file.Doc: true}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			docs[d.Doc] = d.Name.IsExported() && (d.Recv == nil || receiver(d).IsExported())
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					docs[s.Doc] = s.Name.IsExported()
					docs[d.Doc] = docs[d.Doc] || s.Name.IsExported()
					ast.Inspect(s.Type, func(n ast.Node) bool {
						if f, ok := n.(*ast.Field); ok && s.Name.IsExported() &&
							len(f.Names) > 0 && f.Names[0].IsExported() {
							docs[f.Doc] = true
						}
						return true
					})
				case *ast.ValueSpec:
					docs[s.Doc] = s.Names[0].IsExported()
					docs[d.Doc] = docs[d.Doc] || s.Names[0].IsExported()
				}
			}
		}
	}
	return docs
}

func receiver(d *ast.FuncDecl) *ast.Ident {
	of := d.Recv.List[0].Type
	for {
		switch t := of.(type) {
		case *ast.StarExpr:
			of = t.X
		case *ast.IndexExpr:
			of = t.X
		case *ast.IndexListExpr:
			of = t.X
		case *ast.Ident:
			return t
		default:
			return ast.NewIdent("_")
		}
	}
}

// TestHypotheses: a line ensures each hypothesis that has a name and a test breaks it, or a doc
// comment leaves it to the caller; and no place carries a name that no proof has.
func TestHypotheses(t *testing.T) {
	r, err := read(os.DirFS("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range r.problems {
		t.Error(problem)
	}
	kinds, lines, tests, docs := map[string]int{}, 0, 0, 0
	for _, name := range slices.Sorted(maps.Keys(r.all)) {
		h := r.all[name]
		kinds[h.kind]++
		lines, tests, docs = lines+len(h.lines), tests+len(h.tests), docs+len(h.docs)
		t.Logf("%s (%s): lines %v, tests %v, doc comments %v", name, h.kind, h.lines, h.tests,
			h.docs)
	}
	t.Logf("%d hypotheses, %v: %d lines, %d tests, %d doc comments", len(r.all), kinds, lines,
		tests, docs)
}
