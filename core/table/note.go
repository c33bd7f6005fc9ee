package table

import "hush/core/phrase"

// Note is what a reader (static/readers) says of the table that it made of a file, for the owner's
// screen only: nothing is wrong, but the owner might take the table for another one.
type Note struct {
	Key    string `json:"key"` // one of those of Phrase
	Count  int64  `json:"count,omitempty"`
	Row    int64  `json:"row,omitempty"`    // of the part, from 1
	To     int64  `json:"to,omitempty"`     // a last row
	Column int    `json:"column,omitempty"` // from 1
}

// Phrase is the text of the note. Of a key that is not known it is empty.
func (n Note) Phrase() phrase.Phrase {
	switch n.Key {
	case "sheet-rows":
		return phrase.Of("The table is rows %d to %d of the sheet, from the first to the last in "+
			"which anything stands: an empty row between them counts, those above and below do "+
			"not.", n.Row, n.To)
	case "merged":
		return phrase.Count(n.Count,
			"Cells are merged in row %[1]d, column %[2]d: the first of them has the value, the "+
				"others are empty.",
			"Cells are merged in row %d, column %d and elsewhere, in %d places: the first cell of "+
				"each has the value, the others are empty.", n.Row, n.Column, n.Count)
	case "hidden-rows":
		return phrase.Count(n.Count, "A row that is hidden in the sheet is read too.",
			"%d rows that are hidden in the sheet are read too.", n.Count)
	}
	return phrase.Phrase{}
}
