package table

import (
	"bytes"
	"encoding/binary"
)

// fewBlanks is the number of empty lines up to which they are read one by one: a batch is not worth
// it.
const fewBlanks = 8

// blanks reads a run of empty lines with equal line ends at the start of buf, and returns their
// length in bytes; 0 if there are few. It reports them as scan does, line by line, except for
// places that no list of problems shows.
func (s *Scanner) blanks(buf []byte) (n int, err error) {
	if len(buf) < fewBlanks || buf[0] != '\n' && buf[0] != '\r' {
		return 0, nil
	}
	end, last := []byte("\n"), 0
	switch {
	case buf[0] == '\n' && s.onlyCR:
		return 0, nil
	case buf[0] == '\r' && buf[1] == '\n' && !s.onlyCR:
		end = []byte("\r\n")
	case buf[0] == '\r' && s.anyCR:
		end, last = []byte("\r"), 1 // an LF may follow the last one
	case buf[0] == '\r':
		return 0, nil
	}
	lines := min(repeats(buf[:min(len(buf), s.maxQuick, quickFields*len(end))],
		end)-last, quickFields-1)
	if lines < fewBlanks {
		return 0, nil
	}
	s.tellBlanks(lines, len(end))
	n = lines * len(end)
	if !s.keepBlank {
		s.line += int64(lines)
		s.offset += int64(n)
		return n, nil
	}
	b := &s.batch
	b.plainly()
	b.text, b.first, b.n = buf[:n], 0, lines
	b.even, b.quoted, b.listed = s.columns == 1, false, true
	b.record, b.line, b.offset = s.record, s.line, s.offset
	for i := range lines {
		at := uint32(i * len(end))
		b.rows[i] = place{at: at, end: uint32(i)}
		b.ends[i] = at + uint32(len(end)) - 1
	}
	b.rows[lines] = place{at: uint32(n), end: uint32(lines)}
	return n, s.deliverBatch()
}

// tellBlanks reports this many empty lines that begin here: one by one as many as are shown, and
// the rest at once.
func (s *Scanner) tellBlanks(lines, size int) {
	if s.onFlaw == nil {
		return
	}
	for i := range lines {
		f := Flaw{Kind: BlankLine, Record: s.record, Line: s.line + int64(i) + 1,
			Byte: s.offset + int64(i*size)}
		if s.keepBlank {
			f.Record += int64(i) + 1
		}
		if s.empty < shownPlaces {
			s.empty++
			s.onFlaw(f)
			continue
		}
		f.More = int64(lines - i - 1)
		s.onFlaw(f)
		return
	}
}

// repeats counts how often unit stands at the start of text.
func repeats(text, unit []byte) int {
	pattern := uint64(unit[0]) | uint64(unit[len(unit)-1])<<8
	pattern |= pattern << 16
	pattern |= pattern << 32
	n := 0
	for ; len(text) >= 8 && binary.LittleEndian.Uint64(text) == pattern; n += 8 / len(unit) {
		text = text[8:]
	}
	for ; bytes.HasPrefix(text, unit); n++ {
		text = text[len(unit):]
	}
	return n
}
