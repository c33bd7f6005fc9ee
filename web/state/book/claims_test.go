package book_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/sample"
	"hush/core/table"
	"hush/web/state"
	"hush/web/state/form"
	"hush/web/state/place"
	"hush/web/state/release"
	"hush/web/webtest"
)

// waits is a file whose count of people is nobody's business.
const waits = "age,wait,weight\n30,5,7000\n40,6,10000\n50,7,610\n"

// median is an honest question about the second column of the file of waits.
func median() ask.Recipe {
	return ask.Recipe{Version: ask.RecipeVersion, Task: "median", Epsilon: "1",
		Table:  table.Options{Encoding: table.UTF8, Delimiter: ",", Header: table.Yes, Columns: 3},
		Column: 2, Label: "wait",
		Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "9"}}
}

// byLink is a page that came by a link and opened the file of waits.
func byLink(t *testing.T, r ask.Recipe) (*state.Model, *webtest.Fake) {
	t.Helper()
	m, f := webtest.Started(t)
	f.File = []byte(waits)
	m.Go(place.ViewWorkbench.Path() + "?q=" + form.EncodeRecipe(r))
	m.Data.Open(webtest.FakeFile("waits.csv"))
	f.Settle()
	return m, f
}

// released presses the button, and reports whether anything came of it.
func released(m *state.Model, f *webtest.Fake) bool {
	m.Answer.Run()
	f.Settle()
	return m.Answer.Phase == release.Done && f.Spent > 0
}

// TestClaimsOfALink: each thing that a link says of the file is asked before anything is released;
// agreed to, it stands, and dropped, the rest of the question does.
func TestClaimsOfALink(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*ask.Recipe)
		line   string // of the dialog
		n      bool   // it decides what n is
	}{
		"count": {func(r *ask.Recipe) { r.Count = 3 },
			"column 3, in your file \"weight\". Their sum, 17610, becomes public as n", true},
		"person": {func(r *ask.Recipe) { r.Person = 1 },
			"column 1, in your file \"age\". The exact number of different cells in it, 3, " +
				"becomes", true},
		"header": {func(r *ask.Recipe) { r.Table.Header = table.No; r.Label = "" },
			"looks like names, the description says that it is a person", true},
		"label":  {func(r *ask.Recipe) { r.Label = "age" }, `your file says "wait"`, false},
		"unit":   {func(r *ask.Recipe) { r.Unit = "years" }, `published in "years"`, false},
		"source": {func(r *ask.Recipe) { r.Source = "A court" }, "A court", false},
		"data":   {func(r *ask.Recipe) { r.Data = "Convicts" }, "Convicts", false},
		"noun": {func(r *ask.Recipe) { r.Noun = codebook.Noun{One: "convict", Many: "convicts"} },
			"convict, convicts", false},
	} {
		crafted := median()
		c.change(&crafted)
		m, f := byLink(t, crafted)
		lines := strings.Join(m.Claims.Lines(), "\n")
		lines = strings.NewReplacer("\u202f", "", "\u00a0", "").Replace(lines)
		if len(m.Claims.Open()) != 1 || !strings.Contains(lines, c.line) {
			t.Errorf("%s: the dialog says %q, want %q", name, lines, c.line)
		}
		if c.n && m.Forecast.Plan != nil {
			t.Errorf("%s: n = %d is told before anybody agreed", name, m.Forecast.Plan.People)
		}
		if m.Rows.MayChoose() || released(m, f) || f.Spent > 0 {
			t.Errorf("%s: released before anybody agreed", name)
		}
		m.Claims.Agree()
		f.Settle()
		if text := m.Question.Text(); len(m.Claims.Open()) > 0 ||
			!strings.Contains(text, "median") {
			t.Errorf("%s: agreed, and %+v are left", name, m.Claims.Open())
		}
		if !released(m, f) {
			t.Errorf("%s: agreed to, and not released: %s", name, m.Question.Missing())
		}

		if name == "header" {
			continue // TestReadingFromOutside
		}
		m, f = byLink(t, crafted)
		m.Codebook.UseOwn()
		f.Settle()
		got, want := m.Question.Recipe(), median()
		got.Params, want.Params = nil, nil
		got.Table, want.Table = table.Options{}, table.Options{} // with its defaults
		if !reflect.DeepEqual(got, want) || len(m.Claims.Open()) > 0 {
			t.Errorf("%s: dropped, the question is\n%+v\nwant\n%+v", name, got, want)
		}
		if m.Question.Undo(); len(m.Claims.Open()) != 1 {
			t.Errorf("%s: taken back, and nobody asks", name)
		}
		f.Settle()
		m.Codebook.UseOwn()
		f.Settle()
		if c.n != (m.Question.Missing() == "Say whether a person can have several rows.") {
			t.Errorf("%s: dropped, and missing is %q", name, m.Question.Missing())
		}
		m.Codebook.Edit("", func(b *form.BookForm) { b.Each = codebook.One })
		f.Settle()
		if !released(m, f) {
			t.Errorf("%s: dropped, and not released: %s", name, m.Question.Missing())
		}
	}
	if m, f := byLink(t, median()); len(m.Claims.Lines()) > 0 || !released(m, f) {
		t.Errorf("a link with the file's own names asks %q", m.Claims.Lines())
	}
}

// TestClaimOfSpellings: a link in which cells count as others is asked, since a published name
// means another thing then; dropped, each category is its own name.
func TestClaimOfSpellings(t *testing.T) {
	crafted := median()
	crafted.Group = &ask.Group{Column: 1, Label: "age", Names: []string{"young", "other"},
		Spellings: []domain.Spelling{{Cell: "50", As: "young"}}, Other: "other", Fold: true}
	m, f := byLink(t, crafted)
	lines := strings.Join(m.Claims.Lines(), "\n")
	if !strings.Contains(lines, "“50” as “young”, every other cell as “other”, "+
		"case and spaces do not count") || released(m, f) {
		t.Errorf("released, or asked %q", lines)
	}
	m.Codebook.UseOwn()
	f.Settle()
	if g := m.Question.Recipe().Group; g == nil || len(g.Spellings) > 0 || g.Other != "" ||
		g.Fold || len(m.Claims.Open()) > 0 {
		t.Errorf("dropped, and the groups are %+v", g)
	}
}

// TestClaimOfOneRowEach: a link that takes each row for another person is asked where a column of
// the file names persons, and says which.
func TestClaimOfOneRowEach(t *testing.T) {
	m, f := webtest.Started(t)
	f.File = []byte("pid,wait,weight\n1,5,7\n1,6,8\n2,7,9\n")
	m.Go(place.ViewWorkbench.Path() + "?q=" + form.EncodeRecipe(median()))
	m.Data.Open(webtest.FakeFile("waits.csv"))
	f.Settle()
	lines := strings.Join(m.Claims.Lines(), "\n")
	if !strings.Contains(lines, `seems to name persons: column 1, in your file "pid"`) ||
		released(m, f) {
		t.Errorf("released, or asked %q", lines)
	}
	m.Claims.Agree()
	f.Settle()
	if !released(m, f) {
		t.Errorf("agreed to, and not released: %s", m.Question.Missing())
	}
}

// TestReadingFromOutside: a link that has the file read as it does not look is asked; dropped, the
// file is read as it looks once its owner confirms that. Which rows of a person count is asked too.
func TestReadingFromOutside(t *testing.T) {
	crafted := median()
	crafted.Table.Header, crafted.Label = table.No, ""
	m, f := byLink(t, crafted)
	if m.Data.Opened.Rows != 4 || len(m.Claims.Open()) != 1 || m.Forecast.Plan != nil {
		t.Errorf("%d rows, asked %q", m.Data.Opened.Rows, m.Claims.Lines())
	}
	m.Codebook.UseOwn()
	f.Settle()
	if m.Data.Opened.Rows != 3 || m.Data.Confirmed || len(m.Claims.Open()) > 0 {
		t.Errorf("dropped: %d rows, confirmed %v, asked %q", m.Data.Opened.Rows, m.Data.Confirmed,
			m.Claims.Lines())
	}
	m.Data.Confirm()
	f.Settle()
	if r := m.Question.Recipe(); r.Table.Header != table.Yes || r.Task != "median" {
		t.Errorf("dropped, the question is %+v", r)
	}
	crafted = median()
	crafted.Person, crafted.Use = 1, &table.Use{Rows: 2}
	m, f = byLink(t, crafted)
	if lines := m.Claims.Lines(); len(lines) != 2 ||
		!strings.Contains(strings.Join(lines, "\n"), "Of each person, at most 2 rows count.") {
		t.Errorf("asked %q", lines)
	}
	m.Codebook.UseOwn()
	f.Settle()
	if rows := m.Codebook.Rows; rows.Person() != 0 || rows.Use != nil {
		t.Errorf("dropped, the rows are %+v", rows)
	}
}

// TestEachWayIn: whatever way a question comes in, what it says is asked, and nothing of it is
// agreed to before.
func TestEachWayIn(t *testing.T) {
	crafted := median()
	crafted.Count, crafted.Label, crafted.Unit = 3, "age", "years"
	crafted.Noun, crafted.Source = codebook.Noun{One: "convict", Many: "convicts"}, "A court"
	crafted.Data = "Convicts"
	text, err := json.Marshal(crafted)
	if err != nil {
		t.Fatal(err)
	}
	saved, f := byLink(t, crafted)
	saved.Claims.Agree()
	f.Settle()
	if !released(saved, f) {
		t.Fatal(saved.Question.Missing())
	}
	book := saved.Codebook.Text()
	for name, bring := range map[string]func(m *state.Model){
		"text or a file of a recipe": func(m *state.Model) { m.Saved.AdoptText(string(text)) },
		"a release": func(m *state.Model) {
			m.Answer.AskAgain(saved.Answer.Result)
		},
		"a codebook": func(m *state.Model) { m.Codebook.Open(book) },
	} {
		for when, before := range map[string]bool{"before": true, "after": false} {
			m, f := webtest.Started(t)
			f.File = []byte(waits)
			if before {
				bring(m)
			}
			m.Data.Open(webtest.FakeFile("waits.csv"))
			f.Settle()
			if !before {
				m.Data.Confirm()
				f.Settle()
				bring(m)
				f.Settle()
			}
			if !m.Data.Confirmed {
				m.Data.Confirm()
				f.Settle()
			}
			if lines := m.Claims.Lines(); len(m.Claims.Open()) != 6 {
				t.Errorf("%s, %s the file: asked %q", name, when, lines)
			}
			if released(m, f) || f.Spent > 0 {
				t.Errorf("%s, %s the file: released before anybody agreed", name, when)
			}
		}
	}
}

// TestOwnWordsAreNoClaims: what is typed here is not asked, also not where an answer's question is
// asked again; nor is anything of a bundled data set. A link that undoes what is typed is asked.
func TestOwnWordsAreNoClaims(t *testing.T) {
	m, f := webtest.Opened(t, waits)
	m.Codebook.Edit("", func(b *form.BookForm) {
		b.Name, b.One, b.Many, b.Each, b.Column = "Waits", "guest", "guests", codebook.Counted, 3
	})
	webtest.Describe(m, 2, "0", "9")
	m.Question.Ask()
	m.Question.ChooseTask("median")
	f.Settle()
	if len(m.Claims.Open()) > 0 {
		t.Fatalf("typed here, and asked: %q", m.Claims.Lines())
	}
	if again := m.Question.Recipe(); !released(m, f) {
		t.Error(m.Question.Missing())
	} else if m.Saved.Adopt(again); len(m.Claims.Open()) > 0 {
		t.Errorf("released before, and asked: %q", m.Claims.Lines())
	}
	f.Settle()
	if m.Saved.Adopt(median()); len(m.Claims.Open()) != 1 ||
		m.Claims.Open()[0].Says != string(codebook.One) {
		t.Errorf("what a row stands for is changed unasked: %q", m.Claims.Lines())
	}
	f.Settle()
	if m.Codebook.UseOwn(); m.Codebook.Rows.Count() != 3 {
		t.Errorf("dropped, and the rows are %+v", m.Codebook.Rows)
	}
	m, f = webtest.Started(t)
	m.Data.OpenSample(sample.Sets()[0])
	f.Settle()
	if len(m.Claims.Lines()) > 0 {
		t.Errorf("a bundled data set asks %q", m.Claims.Lines())
	}
}

// TestClaimsOfACodebook: one with other names says which, column by column; one that fits no column
// gives no names; one in another order takes its words along.
func TestClaimsOfACodebook(t *testing.T) {
	m, _ := webtest.Opened(t, waits)
	webtest.Describe(m, 1, "0", "99")
	webtest.Describe(m, 2, "0", "9")
	m.Codebook.Describe(2)
	m.Codebook.EditColumn(func(c *form.ColumnForm) { c.Name = "delay" })
	m.Codebook.DescribeAs(codebook.Errors)
	m.Codebook.Edit("", func(b *form.BookForm) {
		b.Source, b.One, b.Many, b.Each, b.Column = "A court", "convict", "convicts",
			codebook.Counted, 3
	})
	saved := m.Codebook.Text()
	beside := func(file string) (*state.Model, string) {
		m, f := webtest.Started(t)
		m.Codebook.Open(saved)
		f.File = []byte(file)
		m.Data.Open(webtest.FakeFile("other.csv"))
		f.Settle()
		if !m.Data.Confirmed {
			webtest.Confirm(m)
		}
		f.Settle()
		return m, strings.Join(m.Claims.Lines(), "\n")
	}
	m, lines := beside(waits)
	for _, want := range []string{`Column 2: your file says "wait", the description says "delay"`,
		"convict, convicts", "A court", `column 3, in your file "weight"`} {
		if !strings.Contains(lines, want) {
			t.Errorf("%q is not asked: %s", want, lines)
		}
	}
	if len(m.Claims.Open()) != 4 {
		t.Errorf("asked: %s", lines)
	}
	m, lines = beside("weight,wait,years\n7,5,30\n8,6,40\n")
	if !strings.Contains(lines, `column 1, in your file "weight"`) ||
		!strings.Contains(lines,
			`Column 1: your file says "weight", the description says "age". Its d`) ||
		m.Codebook.Rows.Count() != 1 {
		t.Errorf("in another order: %s", lines)
	}
	_, lines = beside("wait,age,weight\n5,30,7\n6,40,8\n")
	if !strings.Contains(lines, `Column 1: your file says "wait", the description says "delay"`) {
		t.Errorf("swapped: %s", lines)
	}
	m, _ = beside("a,b,c\n5,30,7\n6,40,8\n")
	if b := m.Codebook.Codebook; b.Noun != (codebook.Noun{}) || b.Source != "" ||
		m.Codebook.Form.Many != "" {
		t.Errorf("it fits no column, and names %+v, %q", b.Noun, b.Source)
	}
}

// classes say of each field of a recipe and of a codebook what becomes of it when it comes from
// outside: it is asked, or it says nothing about what is public or what a name means.
var classes = map[reflect.Type]struct{ asked, nothing []string }{
	reflect.TypeFor[ask.Recipe](): {
		[]string{"Data", "Source", "Noun", "Person", "Count", "Label", "Unit", "Others", "Table",
			"Use", "Filter", "Group"},
		// The form shows all of these beside the file's own columns, and their price.
		[]string{"Version", "Task", "Column", "Domain", "Params", "Epsilon"}},
	reflect.TypeFor[ask.Field](): {[]string{"Label", "Unit"},
		[]string{"Role", "Column", "Domain", "Cuts"}},
	// Which cells count as a category of another name is asked of each column (Spelled).
	reflect.TypeFor[ask.Group](): {[]string{"Label", "Spellings", "Other", "Fold", "Missing"},
		[]string{"Column", "Names", "Find"}},
	reflect.TypeFor[codebook.Codebook](): {[]string{"Name", "Source", "Noun", "Rows", "columns",
		"Table"}, nil},
	reflect.TypeFor[codebook.Noun](): {[]string{"One", "Many"}, nil},
	reflect.TypeFor[codebook.Rows](): {[]string{"Each", "Column", "Use"}, nil},
	reflect.TypeFor[codebook.Column](): {[]string{"Header", "Name", "Unit"},
		[]string{"Number", "Guess", "values"}},
}

// TestEveryFieldIsClassified: a field that is new is asked, or says nothing.
func TestEveryFieldIsClassified(t *testing.T) {
	for of, c := range classes {
		all := slices.Concat(c.asked, c.nothing)
		if len(all) != of.NumField() {
			t.Errorf("%s has %d fields, and %d are classified", of, of.NumField(), len(all))
		}
		for i := range of.NumField() {
			if name := of.Field(i).Name; !slices.Contains(all, name) {
				t.Errorf("%s.%s: is it asked when it comes from outside?", of, name)
			}
		}
	}
}
