// Package release is the answer: how it is drawn, the one that is shown, votes that go on
// labelling, and the release that chooses how many rows of a person count.
package release

import (
	"slices"
	"time"

	"hush/core/privacy"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/asking"
	"hush/web/state/better"
	"hush/web/state/book"
	"hush/web/state/dataset"
	"hush/web/state/edit"
	"hush/web/state/form"
	"hush/web/state/kept"
	"hush/web/state/place"
	"hush/web/state/session"
	"hush/web/state/stage"
)

// Shown holds step 4: the run, or the answer on the screen.
type Shown struct {
	Phase     Phase
	Progress  engine.Progress
	Left      time.Duration // about how long a run still takes; 0: not known
	Cost      privacy.Loss  // of the run
	Result    *task.Release
	Failure   *engine.Fault // shown with a result: why it was not made more exact
	NoExport  string        // why the last export failed; empty: it did not
	Opened    bool          // it was saved before, and is not one of this session's
	Doubts    []string      // what an opened file says that cannot be so
	Example   bool          // it is the landing's, released before from bundled data
	NotOpened string        // why the last file could not be opened; empty: it could
	Table     engine.File   // that file, where it is a table; nil: it is none

	request engine.Request
	pace    pace
}

// Phase is the state of step 4.
type Phase int

const (
	Idle Phase = iota
	Running
	Done
	Failed
)

// Answer holds how an answer comes about, the one that is shown, and where it is kept.
type Answer struct {
	place.Link
	Shown

	Data     *dataset.Data
	Claims   *book.Claims
	Question *asking.Question
	Forecast *asking.Forecast
	Saved    *asking.Saved
	Help     *better.Help
	TopUp    *better.TopUp // for the answer that is shown
	Votes    *Votes
	History  *session.History
	Kept     *kept.Shelf
	Page     *edit.Page
	Way      *stage.Way

	Progressed func() // called if only the progress of a run has changed
	AskLedger  func() // reads the spending again

	known []*task.Release // answers that a person knows to be mostly noise
}

// Run spends the budget and draws the answer. It does neither until the claims from outside are
// agreed to or dropped.
func (a *Answer) Run() {
	if !a.Forecast.Priced() || !a.Question.MayAsk() || len(a.Claims.Open()) > 0 ||
		a.Phase == Running {
		return
	}
	a.Claims.TakeAsOwn()
	recipe := a.Question.Recipe()
	run := engine.Run.With(engine.RunOf{Recipe: recipe, Agreed: a.Claims.Agreed(recipe)})
	a.draw(run, a.Forecast.Plan.Loss, func(came engine.Released) {
		a.Votes.Begin(came.Release)
		a.show()
		if a.Forecast.AsksThis(came.Release) {
			a.Help.End() // the answer may be worse than expected, and says more
			a.Help.Ask(a.Question.Recipe(), session.VerdictOf(came.Release))
		}
	}, func(f *engine.Fault) {
		a.Shown = Shown{Phase: Failed, Failure: f}
		if a.FoundNothing() {
			a.Way.Reveal(stage.ReleaseID)
		} else {
			a.Way.Reveal(stage.BarID)
		}
	})
}

// draw has an answer drawn, which is then shown.
func (a *Answer) draw(run engine.Call, cost privacy.Loss, done func(engine.Released),
	failed func(*engine.Fault)) {
	a.Shown = Shown{Phase: Running, Cost: cost}
	a.Votes.End(say.Text("another release was begun"))
	a.request = a.Call(run, func(r engine.Request, kind string, body []byte) {
		if r != a.request {
			return
		}
		switch kind {
		case engine.ReplyProgress:
			engine.Decode(body, &a.Progress)
			a.Left = a.pace.left(time.Now(), a.Progress)
			a.Progressed() // nothing else
			return
		case engine.ReplyDone:
			came := engine.Run.Read(body)
			a.Shown = Shown{Phase: Done, Result: a.Take(came)}
			done(came)
		case engine.ReplyFailed:
			failed(place.Failure(body))
		}
		a.AskLedger()
		a.Update()
	})
	a.Way.Reveal(stage.BarID) // the progress bar replaces the button that had the focus
	a.Update()
}

// MakeGood pays the difference, and replaces the answer shown by the more exact one. The former
// answer stays in the list.
func (a *Answer) MakeGood() {
	of := a.Result
	if a.TopUp.Offered(of) == nil || !a.OnScreen() {
		return
	}
	run, cost := a.TopUp.Run(a.Claims.Agreed(of.Recipe)), a.TopUp.Offered(of).Debit
	a.TopUp.End()
	a.draw(run, cost, func(came engine.Released) {
		if a.Page.Has(of) {
			a.Page.Swap(of, came.Release)
			a.Kept.MarkReport(of, false)
			a.Kept.MarkReport(came.Release, true)
		}
		a.show()
	}, func(f *engine.Fault) {
		a.Shown = Shown{Phase: Done, Result: of, Failure: f}
		a.show()
	})
}

// FoundNothing reports whether the last run was a search that found nothing good enough.
func (a *Answer) FoundNothing() bool {
	f := a.Failure
	return f != nil && f.Code == engine.FoundNothing
}

// show leads to the answer.
func (a *Answer) show() {
	a.Way.Chosen = stage.Answer
	a.TopUp.Ask(a.Result, a.Data.Phase == dataset.Opened && !a.Opened)
	a.Way.Reveal(stage.ReleaseID)
}

// AskAnother leads from an answer back to the question, or to the files if none is open. The answer
// stays in the session's list.
func (a *Answer) AskAnother() {
	if a.Way.Chosen = stage.Question; a.Data.Phase == dataset.None {
		a.Way.Chosen = stage.Landing
	}
	a.Way.Reveal(stage.Question.ID())
	a.Update()
}

// AskAgain makes the question of an answer the one at hand. Nothing is spent until it is released.
func (a *Answer) AskAgain(r *task.Release) {
	if err := form.CheckFilter(r.Recipe.Filter); err != nil { // for an answer from a file
		a.Saved.Refuse(task.Capital(say.Error(err)) + ".")
	} else {
		a.Saved.Adopt(r.Recipe)
	}
	a.AskAnother()
}

// Take puts an answer that has just arrived in its places.
func (a *Answer) Take(came engine.Released) *task.Release {
	a.History.Add(came.Release, a.Way.Window.Today())
	a.Kept.Take(came)
	return came.Release
}

// Open shows a release that was saved as JSON. It needs no data, and spends nothing. Anybody can
// write such a file: the release's promise is recomputed, and nothing vouches for its numbers.
func (a *Answer) Open(text string) {
	if a.Phase == Running {
		return
	}
	saved, err := a.Kept.Release(text)
	if err != nil {
		a.RefuseSaved(err)
		return
	}
	a.Shown = Shown{Phase: Done, Result: saved, Opened: true, Doubts: session.Recheck(saved)}
	a.show()
	a.Update()
}

// RefuseSaved says what is wrong with a file, and what to open.
func (a *Answer) RefuseSaved(err error) {
	a.Refuse(say.Format("This is not a saved release: %s. Open the JSON file that Hush saved.",
		say.Error(err)))
}

// Refuse says why no saved release was opened.
func (a *Answer) Refuse(why string) {
	a.NotOpened, a.Table = why, nil
	a.Update()
}

// CancelRun cancels a running release. What was debited stays debited.
func (a *Answer) CancelRun() { a.Cancel(a.request) }

// Swap replaces an answer by its extended version wherever it is kept.
func (a *Answer) Swap(before *task.Release, came engine.Released) {
	after := came.Release
	if a.Result == before {
		a.Result = after
	}
	a.History.Swap(before, after)
	a.Page.Swap(before, after)
	if i := slices.Index(a.known, before); i >= 0 {
		a.known[i] = after
	}
	a.Kept.Swap(before, came)
}

// LookAt shows an answer of the page on its own.
func (a *Answer) LookAt(r *task.Release) {
	if p := a.History.Of(r); p != nil {
		a.LookAgain(p.Number)
		return
	}
	a.Shown = Shown{Phase: Done, Result: r, Opened: true}
	a.show()
	a.Update()
}

// LookAgain shows an earlier release. It does not disturb a running one.
func (a *Answer) LookAgain(number int) {
	i := a.History.At(number)
	if i < 0 || a.Phase == Running {
		return
	}
	a.Shown = Shown{Phase: Done, Result: a.History.Past[i].Release}
	a.show()
	a.Update()
}

// Compare chooses a release for side-by-side comparison, or deselects it.
func (a *Answer) Compare(number int, chosen bool) {
	if i := a.History.At(number); i >= 0 {
		a.History.Past[i].Compare = chosen
		a.Update()
	}
}

// ClearHistory empties the list. The record of the budget spent stays, and so do the answers kept.
func (a *Answer) ClearHistory() {
	a.Kept.List(a.History.Releases(), false)
	a.History.Past = nil
	a.Update()
}

// Exported records why an export failed; it is empty if none did.
func (a *Answer) Exported(problem string) {
	if a.NoExport != problem {
		a.NoExport = problem
		a.Update()
	}
}
