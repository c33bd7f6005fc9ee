package replay

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/task"
)

// TestChangedRecipesAreReadAnew: when anything in a recipe is changed after it was priced, a
// session prices and answers the new one as a session does that never saw the old one: nothing that
// is remembered outlives what it was made of. All questions, all fields, all parameters.
func TestChangedRecipesAreReadAnew(t *testing.T) {
	asked, compared := 0, 0
	for number, question := range (task.All{}).Tasks() {
		for _, a := range remembering(t, question, uint64(number)) {
			all := changesOf(question, a.recipe)
			for i, change := range all {
				if testing.Short() && !a.whole && i%9 != number%9 {
					continue
				}
				asked++
				got, want := a.after(a.recipe, change.recipe), a.after(change.recipe)
				if !slices.Equal(got, want) {
					t.Errorf("%s: %s was changed, and the answer "+
						"is\n%.600s\nwant\n%.600s\nrecipe %s",
						question.ID, change.name, got, want, text(change.recipe))
				}
				if !strings.HasPrefix(want[0], "refused") {
					compared++
				}
			}
		}
	}
	t.Logf("%d changes, of which %d are answered", asked, compared)
	if compared < asked/4 {
		t.Errorf("of %d changes %d are answered: little is compared", asked, compared)
	}
}

// remembered is a question of a file.
type remembered struct {
	recipe ask.Recipe
	file   *file
	whole  bool // every change is tried in short runs too
}

// remembering are questions of the catalogue's entry, and, where there are criteria, one whose
// answer turns on where bins lie.
func remembering(t *testing.T, question ask.Task, seed uint64) (list []remembered) {
	t.Helper()
	w := NewWalk(task.All{}, 24)
	for k, with := range w.ways {
		if with.task.ID != question.ID || len(list) > 0 {
			continue
		}
		d := newDice(seed, "remembered")
		if r, f, _, err := w.ask(d, with, seed+uint64(k)); err == nil {
			list = append(list, remembered{recipe: r, file: f})
		}
	}
	if len(list) == 0 {
		t.Errorf("%s is never answered", question.ID)
	}
	criteria := func(p ask.Param) bool { return p.Name == "criteria" }
	if !slices.ContainsFunc(question.Params, criteria) {
		return list
	}
	age := ask.Field{Role: question.Others[0].Name, Column: 1, Label: "age", Cuts: []string{"50"},
		Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "100"}}
	side := ask.Field{Role: age.Role, Column: 2, Label: "side",
		Domain: domain.Spec{Kind: domain.Category, Categories: []string{"a", "b"}}}
	r := ask.Recipe{Version: ask.RecipeVersion, Task: question.ID, Count: 3, Epsilon: "20",
		Others: []ask.Field{age, side}, Params: ask.Params{"criteria": "mean, age, 10"}}
	f := newFile(newDice(seed, "criteria"), r, 8, true)
	for i := range f.rows {
		f.rows[i].cells = make([]string, len(f.columns))
		copy(f.rows[i].cells, []string{strconv.Itoa(49 + i/2%2), "ab"[i%2 : i%2+1], "100"})
	}
	return append(list, remembered{r, f, true})
}

// after prices the recipes in turn in one session, and then answers the last. What it says is all
// that is returned.
func (a remembered) after(recipes ...ask.Recipe) []string {
	s := ask.NewSession(task.All{}, coin.NewSeeded(7))
	survey, err := s.Survey(a.file.Options)
	if err != nil {
		return []string{"refused: " + err.Error()}
	}
	data := a.file.bytes()
	if err := ask.ReadAll(survey, data); err != nil {
		return []string{"refused: " + err.Error()}
	}
	found, err := s.Opened()
	if err != nil {
		return []string{"refused: " + err.Error()}
	}
	said := []string{}
	for _, r := range recipes {
		r.Table = found.Options
		said = said[:0]
		s.DrawFrom(coin.NewSeeded(11)) // for rows that are drawn
		pass, err := s.Encode(r)
		if err == nil && pass != nil {
			err = ask.ReadAll(pass, data)
		}
		var plan ask.Plan
		if err == nil {
			plan, err = s.Plan(r)
		}
		if err != nil {
			said = append(said, "refused: "+err.Error())
			continue
		}
		price, err := json.Marshal(plan)
		said = append(said, string(price), fmt.Sprint(err))
	}
	if strings.HasPrefix(said[0], "refused") {
		return said
	}
	s.DrawFrom(coin.NewSeeded(13))
	last := recipes[len(recipes)-1]
	last.Table = found.Options
	release, err := s.Run(last, nil)
	if err != nil {
		return append(said, err.Error())
	}
	for _, p := range forms(release) {
		said = append(said, p.text)
	}
	return said
}

// changed is a recipe with one thing other than before.
type changed struct {
	name   string
	recipe ask.Recipe
}

// changesOf are all recipes that differ from one in one field, or in one parameter of the question.
func changesOf(question ask.Task, r ask.Recipe) (list []changed) {
	for target := 0; ; target++ {
		c := changing{left: target}
		other := copied(r)
		c.visit(reflect.ValueOf(&other).Elem(), "")
		if c.name == "" {
			break
		}
		list = append(list, changed{c.name, other})
	}
	for _, p := range question.Params {
		for _, value := range valuesOf(p) {
			other := copied(r)
			if other.Params == nil {
				other.Params = ask.Params{}
			}
			if other.Params[p.Name] != value {
				other.Params[p.Name] = value
				list = append(list, changed{p.Name + " = " + value, other})
			}
		}
	}
	return list
}

func copied(r ask.Recipe) (other ask.Recipe) {
	if err := json.Unmarshal([]byte(text(r)), &other); err != nil {
		panic(err)
	}
	return other
}

// changing walks over a recipe and makes the change whose number it is given.
type changing struct {
	left int
	name string // of the change; empty: none yet
}

// now says that the change that stands here is the one to make.
func (c *changing) now(name string) bool {
	c.left--
	if c.left == -1 {
		c.name = name
	}
	return c.left == -1
}

func (c *changing) visit(v reflect.Value, name string) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if name == "" && v.Type().Field(i).Name == "Table" {
				continue // another file: it is surveyed anew
			}
			c.visit(v.Field(i), name+"."+v.Type().Field(i).Name)
		}
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		if c.visit(v.Elem(), name); c.now("no " + name) {
			v.SetZero()
		}
	case reflect.Slice:
		for i := range v.Len() {
			c.visit(v.Index(i), fmt.Sprintf("%s[%d]", name, i))
		}
		if v.Len() > 0 && c.now("one less of "+name) {
			v.Set(v.Slice(0, v.Len()-1))
		}
		if v.Len() > 1 && c.now("order of "+name) {
			reflect.Swapper(v.Interface())(0, v.Len()-1)
		}
	case reflect.Map:
		for _, key := range slices.Sorted(maps.Keys(v.Interface().(ask.Params))) {
			for _, value := range otherTexts(v.Interface().(ask.Params)[key]) {
				if c.now(name + " " + key + " = " + value) {
					v.Interface().(ask.Params)[key] = value
				}
			}
		}
	case reflect.String:
		for _, value := range otherTexts(v.String()) {
			if c.now(name + " = " + value) {
				v.SetString(value)
			}
		}
	case reflect.Bool:
		if c.now("not " + name) {
			v.SetBool(!v.Bool())
		}
	case reflect.Uint8, reflect.Uint, reflect.Uint64:
		if c.now("more " + name) {
			v.SetUint(v.Uint() + 1)
		}
	case reflect.Int, reflect.Int64:
		if c.now("more " + name) {
			v.SetInt(v.Int() + 1)
		}
		if c.now("less " + name) {
			v.SetInt(v.Int() - 1)
		}
	default:
		panic("replay: a recipe has a " + v.Type().String())
	}
}

// otherTexts are some in place of a text: other numbers of a number.
func otherTexts(text string) []string {
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		_, fraction, _ := strings.Cut(text, ".")
		write := func(x float64) string { return strconv.FormatFloat(x, 'f', len(fraction), 64) }
		return []string{write(x + 1), write(x / 5), write(2 * x)}
	}
	if lines := strings.Split(text, "\n"); len(lines) > 1 {
		return []string{strings.Join(lines[1:], "\n"), strings.Join(lines[:len(lines)-1], "\n")}
	}
	return []string{text + "x"}
}
