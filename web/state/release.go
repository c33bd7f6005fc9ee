package state

import (
	"time"

	"hush/core/privacy"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/dataset"
	"hush/web/state/form"
	"hush/web/state/place"
	"hush/web/state/session"
	"hush/web/state/stage"
)

// Exported notes why an export failed; empty: it did not.
func (m *Publish) Exported(problem string) {
	if m.Release.NoExport != problem {
		m.Release.NoExport = problem
		m.Update()
	}
}

// Release is step 4.
type Release struct {
	Phase     ReleasePhase
	Progress  engine.Progress
	Left      time.Duration // about how long a run takes from now on; 0: that is not known
	Cost      privacy.Loss  // of the run
	Result    *task.Release
	Failure   *engine.Fault // beside a result: why it was not made more exact
	NoExport  string        // why the last export failed; empty: it did not
	Opened    bool          // it was saved before, and is not one of this session's
	Doubts    []string      // what an opened file says that cannot be so
	Example   bool          // it is the landing's, released before from bundled data
	NotOpened string        // why the last file could not be opened; empty: it could

	request engine.Request
	pace    pace
}

// ReleasePhase says where step 4 stands.
type ReleasePhase int

const (
	ReleaseIdle ReleasePhase = iota
	ReleaseRunning
	ReleaseDone
	ReleaseFailed
)

// Run spends the budget and draws the answer. It does neither before what came from outside is
// agreed to or dropped.
func (m *Publish) Run() {
	if !m.Forecast.Priced() || !m.Question.MayAsk() || len(m.Claims.Open()) > 0 || m.Release.Phase == ReleaseRunning {
		return
	}
	m.Claims.Release()
	recipe := m.Question.Recipe()
	run := engine.Run.With(engine.RunOf{Recipe: recipe, Agreed: m.Claims.Agreed(recipe)})
	m.draw(run, m.Forecast.Plan.Loss, func(a engine.Released) {
		m.NewVotes(a.Release)
		m.show()
		if m.Forecast.AsksThis(a.Release) {
			m.Help.End() // the answer may be worse than expected, and says more
			m.Help.Ask(m.Question.Recipe(), session.VerdictOf(a.Release))
		}
	}, func(f *engine.Fault) {
		m.Release = Release{Phase: ReleaseFailed, Failure: f}
		if m.FoundNothing() {
			m.Way.Reveal(stage.ReleaseID)
		} else {
			m.Way.Reveal(stage.BarID)
		}
	})
}

// draw has an answer drawn, which is then the one that is shown.
func (m *Publish) draw(run engine.Call, cost privacy.Loss, done func(engine.Released),
	failed func(*engine.Fault)) {
	m.Release = Release{Phase: ReleaseRunning, Cost: cost}
	m.EndVotes(say.Text("another release was begun"))
	m.Release.request = m.Call(run, func(r engine.Request, kind string, body []byte) {
		if r != m.Release.request {
			return
		}
		switch kind {
		case engine.ReplyProgress:
			engine.Decode(body, &m.Release.Progress)
			m.Release.Left = m.Release.pace.left(time.Now(), m.Release.Progress)
			m.progressed() // nothing else
			return
		case engine.ReplyDone:
			a := engine.Run.Read(body)
			m.Release = Release{Phase: ReleaseDone, Result: m.released(a)}
			done(a)
		case engine.ReplyFailed:
			failed(place.Failure(body))
		}
		m.askLedger()
		m.Update()
	})
	m.Way.Reveal(stage.BarID) // the bar that shows progress replaces the button that had the focus
	m.Update()
}

// MakeGood pays the difference, and puts the more exact answer in the place of the one that is
// shown, which stays in the list.
func (m *Publish) MakeGood() {
	of := m.Release.Result
	if m.TopUp.Offered(of) == nil || !m.Answered() {
		return
	}
	run, cost := m.TopUp.Run(m.Claims.Agreed(of.Recipe)), m.TopUp.Offered(of).Debit
	m.TopUp.End()
	m.draw(run, cost, func(a engine.Released) {
		if m.Page.Has(of) {
			m.Page.Swap(of, a.Release)
			m.Kept.MarkReport(of, false)
			m.Kept.MarkReport(a.Release, true)
		}
		m.show()
	}, func(f *engine.Fault) {
		m.Release = Release{Phase: ReleaseDone, Result: of, Failure: f}
		m.show()
	})
}

// FoundNothing tells whether the last run was a search, and its answer is that nothing was good
// enough.
func (m *Publish) FoundNothing() bool {
	f := m.Release.Failure
	return f != nil && f.Code == engine.FoundNothing
}

// show leads to the answer.
func (m *Publish) show() {
	m.Way.Chosen = stage.Answer
	m.TopUp.Ask(m.Release.Result, m.Data.Phase == dataset.Opened && !m.Release.Opened)
	m.Way.Reveal(stage.ReleaseID)
}

// AskAnother leads from an answer back to the question, or to the files where none is open. The
// answer stays in the session's list.
func (m *Publish) AskAnother() {
	if m.Way.Chosen = stage.Question; m.Data.Phase == dataset.None {
		m.Way.Chosen = stage.Landing
	}
	m.Way.Reveal(stage.Question.ID())
	m.Update()
}

// AskAgain makes the question of an answer the one at hand. Nothing is spent before it is released.
func (m *Publish) AskAgain(r *task.Release) {
	if err := form.CheckFilter(r.Recipe.Filter); err != nil { // of an answer from a file
		m.Saved.Refuse(task.Capital(say.Error(err)) + ".")
	} else {
		m.Saved.Adopt(r.Recipe)
	}
	m.AskAnother()
}

// released puts an answer that has just come in its places.
func (m *Publish) released(a engine.Released) *task.Release {
	m.History.Add(a.Release, m.Way.Window.Today())
	m.Kept.Take(a)
	return a.Release
}

// OpenRelease shows a release that was saved as JSON. It needs no data, and spends nothing. Anybody
// can write such a file: what the release promises is worked out anew, and nothing vouches for its
// numbers.
func (m *Publish) OpenRelease(text string) {
	if m.Release.Phase == ReleaseRunning {
		return
	}
	saved, err := m.Kept.Release(text)
	if err != nil {
		m.RefuseRelease(say.Format("The file could not be opened: %s. Wanted: the JSON of a "+
			"release that Hush wrote.", say.Error(err)))
		return
	}
	m.Release = Release{Phase: ReleaseDone, Result: saved, Opened: true,
		Doubts: session.Recheck(saved)}
	m.show()
	m.Update()
}

// RefuseRelease says why no saved release was opened.
func (m *Publish) RefuseRelease(why string) {
	m.Release.NotOpened = why
	m.Update()
}

// CancelRun gives up a running release. What was debited stays debited.
func (m *Publish) CancelRun() { m.Cancel(m.Release.request) }

// The elements to which the page takes the reader: a new answer, the bar that shows the progress of
// a run, the preview of the answer, and the report.
const (
	ReleaseID = "release"
	BarID     = "bar"
	PreviewID = "preview"
	ReportID  = "report"
)
