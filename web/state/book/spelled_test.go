package book_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"hush/core/codebook"
	"hush/core/domain"
	"hush/web/engine"
	"hush/web/state/form"
	"hush/web/state/spelling"
	"hush/web/webtest"
)

// wards are spelled in several ways, and one is nobody's business.
const wards = "ward,age\nMitte,1\nMITTE,2\nHafen,3\nSecret,4\n ,5\nmitte,6\nMitte,7\n"

// TestUnplacedCells: what no category takes is shown to the owner, whatever the first rows hold,
// and counts as it is decided; what is left out is in no recipe, codebook or address, and asked no
// more.
func TestUnplacedCells(t *testing.T) {
	m, f := webtest.Opened(t, wards)
	m.Codebook.Describe(1)
	m.Codebook.EditColumn(func(c *form.ColumnForm) {
		c.SetKind(domain.Category)
		c.Categories = "Mitte"
	})
	m.Codebook.DescribeAs(codebook.Unanswered)
	f.Settle()
	cells, _ := m.Codebook.Spelling.Of(1)
	if !slices.Equal(cells, []string{"MITTE", "Hafen", "Secret", "mitte"}) {
		t.Fatalf("without a place are %q", cells)
	}
	m.Question.Ask()
	m.Question.ChooseTask("histogram")
	m.Question.ChooseColumn(0, 1)
	f.Settle()
	if !slices.Equal(m.Question.Unplaced(), []int{1}) {
		t.Errorf("the question says nothing of them: %v", m.Question.Unplaced())
	}
	m.Codebook.Place(1, map[string]spelling.Verdict{"MITTE": {As: "Mitte"}, "mitte": {As: "Mitte"},
		"Hafen": {Own: true}})
	f.Settle()
	if cells, _ = m.Codebook.Spelling.Of(1); len(cells) > 0 || !m.Codebook.Spelling.Any(1) {
		t.Errorf("decided about, and asked again: %q", cells)
	}
	r := m.Question.Recipe()
	if d, err := domain.New(r.Domain); err != nil || d.Size().Int64() != 2 {
		t.Fatalf("%+v, %v", r.Domain, err)
	} else if code, ok := d.Encode([]byte("mitte")); !ok || d.Decode(code) != "Mitte" {
		t.Errorf("mitte counts as %t %q", ok, d.Decode(code))
	}
	m.Answer.Run()
	f.Settle()
	for name, text := range map[string]string{"recipe": engine.Encode(r),
		"codebook": m.Codebook.Text(),
		"address":  f.Addressed, "release": engine.Encode(m.Answer.Result)} {
		if text == "" || strings.Contains(text, "Secret") {
			t.Errorf("what was left out is in the %s", name)
		}
	}
	back, err := codebook.Decode([]byte(m.Codebook.Text()))
	if c, _ := back.Column(1); err != nil || len(c.Values().Spellings) != 2 {
		t.Errorf("the codebook comes back as %+v, %v", c.Values(), err)
	}
	m.Codebook.PlaceOthers(1)
	f.Settle()
	if spec := m.Codebook.Spec(1); spec.Other != "other" || len(spec.Categories) != 3 ||
		m.Codebook.Spelling.Any(1) {
		t.Errorf("all others are %+v", spec)
	}
	m.Question.Edit("", func(q *form.Question) {
		q.Filter = []form.ConditionForm{{Column: 1, Test: form.TestOneOf, List: "MITTE"}}
	})
	f.Settle()
	c := m.Question.Recipe().Filter[0]
	if !slices.Equal(c.Spec.Categories, []string{"Mitte"}) || len(c.Spec.Spellings) != 2 {
		t.Errorf("a condition on a spelling is %+v", c.Spec)
	}
	if err := form.CheckFilter(m.Question.Recipe().Filter); err != nil {
		t.Errorf("it cannot be shown: %v", err)
	}
}

// TestFoldedCategories: a category is typed with the cells that count as it, in one line; with
// case and spaces aside none is left without a place, a wrong line is refused at its field, and the
// form, the codebook and the recipe keep all of it.
func TestFoldedCategories(t *testing.T) {
	m, f := webtest.Opened(t, wards)
	typed := func(text string, fold bool) {
		m.Codebook.Describe(1)
		m.Codebook.EditColumn(func(c *form.ColumnForm) {
			c.SetKind(domain.Category)
			c.Categories, c.Fold = text, fold
		})
		m.Codebook.DescribeAs(codebook.Unanswered)
		f.Settle()
	}
	for text, field := range map[string]string{"Mitte\nMITTE": "categories",
		"Mitte = m\nHafen = M": "spellings"} {
		if typed(text, true); m.Codebook.Describing.Fault(field) == "" {
			t.Errorf("%q is taken", text)
		}
	}
	typed("Centre = mitte\nHarbour = hafen, secret\n", true)
	want := domain.Spec{Kind: domain.Category, Categories: []string{"Centre", "Harbour"},
		Spellings: []domain.Spelling{{Cell: "mitte", As: "Centre"}, {Cell: "hafen", As: "Harbour"},
			{Cell: "secret", As: "Harbour"}}, Fold: true}
	if got := m.Codebook.Spec(1); !reflect.DeepEqual(got, want) {
		t.Fatalf("described as %+v, want %+v", got, want)
	}
	if m.Codebook.Spelling.Any(1) {
		t.Error("a cell is without a place")
	}
	back, err := codebook.Decode([]byte(m.Codebook.Text()))
	if c, _ := back.Column(1); err != nil || !reflect.DeepEqual(c.Values().Spec, want) {
		t.Errorf("the codebook comes back as %+v, %v", c.Values(), err)
	}
	m.Codebook.Describe(1)
	if got := m.Codebook.Describing.Form; !got.Fold ||
		got.Categories != "Centre = mitte\nHarbour = hafen, secret" {
		t.Errorf("it is edited as %+v", got)
	}
	m.Codebook.CloseColumn()
	m.Question.Ask()
	m.Question.ChooseTask("mode")
	m.Question.ChooseColumn(0, 1)
	m.Question.Edit("", func(q *form.Question) {
		q.Filter = []form.ConditionForm{{Column: 1, Test: form.TestOneOf, List: "MITTE"}}
	})
	f.Settle()
	r := m.Question.Recipe()
	if c := r.Filter[0].Spec; !reflect.DeepEqual(r.Domain, want) || !c.Fold ||
		!slices.Equal(c.Categories, []string{"Centre"}) {
		t.Errorf("asked of %+v, with %+v", r.Domain, c)
	}
	if err := form.CheckFilter(r.Filter); err != nil {
		t.Errorf("it cannot be shown: %v", err)
	}
	m.Answer.Run()
	f.Settle()
	text := engine.Encode(m.Answer.Result)
	if !strings.Contains(text, `"value":"Centre"`) && !strings.Contains(text, `"value":"Harbour"`) {
		t.Errorf("no label in %s", text)
	}
}

// TestTypedDescriptionsAreKept: what is typed of a column is taken where another is pressed, as by
// Done; what cannot be taken waits, and keeps the question from being asked.
func TestTypedDescriptionsAreKept(t *testing.T) {
	m, _ := webtest.Opened(t, webtest.Visits)
	typed := func(column int, lo, hi string) {
		m.Codebook.Describe(column)
		m.Codebook.EditColumn(func(f *form.ColumnForm) {
			f.SetKind(domain.Integer)
			f.Lo, f.Hi = lo, hi
		})
	}
	typed(2, "0", "9")
	m.Codebook.Take(3, codebook.Suggestion{Values: codebook.Values{
		Spec: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "100"}}})
	if !m.Codebook.IsDescribed(2) || !m.Codebook.IsDescribed(3) {
		t.Error("typed, and gone with another column's chip")
	}
	typed(3, "0", "")
	m.Codebook.Describe(4)
	m.Codebook.Describe(3)
	if f := m.Codebook.Describing.Form; f.Lo != "0" || f.Hi != "" || f.Kind != domain.Integer {
		t.Errorf("half a description comes back as %+v", f)
	}
	m.Question.Ask()
	if m.Codebook.Describing.Column != 3 || m.Codebook.Describing.Fault("hi") == "" {
		t.Error("half a description is left behind by a question")
	}
	m.Codebook.EditColumn(func(f *form.ColumnForm) { f.Hi = "77" })
	m.Question.Ask()
	if c, _ := m.Codebook.Column(3); c.Values().Hi != "77" || m.Codebook.Describing.Column != 0 {
		t.Errorf("typed, and gone with the question: %+v", c.Values())
	}
	typed(2, "5", "6")
	m.Codebook.CloseColumn()
	if m.Codebook.Describe(2); m.Codebook.Describing.Form.Lo != "0" {
		t.Error("given up, and back")
	}
}
