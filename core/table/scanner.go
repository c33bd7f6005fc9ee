package table

import (
	"bytes"
	"math/bits"
)

// Scanner cuts UTF-8 text into rows (RFC 4180, and the usual deviations from it). It takes the text
// in chunks of any size, keeps at most one row between them, and calls back once for each row. The
// fields are slices of the chunk; nothing is copied or allocated unless a field holds doubled
// quotes or a row spans two chunks.
//
// There are three readers. quick reads clean rows, many at a time. It leaves other rows to careful
// if their fields are pieces of the text, and the rest to scan, which reads anything and defines
// what a row is.
//
// Rows and flaws depend on the text alone. Cost: one look at each byte; a forgotten quote costs a
// second look at up to MaxFieldBytes bytes or MaxFieldLines lines, at most once a row.
type Scanner struct {
	delimiter byte
	quote     bool
	backslash bool // \" is a quote inside quotes
	mark      byte // the quote character
	anyCR     bool // a CR alone ends a row
	onlyCR    bool // and nothing else does
	trim      bool
	keepBlank bool
	maxLines  int
	maxField  int
	maxRow    int
	class     [256]byte // the bytes that end a run of plain ones
	bare      [256]byte // the same where quotes are plain
	quoteBits uint64    // all ones, or 0 where quotes are plain characters
	maxQuick  int       // bytes that quick reads at a time
	columns   uint32    // fields of a row; 0 if unknown

	onRow  func(*Row) error
	onRows func(*batch) error // takes the rows that quick reads; nil when onRow does
	onFlaw func(Flaw)         // may be nil

	carry    []byte // the unfinished row
	wanted   int    // bytes of it before it is read again
	skipping bool   // inside a row that is too long
	batch    batch  // the rows that quick read
	row      Row    // the row at hand
	flaws    []Flaw
	alike    int                // flaws of the last kind in a row
	empty    int                // empty lines that were reported one by one
	odd      [len(oddKinds)]int // number of flaws that careful reported one by one
	misses   int                // how often in a row quick read nothing
	rest     int                // rows until it is tried again
	blank    bool               // it is an empty line
	strict   bool               // a lone quote closes its field in what is left of it
	lines    int64              // line ends inside its quotes
	offset   int64              // text before it
	line     int64              // lines before it
	record   int64              // rows before it
}

// classes of bytes; 0 is a plain byte.
const (
	cDelimiter = 1 + iota
	cLF
	cCR
	cQuote
)

// NewScanner returns a scanner for text with the given options, of which it uses the delimiter and
// those for quotes, line ends, spaces and limits. onFlaw may be nil.
func NewScanner(o Options, onRow func(*Row) error, onFlaw func(Flaw)) (*Scanner, error) {
	o, err := o.check(false)
	if err != nil {
		return nil, err
	}
	if o.Delimiter == "" {
		return nil, refuse("delimiter", `""`, `one character, such as ","`)
	}
	s := &Scanner{
		delimiter: o.Delimiter[0],
		quote:     o.Quotes != NoneValue,
		backslash: o.Quotes == Backslash,
		mark:      '"',
		anyCR:     o.Newline == Any || o.Newline == CR,
		onlyCR:    o.Newline == CR,
		trim:      o.Trim,
		keepBlank: o.Blank == RowBlank,
		maxLines:  o.MaxFieldLines,
		maxField:  o.MaxFieldBytes,
		maxRow:    o.MaxRowBytes,
		onRow:     onRow,
		onFlaw:    onFlaw,
	}
	if o.Quote != "" {
		s.mark = o.Quote[0]
	}
	s.class[s.delimiter] = cDelimiter
	if !s.onlyCR {
		s.class['\n'] = cLF
	}
	s.class['\r'] = cCR
	s.bare = s.class
	if s.quote {
		s.class[s.mark] = cQuote
		s.quoteBits = ^uint64(0)
	}
	s.maxQuick = min(s.maxRow, s.maxField, quickBytes)
	if onFlaw == nil { // nobody wants to know
		for kind := range s.odd {
			s.odd[kind] = shownPlaces
		}
	}
	s.columns = uint32(o.Columns)
	s.row.trim, s.row.quote = s.trim, s.quote
	s.row.delimiter, s.row.mark = s.delimiter, s.mark
	return s, nil
}

// Write takes the next chunk. The caller may reuse the chunk when Write returns.
func (s *Scanner) Write(chunk []byte) error {
	if len(s.carry)+len(chunk) < s.wanted {
		s.carry = append(s.carry, chunk...)
		return nil
	}
	for len(s.carry) > 0 && len(chunk) > 0 {
		// Finish the row that began earlier, with as little copying as possible. Doubling keeps the
		// work of reading the row again linear; if chunks are shorter than that, wanted does.
		old := len(s.carry)
		k := min(len(chunk), max(old, 4<<10))
		s.carry = append(s.carry, chunk[:k]...)
		used, err := s.rows(s.carry, false)
		switch {
		case err != nil:
			return err
		case used >= old:
			s.carry, chunk = s.carry[:0], chunk[used-old:]
		default:
			s.carry, chunk = s.carry[:copy(s.carry, s.carry[used:])], chunk[k:]
		}
	}
	used, err := s.rows(chunk, false)
	if err != nil {
		return err
	}
	s.carry = append(s.carry, chunk[used:]...)
	s.wanted = min(4*len(s.carry), s.longest()+1)
	return nil
}

// longest is the number of bytes after the start of a row beyond which no forgotten quote can end
// it before maxRow.
func (s *Scanner) longest() int { return s.maxRow + 2*s.maxField + 8 }

// Close ends the text: the remaining part is the last row.
func (s *Scanner) Close() error {
	_, err := s.rows(s.carry, true)
	s.carry = s.carry[:0]
	return err
}

// rows delivers every complete row at the start of buf and returns their length in bytes.
func (s *Scanner) rows(buf []byte, final bool) (used int, err error) {
	for used < len(buf) {
		n, ok := 0, false
		if s.skipping {
			n, ok = s.skip(buf[used:], final)
		} else if n, err = s.blanks(buf[used:]); n > 0 {
			ok = true
		} else if n = s.tryQuick(buf[used:]); n > 0 {
			ok, err = true, s.deliverBatch()
		} else {
			n, ok = s.scan(buf[used:], final)
			if ok && n > s.maxRow || !ok && len(buf)-used > s.longest() {
				if err := s.tooLong(); err != nil {
					return used, err
				}
				s.skipping = true
				used, s.offset = used+s.maxRow, s.offset+int64(s.maxRow)
				continue
			}
			if ok {
				s.row.text = buf[used : used+n]
				err = s.deliver(n)
			}
		}
		if !ok {
			return used + n, err
		}
		used += n
		if err != nil {
			return used, err
		}
	}
	return used, nil
}

// tryQuick calls quick, or else careful. After they read nothing several times in a row it pauses
// for up to 15 rows: each attempt costs as much as a row.
func (s *Scanner) tryQuick(buf []byte) int {
	if s.rest > 0 {
		s.rest--
		return 0
	}
	n := s.quick(buf)
	if n == 0 {
		n = s.careful(buf)
	}
	if n > 0 {
		s.misses = 0
		return n
	}
	s.rest = 1<<s.misses - 1
	s.misses = min(s.misses+1, 4)
	return 0
}

// deliver hands over the row just scanned, of n bytes.
func (s *Scanner) deliver(n int) error {
	blank := s.blank && s.row.Len() == 1
	if blank {
		s.flaw(BlankLine, 0, 0)
	}
	if blank = blank && !s.keepBlank; !blank {
		s.record++
	}
	if s.onFlaw != nil {
		for _, f := range s.flaws {
			f.Record, f.Line = s.record, s.line+1
			s.onFlaw(f)
		}
	}
	s.row.Record, s.row.Line, s.row.Offset = s.record, s.line+1, s.offset
	s.row.inner = s.lines
	s.offset += int64(n)
	s.line += 1 + s.lines
	if blank {
		return nil
	}
	return s.onRow(&s.row)
}

// deliverBatch hands over the rows that quick or careful read.
func (s *Scanner) deliverBatch() error {
	b := &s.batch
	end := b.rows[b.n]
	s.record += int64(b.n)
	s.line += int64(b.n) + int64(end.lines)
	s.offset += int64(end.at)
	if s.onRows != nil {
		if err := s.onRows(b); err != nil {
			return err
		}
	} else {
		for i := range b.n {
			s.tell(i)
			if err := s.onRow(s.take(i)); err != nil {
				return err
			}
		}
	}
	if b.odd.careful && s.onFlaw != nil {
		s.tellAll()
	}
	return nil
}

// tooLong delivers a row without fields in place of one that is longer than maxRow.
func (s *Scanner) tooLong() error {
	s.record++
	if s.onFlaw != nil {
		s.onFlaw(Flaw{Kind: LongRow, Record: s.record, Line: s.line + 1, Byte: s.offset})
	}
	s.row.Record, s.row.Line, s.row.Offset = s.record, s.line+1, s.offset
	s.row.text, s.row.quick, s.row.slow, s.row.inner = nil, false, s.row.slow[:0], 0
	s.line++
	return s.onRow(&s.row)
}

// skip drops the rest of a row that is too long, up to the first line end.
func (s *Scanner) skip(buf []byte, final bool) (n int, ok bool) {
	if !s.onlyCR {
		n = bytes.IndexByte(buf, '\n') + 1
	}
	if s.anyCR {
		if k := bytes.IndexByte(buf, '\r') + 1; k > 0 && (n == 0 || k < n-1) {
			if k == len(buf) && !final && !s.onlyCR {
				s.offset += int64(k - 1)
				return k - 1, false
			}
			n = k
		}
	}
	s.skipping = n == 0
	if n == 0 {
		n = len(buf)
	}
	s.offset += int64(n)
	return n, true
}

// flaw records a flaw in the row at hand: in a long run of one kind the first, and how many more
// follow.
func (s *Scanner) flaw(kind FlawKind, column, at int) {
	if k := len(s.flaws); k == 0 || s.flaws[k-1].Kind != kind {
		s.alike = 0
	}
	if s.alike++; s.alike > shownPlaces {
		s.flaws[len(s.flaws)-1].More++
		return
	}
	s.flaws = append(s.flaws, Flaw{Kind: kind, Column: column, Byte: s.offset + int64(at)})
}

// scan reads one row at the start of buf into s.row.slow and returns its length including its line
// end, or false if the row, or the byte after it that decides its end, is still missing.
func (s *Scanner) scan(buf []byte, final bool) (n int, ok bool) {
	s.row.quick, s.row.slow, s.row.starts, s.row.scratch = false, s.row.slow[:0], s.row.starts[:0],
		s.row.scratch[:0]
	s.flaws, s.lines, s.blank, s.strict = s.flaws[:0], 0, false, false
	s.alike = 0
	literal := !s.quote // quotes are plain characters in the rest of this row
	i := 0
	for {
		start := i
		if s.trim {
			i += leadingSpaces(buf[i:], s.delimiter)
		}
		var field []byte
		if !literal && i < len(buf) && buf[i] == s.mark {
			f, next, end := s.quoted(buf, i, final)
			switch end {
			case needMore:
				return 0, false
			case notClosed:
				s.flaw(UnclosedQuote, len(s.row.slow)+1, i)
				literal = true
				i = start
				continue
			}
			field, i = f, next
		} else {
			from := i
			i = s.plain(buf, i, literal, final)
			if i < 0 {
				return 0, false
			}
			field = buf[from:i]
			if s.trim {
				field = trimRight(field, s.delimiter)
			}
			s.blank = len(field) == 0 && len(s.row.slow) == 0
		}
		s.add(field, start, i)
		// buf[i] ends the field; at the end of the text there is no such byte.
		switch {
		case i == len(buf):
			return i, final
		case buf[i] == s.delimiter:
			i++
			if i == len(buf) && !final {
				return 0, false
			}
		case buf[i] == '\n':
			return i + 1, true
		default: // CR
			if i+1 < len(buf) && buf[i+1] == '\n' && !s.onlyCR {
				return i + 2, true
			}
			return i + 1, true
		}
	}
}

// add appends a field located at buf[start:at].
func (s *Scanner) add(field []byte, start, at int) {
	if len(s.row.slow) < maxColumns {
		s.row.slow = append(s.row.slow, field)
		s.row.starts = append(s.row.starts, start)
		return
	}
	if k := len(s.flaws); k == 0 || s.flaws[k-1].Kind != ManyFields {
		s.flaw(ManyFields, 0, at)
	}
}

// plain returns the end of the field without quotes that starts at buf[i], or −1 if it may
// continue.
func (s *Scanner) plain(buf []byte, i int, literal, final bool) int {
	flagged, start := false, i
	class := &s.class
	if literal {
		class = &s.bare
	}
	for {
		i += s.plainWords(buf[i:], literal)
		for i < len(buf) && class[buf[i]] == 0 {
			i++
		}
		if i == len(buf) {
			if final {
				return i
			}
			return -1
		}
		switch class[buf[i]] {
		case cDelimiter, cLF:
			return i
		case cCR:
			if i+1 == len(buf) && !final {
				return -1
			}
			if s.anyCR || i+1 < len(buf) && buf[i+1] == '\n' {
				return i
			}
			if i+1 == len(buf) {
				return i // a CR as the file's last byte ends its row
			}
			s.flaw(BareCR, len(s.row.slow)+1, i)
		case cQuote:
			if !flagged {
				kind := QuoteInUnquoted
				if leadingSpaces(buf[start:i], s.delimiter) == i-start {
					kind = SpaceBeforeQuote
				}
				s.flaw(kind, len(s.row.slow)+1, i)
				flagged = true
			}
		}
		i++
	}
}

// plainWords counts the bytes at the start of buf that do not end a run of plain ones, a word at a
// time.
func (s *Scanner) plainWords(buf []byte, literal bool) (k int) {
	const lfs, crs = '\n' * each, '\r' * each
	delimiters, ends, quotes := uint64(s.delimiter)*each, uint64(lfs), uint64(s.mark)*each
	if s.onlyCR {
		ends = crs
	}
	if literal || !s.quote {
		quotes = crs
	}
	for ; k+8 <= len(buf); k += 8 {
		w := word(buf[k:])
		stops := ^(nonZero(w^delimiters) & nonZero(w^ends) & nonZero(w^crs) & nonZero(w^quotes)) &
			high1
		if stops != 0 {
			return k + bits.TrailingZeros64(stops)/8
		}
	}
	return k
}

// endsField reports whether buf[i] is a delimiter or the start of a line end.
func (s *Scanner) endsField(buf []byte, i int) bool {
	switch buf[i] {
	case s.delimiter:
		return true
	case '\n':
		return !s.onlyCR
	case '\r':
		return s.anyCR || i+1 == len(buf) || buf[i+1] == '\n'
	}
	return false
}
