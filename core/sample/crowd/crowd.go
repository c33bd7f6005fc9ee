// Package crowd makes up the people of films: runs that show what happens inside of an algorithm,
// which no guarantee covers. A MadeUp is made here alone, of numbers that describe nobody, so that
// the compiler keeps real data from being watched.
package crowd

import (
	"slices"

	"hush/core/coin"
)

// MadeUp is data of people whom this package draws. Nothing else can make one, but for the zero
// value, which has nobody.
type MadeUp[T any] struct{ draw func() T }

// People returns the people that were drawn: the same ones each time, and as a copy, so that
// changing it changes no MadeUp.
func (m MadeUp[T]) People() (people T) {
	if m.draw == nil {
		return people
	}
	return m.draw()
}

// TwoHills returns n values from 0 to below size in ascending order, most of them around two
// places.
func TwoHills(n int, size uint64) MadeUp[[]uint64] {
	return MadeUp[[]uint64]{func() []uint64 {
		dice := coin.NewSeeded(11)
		codes := make([]uint64, n)
		for i := range codes {
			low, wide := size*3/5, size*4/5
			if dice.Uniform(3) == 0 {
				low, wide = size/16, size/2
			}
			codes[i] = min(
				low+(dice.Uniform(wide)+dice.Uniform(wide)+dice.Uniform(wide)+dice.Uniform(wide))/8,
				size-1)
		}
		slices.Sort(codes)
		return codes
	}}
}

// Patients is a list of people with some of four symptoms: the numbers of the symptoms that each of
// them has.
type Patients struct {
	Symptoms int
	Have     [][]int
}

// Unrelated returns n patients whose symptoms have nothing to do with each other.
func Unrelated(n int) MadeUp[Patients] {
	return MadeUp[Patients]{func() Patients {
		return patients(n, coin.NewSeeded(12), func(coin.Source) []uint64 {
			return []uint64{42, 35, 30, 9}
		})
	}}
}

// Related returns n patients, a third of them ill: these have several symptoms.
func Related(n int) MadeUp[Patients] {
	return MadeUp[Patients]{func() Patients {
		return patients(n, coin.NewSeeded(15), func(dice coin.Source) []uint64 {
			if dice.Uniform(3) == 0 {
				return []uint64{78, 70, 55, 40}
			}
			return []uint64{78 / 6, 70 / 6, 55 / 6, 40 / 6}
		})
	}}
}

// patients draws n patients who have each symptom in this many of 100 cases.
func patients(n int, dice coin.Source, percents func(dice coin.Source) []uint64) Patients {
	p := Patients{4, make([][]int, n)}
	for i := range p.Have {
		for x, percent := range percents(dice) {
			if dice.Uniform(100) < percent {
				p.Have[i] = append(p.Have[i], x)
			}
		}
	}
	return p
}

// Commuter is a person with a way to work, by car or not.
type Commuter struct {
	Distance uint64
	Car      bool
}

// Commuters returns n people with ways of 0 to below size. From 24 on nine of ten take the car, and
// one of ten below.
func Commuters(n int, size uint64) MadeUp[[]Commuter] {
	return MadeUp[[]Commuter]{func() []Commuter {
		dice := coin.NewSeeded(13)
		list := make([]Commuter, n)
		for i := range list {
			x := dice.Uniform(size)
			list[i] = Commuter{x, x >= 24 != (dice.Uniform(10) == 0)}
		}
		return list
	}}
}

// Cloud is a list of points with two coordinates from 0 to below 100, each of which stands for the
// given number of people.
type Cloud struct {
	At   [][2]int64
	Each int64
}

// ThreeGroups returns n points around three places.
func ThreeGroups(n int, each int64) MadeUp[Cloud] {
	return MadeUp[Cloud]{func() Cloud {
		dice := coin.NewSeeded(14)
		around := func(middle int64) int64 {
			return middle + int64(dice.Uniform(12)+dice.Uniform(12)+dice.Uniform(12)) - 17
		}
		c := Cloud{Each: each}
		for i := range n {
			middle := [][2]int64{{24, 30}, {74, 38}, {46, 76}}[i%3]
			c.At = append(c.At, [2]int64{around(middle[0]), around(middle[1])})
		}
		return c
	}}
}

// Len and Point present the points in the form that algorithms on points take.
func (c Cloud) Len() int { return len(c.At) }

// Point writes the coordinates of a point, and returns the number of people that it stands for.
func (c Cloud) Point(i int, at []int64) (persons int64) {
	copy(at, c.At[i][:])
	return c.Each
}
