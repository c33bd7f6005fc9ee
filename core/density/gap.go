package density

import (
	"math"

	"hush/core/coin"
	"hush/core/domain"
)

// Gap returns the number of persons by which the distribution function is most wrong: the largest
// difference, over all places of the domain, between the number of codes before it and the number
// of the distribution's persons before it, the latter rounded down.
//
// It is not private: it is a score that one replaced person moves by at most 1, for a distribution
// that was released before (H: distribution.md released; Proof: Lemma 3 there). The codes are as
// long as those of Size − 1; *param.Error (codes) for others. step may be nil and learns no
// progress, since how long it takes depends on the data; its error ends the search.
func (d *Distribution) Gap(codes domain.Sorted, step coin.Step) (int64, error) {
	if err := checkCodes(codes, bitsOf(d.Size())); err != nil {
		return 0, err
	}
	a := &approximation{at: d.bounds, value: make([]int64, len(d.bounds))}
	for i, upTo := range d.upTo {
		a.value[i+1] = int64(math.Floor(min(upTo, 1<<52)))
	}
	gap := int64(0)
	parts := []part[place]{newPlaces(codes, a)}
	for looked := 0; len(parts) > 0; looked++ {
		if step != nil && looked%(1<<12) == 0 {
			if err := step(0, 1); err != nil {
				return 0, err
			}
		}
		p := parts[len(parts)-1]
		parts = parts[:len(parts)-1]
		upper, _, best := p.bounds()
		if gap = max(gap, best); upper > gap {
			parts = append(parts, p.split()...)
		}
	}
	return gap, nil
}
