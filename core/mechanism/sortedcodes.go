package mechanism

import "math/big"

// SortedCodes are distinct codes of any number of bits, in ascending order, with the number of
// persons who have them.
type SortedCodes interface {
	// Len is the number of distinct codes.
	Len() int
	// Code returns code i. The caller does not write to it and reads it before the next call, so
	// that one number may serve for all codes.
	Code(i int) *big.Int
	// UpTo is the number of persons with codes 0 … i together.
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
