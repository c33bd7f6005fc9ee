package density

import "math"

// taut returns the shortest line from the first to the last position of a tube that runs from
// low[i] to high[i] at position i and has no width at its ends: a string pulled taut, straight
// wherever the tube allows. It rises where the middle of the tube does. Proof: hierarchy.md, Lemma
// 4. Time is linear.
//
// Reference: Davies, Kovac, "Local Extremes, Runs, Strings and Multiresolution", 2001.
func taut(low, high []float64) []float64 {
	line := make([]float64, len(low))
	at, value := 0, low[0]
	line[0] = value
	pull := func(to int, reached float64) {
		// straight from where the string is held to the next place where it is
		for i := at + 1; i <= to; i++ {
			line[i] = value + (reached-value)*float64(i-at)/float64(to-at)
		}
		at, value = to, reached
	}
	// Between where it is held last and place j the string is below the chain over the highest
	// lower ends, and above that under the lowest upper ends.
	var over, under []int
	for j := 1; j < len(low); j++ {
		over = chained(over, low, j, at, value, 1)
		for len(over) == 1 && len(under) > 0 &&
			slope(at, value, under[0], high[under[0]]) < slope(at, value, j, low[j]) {
			pull(under[0], high[under[0]])
			under = under[1:]
		}
		under = chained(under, high, j, at, value, -1)
		for len(under) == 1 && len(over) > 0 &&
			slope(at, value, over[0], low[over[0]]) > slope(at, value, j, high[j]) {
			pull(over[0], low[over[0]])
			over = over[1:]
		}
	}
	if end := len(low) - 1; at < end {
		pull(end, low[end])
	}
	return line
}

// chained adds position j to a chain that starts where the string is held, whose slopes fall (sign
// 1) or rise (−1).
func chained(chain []int, ends []float64, j, at int, value float64, sign float64) []int {
	for len(chain) > 0 {
		last, from, height := chain[len(chain)-1], at, value
		if len(chain) > 1 {
			from, height = chain[len(chain)-2], ends[chain[len(chain)-2]]
		}
		if sign*(slope(from, height, last, ends[last])-slope(last, ends[last], j, ends[j])) > 0 {
			break
		}
		chain = chain[:len(chain)-1]
	}
	return append(chain, j)
}

func slope(from int, height float64, to int, reached float64) float64 {
	return (reached - height) / float64(to-from)
}

// calmed returns the taut string around rising sums of counts, at most one noise of standard
// deviation sd from each: it removes what noise alone may have made. Where a count differs by more
// than four such noises from its neighbours on either side, the string is held fast at both its
// ends, so that single values keep their persons. counts are the measured ones, before the sums
// were made to rise.
func calmed(sums, counts []float64, sd float64) []float64 {
	const apart = 4
	room := make([]float64, len(sums)+1)
	for i := 1; i < len(sums); i++ {
		room[i] = sd
	}
	for i, c := range counts {
		if math.Abs(c-(counts[max(i-1, 0)]+counts[min(i+1, len(counts)-1)])/2) > apart*sd {
			room[i], room[i+1] = 0, 0
		}
	}
	low, high := make([]float64, len(room)), make([]float64, len(room))
	for i, s := range sums {
		low[i+1], high[i+1] = s-room[i+1], s+room[i+1]
	}
	return taut(low, high)[1:]
}
