package table

import "math/bits"

// Operations on 16 bytes at once, in kernel_wasm.s. kernel_plain.go has the same in plain Go.

// kept holds, for each pattern of quotes in a word's bytes, the positions of its other bytes, in
// order, and nothing after them.
var kept = func() (lists [256][16]byte) {
	for quotes := range lists {
		n := 0
		for others := uint8(^quotes); others != 0; others &= others - 1 {
			lists[quotes][n] = byte(bits.TrailingZeros8(others))
			n++
		}
		for ; n < 16; n++ {
			lists[quotes][n] = 0x80
		}
	}
	return lists
}()

// markBlocks finds the delimiters, quotes, LFs and CRs of each block of text, in this order.
func markBlocks(found [][4]uint64, text []byte, delimiter byte) {
	if len(found) > 0 {
		markVectors(&text[:len(found)*block][0], len(found), delimiter, &found[0])
	}
}

// finding holds the input and output of findVectors.
type finding struct {
	delimiter uint64
	quoting   uint64 // all ones, or 0 where quotes are plain characters
	fields    uint64 // of a row
	rows      uint64 // number of rows
	odd       uint64 // not 0: some rows have other numbers of fields
	quotes    uint64 // not 0: there are some
	//lint:ignore U1000 findVectors keeps it there
	inner uint64 // in a block, the line ends inside quotes
}

// findRows is find where an LF ends each row.
func (b *batch) findRows(s *Scanner) {
	f := finding{delimiter: uint64(s.delimiter), quoting: s.quoteBits, fields: uint64(s.columns)}
	if blocks := len(b.text) / block; blocks > 0 {
		findVectors(b, &f, &b.text[0], min(blocks, len(b.marks)))
	}
	b.n, b.even, b.quoted = int(f.rows), uint32(f.odd) == 0, f.quotes != 0
}

// plainBlocks counts the bytes at the start of text, in whole blocks, that are ASCII and not zero.
func plainBlocks(text []byte) int {
	if len(text) < block {
		return 0
	}
	return block * plainVectors(&text[0], len(text)/block)
}

// dropBlocks copies blocks of a text into another without their quotes; before[i] is the number of
// quotes before block i. At most one block after the copy is overwritten, and one after the last is
// read.
func dropBlocks(into, from []byte, quotes []uint64, before []uint32) {
	if blocks := len(quotes); blocks > 0 {
		_, _, _ = into[(blocks+1)*block-1], from[(blocks+1)*block-1], before[blocks-1]
		squeezeVectors(&into[0], &from[0], &quotes[0], &before[0], blocks, &kept)
	}
}

// addRows adds the rows of a batch, which joined holds without quotes.
func (m *multiset) addRows(b *batch, joined []byte) {
	var quotes *uint64
	if b.quoted {
		quotes = &b.quotes[0]
	}
	for i := b.first; i < b.n; {
		n, hash := hashVectors(m, &b.text[0], &joined[0], &b.rows[i], b.n-i, quotes,
			m.moved(b, b.rows[i].at))
		if i += n; hash < m.bound {
			m.sketch(hash)
		} else if i < b.n { // a row that may have no values
			m.add(m.joinedRow(b, joined, i))
			i++
		}
	}
}

//go:noescape
func markVectors(text *byte, blocks int, delimiter byte, found *[4]uint64)

// findVectors is findPlainly where no CR alone ends a row.
//
//go:noescape
func findVectors(b *batch, f *finding, text *byte, blocks int)

//go:noescape
func plainVectors(text *byte, blocks int) int

//go:noescape
func squeezeVectors(into, from *byte, quotes *uint64, before *uint32, blocks int,
	kept *[256][16]byte)

// hashVectors adds rows, which are at rows[0] to rows[n] of text and from start on in joined, until
// one is to be sketched or before one that may have no values. It returns how many, and the hash of
// the last one.
//
//go:noescape
func hashVectors(m *multiset, text, joined *byte, rows *place, n int, quotes *uint64,
	start uint32) (done int, last uint64)
