package warehouse

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/param"
	"hush/core/table"
	"hush/core/task"
)

var update = flag.Bool("update", false, "write QUESTIONS.md anew")

// TestQuestions: QUESTIONS.md says what New does for each question, engine and way to ask, and why
// some are refused.
func TestQuestions(t *testing.T) {
	const name = "QUESTIONS.md"
	text := questions(t)
	if *update {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	is, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(is) != text {
		t.Errorf("%s is not what New does: run TestQuestions with -update", name)
	}
}

// proof says how the statements of an engine are tested.
var proof = map[Dialect]string{DuckDB: "run", PostgreSQL: "run",
	Spark: "parsed", BigQuery: "parsed", Snowflake: "parsed"}

// forms are the ways in which any question can be asked.
var forms = []struct {
	name   string
	change func(r *ask.Recipe)
}{
	{"rows that are persons", func(r *ask.Recipe) { r.Person = 0 }},
	{"one row of each person, conditions after the draw", func(r *ask.Recipe) {}},
	{"k rows of each person", func(r *ask.Recipe) { r.Use = &table.Use{Rows: 2} }},
	{"k rows in each of g groups", func(r *ask.Recipe) {
		r.Use = &table.Use{Rows: 2, Groups: 3, Column: 1}
	}},
	{"those with a condition on categories", func(r *ask.Recipe) {
		r.Use = &table.Use{Rows: 2}
		r.Filter = []table.Condition{{Column: 1, Spec: r.Others[0].Domain, In: []string{"Mill"}}}
	}},
	{"those with a condition on whole numbers", func(r *ask.Recipe) {
		r.Use = &table.Use{Rows: 2}
		r.Filter = []table.Condition{{Column: 3, Spec: r.Others[1].Domain, From: "2"}}
	}},
	{"those with a condition on dates", func(r *ask.Recipe) {
		r.Use = &table.Use{Rows: 2}
		r.Filter = []table.Condition{{Column: 3, Spec: domain.Spec{Kind: domain.Date}}}
	}},
	{"by groups that are found, one row of each person", func(r *ask.Recipe) {
		r.Group = &ask.Group{Column: 1, Find: &ask.Find{Share: 50, Delta: "0.01"}}
	}},
	{"by groups that are found, k rows of each person", func(r *ask.Recipe) {
		r.Group = &ask.Group{Column: 1, Find: &ask.Find{Share: 50, Delta: "0.01"}}
		r.Use = &table.Use{Rows: 2}
	}},
	{"number of rows of each person", valued(table.Number)},
	{"sum of each person", valued(table.Sum)},
	{"smallest value of each person", valued(table.Smallest)},
	{"largest value of each person", valued(table.Largest)},
	{"mean of each person", valued(table.Mean)},
	{"latest value of each person", valued(table.Latest)},
	{"number of groups of each person", valued(table.Groups)},
	{"runs that learn from half of the rows", func(r *ask.Recipe) {
		r.Params = ask.Params{ask.ParamHalves: "true"}
	}},
}

func valued(of table.Of) func(r *ask.Recipe) {
	return func(r *ask.Recipe) {
		v := table.Value{Column: 3, Of: of}
		if of == table.Latest {
			v.By = &table.Wanted{Column: 3, Spec: r.Others[1].Domain}
		}
		r.Use = &table.Use{Values: []table.Value{v}}
	}
}

func questions(t *testing.T) string {
	var b strings.Builder
	b.WriteString(`# Engines and questions

Made by TestQuestions; do not edit (go test ./core/warehouse -run TestQuestions -update).
`)
	head := func(of string) {
		b.WriteString("\n| " + of + " |")
		for _, d := range Dialects {
			b.WriteString(" " + d.Name() + " |")
		}
		b.WriteString("\n| --- |" + strings.Repeat(" --- |", len(Dialects)) + "\n")
	}
	line := func(name string, r ask.Recipe) (why string, written bool) {
		written = true
		b.WriteString("| " + name + " |")
		for _, d := range Dialects {
			_, err := New(Params{Dialect: d, Table: "visits", Recipe: r, Key: someKey,
				Columns: strings.Split(strings.Repeat("a ", 20), " ")})
			var fault *param.Error
			switch {
			case err == nil:
				b.WriteString(" " + proof[d] + " |")
			case errors.As(err, &fault):
				b.WriteString(" no |")
				why, written = fmt.Sprintf("%s: want %s", fault.Field, fault.Want), false
			default:
				t.Errorf("%s: %v", name, err)
			}
		}
		b.WriteString("\n")
		return why, written
	}
	head("question")
	for _, q := range task.Catalogue() {
		r := q.Example.Recipe
		r.Version, r.Task = ask.RecipeVersion, q.ID
		if _, written := line(string(q.Title), r); !written {
			t.Errorf("%s is not written", q.ID)
		}
	}
	b.WriteString("\nEach can be asked of:\n")
	head("what is counted")
	var refused []string
	for _, f := range forms {
		r := visits(nil)
		f.change(&r)
		if why, written := line(f.name, r); !written {
			refused = append(refused, "- "+f.name+": "+why)
		}
	}
	b.WriteString(`
What runs the statement, and releases from its counts:

| way | DuckDB | PostgreSQL | Spark SQL | BigQuery | Snowflake |
| --- | --- | --- | --- | --- | --- |
| the command, hush ask -on, in one step | run | run | run by bench warehouses | no | no |
| you; then the command or the page, from the file of counts | run | run | parsed | parsed | parsed |

hush ask -on, measured by TestOnMany (HUSH_LONG=1) on two cores with PostgreSQL 15, from the
command to the release: the mean of 10⁸ rows that are persons 22 s, a table of one row of each of
10⁶ persons who have 10⁷ rows 59 s.
`)
	b.WriteString("\nWhat is not written says so, and why:\n\n" +
		strings.Join(refused, "\n") + "\n")
	return b.String()
}

// TestRefusals: what no file of counts answers is refused by the name of its field, and so are
// names and values that an engine cannot have.
func TestRefusals(t *testing.T) {
	fine := func() Params {
		return Params{Dialect: DuckDB, Table: "visits", Columns: visitNames,
			Recipe: visits(&table.Use{Rows: 2}), Key: someKey}
	}
	whole := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "9"}
	for _, c := range []struct {
		field string
		spoil func(p *Params)
	}{
		{"dialect", func(p *Params) { p.Dialect = "oracle" }},
		{"table", func(p *Params) { p.Table = "" }},
		{"table", func(p *Params) { p.Table = `"open` }},
		{"table", func(p *Params) { p.Table = `"a"b` }},
		{"table", func(p *Params) { p.Table = "a..b" }},
		{"key", func(p *Params) { p.Key = "" }},                // H: warehouse.md key
		{"key", func(p *Params) { p.Key = "'; DROP TABLE x" }}, // H: warehouse.md key
		// H: warehouse.md takes-counts
		{"count", func(p *Params) { p.Recipe.Count, p.Recipe.Person = 2, 0 }},
		{"column", func(p *Params) { p.Columns = p.Columns[:2] }},
		{"column", func(p *Params) { p.Columns = []string{"a\x00", "b", "c"} }},
		{"column", func(p *Params) {
			p.Dialect, p.Columns = Spark, []string{"a${env:HOME}", "b", "c"}
		}},
		{"column", func(p *Params) {
			p.Recipe.Others, p.Recipe.Person, p.Recipe.Use = nil, 0, nil
		}},
		{ask.ParamHalves, func(p *Params) {
			p.Recipe.Params = ask.Params{ask.ParamHalves: "true"} // H: warehouse.md takes-counts
		}},
		{"filter", func(p *Params) {
			p.Recipe.Filter = []table.Condition{{Column: 3, Spec: domain.Spec{Kind: domain.Text,
				Length: 8}, In: []string{"a"}}}
		}},
		{"filter", func(p *Params) { // H: warehouse.md unfolded
			spec := p.Recipe.Others[0].Domain
			spec.Fold = true
			p.Recipe.Filter = []table.Condition{{Column: 1, Spec: spec}}
		}},
		{"use.column", func(p *Params) { // H: warehouse.md unfolded
			p.Recipe.Others[0].Domain.Fold = true
			p.Recipe.Use = &table.Use{Rows: 2, Groups: 2, Column: 1}
		}},
		{"filter", func(p *Params) {
			spec := whole
			spec.Group = "," // H: warehouse.md numbers-exact
			p.Recipe.Filter = []table.Condition{{Column: 3, Spec: spec, From: "1"}}
		}},
		{"filter", func(p *Params) {
			p.Recipe.Use = &table.Use{Values: []table.Value{{Column: 3, Of: table.Sum}}}
			p.Recipe.Filter = []table.Condition{{Column: 3, Spec: whole, From: "1"}}
		}},
		{"use.of", func(p *Params) {
			p.Recipe.Use = &table.Use{Values: []table.Value{{Column: 3, Of: table.Mean}}}
		}},
		{"use.of", func(p *Params) {
			p.Recipe.Use = &table.Use{Values: []table.Value{{Column: 1, Of: table.Smallest}}}
		}},
		{"use.rows", func(p *Params) {
			// H: warehouse.md takes-counts
			p.Recipe.Group = &ask.Group{Column: 1, Find: &ask.Find{Share: 50, Delta: "0.01"}}
		}},
		{"use.rows", func(p *Params) { p.Recipe.Use = &table.Use{} }}, // H: warehouse.md bounds
	} {
		p := fine()
		if _, err := New(p); err != nil {
			t.Fatal(err)
		}
		c.spoil(&p)
		_, err := New(p)
		var fault *param.Error
		if !errors.As(err, &fault) || fault.Field != c.field {
			t.Errorf("%v, want a refusal of %s", err, c.field)
		}
	}
}

// TestDraws: a key is wanted exactly where rows are drawn.
func TestDraws(t *testing.T) {
	for name, want := range map[string]bool{"one row": true, "two rows": true, "a value": true,
		"two values": false} {
		if Draws(useOf(name)) != want {
			t.Errorf("%s: rows are drawn: %v", name, !want)
		}
	}
	r := visits(nil)
	if r.Person = 0; Draws(r) {
		t.Error("rows of nobody are drawn")
	}
}

// TestFoldedCells: no statement reads a column whose case and spaces do not count: its cells are
// counted as they are, and the question asked of the counts folds them.
func TestFoldedCells(t *testing.T) {
	for _, dialect := range Dialects {
		for _, fold := range []bool{false, true} {
			r := visits(&table.Use{Rows: 2})
			r.Others[0].Domain.Fold = fold
			c, err := New(Params{Dialect: dialect, Table: "visits", Columns: visitNames, Recipe: r,
				Key: someKey})
			if err != nil {
				t.Fatal(err)
			}
			if reads := strings.Contains(c.SQL, "MILL"); reads == fold {
				t.Errorf("%s, folded %t: the statement reads the cells: %t\n%s", dialect, fold,
					reads, c.SQL)
			}
			if c.Recipe.Others[0].Domain.Fold != fold {
				t.Errorf("%s: the counts are read with Fold %t", dialect, !fold)
			}
		}
	}
}
