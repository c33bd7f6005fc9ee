package task

import (
	"fmt"

	"hush/core/basic"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/privacy"
)

// Median is a value with about as many people below as above it.
type Median struct {
	Value string `json:"value"`
	// With probability 95 % at least half the people who have a value, less RankError, lie on either side of it.
	RankError int64  `json:"rankError"`
	Low       string `json:"low"` // the domain's ends
	High      string `json:"high"`
}

var medianTask = Task{
	ID:        "median",
	Title:     "Median",
	Question:  "What is the middle value?",
	Answer:    "one value, with about as many people below it as above",
	Algorithm: "exponential mechanism over all values of the domain",
	How: "Every possible value gets a score, the smaller of how many people are at or below it and how many are at or above it. " +
		"One value is drawn at random, and every further person in the score makes a value more likely by the same factor. " +
		"Values near the middle win, whatever the outliers are.",
	Source:  "McSherry, Talwar 2007",
	Domains: []domain.Kind{domain.Integer, domain.Decimal, domain.Float64, domain.Date, domain.Timestamp},
	prepare: prepareMedian,
}

type median struct {
	query     *query
	mechanism *basic.Median
}

func prepareMedian(q *query) (prepared, error) {
	m, err := basic.NewMedian(basic.MedianParams{Epsilon: q.epsilon, Size: q.domain.Size()})
	if err != nil {
		return nil, err
	}
	return &median{query: q, mechanism: m}, nil
}

func (m *median) loss() (privacy.Loss, error) { return m.mechanism.Choice().Loss(1) }

func (m *median) algorithm() string { return medianTask.Algorithm }

func (m *median) rankError() int64 { return m.mechanism.Choice().ErrorBound(basic.Beta) }

func (m *median) bound() float64 { return float64(m.rankError()) }
func (m *median) unit() string   { return "people away from the middle" }

func (m *median) forecast() []Forecast {
	off, n := m.rankError(), m.query.people
	use := "That is a good middle."
	if off > n/4 {
		use = "That is too much: accept more privacy loss, or narrow the bounds."
	}
	return []Forecast{
		{"Away from the exact middle by at most", people(off), "in 95 of 100 releases; " + percentOf(off, n) + " of all " + people(n)},
		{"Verdict", verdict(off, n), use},
	}
}

func verdict(off, n int64) string {
	switch {
	case off > n/4:
		return "mostly noise"
	case off > n/20:
		return "rough"
	}
	return "sharp"
}

func (m *median) run(src coin.Source, data data, step coin.Step) (Result, error) {
	code, err := m.mechanism.Release(src, data.values, step)
	if err != nil {
		return nil, err
	}
	d := m.query.domain
	last := d.Size()
	last.Sub(last, one)
	return &Median{
		Value:     d.Decode(code),
		RankError: m.rankError(),
		Low:       d.Decode(0),
		High:      d.Decode(last.Uint64()),
	}, nil
}

func (m *median) state(result Result) string {
	return fmt.Sprintf("The median of %s is about %s: at least half of the people who have a value, less %d, are at or below it, and as many at or above it (in 95 of 100 releases).",
		m.query.label, result.(*Median).Value, result.(*Median).RankError)
}

// Kind is "median".
func (*Median) Kind() string { return "median" }

// Table lists what was released, a row each.
func (m *Median) Table(column string) [][]string {
	return [][]string{
		{"median of " + column, "people away from the middle (95 %)"},
		{m.Value, fmt.Sprint(m.RankError)},
	}
}
