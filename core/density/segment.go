package density

import "math"

// smoothed returns the list that is constant on few stretches and nearest to x (least squares),
// where each stretch costs the penalty. It is found exactly, by dynamic programming over the start
// of the last stretch; a start is dropped for good once it lags by the penalty. For noise of
// standard deviation σ on each entry, a penalty of 4σ² joins what differs only by noise, and little
// else. It sees noisy counts only: post-processing. Proof: histogram.md, Theorem 1.
//
// Reference: Killick, Fearnhead, Eckley, "Optimal Detection of Changepoints With a Linear
// Computational Cost", 2012.
func smoothed(x []float64, penalty float64) []float64 {
	n := len(x)
	sum, squares := make([]float64, n+1), make([]float64, n+1)
	for i, v := range x {
		sum[i+1], squares[i+1] = sum[i]+v, squares[i]+v*v
	}
	cost, start := make([]float64, n+1), make([]int, n+1)
	cost[0] = -penalty
	var at []float64
	starts := []int{0}
	for end := 1; end <= n; end++ {
		best := math.Inf(1)
		at = at[:0]
		for _, i := range starts {
			whole := sum[end] - sum[i]
			c := cost[i] + squares[end] - squares[i] - whole*whole/float64(end-i)
			if at = append(at, c); c+penalty < best {
				best, start[end] = c+penalty, i
			}
		}
		cost[end] = best
		kept := starts[:0]
		for k, i := range starts {
			if at[k] <= best {
				kept = append(kept, i)
			}
		}
		starts = append(kept, end)
	}
	result := make([]float64, n)
	for end := n; end > 0; end = start[end] {
		mean := (sum[end] - sum[start[end]]) / float64(end-start[end])
		for i := start[end]; i < end; i++ {
			result[i] = mean
		}
	}
	return result
}
