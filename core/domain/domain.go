// Package domain holds the ordered finite sets of values that algorithms work on, and turns cells
// of text into codes and back.
//
// A domain is public: its bounds, step and categories are typed in or chosen from public lists,
// never taken from the data. A cell is either one value of the domain or none (missing, unreadable,
// out of range); none counts for nobody, so the number of rows never changes and nothing stands in
// for a missing value.
//
// What a cell reads as depends on the cell and its Spec, and on no other row. So spellings, and
// case that does not count, leave neighbours as they are: data sets that differ in one person's
// rows differ in that person's codes.
//
// Codes keep the order of the values: code 0 is the smallest value, and a smaller value has a
// smaller code. Domains with codes of at most 64 bits are a [Domain] (New); text of any length is a
// [Wide] ([NewWide]).
package domain

import (
	"math/big"
	"math/bits"
	"strconv"

	"hush/core/param"
	"hush/core/phrase"
)

// Kind names a family of domains.
type Kind string

const (
	Integer   Kind = "integer"   // whole numbers from Lo to Hi
	Decimal   Kind = "decimal"   // numbers from Lo to Hi in steps of Step
	Float64   Kind = "float64"   // every float64 from Lo to Hi
	Date      Kind = "date"      // the days from Lo to Hi
	Timestamp Kind = "timestamp" // the seconds, or other steps of time, from Lo to Hi
	Category  Kind = "category"  // one of Categories, in the order given
	// texts of at most Length bytes, in the order of their bytes; cells are valid UTF-8
	Text  Kind = "text"
	Bytes Kind = "bytes" // the same, and cells may be any bytes
)

// What happens to a value outside the bounds (Spec.Outside), and to one between two steps
// (Spec.Between).
const (
	None    = "none"    // it is none
	Clamp   = "clamp"   // Outside: the nearest bound; a text is cut to the length
	Nearest = "nearest" // Between: the nearest step, a tie goes up
)

// Spec describes a domain. It is public and part of the recipe; numbers travel as decimal text so
// that none is rounded on the way. Zero fields mean the default named beside them.
type Spec struct {
	Kind Kind `json:"kind"`

	// Lo and Hi are the bounds, both inside; left empty, the kind's first and last value ("I don't
	// know the bounds"). Step is the distance of two neighbouring values; Hi − Lo must be a whole
	// number of steps. It is required for decimals, 1 for integers, "day" for dates; for timestamps
	// "day", "hour", "minute", "second" (default), "millisecond", "microsecond" or "nanosecond".
	Lo   string `json:"lo,omitempty"`
	Hi   string `json:"hi,omitempty"`
	Step string `json:"step,omitempty"`

	// Categories are the values in order, each once. Spaces around them do not count.
	Categories []string `json:"categories,omitempty"`
	// Spellings are further cells that count as a category, each once. Other is the category of
	// every cell that is neither listed nor missing; empty: such cells are none.
	Spellings []Spelling `json:"spellings,omitempty"`
	Other     string     `json:"other,omitempty"`
	// Fold lets case and the number and kind of spaces not count, in cells and in all that is
	// listed: what counts is the [Folded] text.
	Fold bool `json:"fold,omitempty"`

	// Length is the most bytes of a text, 1 to 2^17.
	Length int `json:"length,omitempty"`

	// Outside: "none" (default) or "clamp".
	Outside string `json:"outside,omitempty"`
	// Between: "nearest" (default for decimals) or "none" (default for integers). A time between
	// two steps belongs to the earlier one, or is none with "none".
	Between string `json:"between,omitempty"`

	// Format is how dates and times are written: "iso" (default), "unix", "unix-ms" (seconds,
	// milliseconds from 1970 UTC), or a form such as "DD.MM.YYYY hh:mm" made of YYYY YY MM MMM DD
	// hh mm ss f AP Z (see dateFormat). Zone is what the clock of cells without one shows: "UTC"
	// (default) or an offset such as "+02:00". Steps are counted on that clock.
	Format string `json:"format,omitempty"`
	Zone   string `json:"zone,omitempty"`

	// Mark is the decimal mark in the cells: "." (default) or ",". Group is the thousands mark:
	// none (default) or one of , . ' _ and the space, which also stands for the no-break spaces.
	Mark  string `json:"mark,omitempty"`
	Group string `json:"group,omitempty"`

	// Missing lists cells that mean "no value", such as "NA". An empty cell always does.
	Missing []string `json:"missing,omitempty"`
}

// Spelling is a cell that counts as a category: "MITTE" as "Mitte", or "1" as "women". Spaces
// around either do not count.
type Spelling struct {
	Cell string `json:"cell"`
	As   string `json:"as"`
}

// Domain is an ordered finite set of values with codes 0 … Size − 1 of at most 64 bits.
// It never changes after New and may be shared.
type Domain interface {
	// Spec returns the spec that the domain was made from.
	Spec() Spec
	// Size is the number of values. The result is a new integer.
	Size() *big.Int
	// Bits is the length of a code: the least b ≥ 1 with Size ≤ 2^b.
	Bits() int
	// Describe says in plain words which values there are: "whole numbers from 0 to 120".
	Describe() phrase.Phrase
	// Encode returns the code of a cell's value, or false for none. It keeps nothing of cell and
	// allocates nothing.
	Encode(cell []byte) (code uint64, ok bool)
	// Decode writes the value of a code so that Encode reads it back (with Mark "." and no Group).
	// A code beyond the last stands for the last value.
	Decode(code uint64) string
	// Why says why Encode gives none for this cell, or Read if it does not. It is the slow twin of
	// Encode.
	Why(cell []byte) Reason
}

// Numeric is a [Domain] of numbers at equal distances: value = first + code·step.
type Numeric interface {
	Domain
	// Linear returns the first value and the step, as new rationals.
	Linear() (first, step *big.Rat)
}

// Reason says how a cell was understood.
type Reason string

const (
	Read       Reason = "read"       // it has a value of the domain
	Missing    Reason = "missing"    // empty, or listed as missing
	Unreadable Reason = "unreadable" // not a value of this kind: "abc" for a number
	Outside    Reason = "outside"    // a value of this kind, outside the bounds or not listed
	Between    Reason = "between"    // inside the bounds, between two steps
)

// New makes the domain that spec describes. It refuses with *param.Error.
func New(spec Spec) (Domain, error) {
	if err := spec.check(); err != nil {
		return nil, err
	}
	switch spec.Kind {
	case Integer, Decimal:
		return made(newGrid(spec))
	case Float64:
		return made(newFloats(spec))
	case Date, Timestamp:
		return made(newTimes(spec))
	case Category:
		return made(newCategories(spec))
	case Text, Bytes:
		if spec.Length > 8 {
			return nil, refuse("length", strconv.Itoa(spec.Length),
				"at most 8: codes of longer texts are wide")
		}
		return made(newShortTexts(spec))
	}
	return nil, refuse("kind", string(spec.Kind),
		"one of integer, decimal, float64, date, timestamp, category, text, bytes")
}

// made keeps a nil pointer out of the interface.
func made[D Domain](d D, err error) (Domain, error) {
	if err != nil {
		return nil, err
	}
	return d, nil
}

// check refuses what no kind accepts.
func (spec Spec) check() error {
	switch spec.Outside {
	case "", None, Clamp:
	default:
		return refuse("outside", spec.Outside, `"none" or "clamp"`)
	}
	switch spec.Between {
	case "", None, Nearest:
	default:
		return refuse("between", spec.Between, `"nearest" or "none"`)
	}
	if spec.Fold && spec.Kind != Category {
		return refuse("fold", "true", "false: only categories are compared without case and spaces")
	}
	return nil
}

// Plain returns the same domain for values as Decode writes them, however the cells are written: no
// value is missing, spelled differently or between two steps.
func (spec Spec) Plain() Spec {
	spec.Spellings, spec.Other, spec.Fold = nil, "", false
	spec.Mark, spec.Group, spec.Format, spec.Missing, spec.Outside = "", "", "", nil, ""
	if spec.Kind != Timestamp && spec.Kind != Float64 {
		spec.Between = None
	}
	return spec
}

// IsWide reports whether the codes of spec's domain are wide: NewWide makes it, not New.
func (spec Spec) IsWide() bool {
	return (spec.Kind == Text || spec.Kind == Bytes) && spec.Length > 8
}

// Midpoint returns the code half-way between a and b, the lower one when there are two.
func Midpoint(a, b uint64) uint64 { return a&b + (a^b)>>1 }

// Before returns the code of the next smaller value, or false at the first.
func Before(code uint64) (uint64, bool) { return code - 1, code > 0 }

// After returns the code of the next larger value of d, or false at the last.
func After(d Domain, code uint64) (uint64, bool) { return code + 1, code < lastCode(d) }

// lastCode is Size − 1.
func lastCode(d Domain) uint64 {
	n := d.Size()
	return n.Sub(n, big.NewInt(1)).Uint64()
}

// codeBits is the length of codes 0 … last: at least 1.
func codeBits(last uint64) int { return max(1, bits.Len64(last)) }

// sizeOf returns last + 1.
func sizeOf(last uint64) *big.Int {
	n := new(big.Int).SetUint64(last)
	return n.Add(n, big.NewInt(1))
}

func refuse(field, value string, want phrase.Key, args ...any) error {
	return param.Refuse("domain", field, strconv.Quote(value), want, args...)
}
