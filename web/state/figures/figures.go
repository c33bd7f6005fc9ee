// Package figures fills the page of figures: with answers, with the question at hand, and with
// questions that the codebook suggests.
package figures

import (
	"slices"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/outside"
	"hush/web/state/asking"
	"hush/web/state/book"
	"hush/web/state/dataset"
	"hush/web/state/edit"
	"hush/web/state/kept"
	"hush/web/state/place"
	"hush/web/state/release"
	"hush/web/state/session"
	"hush/web/state/stage"
)

// Figures puts answers and questions on the page of figures, and has it drawn.
type Figures struct {
	place.Link

	Data     *dataset.Data
	Codebook *book.Codebook
	Claims   *book.Claims
	Question *asking.Question
	Forecast *asking.Forecast
	Saved    *asking.Saved
	Answer   *release.Answer
	Kept     *kept.Shelf
	Page     *edit.Page
	Way      *stage.Way
}

// Collect adds an answer to the end of the page of figures. An answer that is mostly noise is added
// only if a person knows that.
func (f *Figures) Collect(r *task.Release) {
	if r != nil && !f.Page.Has(r) && f.Answer.MayCopy(r) {
		f.Page.Take(r)
		f.Kept.MarkReport(r, true)
		f.Update()
	}
}

// TakeOff removes a piece from the page of figures.
func (f *Figures) TakeOff(id int) {
	for _, piece := range f.Page.Pieces {
		if piece.ID == id && piece.Drawn() {
			f.Kept.MarkReport(piece.Release, false)
		}
	}
	f.Page.Remove(id)
}

// MayPlan reports whether the question at hand can be put on the page, to be drawn later.
func (f *Figures) MayPlan() bool {
	return f.Forecast.Priced() && f.Question.MayAsk() && len(f.Claims.Open()) == 0 &&
		f.Question.Recipe().Params["try"] == ""
}

// Plan puts the question at hand on the page. Nothing is spent.
func (f *Figures) Plan() {
	if f.MayPlan() {
		f.Page.AddQuestion(f.Question.Recipe())
		f.Update()
	}
}

// Change opens the question of a figure that is to be drawn.
func (f *Figures) Change(id int) {
	for _, piece := range f.Page.Pieces {
		if piece.ID == id && piece.Planned() {
			f.Page.Changing = id
			r := *piece.Recipe
			if piece.Epsilon != "" {
				r.Epsilon = piece.Epsilon
			}
			f.Saved.Adopt(r)
			f.Way.Chosen = stage.Question
			f.Update()
		}
	}
}

// Add puts a question that was proposed on the page.
func (f *Figures) Add(r ask.Recipe) {
	f.Page.AddQuestion(r)
	f.Update()
}

// Release pays for all figures that are to be drawn, and draws them.
func (f *Figures) Release() {
	if f.Answer.Phase == release.Running || f.Data.Looked() {
		return
	}
	var agreed []outside.Claim
	if fixed, ok := f.Page.Fixed(); ok {
		for _, r := range fixed.Questions {
			for _, c := range f.Claims.Agreed(r) {
				if !slices.Contains(agreed, c) {
					agreed = append(agreed, c)
				}
			}
		}
	}
	f.Page.Release(agreed)
}

// Came puts an answer of the page in its other places.
func (f *Figures) Came(a engine.Released) {
	r := f.Answer.Take(a)
	f.Kept.MarkReport(r, true)
	f.Answer.AskLedger()
}

// Owed checks in the account whether a page was paid for that is not completely drawn.
func (f *Figures) Owed() {
	for _, e := range f.Data.Account.Entries {
		if e.Plan != nil && len(e.Plan.Drawn) < len(e.Plan.Questions) {
			f.Page.Owe(e.ID, *e.Plan)
			return
		}
	}
}

// AddSaved puts a release that was saved as JSON on the page. Nothing vouches for its numbers.
func (f *Figures) AddSaved(text string) {
	saved, err := f.Kept.Release(text)
	if err != nil {
		f.Answer.RefuseSaved(err)
		return
	}
	session.Recheck(saved)
	f.Answer.NotOpened, f.Answer.Table = "", nil
	f.Page.Take(saved)
	f.Update()
}
