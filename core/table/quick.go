package table

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
)

// quick reads clean rows, many at a time. From each 64 bytes it makes words with a bit for each
// byte: where delimiters, quotes and line ends are, which bytes are inside quotes, and whether
// every quote stands where RFC 4180 allows it. It has no branch for a byte or a field, because
// jumps and calls are expensive in WebAssembly.

// Limits on what quick reads at a time.
const (
	quickBytes  = 64 << 10
	quickFields = 4096
	block       = 64

	// number of ends and rows up to which another block is read
	roomEnds = quickFields - block
	roomRows = roomEnds - 1
)

// batch is clean rows in a piece of text.
type batch struct {
	text   []byte
	marks  [quickBytes / block]uint64  // bits of the bytes where their fields end, by block
	ends   [quickFields + block]uint32 // the same as positions, once they are listed
	listed bool
	rows   [quickFields]place // where they start; after the last, where it ends
	first  int                // the first row
	n      int                // and the one behind the last
	even   bool               // every row has as many fields as the options say
	// whether they may contain quotes, and where, by block
	quoted bool
	quotes [quickBytes / block]uint64
	found  [16][4]uint64 // by markBlocks, for the next blocks
	odd    oddities

	record, line, offset int64 // before row 0
}

// place is where a row starts.
type place struct {
	at    uint32 // in the text
	end   uint32 // index in ends of its first field's end
	lines uint32 // line ends inside quotes in the rows before
}

const (
	each  = 0x0101010101010101 // a byte repeated eight times
	low7  = 0x7f * each
	high1 = 0x80 * each
)

// nonZero returns a word in which the highest bit of each byte is set where w's byte is not zero;
// the other bits are meaningless: the low seven bits carry into the eighth unless they are zero.
func nonZero(w uint64) uint64 { return (w&low7 + low7) | w }

// quick reads the clean rows at the start of buf into s.batch and returns their length in bytes. It
// stops before a row that is incomplete, too long, blank or not clean: scan reads that row.
func (s *Scanner) quick(buf []byte) int {
	b := &s.batch
	b.first, b.n = 0, 0
	b.plainly()
	if s.mark != '"' {
		return 0
	}
	buf = buf[:min(len(buf), s.maxQuick)]
	if s.backslash {
		if k := bytes.IndexByte(buf, '\\'); k >= 0 {
			buf = buf[:k]
		}
	}
	b.text = buf
	b.find(s)
	if b.n == 0 {
		return 0
	}
	b.record, b.line, b.offset = s.record, s.line, s.offset
	n := int(b.rows[b.n].at)
	b.text = buf[:n]
	return n
}

// find fills rows and marks, and says what the rows are like.
func (b *batch) find(s *Scanner) {
	b.rows[0], b.listed = place{}, false
	if s.anyCR {
		b.findPlainly(s)
	} else {
		b.findRows(s)
	}
	if s.trim || b.rows[b.n].lines > uint32(s.maxLines) {
		b.cut(s)
	}
}

// findPlainly is find in plain Go.
func (b *batch) findPlainly(s *Scanner) {
	buf, quoting, fields := b.text, s.quoteBits, s.columns
	k, n := 0, 0                // ends of fields and rows found
	var inside uint64           // all ones inside quotes
	var closed, returned uint64 // 1 after a closing quote, after a CR outside quotes
	// 1 where a quote opens a field or doubles the one before; initially at the start of a row
	var mayOpen, mayNotEnd uint64 = 1, 1
	// line ends inside quotes; the row's first end; whether rows have other numbers of fields
	var lines, first, odd uint32
	var quotes uint64
	anyCR, onlyCR := s.anyCR, s.onlyCR
	for at := 0; at+block <= len(buf) && k <= roomEnds && n <= roomRows; at += block {
		i := at / block % len(b.found)
		if i == 0 {
			markBlocks(b.found[:min(len(b.found), (len(buf)-at)/block)], buf[at:], s.delimiter)
		}
		d, q, l, cr := b.found[i][0], b.found[i][1], b.found[i][2], b.found[i][3]
		ends, open := l, uint64(0) // of lines; 1 if it is open whether a CR ends one
		if anyCR {
			l, cr, ends, open = lonely(buf, at, l, cr, onlyCR)
		}
		q &= quoting
		quotes |= q
		b.quotes[at/block] = q
		in := q ^ q<<1
		in ^= in << 2
		in ^= in << 4
		in ^= in << 8
		in ^= in << 16
		in ^= in<<32 ^ inside
		structure, rows := (d|l)&^in, l&^in
		opens, closes := q&in, q&^in
		bad := opens&^((structure|closes)<<1|mayOpen) |
			(closes<<1|closed)&^(structure|opens|cr) |
			rows&(rows<<1|mayNotEnd) | open
		if cr|returned != 0 {
			cr &^= in
			bad |= (cr<<1|returned)&^l | cr&(rows<<1|mayNotEnd)
			returned = cr >> 63
		}
		mayOpen, mayNotEnd, closed, inside = (structure|closes)>>63, rows>>63, closes>>63,
			-(in >> 63)
		if bad != 0 {
			rows &= bad&-bad - 1
		}
		b.marks[at/block] = structure
		inner := ends & in
		for ; rows != 0; rows &= rows - 1 {
			upTo := rows ^ (rows - 1)
			end := uint32(k + bits.OnesCount64(structure&upTo))
			odd |= end - first ^ fields
			first = end
			n++
			b.rows[n] = place{uint32(at + bits.OnesCount64(upTo)), end,
				lines + uint32(bits.OnesCount64(inner&upTo))}
		}
		if bad != 0 {
			break
		}
		k += bits.OnesCount64(structure)
		lines += uint32(bits.OnesCount64(inner))
	}
	b.n, b.even, b.quoted = n, odd == 0, quotes != 0
}

// list fills ends, unless they are filled already. Counting rows does not need them.
func (b *batch) list() {
	if b.listed {
		return
	}
	b.listed = true
	k := 0
	for i, m := range b.marks[:(b.rows[b.n].at+block-1)/block] {
		at, count := uint32(i*block), bits.OnesCount64(m)
		// Twelve ends at a time, more than most blocks have; entries listed beyond the last will be
		// overwritten.
		for i := k; m != 0; i += 12 {
			to := (*[12]uint32)(b.ends[i:])
			to[0] = at + uint32(bits.TrailingZeros64(m))
			m &= m - 1
			to[1] = at + uint32(bits.TrailingZeros64(m))
			m &= m - 1
			to[2] = at + uint32(bits.TrailingZeros64(m))
			m &= m - 1
			to[3] = at + uint32(bits.TrailingZeros64(m))
			m &= m - 1
			to[4] = at + uint32(bits.TrailingZeros64(m))
			m &= m - 1
			to[5] = at + uint32(bits.TrailingZeros64(m))
			m &= m - 1
			to[6] = at + uint32(bits.TrailingZeros64(m))
			m &= m - 1
			to[7] = at + uint32(bits.TrailingZeros64(m))
			m &= m - 1
			to[8] = at + uint32(bits.TrailingZeros64(m))
			m &= m - 1
			to[9] = at + uint32(bits.TrailingZeros64(m))
			m &= m - 1
			to[10] = at + uint32(bits.TrailingZeros64(m))
			m &= m - 1
			to[11] = at + uint32(bits.TrailingZeros64(m))
			m &= m - 1
		}
		k += count
	}
}

// lonely finds the CRs of a block at buf[at] that end a row: all of them if nothing else ends rows,
// otherwise those without an LF after them. It returns where rows may end, the CRs before an LF,
// where lines end inside quotes, and the last byte if the byte after that CR is missing.
func lonely(buf []byte, at int, l, cr uint64, only bool) (rows, paired, lines, open uint64) {
	if only {
		return cr, 0, cr, 0
	}
	paired = cr & (l >> 1)
	if cr>>63 != 0 {
		switch next := at + block; {
		case next == len(buf):
			open = 1 << 63
		case buf[next] == '\n':
			paired |= 1 << 63
		}
	}
	return l | cr&^paired, paired, l | cr, open
}

// cut ends the batch before the first row with too many line ends in quotes, or with only spaces to
// trim.
func (b *batch) cut(s *Scanner) {
	for i := range b.n {
		p, next := b.rows[i], b.rows[i+1]
		blank := false
		if s.trim && next.end-p.end == 1 {
			text := bytes.TrimRight(b.text[p.at:next.at], "\r\n")
			blank = leadingSpaces(text, s.delimiter) == len(text)
		}
		if blank || next.lines-p.lines > uint32(s.maxLines) {
			b.n = i
			return
		}
	}
}

// stop returns where the text of row i ends, before its line end.
func (b *batch) stop(i int) uint32 {
	end := b.rows[i+1].at - 1
	if end > b.rows[i].at && b.text[end-1] == '\r' {
		end--
	}
	return end
}

// take makes row i of the batch the row at hand.
func (s *Scanner) take(i int) *Row {
	b, r := &s.batch, &s.row
	b.list()
	p, next := b.rows[i], b.rows[i+1]
	r.Record = b.record + int64(i) + 1
	r.Line = b.line + int64(i) + int64(p.lines) + 1
	r.Offset = b.offset + int64(p.at)
	r.text, r.base, r.ends = b.text[p.at:next.at], p.at, b.ends[p.end:next.end]
	r.quick, r.scratch, r.inner = true, r.scratch[:0], int64(next.lines-p.lines)
	r.literal = math.MaxUint32
	if b.odd.careful {
		r.literal = b.odd.literal[i]
	}
	return r
}

// column returns where a field of the rows from the first on starts and ends, including quotes, in
// an even batch whose ends are listed.
func (b *batch) column(field int, starts, ends []uint32) {
	starts = starts[:len(ends)]
	for i := range ends {
		p := b.rows[b.first+i]
		at := int(p.end) + field
		starts[i], ends[i] = p.at, b.ends[at]
		if field > 0 {
			starts[i] = b.ends[at-1] + 1
		}
	}
}

// cell returns a field of row i of an even batch whose ends are listed.
func (s *Scanner) cell(i, field int) []byte {
	b := &s.batch
	p := b.rows[i]
	start := p.at
	if field > 0 {
		start = b.ends[int(p.end)+field-1] + 1
	}
	cell := b.text[start:b.ends[int(p.end)+field]]
	if len(cell) == 0 || cell[0] == '"' || s.trim || field == int(s.columns)-1 {
		return s.take(i).Field(field)
	}
	return cell
}

// countByte is bytes.Count for one byte, which works byte by byte in WebAssembly.
func countByte(buf []byte, c byte) int {
	count := 0
	pattern := uint64(c) * each
	for len(buf) >= 8 {
		count += bits.OnesCount64(^nonZero(binary.LittleEndian.Uint64(buf)^pattern) & high1)
		buf = buf[8:]
	}
	for _, b := range buf {
		if b == c {
			count++
		}
	}
	return count
}
