package figures_test

import (
	"testing"

	"hush/web/state"
	"hush/web/state/edit"
	"hush/web/state/form"
	"hush/web/webtest"
)

// noisy puts an answer that is mostly noise on the page of figures.
func noisy(t *testing.T) (*state.Model, *webtest.Fake, *edit.Piece) {
	t.Helper()
	m, f := webtest.Asked(t)
	m.Question.Edit("", func(q *form.Question) { q.Epsilon = "0.001" })
	f.Settle()
	m.Answer.Run()
	f.Settle()
	m.Answer.Know(m.Answer.Result, true)
	m.Figures.Collect(m.Answer.Result)
	f.Settle()
	if len(m.Page.Pieces) != 1 || !m.Page.Pieces[0].Noise() {
		t.Fatal("it is not noise, or not on the page: the case does not apply")
	}
	return m, f, m.Page.Pieces[0]
}

// TestFigureIsMended: a figure that is mostly noise is made good for the difference that the page
// states, and stands where it stood.
func TestFigureIsMended(t *testing.T) {
	m, f, piece := noisy(t)
	mend := m.Page.Mend(piece)
	if mend == nil || mend.Offer == nil || !m.Figures.Mendable(piece) ||
		m.Figures.Over(mend.Offer) {
		t.Fatalf("nothing is offered: %+v", mend)
	}
	m.Figures.MakeGood(piece)
	if m.Figures.Mendable(piece) {
		t.Error("it can be drawn while it is drawn")
	}
	f.Settle()
	if piece.Noise() || piece.Release.Recipe.Epsilon != mend.Offer.Epsilon ||
		len(m.Page.Pieces) != 1 || m.Page.Mend(piece) != nil {
		t.Fatalf("it is of ε = %s, and noise: %v", piece.Release.Recipe.Epsilon, piece.Noise())
	}
	if a, err := f.Spendings[0].Account(); err != nil || a.Spent != mend.Offer.Epsilon {
		t.Errorf("spent %s, want %s", a.Spent, mend.Offer.Epsilon)
	}
}

// TestFigureIsAskedInstead: another question takes the place of a figure that is mostly noise, at
// no cost before it is drawn; the answer stays in the list.
func TestFigureIsAskedInstead(t *testing.T) {
	m, f, piece := noisy(t)
	was, help := piece.Release, m.Page.Mend(piece).Help
	if len(help) == 0 {
		t.Fatal("no other question is known")
	}
	m.Figures.AskInstead(piece, help[0].Recipe)
	f.Settle()
	if !piece.Open() || piece.Recipe == nil || m.Page.Prices.Chosen == nil ||
		m.History.Of(was) == nil || len(f.Spendings[0].Entries) != 1 {
		t.Errorf("the figure is %+v, after %d debits", piece, len(f.Spendings[0].Entries))
	}
	m.Forget()
	f.Settle()
	if m.Figures.Mendable(piece) {
		t.Error("it can be mended without its file")
	}
}
