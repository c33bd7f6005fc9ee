package state

import (
	"slices"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/sample"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/account"
	"hush/web/state/better"
	"hush/web/state/book"
	"hush/web/state/dataset"
	"hush/web/state/edit"
	"hush/web/state/form"
	"hush/web/state/kept"
	"hush/web/state/lesson"
	"hush/web/state/place"
	"hush/web/state/session"
	"hush/web/state/spelling"
	"hush/web/state/stage"
)

// Publish is the way from a file to a release: what was opened, what was asked, what it costs, what
// came out.
type Publish struct {
	place.Link

	Tasks    []ask.Task
	Way      stage.Way
	Data     dataset.Data
	Codebook book.Codebook
	Claims   book.Claims // what came from outside, and is said of the data
	Question form.Question
	Cells    Cells
	Forecast Forecast
	Wish     Wish
	Help     better.Help
	Release  Release
	TopUp    better.TopUp // of the answer that is shown
	Rows     RowsChoice
	Votes    Votes
	History  session.History
	Page     edit.Page  // of figures, that is being made
	Kept     kept.Shelf // what this device keeps of answers

	// Waiting is a recipe that waits for its file, and RecipeFault what is wrong with one that was
	// brought.
	Waiting     *ask.Recipe
	RecipeFault string

	// notRead is the field whose file could not be read, and why.
	notRead struct{ field, why string }

	heard      int    // the number of the last step that was gone in the history
	awaits     bool   // the kept answer that the history shows
	progressed func() // only how far something has come has changed
	askLedger  func() // reads what was spent anew
	undo       []step
	lastField  string          // the field typed into last
	shared     string          // the filter that may stand in the address
	example    *task.Release   // to be shown when its data are open
	known      []*task.Release // answers that a person knows to be mostly noise
}

// step is what is taken back at once.
type step struct {
	question form.Question
	codebook codebook.Codebook
	book     form.BookForm
}

// Task returns the chosen task, or nil.
func (m *Publish) Task() *ask.Task {
	for i := range m.Tasks {
		if m.Tasks[i].ID == m.Question.Task {
			return &m.Tasks[i]
		}
	}
	return nil
}

// Kinds lists the kinds of column that column at can be of, and what it is.
func (m *Publish) Kinds(at int) []domain.Kind {
	if at == 0 {
		return m.Task().Domains
	}
	return m.Role(at).Domains
}

// Role is that of column at, from 1.
func (m *Publish) Role(at int) ask.Role {
	t := m.Task()
	return t.Others[slices.IndexFunc(t.Others, func(r ask.Role) bool {
		return r.Name == m.Question.Others[at-1].Role
	})]
}

// Asked reports whether the question has a column.
func (m *Publish) Asked() bool {
	q := m.Question
	return q.Column > 0 && len(m.Task().Domains) > 0 ||
		slices.ContainsFunc(q.Others, func(f form.FieldForm) bool { return f.Column > 0 })
}

// MayAsk reports whether the question is not shut out by a look.
func (m *Publish) MayAsk() bool { return !m.Data.Looked() || m.Data.Account.MayAsk(m.Recipe()) }

// IsFrozen reports whether the question was frozen as it is.
func (m *Publish) IsFrozen() bool {
	return m.Data.Account != nil && m.Data.Account.IsFrozen(m.Recipe())
}

// After is the budget as this release would leave it, once the release has a price.
func (m *Publish) After() (engine.Budget, bool) {
	if m.Data.Account == nil || !m.Priced() {
		return engine.Budget{}, false
	}
	b, err := m.Data.Account.Budget()
	return b.After(m.Forecast.Plan.Loss), err == nil
}

// TakeAccount takes what is known of the open data set. One that was damaged may have been mended
// by an import. A release that was refused for its limit is forgotten with that limit: what it said
// would name the old one.
func (m *Publish) TakeAccount(a engine.Account) {
	if opened := &m.Data.Opened; opened.Account.Damaged && !a.Damaged {
		opened.StorageRefused, opened.Account.Damaged = "", false
		defer m.replan()
	}
	refused := m.Release.Failure != nil && m.Release.Failure.Code == engine.OverLimit
	if refused && m.Data.Account != nil && !sameLimit(m.Data.Account.Limit, a.Limit) {
		if m.Release.Failure = nil; m.Release.Phase != ReleaseDone {
			m.Release = Release{}
		}
	}
	m.Data.Account = &a
	m.Page.OpenData(a.Fingerprint)
	m.owed()
}

func sameLimit(a, b *engine.Limit) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// Forget closes the file and everything asked about it, and clears it from the address. The record
// of the budget spent stays.
func (m *Publish) Forget() {
	m.Cancel(m.Release.request)
	m.Waiting, m.RecipeFault = nil, ""
	m.Way.Window.Address(place.ViewWorkbench.Path())
	m.Page.OpenData("")
	m.Help.End()
	m.Question, m.undo, m.lastField = form.NewQuestion(), nil, ""
	m.Data.Close()
	m.Codebook.WaitNoMore()
	m.Codebook.Note, m.Way.Chosen = "", stage.Landing
	m.Codebook.Spelling = spelling.Cells{}
	m.Codebook.CloseFile()
	m.Codebook.Forget()
	m.Forecast, m.Release, m.Cells, m.Votes = Forecast{}, Release{}, Cells{}, Votes{}
	m.Update()
}

// furthest is the last stage that can be opened.
func (m *Publish) furthest() stage.Stage {
	switch {
	case m.Release.Phase != ReleaseIdle:
		return stage.Answer
	case m.Data.Phase == dataset.None:
		return stage.Landing
	case !m.Data.Confirmed:
		return stage.Data
	}
	return stage.Question
}

// AtHand is the data set that is open.
func (m *Publish) AtHand() account.AtHand { return m.Data.AtHand() }

// DemoOfQuestion is the workbench's question; ok is false unless it is a whole one about a bundled
// data set.
func (m *Publish) DemoOfQuestion() (d lesson.Demo, ok bool) {
	sets := sample.Sets()
	i := slices.IndexFunc(sets, func(s sample.Set) bool {
		return m.Data.Sample && say.Text(s.Title) == m.Data.Name
	})
	if i < 0 || m.Data.Phase != dataset.Opened || !m.Asked() || m.Missing() != "" {
		return d, false
	}
	return lesson.Demo{Task: m.Question.Task, Data: sets[i].Name, Epsilon: m.Question.Epsilon,
		Question: form.EncodeRecipe(m.Recipe())}, true
}

// Lost names what a reload would lose; empty: nothing.
func (m *Publish) Lost() string { return m.Kept.Lost(m.Data.Phase != dataset.None) }

// Shown returns the question that a lesson may ask of the open file once its owner has looked at
// the true answers; nil if there is none.
func (m *Publish) Shown() *ask.Task {
	if m.Data.Looked() && m.Priced() && !m.Data.Sample {
		return m.Task()
	}
	return nil
}
