package coin

import "math/big"

// Law is an exact probability law on outcomes of type T: what [Enumerate] finds and what audits
// compare. Mass that was cut off (tails of geometric draws) belongs to no outcome; it is kept
// separately, so that the total is again 1.
type Law[T comparable] struct {
	mass     map[T]*big.Rat
	outcomes []T
	cut      big.Rat
}

// NewLaw returns a law without mass, to be filled with Add.
func NewLaw[T comparable]() *Law[T] { return &Law[T]{mass: map[T]*big.Rat{}} }

// Add gives an outcome further mass, which is copied.
func (l *Law[T]) Add(outcome T, mass *big.Rat) {
	if mass.Sign() == 0 {
		return
	}
	have := l.mass[outcome]
	if have == nil {
		have = new(big.Rat)
		l.mass[outcome] = have
		l.outcomes = append(l.outcomes, outcome)
	}
	have.Add(have, mass)
}

// AddCut adds mass that is cut off.
func (l *Law[T]) AddCut(mass *big.Rat) { l.cut.Add(&l.cut, mass) }

// Outcomes returns the outcomes with positive mass in the order in which they were first met.
func (l *Law[T]) Outcomes() []T { return l.outcomes }

// Mass returns an outcome's probability, 0 when it was never met. The result must not be written
// to.
func (l *Law[T]) Mass(outcome T) *big.Rat {
	if mass := l.mass[outcome]; mass != nil {
		return mass
	}
	return new(big.Rat)
}

// Cut returns the mass that was cut off. The result must not be written to.
func (l *Law[T]) Cut() *big.Rat { return &l.cut }

// Total returns the mass of all outcomes and of the cut: 1 for a whole law.
func (l *Law[T]) Total() *big.Rat {
	total := new(big.Rat).Set(&l.cut)
	for _, mass := range l.mass {
		total.Add(total, mass)
	}
	return total
}

// Then runs a second random step on every outcome of a first and returns the law of what comes out.
// Equal results merge, so rounds of an algorithm written as kernels from state to law stay small
// where whole runs would not.
func Then[T, U comparable](first *Law[T], kernel func(T) (*Law[U], error)) (*Law[U], error) {
	result := NewLaw[U]()
	result.AddCut(&first.cut)
	product := new(big.Rat)
	for _, state := range first.outcomes {
		second, err := kernel(state)
		if err != nil {
			return nil, err
		}
		mass := first.mass[state]
		for _, outcome := range second.outcomes {
			result.Add(outcome, product.Mul(mass, second.mass[outcome]))
		}
		result.AddCut(product.Mul(mass, &second.cut))
	}
	return result, nil
}

// Until returns the law of a loop that repeats independent rounds until one is accepted, and then
// returns what accepted makes of it. At least one outcome must be accepted. Cut mass of a round may
// belong to any outcome or to none, so each outcome keeps only what it has for certain.
func Until[T, U comparable](round *Law[T], accepted func(T) (U, bool)) *Law[U] {
	sure := NewLaw[U]()
	most := new(big.Rat).Set(&round.cut) // of the mass on which a round may be accepted
	for _, outcome := range round.outcomes {
		if result, ok := accepted(outcome); ok {
			sure.Add(result, round.mass[outcome])
			most.Add(most, round.mass[outcome])
		}
	}
	for _, mass := range sure.mass {
		mass.Quo(mass, most)
	}
	sure.cut.Quo(&round.cut, most)
	return sure
}
