package domain

import (
	"bytes"
	"math/bits"
)

// Codes is a list of wide codes, each without zero bytes at its end.
type Codes interface {
	Len() int
	// Code returns code i. It stays the same, and must not be changed.
	Code(i int) []byte
}

// SortTexts returns the numbers of the rows in the list rows, in ascending order of their codes. No
// code is copied or moved: 16 bytes for each row hold its number and the eight bytes of its code
// that are compared.
//
// step may be nil; it occasionally receives the number of rows already in place, and its error ends
// the sort.
//
// Cost: linear in the bytes by which the codes differ. An in-place radix sort (American flag sort,
// McIlroy, Bostic and McIlroy 1993) eight bytes deep, then the next eight bytes of those alike.
func SortTexts(codes Codes, rows []uint32, step func(done, total int64) error) ([]uint32, error) {
	s := textSorter{codes: codes, step: step, total: int64(len(rows))}
	keyed := make([]keyedRow, 0, len(rows))
	for from := 0; from < len(rows); from += stepRows {
		part := rows[from:min(from+stepRows, len(rows))]
		for _, r := range part {
			keyed = append(keyed, keyedRow{row: r})
		}
		if err := s.tick(len(part)); err != nil {
			return nil, err
		}
	}
	if err := s.from(keyed, 0, false); err != nil {
		return nil, err
	}
	for i, k := range keyed {
		rows[i] = k.row
	}
	return rows, nil
}

// keyedRow is a row and bytes depth to depth+8 of its code.
type keyedRow struct {
	key uint64
	row uint32
}

type textSorter struct {
	codes Codes
	step  func(done, total int64) error
	done  int64
	total int64
	work  int64 // rows looked at since the last step
}

// stepRows is the number of rows looked at between two steps.
const stepRows = 1 << 18

// tick counts work and reports it occasionally.
func (s *textSorter) tick(work int) error {
	if s.work += int64(work); s.work < stepRows || s.step == nil {
		return nil
	}
	s.work = 0
	return s.step(s.done, s.total)
}

// fewRows is the number of rows up to which sorting compares them.
const fewRows = 24

// from sorts rows whose codes agree before depth; known says that their keys are those of depth. It
// calls itself for all parts but the largest and continues with that one, so that the depth of its
// recursion stays within the logarithm of the number of rows, however long the texts.
func (s *textSorter) from(rows []keyedRow, depth int, known bool) error {
	for {
		if len(rows) <= fewRows {
			if !known {
				s.keys(rows, depth)
			}
			s.insertion(rows, depth)
			s.done += int64(len(rows))
			return nil
		}
		var differ uint64
		more := known
		for from := 0; from < len(rows); from += stepRows {
			part := rows[from:min(from+stepRows, len(rows))]
			more = !known && s.keys(part, depth) || more
			for _, r := range part {
				differ |= r.key ^ rows[0].key
			}
			if err := s.tick(len(part)); err != nil {
				return err
			}
		}
		if !more {
			s.done += int64(len(rows)) // all end before depth: they are equal
			return nil
		}
		if differ == 0 {
			depth, known = depth+8, false
			continue
		}
		known = true
		ends, err := s.flagByDigit(rows, (bits.Len64(differ)-1)/8*8)
		if err != nil {
			return err
		}
		large := 0
		for d, to := range ends {
			if to-start(&ends, d) > ends[large]-start(&ends, large) {
				large = d
			}
		}
		for d, to := range ends {
			if from := start(&ends, d); d != large && to > from {
				if err := s.from(rows[from:to], depth, true); err != nil {
					return err
				}
			}
		}
		rows = rows[start(&ends, large):ends[large]]
	}
}

func start(ends *[256]int, d int) int {
	if d == 0 {
		return 0
	}
	return ends[d-1]
}

// keys fills in the bytes of the codes from depth on, and reports whether any code has some.
func (s *textSorter) keys(rows []keyedRow, depth int) bool {
	more := false
	for i := range rows {
		code := s.codes.Code(int(rows[i].row))
		rows[i].key = wordAt(code, depth)
		more = more || len(code) > depth
	}
	return more
}

// flagByDigit orders rows by one byte of their keys and returns where each value of it ends.
func (s *textSorter) flagByDigit(rows []keyedRow, shift int) (end [256]int, err error) {
	for from := 0; from < len(rows); from += stepRows {
		part := rows[from:min(from+stepRows, len(rows))]
		for _, r := range part {
			end[byte(r.key>>shift)]++
		}
		if err := s.tick(len(part)); err != nil {
			return end, err
		}
	}
	var next [256]int
	at := 0
	for d, n := range end {
		next[d] = at
		at += n
		end[d] = at
	}
	moved := 0
	for d := range end {
		for next[d] < end[d] {
			r := rows[next[d]]
			for b := byte(r.key >> shift); int(b) != d; b = byte(r.key >> shift) {
				r, rows[next[b]] = rows[next[b]], r
				next[b]++
				if moved++; moved == stepRows {
					moved = 0
					if err := s.tick(stepRows); err != nil {
						return end, err
					}
				}
			}
			rows[next[d]] = r
			next[d]++
		}
	}
	return end, nil
}

func (s *textSorter) insertion(rows []keyedRow, depth int) {
	for i := 1; i < len(rows); i++ {
		r := rows[i]
		j := i
		for j > 0 && s.less(r, rows[j-1], depth) {
			rows[j] = rows[j-1]
			j--
		}
		rows[j] = r
	}
}

func (s *textSorter) less(a, b keyedRow, depth int) bool {
	if a.key != b.key {
		return a.key < b.key
	}
	x, y := s.codes.Code(int(a.row)), s.codes.Code(int(b.row))
	return bytes.Compare(x[min(depth, len(x)):], y[min(depth, len(y)):]) < 0
}
