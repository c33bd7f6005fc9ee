package asking

import (
	"hush/core/ask"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/better"
	"hush/web/state/book"
	"hush/web/state/dataset"
	"hush/web/state/place"
)

// Estimate states what the question costs and how good the answer will be.
type Estimate struct {
	Plan     *ask.Plan
	Failure  *engine.Fault
	Progress *engine.Progress // while the file is read to learn n
	recipe   string           // what Plan is the plan of, encoded
	request  engine.Request
}

// Forecast prices the question at hand, again after each change.
type Forecast struct {
	place.Link
	Estimate
	Cells *Cells // for the question's column
	Wish  *Wish
	Help  *better.Help

	Question *Question
	Data     *dataset.Data
	Codebook *book.Codebook
	Claims   *book.Claims

	notRead struct{ field, why string } // the field whose file could not be read, and why
}

// After returns the budget that this release would leave, once the release has a price.
func (f *Forecast) After() (engine.Budget, bool) {
	if f.Data.Account == nil || !f.Priced() {
		return engine.Budget{}, false
	}
	b, err := f.Data.Account.Budget()
	return b.After(f.Plan.Loss), err == nil
}

// Shown returns the question that a lesson may ask about the open file once its owner has looked at
// the exact answers; nil if there is none.
func (f *Forecast) Shown() *ask.Task {
	if f.Data.Looked() && f.Priced() && !f.Data.Sample {
		return f.Question.Task()
	}
	return nil
}

// Doubtful reports whether the answer would be mostly noise: the person must then confirm its
// release.
func (f *Forecast) Doubtful() bool {
	if !f.Priced() {
		return false
	}
	v := f.Plan.Verdict
	return v != nil && v.Grade == ask.Noise
}

// AsksThis reports whether the present question is the one that was answered.
func (f *Forecast) AsksThis(r *task.Release) bool {
	return f.Priced() && engine.Encode(f.Question.Recipe()) == engine.Encode(r.Recipe)
}

// Follow prices the question if it has changed.
func (f *Forecast) Follow() {
	f.notRead.field, f.notRead.why = "", ""
	f.Cells.Seen, f.Wish.Fault = Seen{}, ""
	f.Codebook.FindUnplaced()
	// a condition that says nothing yet is in no recipe
	if !f.Priced() || engine.Encode(f.Question.Recipe()) != f.recipe ||
		f.Question.Missing() != "" {
		f.Wish.Curve = nil
		f.Help.End()
		f.Replan()
	}
	f.Update()
}

// Replan asks the engine what the question costs. Only the last question's answer counts.
func (f *Forecast) Replan() {
	f.Cancel(f.request)
	f.Estimate = Estimate{Plan: f.Plan}
	f.countClaimed()
	if f.Question.Missing() != "" {
		f.Estimate = Estimate{}
		return
	}
	f.Codebook.Expect()
	recipe := f.Question.Recipe()
	plan := engine.Plan.With(recipe)
	f.request = f.Call(plan, func(r engine.Request, kind string, body []byte) {
		if r != f.request {
			return
		}
		switch kind {
		case engine.ReplyProgress:
			f.Estimate = Estimate{Progress: new(engine.Progress), request: r}
			engine.Decode(body, f.Progress)
		case engine.ReplyDone:
			f.Estimate = Estimate{
				Plan: new(engine.Plan.Read(body)), recipe: engine.Encode(recipe),
			}
			f.Wish.AskCurve()
			f.Help.Ask(f.Question.Recipe(), f.Plan.Verdict)
		case engine.ReplyFailed:
			f.Estimate = Estimate{Failure: place.Failure(body)}
		}
		f.Update()
	})
}

// Forget forgets the price.
func (f *Forecast) Forget() { f.Estimate, f.Cells.Seen = Estimate{}, Seen{} }

// CancelPlan cancels reading the file for a forecast.
func (f *Forecast) CancelPlan() { f.Cancel(f.request) }

// Priced reports whether the plan at hand belongs to the present question.
func (f *Forecast) Priced() bool { return f.Plan != nil && f.request == 0 }

// Fault returns what is wrong with a field, or "".
func (f *Forecast) Fault(field string) string {
	if f.notRead.field == field {
		return f.notRead.why
	}
	if f := f.Failure; f != nil && f.Field == field {
		return say.Format("Wanted: %s.", f.Want)
	}
	return ""
}

// RefuseFile says why a field's file was not read.
func (f *Forecast) RefuseFile(field, why string) {
	f.notRead.field, f.notRead.why = field, why
	f.Update()
}

// countClaimed has the engine count n according to the claimed rows.
func (f *Forecast) countClaimed() {
	f.Claims.StopCounting()
	if f.Claims.OfRows() && f.Question.Lacking() == "" {
		f.Claims.Count(f.Question.Recipe())
	}
}
