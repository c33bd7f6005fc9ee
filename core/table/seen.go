package table

import "bytes"

// seen records evidence against repairs: a repair that would spoil rows which are read correctly
// now must not be offered.
type seen struct {
	quoted  bool  // a field in quotes that closes
	letters bool  // a character of UTF-8 beyond ASCII
	bare    int64 // the latest row with a CR that ends no line
	inside  bool  // such a row has as many fields as the others
}

// row looks at a row that quick did not read.
func (s *seen) row(r *Row, columns int) {
	if r.Record == s.bare && r.Len() == columns {
		s.inside = true
	}
	if s.quoted || !r.quote || r.text == nil || bytes.IndexByte(r.text, r.mark) < 0 {
		return
	}
	for i := range r.Len() {
		start := r.text[r.At(i):]
		start = start[leadingSpaces(start, r.delimiter):]
		field := r.Field(i)
		if len(start) > 0 && start[0] == r.mark && (len(field) == 0 || field[0] != r.mark) {
			s.quoted = true
			return
		}
	}
}

// against reports whether the repair for a kind of problem would spoil rows which are read
// correctly now.
func (s *seen) against(kind string, columns int) bool {
	switch kind {
	case string(UnclosedQuote):
		return s.quoted
	case string(BareCR):
		return s.inside || columns == 1
	case "badUTF8":
		return s.letters
	}
	return false
}
