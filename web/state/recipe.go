package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"hush/core/domain"
	"hush/core/message"
	"hush/core/table"
	"hush/core/task"
)

// A recipe restores a whole question: from a file, from pasted text, or from the address, where it stands behind
// "?q=" as base64. It holds neither data nor file names.

// errRecipe is what is wrong with a text that should be a recipe, in words.
var errRecipe error = message.Error("this is no question saved by Hush")

// ReadRecipe reads a recipe as text: its JSON, or that of a release, which holds one.
func ReadRecipe(text string) (task.Recipe, error) {
	var release struct {
		Recipe json.RawMessage `json:"recipe"`
	}
	body := []byte(strings.TrimSpace(text))
	if err := json.Unmarshal(body, &release); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return task.Recipe{}, message.Errorf("%w: it is not JSON, see character %d", errRecipe, syntax.Offset)
		}
		return task.Recipe{}, errRecipe
	}
	if release.Recipe != nil {
		body = release.Recipe
	}
	var r task.Recipe
	decoder := json.NewDecoder(strings.NewReader(string(body)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r); err != nil {
		return task.Recipe{}, fmt.Errorf("%w: %v", errRecipe, err)
	}
	if r.Version != task.RecipeVersion {
		return task.Recipe{}, message.Errorf("%w: it has version %d, and this is version %d", errRecipe, r.Version, task.RecipeVersion)
	}
	if filled, err := r.Table.Decided(); err == nil { // else the file decides, and a person confirms it
		r.Table = filled
	}
	for _, t := range task.Catalogue() {
		if t.ID == r.Task {
			return r, nil
		}
	}
	return task.Recipe{}, message.Errorf("%w: there is no task %q", errRecipe, r.Task)
}

// RecipeText is the recipe as a person reads and saves it.
func (m *Publish) RecipeText() string {
	text, err := json.MarshalIndent(m.Recipe(), "", "  ")
	if err != nil {
		panic("web: internal error: " + err.Error())
	}
	return string(text) + "\n"
}

// RecipeAddress is what stands behind the # for this question; "/" while there is none worth keeping.
func (m *Publish) RecipeAddress() string {
	if !m.Asked() || !m.Data.Confirmed {
		return ViewWorkbench.Path()
	}
	return ViewWorkbench.Path() + "?q=" + EncodeRecipe(m.Recipe())
}

// recipeInAddress reads what RecipeAddress writes; ok is false where there is none.
func recipeInAddress(path string) (r task.Recipe, ok bool, err error) {
	_, query, _ := strings.Cut(path, "?")
	encoded, ok := strings.CutPrefix(query, "q=")
	if !ok {
		return r, false, nil
	}
	r, err = decodeRecipe(encoded)
	return r, true, err
}

const OtherReading message.Key = "The question was saved for a file that is read in another way. Confirm how this one is read, and look at every field."

// Adopt makes a recipe the question. Without a file it waits for one, which is then read as the recipe says.
func (m *Publish) Adopt(r task.Recipe) {
	m.RecipeFault = ""
	if m.Data.Phase != DataOpened {
		m.Waiting = &r
		m.Question = m.QuestionOf(r)
		m.update()
		return
	}
	m.undo = append(m.undo, m.Question.clone())
	m.lastField = ""
	m.Question, m.Waiting = m.QuestionOf(r), &r
	if r.Table != m.Data.Opened.Options {
		m.Reread(func(o *table.Options) { *o = r.Table })
		return
	}
	m.opened()
}

// AdoptText is Adopt for text; what is wrong with it stands in RecipeFault.
func (m *Publish) AdoptText(text string) {
	r, err := ReadRecipe(text)
	if err != nil {
		m.RefuseRecipe(task.Capital(err.Error()) + ".")
		return
	}
	m.Adopt(r)
}

// RefuseRecipe says why no question was taken.
func (m *Publish) RefuseRecipe(why string) {
	m.RecipeFault = why
	m.update()
}

// opened puts a waiting recipe to the file that has just been read as it says. Where the file's rows have another width, so that all would count
// as without values, the recipe goes on waiting for its own file, and nothing is priced.
func (m *Publish) opened() {
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
		m.RecipeFault = message.Text(OtherReading)
		m.Question = m.QuestionOf(*r)
		m.Question.Table = table.Options{}
		return
	}
	m.Question = m.QuestionOf(*r)
	m.Confirm()
}

// optionsFor is how a file is opened: as a waiting recipe says, or else by guessing.
func (m *Publish) optionsFor() table.Options {
	if m.Waiting != nil {
		return m.Waiting.Table
	}
	return table.Options{}
}

// QuestionOf is the form that gives a recipe.
func (m *Publish) QuestionOf(r task.Recipe) Question {
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
		q.Domain = DomainFormOf(r.Domain)
	}
	q.Others = formsOf(r.Others)
	for name, value := range r.Params {
		q.Params[name] = value
	}
	for i := range m.Tasks {
		if m.Tasks[i].ID == r.Task {
			q.Fit(&m.Tasks[i])
		}
	}
	return q
}

// DomainFormOf is the form that gives a spec.
func DomainFormOf(spec domain.Spec) DomainForm {
	f := DomainForm{Kind: spec.Kind}
	f.Take(spec)
	f.Lo, f.Hi = spec.Lo, spec.Hi
	f.NoBounds = f.Bounded() && spec.Lo == "" && spec.Hi == ""
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
