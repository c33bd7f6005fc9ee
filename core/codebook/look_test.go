package codebook

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"hush/core/domain"
	"hush/core/param"
	"hush/core/phrase"
)

func TestLook(t *testing.T) {
	rating := ranged(domain.Decimal, "0", "5", "0.01")
	comma := rating
	comma.Mark, comma.Missing = ",", []string{"99"}
	clamped := rating
	clamped.Outside = domain.Clamp
	one := ranged(domain.Integer, "7", "7", "")
	words := Values{Spec: domain.Spec{Kind: domain.Category, Categories: []string{"a", "b"}}}
	short := Values{Spec: domain.Spec{Kind: domain.Text, Length: 3}}
	long := Values{Spec: domain.Spec{Kind: domain.Text, Length: 9}}
	whole := Values{domain.Spec{Kind: domain.Integer}, true}
	for _, c := range []struct {
		values Values
		cells  string // separated by a bar
		want   string // {outside unreadable below above}
	}{
		{rating, "4.57|0|5|", "{[] [] false false}"},
		{rating, "4.57|5.01|652", "{[1 2] [] false true}"},
		{rating, "-0.001|4", "{[0] [] true false}"},
		{rating, "-1|4|6", "{[0 2] [] true true}"},
		{rating, "4,57|x|4.57", "{[] [0 1] false false}"},
		{comma, "4,57|99|98", "{[2] [] false true}"},
		{clamped, "4.57|6", "{[1] [] false true}"}, // also where values have an answer
		{one, "6|7|8", "{[0 2] [] true true}"},
		{one, "8", "{[0] [] false true}"},
		{one, "6", "{[0] [] true false}"},
		{words, "a|c| b ", "{[1] [] false false}"},
		{short, "abc|abcd", "{[1] [] false false}"},
		{long, "abc|abcdefghij", "{[1] [] false false}"},
		{whole, "1|99999999999999999999|-99999999999999999999", "{[1 2] [] true true}"},
		{ranged(domain.Date, "2000-01-01", "2010-12-31", ""), "2005-05-05|1999-12-31|2011-01-01|5",
			"{[1 2] [3] true true}"},
		{rating, "", "{[] [] false false}"},
	} {
		seen, err := Look(c.values, strings.Split(c.cells, "|"))
		if got := fmt.Sprint(seen); got != c.want || err != nil {
			t.Errorf("%s in %s: %s %v, want %s", c.cells, describe(t, c.values), got, err, c.want)
		}
	}
	if _, err := Look(ranged(domain.Integer, "0", "", ""), nil); err == nil {
		t.Error("looked with an open range")
	}
}

func TestDescribe(t *testing.T) {
	pages := ranged(domain.Integer, "0", "1000", "")
	none, clamp := pages, pages
	none.Outside, clamp.Outside = domain.None, domain.Clamp
	inside, outside := []string{"652", "870"}, []string{"652", "1276", "2690"}
	words := Values{Spec: domain.Spec{Kind: domain.Category, Categories: []string{"a"}}}
	for _, c := range []struct {
		values Values
		first  []string
		choice Choice
		want   string // what becomes of others, or the error
	}{
		{pages, inside, Unanswered, ""},
		{pages, nil, Unanswered, ""},
		{pages, outside, Unanswered, ErrOutside.Error()},
		{pages, outside, Widen, ErrOutside.Error()},
		{clamp, outside, Widen, ErrOutside.Error()},
		{pages, outside, Errors, ""},
		{pages, outside, Bound, "clamp"},
		{pages, inside, Bound, "clamp"},
		{clamp, outside, Unanswered, "clamp"},
		{clamp, outside, Errors, ""},
		{none, outside, Unanswered, ""},
		{words, []string{"a", "b"}, Unanswered, ErrOutside.Error()},
		{words, []string{"a", "b"}, Errors, ""},
		{words, []string{"a", "b"}, Bound, "categories have no nearest bound"},
		{ranged(domain.Integer, "5", "1", ""), nil, Errors, "column 3: hi is"},
		{pages, outside, "x", `column 3: choice is "x", want`},
	} {
		before := Column{Number: 3, Header: "num_pages", Guess: Guess{Kind: domain.Integer}}
		got, err := before.Describe(c.values, c.first, c.choice)
		if err != nil {
			if c.want == "" || !strings.Contains(err.Error(), c.want) || got.State() == Described {
				t.Errorf("%v %q: %v, want %q", c.first, c.choice, err, c.want)
			}
			continue
		}
		spec, err := got.Spec()
		if err != nil || spec.Outside != c.want || spec.Kind != c.values.Kind {
			t.Errorf("%v %q: %+v %v, want %q", c.first, c.choice, spec, err, c.want)
		}
		if before.State() != Guessed {
			t.Error("describing changed the column it came from")
		}
	}
}

// TestNothingOfTheRows: what is written does not say whether a first row lay outside, nor what the
// rows looked like.
func TestNothingOfTheRows(t *testing.T) {
	v := ranged(domain.Integer, "0", "1000", "")
	plain, err := Column{Number: 1}.Describe(v, []string{"5"}, Unanswered)
	if err != nil {
		t.Fatal(err)
	}
	guessed := Column{Number: 1, Guess: Guess{domain.Decimal, ",", ".", "", phrase.Plain("secret")}}
	asked, err := guessed.Describe(v, []string{"5", "1276"}, Errors)
	if err != nil {
		t.Fatal(err)
	}
	a, _ := json.Marshal(plain)
	b, _ := json.Marshal(asked)
	if string(a) != string(b) {
		t.Errorf("%s\n%s", a, b)
	}
	c, _ := json.Marshal(guessed)
	if want := `{"number":1}`; string(c) != want {
		t.Errorf("a guess is written: %s", c)
	}
}

// Every choice has words, and leads somewhere for each kind that offers it.
func TestChoices(t *testing.T) {
	for _, kind := range []domain.Kind{domain.Integer, domain.Category, domain.Text, domain.Date} {
		for _, c := range Choices(kind) {
			if c.Label() == "" {
				t.Errorf("%s has no words", c)
			}
		}
	}
	if Unanswered.Label() != "" {
		t.Error("nothing chosen has words")
	}
	var at *param.Error
	_, err := Column{Number: 1}.Describe(Values{}, nil, Errors)
	if !errors.As(err, &at) || at.Field != "kind" {
		t.Errorf("%v", err)
	}
}
