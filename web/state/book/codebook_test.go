package book_test

import (
	"slices"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/sample"
	"hush/core/table"
	"hush/web/engine"
	"hush/web/state"
	"hush/web/state/book"
	"hush/web/state/form"
	"hush/web/state/release"
	"hush/web/state/stage"
	"hush/web/webtest"
)

// books is a file of books whose header names a rating and a number of pages.
const books = "rating,pages,language\n4.57,652,English\n4.49,870,English\n4.42,1276,Spanish\n"

// TestNoColumnKeepsAnothersBounds: a question about another column waits for that column's own
// description, and has no price before.
func TestNoColumnKeepsAnothersBounds(t *testing.T) {
	m, f := webtest.Opened(t, books)
	webtest.DescribeAs(m, 1, domain.Spec{Kind: domain.Decimal, Lo: "0", Hi: "5", Step: "0.01"})
	m.Question.Ask()
	m.Question.ChooseTask("median")
	f.Settle()
	if r := m.Question.Recipe(); !m.Forecast.Priced() || r.Column != 1 || r.Domain.Hi != "5" ||
		r.Label != "rating" {
		t.Fatalf("the median of ratings: %s", engine.Encode(m.Question.Recipe()))
	}
	m.Question.ChooseColumn(0, 2)
	f.Settle()
	lacks, kinds := m.Question.Lacks()
	if r := m.Question.Recipe(); m.Forecast.Priced() || lacks != 2 ||
		!slices.Contains(kinds, domain.Integer) || slices.Contains(kinds, domain.Category) ||
		r.Domain.Kind != "" || r.Label != "" ||
		!strings.Contains(m.Question.Missing(), "Describe pages first") {
		t.Fatalf("pages are asked about undescribed: %q, %s", m.Question.Missing(),
			engine.Encode(r))
	}
	if m.Answer.Run(); m.Answer.Phase != release.Idle {
		t.Error("and they are released")
	}
	if m.Way.Stage() != stage.Question || m.Codebook.Describing.Column != 0 {
		t.Errorf("the question is left to describe a column: stage %d, %+v", m.Way.Stage(),
			m.Codebook.Describing)
	}
	m.Codebook.Say(2, "0–20", kinds...)
	if m.Way.Stage() != stage.Columns || len(m.Codebook.Describing.Outside) == 0 {
		t.Errorf("rows outside of the range are not asked about: stage %d, %+v", m.Way.Stage(),
			m.Codebook.Describing)
	}
	m.Codebook.EditColumn(func(c *form.ColumnForm) { c.Lo, c.Hi = "0", "5000" })
	m.Codebook.DescribeAs(codebook.Unanswered)
	f.Settle()
	if r := m.Question.Recipe(); !m.Forecast.Priced() || r.Domain.Hi != "5000" ||
		r.Domain.Kind != domain.Integer ||
		m.Way.Stage() != stage.Question {
		t.Errorf("described, and the question is %s", engine.Encode(r))
	}
}

// TestFirstRowsOutsideBlock: nothing is described before the owner says what they are.
func TestFirstRowsOutsideBlock(t *testing.T) {
	type act func(m *state.Model)
	for name, c := range map[string]struct {
		do   act
		want domain.Spec
	}{
		"widened": {func(m *state.Model) { m.Codebook.Widen(m.Codebook.Describing.Ladder[0]) },
			domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "2000"}},
		"errors": {func(m *state.Model) { m.Codebook.DescribeAs(codebook.Errors) },
			domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "1000"}},
		"bound": {func(m *state.Model) { m.Codebook.DescribeAs(codebook.Bound) },
			domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "1000", Outside: domain.Clamp}},
	} {
		m, _ := webtest.Opened(t, books)
		m.Codebook.Describe(2)
		m.Codebook.EditColumn(func(c *form.ColumnForm) { c.Lo, c.Hi = "0", "1000" })
		m.Codebook.DescribeAs(codebook.Unanswered)
		if d := m.Codebook.Describing; d.Column != 2 ||
			!slices.Equal(d.Outside, []string{"1276"}) ||
			len(d.Ladder) == 0 || m.Codebook.Described() != 0 {
			t.Fatalf("%s: not blocked: %+v", name, d)
		}
		c.do(m)
		column, _ := m.Codebook.Column(2)
		got := column.Values().Spec
		if m.Codebook.Describing.Column != 0 || engine.Encode(got) != engine.Encode(c.want) {
			t.Errorf("%s: described as %+v, want %+v", name, got, c.want)
		}
	}
}

// TestSuggestionIsOneClick, and asks where the first rows lie outside of it.
func TestSuggestionIsOneClick(t *testing.T) {
	m, _ := webtest.Opened(t, "rating,age\n4.57,34\n4.49,870\n")
	rating, _ := m.Codebook.Column(1)
	m.Codebook.Take(1, book.Suggestions(rating)[0])
	if c, _ := m.Codebook.Column(1); c.Values().Hi != "5" || m.Codebook.Describing.Column != 0 {
		t.Errorf("described as %+v", c.Values())
	}
	age, _ := m.Codebook.Column(2)
	m.Codebook.Take(2, book.Suggestions(age)[0])
	if m.Codebook.Described() != 1 || m.Codebook.Describing.Column != 2 ||
		len(m.Codebook.Describing.Outside) != 1 {
		t.Errorf("a suggestion passes over a first row: %+v", m.Codebook.Describing)
	}
}

func TestFaultsOfADescription(t *testing.T) {
	m, _ := webtest.Opened(t, books)
	m.Codebook.Describe(2)
	m.Codebook.EditColumn(func(c *form.ColumnForm) { c.Lo, c.Hi = "0", "many" })
	m.Codebook.DescribeAs(codebook.Unanswered)
	if m.Codebook.Describing.Fault("hi") == "" || m.Codebook.Describing.Fault("lo") != "" ||
		m.Codebook.Describing.Form.Hi != "many" {
		t.Errorf("the fault stands elsewhere, or the input changed: %+v", m.Codebook.Describing)
	}
	m.Codebook.Edit("one", func(b *form.BookForm) { b.One = strings.Repeat("x", 51) })
	m.Codebook.Edit("many", func(b *form.BookForm) { b.Many = "books" })
	if m.Codebook.Fault("noun.one") == "" || m.Codebook.Form.Many != "books" {
		t.Error("a noun that is too long is not told")
	}
}

// TestCodebookIsSavedAndOpened: beside a file, before one, and beside a file whose columns are in
// another order or are others.
func TestCodebookIsSavedAndOpened(t *testing.T) {
	m, _ := webtest.Opened(t, books)
	webtest.DescribeAs(m, 1, domain.Spec{Kind: domain.Decimal, Lo: "0", Hi: "5", Step: "0.01"})
	webtest.Describe(m, 2, "0", "5000")
	m.Codebook.Edit("", func(b *form.BookForm) { b.Name, b.One, b.Many = "Books", "book", "books" })
	saved := m.Codebook.Text()
	if strings.Contains(saved, "1276") || strings.Contains(saved, "English") ||
		strings.Contains(saved, "books.csv") {
		t.Fatalf("it holds cells or a file's name: %s", saved)
	}
	m, f := webtest.Started(t)
	m.Codebook.Open(saved)
	if !m.Codebook.WaitsForFile() || m.Codebook.Form.Many != "books" {
		t.Fatalf("it does not wait: %q", m.Codebook.Refused)
	}
	f.File = []byte(books)
	m.Data.Open(webtest.FakeFile("books.csv"))
	f.Settle()
	if !m.Data.Confirmed || m.Codebook.Text() != saved || m.Way.Stage() != stage.Question ||
		len(m.Codebook.Differing) > 0 {
		t.Errorf("stage %d, differing %q, it became\n%s", m.Way.Stage(), m.Codebook.Differing,
			m.Codebook.Text())
	}

	m, f = webtest.Started(t)
	m.Codebook.Open(saved)
	f.File = []byte("pages,language,rating\n652,English,4.57\n")
	m.Data.Open(webtest.FakeFile("books.csv"))
	f.Settle()
	three, _ := m.Codebook.Column(3)
	one, _ := m.Codebook.Column(1)
	if three.Values().Hi != "5" || one.Values().Hi != "5000" || len(m.Codebook.Differing) > 0 {
		t.Errorf("in another order: %+v, %+v, differing %q", one, three, m.Codebook.Differing)
	}

	m, f = webtest.Opened(t, "weight,pages\n70,652\n")
	m.Codebook.Open(saved)
	f.Settle()
	if one, _ := m.Codebook.Column(1); m.Codebook.IsDescribed(1) || one.Header != "weight" ||
		!m.Codebook.IsDescribed(2) || !slices.Equal(m.Codebook.Differing, []string{"rating"}) {
		t.Errorf("beside another file: %+v, differing %q", one, m.Codebook.Differing)
	}
	before := m.Codebook.Text()
	m.Codebook.Open("{}")
	if m.Codebook.Refused == "" || m.Codebook.Text() != before {
		t.Error("what is no codebook is taken")
	}
}

// TestCodebookOfAnotherWidth: a file that cannot be read as the codebook says is read as it looks,
// and a person confirms that.
func TestCodebookOfAnotherWidth(t *testing.T) {
	m, _ := webtest.Opened(t, books)
	webtest.Describe(m, 2, "0", "5000")
	saved := m.Codebook.Text()
	m, f := webtest.Started(t)
	m.Codebook.Open(saved)
	f.File = []byte("pages;rating\n652;4.5\n")
	m.Data.Open(webtest.FakeFile("books.csv"))
	f.Settle()
	if m.Data.Confirmed || m.Data.Opened.Options.Delimiter != ";" {
		t.Fatalf("read as %+v", m.Data.Opened.Options)
	}
	webtest.Confirm(m)
	if !m.Codebook.IsDescribed(1) || m.Codebook.IsDescribed(2) {
		t.Error("the description of pages is not where pages are")
	}
}

// TestOldRecipeDescribesItsColumns: a recipe without the codebook's words opens, describes its
// columns, and its word counts before the codebook's, which the page says.
func TestOldRecipeDescribesItsColumns(t *testing.T) {
	m, f := webtest.Opened(t, books)
	old := ask.Recipe{Version: 1, Task: "mean", Table: m.Data.Opened.Options, Column: 2,
		Domain: domain.Spec{Kind: domain.Integer, Lo: "1", Hi: "900", Missing: []string{"-"}},
		Group:  &ask.Group{Column: 3, Names: []string{"English", "Spanish"}}, Epsilon: "0.5",
		Filter: []table.Condition{}}
	m.Saved.Adopt(old)
	f.Settle()
	if r := m.Question.Recipe(); !m.Forecast.Priced() ||
		engine.Encode(r.Domain) != engine.Encode(old.Domain) ||
		!slices.Equal(r.Group.Names, old.Group.Names) || m.Codebook.Note != "" {
		t.Fatalf("it became %s, note %q", engine.Encode(m.Question.Recipe()), m.Codebook.Note)
	}
	old.Domain.Hi = "700"
	m.Saved.Adopt(old)
	f.Settle()
	if r := m.Question.Recipe(); r.Domain.Hi != "700" ||
		!strings.Contains(m.Codebook.Note, "pages") ||
		strings.Contains(m.Codebook.Note, "language") {
		t.Errorf("it became %s, note %q", engine.Encode(m.Question.Recipe()), m.Codebook.Note)
	}
	old.Params = nil
	old.Task, old.Group = "histogram", nil
	m.Saved.Adopt(old)
	if width, said := m.Question.Recipe().Params["width"]; said {
		t.Errorf("a histogram without a width has bins of %q, want those of the task", width)
	}
	m.Question.ChooseColumn(0, 3)
	m.Question.ChooseColumn(0, 2)
	if width := m.Question.Recipe().Params["width"]; width != "round" {
		t.Errorf("the bins of a column chosen here are %q wide, want about twenty", width)
	}
}

// TestSamplesAreDescribed: a made-up data set opens at the question, with everything described.
func TestSamplesAreDescribed(t *testing.T) {
	for _, s := range sample.Sets() {
		m, f := webtest.Started(t)
		f.File = s.CSV()
		m.Data.OpenSample(s)
		f.Settle()
		if m.Codebook.Described() != len(s.Columns) || len(m.Codebook.Differing) > 0 ||
			m.Way.Stage() != stage.Question || !m.Forecast.Priced() {
			t.Errorf("%s: %d of %d described, differing %q, stage %d, missing %q, %+v", s.Name,
				m.Codebook.Described(), len(s.Columns), m.Codebook.Differing, m.Way.Stage(),
				m.Question.Missing(),
				m.Forecast.Failure)
		}
		for _, c := range m.Codebook.Columns() {
			var cells []string
			for _, row := range m.Data.Opened.Preview {
				cells = append(cells, row[c.Number-1])
			}
			if seen, err := codebook.Look(c.Values(), cells); err != nil ||
				len(seen.Outside)+len(seen.Unreadable) > 0 {
				t.Errorf("%s, %s: %+v, %v", s.Name, c.Header, seen, err)
			}
		}
	}
}
