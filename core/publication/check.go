package publication

import (
	"strconv"
	"time"

	"hush/core/ask"
	"hush/core/phrase"
	"hush/core/task"
)

// The limits of a page. They are far above what anybody reads.
const (
	mostPieces  = 1000
	mostPlans   = 100
	longestText = 1 << 16 // in bytes, of a title, a sentence, a paragraph
)

// check refuses what cannot be a page, naming the field.
func (p Page) check() error {
	if len(p.Pieces) > mostPieces {
		return ask.Refuse("pieces", strconv.Itoa(len(p.Pieces)),
			phrase.Of("at most %d", mostPieces))
	}
	if len(p.Plans) > mostPlans {
		return ask.Refuse("plans", strconv.Itoa(len(p.Plans)), phrase.Of("at most %d", mostPlans))
	}
	if _, err := time.Parse(time.DateOnly, p.Date); err != nil && p.Date != "" {
		return ask.Refuse("date", strconv.Quote(p.Date), phrase.Of("a day such as 2026-01-31"))
	}
	texts := []string{p.Title, p.Lead, p.Publisher, p.Source, p.Build}
	for i, piece := range p.Pieces {
		parts := 0
		for _, is := range []bool{piece.Heading != "", piece.Text != "", piece.Figure != nil} {
			if is {
				parts++
			}
		}
		if parts > 1 {
			return ask.Refuse("pieces", phrase.Of("%d of several kinds", i+1),
				phrase.Of("a heading, a paragraph, or a figure"))
		}
		texts = append(texts, piece.Heading, piece.Text)
	}
	for i, f := range p.Figures() {
		switch {
		case f.Release == nil || f.Release.Answer.Result == nil || f.Release.Plan.People < 1:
			return ask.Refuse("pieces", phrase.Of("figure %d without an answer", i+1),
				phrase.Of("a released answer"))
		case noNumber(f.Release):
			return ask.Refuse("pieces", phrase.Of("figure %d without a number", i+1),
				phrase.Of("a released answer"))
		case f.Plan < 0 || f.Plan > len(p.Plans):
			return ask.Refuse("plan", strconv.Itoa(f.Plan), phrase.Of("0 to %d", len(p.Plans)))
		}
		texts = append(texts, f.Sentence)
	}
	for _, text := range texts {
		if len(text) > longestText {
			return ask.Refuse("text", phrase.Of("%d bytes", len(text)),
				phrase.Of("at most %d", longestText))
		}
	}
	return nil
}

// noNumber reports whether an answer should have numbers and has none: no chart can be drawn of it.
func noNumber(r *task.Release) bool {
	e, is := r.Answer.Result.(*task.Estimates)
	return is && len(e.Rows) == 0
}
