package density

// rising returns the nearest rising list (least squares): isotonic regression by pooling adjacent
// violators. It is nowhere further from a rising list than x was at its worst. Proof: merr.md,
// Accuracy.
func rising(x []float64) []float64 { return weightedRising(x, nil) }

// weightedRising is rising with weighted squares; nil means equal weights.
func weightedRising(x, weights []float64) []float64 {
	type pool struct {
		mean, weight float64
		count        int
	}
	var pools []pool
	for i, v := range x {
		p := pool{v, 1, 1}
		if weights != nil {
			p.weight = weights[i]
		}
		for k := len(pools) - 1; k >= 0 && pools[k].mean >= p.mean; k-- {
			q := pools[k]
			weight := q.weight + p.weight
			if weight > 0 {
				p.mean = (q.mean*q.weight + p.mean*p.weight) / weight
			}
			p.weight, p.count = weight, q.count+p.count
			pools = pools[:k]
		}
		pools = append(pools, p)
	}
	result := make([]float64, 0, len(x))
	for _, p := range pools {
		for range p.count {
			result = append(result, p.mean)
		}
	}
	return result
}
