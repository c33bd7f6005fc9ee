package table

import (
	"math"
	"slices"

	"hush/core/domain"
)

// Column holds one value or none for each row kept, in as many bytes as its domain needs: 1, 2, 4
// or 8.
type Column struct {
	domain domain.Domain
	store  store
}

// store is a list of codes of one width. set overwrites an old code.
type store interface {
	len() int
	code(i int) (uint64, bool)
	read(from int, codes []uint64, has []bool)
	append(code uint64, ok bool)
	extend(codes []uint64)
	extendNone(n int)
	ahead(of []uint32, entries int) uint64
	set(i int, code uint64, ok bool)
	present() []uint64
	sorted(bits int, step func(done, total int64) error) (domain.Sorted, error)
	count(persons func(i int) int64, counts []int64) (none int64)
	bytes() int64
}

// columnWidth returns the number of bytes of a code of d, and whether none needs a bit of its own.
func columnWidth(d domain.Domain) (width int, full bool) {
	size := d.Size()
	for _, width := range []int{1, 2, 4, 8} {
		if size.BitLen() <= 8*width { // the width's largest number is then free for none
			return width, false
		}
	}
	return 8, true
}

func newColumn(d domain.Domain, rows int) *Column {
	c := &Column{domain: d}
	switch width, full := columnWidth(d); {
	case full:
		c.store = &fullStore{codes: make([]uint64, 0, rows), none: make([]uint64, 0, (rows+63)/64)}
	case width == 1:
		c.store = &codeStore[uint8]{make([]uint8, 0, rows)}
	case width == 2:
		c.store = &codeStore[uint16]{make([]uint16, 0, rows)}
	case width == 4:
		c.store = &codeStore[uint32]{make([]uint32, 0, rows)}
	default:
		c.store = &codeStore[uint64]{make([]uint64, 0, rows)}
	}
	return c
}

// Domain is the domain of the codes.
func (c *Column) Domain() domain.Domain { return c.domain }

// Len is the number of rows kept.
func (c *Column) Len() int { return c.store.len() }

// Code returns row i's code, or false for none.
func (c *Column) Code(i int) (code uint64, ok bool) { return c.store.code(i) }

// Codes reads the codes of the rows from row from on, as many as fit the two slices, which are
// equally long; has says which rows have one.
func (c *Column) Codes(from int, codes []uint64, has []bool) { c.store.read(from, codes, has) }

// Present returns the codes of the rows that have one, in the order of the file, as a new slice.
func (c *Column) Present() []uint64 { return c.store.present() }

// Sorted returns the codes of the rows that have one in ascending order, in as many bytes each as
// in the column: together with the column, twice its memory. step may be nil.
func (c *Column) Sorted(step func(done, total int64) error) (domain.Sorted, error) {
	return c.store.sorted(c.domain.Bits(), step)
}

// Bytes is the memory taken by the codes.
func (c *Column) Bytes() int64 { return c.store.bytes() }

// codeStore keeps codes in T; the largest number of T stands for none.
type codeStore[T uint8 | uint16 | uint32 | uint64] struct{ codes []T }

func (s *codeStore[T]) none() T      { return ^T(0) }
func (s *codeStore[T]) len() int     { return len(s.codes) }
func (s *codeStore[T]) bytes() int64 { return int64(cap(s.codes)) * int64(sizeOf(s.none())) }

func (s *codeStore[T]) code(i int) (uint64, bool) {
	if c := s.codes[i]; c != s.none() {
		return uint64(c), true
	}
	return 0, false
}

func (s *codeStore[T]) read(from int, codes []uint64, has []bool) {
	has = has[:len(codes)]
	for i, c := range s.codes[from : from+len(codes)] {
		codes[i], has[i] = uint64(c), c != s.none()
	}
}

func (s *codeStore[T]) append(code uint64, ok bool) {
	if !ok {
		code = math.MaxUint64
	}
	s.codes = append(s.codes, T(code))
}

func (s *codeStore[T]) extend(codes []uint64) {
	n := len(s.codes)
	s.codes = slices.Grow(s.codes, len(codes))[:n+len(codes)]
	to := s.codes[n:]
	for i, code := range codes {
		to[i] = T(code)
	}
}

func (s *codeStore[T]) extendNone(n int) {
	from := len(s.codes)
	s.codes = slices.Grow(s.codes, n)[:from+n]
	for i := range s.codes[from:] {
		s.codes[from+i] = s.none()
	}
}

func (s *codeStore[T]) set(i int, code uint64, ok bool) {
	if !ok {
		code = math.MaxUint64
	}
	s.codes[i] = T(code)
}

// ahead touches the first entry of each person, counted from 1; where the number is 0, of one of
// them.
func (s *codeStore[T]) ahead(of []uint32, entries int) (seen uint64) {
	for _, at := range of {
		seen += uint64(s.codes[int(max(at, 1)-1)*entries])
	}
	return seen
}

func (s *codeStore[T]) present() []uint64 {
	n := 0
	for _, c := range s.codes {
		if c != s.none() {
			n++
		}
	}
	to := make([]uint64, 0, n)
	for _, c := range s.codes {
		if c != s.none() {
			to = append(to, uint64(c))
		}
	}
	return to
}

func (s *codeStore[T]) sorted(bits int, step func(done, total int64) error) (domain.Sorted, error) {
	n := 0
	for _, c := range s.codes {
		if c != s.none() {
			n++
		}
	}
	codes := make([]T, 0, n)
	for _, c := range s.codes {
		if c != s.none() {
			codes = append(codes, c)
		}
	}
	if err := domain.SortCodes(codes, bits, step); err != nil {
		return nil, err
	}
	return domain.SortedCodes(codes, bits), nil
}

func (s *codeStore[T]) count(persons func(i int) int64, counts []int64) (none int64) {
	for i, c := range s.codes {
		n := int64(1)
		if persons != nil {
			n = persons(i)
		}
		if c == s.none() {
			none += n
		} else {
			counts[c] += n
		}
	}
	return none
}

// fullStore keeps codes of 64 bits of which none is to spare, and a bit for each that says “none”.
type fullStore struct{ codes, none []uint64 }

func (s *fullStore) len() int     { return len(s.codes) }
func (s *fullStore) bytes() int64 { return 8 * int64(cap(s.codes)+cap(s.none)) }

func (s *fullStore) code(i int) (uint64, bool) {
	return s.codes[i], s.none[i>>6]>>(i&63)&1 == 0
}

func (s *fullStore) read(from int, codes []uint64, has []bool) {
	for i := range codes {
		codes[i], has[i] = s.code(from + i)
	}
}

func (s *fullStore) append(code uint64, ok bool) {
	if len(s.codes)&63 == 0 {
		s.none = append(s.none, 0)
	}
	s.codes = append(s.codes, 0)
	s.set(len(s.codes)-1, code, ok)
}

func (s *fullStore) extend(codes []uint64) {
	s.codes = append(s.codes, codes...)
	for len(s.none) < (len(s.codes)+63)/64 {
		s.none = append(s.none, 0)
	}
}

func (s *fullStore) extendNone(n int) {
	for range n {
		s.append(0, false)
	}
}

func (s *fullStore) set(i int, code uint64, ok bool) {
	s.codes[i] = code
	s.none[i>>6] &^= 1 << (i & 63)
	if !ok {
		s.none[i>>6] |= 1 << (i & 63)
	}
}

func (s *fullStore) ahead(of []uint32, entries int) (seen uint64) {
	for _, at := range of {
		seen += s.codes[int(max(at, 1)-1)*entries]
	}
	return seen
}

func (s *fullStore) present() []uint64 {
	to := make([]uint64, 0, len(s.codes))
	for i := range s.codes {
		if code, ok := s.code(i); ok {
			to = append(to, code)
		}
	}
	return to
}

func (s *fullStore) sorted(bits int, step func(done, total int64) error) (domain.Sorted, error) {
	codes := s.present()
	if err := domain.SortCodes(codes, bits, step); err != nil {
		return nil, err
	}
	return domain.SortedCodes(codes, bits), nil
}

func (s *fullStore) count(func(int) int64, []int64) int64 {
	panic("table: internal error: 2^64 counts") // Histogram refuses before
}

func sizeOf[T uint8 | uint16 | uint32 | uint64](none T) int {
	switch uint64(none) {
	case math.MaxUint8:
		return 1
	case math.MaxUint16:
		return 2
	case math.MaxUint32:
		return 4
	}
	return 8
}
