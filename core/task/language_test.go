package task_test

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/message"
	"hush/core/message/texts"
	"hush/core/sample"
	"hush/core/task"
)

// marked is a language in which every message is in brackets, so that a word outside of all
// brackets was never translated.
func marked(t *testing.T) *message.Language {
	t.Helper()
	english, _, err := texts.Read("../..")
	if err != nil {
		t.Fatal(err)
	}
	return texts.Marked(english)
}

// word matches a word, which a letter of a formula is not.
var word = regexp.MustCompile(`\p{Latin}{2,}`)

// gate collects the words that a question says outside of brackets, but for those of its data and
// its recipe.
type gate struct {
	say   *message.Language // marked
	known map[string]bool
	found map[string]string // a text → where
}

// know lets the words of a text pass: data, and names that are the same in every language.
func (g *gate) know(text string) {
	for _, w := range word.FindAllString(text, -1) {
		g.known[strings.ToLower(w)] = true
	}
}

func (g *gate) read(where, text string) {
	for _, w := range word.FindAllString(texts.Outside(text), -1) {
		if !g.known[strings.ToLower(w)] && g.found[text] == "" {
			g.found[text] = where
		}
	}
}

// codes are fields that no reader sees as they are: names of kinds and of choices, and data.
var codes = []string{"Task", "ErrorOf", "Column", "Kind", "Recipe", "Version", "Origin", "Loss",
	"Of", "Role", "Shape", "Method", "Side", "Group", "Grade", "Cells"}

// walk reads every text in a value.
func (g *gate) walk(where string, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		text := v.String()
		if v.Type() == reflect.TypeFor[message.Key]() {
			text = g.say.Text(message.Key(text)) // as it is shown
		}
		g.read(where, text)
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			g.walk(where, v.Elem())
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			g.walk(where, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && !slices.Contains(codes, f.Name) {
				g.walk(where+"."+f.Name, v.Field(i))
			}
		}
	}
}

// ask teaches an example, changed, and reads whatever it says. A refusal is read too.
func (g *gate) ask(where string, q ask.Task, rows int, change func(*ask.Recipe)) {
	r := q.Example.Recipe
	r.Version, r.Task, r.Epsilon, r.Params = ask.RecipeVersion, q.ID, "1", maps.Clone(r.Params)
	if r.Params == nil {
		r.Params = ask.Params{}
	}
	change(&r)
	l := ask.Lesson{Sample: q.Example.Sample, Rows: rows, Recipe: r, Draws: 1, Seed: 7}
	taught, err := task.Teach(g.say, l, nil)
	if err != nil {
		g.read(where, g.say.Error(err))
		return
	}
	for _, release := range append(taught.Draws, taught.Quiet) {
		g.walk(where, reflect.ValueOf(release))
		g.walk(where+", table", reflect.ValueOf(release.Table(g.say)))
	}
}

// fault asks with a parameter that cannot be read.
func (g *gate) fault(q ask.Task, rows int, name string) {
	g.ask(name+" at fault", q, rows, func(r *ask.Recipe) { r.Params[name] = "-" })
}

// report fails the test with the findings.
func (g *gate) report(t *testing.T) {
	t.Helper()
	for _, text := range slices.Sorted(maps.Keys(g.found)) {
		t.Errorf("%q is said in English in %s", text, g.found[text])
	}
}

// TestQuestionsSayNothingInEnglish asks every question of its example in a language of brackets,
// with each choice of each parameter, by group, tuned, at fault, and with little and much privacy
// loss, and reads its plan, its answer, the answer's table and the statement. What stands outside
// of brackets was forgotten: make it a phrase, or a message. With -short it asks each question
// once, and with each parameter at fault.
func TestQuestionsSayNothingInEnglish(t *testing.T) {
	say := marked(t)
	for _, q := range task.Catalogue() {
		t.Run(q.ID, func(t *testing.T) {
			g := &gate{say: say, known: map[string]bool{}, found: map[string]string{}}
			if set, ok := sample.Named(q.Example.Sample); ok {
				g.know(string(set.CSV()))
			}
			const few = 100
			all := []string{"x", "1", "0.01", "20"}
			if testing.Short() {
				all = all[:2]
			}
			for _, epsilon := range all {
				g.ask("ε = "+epsilon, q, few, func(r *ask.Recipe) { r.Epsilon = epsilon })
			}
			if testing.Short() { // one recipe that is answered, and those that are refused
				for _, p := range q.Params {
					g.fault(q, few, p.Name)
				}
				g.report(t)
				return
			}
			g.ask("all rows", q, 0, func(*ask.Recipe) {})
			for _, p := range q.Params {
				for _, c := range append(slices.Clone(p.Choices), p.Taught...) {
					g.ask(p.Name+" = "+c.Value, q, few, func(r *ask.Recipe) {
						r.Params[p.Name] = c.Value
					})
				}
				g.fault(q, few, p.Name)
				if p.Tries != "" {
					two := strings.Join(strings.SplitN(p.Tries, ",", 3)[:2], ",")
					g.know(two) // as typed
					g.ask(p.Name+" tried", q, few, func(r *ask.Recipe) {
						r.Params[ask.TryName(p.Name)] = two
					})
				}
			}
			if q.ByGroup {
				for name, group := range map[string]ask.Group{
					"named groups": {Column: 1, Names: []string{"x", "y"}},
					"found groups": {Column: 1, Find: &ask.Find{Share: 50, Delta: "0.0001"}},
				} {
					g.ask(name, q, few, func(r *ask.Recipe) { r.Group = &group })
					g.ask(name+" by a column", q, few, func(r *ask.Recipe) {
						r.Group = &group
						r.Others = append(r.Others, ask.Field{Role: ask.FurtherGroups, Column: 2,
							Label: "z", Domain: domain.Spec{Kind: domain.Category,
								Categories: []string{"x", "y"}}})
					})
				}
			}
			g.report(t)
		})
	}
}
