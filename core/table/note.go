package table

import "hush/core/phrase"

// Note is a remark of a reader (static/readers) on the table that it made from a file, for the
// owner's screen only: nothing is wrong, but the owner might take the table for another one.
type Note struct {
	Key    string `json:"key"` // one of the keys of Phrase
	Count  int64  `json:"count,omitempty"`
	Row    int64  `json:"row,omitempty"`    // of the part, from 1
	To     int64  `json:"to,omitempty"`     // a last row
	Column int64  `json:"column,omitempty"` // from 1
}

// Phrase returns the text of the note, or nothing for an unknown key.
func (n Note) Phrase() phrase.Phrase {
	first := []any{n.Count, n.Row, n.Column}
	switch n.Key {
	case "sheet-rows":
		return phrase.Of("The table is rows %d to %d of the sheet, the first and the last that "+
			"are not empty. Empty rows between them count.", n.Row, n.To)
	case "hidden-rows":
		return phrase.Of("Hidden rows (%d) are read too.", n.Count)
	case "merged":
		return phrase.Of("Merged cells (%d), first in row %d, column %d: the first cell of each "+
			"group has the value, the others are empty.", first...)
	case "cut":
		return phrase.Of("Numbers with more digits than their cells show (%d), first in row %d, "+
			"column %d, are read as shown.", first...)
	case "percent":
		return phrase.Of("Percentages (%d), first in row %d, column %d, are read as fractions: "+
			"0.12 for 12 percent.", first...)
	}
	return phrase.Phrase{}
}
