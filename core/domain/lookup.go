package domain

import (
	"encoding/binary"
	"math/bits"
)

// lookup finds the number of a short text. Go's own map hashes with instructions that WebAssembly
// lacks, and took three times as long there. The texts are a public list, so nobody can attack it
// with collisions.
type lookup struct {
	slots []slot // a power of two, at least twice as many as texts
	shift uint
}

type slot struct {
	text string // empty: free
	code uint32
}

func newLookup(texts int) lookup {
	size := max(4, bits.Len(uint(2*texts-1)))
	return lookup{slots: make([]slot, 1<<size), shift: uint(64 - size)}
}

// add enters a text that is not empty, or returns false when it is there already. No more texts may
// be added than newLookup expected.
func (l *lookup) add(text string, code uint32) bool {
	for i := l.home([]byte(text)); ; i = (i + 1) & (len(l.slots) - 1) {
		switch s := &l.slots[i]; s.text {
		case "":
			*s = slot{text, code}
			return true
		case text:
			return false
		}
	}
}

func (l *lookup) find(text []byte) (uint32, bool) {
	for i := l.home(text); ; i = (i + 1) & (len(l.slots) - 1) {
		s := &l.slots[i]
		if s.text == string(text) {
			return s.code, len(text) > 0
		}
		if s.text == "" {
			return 0, false
		}
	}
}

// home is the slot where the search for a text begins.
func (l *lookup) home(text []byte) int {
	const odd = 0x9e3779b97f4a7c15
	h := uint64(len(text)) * odd
	for len(text) >= 8 {
		h = bits.RotateLeft64(h^binary.LittleEndian.Uint64(text), 29) * odd
		text = text[8:]
	}
	var tail uint64
	for _, c := range text {
		tail = tail<<8 | uint64(c)
	}
	h = (h ^ tail) * odd
	return int((h ^ h>>32) * odd >> l.shift)
}
