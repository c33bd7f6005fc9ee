package warehouse

import (
	"fmt"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/table"
)

// numberCells are cells of a column of numbers: none, some that many persons have, beyond bounds,
// between steps, and so large that two of them fit into no type that holds one with its digits.
var numberCells = []string{"", "x", "7", "7", "-3", "0.5", "-0.5", "-1.5", "2.4999999999999999999",
	"41", "+08", "12.", "9000000000000000000", "9223372036854775807", "-9223372036854775808",
	"9223372036854775808", "9999999999999999999.9999999999999999999", "-0", "n/a"}

// numbersOf is a question about one value of each person's numbers, and rows of persons.
func numbersOf(seed uint64) (ask.Recipe, [][]string) {
	src := coin.NewSeeded(coin.Seed(seed))
	pick := func(list ...string) string { return list[src.Uniform(uint64(len(list)))] }
	spec := domain.Spec{Kind: domain.Integer, Lo: "-5", Hi: "40",
		Outside: pick(domain.Clamp, domain.Clamp, ""), Between: pick(domain.Nearest, "",
			domain.None),
		Missing: []string{"n/a"}}
	of := []table.Of{table.Sum, table.Smallest, table.Largest, table.Number}[src.Uniform(4)]
	if of != table.Sum && src.Uniform(2) == 0 {
		spec.Kind, spec.Step, spec.Between = domain.Decimal, "0.5", domain.Nearest
	}
	if src.Uniform(3) == 0 {
		spec.Lo, spec.Hi = "-9000000000000000000", "9000000000000000000"
		if spec.Kind == domain.Decimal {
			spec.Lo, spec.Hi = "-900000000000000", "900000000000000"
		}
	}
	r := ask.Recipe{Version: ask.RecipeVersion, Task: "quantiles", Person: 1, Column: 2,
		Domain: spec, Epsilon: "20", Use: &table.Use{Values: []table.Value{{Column: 2, Of: of}}}}
	cells := [][]string{}
	for person := range 40 {
		few := []string{pick(numberCells...), pick(numberCells...)}
		for range src.Uniform(5) + 1 {
			cells = append(cells, []string{fmt.Sprint("p", person), pick(few...)})
		}
	}
	return r, cells
}

// TestNumbersOfRows: numbers that the engine reads give the answer that the rows give, also where
// a person has none, where they are clamped, and where they are as large as any
// (warehouse.md, numbers-exact).
func TestNumbersOfRows(t *testing.T) { // H: warehouse.md numbers-exact
	engines := startEngines(t)
	clamped := 0
	for seed := range uint64(60) {
		r, cells := numbersOf(seed)
		names := []string{"who", "how many"}
		var file string
		file, r.Table = rowsFile(t, names, cells)
		want, people, err := answer(file, r, seed)
		if err != nil {
			t.Fatal(err)
		}
		if r.Domain.Outside == domain.Clamp {
			clamped++
		}
		for _, e := range engines {
			p := Params{Dialect: e.dialect(), Table: quotedTable, Columns: names, Recipe: r}
			if e.dialect() == Spark {
				p.Table = "visits"
			}
			c, err := New(p)
			if err != nil {
				t.Fatal(err)
			}
			counts, err := e.run(names, anyOf(cells), c.SQL)
			if err != nil {
				t.Errorf("seed %d: %v\n%s", seed, err, c.SQL)
				continue
			}
			got, of, err := answer(counts, c.Recipe, seed)
			if err != nil || got != want || of != people {
				t.Errorf("seed %d, %s, %+v %+v: of counts %s, of %d people, %v\nof rows %s, of "+
					"%d\n"+
					"%s\n%s", seed, e.dialect(), r.Use.Values, r.Domain, got, of, err, want, people,
					counts, file)
			}
		}
	}
	if clamped < 30 {
		t.Errorf("%d of 60 tables are clamped", clamped)
	}
}

// TestNumbersWritten: no dialect's statement has a function that leaves NULL out where it clamps,
// and each adds up numbers of a type in which 10^18 of the largest fit.
func TestNumbersWritten(t *testing.T) {
	for _, d := range Dialects {
		sum := map[Dialect]string{DuckDB: "DECIMAL(38, 0)", PostgreSQL: "NUMERIC",
			Spark: "DECIMAL(38, 0)", BigQuery: "BIGNUMERIC", Snowflake: "NUMBER(38, 0)"}[d]
		for seed := range uint64(40) {
			r, _ := numbersOf(seed)
			c, err := New(Params{Dialect: d, Table: "visits", Columns: []string{"a", "b"},
				Recipe: r})
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(c.SQL, "LEAST(") || strings.Contains(c.SQL, "GREATEST(") {
				t.Errorf("%s clamps by LEAST:\n%s", d, c.SQL)
			}
			if r.Use.Values[0].Of == table.Sum {
				_, added, _ := strings.Cut(c.SQL, "SUM(CAST(")
				if !strings.Contains(added, " AS "+sum+")) AS ") {
					t.Errorf("%s adds up another type than %s:\n%s", d, sum, c.SQL)
				}
			}
		}
	}
}
