package table

import "hush/core/domain"

// Summary is what [Survey] found. It is for the owner's screen; only what was confirmed goes further.
type Summary struct {
	Options  Options    `json:"options"`  // those given, and a proposal for each that was left open
	Findings []Finding  `json:"findings"` // why the proposals
	Fields   []Field    `json:"fields"`
	Width    int        `json:"width"`       // how many fields most of the first rows have, whatever Options say; 0 without rows
	Rows     int64      `json:"rows,string"` // records below the header
	Bytes    int64      `json:"bytes,string"`
	Text     int64      `json:"text,string"` // bytes of text, unpacked and as UTF-8
	Preview  [][]string `json:"preview"`     // the first rows as they are
	Problems []Problem  `json:"problems"`
}

// Finding explains one proposal.
type Finding struct {
	Field string `json:"field"` // the JSON name in Options
	Value string `json:"value"`
	Why   string `json:"why"`
}

// Field is a column as the file shows it.
type Field struct {
	Column int         `json:"column"` // from 1
	Name   string      `json:"name"`   // as in the header; empty without one
	Guess  domain.Spec `json:"guess"`  // a kind and a notation, from a sample of the rows; never bounds
	Why    string      `json:"why"`    // why the guess
}
