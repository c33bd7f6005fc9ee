package ask

import (
	"math"
	"strings"

	"hush/core/domain"
	"hush/core/message"
)

// One is what one of those whom the rows are about is called: "book".
func (q *Query) One() string {
	one, _ := q.Recipe.Noun.Words()
	return q.Say.Phrase(one)
}

// Many is what they are called together: "books".
func (q *Query) Many() string {
	_, many := q.Recipe.Noun.Words()
	return q.Say.Phrase(many)
}

// Count is a number of them: "1 book", "11 127 books".
func (q *Query) Count(n int64) string {
	if noun := q.Recipe.Noun; noun.One == "" && noun.Many == "" {
		return q.Say.Count(n, "1 person", "%s people", message.Grouped(n))
	}
	if n == 1 {
		return "1 " + q.One()
	}
	return message.Grouped(n) + " " + q.Many()
}

// CountUp is a number of them that is no whole one, rounded up.
func (q *Query) CountUp(x float64) string {
	if math.IsInf(x, 0) || math.IsNaN(x) || math.Abs(x) >= 1<<62 {
		return message.Prose(x) + " " + q.Many()
	}
	return q.Count(int64(math.Ceil(x)))
}

// groupedFrom is the length of a whole number without a unit that is written in groups: years are
// not.
const groupedFrom = 5

// Value is a value of the main column as a sentence has it: a number in groups and with its unit,
// any other value as it is.
func (q *Query) Value(text string) string {
	switch q.Recipe.Domain.Kind {
	case domain.Integer, domain.Decimal, domain.Float64:
	default:
		return text
	}
	whole, _, _ := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	if q.Recipe.Unit != "" || len(whole) >= groupedFrom {
		text = message.GroupedText(text)
	}
	return q.WithUnit(text)
}

// Amount is a number in the main column's unit, as a sentence has it.
func (q *Query) Amount(x float64) string { return q.WithUnit(message.Prose(x)) }

// WithUnit is a number, given as text, with the main column's unit behind it.
func (q *Query) WithUnit(text string) string {
	if unit := strings.TrimSpace(q.Recipe.Unit); unit != "" {
		return text + "\u00a0" + unit
	}
	return text
}
