// Package prove demonstrates audits: algorithms of Hush on data so tiny that their exact output
// laws can be computed while somebody looks on, with their claims, and with mistakes that can be
// planted in them to see a claim fail.
//
// Everything is an exact rational; what a Finding shows is rounded and says so. The data sets are
// all those of a tiny space: nobody's. A demonstration is no release, and an audit of a tiny space
// is no proof for large data; the proofs stand beside the algorithms.
package prove

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/message"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Demonstration is one algorithm with its tiny data sets. All of it is public and fixed.
type Demonstration struct {
	ID      string // in addresses
	Title   phrase.Key
	Subject phrase.Key // what it is listed under
	What    phrase.Key // what is released, from what, in a sentence or two
	Promise phrase.Key // the claim and its reason, in words

	Values  []phrase.Key // what the values of a person are called: the first this many are in use
	None    phrase.Key   // what a person without a value is called
	Persons Range        // numbers of persons
	Domain  Range        // numbers of values
	Bases   []string     // bases r of the noise; empty where the algorithm is granted an ε
	Epsilon []string     // values of ε, where there is no base
	Deltas  []string     // values of δ; empty where δ is 0
	Bugs    []Bug

	prepare func(s setting) trial
}

// Bug is a mistake that can be planted.
type Bug struct {
	ID    string
	Title phrase.Key // "Half the noise"
	What  phrase.Key // what goes wrong, in a sentence
}

// Range holds the whole numbers from Least to Most; a demonstration starts at Usual.
type Range struct{ Least, Most, Usual int }

// Request says what to demonstrate.
type Request struct {
	ID      string `json:"id"`            // of the Demonstration
	Bug     string `json:"bug,omitempty"` // of a Bug; empty: none
	Persons int    `json:"persons"`
	Values  int    `json:"values"`
	Base    string `json:"base,omitempty"`    // one of Bases, where there are any
	Epsilon string `json:"epsilon,omitempty"` // one of Epsilon, likewise
	Delta   string `json:"delta,omitempty"`   // one of Deltas, likewise

	// From and To are neighbours to look at, as audit.Space lists them; both empty for the worst
	// pair.
	From []int `json:"from,omitempty"`
	To   []int `json:"to,omitempty"`
}

// Catalogue lists the demonstrations, those of one subject together.
func Catalogue() []Demonstration {
	return []Demonstration{
		noisyCount, noisyHistogram, boundedSum, tablesOfPairs,
		bestCandidate, flippedCandidate, middleValue, searchedValue, bestOfRuns,
		openWords, openCandidate, stableMajority,
		alarm,
		stableVotes, newLabels, publicRule,
		treeValue, heavyValue, maximumError, pieces, multiplicativeWeights,
	}
}

// Find returns the demonstration with that ID.
func Find(id string) (Demonstration, bool) {
	all := Catalogue()
	i := slices.IndexFunc(all, func(d Demonstration) bool { return d.ID == id })
	if i < 0 {
		return Demonstration{}, false
	}
	return all[i], true
}

// Usual returns the request with which the demonstration starts: no bug, the worst pair.
func (d Demonstration) Usual() Request {
	r := Request{ID: d.ID, Persons: d.Persons.Usual, Values: d.Domain.Usual}
	for _, choice := range []struct {
		field *string
		list  []string
	}{{&r.Base, d.Bases}, {&r.Epsilon, d.Epsilon}, {&r.Delta, d.Deltas}} {
		if len(choice.list) > 0 {
			*choice.field = choice.list[0]
		}
	}
	return r
}

// Space returns the space of the request's data sets.
func (r Request) Space() audit.Space { return audit.Space{Persons: r.Persons, Values: r.Values} }

// Names returns the names of the values of a data set.
func (d Demonstration) Names(say *message.Language, rows []int) []string {
	names := make([]string, len(rows))
	for i, v := range rows {
		names[i] = say.Text(d.None)
		if v != audit.None {
			names[i] = say.Text(d.Values[v])
		}
	}
	return names
}

// Bug returns the bug with that ID, or the zero Bug if there is none.
func (d Demonstration) Bug(id string) Bug {
	if i := slices.IndexFunc(d.Bugs, func(b Bug) bool { return b.ID == id }); i >= 0 {
		return d.Bugs[i]
	}
	return Bug{}
}

// Check finds the demonstration, and refuses with *param.Error any option that it does not have.
func (r Request) Check() (Demonstration, error) {
	d, ok := Find(r.ID)
	if !ok {
		return d, refuse("id", fmt.Sprintf("%q", r.ID), phrase.Of("the ID of a demonstration"))
	}
	for _, number := range []struct {
		field string
		given int
		Range
	}{{"persons", r.Persons, d.Persons}, {"values", r.Values, d.Domain}} {
		if number.given < number.Least || number.given > number.Most {
			return d, refuse(number.field, fmt.Sprint(number.given),
				phrase.Of("a whole number from %d to %d", number.Least, number.Most))
		}
	}
	for _, choice := range []struct {
		field, given string
		list         []string
	}{{"base", r.Base, d.Bases}, {"epsilon", r.Epsilon, d.Epsilon}, {"delta", r.Delta, d.Deltas}} {
		switch {
		case len(choice.list) == 0 && choice.given != "":
			return d, refuse(choice.field, fmt.Sprintf("%q", choice.given),
				phrase.Of("nothing: this demonstration has no such parameter"))
		case len(choice.list) > 0 && !slices.Contains(choice.list, choice.given):
			return d, refuse(choice.field, fmt.Sprintf("%q", choice.given),
				phrase.Of("one of %s", strings.Join(choice.list, ", ")))
		}
	}
	if r.Bug != "" && d.Bug(r.Bug).ID == "" {
		return d, refuse("bug", fmt.Sprintf("%q", r.Bug),
			phrase.Of("the ID of one of the demonstration's bugs"))
	}
	if len(r.From) > 0 || len(r.To) > 0 {
		near := r.Space().Neighbours(r.From)
		if !slices.ContainsFunc(near, func(rows []int) bool { return slices.Equal(rows, r.To) }) ||
			!contains(r.Space().DataSets(), r.From) {
			return d, refuse("to", fmt.Sprint(r.To),
				phrase.Of("a data set of the space that differs from \"from\" in one person"))
		}
	}
	return d, nil
}

func contains(sets [][]int, rows []int) bool {
	return slices.ContainsFunc(sets, func(set []int) bool { return slices.Equal(set, rows) })
}

func refuse(field, value string, want phrase.Phrase) error {
	return param.New("prove", field, phrase.Plain(value), want)
}

// setting is a checked request in the types of the algorithms.
type setting struct {
	base            coin.Base
	epsilon         privacy.Epsilon
	delta           privacy.Delta
	persons, values int
	bug             string
}

func (r Request) setting() setting {
	s := setting{persons: r.Persons, values: r.Values, bug: r.Bug}
	if r.Base != "" {
		s.base = must(coin.BaseFromRat(rational(r.Base)))
	}
	if r.Epsilon != "" {
		s.epsilon = must(privacy.ParseEpsilon(r.Epsilon))
	}
	if r.Delta != "" {
		s.delta = must(privacy.ParseDelta(r.Delta))
	}
	return s
}

// outcome is the output of one run, as up to three numbers; show puts it into words.
type outcome [3]int64

// nothing is the first number of an outcome where nothing is released.
const nothing = -1

// trial is an algorithm under one setting, with its mistake if there is one.
type trial struct {
	claim  audit.Claim
	limits coin.Limits
	run    func(src coin.Source, rows []int) (outcome, error)
	show   func(say *message.Language, o outcome) string
	cut    phrase.Key // in words what noise is not followed, where some is not
}

// claimOf returns the claim of a mechanism for one person replaced.
func claimOf(m mechanism.Mechanism) audit.Claim { return must(audit.ClaimOf(must(m.Loss(1)))) }

// must unwraps a result that cannot be an error for parameters that the catalogue lists.
func must[T any](x T, err error) T {
	if err != nil {
		panic("prove: internal error: " + err.Error())
	}
	return x
}

func rational(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic("prove: internal error: not a rational number: " + text)
	}
	return r
}

// counts returns how many persons have each of this many values.
func counts(rows []int, values int) []int64 {
	all := make([]int64, values)
	for _, v := range rows {
		if v != audit.None {
			all[v]++
		}
	}
	return all
}

// column is a data set as a column of codes.
type column []int

func (c column) Len() int { return len(c) }

func (c column) Code(i int) (uint64, bool) {
	if c[i] == audit.None {
		return 0, false
	}
	return uint64(c[i]), true
}

// codes lists the values of the persons who have one, in order.
func codes(rows []int) (list []uint64) {
	for _, v := range rows {
		if v != audit.None {
			list = append(list, uint64(v))
		}
	}
	return list
}

// clamped returns a number kept between low and high.
func clamped(x, low, high int64) int64 { return min(max(x, low), high) }

func showClamped(x, low, high int64) string {
	sign := ""
	if x < 0 {
		sign, x, low, high = "−", -x, -low, -high
	}
	switch x {
	case low:
		return "≤ " + sign + fmt.Sprint(x)
	case high:
		return "≥ " + sign + fmt.Sprint(x)
	}
	return sign + fmt.Sprint(x)
}
