package domain

import (
	"encoding/binary"
	"math/bits"
	"strings"
)

// Many reads many cells of a column at once, several times as fast as one after another, if they
// look as most cells do. It agrees with the domain's own Encode on every cell that it reads. It
// needs none of the clean-up that a table does before, since it reads no cell with a quote or a
// line end.
type Many interface {
	// Encode reads the cells text[starts[i]:ends[i]] into codes, which has the same length, and
	// appends the indices of those it leaves to rest.
	Encode(text []byte, starts, ends []uint32, codes []uint64, rest []int) []int
}

// ManyOf returns a fast reader for a domain; nil if nothing is faster than its Encode.
func ManyOf(d Domain) Many {
	switch d := d.(type) {
	case *grid:
		const most = 6 // digits behind a point, with one before it
		if d.step == 1 && d.plain >= 8 && d.notation.scale <= most {
			return &plainDigits{d.lo, d.hi, uint(d.notation.scale), d.notation.mark}
		}
	case *categories:
		const most = 1 << 12
		if len(d.names)+len(d.spec.Spellings) <= most {
			return newShortNames(d)
		}
	}
	return nil
}

// plainDigits reads cells of up to eight plain digits, with a point where the domain has one, eight
// bytes at a time and without a branch for a digit.
type plainDigits struct {
	lo, hi int64
	scale  uint // digits behind the point
	mark   byte
}

const eachByte = 0x0101010101010101

func (d *plainDigits) Encode(text []byte, starts, ends []uint32, codes []uint64, rest []int) []int {
	starts, codes = starts[:len(ends)], codes[:len(ends)]
	// The point's position among the eight bytes that end with the cell, counted from the lowest
	// on, and the bytes before it.
	point := 8 * (7 - d.scale)
	before := uint64(1)<<point - 1
	mark := uint64(d.mark^'0') << point
	for i, end := range ends {
		size := end - starts[i]
		if size-1 >= 8 || end < 8 {
			rest = append(rest, i)
			continue
		}
		// '0' is 0 here, and so is everything before the cell.
		w := binary.LittleEndian.Uint64(text[end-8:end]) ^ '0'*eachByte
		w = w >> (64 - 8*size) << (64 - 8*size)
		if d.scale > 0 {
			if w&(0xff<<point) != mark || size <= uint32(d.scale)+1 {
				rest = append(rest, i)
				continue
			}
			w = w&^(before<<8|0xff) | w&before<<8
		}
		if (w|(w+(0x80-10)*eachByte))&(0x80*eachByte) != 0 {
			rest = append(rest, i)
			continue
		}
		// pairs, fours, eight: the lower byte counts ten times, a hundred times, …
		w = w * (1 + 10<<8) >> 8 & 0x00ff00ff00ff00ff
		w = w * (1 + 100<<16) >> 16 & 0x0000ffff0000ffff
		w = w * (1 + 10000<<32) >> 32
		if v := int64(w); v < d.lo || v > d.hi {
			rest = append(rest, i)
		} else {
			codes[i] = uint64(v) - uint64(d.lo)
		}
	}
	return rest
}

// shortNames finds names of up to 16 bytes by their first and last eight.
type shortNames struct {
	slots []shortName // a power of two, at least twice as many as names
	shift uint
}

// shortName is a name and its code; there is none if the length is 0. For up to 8 bytes first is 0,
// and the bytes are the highest of last.
type shortName struct {
	first, last  uint64
	length, code uint32
}

func newShortNames(c *categories) *shortNames {
	size := max(4, bits.Len(uint(2*(len(c.names)+len(c.spec.Spellings))-1)))
	s := &shortNames{make([]shortName, 1<<size), uint(64 - size)}
	add := func(name string, code uint32) {
		if len(name) > 16 || strings.ContainsAny(name, "\"\r\n") {
			return
		}
		text := append(make([]byte, 8, 24), name...)
		first, last := ends8(text, 8, uint32(len(text)))
		i := s.home(first, last)
		for s.slots[i].length > 0 {
			i = (i + 1) & (len(s.slots) - 1)
		}
		s.slots[i] = shortName{first, last, uint32(len(name)), code}
	}
	for code, name := range c.names {
		add(name, uint32(code))
	}
	for _, spelling := range c.spec.Spellings {
		cell := strings.Trim(spelling.Cell, " \t")
		if code, ok := c.codes.find([]byte(cell)); ok {
			add(cell, code)
		}
	}
	return s
}

// ends8 returns the first and last eight bytes of text[start:end], which has 1 to 16 bytes, with
// eight bytes before its end.
func ends8(text []byte, start, end uint32) (first, last uint64) {
	last = binary.LittleEndian.Uint64(text[end-8 : end])
	if size := end - start; size <= 8 {
		return 0, last >> (64 - 8*size) << (64 - 8*size)
	}
	return binary.LittleEndian.Uint64(text[start : start+8]), last
}

// home is the slot where the search for a name begins.
func (s *shortNames) home(first, last uint64) int {
	const odd = 0x9e3779b97f4a7c15
	h := (last ^ bits.RotateLeft64(first, 29)*odd) * odd
	return int((h ^ h>>32) * odd >> s.shift)
}

func (s *shortNames) Encode(text []byte, starts, ends []uint32, codes []uint64, rest []int) []int {
	starts, codes = starts[:len(ends)], codes[:len(ends)]
	mask := len(s.slots) - 1
	for i, end := range ends {
		size := end - starts[i]
		if size-1 >= 16 || end < 8 {
			rest = append(rest, i)
			continue
		}
		first, last := ends8(text, starts[i], end)
		at := s.home(first, last) & mask
		for {
			n := &s.slots[at]
			if n.last == last && n.first == first && n.length == size {
				codes[i] = uint64(n.code)
				break
			}
			if n.length == 0 {
				rest = append(rest, i)
				break
			}
			at = (at + 1) & mask
		}
	}
	return rest
}
