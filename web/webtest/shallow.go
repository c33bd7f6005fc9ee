package webtest

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Shallow draws elements and components one level deep: what a component draws, with a placeholder
// for each component in it. Those are drawn in turn, one level deep, each that looks different
// once.
type Shallow struct {
	Elsewhere []string // types whose golden is another test's, in each state that comes here

	states map[string][]string // by type: what they are drawn as, below their placeholders
}

// Draw returns the first level, and keeps those below it for Golden.
func (s *Shallow) Draw(ui app.UI) string {
	if c, ok := ui.(app.Composer); ok {
		ui = c.Render()
	}
	box := app.Div().Body(ui)
	s.replace(reflect.ValueOf(box))
	html := strings.TrimSuffix(strings.TrimPrefix(InOrder(app.HTMLString(box)), "<div>\n"),
		"\n</div>")
	return fold(strings.ReplaceAll("\n"+html, "\n  ", "\n")[1:], "")
}

// replace puts placeholders in the place of the components below an element. go-app keeps these in
// an unexported field of every element, children.
func (s *Shallow) replace(element reflect.Value) {
	field := element.Elem().FieldByName("children")
	children := *(*[]app.UI)(unsafe.Pointer(field.UnsafeAddr()))
	for i, child := range children {
		switch child := child.(type) {
		case app.Composer:
			s.keep(child)
			children[i] = placeholder(child)
		case app.HTML:
			s.replace(reflect.ValueOf(child))
		}
	}
}

// keep draws a component, unless one of its type is there that is drawn alike.
func (s *Shallow) keep(c app.Composer) {
	if s.states == nil {
		s.states = map[string][]string{}
	}
	name := typeOf(c)
	if slices.Contains(s.Elsewhere, name) {
		return
	}
	state := InOrder(app.HTMLString(placeholder(c))) + "\n" + s.Draw(c)
	if !slices.Contains(s.states[name], state) {
		s.states[name] = append(s.states[name], state)
	}
}

// typeOf is a component's type: "data.Step".
func typeOf(c app.Composer) string { return reflect.TypeOf(c).Elem().String() }

// unmarked has none of the characters that InOrder takes for markup.
var unmarked = strings.NewReplacer(`"`, "'", "<", "‹", ">", "›", "\n", " ")

// longest is the number of bytes of a prop beyond which a placeholder shows the beginning.
const longest = 60

// placeholder is an element with the type of a component as its tag, and the props that are plain
// values as its attributes.
func placeholder(c app.Composer) app.UI {
	e := app.Elem(typeOf(c))
	v := reflect.ValueOf(c).Elem()
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() || f.Anonymous || f.Name == "Revision" || v.Field(i).IsZero() {
			continue
		}
		switch v.Field(i).Kind() {
		case reflect.String, reflect.Bool, reflect.Int, reflect.Int64, reflect.Array,
			reflect.Struct:
			text := fmt.Sprintf("%+v", v.Field(i).Interface())
			if len(text) > longest {
				text = strings.ToValidUTF8(text[:longest], "") + "…"
			}
			e = e.Attr(strings.ToLower(f.Name), unmarked.Replace(text))
		}
	}
	return e
}

// Golden compares what was drawn below the first levels with one file for each type of component.
func (s *Shallow) Golden(t *testing.T, directory string) (names []string) {
	t.Helper()
	for name, states := range s.states {
		slices.Sort(states)
		names = append(names, name)
		Golden(t, directory+"/"+name+".html", strings.Join(states, "\n"))
	}
	stored, err := os.ReadDir(filepath.Join("testdata", directory))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range stored {
		switch path := filepath.Join("testdata", directory, file.Name()); {
		case slices.Contains(names, Whole(strings.TrimSuffix(file.Name(), ".html"))):
		case *Update:
			os.Remove(path)
		default:
			t.Errorf("%s is no component's any more; run with -update", path)
		}
	}
	return names
}
