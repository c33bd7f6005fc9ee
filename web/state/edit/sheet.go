package edit

import (
	"hush/core/ask"
	"hush/core/publication"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/say"
	"slices"
)

// Sheet is the content of the page.
type Sheet struct {
	Title, Lead, Publisher, Source string

	Pieces []*Piece
	Plans  []publication.Plan // those with which figures were drawn

	last int // the last ID that was given
}

// add adds a piece at the end.
func (s *Sheet) add(piece *Piece) *Piece {
	s.last++
	piece.ID = s.last
	s.Pieces = append(s.Pieces, piece)
	return piece
}

// Asked maps each question of a figure that is to be drawn, by its [Key], to the first such figure.
func (s *Sheet) Asked() map[string]*Piece {
	asked := map[string]*Piece{}
	for _, piece := range s.Planned() {
		if key := Key(*piece.Recipe); asked[key] == nil {
			asked[key] = piece
		}
	}
	return asked
}

// Key returns a question as text, independent of its ε.
func Key(r ask.Recipe) string {
	r.Epsilon = ""
	return engine.Encode(r)
}

// Has reports whether a released answer is on the page.
func (s *Sheet) Has(r *task.Release) bool { return s.of(r) != nil }

func (s *Sheet) of(r *task.Release) *Piece {
	for _, piece := range s.Pieces {
		if piece.Release == r {
			return piece
		}
	}
	return nil
}

// piece returns the piece with that ID, or nil if there is none.
func (s *Sheet) piece(id int) *Piece {
	if i := s.index(id); i >= 0 {
		return s.Pieces[i]
	}
	return nil
}

func (s *Sheet) index(id int) int {
	return slices.IndexFunc(s.Pieces, func(piece *Piece) bool { return piece.ID == id })
}

// Number is the number of a figure, from 1, in the order of the page.
func (s *Sheet) Number(of *Piece) (n int) {
	for _, piece := range s.Pieces {
		if piece.Kind == Figure {
			n++
		}
		if piece == of {
			break
		}
	}
	return n
}

// Planned returns the figures that are to be drawn and not paid for, in the order of the page.
func (s *Sheet) Planned() (list []*Piece) {
	for _, piece := range s.Pieces {
		if piece.Open() {
			list = append(list, piece)
		}
	}
	return list
}

func (s *Sheet) paid(number int) *Piece {
	for _, piece := range s.Pieces {
		if piece.Planned() && piece.Paid == number {
			return piece
		}
	}
	return nil
}

// unpaid allows what is not drawn to be priced again.
func (s *Sheet) unpaid() {
	for _, piece := range s.Pieces {
		piece.Paid = 0
	}
}

// planNumber returns the number of a plan among the page's, to which it is added if necessary.
func (s *Sheet) planNumber(f ask.Fixed) int {
	key := engine.Encode(publication.Plan(f))
	for i, plan := range s.Plans {
		if engine.Encode(plan) == key {
			return i + 1
		}
	}
	s.Plans = append(s.Plans, publication.Plan(f))
	return len(s.Plans)
}

// Tally counts the figures, and how many of them are drawn, to be drawn, paid for and not drawn,
// rough and noise; Unknown are those whose quality depends on the size of the answer.
type Tally struct{ Figures, Drawn, Planned, Paid, Rough, Noise, Unknown int }

// Tally counts the figures.
func (s *Sheet) Tally() (t Tally) {
	for _, piece := range s.Pieces {
		if piece.Kind != Figure {
			continue
		}
		t.Figures++
		switch {
		case piece.Drawn():
			t.Drawn++
		case piece.Open():
			t.Planned++
		default:
			t.Paid++
		}
		if v := piece.Verdict(); v != nil {
			switch v.Grade {
			case ask.Rough:
				t.Rough++
			case ask.Noise:
				t.Noise++
			case ask.Unknown:
				t.Unknown++
			}
		}
	}
	return t
}

// Publication returns the drawn part of the page, as published on a day.
func (s *Sheet) Publication(date string) publication.Page { return s.publication(date, nil) }

// Proposed suggests a title for the page, from the subjects of its questions, or nothing if it
// finds none.
func (s *Sheet) Proposed() string {
	var recipes []ask.Recipe
	for _, piece := range s.Pieces {
		switch {
		case piece.Drawn():
			recipes = append(recipes, piece.Release.Recipe)
		case piece.Planned():
			recipes = append(recipes, *piece.Recipe)
		}
	}
	return publication.ProposedTitle(say.Language(), s.Source, recipes)
}

// Preview is Publication with a paragraph in place of each figure that is to be drawn.
func (s *Sheet) Preview(date string, todo func(*Piece) string) publication.Page {
	return s.publication(date, todo)
}

func (s *Sheet) publication(date string, todo func(*Piece) string) publication.Page {
	page := publication.Page{Title: s.Title, Lead: s.Lead, Publisher: s.Publisher,
		Source: s.Source, Date: date}
	plans := map[int]int{} // from the page's to the publication's
	for _, piece := range s.Pieces {
		switch {
		case piece.Drawn():
			f := &publication.Figure{Sentence: piece.Text, Release: piece.Release}
			if piece.Plan > 0 {
				if plans[piece.Plan] == 0 {
					page.Plans = append(page.Plans, s.Plans[piece.Plan-1])
					plans[piece.Plan] = len(page.Plans)
				}
				f.Plan = plans[piece.Plan]
			}
			page.Pieces = append(page.Pieces, publication.Piece{Figure: f})
		case piece.Planned() && todo != nil:
			page.Pieces = append(page.Pieces, publication.Piece{Text: todo(piece)})
		case piece.Kind == Heading && piece.Text != "":
			page.Pieces = append(page.Pieces, publication.Piece{Heading: piece.Text})
		case piece.Kind == Paragraph && piece.Text != "":
			page.Pieces = append(page.Pieces, publication.Piece{Text: piece.Text})
		}
	}
	return page
}

// Releases returns the answers on the page, in its order.
func (s *Sheet) Releases() (list []*task.Release) {
	for _, piece := range s.Pieces {
		if piece.Drawn() {
			list = append(list, piece.Release)
		}
	}
	return list
}
