// Package stage is the way from a file to an answer: how far it is open, and which part of it is
// shown on the page.
package stage

import "hush/web/state/place"

// Stage is the part of the way from a file to an answer that is open on the page. Earlier parts
// fold to a line.
type Stage int

// The stages, in order.
const (
	Landing  Stage = iota // no file
	Data                  // the file is read, and how it is read is confirmed
	Columns               // the codebook: columns are described
	Question              // the question, and what its answer will look like
	Answer                // the answer
)

// The elements to which the page takes the reader: a file that is opened, the question whether a
// person can have several rows, a new answer, the progress bar of a run, the preview of the answer,
// and the report.
const (
	DataID    = "step-data"
	PersonsID = "persons"
	ReleaseID = "release"
	BarID     = "bar"
	PreviewID = "preview"
	ReportID  = "report"
)

// Way is a person's position on the way from a file to an answer.
type Way struct {
	place.Link
	Window   place.Window // nil: there is no page
	Chosen   Stage        // the stage that was opened last
	Furthest func() Stage // the last one that can be opened
}

// Stage returns the open stage: the one chosen last, as far as the way is open.
func (w *Way) Stage() Stage { return min(w.Chosen, w.Furthest()) }

// Landed reports whether the page is where a visit begins. A file may nevertheless be open: a
// person who went back to the beginning can go on with it.
func (w *Way) Landed() bool { return w.Stage() == Landing }

// GoOn leads from the beginning to the open file.
func (w *Way) GoOn() { w.GoTo(Question) }

// GoTo opens a stage, and moves the focus to its heading.
func (w *Way) GoTo(s Stage) {
	before := w.Stage()
	w.Chosen = s
	w.Update()
	if now := w.Stage(); now != before {
		w.Reveal(now.ID())
	}
}

// Reveal moves the focus to an element, and shows it.
func (w *Way) Reveal(element string) {
	if w.Window != nil { // otherwise there is no page
		w.Window.Reveal(element)
	}
}

// ID is the ID of the stage's element, whose name is its heading.
func (s Stage) ID() string {
	switch s {
	case Columns:
		return "step-columns"
	case Question:
		return "step-question"
	case Answer:
		return ReleaseID
	}
	return DataID
}

// Reached reports whether a stage can be opened.
func (w *Way) Reached(s Stage) bool { return s <= w.Furthest() }
