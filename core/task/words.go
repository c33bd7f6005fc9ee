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
func percentOf(say *message.Language, part, all int64) string {
	if all == 0 {
		return "–"
	}
	p := 100 * float64(part) / float64(all)
	switch {
	case p >= 100:
		return say.Text("more than everyone")
	case p >= 10:
		return fmt.Sprintf("%.0f %%", p)
	case p >= 0.01:
		return fmt.Sprintf("%.2g %%", p)
	}
	return say.Text("under 0.01 %")
}

// people writes a number of persons.
func people(say *message.Language, n int64) string {
	return say.Count(n, "1 person", "%s people", message.Grouped(n))
}

func verdict(say *message.Language, off, n int64) string {
	switch {
	case off > n/4:
		return say.Text("mostly noise")
	case off > n/20:
		return say.Text("rough")
	}
	return say.Text("sharp")
}
