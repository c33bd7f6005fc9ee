package domain

import (
	"encoding/binary"
)

// Digits reads cells of up to eight plain digits, with a point where the domain has one, as most
// numbers are. It reads a whole column at once, eight bytes at a time and without a branch for a
// digit: several times as fast as Encode.
type Digits struct {
	lo, hi int64
	scale  uint // digits behind the point
	mark   byte
}

// DigitsOf is the reader of a domain's plain cells; nil where it has none.
func DigitsOf(d Domain) *Digits {
	g, ok := d.(*grid)
	const most = 6 // digits behind a point, with one before it
	if !ok || g.step != 1 || g.plain < 8 || g.notation.scale > most {
		return nil
	}
	return &Digits{lo: g.lo, hi: g.hi, scale: uint(g.notation.scale), mark: g.notation.mark}
}

const eachByte = 0x0101010101010101

// Encode reads the cells text[starts[i]:ends[i]] into codes, all as long, and appends to rest
// which it leaves to the domain's own Encode. What it reads that would read alike.
func (d *Digits) Encode(text []byte, starts, ends []uint32, codes []uint64, rest []int) []int {
	starts, codes = starts[:len(ends)], codes[:len(ends)]
	// Of the eight bytes that end with the cell, in the order of the text from the lowest on, the
	// point's place, and the bytes before it.
	point := 8 * (7 - d.scale)
	before := uint64(1)<<point - 1
	mark := uint64(d.mark^'0') << point
	for i, end := range ends {
		size := end - starts[i]
		if size-1 >= 8 || end < 8 {
			rest = append(rest, i)
			continue
		}
		// '0' is 0 here, and so is what stands before the cell.
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
