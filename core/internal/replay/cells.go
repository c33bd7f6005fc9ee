package replay

import (
	"math/big"
	"strings"
	"time"

	"hush/core/domain"
)

// column states how a column of a file is read, and which values most of its cells have.
type column struct {
	specs []domain.Spec // of the recipe's parts that read it; none: nothing reads it
	usual []string
	spelt bool // its values are labels, which are spelt in many ways
}

// newColumn draws the usual values: a few of each domain, its ends among them now and then.
func newColumn(d dice, specs []domain.Spec) column {
	c := column{specs: specs}
	for _, spec := range specs {
		for range 1 + d.below(5) {
			c.usual = append(c.usual, valueOf(d, spec))
		}
	}
	if specs == nil {
		c.usual = []string{"x", "", "a, b", "two\nlines", `says "no"`}
	}
	return c
}

// junk are cells that are a value of few domains or of none.
var junk = []string{"", "", " ", "NA", "n/a", "abc", "-1", "0", "1e400", "1,5", "2.25", "  7 ",
	"NaN",
	"=1+2", "\u00e9t\u00e9", "two\nlines", "a\"quote", "a,b;c|d", "99999999999999999999",
	"2026-02-30",
	"\x00", strings.Repeat("long ", 60)}

// spelt writes a label in one of the ways that some reader may take for the same, or for another.
func spelt(d dice, label string) string {
	return pick(d, label, label+"\x00", label+"\x00\x00", label+" ", " "+label, label+"\u00a0",
		label+" \x00", label+"\x00 ", strings.ToLower(label), strings.ToUpper(label), "\x00"+label,
		"", "\x00", " ")
}

// cell draws one.
func (c column) cell(d dice) string {
	switch {
	case c.spelt && d.percent(30):
		return spelt(d, pick(d, c.usual...))
	case len(c.specs) == 0, d.percent(75):
		return pick(d, c.usual...)
	case d.percent(50):
		return valueOf(d, pick(d, c.specs...))
	}
	return pick(d, junk...)
}

// valueOf draws a value of a domain, each end more often than the others, written as spec says
// that cells are.
func valueOf(d dice, spec domain.Spec) string {
	if spec.IsWide() {
		var b strings.Builder
		for range d.below(min(spec.Length, 24)) {
			b.WriteByte("abnz "[d.below(5)])
		}
		return b.String()
	}
	values, err := domain.New(spec)
	if err != nil {
		return "?" // the recipe is refused
	}
	size := values.Size()
	last := new(big.Int).Sub(size, big.NewInt(1)).Uint64()
	code := pick(d, 0, last, d.code(size), d.code(size), d.code(size), d.code(size))
	text := values.Decode(code)
	if spec.Format == "DD.MM.YYYY" {
		if day, err := time.Parse(time.DateOnly, text); err == nil {
			text = day.Format("02.01.2006")
		}
	}
	if spec.Mark == "," {
		text = strings.Replace(text, ".", ",", 1)
	}
	return text
}

// specOf draws a domain of a kind; values is how many categories it must have, where 0 allows any
// number.
func specOf(d dice, kind domain.Kind, values int, long bool) domain.Spec {
	s := domain.Spec{Kind: kind, Missing: pick(d, nil, []string{"NA"}),
		Outside: pick(d, "", domain.Clamp)}
	switch kind {
	case domain.Integer:
		s.Lo, s.Hi = pick(d, "0", "0", "-20"), pick(d, "9", "99", "1000000")
	case domain.Decimal:
		s.Lo, s.Hi, s.Step = "0", pick(d, "10", "200"), pick(d, "0.5", "0.1")
		s.Mark = pick(d, "", ",")
	case domain.Float64:
		s.Lo, s.Hi = pick(d, "", "0"), pick(d, "", "10")
	case domain.Date:
		s.Lo, s.Hi, s.Format = "2026-01-01", "2026-08-31", pick(d, "", "DD.MM.YYYY")
	case domain.Timestamp:
		s.Lo, s.Hi = "2026-01-01 00:00:00", "2026-01-03 23:00:00"
		s.Step = pick(d, "hour", "second")
	case domain.Text:
		s.Length = 1 + d.below(8)
		if long {
			s.Length = pick(d, 2, 8, 20)
		}
	case domain.Bytes:
		s.Length = 1 + d.below(8)
	case domain.Category:
		s.Outside = ""
		s.Categories = []string{"Bern", "Graz", "Ulm", "=1+2", "a \"b\", c"}
		if values == 0 {
			values = 2 + d.below(4)
		}
		s.Categories, s.Fold = s.Categories[:values], d.percent(25)
	}
	return s
}
