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

// people writes a number of people where no recipe says what they are called.
func people(say *message.Language, n int64) string {
	return say.Count(n, "1 person", "%s people", message.Grouped(n))
}
