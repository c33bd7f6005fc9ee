package mechanism

import (
	"math"
	"math/big"
	"testing"

	"hush/core/coin"
	"hush/core/internal/stattest"
	"hush/core/privacy"
)

func q(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(text)
	}
	return r
}

// TestTopUpVectors holds the law of z₂ given z₁ against B1 of review-3, where it was enumerated by
// other code.
func TestTopUpVectors(t *testing.T) {
	for _, c := range []struct {
		first, then coin.Base
		z           int64
		want        map[int64]string
	}{
		{base(5, 4), base(2, 1), 0, map[int64]string{
			-3: "12/625", -2: "6/125", -1: "3/25", 0: "3/5", 1: "3/25", 2: "6/125", 3: "12/625"}},
		{base(5, 4), base(2, 1), 3, map[int64]string{-2: "6/125", -1: "3/25", 0: "3/10", 1: "3/16",
			2: "15/128", 3: "75/512", 4: "15/512", 5: "3/256"}},
		{base(5, 4), base(2, 1), -2, map[int64]string{
			-3: "3/64", -2: "15/64", -1: "3/16", 0: "3/10", 1: "3/25", 2: "6/125"}},
		{base(10, 9), base(5, 4), 3, map[int64]string{
			0: "7/81", 1: "56/729", 2: "448/6561", 3: "2560/6561", 4: "7168/164025"}},
		{base(3, 2), base(2, 1), -2, map[int64]string{
			-3: "1/24", -2: "7/16", -1: "1/6", 0: "2/9", 1: "2/27"}},
	} {
		m := topUp(c.first, c.then, 1)
		law := must(toppedUp(func(src coin.Source) (int64, error) { return one(m)(src, 0, c.z) }))
		for z, want := range c.want {
			if law.Mass(z).Cmp(q(want)) != 0 {
				t.Errorf("%v to %v, %d: chance of %d is %v, want %s", c.first, c.then, c.z, z,
					law.Mass(z).RatString(), want)
			}
		}
	}
}

// TestTopUpJointLaw: y₂ has the law of the second noise, and both that of y₂ with more noise.
func TestTopUpJointLaw(t *testing.T) {
	first, then := base(5, 4), base(2, 1)
	m := topUp(first, then, 1)
	// p₀ by its formula: (q₂/q₁)·((1−q₁)/(1−q₂))²
	q1, q2 := new(big.Rat).Inv(first.Rat()), new(big.Rat).Inv(then.Rat())
	p0 := new(big.Rat).Quo(new(big.Rat).Sub(oneRat, q1), new(big.Rat).Sub(oneRat, q2))
	p0.Mul(p0, p0).Mul(p0, new(big.Rat).Quo(q2, q1))
	noise := func(r coin.Base, z int64) *big.Rat {
		p := new(big.Rat).Quo(new(big.Rat).Sub(r.Rat(), oneRat), new(big.Rat).Add(r.Rat(), oneRat))
		return p.Quo(p, r.Pow(uint64(max(z, -z))).Rat())
	}
	const near = 4 // numbers that no cut reaches
	for z := int64(-near); z <= near; z++ {
		given := must(toppedUp(func(src coin.Source) (int64, error) { return one(m)(src, 0, z) }))
		for y := int64(-near); y <= near; y++ {
			have := new(big.Rat).Mul(noise(first, z), given.Mass(y))
			want := new(big.Rat).Mul(new(big.Rat).Sub(oneRat, p0), noise(first, z-y))
			if z == y {
				want.Add(want, p0)
			}
			if want.Mul(want, noise(then, y)); have.Cmp(want) != 0 {
				t.Errorf("(%d, %d): chance %v, want %v", z, y, have.RatString(), want.RatString())
			}
		}
	}
}

// script is a source whose coins are given, and that keeps what was asked of it.
type script struct {
	coin.Source
	heads   []bool
	numbers []uint64
	asked   string
}

func (s *script) Bernoulli(coin.Chance) (head bool) {
	head, s.heads = s.heads[0], s.heads[1:]
	s.asked += "b"
	return head
}

func (s *script) Geometric(coin.Base) (k uint64) {
	k, s.numbers = s.numbers[0], s.numbers[1:]
	s.asked += "g"
	return k
}

// TestTopUpAtTheEnds: sums stay within int64, distances of 64 bits are exact, and the coins are the
// same for all of them.
func TestTopUpAtTheEnds(t *testing.T) {
	m := topUp(base(5, 4), base(2, 1), 1)
	const top, bottom = math.MaxInt64, math.MinInt64
	for _, c := range []struct {
		name         string
		far, over    bool
		size, beyond uint64
		x, y, want   int64
	}{
		{"between, across all of int64", false, false, 1 << 63, 0, bottom, top - 1, 0},
		{"as far as the first", false, false, math.MaxUint64, 0, bottom, top - 1, top - 1},
		{"beyond, and over the end", false, true, math.MaxUint64, 5, bottom, top - 1, top},
		{"far, below the end", true, false, 0, math.MaxUint64, bottom + 3, 7, bottom},
		{"down, between", false, false, 2, 0, 10, 4, 8},
		{"down, beyond", false, true, 6, 0, 10, 4, 3},
		{"down, far", true, true, 6, 1, 10, 4, 12},
		{"no noise before", false, false, 0, 9, 10, 10, 10},
		{"no noise before, far", true, false, 0, 9, 10, 10, 0},
	} {
		src := &script{heads: []bool{c.far, c.over}, numbers: []uint64{c.size, c.beyond}}
		if have := m.noise.Draw(src, c.x, c.y); have != c.want || src.asked != "bgbg" {
			t.Errorf("%s: %d with coins %s, want %d with bgbg", c.name, have, src.asked, c.want)
		}
	}
}

func TestTopUpRefuses(t *testing.T) {
	small, large := laplace(base(5, 4), 2), laplace(base(2, 1), 2)
	both := topUp(base(5, 4), base(2, 1), 2)
	for name, err := range map[string]error{
		"no larger base": second(NewLaplaceTopUp(large, small)), // H: topup.md more
		"the same base":  second(NewLaplaceTopUp(small, small)), // H: topup.md more
		// H: topup.md same-moves
		"another sensitivity": second(NewLaplaceTopUp(small, laplace(base(2, 1), 1))),
		// H: topup.md same-moves
		"another largest move": second(NewLaplaceTopUp(small, widest(2))),
		"a number too few":     releaseError(both, []int64{1}),
		// H: topup.md unsaturated
		"saturated at the top": releaseError(both, []int64{1, math.MaxInt64}),
		// H: topup.md unsaturated
		"saturated at the foot": releaseError(both, []int64{math.MinInt64, 1}),
	} {
		if err == nil {
			t.Errorf("%s was not refused", name)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func widest(move uint64) *Laplace {
	return must(NewLaplace(LaplaceParams{Base: base(2, 1), L1Sensitivity: 2, LargestMove: move}))
}

func releaseError(m *LaplaceTopUp, noisy []int64) error {
	_, err := m.Release(coin.NewSeeded(1), []int64{3, 4}, noisy, nil)
	return err
}

// TestTopUpLoss: the difference is exact for granted ε; both cost what the second does.
func TestTopUpLoss(t *testing.T) {
	of := func(text string) *Laplace {
		return must(NewLaplace(LaplaceParams{Epsilon: mustEpsilon(t, text), L1Sensitivity: 2,
			LargestMove: 1}))
	}
	m := must(NewLaplaceTopUp(of("0.1"), of("0.4")))
	loss := must(m.Loss(1))
	if epsilon, known := loss.Epsilon(); !known || epsilon.Cmp(big.NewRat(3, 10)) != 0 {
		t.Errorf("the top-up costs %v, want 3/10", epsilon)
	}
	if both, _ := m.whole.Epsilon(); both.Cmp(big.NewRat(2, 5)) != 0 {
		t.Errorf("both cost %v, want 2/5", both)
	}
	if group, _ := must(m.Loss(3)).Epsilon(); group.Cmp(big.NewRat(9, 10)) != 0 {
		t.Errorf("the top-up costs three persons %v, want 9/10", group)
	}
}

// logMomentOf is ln Σ P(y₂)^α·P'(y₂)^(1−α) of a top-up given y₁ = y, of a count of 0 or of d; by
// floats.
func logMomentOf(first, then coin.Base, y, d int64, alpha float64) float64 {
	a1, a2 := first.Log(), then.Log()
	const most = 400
	q1, q2 := math.Exp(-a1), math.Exp(-a2)
	p0 := q2 / q1 * math.Pow((1-q1)/(1-q2), 2)
	noise := func(a float64, z int64) float64 {
		return math.Log(math.Tanh(a/2)) - a*math.Abs(float64(z))
	}
	chance := func(x, z int64) float64 { // its logarithm
		b := math.Log(1-p0) + noise(a1, y-z)
		if y == z {
			b = math.Log(p0 + math.Exp(b))
		}
		return noise(a2, z-x) + b - noise(a1, y-x)
	}
	sum := 0.0
	for z := min(y, 0) - most; z <= max(y, d)+most; z++ {
		sum += math.Exp(alpha*chance(0, z) + (1-alpha)*chance(d, z))
	}
	return math.Log(sum)
}

// logMoment is that of a move by 1.
func logMoment(first, then coin.Base, y int64, alpha float64) float64 {
	return logMomentOf(first, then, y, 1, alpha)
}

// conditional is the largest D_α(y₂ | y₁)/α over first answers and orders, of a count that moves by
// d.
func conditional(first, then coin.Base, d int64) (rho float64) {
	for y := int64(-12); y <= 12+d; y++ {
		for _, alpha := range []float64{1.01, 1.5, 2, 4, 8, 16, 32} {
			rho = max(rho, logMomentOf(first, then, y, d, alpha)/((alpha-1)*alpha))
		}
	}
	return rho
}

// TestTopUpRho: the ρ stated is above that of every first answer, which ρ₂ − ρ₁ is not.
func TestTopUpRho(t *testing.T) {
	planted := false
	for _, c := range []struct {
		first, then string
		moves       uint64
	}{{"0.05", "0.1", 1}, {"0.25", "0.5", 1}, {"1", "2", 2}, {"1", "2", 1}, {"0.5", "3", 1}} {
		exponent := func(text string) coin.Base { return must(coin.ExpBelow(q(text))) }
		first, then := exponent(c.first), exponent(c.then)
		z1, z2 := must(NewLaplaceNoise(first)), must(NewLaplaceNoise(then))
		stated, _ := rho(first, then, c.moves, c.moves).Float64()
		real := conditional(first, then, int64(c.moves))
		if stated < real {
			t.Errorf("%s to %s, moves %d: ρ = %v stated, %v true", c.first, c.then, c.moves, stated,
				real)
		}
		difference := z2.Rho(c.moves, c.moves)
		difference.Sub(difference, z1.Rho(c.moves, c.moves))
		if less, _ := difference.Float64(); less < real*0.999 {
			planted = true
		}
	}
	if !planted {
		t.Error("ρ₂ − ρ₁ is enough everywhere: the test shows nothing")
	}
	// two moves of 1 cost less than one of 2, and exactly twice one
	small, large := base(11, 10), base(6, 5)
	single := rho(small, large, 1, 1)
	if two := rho(small, large, 2, 1); two.Cmp(single.Add(single, single)) != 0 ||
		two.Cmp(rho(small, large, 2, 2)) >= 0 {
		t.Errorf("two moves of 1: ρ = %v", two)
	}
	if three := rho(small, large, 3, 2); three.Cmp(rho(small, large, 2, 2)) <= 0 {
		t.Errorf("a move of 2 and one of 1: ρ = %v", three)
	}
	loss, _ := privacy.LossFromOdds(big.NewRat(5, 2), nil)
	coarse := rho(base(5, 4), base(2, 1), 8, 8)
	if limit, _ := loss.Group(8); new(big.Rat).Sub(coarse, limit.Rho()).Cmp(q("1/1000000")) > 0 {
		t.Errorf("ρ = %v, want at most what ε₁ + ε₂ implies, %v", coarse, limit.Rho())
	}
}

func rho(first, then coin.Base, total, each uint64) *big.Rat {
	return TopUpRho(privacy.LogUp(first.Rat()), privacy.LogUp(then.Rat()), total, each)
}

// TestTopUpChosenByAnswer: the figures of topup.md on what is not claimed.
func TestTopUpChosenByAnswer(t *testing.T) {
	z1, z2 := must(NewLaplaceNoise(base(5, 4))), must(NewLaplaceNoise(base(2, 1)))
	if z2.AtLeast(5).Rat().Cmp(big.NewRat(1, 48)) != 0 {
		t.Errorf("|z₂| > 4 has chance %v on each side, want 1/48", z2.AtLeast(5).Rat())
	}
	m := topUp(base(5, 4), base(2, 1), 1)
	miss, all := 0.0, 0.0
	for z := int64(6); z < 60; z++ {
		law := must(toppedUp(func(src coin.Source) (int64, error) { return one(m)(src, 0, z) }))
		within := new(big.Rat)
		for y := int64(-4); y <= 4; y++ {
			within.Add(within, law.Mass(y))
		}
		in, _ := within.Float64()
		p := stattest.LaplacePMF(z1.Log(), z)
		miss, all = miss+p*(1-in), all+p
	}
	if share := miss / all; math.Abs(share-0.0814) > 5e-5 {
		t.Errorf("given z₁ ≥ 6 the interval misses with %.5f, want .0814", share)
	}
}

// TestTopUpToChosenEpsilon: where ε₂ is chosen by the first answer, the interval shown last misses
// more often than with the sum of two chances, and no more often than one plus the number of ε₂
// that may be chosen times one.
func TestTopUpToChosenEpsilon(t *testing.T) {
	const alpha = 0.05
	first := base(11, 10)
	bound := func(n LaplaceNoise) (most int64) {
		for ; 2*toFloat(n.AtLeast(most+1).Rat()) > alpha; most++ {
		}
		return most
	}
	z1 := must(NewLaplaceNoise(first))
	most := bound(z1)
	for _, c := range []struct {
		then []coin.Base
		low  float64 // what a fixed ε₂ keeps
	}{
		{[]coin.Base{base(2, 1)}, 0},
		{[]coin.Base{base(6, 5), base(13, 10), base(3, 2), base(2, 1), base(4, 1)}, 2 * alpha},
	} {
		worst := 0.0
		for z := int64(0); z <= 90; z++ { // of both signs, by symmetry
			miss := 0.0
			if z > most {
				miss = 1 // it is kept
			}
			for _, b := range c.then {
				m := topUp(first, b, 1)
				within := bound(must(NewLaplaceNoise(b)))
				law := must(toppedUp(func(src coin.Source) (int64, error) {
					return one(m)(src, 0, z)
				}))
				in := new(big.Rat)
				for y := -within; y <= within; y++ {
					in.Add(in, law.Mass(y))
				}
				miss = max(miss, 1-toFloat(in))
			}
			if z > 0 {
				miss *= 2
			}
			worst += stattest.LaplacePMF(z1.Log(), z) * miss
		}
		t.Logf("%d choices: the worst rule misses with %.4f", len(c.then), worst)
		if worst <= c.low || worst > alpha*float64(1+len(c.then)) {
			t.Errorf("%d choices: the worst rule misses with %.4f, want above %v and at most %v",
				len(c.then), worst, c.low, alpha*float64(1+len(c.then)))
		}
	}
}
