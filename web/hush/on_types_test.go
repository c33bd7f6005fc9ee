package main

import (
	"encoding/csv"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hush/core/table"
	"hush/web/hush/database"
)

// kind is a type that a column has, with values of it as SQL writes them.
type kind struct {
	of      string
	values  []string
	refused bool // as a column of persons, since equal values have several texts
}

var (
	someTexts   = []string{"'alice'", "'ALICE'", "'Alice'", "'álice'", "'alice '", "''", "NULL"}
	someNumbers = []string{"1", "1.00", "2.5", "2.50", "0", "0.00", "-0.50", "100", "NULL"}
	someFloats  = []string{"'0'", "'-0'", "'NaN'", "'1e20'", "'1.5e-10'", "'1.5e-100'", "NULL"}
	someTimes   = []string{"'2024-01-01 00:00:00+00'", "'2024-01-01 01:00:00+01'",
		"'2024-01-01 02:00:00+01'", "NULL"}
	someIDs = []string{"'550e8400-e29b-41d4-a716-446655440000'",
		"'550E8400-E29B-41D4-A716-446655440000'", "NULL"}
)

// types asks of columns of each kind: how many persons there are, which the database itself says,
// and how many rows are of each value, of all rows and of those that meet a condition, which Hush
// says of the same rows as a file.
func (e *onEngine) types(t *testing.T, kinds []kind, query func(sql string) [][]string) {
	for i, k := range kinds {
		t.Run(k.of, func(t *testing.T) {
			name := fmt.Sprint("clinic.kind", i)
			e.insert("CREATE TABLE " + name + " (id integer, x " + k.of + ")")
			var rows []string
			for j := range 3 * len(k.values) {
				rows = append(rows, fmt.Sprintf("(%d, %s)", j, k.values[j%len(k.values)]))
			}
			e.insert("INSERT INTO " + name + " VALUES " + strings.Join(rows, ", "))
			text := map[string]string{"postgresql": "text", "duckdb": "VARCHAR",
				"spark": "STRING"}[e.dialect]
			cells := query("SELECT id, COALESCE(CAST(x AS " + text + "), '') FROM " + name)
			if len(cells) != len(rows) {
				t.Fatalf("%d rows of %d", len(cells), len(rows))
			}
			e.persons(t, name, k, query)
			e.cells(t, name, cells)
		})
	}
}

func (e *onEngine) persons(t *testing.T, name string, k kind, query func(sql string) [][]string) {
	recipe := recipeOn(t, func(r map[string]any) {
		delete(r, "table")
		r["column"], r["label"], r["person"] = 1, "id", 2
		r["use"] = map[string]any{"values": []any{map[string]any{"column": 1, "of": "number"}}}
	})
	if k.refused {
		dir := filepath.Join(t.TempDir(), "ledger")
		code, _, said := hush(t, "ask", "-spend", "-agree", "-ledger", dir, "-on", e.address,
			"-table",
			name,
			recipe)
		if code != exitUnread || !strings.Contains(said, "cannot name persons") ||
			!strings.Contains(said, "Nothing was spent") || len(entries(t, dir)) > 0 {
			t.Errorf("code %d, it says %s", code, said)
		}
		return
	}
	// the database's own equality; no value and an empty text are one person
	own := query("SELECT COUNT(*) FROM (SELECT DISTINCT COALESCE(NULLIF(CAST(x AS " +
		"VARCHAR(99)), ''), '') = '' AS none, CASE WHEN COALESCE(CAST(x AS VARCHAR(99)), '') " +
		"<> '' THEN x END AS x FROM " + name + ") AS persons")[0][0]
	file, _ := counts(t, e.address, name, recipe)
	persons := 0
	for _, row := range rowsOf(t, file) {
		n, err := strconv.Atoi(row[1])
		if err != nil {
			t.Fatal(err)
		}
		persons += n
	}
	// a space after a text is no part of who it is
	if slices.Contains(k.values, "'alice '") && !strings.HasPrefix(k.of, "char") {
		persons++
	}
	if fmt.Sprint(persons) != own {
		t.Errorf("%d persons, and for the database %s: %q", persons, own, file)
	}
}

func (e *onEngine) cells(t *testing.T, name string, cells [][]string) {
	var texts []string
	for _, row := range cells {
		if text := strings.Trim(row[1], " "); text != "" && !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	categories := map[string]any{"kind": "category", "categories": texts[:(len(texts)+1)/2]}
	recipe := recipeOn(t, func(r map[string]any) {
		r["task"], r["others"] = "table", []any{map[string]any{"role": "by", "column": 2,
			"label": "x", "domain": categories}}
		for _, field := range []string{"table", "column", "label", "domain"} {
			delete(r, field)
		}
	})
	file, asked := counts(t, e.address, name, recipe)
	var b strings.Builder
	w := csv.NewWriter(&b)
	if err := w.WriteAll(append([][]string{{"id", "x"}}, cells...)); err != nil {
		t.Fatal(err)
	}
	r := recipeIn(t, recipe)
	r.Table, _ = table.Options{Encoding: table.UTF8, Delimiter: ",", Header: table.Yes,
		Columns: 2}.Decided()
	if got, want := seeded(t, file, asked), seeded(t, b.String(), r); got != want {
		t.Errorf("of the counts %s, of the rows %s\n%s\n%s", got, want, file, &b)
	}

	// each id is a person: those whose value is the first
	want := 0
	for _, row := range cells {
		if strings.Trim(row[1], " ") == texts[0] {
			want++
		}
	}
	file, _ = counts(t, e.address, name, recipeOn(t, func(r map[string]any) {
		delete(r, "table")
		r["label"], r["person"], r["use"] = "id", 1, map[string]any{"rows": 1}
		r["filter"] = []any{map[string]any{"column": 2, "spec": categories,
			"in": texts[:1]}}
	}))
	found := 0
	for _, row := range rowsOf(t, file) {
		if row[0] != "" {
			found++
		}
	}
	if found != want {
		t.Errorf("%d rows meet %q, want %d: %q", found, texts[0], want, file)
	}
}

// rowsOf are the rows of a file, without the names.
func rowsOf(t *testing.T, file string) [][]string {
	rows, err := csv.NewReader(strings.NewReader(file)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

// asking queries by the connection that counts have.
func asking(t *testing.T, address string) func(sql string) [][]string {
	return func(sql string) [][]string {
		t.Helper()
		db, err := database.Open(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		file, err := db.Count(t.Context(), sql)
		if err != nil {
			t.Fatalf("%v: %s", err, sql)
		}
		return rowsOf(t, string(file))
	}
}

// TestOnTypesPostgreSQL: the types and collations of columns change neither who is one person nor
// which cells are alike (warehouse.md, cells-equal and persons-equal).
func TestOnTypesPostgreSQL(t *testing.T) {
	s := startServer(t)
	t.Setenv("PGPASSWORD", secretPassword)
	s.psql(secretDatabase, `CREATE SCHEMA clinic;
CREATE COLLATION anycase (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE COLLATION anyaccent (provider = icu, locale = 'und-u-ks-level1', deterministic = false);
CREATE EXTENSION citext;
CREATE DOMAIN address AS citext;
CREATE TYPE mood AS ENUM ('alice', 'ALICE');
`)
	e := &onEngine{dialect: "postgresql", address: s.at(s.port),
		insert: func(sql string) { s.psql(secretDatabase, sql) }}
	spans := []string{"'1 day'", "'24:00:00'", "'1 mon'", "'30 days'", "NULL"}
	e.types(t, []kind{
		{"text", someTexts, false}, {"varchar(9)", someTexts, false},
		{"char(8)", someTexts, false}, {`text COLLATE "C"`, someTexts, false},
		// H: warehouse/warehouse.md persons-equal
		{"text COLLATE anycase", someTexts, true}, {"text COLLATE anyaccent", someTexts, true},
		{"char(8) COLLATE anycase", someTexts, true}, {"citext", someTexts, true},
		{"address", someTexts, true}, {"numeric", someNumbers, false},
		{"numeric(9,3)", someNumbers, false}, {"double precision", someFloats, false},
		{"real", []string{"'0'", "'-0'", "'NaN'", "'1e20'", "NULL"}, false},
		{"interval", spans, true}, {"timestamptz", someTimes, false},
		{"boolean", []string{"true", "'f'", "'no'", "NULL"}, false},
		{"mood", []string{"'alice'", "'ALICE'", "NULL"}, false}, {"uuid", someIDs, false},
		{"date", []string{"'2024-01-01'", "'20240101'", "NULL"}, false},
		{"bigint", []string{"1", "'01'", "-3", "NULL"}, false},
		{"jsonb", []string{"'1'", "'1.00'", "NULL"}, true},
		{"bytea", []string{`'\x41'`, `'\x61'`, "NULL"}, false},
	}, asking(t, e.address))
}

// TestOnTypesDuckDB is TestOnTypesPostgreSQL of DuckDB.
func TestOnTypesDuckDB(t *testing.T) {
	duck := findDuckDB(t)
	file := filepath.Join(t.TempDir(), "types.db")
	insert := func(sql string) {
		t.Helper()
		if out, err := exec.Command(duck, file, sql).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	insert("CREATE SCHEMA clinic")
	e := &onEngine{dialect: "duckdb", address: "duckdb:" + file, insert: insert}
	e.types(t, []kind{
		{"VARCHAR", someTexts, false}, {"VARCHAR COLLATE C", someTexts, false},
		{"VARCHAR COLLATE NOCASE", someTexts, true}, // H: warehouse/warehouse.md persons-equal
		{"VARCHAR COLLATE NOACCENT", someTexts, true},
		{"VARCHAR COLLATE NOCASE.NOACCENT", someTexts, true},
		{"VARCHAR COLLATE NFC", someTexts, true}, {"DECIMAL(9,3)", someNumbers, false},
		{"DOUBLE", someFloats, false},
		{"FLOAT", []string{"'0'", "'-0'", "'NaN'", "'1e20'", "NULL"}, false},
		{"INTERVAL", []string{"'1 day'", "'24 hours'", "'1 month'", "'30 days'", "NULL"}, true},
		{"TIMESTAMPTZ", someTimes, false},
		{"BOOLEAN", []string{"true", "'f'", "'no'", "NULL"}, false},
		{"ENUM('alice', 'ALICE')", []string{"'alice'", "'ALICE'", "NULL"}, false},
		{"UUID", someIDs, false}, {"DATE", []string{"'2024-01-01'", "NULL"}, false},
		{"BIGINT", []string{"1", "'01'", "-3", "NULL"}, false},
		{"INTEGER[]", []string{"[1]", "[2]", "NULL"}, true},
	}, asking(t, e.address))
}
