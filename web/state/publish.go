package state

import (
	"slices"

	"hush/core/sample"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/asking"
	"hush/web/state/better"
	"hush/web/state/book"
	"hush/web/state/dataset"
	"hush/web/state/edit"
	"hush/web/state/figures"
	"hush/web/state/form"
	"hush/web/state/kept"
	"hush/web/state/lesson"
	"hush/web/state/place"
	"hush/web/state/release"
	"hush/web/state/session"
	"hush/web/state/spelling"
	"hush/web/state/stage"
)

// Publish is the way from a file to a release, in its parts: what was opened, what is said about
// it, what is asked, what came out, and the page of figures. A part knows the parts that it builds
// on. Those above it learn of a change through a function or an interface that they gave it.
type Publish struct {
	place.Link

	Way      stage.Way
	Data     dataset.Data
	Codebook book.Codebook
	Claims   book.Claims // claims about the data that came from outside
	Question asking.Question
	Saved    asking.Saved // a question that was asked before or elsewhere
	Cells    asking.Cells
	Forecast asking.Forecast
	Wish     asking.Wish
	Help     better.Help
	Answer   release.Answer
	TopUp    better.TopUp // for the answer that is shown
	Rows     release.Rows
	Votes    release.Votes
	History  session.History
	Figures  figures.Figures
	Page     edit.Page  // of figures, that is being made
	Kept     kept.Shelf // the answers that this device keeps

	heard   int           // the number of the last step that was gone in the history
	awaits  bool          // the kept answer that the history shows
	example *task.Release // to be shown once its data are open
}

// join gives each part the parts that it builds on, and a way to report changes to those above it.
// progressed is called when only progress has changed, and askLedger to read the spending again.
func (m *Publish) join(progressed, askLedger func()) {
	m.Way.Furthest = m.furthest
	m.Data = dataset.Data{Way: &m.Way, Follower: following{m}, Progressed: progressed}
	m.Claims = book.Claims{Data: &m.Data, Codebook: &m.Codebook.Codebook,
		Settle: m.Question.Settle}
	m.Codebook = book.Codebook{Data: &m.Data, Way: &m.Way, Claims: &m.Claims, Asked: &m.Question}
	m.Question = asking.Question{Tasks: task.Catalogue(), Form: form.NewQuestion(), Data: &m.Data,
		Codebook: &m.Codebook, Claims: &m.Claims, Way: &m.Way, Settled: m.Forecast.Follow}
	m.Cells.Question, m.Wish.Question = &m.Question, &m.Question
	m.Forecast = asking.Forecast{Cells: &m.Cells, Wish: &m.Wish, Help: &m.Help,
		Question: &m.Question, Data: &m.Data, Codebook: &m.Codebook, Claims: &m.Claims}
	m.Saved = asking.Saved{Data: &m.Data, Codebook: &m.Codebook, Question: &m.Question,
		Help: &m.Help, Way: &m.Way}
	m.Answer = release.Answer{Data: &m.Data, Claims: &m.Claims, Question: &m.Question,
		Forecast: &m.Forecast, Saved: &m.Saved, Help: &m.Help, TopUp: &m.TopUp, Votes: &m.Votes,
		History: &m.History, Kept: &m.Kept, Page: &m.Page, Way: &m.Way,
		Progressed: progressed, AskLedger: askLedger}
	m.Votes.Swap = m.Answer.Swap
	m.Rows = release.Rows{Data: &m.Data, Codebook: &m.Codebook, Claims: &m.Claims,
		Question: &m.Question, Forecast: &m.Forecast, Answer: &m.Answer}
	m.Figures = figures.Figures{Data: &m.Data, Codebook: &m.Codebook, Claims: &m.Claims,
		Question: &m.Question, Forecast: &m.Forecast, Saved: &m.Saved, Answer: &m.Answer,
		Kept: &m.Kept, Page: &m.Page, Way: &m.Way}
	m.Page = edit.New()
	m.Page.Reveal, m.Page.Came, m.Page.Kept = m.Way.Reveal, m.Figures.Came, m.Kept.Entry
	m.Kept = kept.Shelf{Screen: &m.Answer, Figures: &m.Figures, History: &m.History,
		Report: &m.Page}
}

// links returns the parts' links to the engine.
func (m *Publish) links() []*place.Link {
	return []*place.Link{&m.Link, &m.Way.Link, &m.Data.Link, &m.Codebook.Link, &m.Claims.Link,
		&m.Question.Link, &m.Saved.Link, &m.Cells.Link, &m.Forecast.Link, &m.Wish.Link,
		&m.Help.Link, &m.Answer.Link, &m.TopUp.Link, &m.Rows.Link, &m.Votes.Link,
		&m.Figures.Link, &m.Page.Link, &m.Kept.Link}
}

// TakeAccount takes over what is known about the open data set. An import may have mended a damaged
// one. A release that was refused for its limit is forgotten with that limit, since its message
// would name the old one.
func (m *Publish) TakeAccount(a engine.Account) {
	if opened := &m.Data.Opened; opened.Account.Damaged && !a.Damaged {
		opened.StorageRefused, opened.Account.Damaged = "", false
		defer m.Forecast.Replan()
	}
	refused := m.Answer.Failure != nil && m.Answer.Failure.Code == engine.OverLimit
	if refused && m.Data.Account != nil && !sameLimit(m.Data.Account.Limit, a.Limit) {
		if m.Answer.Failure = nil; m.Answer.Phase != release.Done {
			m.Answer.Shown = release.Shown{}
		}
	}
	m.Data.Account = &a
	m.Page.OpenData(a.Fingerprint)
	m.Figures.Owed()
}

func sameLimit(a, b *engine.Limit) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// Forget closes the file and everything asked about it, and clears it from the address. The record
// of the budget spent stays.
func (m *Publish) Forget() {
	m.Answer.CancelRun()
	m.Saved.Waiting, m.Saved.Fault = nil, ""
	m.Way.Window.Address(place.ViewWorkbench.Path())
	m.Page.OpenData("")
	m.Help.End()
	m.Question.Clear()
	m.Data.Close()
	m.Codebook.WaitNoMore()
	m.Codebook.Note, m.Way.Chosen = "", stage.Landing
	m.Codebook.Spelling = spelling.Cells{}
	m.Codebook.CloseFile()
	m.Codebook.Forget()
	m.Forecast.Forget()
	m.Answer.Shown = release.Shown{}
	m.Votes.Forget()
	m.Update()
}

// furthest returns the last stage that can be opened.
func (m *Publish) furthest() stage.Stage {
	switch {
	case m.Answer.Phase != release.Idle:
		return stage.Answer
	case m.Data.Phase == dataset.None:
		return stage.Landing
	case !m.Data.Confirmed:
		return stage.Data
	}
	return stage.Question
}

// DemoOfQuestion returns the workbench's question as a demo; ok is false unless it is a complete
// one about a bundled data set.
func (m *Publish) DemoOfQuestion() (d lesson.Demo, ok bool) {
	sets := sample.Sets()
	i := slices.IndexFunc(sets, func(s sample.Set) bool {
		return m.Data.Sample && say.Text(s.Title) == m.Data.Name
	})
	if i < 0 || m.Data.Phase != dataset.Opened || !m.Question.Asked() ||
		m.Question.Missing() != "" {
		return d, false
	}
	return lesson.Demo{Task: m.Question.Form.Task, Data: sets[i].Name,
		Epsilon:  m.Question.Form.Epsilon,
		Question: form.EncodeRecipe(m.Question.Recipe())}, true
}

// Lost names what a reload would lose; it is empty if nothing would be lost.
func (m *Publish) Lost() string { return m.Kept.Lost(m.Data.Phase != dataset.None) }
