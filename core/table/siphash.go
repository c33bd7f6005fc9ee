package table

import (
	"encoding/binary"
	"math/bits"
)

// sipKey is a key of SipHash-2-4 with 128 bits of output (Aumasson and Bernstein, "SipHash: a fast
// short-input PRF", 2012; the longer output is from the authors' reference implementation). Under a
// secret key it is a pseudo-random function: nobody can make two texts collide without knowing the
// key.
type sipKey [2]uint64

// sipState is passed by value, so that it stays in registers.
type sipState struct{ v0, v1, v2, v3 uint64 }

// half is the first half of a round; the compiler does not copy a whole round into its callers.
func (s sipState) half() sipState {
	s.v0 += s.v1
	s.v1 = bits.RotateLeft64(s.v1, 13) ^ s.v0
	s.v0 = bits.RotateLeft64(s.v0, 32)
	s.v2 += s.v3
	s.v3 = bits.RotateLeft64(s.v3, 16) ^ s.v2
	return s
}

// rest is the second half.
func (s sipState) rest() sipState {
	s.v0 += s.v3
	s.v3 = bits.RotateLeft64(s.v3, 21) ^ s.v0
	s.v2 += s.v1
	s.v1 = bits.RotateLeft64(s.v1, 17) ^ s.v2
	s.v2 = bits.RotateLeft64(s.v2, 32)
	return s
}

func (s sipState) absorb(m uint64) sipState {
	s.v3 ^= m
	s = s.half().rest().half().rest()
	s.v0 ^= m
	return s
}

// squeeze returns the 128-bit hash of the absorbed bytes.
func (s sipState) squeeze() [2]uint64 {
	s.v2 ^= 0xee
	s = s.half().rest().half().rest().half().rest().half().rest()
	first := s.v0 ^ s.v1 ^ s.v2 ^ s.v3
	s.v1 ^= 0xdd
	s = s.half().rest().half().rest().half().rest().half().rest()
	return [2]uint64{first, s.v0 ^ s.v1 ^ s.v2 ^ s.v3}
}

func (key sipKey) start() sipState {
	return sipState{
		key[0] ^ 0x736f6d6570736575,
		key[1] ^ 0x646f72616e646f6d ^ 0xee,
		key[0] ^ 0x6c7967656e657261,
		key[1] ^ 0x7465646279746573,
	}
}

// hash returns the 128 bits of text under key.
func (key sipKey) hash(text []byte) [2]uint64 {
	s := key.start()
	last := uint64(len(text)) << 56
	for ; len(text) >= 8; text = text[8:] {
		s = s.absorb(binary.LittleEndian.Uint64(text))
	}
	for i, c := range text {
		last |= uint64(c) << (8 * i)
	}
	return s.absorb(last).squeeze()
}
