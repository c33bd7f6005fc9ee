package table

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math/bits"
	"slices"
	"unicode/utf8"
)

// multiset is a keyed fingerprint of rows as a multiset: of their cells, whatever the order of the
// rows and the packing, encoding, delimiter, quotes and line ends of the file. A row is its cells
// joined by commas, without quotes; rows without values do not count.
//
// # Guarantee
//
// Equal multisets have equal fingerprints. Hashes of different rows fall together as numbers of 64
// random bits would, and so do the sums, of 128 bits, of the hashes of different multisets (Clarke,
// Devadas, van Dijk, Gassend and Suh, "Incremental Multiset Hash Functions", 2003: MSet-Add-Hash,
// which wants a random function). That is an assumption about a fast function and no proof: the key
// is secret, and an accident costs a data set the account of another one. Nothing of it leaves the
// device.
//
// # Cost
//
// Two multiplications for each 16 bytes, which do not wait for each other, and five for each row;
// where there are quotes, a copy of the text. Of a survey's time that is 16 % where there are none,
// and 33 to 36 % where each row has some (profiles of BenchmarkMarks' files, native).
type multiset struct {
	seeds, factors [2]uint64 // of the key
	first, last    uint64    // the sums
	rows           uint64
	least          []uint64 // the smallest different hashes, in order
	bound          uint64   // one that is not smaller is not among them
	joined         []byte   // a row
	commas         []byte   // a batch with commas for delimiters
	bare           []byte   // and without quotes
	// how many quotes are before each of its blocks
	before [quickBytes / block]uint32
	masks  [2 * window]byte // all ones, then zeros
}

// Key is the secret of fingerprints of rows.
type Key [16]byte

// window is how many bytes are hashed at a time.
const window = 64

// sketched is how many of the smallest hashes are kept.
const sketched = 64

func newMultiset(key Key) *multiset {
	source := sipKey{binary.LittleEndian.Uint64(key[:8]), binary.LittleEndian.Uint64(key[8:])}
	seeds, factors := source.hash([]byte("seeds")), source.hash([]byte("factors"))
	m := &multiset{seeds: seeds, factors: [2]uint64{factors[0] | 1, factors[1] | 1},
		bound: 1<<64 - 1}
	copy(m.masks[:], bytes.Repeat([]byte{0xff}, window))
	return m
}

// add takes a row, joined; a row without values says nothing. The window of bytes behind it is read
// and does not count. Words of eight bytes go to two hashes in turn, each step of which is one to
// one. A window has no branch, because jumps are what is dear in WebAssembly.
func (m *multiset) add(text []byte) {
	if (len(text) == 0 || text[0] == ',') && len(bytes.Trim(text, ",")) == 0 {
		return
	}
	f, g := m.factors[0], m.factors[1]
	even, odd := m.seeds[0], m.seeds[1]^uint64(len(text))*g // no text is likely to undo that
	for {
		n := min(len(text), window)
		t, k := (*[window]byte)(text[:window]), (*[window]byte)(m.masks[window-n:])
		even = (even ^ word(t[0:8])&word(k[0:8])) * f
		odd = (odd ^ word(t[8:16])&word(k[8:16])) * g
		even, odd = even^even>>32, odd^odd>>32
		even = (even ^ word(t[16:24])&word(k[16:24])) * f
		odd = (odd ^ word(t[24:32])&word(k[24:32])) * g
		even, odd = even^even>>32, odd^odd>>32
		even = (even ^ word(t[32:40])&word(k[32:40])) * f
		odd = (odd ^ word(t[40:48])&word(k[40:48])) * g
		even, odd = even^even>>32, odd^odd>>32
		even = (even ^ word(t[48:56])&word(k[48:56])) * f
		odd = (odd ^ word(t[56:64])&word(k[56:64])) * g
		even, odd = even^even>>32, odd^odd>>32
		if text = text[n:]; len(text) == 0 {
			break
		}
	}
	hash := even ^ odd*f
	// The finalizer of SplitMix64 (Steele, Lea and Flood, 2014), each half of which is a sum.
	hash = (hash ^ hash>>30) * 0xbf58476d1ce4e5b9
	m.first += hash
	hash = (hash ^ hash>>27) * 0x94d049bb133111eb
	hash ^= hash >> 31
	m.last += hash
	m.rows++
	if hash < m.bound {
		m.sketch(hash)
	}
}

func word(text []byte) uint64 { return binary.LittleEndian.Uint64(text) }

// sketch keeps one of the smallest hashes.
func (m *multiset) sketch(hash uint64) {
	at, known := slices.BinarySearch(m.least, hash)
	if known {
		return
	}
	m.least = slices.Insert(m.least, at, hash)
	if len(m.least) >= sketched {
		m.least = m.least[:sketched]
		m.bound = m.least[sketched-1]
	}
}

// row takes any row.
func (m *multiset) row(r *Row) {
	m.joined = m.joined[:0]
	for i := range r.Len() {
		if i > 0 {
			m.joined = append(m.joined, ',')
		}
		for _, c := range readable(r.Field(i)) {
			if c != '"' {
				m.joined = append(m.joined, c)
			}
		}
	}
	m.joined = slices.Grow(m.joined, window)
	m.add(m.joined)
}

// batch takes rows of quick. valid says that their text is UTF-8.
func (m *multiset) batch(s *Scanner, b *batch, valid bool) {
	oneByOne := s.trim || !s.quote && bytes.IndexByte(b.text, '"') >= 0
	text := b.text
	if s.delimiter != ',' || cap(text) < len(text)+2*window {
		m.commas = slices.Grow(append(m.commas[:0], text...), 2*window)
		text = m.commas
	}
	if s.delimiter != ',' {
		for _, end := range b.ends[:b.rows[b.n].end] {
			text[end] = ','
		}
	}
	if b.quoted {
		m.unquote(b, text)
	}
	for i := b.first; i < b.n; i++ {
		from, to := b.rows[i].at, b.rows[i+1].at-1
		if to > from && b.text[to-1] == '\r' {
			to--
		}
		switch {
		case oneByOne || !valid && !utf8.Valid(b.text[from:to]):
			m.row(s.take(i))
		case b.quoted:
			m.add(m.bare[m.moved(b, from):m.moved(b, to)])
		default:
			m.add(text[from:to])
		}
	}
}

// unquote copies text, that of the batch, into bare without its quotes. Where a block has few of
// them, what is between them is copied, a block at a time; else they are taken out of each word.
// Bytes too many are written over.
func (m *multiset) unquote(b *batch, text []byte) {
	const few = 3
	if m.bare == nil {
		m.bare = make([]byte, quickBytes+2*window)
	}
	size, text, bare := len(text), text[:len(text)+2*window], m.bare
	to := 0
	for start := 0; start < size; start += block {
		m.before[start/block] = uint32(start - to)
		quotes := b.quotes[start/block]
		if bits.OnesCount64(quotes) > few {
			to += squeeze((*[block]byte)(bare[to:]), (*[block]byte)(text[start:]), quotes)
			continue
		}
		from := start
		for ; quotes != 0; quotes &= quotes - 1 {
			end := start + bits.TrailingZeros64(quotes)
			copyBlock((*[block]byte)(bare[to:]), (*[block]byte)(text[from:]))
			from, to = end+1, to+end-from
		}
		copyBlock((*[block]byte)(bare[to:]), (*[block]byte)(text[from:]))
		to += start + block - from
	}
}

// copyBlock is an assignment, by words: in WebAssembly that is faster.
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

// squeeze copies a block without its quotes, and returns how many bytes are left.
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

// below has, by which bytes of a word are quotes, masks of the bytes below the last three of them;
// all ones where there are fewer.
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

// without takes the last quote away.
func without(q uint8) uint8 { return q &^ (0x80 >> bits.LeadingZeros8(q)) }

// squeezed is a word without the byte just above a mask.
func squeezed(w, below uint64) uint64 { return w>>8 ^ (w^w>>8)&below }

// moved is where in bare the byte at a place of the batch's text went.
func (m *multiset) moved(b *batch, at uint32) uint32 {
	quotes := b.quotes[at/block] & (1<<(at%block) - 1)
	return at - m.before[at/block] - uint32(bits.OnesCount64(quotes))
}

// Marks tell a data set by its rows, under a key. They are facts about the data, and stay on the
// device.
type Marks struct {
	// Rows is the fingerprint, the same for the same rows in another wrapping; empty: no row has a
	// value.
	Rows string `json:"rows"`
	// Sketch are the smallest hashes of its rows: of two data sets that share rows it shares that
	// part (Broder, "On the resemblance and containment of documents", 1997). It is empty where
	// many rows are equal, so that it would say little.
	Sketch []string `json:"sketch"`
}

func (m *multiset) marks() Marks {
	if m.rows == 0 {
		return Marks{Sketch: []string{}}
	}
	var sum [24]byte
	binary.BigEndian.PutUint64(sum[:8], m.first)
	binary.BigEndian.PutUint64(sum[8:16], m.last)
	binary.BigEndian.PutUint64(sum[16:], m.rows)
	marks := Marks{Rows: hex.EncodeToString(sum[:]), Sketch: []string{}}
	// Of n different hashes, the k-th is near k/n of the way.
	few := len(m.least) < sketched
	if few || float64(m.bound)/(1<<64)*float64(m.rows) > 2*sketched {
		return marks
	}
	for _, hash := range m.least {
		marks.Sketch = append(marks.Sketch, fmt.Sprintf("%016x", hash))
	}
	return marks
}
