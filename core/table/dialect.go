package table

import (
	"bytes"
	"cmp"
	"strings"

	"hush/core/phrase"
)

// decideDialect proposes line ends, quotes, the delimiter and whether to trim, as far as these are
// open, from the first bytes as UTF-8.
func (s *Survey) decideDialect(head []byte, whole bool) {
	o := &s.opts
	open := o.Delimiter == ""
	if d, ok := separatorLine(head); ok && open && o.Skip == 0 {
		o.Delimiter, o.Skip = d, 1
		s.found("delimiter", d, phrase.Of("the first line names it, as Excel writes it"))
		s.found("skip", "1", phrase.Of("the first line names the delimiter, as Excel writes it"))
	}
	s.decideNewline(head, whole)
	if !open {
		return
	}
	try := *o
	best, close := s.cuttingOf(head, try, whole)
	if o.Quote == "" && o.Quotes == Double && singleQuoted(head) {
		try.Quote = "'"
		test := try
		if escaped(head, try.Quote) {
			test.Quotes = Backslash
		}
		if quoted, near := s.cuttingOf(head, test, whole); quoted.score >= best.score {
			o.Quote, best, close = try.Quote, quoted, near
			s.found("quote", o.Quote, phrase.Of("fields start and end with it"))
		}
	}
	if try = *o; o.Quotes == Double && escaped(head, cmp.Or(o.Quote, `"`)) {
		try.Quotes = Backslash
		if quoted, near := s.cuttingOf(head, try, whole); quoted.score >= best.score {
			o.Quotes, best, close = Backslash, quoted, near
			s.found("quotes", Backslash, phrase.Of("backslashes stand in front of quotes"))
		}
	}
	if o.Delimiter == "" {
		o.Delimiter = best.delimiter
		s.found("delimiter", o.Delimiter, best.why())
		if close {
			s.problems.add("unsureDelimiter", 0, Place{}, unsureDelimiter)
		}
	}
	if best.trim && !o.Trim {
		o.Trim = true
		s.found("trim", "true", phrase.Of("a space follows nearly every delimiter"))
	}
}

// cuttingOf returns the cutting with the delimiter of the options, or the best one.
func (s *Survey) cuttingOf(head []byte, o Options, whole bool) (best cutting, close bool) {
	if o.Delimiter == "" {
		return bestCutting(head, o, whole)
	}
	best = cut(head, o, whole)
	best.rate()
	return best, false
}

// separatorLine returns the delimiter that a first line "sep=;" names.
func separatorLine(head []byte) (delimiter string, ok bool) {
	line := head[:max(0, bytes.IndexAny(head, "\r\n"))]
	if len(line) == 7 && line[0] == '"' && line[6] == '"' {
		line = line[1:6]
	}
	if len(line) != 5 || !bytes.EqualFold(line[:4], []byte("sep=")) || !delimiterByte(line[4]) {
		return "", false
	}
	return string(line[4:]), true
}

// decideNewline proposes the line ends. Where both LFs and lone CRs occur outside quotes, one of
// them is part of cells: the line ends are those that cut the rows alike.
func (s *Survey) decideNewline(head []byte, whole bool) {
	o := &s.opts
	if o.Newline != "" {
		return
	}
	o.Newline = LF
	lf, cr := lineEnds(head)
	switch {
	case cr == 0 || cr == 1 && lf == 0 && !whole && head[len(head)-1] == '\r':
	case lf == 0 && cr > 0:
		o.Newline = Any
		s.found("newline", Any, phrase.Of("lines end with CR alone"))
	case cr > 2 && 4*cr >= lf:
		byLF, _ := s.cuttingOf(head, *o, whole)
		try := *o
		try.Newline = CR
		byCR, _ := s.cuttingOf(head, try, whole)
		if byCR.width >= 2 && 20*byCR.count >= 17*len(byCR.rows) && (byLF.width < 2 ||
			5*byLF.count < 4*len(byLF.rows) || len(byCR.rows) > 2*len(byLF.rows) ||
			byCR.score > byLF.score+0.2) {
			o.Newline = CR
			s.found("newline", CR, phrase.Of("lines end with CR alone, and cells hold line feeds"))
		}
	}
}

// escaped reports whether backslashes stand before quotes inside fields: at least two, and in one
// of twenty lines.
func escaped(head []byte, quote string) bool {
	found, lines := 0, bytes.Count(head, []byte("\n"))+bytes.Count(head, []byte("\r"))
	for i := 1; i+1 < len(head); i++ {
		if head[i] == quote[0] && head[i-1] == '\\' &&
			!strings.ContainsRune("\r\n,;\t|\x01~^: ", rune(head[i+1])) {
			found++
		}
	}
	return found > 1 && 20*found >= lines
}

// lineEnds counts LFs, and CRs without an LF, outside double quotes; a CR at the end counts if
// there is text before it.
func lineEnds(head []byte) (lf, cr int) {
	inside := false
	for i, c := range head {
		switch {
		case c == '"':
			inside = !inside
		case inside:
		case c == '\n':
			lf++
		case c == '\r' && (i+1 == len(head) || head[i+1] != '\n'):
			cr++
		}
	}
	if inside && lf+cr == 0 { // a quote that nothing closes
		lf = bytes.Count(head, []byte("\n"))
		cr = bytes.Count(head, []byte("\r")) - bytes.Count(head, []byte("\r\n"))
	}
	return lf, cr
}

// singleQuoted reports whether single quotes open and close fields: many of them, as many at the
// start of a field as at the end of one, and far more than double quotes.
func singleQuoted(head []byte) bool {
	if bytes.Count(head, []byte("'")) < 2 {
		return false
	}
	var edge [256]bool // what may stand beside a field
	for _, c := range "\r\n,;\t|\x01~^: " {
		edge[c] = true
	}
	lines, opens, closes, doubles := 0, 0, 0, 0
	before := byte('\n')
	for i, c := range head {
		after := byte('\n')
		if i+1 < len(head) {
			after = head[i+1]
		}
		switch {
		case c == '\n', c == '\r' && after != '\n':
			lines++
		case c == '"' && edge[before]:
			doubles++
		case c == '\'' && edge[before] && after == '\'' && (i+2 == len(head) || edge[head[i+2]]):
			// an empty field
		case c == '\'' && edge[before]:
			opens++
		case c == '\'' && edge[after] && before != '\'':
			closes++
		}
		before = c
	}
	gap := max(opens-closes, closes-opens)
	return opens >= 2 && 4*opens >= lines && 10*gap <= opens && opens > 4*doubles
}
