package table

import "bytes"

// A quoted field ends at a quote that the end of the field follows, perhaps behind spaces. Two
// things go wrong with that, and neither may swallow rows in silence:
//
//   - No such quote comes within the limits. Then the opening quote is a character, and so are all
//     the others
//     of its row.
//   - A quote comes that is neither doubled nor at the end, as in "the "best" one". It is a
//     character if the field closes on the same line; otherwise it closes the field, and what
//     follows up to the delimiter is added as it is. After one of the latter, every such quote in
//     that row closes its field at once. But where it stands at the start of a field or line, the
//     quote before was the one that nothing closes.

// quotedEnd says how a quoted field ends.
type quotedEnd int

const (
	isClosed quotedEnd = iota
	needMore
	notClosed
)

// quoted reads the field whose opening quote is buf[open], and returns it without quotes along with
// its end.
func (s *Scanner) quoted(buf []byte, open int, final bool) (field []byte, next int, end quotedEnd) {
	i, lines := open+1, 0
	marked := false // it contains a doubled quote, or one after a backslash
	stray, strayLines, strayMarked := -1, 0, false
	for {
		k := bytes.IndexByte(buf[i:], s.mark)
		stop := i + k
		if k < 0 {
			stop = len(buf)
		}
		ends := 0
		if !s.onlyCR {
			ends = countByte(buf[i:stop], '\n')
		}
		if s.anyCR {
			ends += countByte(buf[i:stop], '\r')
		}
		lines += ends
		ended := k < 0 && final || stop-open-1 > s.maxField
		switch {
		case stray >= 0 && (ended || ends > 0):
			if s.endsField(buf, stray-1) {
				return nil, 0, notClosed // rather, it opens a field itself
			}
			s.strict = true
			return s.closeAt(buf, open, stray, strayLines, strayMarked, final)
		case ended || lines > s.maxLines:
			return nil, 0, notClosed
		case k < 0:
			return nil, 0, needMore
		}
		i = stop + 1
		if s.backslash && backslashes(buf[open+1:stop])&1 == 1 {
			marked = true
			continue
		}
		if i < len(buf) && buf[i] == s.mark {
			// Many pairs may follow, none of which means anything else.
			marked = true
			i++
			i += 2 * repeats(buf[i:max(i, min(len(buf), open+s.maxField))], []byte{s.mark, s.mark})
			continue
		}
		after := i + leadingSpaces(buf[i:], s.delimiter)
		if after-i > s.maxField {
			return nil, 0, notClosed
		}
		if !final && (after == len(buf) || after+1 == len(buf) && buf[after] == '\r') {
			return nil, 0, needMore
		}
		if after == len(buf) || s.endsField(buf, after) {
			if stray >= 0 {
				s.strayFlaw(buf, stray)
			}
			if after > i && !s.trim {
				s.flaw(SpaceAfterQuote, len(s.row.slow)+1, i)
			}
			s.lines += int64(lines)
			return s.unmark(buf[open+1:stop], marked), after, isClosed
		}
		if s.strict {
			return s.closeAt(buf, open, stop, lines, marked, final)
		}
		if stray < 0 {
			stray, strayLines, strayMarked = stop, lines, marked
		}
	}
}

// closeAt ends the field at the lone quote buf[stray], and appends the rest up to the end of the
// field.
func (s *Scanner) closeAt(buf []byte, open, stray, lines int, marked,
	final bool) (field []byte, next int, end quotedEnd) {
	s.strayFlaw(buf, stray)
	next = s.plain(buf, stray+1, true, final)
	if next < 0 {
		return nil, 0, needMore
	}
	start := len(s.row.scratch)
	if marked {
		s.unmark(buf[open+1:stray], true)
	} else {
		s.row.scratch = append(s.row.scratch, buf[open+1:stray]...)
	}
	s.row.scratch = append(s.row.scratch, buf[stray+1:next]...)
	s.lines += int64(lines)
	return s.row.scratch[start:], next, isClosed
}

func (s *Scanner) strayFlaw(buf []byte, stray int) {
	kind := QuoteInQuoted
	if buf[stray-1] == '\\' {
		kind = BackslashQuote
	}
	s.flaw(kind, len(s.row.slow)+1, stray)
}

// unmark halves doubled quotes, and drops backslashes before quotes and backslashes.
func (s *Scanner) unmark(field []byte, marked bool) []byte {
	switch {
	case s.backslash && bytes.IndexByte(field, '\\') >= 0:
		return s.row.unescape(field)
	case marked:
		return s.row.undouble(field)
	}
	return field
}

// backslashes counts the backslashes at the end of text.
func backslashes(text []byte) int {
	k := len(text)
	for k > 0 && text[k-1] == '\\' {
		k--
	}
	return len(text) - k
}
