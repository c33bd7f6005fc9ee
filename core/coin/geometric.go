package coin

// Geometric inverts one uniform number: with U in [0, 1), the largest k with U < r^(−k) has Pr[k or
// more] = r^(−k). It finds k from its highest bit down. Results of 2^64 and more are returned as
// 2^64 − 1; for 1/ln r ≤ 2^50 they have a probability below 2^−23000.
func (s *bitSource) Geometric(r Base) uint64 {
	if r.IsOne() { // H: coin.md above-one
		panic("coin: internal error: geometric noise needs a base above 1")
	}
	p := s.of(r)
	u := s.word()
	if k, decided := p.descend(u); decided {
		return k
	}
	draw := newDraw(s, u)
	return descendExactly(func(k uint64) bool {
		return draw.below(func(prec uint) interval { return r.inverse(k, prec+128).round(prec) })
	})
}

// descend finds the largest k with U < r^(−k) when the first 64 bits u of U decide every comparison
// on the way.
func (p *powers) descend(u uint64) (k uint64, decided bool) {
	bit := 0
	for bit < 64 {
		below, decided := compare(u, p.binary(bit))
		if !decided {
			return 0, false
		}
		if !below {
			break
		}
		bit++
	}
	power := unit
	for bit--; bit >= 0; bit-- {
		further := power.times(p.binary(bit))
		below, decided := compare(u, further)
		if !decided {
			return 0, false
		}
		if below {
			k, power = k|1<<bit, further
		}
	}
	return k, true
}

// descendExactly is descend with comparisons U < r^(−k) that always give an answer.
func descendExactly(below func(k uint64) bool) (k uint64) {
	bit := 0
	for bit < 64 && below(1<<bit) {
		bit++
	}
	for bit--; bit >= 0; bit-- {
		if below(k | 1<<bit) {
			k |= 1 << bit
		}
	}
	return k
}
