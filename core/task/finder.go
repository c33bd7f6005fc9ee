package task

import (
	"fmt"
	"math/big"

	"hush/core/domain"
	"hush/core/message"
	"hush/core/privacy"
	"hush/core/threshold"
)

// orderedKinds are the kinds of column whose values have an order.
var orderedKinds = []domain.Kind{domain.Integer, domain.Decimal, domain.Float64, domain.Date, domain.Timestamp, domain.Text, domain.Bytes}

const paramAlgorithm = "algorithm"

// finderParam chooses how a place with people on both sides is found.
var finderParam = Param{
	Name: paramAlgorithm, Label: "Algorithm", Kind: Chosen, Default: "auto", Rivals: true,
	Choices: []Choice{
		{"auto", "the one that needs fewest people"}, {"exponential", "exponential mechanism"}, {"treelog", "TreeLog"},
		{"heavypaths", "HeavyPaths"}, {"search", "noisy binary search"},
	},
	Taught: []Choice{{"paper", "TreeLog with its paper's constants"}},
	Help:   "What each needs depends on how many values are possible, and is said before you release.",
	Effect: "All keep the same privacy; the wrong one needs many more people.",
	Tries:  "exponential, treelog, search",
}

const auto = "auto"

// allowedDeltaParam is a δ that is spent only by algorithms that need one.
var allowedDeltaParam = Param{
	Name: paramDelta, Label: "δ (delta), if one is needed", Kind: Decimal, Default: auto,
	Help:   "auto: a ten-millionth, or less for many people. 0: none.",
	Effect: "Only algorithms for very many possible values spend it: the guarantee then has exceptions of this chance.",
}

// allowedDelta reads it.
func (q *query) allowedDelta() (privacy.Delta, error) {
	if q.shared != nil {
		return *q.shared, nil
	}
	if q.param(paramDelta) != auto {
		return q.delta()
	}
	limit := new(big.Rat).SetFrac64(1, 10*max(q.people, 1))
	r := big.NewRat(1, 10_000_000)
	for r.Cmp(limit) > 0 {
		r.Quo(r, big.NewRat(10, 1))
	}
	return privacy.NewDelta(r)
}

// part is a share of δ.
func part(delta privacy.Delta, of int64) (privacy.Delta, error) {
	return privacy.NewDelta(new(big.Rat).Quo(delta.Rat(), big.NewRat(of, 1)))
}

// found is a Finder with what it was chosen by.
type found struct {
	threshold.Finder
	by    threshold.AdviceParams
	asked bool // for by its name
}

// finder makes the Finder that the recipe asks for, with one of calls equal shares of ε and δ.
func (q *query) finder(calls int64) (found, error) {
	delta, err := q.allowedDelta()
	if err != nil {
		return found{}, err
	}
	share, err := part(delta, calls)
	if err != nil {
		return found{}, err
	}
	p := threshold.AdviceParams{Epsilon: q.epsilon.Part(1, calls), Delta: share, Size: q.space.size(), Beta: 0.05 / float64(calls), Persons: uint64(q.people)}
	chosen := q.param(paramAlgorithm)
	known := fmt.Sprint("finder ", chosen, p.Epsilon, share, calls, key(q.recipe.Domain))
	if chosen == "paper" { // its constants depend on n
		known += fmt.Sprint(" ", q.people)
	}
	f, err := remember(q, known, func() (threshold.Finder, error) {
		switch chosen {
		case "exponential":
			return threshold.NewExponential(threshold.ExponentialParams{Epsilon: p.Epsilon, Size: p.Size, Beta: p.Beta})
		case "treelog":
			return threshold.NewTreeLog(threshold.TreeLogParams{Epsilon: p.Epsilon, Delta: p.Delta, Size: p.Size, Beta: p.Beta})
		case "paper":
			return threshold.NewPaperTreeLog(threshold.TreeLogParams{Epsilon: p.Epsilon, Delta: p.Delta, Size: p.Size, Beta: p.Beta, Persons: max(p.Persons, 1)})
		case "heavypaths":
			return threshold.NewHeavyPaths(threshold.HeavyPathsParams{Epsilon: p.Epsilon, Delta: p.Delta, Size: p.Size, Beta: p.Beta})
		case "search":
			return threshold.NewBinarySearch(threshold.BinarySearchParams{Epsilon: p.Epsilon, Size: p.Size, Beta: p.Beta})
		}
		return threshold.Choose(p)
	})
	return found{f, p, chosen != auto}, err
}

// forecast says which algorithm is used and why: "your column has a 64-bit domain: …".
func (f found) forecast(q *query) Forecast {
	text, err := remember(q, fmt.Sprint("advice ", f.by.Epsilon, f.by.Delta, f.by.Beta, q.people, key(q.recipe.Domain)), func() (string, error) {
		advice, err := threshold.Advise(f.by)
		if err != nil {
			return "", err // unreachable: a Finder was made for the same
		}
		return message.Format("your column has %s", advice.Text), nil
	})
	if err == nil && f.asked {
		text += message.Format("; you chose %s, which needs %d", f.Name(), f.Needs())
	}
	return Forecast{message.Text("Used"), message.Said(f.Name()), text}
}

// memory keeps what is slow to work out and depends on public parameters only, by what it depends on.
type memory map[string]any

const maxRemembered = 100

// remember returns what make makes, and makes it only once.
func remember[T any](q *query, key string, make func() (T, error)) (T, error) {
	if known, ok := q.memory[key]; ok {
		return known.(T), nil
	}
	made, err := make()
	if err == nil && q.memory != nil {
		if len(q.memory) >= maxRemembered {
			clear(q.memory)
		}
		q.memory[key] = made
	}
	return made, err
}

// checkPersons refuses more people than the algorithms on sorted codes count.
func (q *query) checkPersons(most int64) error {
	if q.people > most {
		return refuse("count", fmt.Sprint(q.people), message.Format("at most %d people for this question", most))
	}
	return nil
}
