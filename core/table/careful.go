package table

import (
	"math"
	"math/bits"
)

// careful reads rows that are not clean, many at a time, if their fields are nevertheless pieces of
// the text: quotes and CRs that are characters, quotes that nothing closes. It goes from one
// delimiter, quote or line end to the next, as scan goes from byte to byte, and its result is the
// same.

// cleanRows is how many consecutive clean rows it reads before it leaves the text to quick again.
const cleanRows = 16

// oddKinds are the flaws of rows that careful reads.
var oddKinds = [...]FlawKind{UnclosedQuote, QuoteInQuoted, QuoteInUnquoted, BareCR}

const (
	oddUnclosed = iota
	oddInQuoted
	oddInUnquoted
	oddCR
)

// oddities holds what a batch of careful has besides its rows.
type oddities struct {
	// Flaws of the rows: the first of each kind are reported one by one, and the rest counted, with
	// 16 bits for each kind, since a batch has fewer bytes than that can count.
	flaws []oddFlaw
	told  int // how many of flaws were reported
	more  uint64

	careful bool                // it is one
	literal [quickFields]uint32 // by row, from where on quotes are characters
	closed  bool                // a field in quotes closes
	inside  bool                // a row with a CR in a field has as many fields as the options say

	marks  [quickBytes / block][3]uint64 // delimiters, quotes, and LFs and CRs, by block
	marked int                           // blocks
}

// oddFlaw is a flaw in a row of the batch.
type oddFlaw struct {
	kind, row, column int
	at                int // in the text
}

// careful reads rows at the start of buf into s.batch and returns their length in bytes. It stops
// before a row that is incomplete, too long or blank, before one with a field that is no piece of
// the text, and before one with a backslash or spaces in front of a lone quote.
func (s *Scanner) careful(buf []byte) int {
	b, o := &s.batch, &s.batch.odd
	b.first, b.n = 0, 0
	if s.quote && s.mark != '"' || s.backslash || s.anyCR || s.trim {
		return 0
	}
	b.plainly()
	b.listed = true
	o.careful, o.closed, o.inside, o.marked = true, false, false, 0
	buf = buf[:min(len(buf), s.maxQuick)]
	delimiter, columns := s.delimiter, int(s.columns)
	// the block at hand, its remaining delimiters, and everything else in it
	base, d, m := -block, uint64(0), uint64(0)
	k, n := 0, 0                         // ends and rows found
	first, start := 0, 0                 // the row's first end, and where it starts
	open, stray := -1, -1                // the quote that opens the field, and a lone one behind it
	skip := 0                            // quotes before it were looked at
	flagged := -1                        // the field of which a quote was reported, by its end
	lines, inner := uint32(0), uint32(0) // line ends inside quotes, and inside quotes that are open
	literal, quotes := uint32(math.MaxUint32), ^uint64(0)
	returned, closed := false, false // for the row: a CR in it, a field in quotes
	even, clean, flaws := true, 0, 0
	more := uint64(0)
	b.rows[0], b.quoted = place{}, false
rows:
	for {
		for m == 0 {
			if open < 0 {
				k = b.endsAt(k, base, d)
			}
			if base += block; base+block > len(buf) || k+block > quickFields {
				break rows
			}
			if base/block >= o.marked {
				s.markMore(buf)
			}
			f := &o.marks[base/block]
			d, m = f[0], f[1]&quotes|f[2]
		}
		bit := m & -m
		m ^= bit
		p := base + bits.TrailingZeros64(bit)
		c := buf[p]
		kind, at := -1, p
		switch {
		case open >= 0 && c == '"':
			if p < skip {
				continue
			}
			if p+1 == len(buf) {
				break rows
			}
			next := buf[p+1]
			if next == '"' {
				skip = p + 2
				continue
			}
			if next != delimiter && next != '\n' {
				switch s.afterQuote(buf, p+1) {
				case aLoneQuote:
					if stray < 0 {
						stray = p
					}
					continue
				case anotherWay:
					break rows
				}
			}
			if stray >= 0 {
				if kind, at = oddInQuoted, stray; buf[stray-1] == '\\' {
					break rows
				}
			}
			lines += inner
			d &= -bit
			open, stray, inner, closed = -1, -1, 0, true
		case open >= 0:
			if c != '\n' {
				continue
			}
			if stray < 0 {
				if inner++; inner > uint32(s.maxLines) {
					break rows
				}
				continue
			}
			if before := buf[stray-1]; before != delimiter && before != '\n' {
				break rows // the lone quote closes the field, which is no piece of the text
			}
			// It opens a field itself: the quote before is a character.
			kind, at = oddUnclosed, open
			literal, quotes, skip = uint32(open), 0, 0
			base = open / block * block
			f, behind := &o.marks[base/block], ^uint64(1)<<(open%block)
			d, m = f[0]&behind, f[2]&behind
			open, stray, inner = -1, -1, 0
		default:
			if before := d & (bit - 1); before != 0 {
				k = b.endsAt(k, base, before)
				d ^= before
			}
			switch c {
			case '"':
				field := start
				if k > first {
					field = int(b.ends[k-1]) + 1
				}
				if p == field {
					open = p
				} else if flagged != k {
					flagged, kind = k, oddInUnquoted
					if buf[field] == ' ' || buf[field] == '\t' {
						break rows // it may consist of spaces
					}
				}
			case '\r':
				if p+1 == len(buf) {
					break rows
				}
				if buf[p+1] != '\n' {
					kind, returned = oddCR, true
				}
			default: // LF
				if k == first && (p == start || p == start+1 && buf[start] == '\r') {
					break rows
				}
				b.ends[k] = uint32(p)
				k++
				o.literal[n] = literal
				n++
				b.rows[n] = place{uint32(p + 1), uint32(k), lines}
				fits := k-first == columns
				even = even && fits
				o.closed = o.closed || closed
				o.inside = o.inside || returned && fits
				if clean++; more != o.more || len(o.flaws) > flaws {
					for _, f := range o.flaws[flaws:] {
						s.odd[f.kind]++
					}
					clean, o.more, flaws = 0, more, len(o.flaws)
				}
				if clean == cleanRows || n == quickFields-1 {
					break rows
				}
				if quotes == 0 {
					m |= o.marks[base/block][1] & -bit
					literal, quotes = math.MaxUint32, ^uint64(0)
				}
				first, start, flagged, returned, closed = k, p+1, -1, false, false
			}
		}
		if kind < 0 {
			continue
		}
		if s.odd[kind] < shownPlaces {
			o.flaws = append(o.flaws, oddFlaw{kind, n, k - first + 1, at})
		} else {
			more += 1 << (16 * kind)
		}
	}
	o.flaws = o.flaws[:flaws]
	if n == 0 {
		return 0
	}
	b.n, b.even = n, even
	b.record, b.line, b.offset = s.record, s.line, s.offset
	end := int(b.rows[n].at)
	b.text = buf[:end]
	return end
}

// The meaning of a quote inside quotes.
const (
	aLoneQuote = iota
	closesField
	anotherWay // for scan to decide
)

// afterQuote returns the meaning of a quote without another one after it, from what follows.
func (s *Scanner) afterQuote(buf []byte, at int) int {
	after := at + leadingSpaces(buf[at:], s.delimiter)
	switch {
	case after == len(buf) || buf[after] == '\r' && after+1 == len(buf):
		return anotherWay
	case !s.endsField(buf, after):
		return aLoneQuote
	case after > at:
		return anotherWay // spaces after it are left out
	}
	return closesField
}

// endsAt records ends of fields at bits of the block at base, after k others, and returns their
// number.
func (b *batch) endsAt(k, base int, found uint64) int {
	for ; found != 0; found &= found - 1 {
		b.ends[k] = uint32(base + bits.TrailingZeros64(found))
		k++
	}
	return k
}

// markMore finds the marks in the next blocks of buf.
func (s *Scanner) markMore(buf []byte) {
	b, o := &s.batch, &s.batch.odd
	from := o.marked
	found := b.found[:min(len(b.found), len(buf)/block-from)]
	markBlocks(found, buf[from*block:], s.delimiter)
	for i, f := range found {
		quotes := f[1] & s.quoteBits
		b.quotes[from+i], b.quoted = quotes, b.quoted || quotes != 0
		o.marks[from+i] = [3]uint64{f[0], quotes, f[2] | f[3]}
	}
	o.marked += len(found)
}

// tell reports the flaws in the rows of the batch up to this one.
func (s *Scanner) tell(row int) {
	b, o := &s.batch, &s.batch.odd
	for ; o.told < len(o.flaws) && o.flaws[o.told].row <= row; o.told++ {
		f := o.flaws[o.told]
		s.onFlaw(Flaw{Kind: oddKinds[f.kind], Record: b.record + int64(f.row) + 1,
			Line: b.line + int64(f.row) + int64(b.rows[f.row].lines) + 1, Column: f.column,
			Byte: b.offset + int64(f.at)})
	}
}

// tellAll reports all flaws of the batch that are not reported yet; for a kind with enough places
// shown, it reports their number.
func (s *Scanner) tellAll() {
	b := &s.batch
	s.tell(b.n)
	for more, kind := b.odd.more, 0; more != 0; more, kind = more>>16, kind+1 {
		if n := int64(uint16(more)); n > 0 {
			s.onFlaw(Flaw{Kind: oddKinds[kind], Record: b.record + 1, Line: b.line + 1,
				Byte: b.offset, More: n - 1})
		}
	}
}

// plainly resets what careful leaves in a batch.
func (b *batch) plainly() {
	o := &b.odd
	o.careful, o.flaws, o.told, o.more = false, o.flaws[:0], 0, 0
}
