package task

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/table"
)

// VisitsLesson asks how many visits made-up patients had, with several bounds on the visits of each
// that count: to compare what a bound leaves out with the noise that it requires. None of its
// outcomes is a release.
type VisitsLesson struct {
	Epsilon string    `json:"epsilon"`
	Seed    coin.Seed `json:"seed"` // seeds the noise and the rows drawn
}

// Visits is the outcome of the lesson.
type Visits struct {
	People int64        `json:"people"`
	Rows   int64        `json:"rows"` // the true number of visits
	Bounds []VisitBound `json:"bounds"`
}

// VisitBound is one bound on the rows of each person.
type VisitBound struct {
	Rows    int     `json:"rows"`    // of each person, at most
	LeftOut int64   `json:"leftOut"` // visits beyond the bound: the bias
	Noise   float64 `json:"noise"`   // what the noise is within, in 95 of 100 answers
	Off     float64 `json:"off"`     // how far an answer is off, on average of VisitDraws
}

// VisitBounds are the bounds, and VisitDraws is how often each is asked.
var VisitBounds = []int{1, 2, 3, 5, 8, 12, 20, 30}

const (
	VisitDraws   = 20
	visitPeople  = 1000
	visitsBeyond = 3 // visits of a patient beyond the first, on average
)

// visits returns the number of visits of each patient: a few have many. It is the same for every
// lesson.
func visits() (of []int) {
	src := coin.NewSeeded(27)
	base, err := coin.NewBase(visitsBeyond+1, visitsBeyond)
	if err != nil {
		panic("task: internal error: " + err.Error())
	}
	for range visitPeople {
		of = append(of, 1+int(min(src.Geometric(base), 99)))
	}
	return of
}

// TeachVisits asks the lesson's question with each bound. It refuses, with *param.Error, an invalid
// ε.
func TeachVisits(l VisitsLesson) (*Visits, error) {
	epsilon, err := privacy.ParseEpsilon(l.Epsilon)
	if err != nil {
		return nil, param.Refuse("ask", "epsilon", strconv.Quote(l.Epsilon),
			phrase.Key("a number above 0 and at most 100"))
	}
	options, err := table.Options{Encoding: table.UTF8, Delimiter: ",", Header: table.Yes,
		Columns: 2}.Decided()
	if err != nil {
		return nil, err // unreachable: the options are constant
	}
	var file strings.Builder
	file.WriteString("patient,minutes\n")
	out := &Visits{People: visitPeople}
	numbers := visits()
	for patient, n := range numbers {
		for visit := range n {
			fmt.Fprintf(&file, "%d,%d\n", patient, 5+(7*visit+patient)%55)
		}
		out.Rows += int64(n)
	}
	for _, k := range VisitBounds {
		r := ask.Recipe{Version: ask.RecipeVersion, Task: countTask.ID, Table: options, Person: 1,
			Use: &table.Use{Rows: k}, Column: 2, Epsilon: epsilon.String(),
			Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "60"}}
		bound := VisitBound{Rows: k}
		for _, n := range numbers {
			bound.LeftOut += int64(max(n-k, 0))
		}
		s := ask.NewSession(All{}, coin.NewSeeded(l.Seed+coin.Seed(k)))
		if err := s.Load(strings.NewReader(file.String()), r); err != nil {
			return nil, err
		}
		for range VisitDraws {
			released, err := s.Run(r, nil)
			if err != nil {
				return nil, err
			}
			answer, err := strconv.ParseFloat(strings.ReplaceAll(
				released.Answer.Result.(*Estimates).Rows[0].Value, ",", ""), 64)
			if err != nil {
				return nil, err // unreachable: counts are written as numbers
			}
			bound.Off += math.Abs(answer-float64(out.Rows)) / VisitDraws
			bound.Noise = released.Plan.Off.Bound
		}
		out.Bounds = append(out.Bounds, bound)
	}
	return out, nil
}
