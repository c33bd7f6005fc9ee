package table

import (
	"slices"

	"hush/core/phrase"
)

// Problem is a group of similar places where the file is not as expected. Problems are for the
// owner's screen: their number and places are facts about the data.
type Problem struct {
	Kind   string        `json:"kind"`
	Column int           `json:"column,omitempty"` // where it is about one column, from 1
	Text   phrase.Phrase `json:"text"`             // what is there and what was expected
	Advice phrase.Phrase `json:"advice"`           // how it was read, and what to do
	Count  int64         `json:"count,string"`     // how many places
	Places []Place       `json:"places"`           // the first of them, at most shownPlaces
	Repair *Repair       `json:"repair,omitempty"` // a public change that may help
}

// Place is where a problem occurs.
type Place struct {
	// record of the file, from 1, the header included; 0 for the whole file
	Row    int64 `json:"row,string"`
	Line   int64 `json:"line,string"` // line on which the record starts, from 1
	Column int   `json:"column"`      // from 1; 0 for the whole row
	// in the text as UTF-8, unpacked and after any byte order mark
	Byte int64  `json:"byte,string"`
	Cell string `json:"cell,omitempty"` // the content, for a problem of one cell
}

// Repair proposes a public value. It takes effect only once it is confirmed and arrives in the
// parameters of the next pass: Options.With(Field, Value), or the Spec of a column when Column is
// set.
type Repair struct {
	Label  phrase.Phrase `json:"label"` // "Read the file as Windows-1252"
	Field  string        `json:"field"` // the JSON name
	Value  string        `json:"value"`
	Column int           `json:"column,omitempty"`
}

// shownPlaces is the number of places of a problem that are listed.
const shownPlaces = 20

// problems collects places by kind and column, in the order in which they first appear.
type problems struct {
	list []*Problem
	byID map[problemID]*Problem
	last *Problem // the group of the latest place
}

type problemID struct {
	kind   string
	column int
}

// add records a place in the group of this kind and column, which it returns; words makes the group
// when it is new.
func (ps *problems) add(kind string, column int, at Place, words func() Problem) *Problem {
	known := ps.last
	if known == nil || known.Kind != kind || known.Column != column {
		known = ps.byID[problemID{kind, column}]
	}
	if known == nil {
		id := problemID{kind, column}
		if ps.byID == nil {
			ps.byID = map[problemID]*Problem{}
		}
		p := words()
		p.Kind, p.Column = kind, column
		known = &p
		ps.byID[id] = known
		ps.list = append(ps.list, known)
	}
	ps.last = known
	known.Count++
	if len(known.Places) < shownPlaces {
		known.Places = append(known.Places, at)
		// A later place may have a repair where the first had none.
		if known.Repair == nil {
			known.Repair = words().Repair
		}
	}
	return known
}

func (ps *problems) all() []Problem {
	list := make([]Problem, len(ps.list))
	for i, known := range ps.list {
		list[i] = *known
	}
	return list
}

// ProblemsIn returns a list of problems with its texts in a language.
func ProblemsIn(l phrase.Language, list []Problem) []Problem {
	said := slices.Clone(list)
	for i, p := range said {
		said[i].Text, said[i].Advice = plainIn(l, p.Text), plainIn(l, p.Advice)
		if p.Repair != nil {
			repair := *p.Repair
			repair.Label = plainIn(l, repair.Label)
			said[i].Repair = &repair
		}
	}
	return said
}

func plainIn(l phrase.Language, p phrase.Phrase) phrase.Phrase { return phrase.Plain(p.In(l)) }
