package state

import (
	"slices"
	"strings"

	"hush/core/ask"
	"hush/core/table"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/dataset"
	"hush/web/state/form"
	"hush/web/state/place"
	"hush/web/state/stage"
)

// Edit changes the question and asks anew what it costs. What is typed into one field in a row is
// undone at once: field names it, and is empty for everything but typing.
func (m *Publish) Edit(field string, change func(*form.Question)) {
	m.remember(field)
	change(&m.Question)
	m.settle()
}

// remember keeps what a change can be taken back to.
func (m *Publish) remember(field string) {
	if field == "" || field != m.lastField {
		m.undo = append(m.undo, step{m.Question.Clone(), m.Codebook.Codebook, m.Codebook.Form})
	}
	m.lastField = field
}

// CanUndo reports whether there is a step to take back.
func (m *Publish) CanUndo() bool { return len(m.undo) > 0 }

// Undo takes back the last change of the question.
func (m *Publish) Undo() {
	if !m.CanUndo() {
		return
	}
	last := len(m.undo) - 1
	was := m.undo[last]
	m.Codebook.TakeBack(was.codebook, was.book)
	m.Question, m.undo, m.lastField = was.question, m.undo[:last], ""
	m.settle()
}

// settle follows a change of the question: its columns must be such as the task can ask about, and
// its price is asked.
func (m *Publish) settle() {
	m.notRead.field, m.notRead.why = "", ""
	if m.Way.Chosen == stage.Answer { // the question is on the screen again
		m.Way.Chosen = stage.Question
	}
	if t := m.Task(); t != nil {
		m.Question.Fit(t)
	}
	m.Cells, m.Wish.Fault = Cells{}, ""
	m.Codebook.FindUnplaced()
	if !m.Priced() || engine.Encode(m.Recipe()) != m.Forecast.recipe {
		m.Wish.Curve = nil
		m.Help.End()
		m.replan()
	}
	m.Update()
}

// Recipe is the question as it travels: what the form asks, of columns as the codebook has them.
func (m *Publish) Recipe() ask.Recipe {
	q, t, b := m.Question, m.Task(), m.Codebook.Codebook
	r := ask.Recipe{
		Version: ask.RecipeVersion, Task: q.Task, Table: q.Table, Params: ask.Params{},
		Epsilon: strings.TrimSpace(q.Epsilon),
		Data:    b.Name, Source: b.Source, Noun: b.Noun,
		Person: b.Rows.Person(), Use: m.use(), Count: b.Rows.Count(), Others: m.others(),
	}
	if len(t.Domains) > 0 {
		r.Column = q.Column
		r.Label, r.Unit, r.Domain = m.Codebook.Published(q.Column)
		r.Domain = q.Values.Of(r.Domain)
	}
	for _, c := range q.Filter {
		if c.Complete() {
			label, _, spec := m.Codebook.Published(c.Column)
			condition := c.Spelled(spec).Condition()
			condition.Label = label
			if header := m.Data.HeaderName(c.Column); label == "" && len(header) <= ask.MaxLabel {
				condition.Label = header // it stands in the sentence
			}
			r.Filter = append(r.Filter, condition)
		}
	}
	if q.Group > 0 && t.ByGroup {
		label, _, spec := m.Codebook.Published(q.Group)
		r.Group = ask.GroupsOf(q.Group, spec)
		if q.Find {
			r.Group = &ask.Group{Column: q.Group, Find: q.Finding()}
		}
		r.Group.Label = label
	}
	q.Whole(t, &r)
	for _, p := range t.Params {
		if v, ok := q.Params[p.Name]; ok && p.AsksFor(m.Kind()) {
			r.Params[p.Name] = v
		}
	}
	m.tries(r.Params)
	return r
}

// use says which rows of a person are used, with times read as the codebook has them.
func (m *Publish) use() *table.Use {
	u := m.Codebook.Rows.Use
	if u == nil || m.Codebook.Rows.Person() == 0 && m.Codebook.Rows.Count() == 0 {
		return nil
	}
	use := *u
	use.Values = slices.Clone(u.Values)
	for i, v := range use.Values {
		if v.By != nil {
			_, _, spec := m.Codebook.Published(v.By.Column)
			use.Values[i].By = &table.Wanted{Column: v.By.Column, Spec: spec}
		}
	}
	return &use
}

// Missing names what the question still needs before it can be priced, in words; empty when it is
// complete. What a row stands for is agreed to before n is shown.
func (m *Publish) Missing() string {
	if text := m.missing(); text != "" || !m.Claims.OfRows() {
		return text
	}
	return say.Text("The question says what a row stands for. Confirm that, or correct it.")
}

// missing is Missing without the claims from outside.
func (m *Publish) missing() string {
	switch {
	case m.Data.Phase != dataset.Opened:
		return say.Text("Open a file first.")
	case m.Data.Opened.StorageRefused != "":
		return say.Text("Nothing can be released without a record of the budget spent.")
	case m.Data.Misfit:
		return say.Text("Open another file, or ask again about this one.")
	case m.Data.Unusable() != "":
		return m.Data.Unusable()
	case !m.Data.Confirmed:
		return say.Text("Confirm how the file is read.")
	case m.Codebook.Form.Each == "":
		return say.Text("Say whether a person can have several rows.")
	case m.Codebook.Form.Lacks() && m.Codebook.Form.Column > 0:
		return say.Text("Say which rows of each person count.")
	case m.Codebook.Form.Lacks():
		return say.Text("Choose the column that identifies a row's person.")
	}
	return m.missingColumn()
}

// Forecast is what the question costs and how good the answer will be.
type Forecast struct {
	Plan     *ask.Plan
	Failure  *engine.Fault
	Progress *engine.Progress // while the file is read to learn n
	recipe   string           // what Plan is the plan of, encoded
	request  engine.Request
}

// replan asks the engine what the question costs. Only the last question's answer counts.
func (m *Publish) replan() {
	m.Cancel(m.Forecast.request)
	m.Forecast = Forecast{Plan: m.Forecast.Plan}
	m.countClaimed()
	if m.Missing() != "" {
		m.Forecast = Forecast{}
		return
	}
	m.Codebook.Expect()
	recipe := m.Recipe()
	plan := engine.Plan.With(recipe)
	m.Forecast.request = m.Call(plan, func(r engine.Request, kind string, body []byte) {
		if r != m.Forecast.request {
			return
		}
		switch kind {
		case engine.ReplyProgress:
			m.Forecast = Forecast{Progress: new(engine.Progress), request: r}
			engine.Decode(body, m.Forecast.Progress)
		case engine.ReplyDone:
			m.Forecast = Forecast{
				Plan: new(engine.Plan.Read(body)), recipe: engine.Encode(recipe),
			}
			m.askCurve()
			m.Help.Ask(m.Recipe(), m.Forecast.Plan.Verdict)
		case engine.ReplyFailed:
			m.Forecast = Forecast{Failure: place.Failure(body)}
		}
		m.Update()
	})
}

// CancelPlan gives up reading the file for a forecast.
func (m *Publish) CancelPlan() { m.Cancel(m.Forecast.request) }

// Priced reports whether the plan at hand is that of the question as it stands.
func (m *Publish) Priced() bool { return m.Forecast.Plan != nil && m.Forecast.request == 0 }

// Fault returns what is wrong with a field, or "".
func (m *Publish) Fault(field string) string {
	if m.notRead.field == field {
		return m.notRead.why
	}
	if f := m.Forecast.Failure; f != nil && f.Field == field {
		return say.Format("Wanted: %s.", f.Want)
	}
	return ""
}

// RefuseFile says why a field's file was not read.
func (m *Publish) RefuseFile(field, why string) {
	m.notRead.field, m.notRead.why = field, why
	m.Update()
}

// Cells is what reading the column has shown: which cells have no value.
type Cells struct {
	Progress *engine.Progress // while it is read
	Problems []table.Problem
	Read     bool
	Failure  *engine.Fault
	request  engine.Request
}

// ReadCells reads the column ahead of a release and lists the cells without a value. It spends
// nothing.
func (m *Publish) ReadCells() {
	m.Cells = Cells{Progress: new(engine.Progress)}
	read := engine.Read.With(m.Recipe())
	m.Cells.request = m.Call(read, func(r engine.Request, kind string, body []byte) {
		if r != m.Cells.request {
			return
		}
		switch kind {
		case engine.ReplyProgress:
			engine.Decode(body, m.Cells.Progress)
		case engine.ReplyDone:
			m.Cells = Cells{Read: true, Problems: engine.Read.Read(body)}
		case engine.ReplyFailed:
			m.Cells = Cells{Failure: place.Failure(body)}
		}
		m.Update()
	})
	m.Update()
}

// CancelCells gives up reading the column.
func (m *Publish) CancelCells() { m.Cancel(m.Cells.request) }

// countClaimed has the engine count n as the claimed rows have it.
func (m *Publish) countClaimed() {
	m.Claims.StopCounting()
	if m.Claims.OfRows() && m.missing() == "" {
		m.Claims.Count(m.Recipe())
	}
}
