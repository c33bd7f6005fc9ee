package basic

// Cuts finds the bin of a code: bin i holds the codes from start i up to before the next start.
type Cuts struct {
	starts []uint64
	shift  uint
	// first has the bin of each code that is a multiple of 2^shift, up to the last start; and then
	// the last bin.
	first []uint32
}

// cutSlots is the largest number of codes whose bins Cuts stores: 4 kB.
const cutSlots = 1 << 10

// NewCuts takes up to 2^32 starts, ascending, the first of them 0. They must not be written to.
func NewCuts(starts []uint64) *Cuts {
	c := &Cuts{starts: starts}
	last := len(starts) - 1
	for starts[last]>>c.shift >= cutSlots {
		c.shift++
	}
	bin := 0
	for slot := range starts[last]>>c.shift + 1 {
		for bin < last && starts[bin+1] <= slot<<c.shift {
			bin++
		}
		c.first = append(c.first, uint32(bin))
	}
	c.first = append(c.first, uint32(last))
	return c
}

// Bin returns the bin of a code, in the time of a table lookup where bins are wide.
func (c *Cuts) Bin(code uint64) uint64 {
	slot := code >> c.shift
	if slot >= uint64(len(c.first)-1) {
		return uint64(len(c.starts) - 1)
	}
	lo, hi := c.first[slot], c.first[slot+1]
	for lo < hi {
		if mid := (lo + hi + 1) / 2; c.starts[mid] <= code {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return uint64(lo)
}
