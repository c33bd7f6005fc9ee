package selection

import (
	"math"
	"math/big"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/meter"
	"hush/core/privacy"
)

// Directions finds the directions in which people differ most. It measures the middle of the people
// once, with noise, and then runs [Components] on their coordinates relative to it.
//
// # Guarantee
//
// Epsilon-DP for neighbours that replace one person, or one of those that a row stands for: a tenth
// for the middle, the rest for the components. Proof: directions.md.
//
// # Input and output
//
// Points; the components, with the variance along each, in squares of the coordinates' unit.
// Coordinates further than Side/2 from the middle count as that far.
//
// # Errors
//
// Those of [NewComponents] and [Components.Release].
//
// # Cost and accuracy
//
// That of Components, and one more pass. The middle is off by about 10·dimensions·Side/(n·Epsilon)
// in each coordinate.
//
// # Reference
//
// Dwork, Talwar, Thakurta, Zhang, "Analyze Gauss", 2014; Liu, Talwar, 2019, section 5.2. Differs:
// the middle of the people is measured, where they take it as known.
type Directions struct {
	*Components
	middle *mechanism.Laplace
	spend  *meter.Spend
}

// NewDirections checks the parameters. Their Epsilon pays for the middle too.
func NewDirections(p ComponentsParams) (*Directions, error) {
	whole := p.Epsilon
	if whole.IsSet() {
		p.Epsilon = whole.Part(9, 10)
	}
	inner, err := NewComponents(p)
	if err != nil {
		return nil, err
	}
	m := &Directions{Components: inner}
	m.middle, err = mechanism.NewLaplace(mechanism.LaplaceParams{Epsilon: whole.Part(1, 10),
		L1Sensitivity: uint64(p.Dimensions) * uint64(p.Side)})
	if err != nil {
		return nil, err
	}
	located, err := m.middle.Loss(1)
	if err != nil {
		return nil, err
	}
	found, err := inner.Loss(1)
	m.spend = meter.Sum("directions", meter.Once(located), meter.Once(found))
	return m, err
}

// Loss is the loss of one release for data sets that differ in d persons.
func (m *Directions) Loss(d privacy.Distance) (privacy.Loss, error) { return m.spend.Loss.Group(d) }

// Spread is the release of Directions.
type Spread struct {
	Axes
	// Variance is the mean square of people's positions along each axis, relative to Middle.
	Variance []float64
	// Middle is the noisy middle of the people, in coordinates.
	Middle []int64
	// Persons is about how many have all coordinates.
	Persons int64
}

// Within bounds the errors of the parts of a variance, with probability 1 − beta: of each energy,
// of the number of persons, and the squared error of the middle of that many persons.
func (m *Directions) Within(beta float64, persons int64) (energy, people, square float64) {
	sum := float64(m.middle.SimultaneousErrorBound(beta/2, m.dim+1))
	people = math.Ceil(sum / float64(m.side/2))
	off := sum/float64(max(persons, 1)) + 1 // rounded down
	off += off * people / float64(max(persons, 1))
	return m.EnergyError(beta / 2), people, float64(m.dim) * off * off
}

// Release measures the middle and finds the directions. people is n, public. step may be nil; it
// can end the work and receives no progress.
func (m *Directions) Release(src coin.Source, points Points, people int64,
	step coin.Step) (out Spread, err error) {
	src = meter.Within(src, m.spend)
	sums, err := m.locate(points, step)
	if err != nil {
		return out, err
	}
	if sums, err = m.middle.Release(src, sums, nil); err != nil {
		return out, err
	}
	out.Middle, out.Persons = m.from(sums, people)
	seen := &seenFrom{points, out.Middle, m.side}
	if out.Axes, err = m.Components.Release(src, seen, people, step); err != nil {
		return out, err
	}
	for _, energy := range out.Energy {
		out.Variance = append(out.Variance, max(energy, 0)/float64(out.Persons))
	}
	return out, nil
}

// locate adds up the coordinates, relative to the middle of the box, and the persons, each weighted
// by Side/2.
func (m *Directions) locate(points Points, step coin.Step) ([]int64, error) {
	sums := make([]int64, m.dim+1)
	err := eachPoint(points, m.dim, step, func(at []int64, persons int64) {
		for i, x := range at {
			sums[i] += persons * (x - m.side/2)
		}
		sums[m.dim] += persons * (m.side / 2)
	})
	return sums, err
}

// from returns the middle, within the box, and the number of persons with all coordinates, from 1
// to n.
func (m *Directions) from(sums []int64, people int64) (middle []int64, persons int64) {
	persons = max(min(sums[m.dim]/(m.side/2), people), 1)
	for _, sum := range sums[:m.dim] {
		middle = append(middle, min(max(m.side/2+sum/persons, 0), m.side-1))
	}
	return middle, persons
}

// DirectionWorth returns the Worth with which a component is kept if people's standard deviation
// along it is at least this part of Side, from 0 to 1/2: 4·part²/dimensions.
func DirectionWorth(part *big.Rat, dimensions int) *big.Rat {
	square := new(big.Rat).Mul(part, part)
	return square.Mul(square, big.NewRat(4, int64(max(dimensions, 1))))
}

// seenFrom are points relative to a middle, which is moved to Side/2.
type seenFrom struct {
	of     Points
	middle []int64
	side   int64
}

func (s *seenFrom) Len() int { return s.of.Len() }

func (s *seenFrom) Point(i int, coordinates []int64) int64 {
	persons := s.of.Point(i, coordinates)
	for j, x := range coordinates {
		// H: directions.md seen-in-box
		coordinates[j] = min(max(x-s.middle[j]+s.side/2, 0), s.side-1)
	}
	return persons
}
