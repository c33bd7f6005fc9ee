package warehouse

import (
	"encoding/csv"
	"fmt"
	"strings"
	"testing"
)

// TestEveryCollation: the pairs that `collated` compares tell each collation that DuckDB has from
// none; of those that ICU has, and of what DuckDB makes of two.
func TestEveryCollation(t *testing.T) {
	needPython(t)
	e := startPython(t, DuckDB)
	text, err := e.run([]string{"a"}, nil, "SELECT collname AS c FROM pragma_collations()")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"nocase.noaccent", "de.nocase", "noaccent.de"}
	for _, row := range rows[1:] {
		names = append(names, row[0])
	}
	if len(names) < 100 {
		t.Fatalf("%d collations", len(names))
	}
	said := func(collation string) string {
		text, err := e.run([]string{"a"}, nil, fmt.Sprintf("SELECT %s AS is FROM (SELECT 'q' "+
			`COLLATE %s AS "x")`, DuckDB.collated(`"x"`),
			`"`+strings.ReplaceAll(collation, ".", `"."`)+`"`))
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(strings.TrimPrefix(text, "is\n"))
	}
	for _, name := range names {
		if is := said(name); is != "true" { // H: warehouse.md persons-equal
			t.Errorf("under %s no pair is equal: %s", name, is)
		}
	}
	if is := said("C"); is != "false" {
		t.Errorf("under C a pair is equal: %s", is)
	}
}

// TestPersonsRefused: each dialect's statement fails by itself where a column cannot name persons,
// and looks at a collation.
func TestPersonsRefused(t *testing.T) {
	looks := map[Dialect]string{DuckDB: "'A'", PostgreSQL: "collisdeterministic", Spark: "TYPEOF(",
		BigQuery: "'A'", Snowflake: "COLLATION("}
	for _, d := range Dialects {
		r := visits(nil)
		for person, want := range map[int]bool{2: true, 0: false} {
			r.Person = person
			c, err := New(Params{Dialect: d, Table: "visits", Columns: visitNames, Recipe: r,
				Key: someKey})
			if err != nil {
				t.Fatal(err)
			}
			// H: warehouse.md persons-equal
			if strings.Contains(c.SQL, "cannot name persons") != want ||
				strings.Contains(c.SQL, looks[d]) != want {
				t.Errorf("%s, persons in column %d:\n%s", d, person, c.SQL)
			}
		}
	}
}
