package domain

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"hush/core/param"
)

// districts are spelled in several ways.
var districts = Spec{Kind: Category, Categories: []string{"Mitte", " Hafen", "other"},
	Spellings: []Spelling{{"MITTE", "Mitte"}, {" mitte ", "Mitte "}, {"1", "Hafen"}},
	Missing:   []string{"NA"}}

// reads fails where a cell is not the category that it should be by one of three lists; ""
// is none.
func reads(t *testing.T, lists []Spec, cells map[string][3]string) {
	t.Helper()
	for i, spec := range lists {
		d, err := New(spec)
		if err != nil {
			t.Fatal(err)
		}
		for cell, want := range cells {
			code, ok := d.Encode([]byte(cell))
			if ok != (want[i] != "") || ok && d.Decode(code) != want[i] {
				t.Errorf("%q by %d is %t %q, want %q", cell, i, ok, d.Decode(code), want[i])
			}
			if why := d.Why([]byte(cell)); (why == Read) != ok {
				t.Errorf("%q by %d: %s", cell, i, why)
			}
		}
	}
}

// TestSpellings: a cell that is spelled otherwise is its category, spaces around it aside; where
// all else counts as one, what is empty, missing or no text does not.
func TestSpellings(t *testing.T) {
	all := districts
	all.Other = "other"
	some := all.Among([]string{"other", "Hafen"})
	reads(t, []Spec{districts, all, some}, map[string][3]string{
		"Mitte": {"Mitte", "Mitte", ""}, "MITTE": {"Mitte", "Mitte", ""},
		"\tmitte": {"Mitte", "Mitte", ""}, "Hafen": {"Hafen", "Hafen", "Hafen"},
		" 1": {"Hafen", "Hafen", "Hafen"}, "other": {"other", "other", "other"},
		"Park": {"", "other", "other"}, "": {}, " ": {}, "NA ": {}, "MItte": {"", "other", "other"},
		"a\xff": {},
	})
	if got := districts.Among([]string{"Hafen"}); len(got.Missing) != 1 ||
		!slices.Equal(got.Spellings, []Spelling{{"1", "Hafen"}}) {
		t.Errorf("one of them is %+v", got)
	}
	plain, err := New(all.Plain())
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := plain.Encode([]byte("MITTE")); ok {
		t.Error("a plain value is spelled otherwise")
	}
	if !districts.Spelled() || !(Spec{Other: "x"}).Spelled() || (Spec{}).Spelled() {
		t.Error("spelled or not")
	}
}

func TestSpellingsRefused(t *testing.T) {
	for want, change := range map[string]func(*Spec){
		"one of the categories":  func(s *Spec) { s.Spellings = []Spelling{{"x", "MITTE"}} },
		"one of the categories ": func(s *Spec) { s.Other = "MITTE" },
		"each cell once":         func(s *Spec) { s.Spellings = []Spelling{{"other", "Mitte"}} },
		"each cell once ": func(s *Spec) {
			s.Spellings = append(s.Spellings, s.Spellings[0])
		},
		"a text that is not empty":  func(s *Spec) { s.Spellings = []Spelling{{" ", "Mitte"}} },
		"a text that is not listed": func(s *Spec) { s.Spellings = []Spelling{{"NA", "Mitte"}} },
	} {
		spec := districts
		spec.Spellings = slices.Clone(spec.Spellings)
		change(&spec)
		var at *param.Error
		_, err := New(spec)
		if !errors.As(err, &at) || !strings.Contains(at.Want.String(), strings.TrimSpace(want)) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
