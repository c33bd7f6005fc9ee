package codebook

import (
	"errors"
	"strconv"

	"hush/core/domain"
	"hush/core/phrase"
)

// Seen says how the first rows compare with the values that were typed. It is for the owner's
// screen only: it depends on cells, and no part of it is ever written.
type Seen struct {
	Outside    []int // indices of the cells outside the range or the list
	Unreadable []int // indices of cells that are no value of the kind at all
	Below      bool  // a number, date or time lies below the range
	Above      bool  // one lies above
}

// Look compares the first rows with the values that were typed. It refuses incomplete values.
func Look(v Values, cells []string) (Seen, error) {
	var seen Seen
	if err := v.check(); err != nil {
		return seen, &Fault{Err: err}
	}
	open, clamped := v.Spec, v.Spec
	open.Outside, clamped.Outside = domain.None, domain.Clamp
	why, high, err := readers(open, clamped)
	if err != nil {
		return seen, err // unreachable: v was checked
	}
	for i, cell := range cells {
		switch why([]byte(cell)) {
		case domain.Unreadable:
			seen.Unreadable = append(seen.Unreadable, i)
		case domain.Outside:
			seen.Outside = append(seen.Outside, i)
			if bounded(v.Kind) && high([]byte(cell)) {
				seen.Above = true
			} else if bounded(v.Kind) {
				seen.Below = true
			}
		}
	}
	return seen, nil
}

// readers return functions that say why a cell has no value, and whether a cell outside the bounds
// lies above them.
func readers(open,
	clamped domain.Spec) (why func([]byte) domain.Reason, high func([]byte) bool, err error) {
	if open.IsWide() {
		wide, err := domain.NewWide(open)
		if err != nil {
			return nil, nil, err
		}
		return wide.Why, nil, nil
	}
	d, err := domain.New(open)
	if err != nil {
		return nil, nil, err
	}
	if !bounded(open.Kind) {
		return d.Why, nil, nil
	}
	near, err := domain.New(clamped)
	if err != nil {
		return nil, nil, err
	}
	return d.Why, func(cell []byte) bool {
		code, _ := near.Encode(cell)
		return code > 0 || d.Size().IsUint64() && d.Size().Uint64() == 1 && above(open, cell)
	}, nil
}

// above reports whether a cell lies above a range of one value: of two neighbours, the upper one
// counts.
func above(spec domain.Spec, cell []byte) bool {
	spec.Hi, spec.Outside = "", domain.None
	d, err := domain.New(spec)
	if err != nil {
		return true
	}
	_, ok := d.Encode(cell)
	return ok
}

// Choice is the owner's decision about first rows that lie outside.
type Choice string

const (
	Unanswered Choice = ""       // nothing yet
	Widen      Choice = "widen"  // the range is too narrow: type a wider one
	Errors     Choice = "errors" // they are mistakes: count them as none
	Bound      Choice = "bound"  // count them as the nearest bound
)

// Label words the choice.
func (c Choice) Label() phrase.Key {
	switch c {
	case Widen:
		return "Type a wider range"
	case Errors:
		return "These are errors: count them as none"
	case Bound:
		return "Count them as the bound"
	}
	return ""
}

// Choices lists the possible choices for values of a kind: categories have no bound.
func Choices(kind domain.Kind) []Choice {
	if kind == domain.Category {
		return []Choice{Widen, Errors}
	}
	return []Choice{Widen, Errors, Bound}
}

// ErrOutside blocks a description as long as first rows lie outside and nothing was chosen. It is
// for the owner's screen only.
var ErrOutside error = phrase.Fault(
	"codebook: some of the first rows are out of range: type a wider range, or say what these " +
		"values are")

// Describe returns the column with these values, which the owner typed or chose beside the first
// rows. As long as one of these rows lies outside, the choice must say what that means: without
// one, or with Widen, the error is ErrOutside. Errors and Bound are written into the values, even
// where no first row lies outside; without a choice, values that already say what becomes of others
// keep that. It refuses, with [*Fault], values that are not whole. c is not changed.
func (c Column) Describe(v Values, first []string, choice Choice) (Column, error) {
	switch choice {
	case Unanswered, Widen:
	case Errors:
		v.Outside = domain.None
	case Bound:
		v.Outside = domain.Clamp
	default:
		return Column{}, &Fault{Column: c.Number, Err: refuse("choice",
			strconv.Quote(plain(string(choice), maxNoun)),
			phrase.Key(`"widen", "errors" or "bound"`))}
	}
	seen, err := Look(v, first)
	if err != nil {
		var fault *Fault
		if errors.As(err, &fault) {
			fault.Column = c.Number
		}
		return Column{}, err
	}
	if len(seen.Outside) > 0 && (v.Outside == "" || choice == Widen) {
		return Column{}, ErrOutside
	}
	// "none" is the default: the written form must not show whether it had to be chosen.
	if c.values = v.clone(); c.values.Outside == domain.None {
		c.values.Outside = ""
	}
	if err := c.check(); err != nil {
		return Column{}, &Fault{Column: c.Number, Err: err}
	}
	return c, nil
}
