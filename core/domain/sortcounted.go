package domain

const (
	digitBits = 11
	digits    = 1 << digitBits
)

// SortCounted sorts codes of the given length in bits in place; each carries a number, which moves
// along. Equal codes keep their order. It takes as much memory again while it works.
//
// step may be nil; it receives the work done at least every 2^20 codes, and its error ends the
// sort, leaving the codes in a meaningless order.
//
// Cost: by the least significant digit first, one pass for counting and one for each 11 bits, each
// linear.
func SortCounted(codes, carried []uint64, bits int, step func(done, total int64) error) error {
	passes := (bits + digitBits - 1) / digitBits
	total := int64(passes+1) * int64(len(codes))
	var done int64
	inSteps := func(work func(from, to int)) error {
		for from := 0; from < len(codes); from += stepCodes {
			to := min(from+stepCodes, len(codes))
			work(from, to)
			done += int64(to - from)
			if step != nil {
				if err := step(done, total); err != nil {
					return err
				}
			}
		}
		return nil
	}
	// for each digit: how many, later the index of the next one
	places := make([][digits]uint32, passes)
	err := inSteps(func(from, to int) {
		for _, c := range codes[from:to] {
			for p := range places {
				places[p][c&(digits-1)]++
				c >>= digitBits
			}
		}
	})
	if err != nil {
		return err
	}
	source, target := codes, make([]uint64, len(codes))
	with, along := carried, make([]uint64, len(carried))
	for p := range passes {
		sum := uint32(0)
		for d, n := range places[p] {
			places[p][d] = sum
			sum += n
		}
		shift := uint(p * digitBits)
		err := inSteps(func(from, to int) {
			scatter(source[from:to], with[from:to], target, along, &places[p], shift)
		})
		if err != nil {
			return err
		}
		source, target, with, along = target, source, along, with
	}
	if passes%2 == 1 {
		copy(codes, source)
		copy(carried, with)
	}
	return nil
}

// scatter moves each code, and what it carries, to the next place of its digit.
func scatter(source, with, target, along []uint64, next *[digits]uint32, shift uint) {
	for i, c := range source {
		d := c >> shift & (digits - 1)
		target[next[d]], along[next[d]] = c, with[i]
		next[d]++
	}
}
