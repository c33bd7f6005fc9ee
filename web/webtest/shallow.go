package webtest

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Shallow draws elements and components one level deep: what a component draws, with a placeholder
// for each component in it.
type Shallow struct {
	waiting []app.Composer // components of levels that were drawn
}

// A Level is a component one level deep.
type Level struct {
	Type string // "data.Step"
	Text string
}

// Levels returns each component below an element, from the top down, one level deep.
func (s *Shallow) Levels(ui app.UI) (all []Level) {
	if c, ok := ui.(app.Composer); ok {
		s.waiting = append(s.waiting, c)
	} else {
		s.level(ui)
	}
	for len(s.waiting) > 0 {
		c := s.waiting[0]
		s.waiting = s.waiting[1:]
		all = append(all, Level{typeOf(c),
			InOrder(app.HTMLString(placeholder(c))) + "\n" + s.level(c)})
	}
	return all
}

// level draws one level, and leaves the components in it for later.
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
			s.waiting = append(s.waiting, child)
			children[i] = placeholder(child)
		case app.HTML:
			s.replace(reflect.ValueOf(child))
		}
	}
}

// typeOf returns a component's type: "data.Step".
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
