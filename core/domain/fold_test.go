package domain

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"hush/core/param"
)

// TestFolded: texts are the same by what Folded makes of them exactly if the standard library finds
// their words equal without case.
func TestFolded(t *testing.T) {
	for text, want := range map[string]string{
		"": "", " \t\u00a0\u3000\r\n": "", "married": "MARRIED", "  New\u00a0 \tYork ": "NEW YORK",
		"stra\u00dfe": "STRA\u00dfE", "STRA\u1e9eE": "STRA\u00dfE", "STRASSE": "STRASSE",
		"\u212aelvin": "KELVIN", "\u017f": "S", "\u0131": "\u0131", "\u0130": "\u0130", "i": "I",
		"\u00e9": "\u00c9", "e\u0301": "E\u0301", "\u03c2": "\u03a3", "\u200bw": "\u200bW",
		"\ufeffw": "\ufeffW", "\u01c6": "\u01c4", "\U00010428": "\U00010400",
	} {
		if got := Folded(text); got != want {
			t.Errorf("%q is folded to %q, want %q", text, got, want)
		}
	}
	r := rand.New(rand.NewPCG(3, 1))
	signs := []rune("aAkK\u212asS\u017f\u00df\u1e9eiI\u0130\u0131\u00e9\u00c9\u0301" +
		"\u03c3\u03c2\u03a3 \t\n\v\f\r\u0085\u00a0\u1680\u2003\u2028\u202f\u205f\u3000" +
		"\u200b\ufeff\x00\u01c4\u01c5\u01c6\u00b5\u03bc\ufffd")
	random := func() string {
		text := make([]rune, r.IntN(5))
		for i := range text {
			text[i] = signs[r.IntN(len(signs))]
		}
		return string(text)
	}
	same := 0
	for range 200_000 {
		a, b := random(), random()
		want := strings.EqualFold(strings.Join(strings.Fields(a), " "),
			strings.Join(strings.Fields(b), " "))
		if got := Folded(a) == Folded(b); got != want {
			t.Fatalf("%q and %q are the same: %t, want %t", a, b, got, want)
		} else if got {
			same++
		}
		if twice := Folded(Folded(a)); twice != Folded(a) {
			t.Fatalf("%q is folded to %q, then to %q", a, Folded(a), twice)
		}
	}
	if same < 1000 {
		t.Errorf("only %d pairs are the same", same)
	}
}

// TestFoldedStays pins what every character is folded to. Where a newer Go changes this, look at
// which characters it is: only new ones may join, or a codebook of before reads other cells.
func TestFoldedStays(t *testing.T) {
	var text strings.Builder
	spaces := 0
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		if unicode.IsSpace(r) {
			spaces++
		}
		if folded := Folded(string(r)); folded != string(r) {
			text.WriteString(string(r) + folded)
		}
	}
	sum := sha256.Sum256([]byte(text.String()))
	const want = "b8c1f35286df1b240cd00cfd3a2cf4e3369e72eb34bcdf5871f36f1874ab663b"
	if got := hex.EncodeToString(sum[:]); got != want || spaces != 25 {
		t.Errorf("%s, %d spaces; Unicode %s", got, spaces, unicode.Version)
	}
}

// sexes are listed with their spellings, and case and spaces do not count.
var sexes = Spec{Kind: Category, Categories: []string{"female", "Not  stated"},
	Spellings: []Spelling{{"w", "female"}, {"Weiblich", "female"}, {"Stra\u00dfe", "Not  stated"},
		{"W", "female"}}, Missing: []string{"n/a", "No\u00a0Data"}, Fold: true}

// TestFold: a cell counts as the category that it is spelled as but for case and spaces; so do the
// words for no value, and what is not listed is none, or the category of all others.
func TestFold(t *testing.T) {
	all := sexes
	all.Categories = append(slices.Clone(all.Categories), "other")
	all.Other = "OTHER"
	if _, err := New(all); err == nil {
		t.Error("the category of all others is named in another way than it is listed")
	}
	all.Other = "other"
	some := all.Among([]string{"other"})
	reads(t, []Spec{sexes, all, some}, map[string][3]string{
		"female": {"female", "female", ""}, " FeMale\u00a0": {"female", "female", ""},
		"W": {"female", "female", ""}, "WEIBLICH": {"female", "female", ""},
		"weib\u0131ich": {"", "other", "other"}, "not\u3000\tSTATED\r\n": {"Not  stated",
			"Not  stated", ""},
		"STRA\u1e9eE": {"Not  stated", "Not  stated", ""}, "strasse": {"", "other", "other"},
		"notstated": {"", "other", "other"}, "we\u0131blich": {"", "other", "other"},
		"N/A": {}, "no data": {}, "": {}, "\u00a0\u2003": {}, "w\u0301": {"", "other", "other"},
		"w\xff": {}, "\xff": {}, "w\x00": {"", "other", "other"},
		"\u200bw":                      {"", "other", "other"},
		strings.Repeat("weiblich", 99): {"", "other", "other"},
		strings.Repeat(" ", 999) + "w": {"female", "female", ""},
	})
	d, _ := New(sexes)
	for cell, want := range map[string]Reason{"N/A": Missing, "\u00a0": Missing, "x": Outside,
		"\xff": Outside, "w": Read} {
		if why := d.Why([]byte(cell)); why != want {
			t.Errorf("%q: %s, want %s", cell, why, want)
		}
	}
	if got := all.Meant([]string{"WEIBLICH", "female", "Park", "OTHER"}); !slices.Equal(got,
		[]string{"female", "Park", "other"}) {
		t.Errorf("meant are %q", got)
	}
	if plain := sexes.Plain(); plain.Fold || !sexes.Spelled() || !(Spec{Fold: true}).Spelled() {
		t.Error("spelled or not")
	}
	for _, cell := range []string{"female", "FEMALE", "Not\u00a0stated", "x"} {
		text := []byte(cell)
		if n := testing.AllocsPerRun(100, func() { d.Encode(text) }); n > 0 {
			t.Errorf("%q takes %v allocations", cell, n)
		}
	}
}

// TestFoldEqualsListed: what a domain with Fold reads is what one without reads that lists the
// cell's folded text; that is, no path of reading leaves the folding out.
func TestFoldEqualsListed(t *testing.T) {
	folded, err := New(sexes)
	if err != nil {
		t.Fatal(err)
	}
	listed := Spec{Kind: Category, Missing: []string{"N/A", "NO DATA"},
		Categories: []string{Folded("female"), Folded("Not stated")},
		Spellings: []Spelling{{"W", "FEMALE"}, {"WEIBLICH", "FEMALE"},
			{"STRA\u00dfE", "NOT STATED"}}}
	plain, err := New(listed)
	if err != nil {
		t.Fatal(err)
	}
	words := []string{"female", "not stated", "w", "weiblich", "stra\u00dfe", "n/a", "no data", "x"}
	r, read := rand.New(rand.NewPCG(2, 9)), 0
	for range 50_000 {
		var cell strings.Builder
		for _, c := range " " + words[r.IntN(len(words))] + " " {
			for range r.IntN(8) {
				c = unicode.SimpleFold(c)
			}
			if c == ' ' {
				c = []rune(" \t\u00a0\u3000\u2028")[r.IntN(5)]
			}
			if r.IntN(60) > 0 {
				cell.WriteRune(c)
			}
		}
		code, ok := folded.Encode([]byte(cell.String()))
		want, has := plain.Encode([]byte(Folded(cell.String())))
		if code != want || ok != has {
			t.Fatalf("%q is %d, %t; want %d, %t", cell.String(), code, ok, want, has)
		}
		if ok {
			read++
		}
	}
	if read < 10_000 {
		t.Errorf("only %d cells are read", read)
	}
}

func TestFoldRefused(t *testing.T) {
	category := func(name string) func(*Spec) {
		return func(s *Spec) { s.Categories = append(s.Categories, name) }
	}
	spelling := func(cell, as string) func(*Spec) {
		return func(s *Spec) { s.Spellings = append(s.Spellings, Spelling{cell, as}) }
	}
	for want, change := range map[string]func(*Spec){
		"another category than": category("FEMALE"),
		"a cell of":             spelling("WEIBLICH", "Not  stated"),
		"a cell of ":            spelling("Female", "Not  stated"),
		"listed as missing":     category("N/A"),
		"listed as missing ":    spelling("no data", "female"),
		"not empty":             category("\u00a0"),
		"not empty ":            spelling("\u3000", "female"),
		"only categories":       func(s *Spec) { *s = Spec{Kind: Text, Length: 8, Fold: true} },
		"only categories ":      func(s *Spec) { *s = Spec{Kind: Integer, Fold: true} },
	} {
		spec := sexes
		spec.Categories = slices.Clone(spec.Categories)
		spec.Spellings = slices.Clone(spec.Spellings)
		change(&spec)
		var at *param.Error
		_, err := New(spec)
		if !errors.As(err, &at) || !strings.Contains(at.Want.String(), strings.TrimSpace(want)) {
			t.Errorf("%s: %v", want, err)
		}
	}
	if _, err := NewWide(Spec{Kind: Text, Length: 80, Fold: true}); err == nil {
		t.Error("long texts are folded")
	}
}
