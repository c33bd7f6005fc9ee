package task

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"hush/core/basic"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/privacy"
)

// Quantiles are values below which given parts of the people lie.
type Quantiles struct {
	Rows []Quantile `json:"rows"`
}

// Quantile is one of them.
type Quantile struct {
	Part  string `json:"part"` // of the people, in percent: "25 %"
	Value string `json:"value"`
	// With probability 95 %, all values at once, no more than RankError people are on the wrong side of it.
	RankError int64 `json:"rankError"`
}

const paramTargets = "targets"

var quantilesTask = Task{
	ID:        "quantiles",
	Title:     "Quantiles",
	Question:  "Below which values do a quarter, half, three quarters of the people lie?",
	Answer:    "one value for each part asked for, in order",
	Algorithm: "recursive exponential mechanism",
	How: "The middle part asked for is drawn first, by a score that says how many people are on the wrong side. It splits the people, " +
		"and each side is split again for the parts asked for there. Every person takes part once at each level, so many quantiles " +
		"cost little more than one.",
	Source:  "Kaplan, Schnapp, Stemmer 2022",
	Domains: []domain.Kind{domain.Integer, domain.Decimal, domain.Float64, domain.Date, domain.Timestamp},
	Params: []Param{{
		Name: paramTargets, Label: "Parts, in percent", Kind: Text, Default: "25, 50, 75",
		Help:   "Numbers between 0 and 100, in order, separated by commas; at most 100 of them.",
		Effect: "More parts cost no more privacy and make each a little less exact.",
	}},
	prepare: prepareQuantiles,
}

type quantiles struct {
	query     *query
	mechanism *basic.Quantiles
	targets   []*big.Rat
}

func prepareQuantiles(q *query) (prepared, error) {
	targets, err := percents(q.param(paramTargets))
	if err != nil {
		return nil, err
	}
	m, err := basic.NewQuantiles(basic.QuantilesParams{Epsilon: q.epsilon, Size: q.domain.Size(), Targets: targets, People: q.people})
	if err != nil {
		return nil, err
	}
	return &quantiles{q, m, targets}, nil
}

// percents reads a list such as "25, 50, 75".
func percents(text string) ([]*big.Rat, error) {
	var list []*big.Rat
	for _, part := range strings.Split(text, ",") {
		p, ok := new(big.Rat).SetString(strings.TrimSuffix(strings.TrimSpace(part), "%"))
		if !ok || len(part) > 20 || p.Sign() <= 0 || p.Cmp(hundred) >= 0 || len(list) > 0 && p.Cmp(new(big.Rat).Mul(list[len(list)-1], hundred)) <= 0 {
			return nil, refuse(paramTargets, fmt.Sprintf("%q", text), "numbers between 0 and 100, in order, separated by commas")
		}
		list = append(list, p.Quo(p, hundred))
	}
	return list, nil
}

var hundred = big.NewRat(100, 1)

func (q *quantiles) loss() (privacy.Loss, error) { return q.mechanism.Loss(1) }
func (q *quantiles) algorithm() string           { return quantilesTask.Algorithm }

// rankErrors are whole numbers of persons, rounded up.
func (q *quantiles) rankErrors() []int64 {
	list := make([]int64, len(q.targets))
	for i, e := range q.mechanism.RankErrors(basic.Beta) {
		list[i] = int64(math.Min(math.Ceil(e), float64(q.query.people)))
	}
	return list
}

func (q *quantiles) bound() float64 {
	most := 0.0
	for _, e := range q.mechanism.RankErrors(basic.Beta) {
		most = max(most, e)
	}
	return most
}
func (q *quantiles) unit() string { return "people on the wrong side" }

func (q *quantiles) forecast() []Forecast {
	var most int64
	for _, e := range q.rankErrors() {
		most = max(most, e)
	}
	n := q.query.people
	return []Forecast{
		{"On the wrong side of a value, at most", people(most), "for all values at once, in 95 of 100 releases; " + percentOf(most, n) + " of all " + people(n)},
		{"Verdict", verdict(most, n), "The wider the bounds, the more people are needed for a sharp answer."},
	}
}

func (q *quantiles) run(src coin.Source, data data, step coin.Step) (Result, error) {
	codes, err := q.mechanism.Release(src, data.values, step)
	if err != nil {
		return nil, err
	}
	errors := q.rankErrors()
	out := &Quantiles{}
	for i, code := range codes {
		part := new(big.Rat).Mul(q.targets[i], hundred)
		out.Rows = append(out.Rows, Quantile{Part: trimDecimal(part) + " %", Value: q.query.domain.Decode(code), RankError: errors[i]})
	}
	return out, nil
}

func (q *quantiles) state(result Result) string {
	var parts []string
	for _, r := range result.(*Quantiles).Rows {
		parts = append(parts, fmt.Sprintf("%s below %s", r.Part, r.Value))
	}
	if len(parts) > 5 {
		parts = append(parts[:5], "…")
	}
	return fmt.Sprintf("Of the people with a value of %s, about %s.", q.query.label, strings.Join(parts, ", "))
}

// Kind is "quantiles".
func (*Quantiles) Kind() string { return "quantiles" }

// Table lists what was released, a row each.
func (q *Quantiles) Table(column string) [][]string {
	rows := [][]string{{"part of the people", column, "people on the wrong side (95 %)"}}
	for _, r := range q.Rows {
		rows = append(rows, []string{r.Part, r.Value, fmt.Sprint(r.RankError)})
	}
	return rows
}
