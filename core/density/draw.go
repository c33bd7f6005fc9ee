package density

import (
	"fmt"
	"math"
	"math/big"

	"hush/core/coin"
)

// MostDrawn is the largest number of values that Draw makes.
const MostDrawn = 10_000_000

// Draw makes synthetic data: count codes drawn independently from the distribution, each a cell
// with probability in proportion to its persons, in units of 2^-40 of the largest cell's, rounded
// down, and then a code of the cell, all equally likely. The law is exact. Proof: distribution.md,
// Lemma 2. Values of several columns are drawn independently of each other: whatever connects the
// columns is lost.
//
// It costs no privacy, whatever the source. step may be nil; its units are codes. Where the
// distribution is of nobody, all codes are equally likely.
func (d *Distribution) Draw(src coin.Source, count int, step coin.Step) ([]*big.Int, error) {
	if count < 0 || count > MostDrawn { // H: distribution.md count
		return nil, refuse("count", fmt.Sprint(count), "0 to %d", MostDrawn)
	}
	upTo := make([]uint64, len(d.mass))
	largest, total := 0.0, uint64(0)
	for _, m := range d.mass {
		largest = max(largest, m)
	}
	for i, m := range d.mass {
		if largest > 0 {
			total += uint64(math.Ldexp(m/largest, 40))
		}
		upTo[i] = total
	}
	codes := make([]*big.Int, count)
	for k := range codes {
		if step != nil && k%4096 == 0 {
			if err := step(int64(k), int64(count)); err != nil {
				return nil, err
			}
		}
		if total == 0 {
			codes[k] = src.UniformBig(d.Size())
			continue
		}
		u := src.Uniform(total)
		lo, hi := 0, len(upTo)-1
		for lo < hi {
			if middle := (lo + hi) / 2; upTo[middle] > u {
				hi = middle
			} else {
				lo = middle + 1
			}
		}
		width := new(big.Int).Sub(d.bounds[lo+1], d.bounds[lo])
		codes[k] = src.UniformBig(width)
		codes[k].Add(codes[k], d.bounds[lo])
	}
	return codes, nil
}
