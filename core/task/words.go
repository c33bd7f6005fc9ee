package task

import (
	"fmt"
	"math/big"
	"unicode"
	"unicode/utf8"

	"hush/core/message"
)

var one = big.NewInt(1)

// Capital makes the first letter large: a name or a fault becomes the start of a sentence.
func Capital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

// percentOf writes part of all as a percentage with a sensible number of digits.
func percentOf(part, all int64) string {
	if all == 0 {
		return "–"
	}
	p := 100 * float64(part) / float64(all)
	switch {
	case p >= 100:
		return message.Text("more than everyone")
	case p >= 10:
		return fmt.Sprintf("%.0f %%", p)
	case p >= 0.01:
		return fmt.Sprintf("%.2g %%", p)
	}
	return message.Text("under 0.01 %")
}

// people writes a number of persons.
func people(n int64) string { return message.Count(n, "1 person", "%s people", message.Grouped(n)) }

func verdict(off, n int64) string {
	switch {
	case off > n/4:
		return message.Text("mostly noise")
	case off > n/20:
		return message.Text("rough")
	}
	return message.Text("sharp")
}
