//go:build !wasm

package table

import (
	"encoding/binary"
	"math/bits"
)

// What kernel_wasm.s does to 16 bytes at once, in plain Go, eight bytes at a time. Tests compare
// the two.

// markBlocks finds the delimiters, quotes, LFs and CRs of each block of text, in this order.
func markBlocks(found [][4]uint64, text []byte, delimiter byte) {
	delimiters := uint64(delimiter) * each
	for i := range found {
		f := &found[i]
		f[0], f[1], f[2], f[3] = marks((*[block]byte)(text[i*block:]), delimiters)
	}
}

// marks returns the positions of delimiters, quotes, LFs and CRs.
//
// All four are ASCII. So the low seven bits of a byte are those of one of them unless their
// exclusive or and 127 together reach the eighth bit. The eighth bits of the eight words are put
// together, of each word in a column, and turned at the end.
func marks(text *[block]byte, delimiters uint64) (d, q, l, cr uint64) {
	const quotes, lfs, crs = '"' * each, '\n' * each, '\r' * each
	w0 := binary.LittleEndian.Uint64(text[0:8])
	w1 := binary.LittleEndian.Uint64(text[8:16])
	w2 := binary.LittleEndian.Uint64(text[16:24])
	w3 := binary.LittleEndian.Uint64(text[24:32])
	w4 := binary.LittleEndian.Uint64(text[32:40])
	w5 := binary.LittleEndian.Uint64(text[40:48])
	w6 := binary.LittleEndian.Uint64(text[48:56])
	w7 := binary.LittleEndian.Uint64(text[56:64])
	other := w0&high1>>7 | w1&high1>>6 | w2&high1>>5 | w3&high1>>4 |
		w4&high1>>3 | w5&high1>>2 | w6&high1>>1 | w7&high1
	w0, w1, w2, w3, w4, w5, w6, w7 = w0&low7, w1&low7, w2&low7, w3&low7, w4&low7, w5&low7, w6&low7,
		w7&low7
	d = turned(^(other | (w0^delimiters+low7)&high1>>7 | (w1^delimiters+low7)&high1>>6 |
		(w2^delimiters+low7)&high1>>5 | (w3^delimiters+low7)&high1>>4 |
		(w4^delimiters+low7)&high1>>3 | (w5^delimiters+low7)&high1>>2 |
		(w6^delimiters+low7)&high1>>1 | (w7^delimiters+low7)&high1))
	q = turned(^(other | (w0^quotes+low7)&high1>>7 | (w1^quotes+low7)&high1>>6 |
		(w2^quotes+low7)&high1>>5 | (w3^quotes+low7)&high1>>4 |
		(w4^quotes+low7)&high1>>3 | (w5^quotes+low7)&high1>>2 |
		(w6^quotes+low7)&high1>>1 | (w7^quotes+low7)&high1))
	l = turned(^(other | (w0^lfs+low7)&high1>>7 | (w1^lfs+low7)&high1>>6 |
		(w2^lfs+low7)&high1>>5 | (w3^lfs+low7)&high1>>4 |
		(w4^lfs+low7)&high1>>3 | (w5^lfs+low7)&high1>>2 |
		(w6^lfs+low7)&high1>>1 | (w7^lfs+low7)&high1))
	if (w0^crs+low7)&(w1^crs+low7)&(w2^crs+low7)&(w3^crs+low7)&
		(w4^crs+low7)&(w5^crs+low7)&(w6^crs+low7)&(w7^crs+low7)&high1 != high1 {
		cr = turned(
			^(other | (w0^crs+low7)&high1>>7 | (w1^crs+low7)&high1>>6 |
				(w2^crs+low7)&high1>>5 | (w3^crs+low7)&high1>>4 |
				(w4^crs+low7)&high1>>3 | (w5^crs+low7)&high1>>2 |
				(w6^crs+low7)&high1>>1 | (w7^crs+low7)&high1))
	}
	return d, q, l, cr
}

// turned has bit 8i + k of m as its bit 8k + i: rows of a square of bits as columns (Warren,
// Hacker's Delight, 7-3).
func turned(m uint64) uint64 {
	t := (m ^ m>>7) & 0x00aa00aa00aa00aa
	m ^= t ^ t<<7
	t = (m ^ m>>14) & 0x0000cccc0000cccc
	m ^= t ^ t<<14
	t = (m ^ m>>28) & 0x00000000f0f0f0f0
	return m ^ t ^ t<<28
}

// findRows is find where an LF ends each row.
func (b *batch) findRows(s *Scanner) { b.findPlainly(s) }

// plainBlocks counts the bytes at the start of text, in whole pieces of 32, that are ASCII and not
// 0.
func plainBlocks(text []byte) int {
	k := 0
	for ; k+32 <= len(text); k += 32 {
		four := (*[32]byte)(text[k:])
		w0, w1 := binary.LittleEndian.Uint64(four[0:8]), binary.LittleEndian.Uint64(four[8:16])
		w2, w3 := binary.LittleEndian.Uint64(four[16:24]), binary.LittleEndian.Uint64(four[24:32])
		if (w0|w1|w2|w3|^(nonZero(w0)&nonZero(w1)&nonZero(w2)&nonZero(w3)))&high1 != 0 {
			break
		}
	}
	return k
}

// dropBlocks copies blocks of a text into another without their quotes; before[i] is the number of
// quotes before block i. Where a block has few of them, the parts between them are copied, a block
// at a time; otherwise they are removed from each word. At most one block after the copy is
// overwritten, and one after the last is read.
func dropBlocks(into, from []byte, quotes []uint64, before []uint32) {
	const few = 3
	to := 0
	for i, quotes := range quotes {
		start := i * block
		before[i] = uint32(start - to)
		if bits.OnesCount64(quotes) > few {
			to += squeeze((*[block]byte)(into[to:]), (*[block]byte)(from[start:]), quotes)
			continue
		}
		at := start
		for ; quotes != 0; quotes &= quotes - 1 {
			end := start + bits.TrailingZeros64(quotes)
			copyBlock((*[block]byte)(into[to:]), (*[block]byte)(from[at:]))
			at, to = end+1, to+end-at
		}
		copyBlock((*[block]byte)(into[to:]), (*[block]byte)(from[at:]))
		to += start + block - at
	}
}

// copyBlock is an assignment in words, which is faster in WebAssembly.
func copyBlock(d, s *[block]byte) {
	binary.LittleEndian.PutUint64(d[0:8], word(s[0:8]))
	binary.LittleEndian.PutUint64(d[8:16], word(s[8:16]))
	binary.LittleEndian.PutUint64(d[16:24], word(s[16:24]))
	binary.LittleEndian.PutUint64(d[24:32], word(s[24:32]))
	binary.LittleEndian.PutUint64(d[32:40], word(s[32:40]))
	binary.LittleEndian.PutUint64(d[40:48], word(s[40:48]))
	binary.LittleEndian.PutUint64(d[48:56], word(s[48:56]))
	binary.LittleEndian.PutUint64(d[56:64], word(s[56:64]))
}

// squeeze copies a block without its quotes, and returns the number of bytes left.
func squeeze(into, from *[block]byte, quotes uint64) (at int) {
	for k := 0; k < block; k += 8 {
		q := uint8(quotes)
		n := bits.OnesCount64(uint64(q))
		b := &below[q]
		w := squeezed(squeezed(squeezed(word(from[k:]), b[0]), b[1]), b[2])
		if n > len(b) {
			for q = without(without(without(q))); q != 0; q = without(q) {
				w = squeezed(w, below[q][0])
			}
		}
		binary.LittleEndian.PutUint64(into[at:], w)
		at += 8 - n
		quotes >>= 8
	}
	return at
}

// below holds, for each pattern of quotes in a word's bytes, masks of the bytes below the last
// three quotes; all ones where there are fewer.
var below = func() (masks [256][3]uint64) {
	for i := range masks {
		q := uint8(i)
		for k := range masks[i] {
			masks[i][k] = 1<<64 - 1
			if q != 0 {
				masks[i][k] = 1<<(8*(bits.Len8(q)-1)) - 1
			}
			q = without(q)
		}
	}
	return masks
}()

// without removes the last quote.
func without(q uint8) uint8 { return q &^ (0x80 >> bits.LeadingZeros8(q)) }

// squeezed returns a word without the byte just above a mask.
func squeezed(w, below uint64) uint64 { return w>>8 ^ (w^w>>8)&below }

// addRows adds the rows of a batch, which joined holds without quotes.
func (m *multiset) addRows(b *batch, joined []byte) {
	for i := b.first; i < b.n; i++ {
		m.add(m.joinedRow(b, joined, i))
	}
}
