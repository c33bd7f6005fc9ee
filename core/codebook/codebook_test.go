package codebook

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"hush/core/domain"
	"hush/core/phrase"
	"hush/core/table"
)

// books is a codebook of three described columns and two others.
func books(t *testing.T) Codebook {
	t.Helper()
	b := New(table.Options{Encoding: table.UTF8, Delimiter: ",", Header: table.Yes, Columns: 5},
		[]table.Field{
			{Column: 1, Name: "title", Guess: domain.Spec{Kind: domain.Text}},
			{Column: 2, Name: "rating", Guess: domain.Spec{Kind: domain.Decimal}},
			{Column: 3, Name: "num_pages", Guess: domain.Spec{Kind: domain.Integer}},
			{Column: 4, Name: "language", Guess: domain.Spec{Kind: domain.Category}},
			{Column: 5, Name: "", Guess: domain.Spec{}},
		})
	b.Name, b.Source = "Books on a reading site", "Library of Example, 2026"
	b.Noun = Noun{"book", "books"}
	for number, v := range map[int]Values{
		2: ranged(domain.Decimal, "0", "5", "0.01"),
		3: ranged(domain.Integer, "0", "3000", ""),
		4: {Spec: domain.Spec{Kind: domain.Category, Categories: []string{"en", "de"},
			Missing: []string{"unknown"}}},
	} {
		c, _ := b.Column(number)
		c, err := c.Describe(v, nil, Unanswered)
		if err != nil {
			t.Fatal(err)
		}
		if b, err = b.With(c); err != nil {
			t.Fatal(err)
		}
	}
	return b
}

func TestStates(t *testing.T) {
	b := books(t)
	var got []string
	for _, c := range b.Columns() {
		got = append(got, c.Title().String()+" "+string(c.State()))
	}
	want := "title guessed, rating described, num_pages described, language described, " +
		"column 5 undescribed"
	if strings.Join(got, ", ") != want || b.Described() != 3 {
		t.Errorf("%d described: %s", b.Described(), strings.Join(got, ", "))
	}
	if err := b.Check(); err != nil {
		t.Error(err)
	}
}

// A guess holds a kind and a notation; what one cell could have put there stays behind, and so does
// the first row where the options do not say that it holds names.
func TestFromField(t *testing.T) {
	why := phrase.Plain("dates")
	f := table.Field{Column: 7, Name: " Mary\u202e\nSmith ", Why: why, Guess: domain.Spec{
		Kind: domain.Date, Format: "DD.MM.YYYY", Mark: ",", Group: ".", Lo: "2000-01-01",
		Hi: "2001-01-01", Step: "day", Categories: []string{"x"}, Length: 9,
		Missing: []string{"NA"}, Zone: "+01:00", Outside: domain.Clamp, Between: domain.None,
	}}
	c := FromField(table.Options{}, f)
	want := Guess{domain.Date, ",", ".", "DD.MM.YYYY", why}
	if !reflect.DeepEqual(c.Guess, want) || c.Header != "" || c.State() != Guessed {
		t.Errorf("%+v", c)
	}
	got := strings.Join(c.Guess.Fields(), " ")
	if got != "kind mark group format" || Guess.Fields(Guess{}) != nil {
		t.Errorf("to be confirmed: %s", got)
	}
	v := c.Guess.Values()
	if v.Kind != domain.Date || v.Format != "DD.MM.YYYY" || v.Missing != nil {
		t.Errorf("%+v", v)
	}
	if c := FromField(table.Options{Header: table.Yes}, f); c.Header != "Mary  Smith" {
		t.Errorf("header %q", c.Header)
	}
	f.Name = strings.Repeat("ä", 300)
	if c := FromField(table.Options{Header: table.Yes}, f); len([]rune(c.Header)) != maxName {
		t.Errorf("a header of %d bytes", len(c.Header))
	}
}

// Editing a column changes no other, and nothing that was taken out of a codebook before.
func TestColumnsAreApart(t *testing.T) {
	b := books(t)
	before := b.Columns()
	c, _ := b.Column(3)
	c, err := c.Describe(ranged(domain.Integer, "0", "5000", ""), nil, Unanswered)
	if err != nil {
		t.Fatal(err)
	}
	c.Name, c.Unit = "pages", "pages"
	changed, err := b.With(c)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(b.Columns(), before) {
		t.Error("With changed the codebook it came from")
	}
	for _, old := range before {
		now, _ := changed.Column(old.Number)
		if old.Number != 3 && !reflect.DeepEqual(now, old) {
			t.Errorf("column %d changed to %+v", old.Number, now)
		}
	}
	// What comes out shares nothing with what stays.
	language, _ := changed.Column(4)
	v := language.Values()
	v.Categories[0], v.Missing[0] = "xx", "xx"
	spec, _ := language.Spec()
	spec.Categories[0] = "xx"
	if again, _ := changed.Column(4); again.Values().Categories[0] != "en" ||
		again.Values().Missing[0] != "unknown" || language.Values().Categories[0] != "en" {
		t.Error("a list is shared")
	}
	own := []string{"en", "de"}
	c, _ = Column{Number: 9}.Describe(Values{Spec: domain.Spec{Kind: domain.Category,
		Categories: own}}, nil, Unanswered)
	if own[0] = "xx"; c.Values().Categories[0] != "en" {
		t.Error("a list that was given is shared")
	}
}

// The bounds of a question are those of its column, whichever was asked about before.
func TestBoundsBelongToColumns(t *testing.T) {
	b := books(t)
	for number, want := range map[int]string{2: "5", 3: "3000", 4: ""} {
		c, _ := b.Column(number)
		if spec, err := c.Spec(); err != nil || spec.Hi != want {
			t.Errorf("column %d: %+v %v, want up to %s", number, spec, err, want)
		}
	}
	c, _ := b.Column(1)
	var fault *Fault
	if spec, err := c.Spec(); !errors.As(err, &fault) || fault.Column != 1 || spec.Kind != "" {
		t.Errorf("%+v %v", spec, err)
	}
}

func TestWith(t *testing.T) {
	b := books(t)
	for _, c := range []Column{{}, {Number: -1}, {Number: maxColumns + 1},
		{Number: 1, Name: "a\nb"}, {Number: 1, Unit: strings.Repeat("k", 31)},
		{Number: 1, values: ranged(domain.Integer, "5", "1", "")}} {
		if _, err := b.With(c); err == nil {
			t.Errorf("%+v was taken", c)
		}
	}
	b, err := Codebook{}.With(Column{Number: 3})
	if err != nil {
		t.Fatal(err)
	}
	b, _ = b.With(Column{Number: 1})
	b, _ = b.With(Column{Number: 2})
	for i, c := range b.Columns() {
		if c.Number != i+1 {
			t.Errorf("column %d is in place %d", c.Number, i)
		}
	}
	if b = b.Without(2).Without(9); len(b.Columns()) != 2 {
		t.Errorf("%d columns are left", len(b.Columns()))
	}
	if c, ok := b.Column(2); ok || c.Number != 0 {
		t.Error("column 2 is still there")
	}
	if c := (Column{Number: 1, Name: "x", values: ranged(domain.Integer, "5", "10", "")}); c.
		Undescribe().State() != Undescribed || c.State() != Described {
		t.Error("undescribing")
	}
}

// A codebook that is opened again beside a file keeps what it says, and learns of new columns.
func TestSee(t *testing.T) {
	b := books(t)
	before := b.Columns()
	fields := []table.Field{
		{Column: 1, Name: "title", Guess: domain.Spec{Kind: domain.Category}},
		{Column: 2, Name: "stars", Guess: domain.Spec{Kind: domain.Text}},
		{Column: 3, Name: "num_pages"},
		{Column: 6, Name: "year", Guess: domain.Spec{Kind: domain.Integer}},
	}
	if got := b.Differs(fields); !reflect.DeepEqual(got, []int{2, 4, 5}) {
		t.Errorf("differs in %v", got)
	}
	seen := b.See(fields)
	title, _ := seen.Column(1)
	rating, _ := seen.Column(2)
	year, _ := seen.Column(6)
	if title.Guess.Kind != domain.Category || rating.Header != "rating" ||
		rating.Values().Hi != "5" || year.State() != Guessed || len(seen.Columns()) != 6 {
		t.Errorf("%+v", seen)
	}
	if !reflect.DeepEqual(b.Columns(), before) {
		t.Error("See changed the codebook it came from")
	}
}

// Old recipes open: whatever domain they name becomes a column that gives it back.
func TestFromSpec(t *testing.T) {
	for _, spec := range []domain.Spec{
		{Kind: domain.Integer, Lo: "0", Hi: "120"},
		{Kind: domain.Integer},
		{Kind: domain.Integer, Lo: "0"},
		{Kind: domain.Decimal, Lo: "0", Hi: "5", Step: "0.1", Mark: ",", Group: " "},
		{Kind: domain.Float64, Outside: domain.Clamp},
		{Kind: domain.Float64, Lo: "0", Hi: "1", Outside: domain.None},
		{Kind: domain.Date, Format: "DD.MM.YYYY", Missing: []string{"NA", ""}},
		{Kind: domain.Timestamp, Step: "hour", Zone: "+02:00", Between: domain.None},
		{Kind: domain.Category, Categories: []string{"a", " b"}},
		{Kind: domain.Text, Length: 256, Outside: domain.Clamp},
		{Kind: domain.Bytes, Length: 3},
	} {
		c, err := FromSpec(2, " income\n", spec)
		if err != nil {
			t.Errorf("%+v: %v", spec, err)
			continue
		}
		if got, err := c.Spec(); err != nil || !reflect.DeepEqual(got, spec) {
			t.Errorf("%+v became %+v %v", spec, got, err)
		}
		if c.Name != "income" || c.State() != Described || c.Number != 2 {
			t.Errorf("%+v", c)
		}
		b, err := Codebook{}.With(c)
		if err != nil {
			t.Error(err)
		}
		text, err := b.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := Decode(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		kept, _ := again.Column(2)
		if got, _ := kept.Spec(); !reflect.DeepEqual(got, spec) {
			t.Errorf("%+v was saved as %+v", spec, got)
		}
	}
	// What says nothing about the kind was never looked at.
	odd := domain.Spec{Kind: domain.Category, Categories: []string{"a"}, Lo: "5", Length: 7}
	if c, err := FromSpec(1, "", odd); err != nil || c.Values().Lo != "" || c.Values().Length != 0 {
		t.Errorf("%+v %v", c, err)
	}
	for _, spec := range []domain.Spec{{}, {Kind: "x"}, {Kind: domain.Integer, Lo: "5", Hi: "1"},
		{Kind: domain.Category}, {Kind: domain.Text}} {
		if _, err := FromSpec(1, "", spec); err == nil {
			t.Errorf("%+v became a column", spec)
		}
	}
}

func TestWordsForPeople(t *testing.T) {
	for _, c := range []struct {
		noun Noun
		want string
	}{{Noun{}, "person people"}, {Noun{"book", "books"}, "book books"}} {
		one, many := c.noun.Words()
		if one.String()+" "+many.String() != c.want {
			t.Errorf("%s %s", one, many)
		}
	}
	for _, c := range []struct {
		rows          Rows
		person, count int
	}{{Rows{}, 0, 0}, {Rows{Each: Several, Column: 3}, 3, 0},
		{Rows{Each: Counted, Column: 4}, 0, 4}, {Rows{Each: One}, 0, 0}} {
		if c.rows.Person() != c.person || c.rows.Count() != c.count {
			t.Errorf("%+v", c.rows)
		}
	}
}
