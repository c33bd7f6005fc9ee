// Package asking holds the question about the data set at hand: its form, what it costs, how good
// its answer will be, and questions that were saved.
package asking

import (
	"encoding/json"
	"slices"
	"strings"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/table"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/book"
	"hush/web/state/dataset"
	"hush/web/state/form"
	"hush/web/state/place"
	"hush/web/state/stage"
)

// Question is the question at hand: its form, about columns as described in the codebook.
type Question struct {
	place.Link
	Tasks []ask.Task
	Form  form.Question

	Data     *dataset.Data
	Codebook *book.Codebook
	Claims   *book.Claims
	Way      *stage.Way
	Settled  func() // the question may have changed

	undo      []step
	lastField string // the field typed into last
	shared    string // the filter that may stand in the address
}

// Edit changes the question and asks again what it costs. Consecutive typing into one field is
// undone at once: field names that field, and is empty for everything except typing.
func (q *Question) Edit(field string, change func(*form.Question)) {
	q.Remember(field)
	change(&q.Form)
	q.Settle()
}

// Remember keeps the state to which a change can be undone.
func (q *Question) Remember(field string) {
	if field == "" || field != q.lastField {
		q.undo = append(q.undo, step{q.Form.Clone(), q.Codebook.Codebook, q.Codebook.Form})
	}
	q.lastField = field
}

// ForgetSteps forgets what can be undone.
func (q *Question) ForgetSteps() { q.undo = nil }

// Clear starts with an empty question and nothing to undo.
func (q *Question) Clear() { q.Form, q.undo, q.lastField = form.NewQuestion(), nil, "" }

// Settle follows a change of the question: its columns must suit the task.
func (q *Question) Settle() {
	if q.Way.Chosen == stage.Answer { // the question is on the screen again
		q.Way.Chosen = stage.Question
	}
	if t := q.Task(); t != nil {
		q.Form.Fit(t)
	}
	q.Settled()
}

// CanUndo reports whether there is a step to undo.
func (q *Question) CanUndo() bool { return len(q.undo) > 0 }

// Undo undoes the last change of the question.
func (q *Question) Undo() {
	if !q.CanUndo() {
		return
	}
	last := len(q.undo) - 1
	was := q.undo[last]
	q.Codebook.TakeBack(was.codebook, was.book)
	q.Form, q.undo, q.lastField = was.question, q.undo[:last], ""
	q.Settle()
}

// Recipe returns the question as a recipe: what the form asks, about columns as described in the
// codebook.
func (q *Question) Recipe() ask.Recipe {
	f, t, b := q.Form, q.Task(), q.Codebook.Codebook
	r := ask.Recipe{
		Version: ask.RecipeVersion, Task: f.Task, Table: f.Table, Params: ask.Params{},
		Epsilon: strings.TrimSpace(f.Epsilon),
		Data:    b.Name, Source: b.Source, Noun: b.Noun,
		Person: b.Rows.Person(), Use: q.use(), Count: b.Rows.Count(), Others: q.others(),
	}
	if len(t.Domains) > 0 {
		r.Column = f.Column
		r.Label, r.Unit, r.Domain = q.Codebook.Published(f.Column)
		r.Domain = f.Values.Of(r.Domain)
	}
	for _, c := range f.Filter {
		if c.Complete() {
			label, _, spec := q.Codebook.Published(c.Column)
			condition := c.Spelled(spec).Condition()
			condition.Label = label
			if header := q.Data.HeaderName(c.Column); label == "" && len(header) <= ask.MaxLabel {
				condition.Label = header // it stands in the sentence
			}
			r.Filter = append(r.Filter, condition)
		}
	}
	if f.Group > 0 && t.ByGroup {
		label, _, spec := q.Codebook.Published(f.Group)
		r.Group = ask.GroupsOf(f.Group, spec)
		if f.Find {
			r.Group = &ask.Group{Column: f.Group, Find: f.Finding()}
		}
		r.Group.Label = label
	}
	f.Whole(t, &r)
	for _, p := range t.Params {
		if v, ok := f.Params[p.Name]; ok && p.AsksFor(q.Kind()) {
			r.Params[p.Name] = v
		}
	}
	q.tries(r.Params)
	return r
}

// use says which rows of a person are used, with times read as the codebook describes.
func (q *Question) use() *table.Use {
	u := q.Codebook.Rows.Use
	if u == nil || q.Codebook.Rows.Person() == 0 && q.Codebook.Rows.Count() == 0 {
		return nil
	}
	use := *u
	use.Values = slices.Clone(u.Values)
	for i, v := range use.Values {
		if v.By != nil {
			_, _, spec := q.Codebook.Published(v.By.Column)
			use.Values[i].By = &table.Wanted{Column: v.By.Column, Spec: spec}
		}
	}
	return &use
}

// Missing names what the question still needs before it can be priced, in words; empty when it is
// complete. The meaning of a row is agreed to before n is shown.
func (q *Question) Missing() string {
	if text := q.Lacking(); text != "" || !q.Claims.OfRows() {
		return text
	}
	return say.Text("The question says what a row stands for. Confirm that, or correct it.")
}

// Lacking is Missing without the claims from outside.
func (q *Question) Lacking() string {
	switch {
	case q.Data.Phase != dataset.Opened:
		return say.Text("Open a file first.")
	case q.Data.Opened.StorageRefused != "":
		return say.Text("Nothing can be released without a record of the budget spent.")
	case q.Data.Misfit:
		return say.Text("Open another file, or ask again about this one.")
	case q.Data.Unusable() != "":
		return q.Data.Unusable()
	case !q.Data.Confirmed:
		return say.Text("Confirm how the file is read.")
	case q.Codebook.Form.Each == "":
		return say.Text("Say whether a person can have several rows.")
	case q.Codebook.Form.Lacks() && q.Codebook.Form.Column > 0:
		return say.Text("Say which rows of each person count.")
	case q.Codebook.Form.Lacks():
		return say.Text("Choose the column that identifies a row's person.")
	}
	return q.missingColumn()
}

// Task returns the chosen task, or nil.
func (q *Question) Task() *ask.Task {
	for i := range q.Tasks {
		if q.Tasks[i].ID == q.Form.Task {
			return &q.Tasks[i]
		}
	}
	return nil
}

// Asked reports whether the question has a column.
func (q *Question) Asked() bool {
	return q.Form.Column > 0 && len(q.Task().Domains) > 0 ||
		slices.ContainsFunc(q.Form.Others, func(f form.FieldForm) bool { return f.Column > 0 })
}

// Stated reports whether a recipe says all of the question: how the file is read is confirmed, and
// nobody still has to say which values count. A recipe would state them all.
func (q *Question) Stated() bool {
	return q.Asked() && q.Data.Confirmed && !q.Form.AsksValues(q.Task())
}

// MayAsk reports whether the question is still allowed after a look, or no look has happened.
func (q *Question) MayAsk() bool { return !q.Data.Looked() || q.Data.Account.MayAsk(q.Recipe()) }

// IsFrozen reports whether the question was frozen in its present form.
func (q *Question) IsFrozen() bool {
	return q.Data.Account != nil && q.Data.Account.IsFrozen(q.Recipe())
}

// Text returns the recipe as a person reads and saves it.
func (q *Question) Text() string {
	text, err := json.MarshalIndent(q.Recipe(), "", "  ")
	if err != nil {
		panic("web: internal error: " + err.Error())
	}
	return string(text) + "\n"
}

// Address is the part behind the # for this question; "/" if there is none worth keeping, or none
// that may stand there.
func (q *Question) Address() string {
	if !q.Stated() || q.Unshared() {
		return place.ViewWorkbench.Path()
	}
	return place.ViewWorkbench.Path() + "?q=" + form.EncodeRecipe(q.Recipe())
}

// Unshared reports whether the question stays out of the address because of its filter: a condition
// may identify somebody, and a browser writes addresses to its history long before anything is
// released. The question is in the address once its owner asks for a link, or has followed one.
func (q *Question) Unshared() bool {
	r := q.Recipe().Bare()
	return len(r.Filter) > 0 && q.shared != engine.Encode(r.Filter)
}

// Share lets the question stand in the address, until its filter changes.
func (q *Question) Share() {
	q.shared = engine.Encode(q.Recipe().Bare().Filter)
	q.Update()
}

// RecipeInAddress reads what [Question.Address] writes; ok is false where there is none.
func RecipeInAddress(path string) (r ask.Recipe, ok bool, err error) {
	_, query, _ := strings.Cut(path, "?")
	encoded, ok := strings.CutPrefix(query, "q=")
	if !ok {
		return r, false, nil
	}
	r, err = form.DecodeRecipe(encoded)
	return r, true, err
}

// step is a state to which a change is undone.
type step struct {
	question form.Question
	codebook codebook.Codebook
	book     form.BookForm
}

// ShareFilterOf lets questions with the filter of this one stand in the address: the filter came
// from there.
func (q *Question) ShareFilterOf(r ask.Recipe) { q.shared = engine.Encode(r.Bare().Filter) }
