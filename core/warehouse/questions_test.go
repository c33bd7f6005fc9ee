package warehouse

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/internal/replay"
	"hush/core/param"
	"hush/core/table"
	"hush/core/task"
)

var update = flag.Bool("update", false, "write QUESTIONS.md anew")

// TestQuestions: QUESTIONS.md says of each question and engine what is so: which ways of it were
// written, and why others are refused.
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
	Spark: "run by `bench warehouses`", BigQuery: "parsed", Snowflake: "parsed"}

func questions(t *testing.T) string {
	var b strings.Builder
	b.WriteString(`# Engines and questions

Made by TestQuestions; do not edit (go test ./core/warehouse -run TestQuestions -update).

Of each question, the ways in which it can be asked (its parameters, kinds of column, groups,
conditions, bounds on rows of persons), and of how many of them the engine's counts are written.
`)
	b.WriteString("\n| question |")
	for _, d := range Dialects {
		b.WriteString(" " + d.Name() + " |")
	}
	b.WriteString("\n| --- |" + strings.Repeat(" --: |", len(Dialects)) + "\n| tested by being |")
	for _, d := range Dialects {
		b.WriteString(" " + proof[d] + " |")
	}
	b.WriteByte('\n')
	w := replay.NewWalk(task.All{}, 24)
	known := map[string][]ask.Recipe{}
	for way := range uint64(w.Ways()) {
		r, columns := w.Way(way)
		if r.Count == 0 {
			r.Table.Columns = columns
			known[r.Task] = append(known[r.Task], r)
		}
	}
	refused := map[string]bool{}
	var list []string
	for _, q := range task.Catalogue() {
		fmt.Fprintf(&b, "| %s |", q.Title)
		for _, d := range Dialects {
			written := 0
			for _, r := range known[q.ID] {
				names := make([]string, r.Table.Columns)
				for i := range names {
					names[i] = fmt.Sprint("column ", i+1)
				}
				_, err := New(Params{Dialect: d, Table: "visits", Columns: names, Recipe: r,
					Key: someKey})
				var fault *param.Error
				switch {
				case err == nil:
					written++
				case !errors.As(err, &fault):
					t.Errorf("%s: %v", q.ID, err)
				default:
					why := fmt.Sprintf("- %s: want %s", fault.Field, fault.Want)
					if !refused[why] {
						refused[why] = true
						list = append(list, why)
					}
				}
			}
			fmt.Fprintf(&b, " %d of %d |", written, len(known[q.ID]))
			if written == 0 {
				t.Errorf("%s: nothing is written for %s", q.ID, d)
			}
		}
		b.WriteByte('\n')
	}
	b.WriteString("\nWhat is not written says so, and why:\n\n")
	slices.Sort(list)
	b.WriteString(strings.Join(list, "\n") + "\n")
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
		{"key", func(p *Params) { p.Key = "" }},
		{"key", func(p *Params) { p.Key = "'; DROP TABLE x" }},
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
			p.Recipe.Params = ask.Params{ask.ParamHalves: "true"}
		}},
		{"filter", func(p *Params) {
			p.Recipe.Filter = []table.Condition{{Column: 3, Spec: domain.Spec{Kind: domain.Text,
				Length: 8}, In: []string{"a"}}}
		}},
		{"filter", func(p *Params) {
			spec := whole
			spec.Group = ","
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
			p.Recipe.Group = &ask.Group{Column: 1, Find: &ask.Find{Share: 50, Delta: "0.01"}}
		}},
		{"use.rows", func(p *Params) { p.Recipe.Use = &table.Use{} }},
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
