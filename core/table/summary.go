package table

import (
	"slices"

	"hush/core/domain"
	"hush/core/phrase"
	"hush/core/table/charset"
)

// Reading shows how lines of a file look in one encoding.
type Reading = charset.Reading

// Summary is the result of a [Survey]. It is for the owner's screen; only confirmed values go
// further.
type Summary struct {
	Options  Options   `json:"options"`  // those given, and a proposal for each that was left open
	Own      Options   `json:"own"`      // as it would be read if none had been given
	Findings []Finding `json:"findings"` // the reasons for the proposals
	// Readings show lines that are not UTF-8 in the likeliest encodings, if nothing says which one
	// applies: the first is proposed, and a person has to choose. Empty if there is nothing to
	// choose.
	Readings []Reading `json:"readings,omitempty"`
	Fields   []Field   `json:"fields"`
	// number of fields in most of the first rows, whatever Options say; 0 without rows
	Width    int        `json:"width"`
	Rows     int64      `json:"rows,string"` // records below the header
	Bytes    int64      `json:"bytes,string"`
	Text     int64      `json:"text,string"` // bytes of text, unpacked and as UTF-8
	Preview  [][]string `json:"preview"`     // the first rows as they are
	Problems []Problem  `json:"problems"`
}

// Finding explains one proposal.
type Finding struct {
	Field string        `json:"field"` // the JSON name in Options
	Value string        `json:"value"`
	Why   phrase.Phrase `json:"why"`
}

// Field is a column as the file shows it.
type Field struct {
	Column int    `json:"column"` // from 1
	Name   string `json:"name"`   // as in the header; empty without one
	// a kind and a notation, from a sample of the rows; never bounds
	Guess domain.Spec   `json:"guess"`
	Why   phrase.Phrase `json:"why"` // why the guess
}

// In returns the summary with its texts in a language.
func (s Summary) In(l phrase.Language) Summary {
	s.Findings, s.Fields = slices.Clone(s.Findings), slices.Clone(s.Fields)
	for i, f := range s.Findings {
		s.Findings[i].Why = plainIn(l, f.Why)
	}
	for i, f := range s.Fields {
		s.Fields[i].Why = plainIn(l, f.Why)
	}
	s.Problems = ProblemsIn(l, s.Problems)
	return s
}
