// Package texts reads every text that Hush says out of its sources, for the build, for
// translators and for tests.
package texts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"hush/core/message"
)

// ways lists the packages whose functions say something, in a given language or in none yet.
var ways = []string{"hush/core/message", "hush/core/phrase", "hush/web/say"}

// forProgrammers lists the packages that speak only English.
var forProgrammers = []string{"hush/web/hush"}

// listed is a package as go list reports it.
type listed struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
}

// reader finds the messages of the whole module: every constant of type Key or Fault, whatever
// function it is given to and whatever list it stands in.
type reader struct {
	fset     *token.FileSet
	root     string
	exports  map[string]string
	messages map[message.Key]message.Message
	faults   []string
}

// Read reads the sources of the module below root. It returns every message as a language, English,
// with the files that say it, and the places where a text would be shown without being translated,
// or where a format has other arguments than verbs. It runs go list, and takes seconds once the
// module is compiled.
func Read(root string) (*message.Language, []string, error) {
	r := &reader{fset: token.NewFileSet(), exports: map[string]string{},
		messages: map[message.Key]message.Message{}}
	var err error
	if r.root, err = filepath.Abs(root); err != nil {
		return nil, nil, err
	}
	list := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles",
		"./core/...", "./web/...")
	list.Dir = r.root
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, nil, fmt.Errorf("texts: go list in %s: %w", r.root, err)
	}
	var own []listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, nil, err
		}
		r.exports[p.ImportPath] = p.Export
		if strings.HasPrefix(p.ImportPath, "hush/") && !below(p.ImportPath, ways) &&
			!below(p.ImportPath, forProgrammers) {
			own = append(own, p)
		}
	}
	packages := importer.ForCompiler(r.fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(r.exports[path])
	})
	for _, p := range own {
		if err := r.readPackage(packages, p); err != nil {
			return nil, nil, err
		}
	}
	return r.catalogue(), r.faults, nil
}

// below reports whether a package is one of a list, or below one.
func below(path string, list []string) bool {
	return slices.ContainsFunc(list, func(p string) bool {
		return path == p || strings.HasPrefix(path, p+"/")
	})
}

func (r *reader) readPackage(packages types.Importer, p listed) error {
	var files []*ast.File
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(r.fset, filepath.Join(p.Dir, name), nil,
			parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{},
		Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: packages}
	checked, err := config.Check(p.ImportPath, r.fset, files, info)
	if err != nil {
		return err
	}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool { return r.visit(info, n) })
		if saying(checked) {
			ast.Inspect(file, func(n ast.Node) bool { return r.readSaying(info, n) })
		}
	}
	return nil
}

// visit notes a message, and looks into everything else.
func (r *reader) visit(info *types.Info, n ast.Node) bool {
	if call, ok := n.(*ast.CallExpr); ok {
		r.readCall(info, call)
	}
	e, ok := n.(ast.Expr)
	if !ok {
		return true
	}
	text, ok := textOf(info, e)
	if ok {
		r.add(message.Key(text), message.Message{Text: text}, r.file(e.Pos()))
	}
	return !ok
}

// textOf is the text of a constant message.
func textOf(info *types.Info, e ast.Expr) (string, bool) {
	t := info.Types[e]
	if t.Value == nil || t.Value.Kind() != constant.String || !isMessage(t.Type) {
		return "", false
	}
	return constant.StringVal(t.Value), true
}

func isMessage(t types.Type) bool {
	name := types.Unalias(t).String()
	return name == "hush/core/phrase.Key" || name == "hush/core/phrase.Fault"
}

// isPhrased says whether a value of type t has a phrase.
func isPhrased(t types.Type) bool {
	if t == nil || isMessage(t) { // found by the way that it is shown
		return false
	}
	method, _, _ := types.LookupFieldOrMethod(t, true, nil, "Phrase")
	f, ok := method.(*types.Func)
	return ok && f.Signature().Results().Len() == 1 &&
		f.Signature().Results().At(0).Type().String() == "hush/core/phrase.Phrase"
}

// saying tells whether a package knows the reader's language: whatever it shows is said in that
// language.
func saying(p *types.Package) bool {
	return p != nil && (strings.HasPrefix(p.Path(), "hush/web") && p.Name() != "main" ||
		slices.Contains(
			[]string{"hush/core/ask", "hush/core/task", "hush/core/prove",
				"hush/core/sample"}, p.Path()))
}

func (r *reader) file(p token.Pos) string {
	name, _ := filepath.Rel(r.root, r.fset.Position(p).Filename)
	return filepath.ToSlash(name)
}

func (r *reader) fault(p token.Pos, format string, args ...any) {
	r.faults = append(r.faults,
		fmt.Sprintf("%s:%d:%d: %s", r.file(p), r.fset.Position(p).Line,
			r.fset.Position(p).Column, fmt.Sprintf(format, args...)))
}

// readCall notes plural forms, compares the places of formats with their arguments, and finds what
// would be shown without being translated.
func (r *reader) readCall(info *types.Info, call *ast.CallExpr) {
	name, from := "", ""
	var o types.Object
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		o = info.Uses[f.Sel]
	case *ast.Ident:
		o = info.Uses[f]
	}
	if o != nil && o.Pkg() != nil {
		name, from = o.Name(), o.Pkg().Path()
	}
	own := slices.Contains(ways, from)
	signature, _ := info.Types[call.Fun].Type.(*types.Signature)
	if signature == nil {
		return // a conversion
	}
	at := formatOf(signature)
	for i, arg := range call.Args {
		basic, ok := parameter(signature, i, call).Underlying().(*types.Interface)
		if ok && basic.Empty() && isMessage(info.Types[arg].Type) && !own && at < 0 {
			r.fault(arg.Pos(), "a Key is shown as it is, want say.Text(…)")
		}
	}
	switch {
	case own && name == "Count":
		one, ok1 := textOf(info, call.Args[1])
		other, ok2 := textOf(info, call.Args[2])
		if !ok1 || !ok2 {
			r.fault(call.Pos(), "the forms of Count are not constant")
			return
		}
		r.add(message.Key(other),
			message.Message{Plural: map[string]string{"one": one, message.Other: other},
				Format: true}, r.file(call.Pos()))
		if verbs(other) != len(call.Args)-3 {
			r.fault(call.Pos(), "%q has %d arguments", other, len(call.Args)-3)
		}
	case at >= 0:
		text, ok := textOf(info, call.Args[at])
		given := len(call.Args) - 1 - at
		if !ok || given == 0 && (!own || name == "Of") && !place.MatchString(text) {
			return // without arguments it is no format
		}
		r.add(message.Key(text), message.Message{Text: text, Format: true}, r.file(call.Pos()))
		if !call.Ellipsis.IsValid() && verbs(text) != given {
			r.fault(call.Pos(), "%q has %d arguments", text, given)
		}
	}
}

// readSaying finds text that a package that knows the reader's language would still show in
// English: the String of a value with a phrase, the Error of an error, and either of them written
// by fmt or go-app. A panic is for programmers.
func (r *reader) readSaying(info *types.Info, n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return true
	}
	if f, ok := call.Fun.(*ast.Ident); ok && f.Name == "panic" {
		return false
	}
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return true
	}
	of := info.Types[f.X].Type
	switch o := info.Uses[f.Sel]; {
	case f.Sel.Name == "String" && isPhrased(of):
		r.fault(call.Pos(), "a phrase is shown in English, want say.Phrase(…)")
	case f.Sel.Name == "Error" && len(call.Args) == 0 && of != nil && types.Implements(of, failure):
		r.fault(call.Pos(), "an error is shown in English, want say.Error(…)")
	case o != nil && o.Pkg() != nil && !strings.HasPrefix(o.Pkg().Path(), "hush/"):
		for _, arg := range call.Args {
			t := info.Types[arg].Type
			failed := t != nil && types.Implements(t, failure)
			if isPhrased(t) && !failed || failed && o.Pkg().Path() == "fmt" &&
				f.Sel.Name != "Errorf" {
				r.fault(arg.Pos(), "%s shows English, want say.Phrase(…) or say.Error(…)",
					f.Sel.Name)
			}
		}
	}
	return true
}

// failure is the type error.
var failure = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

// place matches only what is certainly a verb: "5 % of" has none.
var place = regexp.MustCompile(`%[-+#0]*\d*(?:\.\d+)?[a-zA-Z]`)

// formatOf returns the position at which a function takes a format, which is a Key followed by any
// arguments, or −1 for other functions.
func formatOf(s *types.Signature) int {
	last := s.Params().Len() - 1
	if !s.Variadic() || last < 1 || !isMessage(s.Params().At(last-1).Type()) {
		return -1
	}
	rest := s.Params().At(last).Type().(*types.Slice).Elem()
	if basic, ok := rest.Underlying().(*types.Interface); !ok || !basic.Empty() {
		return -1
	}
	return last - 1
}

// parameter returns the type of the i-th parameter of a call.
func parameter(s *types.Signature, i int, call *ast.CallExpr) types.Type {
	if last := s.Params().Len() - 1; s.Variadic() && i >= last && !call.Ellipsis.IsValid() {
		return s.Params().At(last).Type().(*types.Slice).Elem()
	}
	return s.Params().At(i).Type()
}

// verbs counts the verbs of a format.
func verbs(format string) int {
	return strings.Count(regexp.MustCompile(`%%|%[-+# 0]*\d*(?:\.\d+)?[a-zA-Z]`).
		ReplaceAllStringFunc(format, func(verb string) string {
			return map[bool]string{true: "", false: "%"}[verb == "%%"]
		}), "%")
}

// add notes a message. One that has plural forms anywhere keeps them: it is not noted with a single
// form as well.
func (r *reader) add(k message.Key, m message.Message, file string) {
	if k == "" {
		return
	}
	known := r.messages[k]
	if m.Plural == nil && known.Plural != nil {
		m = known
	}
	m.Used, m.Format = known.Used, m.Format || known.Format
	if !slices.Contains(m.Used, file) {
		m.Used = append(slices.Clone(m.Used), file)
		slices.Sort(m.Used)
	}
	r.messages[k] = m
}

// catalogue returns all messages found in the sources, without the singulars that belong to a
// plural.
func (r *reader) catalogue() *message.Language {
	all := maps.Clone(r.messages)
	for _, m := range r.messages {
		if one := message.Key(m.Plural["one"]); m.Plural != nil && r.messages[one].Plural == nil &&
			slices.Equal(r.messages[one].Used, m.Used) {
			delete(all, one)
		}
	}
	return &message.Language{Tag: "en", Name: "English", Messages: all}
}

// Write writes a catalogue as JSON, for translators to start from.
func Write(w io.Writer, l *message.Language) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	return encoder.Encode(l)
}

// Marked returns a language in which every message is in brackets, so that a word outside of all
// brackets ([Outside]) was never translated.
func Marked(catalogue *message.Language) *message.Language {
	return Translated(catalogue, func(english string) string { return "⟦" + english + "⟧" })
}

// Translated returns a language in which every message is the English one with the function of
// applied to it.
func Translated(catalogue *message.Language, of func(english string) string) *message.Language {
	l := *catalogue
	l.Messages = map[message.Key]message.Message{}
	for k, m := range catalogue.Messages {
		translated := message.Message{Plural: maps.Clone(m.Plural)}
		if m.Plural == nil {
			translated.Text = of(m.Text)
		}
		for category, text := range m.Plural {
			translated.Plural[category] = of(text)
		}
		l.Messages[k] = translated
	}
	return &l
}

// Outside returns the part of a text that is outside of all brackets of [Marked].
func Outside(text string) string {
	var b strings.Builder
	depth := 0
	for _, r := range text {
		switch {
		case r == '⟦':
			depth++
		case r == '⟧':
			depth--
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return b.String()
}
