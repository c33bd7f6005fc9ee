package writers

import (
	"strconv"
	"time"

	"hush/core/ask"
)

// Kind is the kind of a column's cells.
type Kind string

const (
	Whole  Kind = "whole"  // whole numbers
	Number Kind = "number" // numbers with a point, or an exponent
	Day    Kind = "day"    // as ISO 8601 has them: 2026-11-29
	Moment Kind = "moment" // the same with a time and a zone: 2026-11-29T13:15:00Z
	Text   Kind = "text"
)

// Table holds rows of texts under names; an empty cell has no value. A text that a spreadsheet
// could take for a formula is already defused, as ask.CSV does.
type Table struct {
	Names []string
	Kinds []Kind // of each column; a column with a cell that does not fit holds texts
	Rows  [][]string
}

// kinds returns the kinds that fit all cells of their columns.
func (t Table) kinds() []Kind {
	fit := make([]Kind, len(t.Names))
	for i := range fit {
		fit[i] = t.Kinds[i]
		for _, row := range t.Rows {
			if row[i] != "" && !fit[i].fits(row[i]) {
				fit[i] = Text
				break
			}
		}
	}
	return fit
}

func (k Kind) fits(cell string) bool {
	switch k {
	case Whole:
		_, err := strconv.ParseInt(cell, 10, 64)
		return err == nil
	case Number:
		_, err := strconv.ParseFloat(cell, 64)
		return err == nil && (ask.IsNumber(cell) || exponent(cell))
	case Day:
		_, ok := day(cell)
		return ok
	case Moment:
		_, ok := moment(cell)
		return ok
	}
	return true
}

// exponent reports whether a number that can be read consists of digits with an exponent: neither
// hexadecimal nor a word such as Inf.
func exponent(cell string) bool {
	for _, c := range cell {
		switch {
		case c >= '0' && c <= '9', c == '+', c == '-', c == '.', c == 'e', c == 'E':
		default:
			return false
		}
	}
	return true
}

// day reads a day, counted from 1970-01-01.
func day(cell string) (days int64, ok bool) {
	at, err := time.Parse(time.DateOnly, cell)
	return floorDiv(at.Unix(), 86_400), err == nil
}

// moment reads a moment in microseconds from 1970; false for one with finer steps.
func moment(cell string) (micros int64, ok bool) {
	at, err := time.Parse(time.RFC3339Nano, cell)
	return at.UnixMicro(), err == nil && at.Nanosecond()%1000 == 0
}

// floorDiv divides and rounds down; b is positive.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
