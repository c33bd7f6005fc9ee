package release_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/table"
	"hush/web/engine"
	"hush/web/state/form"
	"hush/web/webtest"
)

// TestPersonsRows: what the form says of a person's rows goes into the question and the codebook;
// what is not whole asks nothing.
func TestPersonsRows(t *testing.T) {
	m, f := webtest.Opened(t, webtest.Visits)
	webtest.DescribeAs(m, 2, domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "9"})
	webtest.DescribeAs(m, 3, domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "100"})
	m.Question.Ask()
	m.Question.ChooseTask("mean")
	f.Settle()
	use := func(u form.UseForm) {
		m.Codebook.Edit("", func(b *form.BookForm) {
			b.Each, b.Column, b.Use = codebook.Several, 1, u
		})
		f.Settle()
	}
	for _, c := range []struct {
		form form.UseForm
		want string // in the recipe
		lack bool
	}{
		{form.UseForm{}, "", false},
		{form.UseForm{How: form.SomeRows}, "", true},
		{form.UseForm{How: form.SomeRows, Rows: " 4 "}, `"use":{"rows":4}`, false},
		{form.UseForm{How: form.SomeRows, Rows: "4", Usual: " 2.5 "},
			`"use":{"rows":4,"usual":"2.5"}`, false},
		{form.UseForm{How: form.ByGroup, Rows: "2", Groups: "3", GroupColumn: 4},
			`"use":{"rows":2,"groups":3,"column":4}`, false},
		{form.UseForm{How: form.ByGroup, Rows: "2", Groups: "3"}, "", true},
		{form.UseForm{How: form.OneValue, ValueColumn: 3, Of: table.Sum},
			`"use":{"values":[{"column":3,"of":"sum"}]}`, false},
		{form.UseForm{How: form.OneValue, ValueColumn: 3, Of: table.Latest}, "", true},
		{form.UseForm{How: form.OneValue, ValueColumn: 3, Of: table.Latest, By: 2},
			`"of":"latest","by":{"column":2,"spec":{"kind":"integer","lo":"0","hi":"9"`, false},
	} {
		use(c.form)
		text := engine.Encode(m.Question.Recipe())
		if c.want == "" && strings.Contains(text, `"use"`) || !strings.Contains(text, c.want) {
			t.Errorf("%+v: the recipe is %s, want %s", c.form, text, c.want)
		}
		lacks := m.Question.Missing() == "Say which rows of each person count."
		if lacks != c.lack {
			t.Errorf("%+v: missing %q", c.form, m.Question.Missing())
		}
		if !c.lack {
			if m.Codebook.Fault("rows.use.rows")+m.Codebook.Fault("rows.use.by") != "" {
				t.Errorf("%+v is refused", c.form)
			}
			back, err := codebook.Decode([]byte(m.Codebook.Text()))
			if err != nil || form.BookFormOf(back).Use.How != c.form.How {
				t.Errorf("%+v does not come back: %v", c.form, err)
			}
		}
	}
	use(form.UseForm{How: form.SomeRows, Rows: "many"})
	if m.Codebook.Fault("rows.use.rows") == "" {
		t.Error("many rows are taken for a number")
	}
	use(form.UseForm{How: form.ByGroup, Rows: "2", Groups: "x", GroupColumn: 4})
	if m.Codebook.Fault("rows.use.groups") == "" {
		t.Error("x groups are taken for a number")
	}
}

// TestChooseRows: one click debits the ledger for the choice alone, releases it, and puts the
// number into the form and the question; what fails leaves both as they are.
func TestChooseRows(t *testing.T) {
	var file strings.Builder
	file.WriteString("patient,cost\n")
	for p := range 400 {
		for visit := range 1 + p%5 {
			fmt.Fprintf(&file, "p%d,%d\n", p, visit)
		}
	}
	m, f := webtest.Opened(t, file.String())
	webtest.DescribeAs(m, 2, domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "9"})
	m.Question.Ask()
	m.Question.ChooseTask("mean")
	m.Codebook.Edit("", func(b *form.BookForm) {
		b.Each, b.Column, b.Use = codebook.Several, 1, form.UseForm{How: form.SomeRows}
	})
	f.Settle()
	if m.Rows.Price() != "0.1" {
		t.Errorf("it costs ε = %s", m.Rows.Price())
	}
	m.Rows.SetPrice("2")
	m.Rows.Choose()
	if m.Rows.MayChoose() || f.Spent != 0 {
		t.Error("it can be chosen again meanwhile, or was spent before it was asked")
	}
	f.Settle()
	k, err := strconv.Atoi(m.Codebook.Form.Use.Rows)
	if err != nil || k < 3 || k > 16 || m.Rows.Failure != nil {
		t.Fatalf("k = %q, %+v", m.Codebook.Form.Use.Rows, m.Rows.Choice)
	}
	plan := m.Rows.Result.Plan
	if f.Spent != 1 || len(m.History.Past) != 1 || plan.People != 400 ||
		plan.Loss.String() != "ε = 2" {
		t.Errorf("%d releases of %d, %s", f.Spent, plan.People, plan.Loss)
	}
	text := engine.Encode(m.Question.Recipe())
	if !strings.Contains(text, fmt.Sprintf(`"rows":%d`, k)) {
		t.Errorf("the recipe is %s", text)
	}
	if !m.Forecast.Priced() || m.Forecast.Plan.People != 400 {
		t.Error("the question has no price")
	}
	m.Codebook.Edit("", func(b *form.BookForm) { b.Use = form.UseForm{How: form.ByGroup} })
	if m.Rows.MayChoose() {
		t.Error("groups are chosen of no column")
	}
	m.Codebook.Edit("", func(b *form.BookForm) { b.Use.GroupColumn = 2 })
	m.Rows.SetPrice("1") // of a limit of 3
	m.Rows.Choose()
	f.Settle()
	if g, err := strconv.Atoi(m.Codebook.Form.Use.Groups); err != nil || g < 2 || g > 30 ||
		f.Spent != 2 ||
		m.Codebook.Form.Use.Rows != "" || m.Rows.Failure != nil {
		t.Errorf("g = %q, k = %q, %+v", m.Codebook.Form.Use.Groups, m.Codebook.Form.Use.Rows,
			m.Rows.Choice)
	}
	m.Codebook.Edit("", func(b *form.BookForm) {
		b.Use = form.UseForm{How: form.SomeRows, Rows: strconv.Itoa(k)}
	})
	m.Rows.SetPrice("many")
	m.Rows.Choose()
	f.Settle()
	if m.Rows.Failure == nil || f.Spent != 2 || m.Codebook.Form.Use.Rows != strconv.Itoa(k) {
		t.Errorf("ε = many: %+v", m.Rows.Choice)
	}
}
