package codebook

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"hush/core/domain"
	"hush/core/phrase"
)

// Suggestion is a public range, or a public list of categories, for which a header's name stands by
// convention.
type Suggestion struct {
	Values Values
	Unit   string     // by the header or by convention; empty: none
	Reason phrase.Key // one phrase: "by convention for ages"
}

// On returns the typed values with the suggestion filled in: the kind, and its range or its list.
// How cells are written, which words are missing and what happens outside stay as typed.
func (s Suggestion) On(v Values) Values {
	v = v.clone()
	v.Kind, v.Whole = s.Values.Kind, false
	v.Lo, v.Hi, v.Step = s.Values.Lo, s.Values.Hi, s.Values.Step
	v.Categories, v.Length = slices.Clone(s.Values.Categories), s.Values.Length
	if v.Kind == domain.Category {
		v.Outside = ""
	}
	return v.only()
}

// Suggest returns what a header's name stands for by public convention, the likeliest first; nil
// where there is no convention. kind is the type that the owner sees beside it, guessed or chosen,
// or empty. It looks at no row.
func Suggest(header string, kind domain.Kind) []Suggestion {
	words := wordsOf(header)
	if k := (kinds{numbers: true}); kind == "" || k.take(kind) {
		if list, ok := suggestRange(header, words, kind); ok {
			return list
		}
	}
	if kind == "" || (kinds{lists: true}).take(kind) {
		if list := suggestList(header, words, kind); list != nil {
			return list
		}
	}
	return suggestDates(words, kind)
}

// Usual are the codes and ranges that numbers most often have: they are on offer where a column's
// name stands for nothing. The kind alone decides, and no row is looked at.
func Usual(kind domain.Kind) (list []Suggestion) {
	add := func(v Values) {
		list = append(list, Suggestion{Values: v, Reason: "usual for numbers"})
	}
	if kind == domain.Integer {
		for _, codes := range [][]string{{"0", "1"}, {"1", "2"}} {
			add(Values{Spec: domain.Spec{Kind: domain.Category, Categories: codes}})
		}
	}
	if numeric(kind) {
		for _, s := range []span{{"0", "10"}, {"0", "100"}} {
			add(s.values(kind, "0.01"))
		}
	}
	return list
}

// kinds says which kinds a convention is about.
type kinds struct{ numbers, lists bool }

func (k kinds) take(kind domain.Kind) bool {
	listed := kind == domain.Category || kind == domain.Text || kind == domain.Integer
	return k.numbers && numeric(kind) || k.lists && listed
}

// suggestRange finds the convention of numbers that the header's words name. ok is false where they
// name none; where they name one with an unknown unit, nothing is offered, and no other convention
// is tried.
func suggestRange(header string, words []string, kind domain.Kind) (list []Suggestion, ok bool) {
	for _, c := range ranges {
		if !saysAny(words, c.words) || !c.coded && saysAny(words, coded) {
			continue
		}
		unit := c.unitIn(header)
		spans, step := c.of(unit)
		for _, s := range spans {
			if kind == domain.Integer && !s.whole() {
				continue
			}
			list = append(list, Suggestion{s.values(kind, step), unit, c.reason})
		}
		return list, true
	}
	return nil, false
}

// unitIn returns the unit that the header names, or else the convention's own.
func (c convention) unitIn(header string) string {
	unit, clear := unitOf(header)
	if unit != "" && (clear || c.has(unit)) {
		return unit
	}
	if clear { // a unit that is not known
		return "?"
	}
	return c.unit
}

// has reports whether the convention has ranges in that unit.
func (c convention) has(unit string) bool {
	return unit == c.unit || slices.ContainsFunc(c.others, func(o inUnit) bool {
		return slices.Contains(o.units, unit)
	})
}

// of returns the ranges in that unit, and the step of decimals, or nothing if the convention does
// not have that unit.
func (c convention) of(unit string) (spans []span, step string) {
	for _, o := range c.others {
		if slices.Contains(o.units, unit) {
			return o.spans, cmp.Or(o.step, c.step)
		}
	}
	if unit == c.unit || c.any {
		return c.spans, c.step
	}
	return nil, ""
}

// whole reports whether both bounds are whole numbers.
func (s span) whole() bool { return !strings.Contains(s.lo+s.hi, ".") }

// values returns the span as values of the kind. Steps come from the convention.
func (s span) values(kind domain.Kind, step string) Values {
	if kind == "" {
		kind = domain.Integer
		if step != "" {
			kind = domain.Decimal
		}
	}
	v := Values{Spec: domain.Spec{Kind: kind, Lo: s.lo, Hi: s.hi}}
	if kind == domain.Decimal {
		v.Step = step
		if step == "" {
			v.Step = "0.1"
		}
	}
	return v
}

// suggestList finds the convention of categories.
func suggestList(header string, words []string, kind domain.Kind) (list []Suggestion) {
	for _, c := range lists {
		begins := c.first != "" && len(words) > 1 && words[0] == c.first
		if !begins && !saysAny(words, c.words) {
			continue
		}
		for _, names := range c.lists {
			if _, err := strconv.Atoi(names[0]); kind == domain.Integer && err != nil {
				continue
			}
			v := Values{Spec: domain.Spec{Kind: domain.Category, Categories: slices.Clone(names)}}
			list = append(list, Suggestion{Values: v, Reason: c.reason})
		}
		for _, length := range c.lengths {
			v := Values{Spec: domain.Spec{Kind: domain.Text, Length: length}}
			list = append(list, Suggestion{Values: v, Reason: c.reason})
		}
		return list
	}
	return nil
}

// suggestDates returns calendar ranges, which need no name.
func suggestDates(words []string, kind domain.Kind) (list []Suggestion) {
	if kind == "" && saysAny(words, dateWords) {
		kind = domain.Date
	}
	if !dated(kind) {
		return nil
	}
	first, last := "", ""
	if kind == domain.Timestamp {
		first, last = "T00:00:00", "T23:59:59"
	}
	for _, s := range []span{{"1900-01-01", "2100-12-31"}, {"2000-01-01", "2049-12-31"}} {
		spec := domain.Spec{Kind: kind, Lo: s.lo + first, Hi: s.hi + last}
		s := Suggestion{Values: Values{Spec: spec}, Reason: "by convention for dates of our times"}
		if list = append(list, s); saysAny(words, birthWords) {
			return list
		}
	}
	return list
}

// RowsOf suggests what a column's header says about rows: that it names the person of a row
// ([Several]), or how many people a row stands for ([Counted]), or returns an empty Each for
// neither. It never sees a cell.
func RowsOf(header string) Each {
	words := wordsOf(header)
	switch {
	case namesPerson(words):
		return Several
	case len(words) == 1 && saysAny(words, countWords):
		return Counted
	}
	return ""
}

// namesPerson reports whether a header names the person of a row: by a stem alone, or by a stem
// with a word for a number before it, after it or at its end.
func namesPerson(words []string) bool {
	stems, numbers := strings.Split(personStems, ","), strings.Split(numberWords, ",")
	names := strings.Split(personNames, ",")
	if slices.Contains(names, strings.Join(words, " ")) ||
		slices.Contains(names, strings.Join(words, "")) || // pat_nr
		len(words) == 1 && slices.Contains(stems, words[0]) {
		return true
	}
	for i, word := range words {
		if i > 0 && (slices.Contains(stems, words[i-1]) && slices.Contains(numbers, word) ||
			slices.Contains(numbers, words[i-1]) && slices.Contains(stems, word)) {
			return true
		}
		for _, stem := range stems {
			if rest, ok := strings.CutPrefix(word, stem); ok && slices.Contains(numbers, rest) {
				return true
			}
		}
	}
	return false
}
