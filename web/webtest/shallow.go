package webtest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Shallow draws elements and components one level deep: what a component draws, with a placeholder
// for each component in it. Those follow in turn, one level deep, each where its looks come first.
type Shallow struct {
	Elsewhere []string // types whose golden is another test's, in each state that comes here

	seen    map[string]bool // what components were drawn as, below their placeholders
	waiting []app.Composer  // components of levels that were drawn
}

// Draw returns the first level, and below it each component in it that was not drawn alike before.
func (s *Shallow) Draw(ui app.UI) string {
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	text := s.level(ui)
	for len(s.waiting) > 0 {
		c := s.waiting[0]
		s.waiting = s.waiting[1:]
		state := InOrder(app.HTMLString(placeholder(c))) + "\n" + s.level(c)
		if !s.seen[state] {
			s.seen[state] = true
			text += "\n" + state
		}
	}
	return text
}

// level draws one level, and has the components in it wait.
func (s *Shallow) level(ui app.UI) string {
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
			if !slices.Contains(s.Elsewhere, typeOf(child)) {
				s.waiting = append(s.waiting, child)
			}
			children[i] = placeholder(child)
		case app.HTML:
			s.replace(reflect.ValueOf(child))
		}
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
