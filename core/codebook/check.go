package codebook

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"hush/core/domain"
	"hush/core/param"
	"hush/core/phrase"
)

// Limits: people write a codebook, and a page shows all of it.
const (
	maxBytes   = 16 << 20 // size of a file
	maxColumns = 100_000  // as of a table
	maxName    = 200      // characters of a name or a source line
	maxNoun    = 50
	maxUnit    = 30
	maxBound   = 400 // length of a bound, step or format: a float64 in full is shorter
	maxWord    = 1000
)

// Fault says where a codebook is wrong: in which column, 0 for none, and in which field
// ([*param.Error], where a form can mark that field).
type Fault struct {
	Column int // from 1
	Err    error
}

func (f *Fault) Error() string { return f.Phrase().String() }

// Phrase is the text of the error.
func (f *Fault) Phrase() phrase.Phrase {
	var at *param.Error
	text := phrase.Glue(f.Err)
	if errors.As(f.Err, &at) { // even one of another package: the place matters
		text = phrase.Of("%s is %s, want %s", at.Field, at.Value, at.Want)
	}
	if f.Column == 0 {
		return phrase.Glue("codebook: ", text)
	}
	return phrase.Glue("codebook: ", phrase.Of("column %d", f.Column), ": ", text)
}

func (f *Fault) Unwrap() error { return f.Err }

// Check refuses, with [*Fault], what no codebook may hold. Results of Decode and With have passed
// it.
func (b Codebook) Check() error {
	for _, f := range []struct {
		field, text string
		most        int
	}{
		{"name", b.Name, maxName}, {"source", b.Source, maxName},
		{"noun.one", b.Noun.One, maxNoun}, {"noun.many", b.Noun.Many, maxNoun},
	} {
		if err := line(f.field, f.text, f.most); err != nil {
			return &Fault{Err: err}
		}
	}
	if (b.Noun.One == "") != (b.Noun.Many == "") {
		return &Fault{Err: refuse("noun", strconv.Quote(b.Noun.One+b.Noun.Many),
			phrase.Key(`both forms, such as "patient" and "patients", or neither`))}
	}
	if err := b.Rows.check(); err != nil {
		return &Fault{Err: err}
	}
	// Setting a field to its present value checks all of them.
	if _, err := b.Table.With("trim", strconv.FormatBool(b.Table.Trim)); err != nil {
		return &Fault{Err: within("table", err)}
	}
	for _, c := range b.columns {
		if err := c.check(); err != nil {
			return &Fault{Column: c.Number, Err: err}
		}
	}
	return nil
}

// within puts the name of a part in front of the field in it that was refused.
func within(part string, err error) error {
	var at *param.Error
	if !errors.As(err, &at) {
		return err
	}
	return refuse(part+"."+at.Field, at.Value, at.Want)
}

func (r Rows) check() error {
	if r.Use != nil {
		if r.Each != Several && (r.Each != Counted || len(r.Use.Values) > 0) {
			return refuse("rows.use", strconv.Quote(string(r.Each)),
				phrase.Key(`nothing: only "several" rows of a person are used in some way`))
		}
		if err := r.Use.Check(maxColumns); err != nil {
			return within("rows", err)
		}
	}
	switch r.Each {
	case "", One:
		if r.Column != 0 {
			return refuse("rows.column", strconv.Itoa(r.Column),
				phrase.Key(`nothing: only "several" and "counted" rows have a column`))
		}
	case Several, Counted:
		if r.Column < 1 || r.Column > maxColumns {
			return refuse("rows.column", strconv.Itoa(r.Column),
				phrase.Of("a column's number, 1 to %d", maxColumns))
		}
	default:
		return refuse("rows.each", fmt.Sprintf("%.40q", r.Each),
			phrase.Key(`"one", "several" or "counted"`))
	}
	return nil
}

func (c Column) check() error {
	if c.Number < 1 || c.Number > maxColumns {
		return refuse("number", strconv.Itoa(c.Number),
			phrase.Of("a column's number, 1 to %d", maxColumns))
	}
	for _, f := range []struct {
		field, text string
		most        int
	}{{"header", c.Header, maxName}, {"name", c.Name, maxName}, {"unit", c.Unit, maxUnit}} {
		if err := line(f.field, f.text, f.most); err != nil {
			return err
		}
	}
	if c.values.isZero() {
		return nil
	}
	return c.values.check()
}

// check refuses incomplete values: every field must fit the kind, and a bound may be open only if
// that is stated.
func (v Values) check() error {
	for _, f := range []struct{ field, text string }{
		{"kind", string(v.Kind)}, {"lo", v.Lo}, {"hi", v.Hi}, {"step", v.Step},
		{"format", v.Format}, {"zone", v.Zone}, {"mark", v.Mark},
		{"outside", v.Outside}, {"between", v.Between}, {"other", v.Other},
	} {
		if err := line(f.field, f.text, maxBound); err != nil {
			return err
		}
	}
	spelled := make([]string, 0, 2*len(v.Spellings))
	for _, s := range v.Spellings {
		spelled = append(spelled, s.Cell, s.As)
	}
	for _, list := range []struct {
		field string
		words []string
	}{{"categories", v.Categories}, {"missing", v.Missing}, {"spellings", spelled}} {
		for _, word := range list.words {
			if !utf8.ValidString(word) || len(word) > maxWord {
				return refuse(list.field, fmt.Sprintf("%.40q", word),
					phrase.Of("texts of at most %d bytes each", maxWord))
			}
		}
	}
	if err := v.fits(); err != nil {
		return err
	}
	if v.IsWide() {
		_, err := domain.NewWide(v.Spec)
		return err
	}
	_, err := domain.New(v.Spec)
	return err
}

// fits refuses fields that have no meaning for values of this kind, and bounds left open.
func (v Values) fits() error {
	k := v.Kind
	const nothing phrase.Key = "nothing: values of this kind have none"
	for _, f := range []struct {
		field, text string
		has         bool
	}{
		{"lo", v.Lo, bounded(k)}, {"hi", v.Hi, bounded(k)}, {"step", v.Step, bounded(k)},
		{"mark", v.Mark, numeric(k)}, {"group", v.Group, numeric(k)},
		{"format", v.Format, dated(k)}, {"zone", v.Zone, dated(k)},
	} {
		if f.text != "" && !f.has {
			return refuse(f.field, strconv.Quote(f.text), nothing)
		}
	}
	switch {
	case len(v.Categories) > 0 && k != domain.Category:
		return refuse("categories", strconv.Itoa(len(v.Categories)), nothing)
	case v.Fold && k != domain.Category:
		return refuse("fold", "true", nothing)
	case v.Spelled() && k != domain.Category:
		return refuse("spellings", strconv.Itoa(len(v.Spellings)), nothing)
	case v.Length != 0 && k != domain.Text && k != domain.Bytes:
		return refuse("length", strconv.Itoa(v.Length), nothing)
	case v.Whole && !bounded(k):
		return refuse("whole", "true", nothing)
	case v.Whole && v.Lo != "" && v.Hi != "":
		return refuse("whole", "true", phrase.Key("false: both bounds are given"))
	case bounded(k) && !v.Whole && v.Lo == "":
		return refuse("lo", strconv.Quote(""), phrase.Key("the smallest possible value"))
	case bounded(k) && !v.Whole && v.Hi == "":
		return refuse("hi", strconv.Quote(""), phrase.Key("the largest possible value"))
	}
	return nil
}

// only drops fields without a meaning for values of this kind, which recipes were allowed to have.
func (v Values) only() Values {
	if !bounded(v.Kind) {
		v.Lo, v.Hi, v.Step, v.Whole = "", "", "", false
	}
	if !numeric(v.Kind) {
		v.Mark, v.Group = "", ""
	}
	if !dated(v.Kind) {
		v.Format, v.Zone = "", ""
	}
	if v.Kind != domain.Category {
		v.Categories, v.Spellings, v.Other, v.Fold = nil, nil, "", false
	}
	if v.Kind != domain.Text && v.Kind != domain.Bytes {
		v.Length = 0
	}
	return v
}

func (v Values) isZero() bool {
	s := v.Spec
	texts := string(s.Kind) + s.Lo + s.Hi + s.Step + s.Outside + s.Between + s.Format + s.Zone +
		s.Mark + s.Group + s.Other
	return texts == "" && s.Categories == nil && s.Length == 0 && s.Missing == nil && !v.Whole &&
		s.Spellings == nil && !s.Fold
}

// line refuses texts that are not a single short line.
func line(field, text string, most int) error {
	if plain(text, most) == text {
		return nil
	}
	return refuse(field, fmt.Sprintf("%.40q", text),
		phrase.Of("one line of at most %d characters", most))
}

// plain turns a text into a single short line: characters that break a line or change its direction
// become spaces, and a text that is too long is cut.
func plain(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		turns := r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' || turns {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most])
	}
	return strings.TrimSpace(text)
}

// refuse takes texts unchanged, and values that are Phrased.
func refuse(field string, value any, want phrase.Phrased) error {
	return param.New("codebook", field, phrase.From(value), want.Phrase())
}
