package threshold

import "math"

// budget divides ε, δ and β among the parts of TreeLog with that many rounds, from public facts
// alone. Shares are found in floating point and turned into rationals; only how near they are to
// the best depends on that.
//
// With the requirement written as Σ c_i/x_i for losses x_i of which m_i are paid (requirement in
// treelog.md), the best x_i under Σ m_i·x_i = ε is proportional to √(c_i/m_i), and the requirement
// then is (Σ √(c_i·m_i))²/ε. What is left, how δ and β are divided, is tried on a grid.
type budget struct {
	// shares of ε: the base case; each round's last choice; each round's path and node together
	base, end, turn   float64
	pathDelta, node   float64 // shares of δ: each round's path, each round's choice of a node
	baseBeta          float64 // shares of β
	nodeBeta, endBeta float64 // each round's
	needs             float64 // estimate of the persons needed
}

// divide finds the best budget. logTop is ln of the number of codes of the base case.
func divide(rounds int, epsilon, delta, beta, logTop float64) budget {
	n := float64(rounds)
	best := budget{needs: math.Inf(1)}
	for i := 1; i < 16; i++ {
		pathDelta := float64(i) / 16 / n
		node := 1/n - pathDelta
		for b := 1.0; b <= 6; b++ {
			for c := 1.0; c <= 6; c++ {
				for e := 1.0; e <= 6; e++ {
					total := b + n*(c+e)
					try := budget{pathDelta: pathDelta, node: node, baseBeta: b / total,
						nodeBeta: c / total, endBeta: e / total}
					base := 4 * (logTop - math.Log(beta*try.baseBeta))
					end := 4 * (math.Log(3) - math.Log(beta*try.endBeta))
					turn := -5*math.Log(delta*pathDelta) - 2*math.Log(delta*node*beta*try.nodeBeta)
					roots := math.Sqrt(base) + n*math.Sqrt(end) + n*math.Sqrt(turn)
					try.needs = roots * roots / epsilon
					if try.needs < best.needs {
						try.base, try.end, try.turn = math.Sqrt(base)/roots, math.Sqrt(end)/roots,
							math.Sqrt(turn)/roots
						best = try
					}
				}
			}
		}
	}
	return best
}
