package ask

import (
	"math"
	"slices"
	"strings"

	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/message"
	"hush/core/table"
)

// Voice writes, in a language, about the people or things in the rows. The zero value speaks
// English and says “people”.
type Voice struct {
	*message.Language
	Noun codebook.Noun
	Rows bool // several rows of a person count: it speaks of rows
}

// voice names the unit that the answer to a recipe counts: the people in the rows, or rows where
// several rows of a person may count in one number. If a person has one row in each of several
// groups, each number counts people only where the question is asked by these groups.
func (r Recipe) voice(say *message.Language) Voice {
	byGroup := func(w table.Wanted) bool { return w.Column == r.Use.Column }
	several := r.Use.Entries() > 1 &&
		(r.Use.Rows > 1 || !slices.ContainsFunc(r.wanted(), byGroup))
	return Voice{say, r.Noun, several}
}

// One is the noun for one of them: "book".
func (v Voice) One() string {
	if v.Rows {
		return v.Text("row")
	}
	one, _ := v.Noun.Words()
	return v.Phrase(one)
}

// Many is the noun for several of them: "books".
func (v Voice) Many() string {
	if v.Rows {
		return v.Text("rows")
	}
	_, many := v.Noun.Words()
	return v.Phrase(many)
}

// HowMany is a number of them: "1 book", "11 127 books".
func (v Voice) HowMany(n int64) string {
	if v.Rows {
		return v.Count(n, "1 row", "%s rows", message.Grouped(n))
	}
	if v.Noun.One == "" && v.Noun.Many == "" {
		return v.Count(n, "1 person", "%s people", message.Grouped(n))
	}
	if n == 1 {
		return "1 " + v.One()
	}
	return message.Grouped(n) + " " + v.Many()
}

func (q *Query) voice() Voice { return q.Recipe.voice(q.Say) }

// Counted returns the published noun for the unit counted; empty for the default.
func (q *Query) Counted() codebook.Noun {
	if v := q.voice(); v.Rows {
		return codebook.Noun{One: v.One(), Many: v.Many()}
	}
	return q.Recipe.Noun
}

// One is the recipe's Voice.One.
func (q *Query) One() string { return q.voice().One() }

// Many is the recipe's Voice.Many.
func (q *Query) Many() string { return q.voice().Many() }

// Count is the recipe's Voice.HowMany.
func (q *Query) Count(n int64) string { return q.voice().HowMany(n) }

// CountUp is a fractional number of them, rounded up.
func (q *Query) CountUp(x float64) string {
	if math.IsInf(x, 0) || math.IsNaN(x) || math.Abs(x) >= 1<<62 {
		return message.Prose(x) + " " + q.Many()
	}
	return q.Count(int64(math.Ceil(x)))
}

// groupedFrom is the number of digits from which a whole number without a unit is written in
// groups: years are not, nor are they written with a fraction.
const groupedFrom = 5

// Value writes a value of the main column for a sentence: a number in groups and with its unit, any
// other value as it is.
func (q *Query) Value(text string) string {
	if q.numeric() {
		return q.WithUnit(q.Bare(text))
	}
	return text
}

// Bare writes such a value without its unit, where another value with the unit follows.
func (q *Query) Bare(text string) string {
	whole, _, fraction := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	if q.numeric() && (q.Recipe.Unit != "" || fraction || len(whole) >= groupedFrom) {
		return message.GroupedText(text)
	}
	return text
}

// numeric reports whether the main column holds numbers.
func (q *Query) numeric() bool {
	switch q.Recipe.Domain.Kind {
	case domain.Integer, domain.Decimal, domain.Float64:
		return true
	}
	return false
}

// Amount writes a number in the main column's unit, for a sentence.
func (q *Query) Amount(x float64) string { return q.WithUnit(message.Prose(x)) }

// WithUnit adds the main column's unit to a number given as text.
func (q *Query) WithUnit(text string) string {
	if unit := strings.TrimSpace(q.Recipe.Unit); unit != "" {
		return text + "\u00a0" + unit
	}
	return text
}
