package ask

import (
	"fmt"
	"math"

	"hush/core/basic"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Point is the error to expect at one ε: both axes of a small chart.
type Point struct {
	Epsilon string  `json:"epsilon"`
	Error   float64 `json:"error"` // the headline error bound at 95 %, in its own unit
	Grade   Grade   `json:"grade"` // of the answer, before it is released
}

// CurveEpsilons are the ε of the chart, and the stops of a slider.
var CurveEpsilons = []string{"0.01", "0.02", "0.05", "0.1", "0.2", "0.3", "0.5", "0.7", "1", "1.5",
	"2", "3", "5", "10"}

// at prepares a recipe as a function of ε. What the file has to do with it is checked once; the
// function reads public facts only.
func (s *Session[C]) at(r Recipe) (prepared func(epsilon string) (Prepared, error), err error) {
	people, err := s.check(r)
	if err != nil {
		return nil, err
	}
	return func(epsilon string) (Prepared, error) {
		r.Epsilon = epsilon
		_, p, err := newQuery(s.Say, s.catalogue, r, people, s.memory)
		return p, err
	}, nil
}

// Bounds returns the headline error bound of a recipe as a function of ε.
func (s *Session[C]) Bounds(r Recipe) (errorAt func(epsilon string) (float64, error), err error) {
	at, err := s.at(r)
	if err != nil {
		return nil, err
	}
	return func(epsilon string) (float64, error) {
		p, err := at(epsilon)
		if err != nil {
			return 0, err
		}
		return p.Bound(), nil
	}, nil
}

// Curve is the error to expect for a range of ε, for recipes that Plan accepts. It spends nothing.
func (s *Session[C]) Curve(r Recipe) ([]Point, error) {
	at, err := s.at(r)
	if err != nil {
		return nil, err
	}
	points := make([]Point, 0, len(CurveEpsilons))
	for _, epsilon := range CurveEpsilons {
		p, err := at(epsilon)
		if err != nil {
			return nil, err
		}
		if e := p.Bound(); !math.IsInf(e, 0) && !math.IsNaN(e) {
			points = append(points, Point{epsilon, e, p.Judge(nil).Grade})
		}
	}
	return points, nil
}

// Wish asks which ε reaches an error.
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
