// Package publication is a page of figures: what its author wrote, and releases in their order.
package publication

import (
	"hush/core/ask"
	"hush/core/task"
)

// Page is a publication. All of it is public.
type Page struct {
	Title string `json:"title"`
	Lead  string `json:"lead,omitempty"` // the paragraph below the title
	// Publisher and Source are lines of the author's: who publishes, and what the data are.
	Publisher string  `json:"publisher,omitempty"`
	Source    string  `json:"source,omitempty"`
	Date      string  `json:"date,omitempty"`  // ISO 8601, of the day it was written
	Build     string  `json:"build,omitempty"` // which Hush wrote it: the hash of its bundle
	Pieces    []Piece `json:"pieces"`
	// Plans are figures that were drawn as one plan and cost what it costs. Figures of no plan cost
	// what each costs by itself.
	Plans []Plan `json:"plans,omitempty"`
}

// Piece is one part of a page, in its order: a heading, a paragraph, or a figure.
type Piece struct {
	Heading string  `json:"heading,omitempty"`
	Text    string  `json:"text,omitempty"`
	Figure  *Figure `json:"figure,omitempty"`
}

// Figure is a released answer on a page. Figures with one and the same Release, a pointer, show one
// draw twice; releases that are only equal may have been drawn apart, and cost as much.
type Figure struct {
	// Sentence is the author's, above the picture; empty: the answer's own headline.
	Sentence string        `json:"sentence,omitempty"`
	Release  *task.Release `json:"release,omitempty"`
	// Plan is the plan of Page.Plans that it was drawn with, from 1; 0: it was drawn by itself.
	Plan int `json:"plan,omitempty"`

	again int // as it travels: the number of the figure whose release it shows again, from 1
}

// Figures returns the figures of the page, in their order: Figures()[0] is Figure 1.
func (p Page) Figures() (all []*Figure) {
	for _, piece := range p.Pieces {
		if piece.Figure != nil {
			all = append(all, piece.Figure)
		}
	}
	return all
}

// Plan is the limit within which figures that were drawn together had to stay.
type Plan struct {
	Delta string `json:"delta"` // δ of all, see ask.Several
	// Questions are all recipes of the plan, with their ε, in the order in which they were priced:
	// also those that are not on the page, since they are part of the price.
	Questions []ask.Recipe `json:"questions"`
}
