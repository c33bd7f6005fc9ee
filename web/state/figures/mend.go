package figures

import (
	"slices"

	"hush/core/ask"
	"hush/web/engine"
	"hush/web/state/edit"
	"hush/web/state/release"
	"hush/web/state/stage"
)

// Mendable reports whether a drawn figure can be drawn again, or its question changed: the open
// data set paid for it, and nothing is being drawn.
func (f *Figures) Mendable(piece *edit.Piece) bool {
	return piece.Drawn() && f.Data.Account != nil && !f.Data.Looked() &&
		f.Answer.Phase != release.Running && !f.Page.Run.Running &&
		slices.ContainsFunc(f.Data.Account.Entries, func(e engine.Entry) bool {
			return e.ID == f.Kept.Entry(piece.Release)
		})
}

// Over reports whether an offer costs more than the limit leaves.
func (f *Figures) Over(offer *engine.TopUpOffer) bool {
	if f.Data.Account == nil || offer.Paid {
		return false
	}
	b, err := f.Data.Account.Budget()
	return err == nil && b.After(offer.Debit).Over
}

// MakeGood pays to make a figure good that is mostly noise, and draws it.
func (f *Figures) MakeGood(piece *edit.Piece) {
	mend := f.Page.Mend(piece)
	if mend == nil || mend.Offer == nil || !f.Mendable(piece) {
		return
	}
	f.Answer.Shown = release.Shown{Phase: release.Done, Result: piece.Release}
	f.Way.Chosen = stage.Answer
	f.Answer.TopUp.Take(piece.Release, mend.Offer)
	f.Answer.MakeGood()
}

// AskInstead replaces a figure that is mostly noise by another question. Its answer stays in the
// list.
func (f *Figures) AskInstead(piece *edit.Piece, r ask.Recipe) {
	if f.Mendable(piece) {
		f.Kept.MarkReport(piece.Release, false)
		f.Page.AskInstead(piece.ID, r)
		f.Update()
	}
}
