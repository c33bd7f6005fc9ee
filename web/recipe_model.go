package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/phrase"
	"hush/core/table"
	"hush/core/task"
	"hush/web/say"
)

// A recipe restores a whole question: from a file, from pasted text, or from the address, where it stands behind
// "?q=" as base64. It holds neither data nor file names.

// errRecipe is what is wrong with a text that should be a recipe, in words.
var errRecipe error = phrase.Fault("this is no question saved by Hush")

// ReadRecipe reads a recipe as text: its JSON, or that of a release, which holds one.
func ReadRecipe(text string) (ask.Recipe, error) {
	var release struct {
		Recipe json.RawMessage `json:"recipe"`
	}
	body := []byte(strings.TrimSpace(text))
	if err := json.Unmarshal(body, &release); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return ask.Recipe{}, phrase.Errorf("%w: it is not JSON, see character %d", errRecipe, syntax.Offset)
		}
		return ask.Recipe{}, errRecipe
	}
	if release.Recipe != nil {
		body = release.Recipe
	}
	var r ask.Recipe
	decoder := json.NewDecoder(strings.NewReader(string(body)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r); err != nil {
		return ask.Recipe{}, fmt.Errorf("%w: %w", errRecipe, err)
	}
	if r.Version != ask.RecipeVersion {
		return ask.Recipe{}, phrase.Errorf("%w: it has version %d, and this is version %d", errRecipe, r.Version, ask.RecipeVersion)
	}
	if filled, err := r.Table.Decided(); err == nil { // else the file decides, and a person confirms it
		r.Table = filled
	}
	for _, t := range task.Catalogue() {
		if t.ID == r.Task {
			return r, nil
		}
	}
	return ask.Recipe{}, phrase.Errorf("%w: there is no task %q", errRecipe, r.Task)
}

// RecipeText is the recipe as a person reads and saves it.
func (m *Model) RecipeText() string {
	text, err := json.MarshalIndent(m.Recipe(), "", "  ")
	if err != nil {
		panic("web: internal error: " + err.Error())
	}
	return string(text) + "\n"
}

// RecipeAddress is what stands behind the # for this question; "/" while there is none worth keeping.
func (m *Model) RecipeAddress() string {
	if !m.Asked() || !m.Data.Confirmed {
		return ViewWorkbench.Path()
	}
	return ViewWorkbench.Path() + "?q=" + encodeRecipe(m.Recipe())
}

// recipeInAddress reads what RecipeAddress writes; ok is false where there is none.
func recipeInAddress(path string) (r ask.Recipe, ok bool, err error) {
	_, query, _ := strings.Cut(path, "?")
	encoded, ok := strings.CutPrefix(query, "q=")
	if !ok {
		return r, false, nil
	}
	r, err = decodeRecipe(encoded)
	return r, true, err
}

const otherReading phrase.Key = "The question was saved for a file that is read in another way. Confirm how this one is read, and look at every field."

// Adopt makes a recipe the question. Without a file it waits for one, which is then read as the recipe says.
func (m *Model) Adopt(r ask.Recipe) {
	m.RecipeFault = ""
	if m.Data.Phase != DataOpened {
		m.Waiting = &r
		m.Question = m.questionOf(r)
		m.update()
		return
	}
	m.undo = append(m.undo, m.Question.clone())
	m.lastField = ""
	m.Question, m.Waiting = m.questionOf(r), &r
	if r.Table != m.Data.Opened.Options {
		m.Reread(func(o *table.Options) { *o = r.Table })
		return
	}
	m.opened()
}

// AdoptText is Adopt for text; what is wrong with it stands in RecipeFault.
func (m *Model) AdoptText(text string) {
	r, err := ReadRecipe(text)
	if err != nil {
		m.refuseRecipe(task.Capital(say.Error(err)) + ".")
		return
	}
	m.Adopt(r)
}

// refuseRecipe says why no question was taken.
func (m *Model) refuseRecipe(why string) {
	m.RecipeFault = why
	m.update()
}

// opened puts a waiting recipe to the file that has just been read as it says. Where the file's rows have another width, so that all would count
// as without values, the recipe goes on waiting for its own file, and nothing is priced.
func (m *Model) opened() {
	r := m.Waiting
	if r == nil {
		return
	}
	if o := m.Data.Opened.Options; r.Table == o && o.Ragged != table.Keep && m.Data.Opened.Width > 0 && m.Data.Opened.Width != o.Columns {
		m.Data.Confirmed, m.Data.Misfit = false, true
		m.settle()
		return
	}
	m.Waiting = nil
	if r.Table != m.Data.Opened.Options {
		m.RecipeFault = say.Text(otherReading)
		m.Question = m.questionOf(*r)
		m.Question.Table = table.Options{}
		return
	}
	m.Question = m.questionOf(*r)
	m.Confirm()
}

// optionsFor is how a file is opened: as a waiting recipe says, or else by guessing.
func (m *Model) optionsFor() table.Options {
	if m.Waiting != nil {
		return m.Waiting.Table
	}
	return table.Options{}
}

// questionOf is the form that gives a recipe.
func (m *Model) questionOf(r ask.Recipe) Question {
	q := newQuestion()
	q.Task, q.Table, q.Column, q.Label, q.Epsilon = r.Task, r.Table, r.Column, r.Label, r.Epsilon
	switch {
	case r.Person > 0:
		q.Who, q.WhoColumn = Persons, r.Person
	case r.Count > 0:
		q.Who, q.WhoColumn = Counts, r.Count
	}
	if r.Group != nil {
		q.Group, q.Groups = r.Group.Column, strings.Join(r.Group.Names, "\n")
		if f := r.Group.Find; f != nil {
			q.Find, q.FindShare, q.FindDelta = true, strconv.Itoa(f.Share), f.Delta
		}
	}
	for _, c := range r.Filter {
		q.Filter = append(q.Filter, conditionOf(c))
	}
	if r.Domain.Kind != "" {
		q.Domain = domainFormOf(r.Domain)
	}
	q.Others = formsOf(r.Others)
	for name, value := range r.Params {
		q.Params[name] = value
	}
	for i := range m.Tasks {
		if m.Tasks[i].ID == r.Task {
			q.fit(&m.Tasks[i])
		}
	}
	return q
}

// domainFormOf is the form that gives a spec.
func domainFormOf(spec domain.Spec) DomainForm {
	f := DomainForm{Kind: spec.Kind}
	f.take(spec)
	f.Lo, f.Hi = spec.Lo, spec.Hi
	f.NoBounds = f.bounded() && spec.Lo == "" && spec.Hi == ""
	f.Clamp = spec.Outside == domain.Clamp
	f.Categories = strings.Join(spec.Categories, "\n")
	return f
}

// conditionOf is the form that gives a condition.
func conditionOf(c table.Condition) ConditionForm {
	f := ConditionForm{Column: c.Column, From: c.From, To: c.To, List: strings.Join(c.Spec.Categories, "\n")}
	switch {
	case c.Spec.Kind == domain.Float64:
		f.Test = TestNumbers
	case c.Spec.Kind == domain.Date:
		f.Test = TestDates
	case c.Not:
		f.Test = TestNoneOf
	default:
		f.Test = TestOneOf
	}
	return f
}
