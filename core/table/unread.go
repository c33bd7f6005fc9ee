package table

import (
	"cmp"

	"hush/core/phrase"
)

// UnreadError says why a reader (static/readers) could not read a file that is not plain text, and
// where it noticed. It is reported when a file is opened: for a file that was surveyed, a reader
// returns the same bytes again.
type UnreadError struct {
	Format string   `json:"format"` // one of [Formats]
	Key    string   `json:"key"`    // one of those below
	Where  UnreadAt `json:"where"`
}

// UnreadAt is where a reader stopped; 0 stands for not known.
type UnreadAt struct {
	Part   int    `json:"part,omitempty"`   // from 1
	Row    int64  `json:"row,omitempty"`    // of the part, from 1, the row of names included
	Line   int64  `json:"line,omitempty"`   // of the text, from 1
	Column int    `json:"column,omitempty"` // from 1
	Name   string `json:"name,omitempty"`   // of the column
	Byte   int64  `json:"byte,omitempty"`   // of the file, from 0
}

// unreadWhy maps a reader's keys to texts: what it found, and what to do.
var unreadWhy = map[string][2]phrase.Key{
	"damaged": {"it is damaged or cut off", "fetch or save it again, or save it as CSV"},
	"encrypted": {"it is protected by a password",
		"save it without one, or save it as CSV"},
	"nested": {"a value is itself a list or an object, and a cell holds one value",
		"write each field of it as a field of its own, or leave it out"},
	"not-table": {"it is no list of objects, or of lines of one object each",
		"write one object for each row"},
	"too-large": {"it is too large to be read here: a row or a cell of more than 16 MiB, or a " +
		"table of contents that does not fit",
		"save the table as CSV"},
	"bomb": {"it unpacks to far more than a file of its size does",
		"unpack it yourself, and open what is inside"},
	"unsupported": {"it uses a way of writing that is not read here", "save the table as CSV"},
	"no-part":     {"it has no such part", "choose another part"},
	"empty":       {"it holds no table", "open another file"},
	"no-reader": {"what reads such files is not here yet, and could not be fetched",
		"go online once and open it again, or save it as CSV"},
}

func (e *UnreadError) Error() string { return e.Phrase().String() }

// Phrase is the text of the error.
func (e *UnreadError) Phrase() phrase.Phrase {
	why, ok := unreadWhy[e.Key]
	if !ok {
		why = unreadWhy["damaged"]
	}
	name := phrase.Of(cmp.Or(FormatName(e.Format), "file"))
	at := e.Where.phrase()
	if at.IsZero() {
		return phrase.Of("this file (%s) cannot be read: %s. What to do: %s", name,
			phrase.Of(why[0]), phrase.Of(why[1]))
	}
	return phrase.Of("this file (%s) cannot be read: %s (%s). What to do: %s", name,
		phrase.Of(why[0]), at, phrase.Of(why[1]))
}

// phrase says where, from the whole to the detail.
func (w UnreadAt) phrase() (at phrase.Phrase) {
	for _, f := range []struct {
		text phrase.Key
		n    int64
	}{{"part %d", int64(w.Part)}, {"row %d", w.Row}, {"line %d", w.Line},
		{"column %d", int64(w.Column)}, {"byte %d", w.Byte}} {
		detail := phrase.Of(f.text, f.n)
		if w.Name != "" && f.text == "column %d" {
			detail = phrase.Glue(detail, " “", w.Name, "”")
		}
		switch {
		case f.n == 0:
		case at.IsZero():
			at = detail
		default:
			at = phrase.Glue(at, ", ", detail)
		}
	}
	return at
}
