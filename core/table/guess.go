package table

import (
	"slices"
	"strings"

	"hush/core/domain"
	"hush/core/phrase"
)

// Guesses of types come from a sample of rows. They are proposals for the owner's screen: a guess
// holds a kind and how its cells are written, and never a bound, a step, a length, a category or a
// missing word, which must not come from the data. Less than one cell in twenty cannot change a
// guess.

// notations are the ways to write numbers that are tried, the plainest first.
var notations = []struct{ mark, group string }{
	{".", ""}, {",", ""}, {".", ","}, {",", "."}, {".", " "}, {",", " "}, {".", "'"}, {",", "'"},
	{".", "_"},
}

// repairNotations are tried for a cell that is no number: thousands marks first, which are stricter
// than a decimal mark.
var repairNotations = []struct{ mark, group string }{
	{".", ","}, {".", " "}, {".", "'"}, {".", "_"}, {",", ""}, {",", "."}, {",", " "}, {",", "'"},
	{".", ""},
}

// dateForms are the forms of dates that are tried, then those of times. Where day and month could
// be either, the earlier form wins.
var dateForms = []struct {
	kind domain.Kind
	form string
}{
	{domain.Date, ""}, {domain.Timestamp, ""},
	{domain.Date, "DD.MM.YYYY"}, {domain.Date, "MM/DD/YYYY"}, {domain.Date, "DD/MM/YYYY"},
	{domain.Date, "DD-MM-YYYY"}, {domain.Date, "MM-DD-YYYY"},
	{domain.Date, "YYYY/MM/DD"}, {domain.Date, "YYYY.MM.DD"}, {domain.Date, "YYYYMMDD"},
	{domain.Date, "DD MMM YYYY"}, {domain.Date, "DD-MMM-YYYY"}, {domain.Date, "MMM DD, YYYY"},
	{domain.Date, "DD-MMM-YY"},
	{domain.Date, "DD.MM.YY"}, {domain.Date, "MM/DD/YY"}, {domain.Date, "DD/MM/YY"},
	{domain.Timestamp, "DD.MM.YYYY hh:mm"}, {domain.Timestamp, "DD.MM.YYYY hh:mm:ssf"},
	{domain.Timestamp, "MM/DD/YYYY hh:mm"}, {domain.Timestamp, "DD/MM/YYYY hh:mm"},
	{domain.Timestamp, "MM/DD/YYYY hh:mm:ssf"}, {domain.Timestamp, "DD/MM/YYYY hh:mm:ssf"},
	{domain.Timestamp, "MM/DD/YYYY hh:mm AP"}, {domain.Timestamp, "MM/DD/YYYY hh:mm:ss AP"},
	{domain.Timestamp, "YYYY/MM/DD hh:mm:ssf"},
}

// naTexts are words that often stand for "no value" in files: a public list.
var naTexts = []string{"NA", "N/A", "n/a", "na", "#N/A", "NULL", "null", "NaN", "nan", "None",
	"none", "nil", "-", "--", ".", "?", "missing", "unknown", "#VALUE!", "#REF!", "#DIV/0!"}

func isNA(text string) bool { return slices.Contains(naTexts, text) }

// sample collects cells of one column.
type sample struct {
	cells    [][]byte
	distinct map[string]bool // at most mostDistinct
	many     bool            // there are more
}

// Sampling: the first rows, then one of many.
const (
	sampleFirst  = 1000
	sampleEvery  = 101
	sampleMost   = 4000
	sampleCells  = 200_000 // of all columns, so that memory stays bounded
	mostDistinct = 50
	sampleBytes  = 200 // longer cells are text
)

// sampled reports whether row number n, from 0, is in the sample.
func sampled(n int64) bool {
	return n < sampleFirst || n%sampleEvery == 0 && n/sampleEvery < sampleMost-sampleFirst
}

func (s *sample) add(cell []byte) {
	text := strings.Trim(string(cell[:min(len(cell), sampleBytes)]), " \t")
	if text == "" || isNA(text) {
		return
	}
	s.cells = append(s.cells, []byte(text))
	if s.many || s.distinct[text] {
		return
	}
	if s.many = len(s.distinct) == mostDistinct; !s.many {
		if s.distinct == nil {
			s.distinct = map[string]bool{}
		}
		s.distinct[text] = true
	}
}

// guess proposes a type and says why.
func (s *sample) guess() (spec domain.Spec, why phrase.Phrase) {
	if len(s.cells) == 0 {
		return domain.Spec{Kind: domain.Text}, phrase.Of("no cell that was looked at has a value")
	}
	spec, why = s.guessDate()
	if spec.Kind == "" {
		spec, why = s.guessNumber()
	}
	if spec.Kind == "" {
		if !s.many && (len(s.distinct) <= 12 || len(s.distinct)*10 <= len(s.cells)) {
			spec.Kind, why = domain.Category, phrase.Of("few different texts")
		} else {
			spec.Kind, why = domain.Text, phrase.Of("many different texts")
		}
	}
	return spec, why
}

// fits reports whether only few cells cannot be read as spec, inside its bounds.
func (s *sample) fits(spec domain.Spec) bool {
	d, err := domain.New(spec)
	if err != nil {
		return false // unreachable: the tables above hold valid forms
	}
	return s.few(func(cell []byte) bool {
		why := d.Why(cell)
		return why == domain.Unreadable || why == domain.Outside
	})
}

// few reports whether so holds for at most one cell in twenty.
func (s *sample) few(so func(cell []byte) bool) bool {
	n := 0
	for _, cell := range s.cells {
		if so(cell) {
			if n++; n*20 > len(s.cells) {
				return false
			}
		}
	}
	return true
}

func (s *sample) guessDate() (domain.Spec, phrase.Phrase) {
	for i, f := range dateForms {
		spec := domain.Spec{Kind: f.kind, Format: f.form}
		if !s.fits(spec) {
			continue
		}
		// Eight digits are a date only if all of them are of our times.
		if f.form == "YYYYMMDD" &&
			!s.fits(domain.Spec{Kind: domain.Date, Format: f.form, Lo: "1850-01-01",
				Hi: "2100-12-31"}) {
			continue
		}
		why := phrase.Of("dates")
		if f.kind == domain.Timestamp {
			why = phrase.Of("dates with a time")
		}
		for _, other := range dateForms[i+1:] {
			if f.form != "" && other.kind == f.kind && strings.NewReplacer("DD", "MM", "MM", "DD").
				Replace(other.form) == f.form &&
				s.fits(domain.Spec{Kind: other.kind, Format: other.form}) {
				why = phrase.Glue(why, phrase.Key("; day and month could be the other way round"))
			}
		}
		return spec, why
	}
	return domain.Spec{}, phrase.Phrase{}
}

func (s *sample) guessNumber() (domain.Spec, phrase.Phrase) {
	// As numbers, codes such as 00412 would lose their zeros.
	if !s.few(func(cell []byte) bool {
		return len(cell) > 1 && cell[0] == '0' &&
			isAll(cell, func(c byte) bool { return c >= '0' && c <= '9' })
	}) {
		return domain.Spec{}, phrase.Phrase{}
	}
	for _, n := range notations {
		spec := domain.Spec{Kind: domain.Float64, Mark: n.mark, Group: n.group}
		if !s.fits(spec) {
			continue
		}
		// 1,234 may be a number of thousands or a decimal: three digits after every comma suggest
		// thousands.
		if n.mark == "," && n.group == "" && s.onlyThousands(',') {
			continue
		}
		spec.Kind = domain.Integer
		whole, err := domain.New(spec)
		if err != nil {
			continue // unreachable: see fits
		}
		why := phrase.Of("whole numbers")
		if !s.few(func(cell []byte) bool { return whole.Why(cell) == domain.Between }) {
			spec.Kind, why = domain.Decimal, phrase.Of("decimal numbers")
		}
		if spec.Mark == "." {
			spec.Mark = ""
		} else {
			why = phrase.Glue(why, " ", phrase.Key("with a decimal comma"))
		}
		if spec.Group != "" {
			why = phrase.Glue(why, " ", phrase.Key("and thousands marks"))
		}
		return spec, why
	}
	return domain.Spec{}, phrase.Phrase{}
}

// onlyThousands reports whether, in all but few cells that hold it, mark stands after one to three
// digits other than just 0 and before exactly three.
func (s *sample) onlyThousands(mark byte) bool {
	return s.few(func(cell []byte) bool {
		i := strings.IndexByte(string(cell), mark)
		if i < 0 {
			return false
		}
		digits := strings.TrimLeft(string(cell[:i]), "+-")
		return len(cell)-i != 4 || digits == "0" || digits == "" || len(digits) > 3
	})
}

func isAll(cell []byte, is func(byte) bool) bool {
	for _, c := range cell {
		if !is(c) {
			return false
		}
	}
	return true
}
