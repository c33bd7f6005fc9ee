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

// multiset is a keyed fingerprint of rows as a multiset. It covers their cells, and is independent
// of the order of the rows and of the packing, encoding, delimiter, quotes and line ends of the
// file. A row is its cells joined by commas, without quotes, as [readable] makes text of them; rows
// without values do not count. So cells that a question about text, numbers, lists or persons
// distinguishes differ here too, apart from commas and quotes in them.
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
// where there are quotes, a copy of the text. In the browser that makes a survey dearer by 8 %
// where no cell is quoted, by 13 % where one of six is, by 10 % where all are (BenchmarkMarks).
type multiset struct {
	seeds, factors [2]uint64 // of the key
	first, last    uint64    // the sums
	rows           uint64
	least          []uint64 // the smallest different hashes, in order
	bound          uint64   // one that is not smaller is not among them
	joined         []byte   // a row
	commas         []byte   // a batch with commas for delimiters
	bare           []byte   // and without quotes
	// by block, the number of quotes before it
	before [quickBytes / block]uint32
	masks  [2 * window]byte // all ones, then zeros
}

// Key is the secret key of fingerprints of rows.
type Key [16]byte

// window is the number of bytes that are hashed at a time.
const window = 64

// sketched is the number of smallest hashes that are kept.
const sketched = 64

func newMultiset(key Key) *multiset {
	source := sipKey{binary.LittleEndian.Uint64(key[:8]), binary.LittleEndian.Uint64(key[8:])}
	seeds, factors := source.hash([]byte("seeds")), source.hash([]byte("factors"))
	m := &multiset{seeds: seeds, factors: [2]uint64{factors[0] | 1, factors[1] | 1},
		bound: 1<<64 - 1}
	copy(m.masks[:], bytes.Repeat([]byte{0xff}, window))
	return m
}

// add adds a row, joined; a row without values adds nothing. The window of bytes after it is read
// without effect.
func (m *multiset) add(text []byte) {
	if !blankRow(text) {
		m.sum(m.hash(text))
	}
}

// blankRow reports whether a row, joined, has no values.
func blankRow(text []byte) bool {
	return (len(text) == 0 || text[0] == ',') && len(bytes.Trim(text, ",")) == 0
}

// hash returns a hash that is half mixed. Words of eight bytes go to two hashes in turn, each step
// of which is one to one. A window has no branch, because jumps are expensive in WebAssembly.
func (m *multiset) hash(text []byte) uint64 {
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
	return even ^ odd*f
}

// sum adds the hash of a row after mixing it with the finalizer of SplitMix64 (Steele, Lea and
// Flood, 2014), each half of which is a sum.
func (m *multiset) sum(hash uint64) {
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

// row adds any row.
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

// batch adds the rows of quick. valid says that their text is UTF-8.
func (m *multiset) batch(s *Scanner, b *batch, valid bool) {
	oneByOne := s.trim || !s.quote && bytes.IndexByte(b.text, '"') >= 0
	text := b.text
	if s.delimiter != ',' || cap(text) < len(text)+2*window {
		m.commas = slices.Grow(append(m.commas[:0], text...), 2*window)
		text = m.commas
	}
	if s.delimiter != ',' {
		b.list()
		for _, end := range b.ends[:b.rows[b.n].end] {
			text[end] = ','
		}
	}
	if b.quoted {
		m.unquote(b, text)
	}
	joined := text
	if b.quoted {
		joined = m.bare
	}
	if valid && !oneByOne {
		m.addRows(b, joined)
		return
	}
	for i := b.first; i < b.n; i++ {
		if oneByOne || !utf8.Valid(b.text[b.rows[i].at:b.stop(i)]) {
			m.row(s.take(i))
		} else {
			m.add(m.joinedRow(b, joined, i))
		}
	}
}

// unquote copies text, the batch's, into bare without its quotes. Excess bytes are overwritten.
func (m *multiset) unquote(b *batch, text []byte) {
	if m.bare == nil {
		m.bare = make([]byte, quickBytes+2*window)
	}
	blocks := (len(text) + block - 1) / block
	dropBlocks(m.bare, text[:len(text)+2*window], b.quotes[:blocks], m.before[:blocks])
}

// joinedRow returns row i of a batch; joined is the batch's text without quotes.
func (m *multiset) joinedRow(b *batch, joined []byte, i int) []byte {
	return joined[m.moved(b, b.rows[i].at):m.moved(b, b.stop(i))]
}

// moved returns the position, without quotes, of the byte at a position of the batch's text.
func (m *multiset) moved(b *batch, at uint32) uint32 {
	if !b.quoted {
		return at
	}
	quotes := b.quotes[at/block] & (1<<(at%block) - 1)
	return at - m.before[at/block] - uint32(bits.OnesCount64(quotes))
}

// Marks identify a data set by its rows, under a key. They are facts about the data, and stay on
// the device.
type Marks struct {
	// Rows is the fingerprint, which does not depend on the packaging of the rows; empty: no row
	// has a value.
	Rows string `json:"rows"`
	// Sketch holds the smallest hashes of its rows: two data sets that share a part of their rows
	// share that part of their sketches (Broder, "On the resemblance and containment of documents",
	// 1997). It is empty where many rows are equal, since it would say little.
	Sketch []string `json:"sketch"`
	// Alike and AlikeSketch are the same for the rows as their cells read in any kind of file:
	// dates without a midnight, and only the digits that are shown. They are empty for plain text.
	Alike       string   `json:"alike,omitempty"`
	AlikeSketch []string `json:"alikeSketch,omitempty"`
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
	// Among n different hashes, the k-th is near k/n of the range.
	few := len(m.least) < sketched
	if few || float64(m.bound)/(1<<64)*float64(m.rows) > 2*sketched {
		return marks
	}
	for _, hash := range m.least {
		marks.Sketch = append(marks.Sketch, fmt.Sprintf("%016x", hash))
	}
	return marks
}
