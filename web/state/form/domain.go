package form

import (
	"slices"
	"strconv"
	"strings"

	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/table"
	"hush/web/state/spelling"
)

// DomainForm is a domain as it is typed: which values are possible, and how cells are written.
type DomainForm struct {
	Kind       domain.Kind
	Lo, Hi     string
	NoBounds   bool // "I don't know the bounds": the whole type
	Step       string
	Categories string // one per line, with the cells that count as it: spelling.Text
	Other      string // the category of all other cells; empty: they are none
	Fold       bool   // case and spaces do not count
	Length     string // most bytes of a text
	Clamp      bool   // values outside count as the nearest bound, else as none

	Mark, Group  string // of numbers
	Format, Zone string // of dates and times
	Missing      string // cells that mean "no value", separated by commas
}

// KindNames names the kinds in plain words, in the order of the form.
var KindNames = []Named{
	{string(domain.Integer), "whole numbers"},
	{string(domain.Decimal), "decimal numbers"},
	{string(domain.Float64), "any numbers (floating point)"},
	{string(domain.Date), "dates"},
	{string(domain.Timestamp), "dates with a time"},
	{string(domain.Category), "categories"},
	{string(domain.Text), "texts"},
	{string(domain.Bytes), "texts of any bytes"},
}

// Bounded reports whether a kind has bounds.
func (f DomainForm) Bounded() bool {
	return f.Kind != domain.Category && f.Kind != domain.Text && f.Kind != domain.Bytes
}

// Dated reports whether the kind is dates or times.
func (f DomainForm) Dated() bool { return f.Kind == domain.Date || f.Kind == domain.Timestamp }

// Spec returns the domain in the form of package domain, with only the fields that matter for the
// kind.
func (f DomainForm) Spec() domain.Spec {
	spec := domain.Spec{Kind: f.Kind, Missing: Split(f.Missing, ",")}
	if f.Clamp {
		spec.Outside = domain.Clamp
	}
	if f.Bounded() && !f.NoBounds {
		spec.Lo, spec.Hi = strings.TrimSpace(f.Lo), strings.TrimSpace(f.Hi)
	}
	switch f.Kind {
	case domain.Category:
		spec.Categories, spec.Spellings = spelling.Parse(f.Categories)
		spec.Outside, spec.Other, spec.Fold = "", f.Other, f.Fold
	case domain.Text, domain.Bytes:
		spec.Length, _ = strconv.Atoi(f.Length)
	case domain.Date, domain.Timestamp:
		spec.Format, spec.Zone = f.Format, f.Zone
		if f.Kind == domain.Timestamp {
			spec.Step = f.Step
		}
	default:
		spec.Mark, spec.Group = f.Mark, f.Group
		if f.Kind == domain.Decimal {
			spec.Step = strings.TrimSpace(f.Step)
		}
	}
	return spec
}

// Values returns what is typed, for a codebook.
func (f DomainForm) Values() codebook.Values {
	return codebook.Values{Spec: f.Spec(), Whole: f.Bounded() && f.NoBounds}
}

// Repair accepts a proposal for how cells are read.
func (f *DomainForm) Repair(r table.Repair) {
	switch r.Field {
	case "missing":
		words := Split(f.Missing, ",")
		for _, word := range Split(r.Value, ",") {
			if !slices.Contains(words, word) {
				words = append(words, word)
			}
		}
		f.Missing = strings.Join(words, ", ")
	case "mark":
		f.Mark = r.Value
	case "group":
		f.Group = r.Value
	}
}

// SetKind changes the kind and the defaults that go with it.
func (f *DomainForm) SetKind(k domain.Kind) {
	*f = DomainForm{Kind: k, Missing: f.Missing}
	switch k {
	case domain.Decimal:
		f.Step = "0.01"
	case domain.Timestamp:
		f.Step = "second"
	case domain.Text, domain.Bytes:
		f.Length = "256"
	}
}

// Split splits a typed list into its entries, without blanks around them and without empty ones.
func Split(text, separator string) (list []string) {
	for _, entry := range strings.Split(text, separator) {
		if entry = strings.TrimSpace(entry); entry != "" {
			list = append(list, entry)
		}
	}
	return list
}
