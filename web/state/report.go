package state

import (
	"slices"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/outside"
	"hush/web/say"
	"hush/web/state/edit"
	"hush/web/state/form"
	"hush/web/state/release"
	"hush/web/state/session"
	"hush/web/state/stage"
)

// Collect puts an answer on the page of figures, at its end. What is mostly noise is put there only
// where a person knows it.
func (m *Publish) Collect(r *task.Release) {
	if r != nil && !m.Page.Has(r) && m.Answer.MayCopy(r) {
		m.Page.Take(r)
		m.Kept.MarkReport(r, true)
		m.Update()
	}
}

// TakeOff takes a piece off the page of figures.
func (m *Publish) TakeOff(id int) {
	for _, piece := range m.Page.Pieces {
		if piece.ID == id && piece.Drawn() {
			m.Kept.MarkReport(piece.Release, false)
		}
	}
	m.Page.Remove(id)
}

// MayPlan reports whether the question at hand can be put on the page, to be drawn later.
func (m *Publish) MayPlan() bool {
	return m.Forecast.Priced() && m.Question.MayAsk() && len(m.Claims.Open()) == 0 && m.Question.Recipe().Params["try"] == ""
}

// PlanQuestion puts the question at hand on the page. Nothing is spent.
func (m *Publish) PlanQuestion() {
	if m.MayPlan() {
		m.Page.AddQuestion(m.Question.Recipe())
		m.Update()
	}
}

// ChangePlanned opens the question of a figure that is to be drawn.
func (m *Publish) ChangePlanned(id int) {
	for _, piece := range m.Page.Pieces {
		if piece.ID == id && piece.Planned() {
			m.Page.Changing = id
			r := *piece.Recipe
			if piece.Epsilon != "" {
				r.Epsilon = piece.Epsilon
			}
			m.Saved.Adopt(r)
			m.Way.Chosen = stage.Question
			m.Update()
		}
	}
}

// Proposal is a question that the codebook suggests for the page.
type Proposal struct {
	Recipe ask.Recipe
	Task   *ask.Task
}

// mostProposed is how many questions are proposed at most.
const mostProposed = 24

// Proposals are questions that the described columns allow, and that are not on the page: of each
// column how its values are spread, then medians, means by group, and tables of two columns.
func (m *Publish) Proposals() (list []Proposal) {
	was := m.Question.Form
	defer func() { m.Question.Form = was }()
	asked := m.Page.Asked()
	var columns []int
	for _, c := range m.Codebook.Columns() {
		if m.Codebook.IsDescribed(c.Number) {
			columns = append(columns, c.Number)
		}
	}
	propose := func(task string, column, group int, by ...int) {
		m.Question.Form = form.NewQuestion()
		m.Question.Form.Task, m.Question.Form.Table = task, was.Table
		m.Question.Form.Column, m.Question.Form.Group = column, group
		t := m.Question.Task()
		m.Question.Form.Fit(t)
		for i, other := range by {
			if i >= len(m.Question.Form.Others) {
				m.Question.Form.AddField(t, t.Others[0])
			}
			m.Question.Form.Others[i].Choose(other)
		}
		if len(list) == mostProposed || m.Question.Missing() != "" {
			return
		}
		if r := m.Question.Recipe(); asked[edit.Key(r)] == nil {
			list = append(list, Proposal{r, t})
		}
	}
	listed := func(column int) bool { return len(m.Codebook.Listed(column)) > 1 }
	for _, c := range columns {
		if listed(c) {
			propose("table", 0, 0, c)
		} else {
			propose("histogram", c, 0)
		}
	}
	for _, c := range columns {
		propose("median", c, 0)
	}
	for _, c := range columns {
		for _, group := range columns {
			if listed(group) && !listed(c) {
				propose("mean", c, group)
			}
		}
	}
	for i, c := range columns {
		for _, other := range columns[i+1:] {
			if listed(c) && listed(other) {
				propose("table", 0, 0, c, other)
			}
		}
	}
	return list
}

// AddProposal puts a question that was proposed on the page.
func (m *Publish) AddProposal(r ask.Recipe) {
	m.Page.AddQuestion(r)
	m.Update()
}

// ReleasePage pays for all figures that are to be drawn, and draws them.
func (m *Publish) ReleasePage() {
	if m.Answer.Phase == release.Running || m.Data.Looked() {
		return
	}
	var agreed []outside.Claim
	if fixed, ok := m.Page.Fixed(); ok {
		for _, r := range fixed.Questions {
			for _, c := range m.Claims.Agreed(r) {
				if !slices.Contains(agreed, c) {
					agreed = append(agreed, c)
				}
			}
		}
	}
	m.Page.Release(agreed)
}

// came puts an answer of the page in its other places.
func (m *Publish) came(a engine.Released) {
	r := m.Answer.Take(a)
	m.Kept.MarkReport(r, true)
	m.Answer.AskLedger()
}

// owed looks in the account whether a page was paid for that is not drawn to its end.
func (m *Publish) owed() {
	for _, e := range m.Data.Account.Entries {
		if e.Plan != nil && len(e.Plan.Drawn) < len(e.Plan.Questions) {
			m.Page.Owe(e.ID, *e.Plan)
			return
		}
	}
}

// AddSaved puts a release that was saved as JSON on the page. Nothing vouches for its numbers.
func (m *Publish) AddSaved(text string) {
	saved, err := m.Kept.Release(text)
	if err != nil {
		m.RefuseSaved(say.Format("The file could not be opened: %s. Wanted: the JSON of a "+
			"release that Hush wrote.", say.Error(err)))
		return
	}
	session.Recheck(saved)
	m.Answer.NotOpened = ""
	m.Page.Take(saved)
	m.Update()
}

// RefuseSaved says why no saved release was put on the page.
func (m *Publish) RefuseSaved(why string) { m.Answer.Refuse(why) }
