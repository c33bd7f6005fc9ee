package doctest

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/doc/comment"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/internal/audittest"
)

const indexPreface = `# Proofs and audits

Made by a test; do not edit (` + "`go test ./core/internal/doctest -run TestIndex -update`" + `).
The guarantees are the first sentences of the doc comments. Each is proved in a file beside the
code, and a test checks that the functions and tests that a proof names exist. An audit computes
the exact output law on every data set of a tiny space and compares all neighbours; a planted
mistake is a broken twin of the algorithm that the audit must catch. The table lists the tests that
audit an algorithm, a part of it or its twins; "by its parts" says that the mechanisms it consists
of are audited, rather than the whole. "By machine" says that Coq has checked theorems of that proof,
which it names; [proof.md](proof/proof.md) lists them, and what rests on paper.
`

// TestIndex checks core/README.md, the index of all guarantees, proofs and audits, against the
// sources. It fails for a guarantee without a proof, a proof file that is not there, and a
// mechanism without a guarantee.
func TestIndex(t *testing.T) {
	var b strings.Builder
	b.WriteString(indexPreface)
	mechanisms := 0
	for _, s := range sources(t) {
		mechanisms += s.index(t, &b)
	}
	if mechanisms < 50 {
		t.Errorf("%d mechanisms found", mechanisms)
	}
	audittest.Document(t, filepath.Join(root, "core", "README.md"), b.String())
}

// guarantee is what the doc comment of an exported thing promises.
type guarantee struct {
	documented
	sentence string
	proof    string // a path below core, "" for none
}

// index writes the part of one package, and returns how many guarantees it has.
func (s *source) index(t *testing.T, b *strings.Builder) int {
	t.Helper()
	var all []guarantee
	cited := map[string]bool{"AUDIT.md": true, "README.md": true}
	for _, d := range s.exported() {
		g, ok, err := s.guarantee(d)
		switch {
		case err != nil:
			t.Errorf("%s: %s %v", s.dir, d.name, err)
		case ok:
			all = append(all, g)
			if path.Dir(g.proof) == s.dir {
				cited[path.Base(g.proof)] = true
			}
		}
	}
	var others []string
	for _, file := range s.other {
		if strings.HasSuffix(file, ".md") && !cited[file] {
			others = append(others,
				fmt.Sprintf("[%s](%s)", title(t, s.dir, file), path.Join(s.dir, file)))
		}
	}
	if all == nil && others == nil {
		return 0
	}
	fmt.Fprintf(b, "\n## %s\n\n%s\n", s.dir, s.firstSentence(s.doc.Doc))
	audits := s.audits()
	if slices.Contains(s.other, audittest.File) {
		claims, planted := counts(t, s.dir)
		fmt.Fprintf(b, "[%s](%s): %d claims hold, %d planted mistakes are caught.\n",
			audittest.File, path.Join(s.dir, audittest.File), claims, planted)
	} else if all != nil {
		t.Errorf("%s makes guarantees and has no %s", s.dir, audittest.File)
	}
	if !s.testsImport("hush/core/internal/prooftest") {
		t.Errorf("%s has proofs, and no test checks the names in them (prooftest.Check)", s.dir)
	}
	if all != nil {
		b.WriteString("\n| | Guarantee | Proof | Audits |\n|---|---|---|---|\n")
	}
	for _, g := range all {
		proof, tests := "none", ""
		if g.proof != "" {
			proof = fmt.Sprintf("[%s](%s)", path.Base(g.proof), g.proof)
			if byMachine.MatchString(file(t, "core/"+g.proof)) {
				proof += ", by machine"
			}
			tests = cmp.Or(strings.Join(audits[g.name], ", "), "by its parts")
		}
		fmt.Fprintf(b, "| [%s](%s) | %s | %s | %s |\n", g.name, path.Join(s.dir, g.file),
			strings.ReplaceAll(g.sentence, "|", `\|`), proof, tests)
	}
	if others != nil {
		fmt.Fprintf(b, "\nAlso: %s.\n", strings.Join(others, "; "))
	}
	return len(all)
}

var (
	byMachine   = regexp.MustCompile(`(?i)by machine \(\[proof\.md\]`)
	proofFile   = regexp.MustCompile(`Proof: ((?:\.\./)?[\w/]+\.md)`)
	sentence    = regexp.MustCompile(`^.*?[.:](?: |$)`)
	noneClaimed = regexp.MustCompile(`[Nn]one is claimed`)
)

// guarantee finds what a doc comment says under Guarantee. A type that releases and has a loss
// needs one; one that does not claim none needs a proof.
func (s *source) guarantee(d documented) (guarantee, bool, error) {
	text, under := "", false
	for _, block := range s.doc.Parser().Parse(d.text).Content {
		switch block := block.(type) {
		case *comment.Heading:
			under = plain(block.Text) == "Guarantee"
		case *comment.Paragraph:
			if under {
				text += plain(block.Text) + " "
			}
		}
	}
	if text == "" {
		if d.kind != nil && has(d, "Loss") && has(d, "Release") && !isInterface(d) {
			return guarantee{}, false, fmt.Errorf("has a loss and no section Guarantee")
		}
		return guarantee{}, false, nil
	}
	g := guarantee{documented: d, sentence: s.firstSentence(text)}
	if at := noneClaimed.FindStringIndex(text); at != nil {
		g.sentence = text[:at[1]] + "."
		return g, true, nil
	}
	match := proofFile.FindStringSubmatch(text)
	if match == nil {
		return g, false, fmt.Errorf("has a guarantee that names no proof (Proof: file.md)")
	}
	g.proof = path.Join(s.dir, match[1])
	_, err := os.Stat(filepath.Join(root, "core", filepath.FromSlash(g.proof)))
	return g, err == nil, err
}

// firstSentence is without the links and the line breaks of a doc comment.
func (s *source) firstSentence(text string) string {
	first, ok := s.doc.Parser().Parse(text).Content[0].(*comment.Paragraph)
	if !ok {
		return ""
	}
	whole := plain(first.Text)
	if found := sentence.FindString(whole); found != "" {
		return strings.TrimRight(found, " :.") + "."
	}
	return whole
}

func has(d documented, method string) bool {
	for _, f := range d.kind.Methods {
		if f.Name == method {
			return true
		}
	}
	return false
}

func isInterface(d documented) bool {
	spec, ok := d.kind.Decl.Specs[0].(*ast.TypeSpec)
	if !ok {
		return false
	}
	_, ok = spec.Type.(*ast.InterfaceType)
	return ok
}

// title is the first heading of a file.
func title(t *testing.T, dir, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "core", dir, file))
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	name, ok := strings.CutPrefix(first, "# ")
	if !ok {
		t.Errorf("%s/%s does not begin with a title", dir, file)
	}
	return name
}

// counts are the numbers of lines in the two halves of a package's table of audits.
func counts(t *testing.T, dir string) (claims, planted int) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "core", dir, audittest.File))
	if err != nil {
		t.Fatal(err)
	}
	whole := string(text)
	return strings.Count(whole, "| holds |\n"), strings.Count(whole, "| violated |\n")
}

// audits finds for each type the tests that run an audit and name the type, or what makes it, by
// themselves or by a function of the tests that they call.
func (s *source) audits() map[string][]string {
	type declared struct {
		uses map[string]bool
		file string
	}
	all := map[string]declared{}
	for file, parsed := range s.tests {
		for _, declaration := range parsed.Decls {
			for name, uses := range s.declares(declaration) {
				for used := range all[name].uses {
					uses[used] = true
				}
				all[name] = declared{uses, file}
			}
		}
	}
	makes, found := s.makers(), map[string][]string{}
	for test, d := range all {
		short, ok := strings.CutPrefix(test, "Test")
		if !ok {
			continue
		}
		seen, types := map[string]bool{}, map[string]bool{}
		var visit func(name string)
		visit = func(name string) {
			if seen[name] {
				return
			}
			seen[name] = true
			for _, kind := range makes[name] {
				types[kind] = true
			}
			for used := range all[name].uses {
				visit(used)
			}
		}
		visit(test)
		audits := seen["audittest.Holds"] || seen["audittest.Caught"] || seen["audittest.Expect"]
		if !audits && !strings.HasPrefix(short, "Audit") && !strings.HasPrefix(short, "Planted") {
			continue
		}
		for kind := range types {
			found[kind] = append(found[kind],
				fmt.Sprintf("[%s](%s)", short, path.Join(s.dir, d.file)))
		}
	}
	for _, tests := range found {
		slices.Sort(tests)
	}
	return found
}

// testsImport says whether a test of the package imports another one.
func (s *source) testsImport(path string) bool {
	for _, file := range s.tests {
		for _, spec := range file.Imports {
			if spec.Path.Value == strconv.Quote(path) {
				return true
			}
		}
	}
	return false
}

// declares gives for each name that a declaration declares the names that it uses. A method's names
// are its type's.
func (s *source) declares(declaration ast.Decl) map[string]map[string]bool {
	all := map[string]map[string]bool{}
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		name := d.Name.Name
		if d.Recv != nil {
			name = receiver(d)
		}
		all[name] = s.names(d)
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for _, n := range spec.Names {
					all[n.Name] = s.names(spec)
				}
			case *ast.TypeSpec:
				all[spec.Name.Name] = s.names(spec)
			}
		}
	}
	return all
}

// makers are the names that stand for types: their own, those of their parameters, and of the
// functions that return them.
func (s *source) makers() map[string][]string {
	makes := map[string][]string{}
	for _, kind := range s.doc.Types {
		makes[kind.Name] = append(makes[kind.Name], kind.Name)
		makes[kind.Name+"Params"] = append(makes[kind.Name+"Params"], kind.Name)
	}
	for _, f := range s.funcs {
		name := f.Name.Name
		if f.Recv != nil {
			continue
		}
		makes[name] = append(makes[name], name) // a function may have a guarantee
		if f.Type.Results == nil {
			continue
		}
		ast.Inspect(f.Type.Results, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && id.IsExported() {
				makes[name] = append(makes[name], id.Name)
			}
			return true
		})
	}
	return makes
}

// names are the identifiers of a node that may be declared in its package, and those of others with
// the package before them.
func (s *source) names(node ast.Node) map[string]bool {
	names, skip := map[string]bool{}, map[*ast.Ident]bool{}
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			from, ok := n.X.(*ast.Ident)
			if !ok || from.Name != s.doc.Name {
				skip[n.Sel] = true
			}
			if ok {
				names[from.Name+"."+n.Sel.Name] = true
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok {
				skip[key] = true
			}
		case *ast.Ident:
			if !skip[n] {
				names[n.Name] = true
			}
		}
		return true
	})
	return names
}

func receiver(d *ast.FuncDecl) string {
	expr := d.Recv.List[0].Type
	if star, ok := expr.(*ast.StarExpr); ok {
		expr = star.X
	}
	if index, ok := expr.(*ast.IndexExpr); ok {
		expr = index.X
	}
	if id, ok := expr.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}
