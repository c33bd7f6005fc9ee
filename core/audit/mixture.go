package audit

import (
	"fmt"
	"math/big"

	"hush/core/coin"
)

// Mixture returns the exact law of a two-step draw whose first step is an unbounded geometric draw:
// j = 0, 1, … with probability (1 − 1/r)·r^(−j), then an outcome from law(j). It needs r > 1, q > 1
// and that each outcome's mass under law(j) is a polynomial in q^(−j) of at most the given degree;
// that holds where law(j) flips at most that many coins, each with a chance a + b·q^(−j), as noisy
// comparisons with a threshold far out on one side do.
//
// It reads law(0) … law(degree), which fix the polynomials, sums the series term by term, and
// checks the polynomials at law(degree + 1). Nothing is cut.
func Mixture[T comparable](r, q coin.Base, degree int,
	law func(j uint64) (*coin.Law[T], error)) (*coin.Law[T], error) {
	laws := make([]*coin.Law[T], degree+2)
	points := make([]*big.Rat, degree+2) // q^(−j)
	for j := range laws {
		var err error
		if laws[j], err = law(uint64(j)); err != nil {
			return nil, err
		}
		points[j] = new(big.Rat).Inv(q.Pow(uint64(j)).Rat())
	}
	// The mean of the polynomial Π (x − x_k)/(x_j − x_k), which is 1 at point j and 0 at the
	// others, under x = q^(−j).
	means := make([]*big.Rat, degree+1)
	for j := range means {
		basis := []*big.Rat{big.NewRat(1, 1)}
		for k, x := range points[:degree+1] {
			if k != j {
				basis = timesLinear(basis, x, new(big.Rat).Sub(points[j], x))
			}
		}
		means[j] = new(big.Rat)
		for d, c := range basis {
			means[j].Add(means[j], new(big.Rat).Mul(c, geometricMean(r, q, uint64(d))))
		}
	}
	mixed := coin.NewLaw[T]()
	for _, o := range outcomes(laws) {
		mass := new(big.Rat)
		for j, mean := range means {
			mass.Add(mass, new(big.Rat).Mul(mean, laws[j].Mass(o)))
		}
		// H: audit.md one-polynomial
		if extrapolate(points, laws, o, degree).Cmp(laws[degree+1].Mass(o)) != 0 {
			return nil, fmt.Errorf("audit: mass of outcome %v is no polynomial of degree %d", o,
				degree)
		}
		mixed.Add(o, mass)
	}
	return mixed, nil
}

// timesLinear multiplies a polynomial, lowest coefficient first, by (x − root)/scale.
func timesLinear(p []*big.Rat, root, scale *big.Rat) []*big.Rat {
	product := make([]*big.Rat, len(p)+1)
	for i := range product {
		product[i] = new(big.Rat)
	}
	for i, c := range p {
		c := new(big.Rat).Quo(c, scale)
		product[i+1].Add(product[i+1], c)
		product[i].Sub(product[i], c.Mul(c, root))
	}
	return product
}

// geometricMean returns Σ (1 − 1/r)·r^(−j)·q^(−jd) = (1 − 1/r)/(1 − r^(−1)·q^(−d)).
func geometricMean(r, q coin.Base, d uint64) *big.Rat {
	step := new(big.Rat).Inv(r.Rat())
	num := new(big.Rat).Sub(one, step)
	return num.Quo(num, new(big.Rat).Sub(one, step.Quo(step, q.Pow(d).Rat())))
}

// extrapolate evaluates at the last point the polynomial through the points before it (Lagrange).
func extrapolate[T comparable](points []*big.Rat, laws []*coin.Law[T], o T, degree int) *big.Rat {
	last, sum := points[degree+1], new(big.Rat)
	for j := range degree + 1 {
		term := new(big.Rat).Set(laws[j].Mass(o))
		for k := range degree + 1 {
			if k != j {
				term.Mul(term, new(big.Rat).Sub(last, points[k]))
				term.Quo(term, new(big.Rat).Sub(points[j], points[k]))
			}
		}
		sum.Add(sum, term)
	}
	return sum
}

// outcomes lists the outcomes of all laws, each once.
func outcomes[T comparable](laws []*coin.Law[T]) (all []T) {
	seen := map[T]bool{}
	for _, l := range laws {
		for _, o := range l.Outcomes() {
			if !seen[o] {
				seen[o] = true
				all = append(all, o)
			}
		}
	}
	return all
}
