// Package edit is the page of figures in the making: what is on it and in which order, what is
// still to be drawn, and what all of it costs.
package edit

import (
	"slices"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/state/place"
	"hush/web/state/session"
)

// Kind is the kind of a piece of the page.
type Kind string

// The kinds.
const (
	Heading   Kind = "heading"
	Paragraph Kind = "paragraph"
	Figure    Kind = "figure"
)

// Piece is one part of the page, in its order.
type Piece struct {
	ID   int // from 1; it stays with the piece as long as it is on the page
	Kind Kind
	// Text is the text of a heading or a paragraph; for a figure, the sentence that its author
	// wrote in place of the answer's own.
	Text string

	// A drawn figure has a release, and one that is to be drawn a question.
	Release *task.Release
	Plan    int // of Page.Plans, from 1: the release was drawn with it; 0: by itself
	Recipe  *ask.Recipe
	Weight  float64 // how much it matters: 1 is usual
	// Price states what the question costs and how good it will be, at Epsilon; nil: it is being
	// worked out.
	Price   *ask.Plan
	Epsilon string
	// Paid is its number, from 1, in a plan that was paid for and not completely drawn (Run.Entry);
	// 0: it is not paid for.
	Paid int
	// Failed is the reason why its draw, which was paid for, failed; nil: it did not.
	Failed *engine.Fault
}

// Drawn reports whether the piece is a figure that was released.
func (p *Piece) Drawn() bool { return p.Release != nil }

// Planned reports whether the piece is a figure that is to be drawn.
func (p *Piece) Planned() bool { return p.Kind == Figure && p.Release == nil }

// Open reports whether the piece is a figure that is neither drawn nor paid for.
func (p *Piece) Open() bool { return p.Planned() && p.Paid == 0 }

// Verdict returns the verdict on the answer or, before it, on what is to come, or nil if it is not
// known yet.
func (p *Piece) Verdict() *ask.Verdict {
	switch {
	case p.Drawn():
		return session.VerdictOf(p.Release)
	case p.Price != nil:
		return p.Price.Verdict
	}
	return nil
}

// Noise reports whether the figure is mostly noise, or will be.
func (p *Piece) Noise() bool {
	v := p.Verdict()
	return v != nil && v.Grade == ask.Noise
}

// Page is the page in the making.
type Page struct {
	place.Link

	Sheet

	Division ask.Division
	Total    string // total ε of everything to be drawn, as typed
	Prices   Prices
	Run      Run
	// Changing is the figure whose question is open, and will be put back on the page; 0: none is.
	Changing int
	Moved    string // where a piece was moved to, for screen readers

	// Reveal moves the focus to an element, and Came takes an answer that has arrived.
	Reveal func(element string)
	Came   func(engine.Released)
	// Kept returns the debit under which a release is kept; empty: it is not.
	Kept func(*task.Release) string

	// About is the fingerprint of the data set that the questions are about; empty: none yet. Open
	// is the fingerprint of the open one; empty: none is open.
	About, Open string

	stored   string // the draft as it was last kept
	restored bool   // the draft that was kept before is back

	mends map[*task.Release]*Mend // for figures that are mostly noise, with the open file
}

// New returns an empty page.
func New() Page { return Page{Division: ask.LeastTotal, Total: "1"} }

// AddWords adds an empty heading or paragraph at the end, and moves the focus into it.
func (p *Page) AddWords(k Kind) {
	piece := p.add(&Piece{Kind: k})
	p.changed()
	p.reveal(piece.WordsID())
}

// AddQuestion adds a figure to be drawn at the end, or in place of the one that is being changed.
// Nothing is spent.
func (p *Page) AddQuestion(r ask.Recipe) {
	if piece := p.piece(p.Changing); piece != nil && piece.Open() {
		piece.Recipe, piece.Price = &r, nil
	} else {
		if len(p.Planned()) == 0 {
			p.About = p.Open
		}
		p.add(&Piece{Kind: Figure, Recipe: &r, Weight: 1})
	}
	p.Changing = 0
	p.price()
	p.changed()
}

// Take adds a released answer to the page, unless it is there already.
func (p *Page) Take(r *task.Release) {
	if !p.Has(r) {
		p.add(&Piece{Kind: Figure, Release: r})
		p.changed()
	}
}

// Elsewhere reports whether the questions on the page are about a data set other than the open one:
// none of them is then priced or asked.
func (p *Page) Elsewhere() bool { return len(p.Planned()) > 0 && p.About != p.Open }

// AskHere directs the questions on the page at the open data set.
func (p *Page) AskHere() {
	p.About = p.Open
	p.price()
	p.changed()
}

// OpenData records which data set is open, by its fingerprint, which is empty if none is open.
func (p *Page) OpenData(fingerprint string) {
	if p.Open != fingerprint {
		p.Open, p.mends = fingerprint, nil
		p.price()
		p.askMends()
	}
}

// Swap replaces a release by another.
func (p *Page) Swap(before, after *task.Release) {
	if piece := p.of(before); piece != nil {
		piece.Release = after
		p.changed()
	}
}

// Remove takes a piece off the page.
func (p *Page) Remove(id int) {
	i := p.index(id)
	if i < 0 {
		return
	}
	planned := p.Pieces[i].Open()
	p.Pieces = slices.Delete(p.Pieces, i, i+1)
	if p.Changing == id {
		p.Changing = 0
	}
	if planned {
		p.price()
	}
	p.changed()
	if len(p.Pieces) > 0 {
		p.reveal(p.Pieces[min(i, len(p.Pieces)-1)].GripID())
	}
}

// Twice duplicates a figure that is to be drawn.
func (p *Page) Twice(id int) {
	i := p.index(id)
	if i < 0 || !p.Pieces[i].Open() {
		return
	}
	p.last++
	again := *p.Pieces[i]
	again.ID = p.last
	p.Pieces = slices.Insert(p.Pieces, i+1, &again)
	p.price()
	p.changed()
	p.reveal(again.GripID())
}

// MoveBy moves a piece by this many positions.
func (p *Page) MoveBy(id, by int) {
	if i := p.index(id); i >= 0 {
		p.MoveTo(id, i+by)
	}
}

// MoveTo moves a piece to a position, from 0.
func (p *Page) MoveTo(id, to int) {
	i := p.index(id)
	if i < 0 || to < 0 || to >= len(p.Pieces) || to == i {
		return
	}
	piece := p.Pieces[i]
	p.Pieces = slices.Insert(slices.Delete(p.Pieces, i, i+1), to, piece)
	p.Moved = movedText(to+1, len(p.Pieces))
	p.changed()
}

// Write sets the text of a piece.
func (p *Page) Write(id int, text string) {
	if piece := p.piece(id); piece != nil {
		piece.Text = text
		p.changed()
	}
}

// Set changes one of the page's own lines.
func (p *Page) Set(line *string, text string) {
	*line = text
	p.changed()
}

func (p *Page) reveal(element string) {
	if p.Reveal != nil {
		p.Reveal(element)
	}
}

// changed keeps the draft, asks about everything new, and draws the page.
func (p *Page) changed() {
	p.store()
	p.askMends()
	p.Update()
}
