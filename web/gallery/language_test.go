package gallery

import (
	"go/ast"
	"go/parser"
	"go/token"
	"html"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/message/texts"
	"hush/web/exhibit"
	"hush/web/say"
	"hush/web/webtest"
)

var (
	pieces = regexp.MustCompile(
		`<(/?)([a-zA-Z0-9]+)((?:\s+[a-zA-Z0-9:-]+(?:="[^"]*")?)*)\s*/?>|[^<]+`)
	shown = regexp.MustCompile(
		` (?:aria-label|aria-description|aria-valuetext|title|placeholder|alt|label)="([^"]*)"`)
	void = regexp.MustCompile(
		`^(?:input|img|br|hr|meta|link|col|wbr|source|area|base|embed|track)$`)
)

// untranslated lists what a page says outside of brackets, except where it is marked
// translate="no".
func untranslated(page string, data *strings.Replacer) (found []string) {
	note := func(text string) {
		text = breaking(strings.TrimSpace(html.UnescapeString(text)))
		if webtest.Word.MatchString(data.Replace(strings.ToLower(texts.Outside(text)))) {
			found = append(found, text)
		}
	}
	var kept []bool // of each open element, whether its text is data
	for _, m := range pieces.FindAllStringSubmatch(page, -1) {
		data := len(kept) > 0 && kept[len(kept)-1]
		switch {
		case m[2] == "":
			if !data {
				note(m[0])
			}
		case m[1] != "":
			kept = kept[:max(len(kept)-1, 0)]
		default:
			if data = data || strings.Contains(m[3], ` translate="no"`); !data {
				for _, a := range shown.FindAllStringSubmatch(m[3], -1) {
					if text, err := strconv.Unquote(`"` + a[1] + `"`); err == nil {
						// as go-app writes attributes
						note(text)
					}
				}
			}
			if !void.MatchString(m[2]) {
				kept = append(kept, data)
			}
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// wholeSentence joins the words between the blanks of a question, the pieces of one text with
// brackets at its ends. Without brackets the pieces stay.
func wholeSentence(html string) string {
	return sentence.ReplaceAllStringFunc(html, func(s string) string {
		if !strings.Contains(s, "⟦") || !strings.Contains(s, "⟧") {
			return s
		}
		return piece.ReplaceAllString(s, "$1")
	})
}

var (
	sentence = regexp.MustCompile(`(?s)<p[^<>]*id="sentence".*?</p>`)
	piece    = regexp.MustCompile(`(</(?:span|button)>)[^<]*`)
)

// breaking is a text without what keeps its pieces in one line (together).
func breaking(text string) string { return strings.ReplaceAll(text, "\u00a0", " ") }

// withoutData takes away what is no text of the page: names, and what the specimens put in the
// place of data and of the engine's sentences, unless it is a message: then they have to say it as
// one.
func withoutData(t *testing.T) *strings.Replacer {
	t.Helper()
	texts := append(slices.Clone(webtest.Names), strings.ToLower(exhibit.LongName))
	translated := map[string]bool{}
	for k := range webtest.Pseudo(t).Messages {
		translated[strings.ToLower(string(k))] = true
	}
	here, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	there, err := filepath.Glob("../exhibit/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(here, there...) {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			text, ok := literal(e)
			if ok && len(text) > 1 && !translated[strings.ToLower(text)] {
				text = strings.ToLower(breaking(strings.TrimSpace(text)))
				texts = append(texts, strings.TrimSuffix(text, "."))
			}
			return !ok
		})
	}
	slices.SortFunc(texts, func(a, b string) int { return len(b) - len(a) }) // long ones first
	var pairs []string
	for _, text := range texts {
		if text != "" {
			pairs = append(pairs, text, "")
		}
	}
	return strings.NewReplacer(pairs...)
}

// TestNothingIsLeftInEnglish draws every specimen in a language of brackets. What stands outside of
// them was forgotten: pass it through say.Text or say.Format, or mark it translate="no" where it is
// data, code or a name.
func TestNothingIsLeftInEnglish(t *testing.T) {
	data := withoutData(t)
	say.Use(webtest.Pseudo(t))
	t.Cleanup(func() { say.Use(nil) })
	for _, s := range Specimens() {
		html := wholeSentence(app.HTMLString(s.Draw(nil)))
		if found := untranslated(html, data); len(found) > 0 {
			t.Errorf("%s says in English: %q", s.Name(), found)
		}
	}
}

// TestDataAreNotForTranslators: the entries of a select are messages, or no browser may translate
// them.
func TestDataAreNotForTranslators(t *testing.T) {
	say.Use(webtest.Pseudo(t))
	t.Cleanup(func() { say.Use(nil) })
	entries, data := regexp.MustCompile(`<option([^>]*)>([^<]*)`), 0
	for _, s := range Specimens() {
		for _, m := range entries.FindAllStringSubmatch(app.HTMLString(s.Draw(nil)), -1) {
			kept, text := strings.Contains(m[1], `translate="no"`),
				texts.Outside(html.UnescapeString(m[2]))
			if kept {
				data++
			}
			if !kept && webtest.Word.MatchString(text) && s.Part != "Frame" {
				// the parts of a form, with made-up words
				t.Errorf("%s: the entry %q may be translated", s.Name(), text)
			}
		}
	}
	if data < 100 {
		t.Errorf("only %d entries are data", data)
	}
}

// literal is the text of a string in quotation marks, or of several that are added up.
func literal(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, e.Kind == token.STRING && err == nil
	case *ast.BinaryExpr:
		left, is := literal(e.X)
		right, also := literal(e.Y)
		return left + right, e.Op == token.ADD && is && also
	}
	return "", false
}
