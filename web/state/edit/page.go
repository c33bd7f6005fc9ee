// Package edit is the page of figures that is being made: what stands on it and in which order,
// what is still to be drawn, and what all of it costs.
package edit

import (
	"slices"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/state/place"
	"hush/web/state/session"
)

// Kind is what a piece of the page is.
type Kind string

// The kinds.
const (
	Heading   Kind = "heading"
	Paragraph Kind = "paragraph"
	Figure    Kind = "figure"
)

// Piece is one part of the page, in its order.
type Piece struct {
	ID   int // of this piece as long as it is on the page, from 1
	Kind Kind
	// Text is that of a heading or a paragraph; of a figure, the sentence that its author wrote in
	// the place of the answer's own.
	Text string

	// A figure that is drawn has a release, and one that is to be drawn a question.
	Release *task.Release
	Plan    int // of Page.Plans, from 1: the release was drawn with it; 0: by itself
	Recipe  *ask.Recipe
	Weight  float64 // how much it matters: 1 is usual
	// Price is what the question costs and how good it will be, at Epsilon; nil: it is worked out.
	Price   *ask.Plan
	Epsilon string
	// Its number in the plan that was paid for and is not drawn to its end (Run.Entry), from 1; 0:
	// it is not paid for.
	Paid int
	// Failed is why its draw failed, which was paid for; nil: it did not.
	Failed *engine.Fault
}

// Drawn reports whether the piece is a figure that was released.
func (p *Piece) Drawn() bool { return p.Release != nil }

// Planned reports whether the piece is a figure that is to be drawn.
func (p *Piece) Planned() bool { return p.Kind == Figure && p.Release == nil }

// Open reports whether the piece is a figure that is neither drawn nor paid for.
func (p *Piece) Open() bool { return p.Planned() && p.Paid == 0 }

// Verdict is that on the answer, or before it on what is to come; nil: it is not known yet.
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

// Page is the page that is being made.
type Page struct {
	place.Link

	Sheet

	Division ask.Division
	Total    string // ε of all that is to be drawn, as typed
	Prices   Prices
	Run      Run
	// Changing is the figure whose question is open, to be put back on the page; 0: none is.
	Changing int
	Moved    string // where a piece has come to, for those who hear it

	// Reveal moves the focus to an element, and Came takes an answer that has come in.
	Reveal func(element string)
	Came   func(engine.Released)
	// The debit under which a release is kept; empty: it is not.
	Kept func(*task.Release) string

	// About is the fingerprint of the data set that is asked about; empty: none is yet. Open is the
	// open one's; empty: none is open.
	About, Open string

	stored   string // the draft as it was last kept
	restored bool   // the draft that was kept before is back

	mends map[*task.Release]*Mend // of figures that are mostly noise, with the open file
}

// New is an empty page.
func New() Page { return Page{Division: ask.LeastTotal, Total: "1"} }

// AddWords puts an empty heading or paragraph at the end, and moves the focus into it.
func (p *Page) AddWords(k Kind) {
	piece := p.add(&Piece{Kind: k})
	p.changed()
	p.reveal(piece.WordsID())
}

// AddQuestion puts a figure that is to be drawn at the end, or in the place of the one that is
// changed. Nothing is spent.
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

// Take puts a released answer on the page, unless it stands there.
func (p *Page) Take(r *task.Release) {
	if !p.Has(r) {
		p.add(&Piece{Kind: Figure, Release: r})
		p.changed()
	}
}

// Elsewhere reports whether the questions on the page are about another data set than the open one:
// then none of them is priced or asked.
func (p *Page) Elsewhere() bool { return len(p.Planned()) > 0 && p.About != p.Open }

// AskHere makes the questions on the page those of the open data set.
func (p *Page) AskHere() {
	p.About = p.Open
	p.price()
	p.changed()
}

// OpenData notes which data set is open: its fingerprint; empty: none.
func (p *Page) OpenData(fingerprint string) {
	if p.Open != fingerprint {
		p.Open, p.mends = fingerprint, nil
		p.price()
		p.askMends()
	}
}

// Swap puts a release in the place of the one before.
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

// Twice makes two of a figure that is to be drawn.
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

// MoveBy moves a piece by that many places.
func (p *Page) MoveBy(id, by int) {
	if i := p.index(id); i >= 0 {
		p.MoveTo(id, i+by)
	}
}

// MoveTo moves a piece to a place, from 0.
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

// changed keeps the draft, asks about what is new, and draws the page.
func (p *Page) changed() {
	p.store()
	p.askMends()
	p.Update()
}
