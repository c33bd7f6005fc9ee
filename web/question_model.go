package web

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/table"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/say"
)

// Question is steps 2 and 3: the form's state, kept as typed, right or wrong. Columns count from 1; 0 is none.
type Question struct {
	Task      string
	Who       Who
	WhoColumn int
	Filter    []ConditionForm
	Group     int    // column of groups; 0: everybody at once
	Groups    string // their names, one a line
	Find      bool   // the groups are found privately, in place of Groups
	FindShare string // of ε that is spent on finding them, in percent
	FindDelta string // the chance of an exception δ that finding them takes
	Column    int
	Label     string // the column's published name; empty: by its number
	Domain    DomainForm
	Others    []FieldForm // further columns, in the order of the task's roles
	Params    ask.Params
	Epsilon   string
	Table     table.Options // as confirmed
}

// Who says what a row stands for.
type Who string

const (
	EachRow Who = "row"    // one person
	Persons Who = "person" // a row of the person whom a column names
	Counts  Who = "count"  // as many persons as a column says
)

// Epsilons are the slider's stops.
var Epsilons = []string{"0.01", "0.02", "0.05", "0.1", "0.2", "0.3", "0.5", "0.7", "1", "1.5", "2", "3", "5", "10"}

func newQuestion() Question {
	return Question{Task: task.Catalogue()[0].ID, Who: EachRow, Domain: DomainForm{Kind: domain.Integer}, Params: ask.Params{}, Epsilon: "0.5", FindShare: "50", FindDelta: "0.0000001"}
}

// clone copies what is not copied by assignment.
func (q Question) clone() Question {
	params := ask.Params{}
	for name, value := range q.Params {
		params[name] = value
	}
	q.Params, q.Filter, q.Others = params, slices.Clone(q.Filter), slices.Clone(q.Others)
	return q
}

// without is a list without its entry at i, if it has one.
func without[T any](list []T, i int) []T {
	if i >= len(list) {
		return list
	}
	return slices.Delete(slices.Clone(list), i, i+1)
}

// Edit changes the question and asks anew what it costs. What is typed into one field in a row is undone at once:
// field names it, and is empty for everything but typing.
func (m *Model) Edit(field string, change func(*Question)) {
	if field == "" || field != m.lastField {
		m.undo = append(m.undo, m.Question.clone())
	}
	m.lastField = field
	change(&m.Question)
	m.settle()
}

// CanUndo reports whether there is a step to take back.
func (m *Model) CanUndo() bool { return len(m.undo) > 0 }

// Undo takes back the last change of the question.
func (m *Model) Undo() {
	if !m.CanUndo() {
		return
	}
	last := len(m.undo) - 1
	m.Question, m.undo, m.lastField = m.undo[last], m.undo[:last], ""
	m.settle()
}

// settle follows a change of the question: its columns must be such as the task can ask about, and its price is asked.
func (m *Model) settle() {
	m.notRead.field, m.notRead.why = "", ""
	if t := m.Task(); t != nil {
		m.Question.fit(t)
	}
	m.Cells, m.Wish.Fault, m.Wish.Curve = Cells{}, "", nil
	m.replan()
	m.update()
}

// Recipe is the question as it travels.
func (m *Model) Recipe() ask.Recipe {
	q := m.Question
	r := ask.Recipe{
		Version: ask.RecipeVersion, Task: q.Task, Table: q.Table, Params: ask.Params{}, Epsilon: strings.TrimSpace(q.Epsilon),
		Label: strings.TrimSpace(q.Label), Others: fieldsOf(q.Others),
	}
	if len(m.Task().Domains) > 0 {
		r.Column, r.Domain = q.Column, q.Domain.Spec()
	}
	switch q.Who {
	case Persons:
		r.Person = q.WhoColumn
	case Counts:
		r.Count = q.WhoColumn
	}
	for _, c := range q.Filter {
		if c.complete() {
			r.Filter = append(r.Filter, c.Condition())
		}
	}
	if q.Group > 0 && m.Task().ByGroup {
		r.Group = q.group()
	}
	for _, p := range m.Task().Params {
		if v, ok := q.Params[p.Name]; ok && p.AsksFor(q.Domain.Kind) {
			r.Params[p.Name] = v
		}
	}
	m.tries(r.Params)
	return r
}

// group is the column of groups as it travels, with their list or how they are found. A share that is no number is 0, which core
// refuses with its words.
func (q Question) group() *ask.Group {
	if !q.Find {
		return &ask.Group{Column: q.Group, Names: split(q.Groups, "\n")}
	}
	share, _ := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(q.FindShare), "%")))
	return &ask.Group{Column: q.Group, Find: &ask.Find{Share: share, Delta: strings.TrimSpace(q.FindDelta)}}
}

// Missing names what the question still needs before it can be priced, in words; empty when it is complete.
func (m *Model) Missing() string {
	q := m.Question
	switch {
	case m.Data.Phase != DataOpened:
		return say.Text("Open a file first.")
	case m.Data.Opened.StorageRefused != "":
		return say.Text("Nothing can be released without a record of what was spent.")
	case m.Data.Misfit:
		return say.Text("Open another file, or ask anew about this one.")
	case m.Data.unusable() != "":
		return m.Data.unusable()
	case !m.Data.Confirmed:
		return say.Text("Confirm how the file is read.")
	case q.Who != EachRow && q.WhoColumn == 0:
		return say.Text("Choose the column that says who a row stands for.")
	case q.Column == 0 && len(m.Task().Domains) > 0:
		return say.Text("Choose a column.")
	case q.Group > 0 && m.Task().ByGroup && !q.Find && len(split(q.Groups, "\n")) == 0:
		return say.Text("List the groups, or let them be found.")
	}
	if missing := q.missingField(m.Task()); missing != "" {
		return missing
	}
	if len(m.Task().Domains) == 0 {
		return ""
	}
	return q.Domain.missing()
}

// Forecast is what the question costs and how good the answer will be.
type Forecast struct {
	Plan     *ask.Plan
	Failure  *engine.Fault
	Progress *engine.Progress // while the file is read to learn n
	request  Request
}

// replan asks the engine what the question costs. Only the last question's answer counts.
func (m *Model) replan() {
	m.cancel(m.Forecast.request)
	m.Forecast = Forecast{Plan: m.Forecast.Plan}
	if m.Missing() != "" {
		m.Forecast = Forecast{}
		return
	}
	plan := engine.Plan.With(m.Recipe())
	m.Forecast.request = m.engine.Call(plan, func(r Request, kind string, body []byte) {
		if r != m.Forecast.request {
			return
		}
		switch kind {
		case ReplyProgress:
			m.Forecast = Forecast{Progress: new(engine.Progress), request: r}
			decode(body, m.Forecast.Progress)
		case ReplyDone:
			m.Forecast = Forecast{Plan: new(engine.Plan.Read(body))}
			m.askCurve()
		case ReplyFailed:
			m.Forecast = Forecast{Failure: failure(body)}
		}
		m.update()
	})
}

// CancelPlan gives up reading the file for a forecast.
func (m *Model) CancelPlan() { m.cancel(m.Forecast.request) }

// Priced reports whether the plan at hand is that of the question as it stands.
func (m *Model) Priced() bool { return m.Forecast.Plan != nil && m.Forecast.request == 0 }

// Fault returns what is wrong with a field, or "".
func (m *Model) Fault(field string) string {
	if m.notRead.field == field {
		return m.notRead.why
	}
	if f := m.Forecast.Failure; f != nil && f.Field == field {
		return say.Format("Wanted: %s.", f.Want)
	}
	return ""
}

// refuseFile says why a field's file was not read.
func (m *Model) refuseFile(field, why string) {
	m.notRead.field, m.notRead.why = field, why
	m.update()
}

// Cells is what reading the column has shown: which cells have no value.
type Cells struct {
	Progress *engine.Progress // while it is read
	Problems []table.Problem
	Read     bool
	Failure  *engine.Fault
	request  Request
}

// ReadCells reads the column ahead of a release and lists the cells without a value. It spends nothing.
func (m *Model) ReadCells() {
	m.Cells = Cells{Progress: new(engine.Progress)}
	read := engine.Read.With(m.Recipe())
	m.Cells.request = m.engine.Call(read, func(r Request, kind string, body []byte) {
		if r != m.Cells.request {
			return
		}
		switch kind {
		case ReplyProgress:
			decode(body, m.Cells.Progress)
		case ReplyDone:
			m.Cells = Cells{Read: true, Problems: engine.Read.Read(body)}
		case ReplyFailed:
			m.Cells = Cells{Failure: failure(body)}
		}
		m.update()
	})
	m.update()
}

// CancelCells gives up reading the column.
func (m *Model) CancelCells() { m.cancel(m.Cells.request) }

// Accept makes a proposed repair part of the recipe.
func (m *Model) Accept(r table.Repair) error {
	if r.Column == 0 {
		options, err := m.Data.Opened.Options.With(r.Field, r.Value)
		if err != nil {
			return err
		}
		m.Reread(func(o *table.Options) { *o = options })
		return nil
	}
	m.Edit("", func(q *Question) {
		if r.Column == q.Column {
			q.Domain.repair(r)
		}
		for i := range q.Others {
			if r.Column == q.Others[i].Column {
				q.Others[i].Domain.repair(r)
			}
		}
	})
	return nil
}

// ColumnName is what the form calls column i, from 1: by number, and by the header's word for the owner's eyes.
func (m *Model) ColumnName(i int) string {
	if name := m.HeaderName(i); name != "" {
		return fmt.Sprintf("%d · %s", i, name)
	}
	return say.Format("column %d", i)
}
