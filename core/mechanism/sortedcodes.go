package mechanism

import "math/big"

// SortedCodes are distinct codes of any number of bits, in ascending order, and how many persons
// have them.
type SortedCodes interface {
	// Len is how many distinct codes there are.
	Len() int
	// Code returns code i. It is not written to, and read before the next call only, so it may be
	// built anew in one place.
	Code(i int) *big.Int
	// UpTo is how many persons have codes 0 … i together.
	UpTo(i int) int64
}

// BigCodes are codes held as big integers: Codes and Counts have the same length.
type BigCodes struct {
	Codes  []*big.Int
	Counts []int64 // running counts: persons with codes 0 … i
}

func (c BigCodes) Len() int            { return len(c.Codes) }
func (c BigCodes) Code(i int) *big.Int { return c.Codes[i] }
func (c BigCodes) UpTo(i int) int64    { return c.Counts[i] }

var oneInt = big.NewInt(1) // never written to
