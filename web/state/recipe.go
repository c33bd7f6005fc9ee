package state

import (
	"encoding/json"
	"strings"

	"hush/core/ask"
	"hush/core/phrase"
	"hush/core/table"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/dataset"
	"hush/web/state/form"
	"hush/web/state/place"
)

// RecipeText is the recipe as a person reads and saves it.
func (m *Publish) RecipeText() string {
	text, err := json.MarshalIndent(m.Recipe(), "", "  ")
	if err != nil {
		panic("web: internal error: " + err.Error())
	}
	return string(text) + "\n"
}

// RecipeAddress is what stands behind the # for this question; "/" while there is none worth
// keeping, or none that may stand there.
func (m *Publish) RecipeAddress() string {
	if !m.Asked() || !m.Data.Confirmed || m.Unshared() {
		return place.ViewWorkbench.Path()
	}
	return place.ViewWorkbench.Path() + "?q=" + form.EncodeRecipe(m.Recipe())
}

// Unshared reports whether the question stays out of the address because of its filter: what is
// typed there may be about somebody, and a browser writes addresses to its history long before
// anything is released. It stands there once its owner asks for a link, or has come by one.
func (m *Publish) Unshared() bool {
	r := m.Recipe().Bare()
	return len(r.Filter) > 0 && m.shared != engine.Encode(r.Filter)
}

// Share lets the question stand in the address, until its filter is another.
func (m *Publish) Share() {
	m.shared = engine.Encode(m.Recipe().Bare().Filter)
	m.Update()
}

// recipeInAddress reads what RecipeAddress writes; ok is false where there is none.
func recipeInAddress(path string) (r ask.Recipe, ok bool, err error) {
	_, query, _ := strings.Cut(path, "?")
	encoded, ok := strings.CutPrefix(query, "q=")
	if !ok {
		return r, false, nil
	}
	r, err = form.DecodeRecipe(encoded)
	return r, true, err
}

// OtherReading is said where a recipe meets a file that is read in another way.
const OtherReading phrase.Key = "The question was saved for a file that is read differently. " +
	"Confirm how this one is read, and look at every field."

// Adopt makes a recipe the question. Without a file it waits for one, which is then read as the
// recipe says.
func (m *Publish) Adopt(r ask.Recipe) {
	m.RecipeFault, m.Codebook.Note = "", ""
	if m.Data.Phase != dataset.Opened {
		m.Waiting = &r
		m.Codebook.Learn(r, m.Tasks)
		m.Question = m.questionOf(r)
		m.Update()
		return
	}
	m.remember("")
	m.Codebook.Learn(r, m.Tasks)
	m.Question, m.Waiting = m.questionOf(r), &r
	if r.Table != m.Data.Opened.Options {
		m.Data.Reread(func(o *table.Options) { *o = r.Table })
		return
	}
	m.opened()
}

// AdoptText is Adopt for text; what is wrong with it stands in RecipeFault.
func (m *Publish) AdoptText(text string) {
	r, err := form.ReadRecipe(text)
	if err != nil {
		m.RefuseRecipe(task.Capital(say.Error(err)) + ".")
		return
	}
	m.Adopt(r)
}

// RefuseRecipe says why no question was taken.
func (m *Publish) RefuseRecipe(why string) {
	m.RecipeFault = why
	m.Update()
}

// opened puts a waiting recipe to the file that has just been read as it says. Where the file's
// rows have another width, so that all would count as without values, the recipe goes on waiting
// for its own file, and nothing is priced.
func (m *Publish) opened() {
	r := m.Waiting
	if r == nil {
		return
	}
	if o := m.Data.Opened.Options; r.Table == o && o.Ragged != table.Keep &&
		m.Data.Opened.Width > 0 && m.Data.Opened.Width != o.Columns {
		m.Data.Confirmed, m.Data.Misfit = false, true
		m.settle()
		return
	}
	m.Waiting = nil
	if r.Table != m.Data.Opened.Options {
		m.RecipeFault = say.Text(OtherReading)
		m.Codebook.Learn(*r, m.Tasks)
		m.Question = m.questionOf(*r)
		m.Question.Table = table.Options{}
		return
	}
	m.Codebook.Learn(*r, m.Tasks)
	m.Question = m.questionOf(*r)
	if !m.Data.Doubtful() {
		m.Data.Confirm()
	}
}

// questionOf is the form that gives a recipe, once the codebook has learned its columns.
func (m *Publish) questionOf(r ask.Recipe) form.Question {
	_, _, spec := m.Codebook.Published(r.Column)
	return form.QuestionOf(r, m.Tasks, spec)
}

// Misfit says how the file differs from the one that the waiting recipe was saved for.
func (m *Publish) Misfit() string {
	return say.Format("This file is not shaped like the one that the question was saved for: its "+
		"rows have %s, and the question was saved for %s. Read this way, every row would count "+
		"as one without values. Open another file, or ask again about this one.",
		columnCount(m.Data.Opened.Width), columnCount(m.Data.Opened.Options.Columns))
}

func columnCount(n int) string { return say.Count(int64(n), "%d column", "%d columns", n) }

// AskAnew drops the recipe that does not fit the open file: the file is read as it looks, and asked
// about from the start.
func (m *Publish) AskAnew() {
	m.Waiting, m.RecipeFault = nil, ""
	m.Codebook.WaitNoMore()
	m.Question = form.NewQuestion()
	m.Codebook.Forget()
	m.Data.Reread(func(o *table.Options) { *o = table.Options{} })
}
