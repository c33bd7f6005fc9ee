package domain

import "slices"

// width is a type that holds codes.
type width interface {
	uint8 | uint16 | uint32 | uint64
}

// SortCodes sorts codes of the given length in bits in place, with almost no memory.
//
// step may be nil; its error ends the sort and leaves the codes in no particular order. It is
// called at least every 2^20 codes visited; done counts the codes already in place.
//
// Cost: an American flag sort (McIlroy, Bostic and McIlroy 1993) by 8 bits at a time, each a linear
// pass over what is still unsorted. A sort by least significant digits with a second array was no
// faster in WebAssembly at 64 bits and up to twice as fast at 17; its memory is what large files
// lack (BenchmarkSort).
func SortCodes[T width](codes []T, bits int, step func(done, total int64) error) error {
	s := flagSorter{step: step, total: int64(len(codes))}
	return sortByDigit(&s, codes, max(0, (bits-1)/8*8))
}

// flagSorter counts the work of a sort.
type flagSorter struct {
	step        func(done, total int64) error
	done, total int64 // codes in their place
	work        int   // codes looked at since the last step
}

// stepCodes is the number of codes looked at between two steps.
const stepCodes = 1 << 20

func (s *flagSorter) tick(work int) error {
	if s.work += work; s.work < stepCodes || s.step == nil {
		return nil
	}
	s.work = 0
	return s.step(s.done, s.total)
}

// fewCodes is the number of codes up to which sorting compares them.
const fewCodes = 64

// sortByDigit sorts codes that agree in the bits from shift+8 on.
func sortByDigit[T width](s *flagSorter, codes []T, shift int) error {
	if len(codes) <= fewCodes {
		slices.Sort(codes)
		s.done += int64(len(codes))
		return nil
	}
	var next, end [256]int
	for from := 0; from < len(codes); from += stepCodes {
		part := codes[from:min(from+stepCodes, len(codes))]
		for _, c := range part {
			end[byte(c>>shift)]++
		}
		if err := s.tick(len(part)); err != nil {
			return err
		}
	}
	at := 0
	for d, n := range end {
		next[d] = at
		at += n
		end[d] = at
	}
	moved := 0
	for d := range end {
		for next[d] < end[d] {
			c := codes[next[d]]
			for b := byte(c >> shift); int(b) != d; b = byte(c >> shift) {
				c, codes[next[b]] = codes[next[b]], c
				next[b]++
				moved++
			}
			codes[next[d]] = c
			next[d]++
			if moved++; moved >= stepCodes {
				if err := s.tick(moved); err != nil {
					return err
				}
				moved = 0
			}
		}
	}
	if shift == 0 {
		s.done += int64(len(codes))
		return nil
	}
	from := 0
	for _, to := range end {
		if to > from {
			if err := sortByDigit(s, codes[from:to], shift-8); err != nil {
				return err
			}
		}
		from = to
	}
	return nil
}
