package coin

import (
	"crypto/rand"
	"encoding/binary"
	rand2 "math/rand/v2"
)

// entropy hands out independent uniform 64-bit words from blocks of random bytes. Used words are
// wiped, so that a later look at the memory does not reveal noise already spent.
type entropy struct {
	block []byte
	next  int
	fill  func([]byte)
}

func (e *entropy) word() uint64 {
	if e.next == len(e.block) {
		e.fill(e.block)
		e.next = 0
	}
	b := e.block[e.next : e.next+8]
	e.next += 8
	w := binary.LittleEndian.Uint64(b)
	binary.LittleEndian.PutUint64(b, 0)
	return w
}

// NewCrypto returns the source that releases are made from: crypto/rand in blocks of 64 KiB, whose
// words are taken to be independent and uniform (H: coin.md fair-words). When the system has no
// entropy the process dies; no operation returns with less.
func NewCrypto() Source { return newBitSource(Crypto, 64<<10, fillCrypto) }

func fillCrypto(block []byte) {
	// rand.Read ends the process itself when the generator fails; the panic is for a Go where it
	// would not.
	if _, err := rand.Read(block); err != nil {
		panic("coin: no entropy: " + err.Error())
	}
}

// Seed names a reproducible stream.
type Seed uint64

// NewSeeded returns a reproducible source for teaching, tests and benchmarks; nothing drawn from it
// is private. The stream is ChaCha8 as specified by C2SP chacha8rand, keyed with the seed in
// little-endian order followed by zeros, so the same seed gives the same bits on every platform and
// with every version of Go.
func NewSeeded(seed Seed) Source {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], uint64(seed))
	stream := rand2.NewChaCha8(key)
	return newBitSource(Seeded, 1<<10, func(block []byte) { stream.Read(block) })
}

func newBitSource(origin Origin, blockSize int, fill func([]byte)) *bitSource {
	return &bitSource{entropy: entropy{block: make([]byte, blockSize), next: blockSize, fill: fill},
		origin: origin}
}
