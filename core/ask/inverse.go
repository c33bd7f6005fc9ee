package ask

import (
	"fmt"
	"math"
	"math/big"
	"sort"

	"hush/core/basic"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Point is the error to expect at one ε: a point of a small chart, with both coordinates.
type Point struct {
	Epsilon string  `json:"epsilon"`
	Error   float64 `json:"error"` // the headline error, in its own unit
	Grade   Grade   `json:"grade"` // of the answer, before it is released
}

// CurveEpsilons are the values of ε in the chart, and the stops of a slider.
var CurveEpsilons = []string{"0.01", "0.02", "0.05", "0.1", "0.2", "0.3", "0.5", "0.7", "1", "1.5",
	"2", "3", "5", "10"}

// at returns a function that prepares a recipe for a given ε. The recipe is checked against the
// file once; the function reads public facts only.
func (s *Session[C]) at(r Recipe) (
	prepared func(epsilon string) (*Query, Prepared, error), err error) {
	people, err := s.check(r)
	if err != nil {
		return nil, err
	}
	return func(epsilon string) (*Query, Prepared, error) {
		r.Epsilon = epsilon
		return newQuery(s.Say, s.catalogue, r, people, s.memory)
	}, nil
}

// Bounds returns the headline error of a recipe as a function of ε: the bound, or the typical error
// where no bound is known.
func (s *Session[C]) Bounds(r Recipe) (errorAt func(epsilon string) (float64, error), err error) {
	at, err := s.at(r)
	if err != nil {
		return nil, err
	}
	return func(epsilon string) (float64, error) {
		q, p, err := at(epsilon)
		if err != nil {
			return 0, err
		}
		return q.headlineOf(p), nil
	}, nil
}

// headlineOf returns the headline error of a prepared question; +Inf where none is known.
func (q *Query) headlineOf(p Prepared) (headline float64) {
	headline = math.Inf(1)
	q.supposing(q.filled(), func() {
		if off := OffOf(p); off.Known() {
			headline = off.headline()
		}
	})
	return headline
}

// Curve returns the error to expect over a range of ε, for recipes that Plan accepts: at all
// [CurveEpsilons] and, where a better grade begins between two of them, at the smallest ε of two
// digits with that grade, which Help finds too. It spends nothing.
func (s *Session[C]) Curve(r Recipe) ([]Point, error) {
	at, err := s.at(r)
	if err != nil {
		return nil, err
	}
	points := make([]Point, 0, len(CurveEpsilons)+2)
	point := func(epsilon string) (Point, error) {
		q, p, err := at(epsilon)
		if err != nil {
			return Point{}, err
		}
		return Point{epsilon, q.headlineOf(p), q.before(p).Grade}, nil
	}
	grade, before := Noise, new(big.Rat)
	for _, epsilon := range CurveEpsilons {
		stop, err := point(epsilon)
		if err != nil {
			return nil, err
		}
		most, _ := new(big.Rat).SetString(epsilon)
		between := twoDigits(before, most)
		for _, better := range []Grade{Rough, Good} {
			if before.Sign() == 0 || !grade.worse(better) || stop.Grade.worse(better) {
				continue
			}
			i := sort.Search(len(between)-1, func(i int) bool {
				p, fault := point(between[i].String())
				if fault != nil {
					err = fault
				}
				return !p.Grade.worse(better)
			})
			if err != nil {
				return nil, err
			}
			if i == len(between)-1 {
				break // it is the stop
			}
			begins, err := point(between[i].String())
			if err != nil {
				return nil, err
			}
			if points = appendFinite(points, begins); begins.Grade == stop.Grade {
				break
			}
		}
		points = appendFinite(points, stop)
		grade, before = stop.Grade, most
	}
	return points, nil
}

// appendFinite appends a point whose error is a number.
func appendFinite(points []Point, p Point) []Point {
	if math.IsInf(p.Error, 0) || math.IsNaN(p.Error) {
		return points
	}
	return append(points, p)
}

// twoDigits lists the values of ε with at most two digits that are above one number and at most
// another.
func twoDigits(above, most *big.Rat) (list []privacy.Epsilon) {
	ten := big.NewRat(10, 1)
	for unit := big.NewRat(1, 1_000_000_000); unit.Cmp(most) <= 0; unit.Mul(unit, ten) {
		for digits := int64(10); digits < 100; digits++ {
			e := new(big.Rat).Mul(unit, big.NewRat(digits, 10))
			if e.Cmp(above) <= 0 || e.Cmp(most) > 0 {
				continue
			}
			if epsilon, err := privacy.NewEpsilon(e); err == nil {
				list = append(list, epsilon)
			}
		}
	}
	return list
}

// Wish asks for the ε that reaches an error.
type Wish struct {
	Recipe Recipe  `json:"recipe"`
	Error  float64 `json:"error"` // in the unit of Plan.ErrorUnit
}

// EpsilonFor returns the smallest ε of three digits whose error bound is at most the wish. It reads
// public facts only and spends nothing. A wish that no ε grants is a *param.Error for the field
// "error".
func (s *Session[C]) EpsilonFor(w Wish) (string, error) {
	if !(w.Error > 0) {
		return "", Refuse("error", fmt.Sprintf("%g", w.Error), phrase.Of("a number above 0"))
	}
	errorAt, err := s.Bounds(w.Recipe)
	if err != nil {
		return "", err
	}
	epsilon, err := basic.SmallestEpsilon(w.Error, func(e privacy.Epsilon) (float64, error) {
		return errorAt(e.String())
	})
	if err != nil {
		return "", err
	}
	return epsilon.String(), nil
}
