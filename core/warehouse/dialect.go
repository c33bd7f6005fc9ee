package warehouse

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"hush/core/param"
	"hush/core/phrase"
)

// Dialect is the SQL of an engine.
type Dialect string

// The engines for which SQL is written.
const (
	DuckDB     Dialect = "duckdb"
	PostgreSQL Dialect = "postgresql"
	Spark      Dialect = "spark"
	BigQuery   Dialect = "bigquery"
	Snowflake  Dialect = "snowflake"
)

// Dialects lists all of them, in the order in which they are offered.
var Dialects = []Dialect{DuckDB, PostgreSQL, Spark, BigQuery, Snowflake}

// Name is the engine's own name.
func (d Dialect) Name() string {
	return map[Dialect]string{DuckDB: "DuckDB", PostgreSQL: "PostgreSQL", Spark: "Spark SQL",
		BigQuery: "BigQuery", Snowflake: "Snowflake"}[d]
}

func (d Dialect) check() error {
	if !slices.Contains(Dialects, d) {
		return refuse("dialect", string(d), "one of duckdb, postgresql, spark, bigquery, snowflake")
	}
	return nil
}

// name quotes a column or one part of a table's name.
func (d Dialect) name(field, name string) (string, error) {
	if err := d.checkText(field, name); err != nil {
		return "", err
	}
	switch {
	case name == "":
		return "", refuse(field, "empty", "a name")
	case d == Spark && strings.Contains(name, "${"):
		return "", refuse(field, name, `a name without "${", in whose place Spark puts a variable`)
	case d == Spark:
		return "`" + strings.ReplaceAll(name, "`", "``") + "`", nil
	case d == BigQuery:
		return "`" + d.escaped(name, '`') + "`", nil
	}
	return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`, nil
}

// text writes a text as a literal.
func (d Dialect) text(field, text string) (string, error) {
	if err := d.checkText(field, text); err != nil {
		return "", err
	}
	switch {
	case d == PostgreSQL && strings.ContainsRune(text, '\\'):
		// means the same whatever the server takes a plain literal's backslash for
		return "E'" + d.escaped(text, 0) + "'", nil
	case d == DuckDB || d == PostgreSQL:
		return "'" + strings.ReplaceAll(text, "'", "''") + "'", nil
	}
	return "'" + d.escaped(text, '\'') + "'", nil
}

// escaped writes backslashes in front of characters that a literal would not take literally, and in
// front of quote.
func (d Dialect) escaped(text string, quote rune) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\\' || r == quote:
			b.WriteRune('\\')
			b.WriteRune(r)
		case r == '\'' && d == PostgreSQL:
			b.WriteString("''")
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '$' && d == Spark: // it puts variables in the place of ${…}, in literals too
			b.WriteString(`\u0024`)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func (d Dialect) checkText(field, text string) error {
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return refuse(field, text, "a text without zero bytes: %s has no other", d.Name())
	}
	return nil
}

// cell returns a column's value as a text, empty for none, that is compared byte by byte
// (warehouse.md, cells-equal): whatever collation the column has, the text has none. The results of
// other functions on it keep that property, in each dialect. Spark's cast gives a STRING, which is
// compared as UTF8_BINARY.
func (d Dialect) cell(name string) string {
	text := map[Dialect]string{
		DuckDB:     "CAST(%s AS VARCHAR) COLLATE C",
		PostgreSQL: `CAST(%s AS text) COLLATE "C"`,
		Spark:      "CAST(%s AS STRING)",
		BigQuery:   "COLLATE(CAST(%s AS STRING), '')",
		Snowflake:  "COLLATE(CAST(%s AS VARCHAR), '')",
	}[d]
	// H: warehouse.md cells-equal
	return "COALESCE(" + strings.Replace(text, "%s", name, 1) + ", '')"
}

// trimmed returns a text without the spaces and tabs around it.
func (d Dialect) trimmed(text string) string {
	switch d {
	case DuckDB:
		return "TRIM(" + text + ", ' ' || CHR(9))"
	case PostgreSQL:
		return "BTRIM(" + text + ", ' ' || CHR(9))"
	case Spark:
		return `TRIM(BOTH ' \t' FROM ` + text + ")"
	}
	return "TRIM(" + text + `, ' \t')`
}

// digits returns a whole number as a text.
func (d Dialect) digits(number string) string {
	kind := map[Dialect]string{DuckDB: "VARCHAR", PostgreSQL: "text", Spark: "STRING",
		BigQuery: "STRING", Snowflake: "VARCHAR"}[d]
	return "CAST(" + number + " AS " + kind + ")"
}

// joined concatenates several texts.
func joined(texts ...string) string { return strings.Join(texts, " || ") }

// hash returns the SHA-256 of a text, in hexadecimal.
func (d Dialect) hash(text string) string {
	switch d {
	case PostgreSQL:
		return "ENCODE(SHA256(CONVERT_TO(" + text + ", 'UTF8')), 'hex')"
	case Spark, Snowflake:
		return "SHA2(" + text + ", 256)"
	case BigQuery:
		return "TO_HEX(SHA256(" + text + "))"
	}
	return "SHA256(" + text + ")"
}

// matches tests whether a whole text has the form of a pattern that all engines understand, without
// quotes and backslashes.
func (d Dialect) matches(text, pattern string) string {
	switch d {
	case DuckDB:
		return "REGEXP_FULL_MATCH(" + text + ", '" + pattern + "')"
	case PostgreSQL:
		return text + " ~ '^(" + pattern + ")$'"
	case Spark: // where $ also stands before a line's end
		return text + ` RLIKE '^(` + pattern + `)(?![^a]|a)'`
	case BigQuery:
		return "REGEXP_CONTAINS(" + text + ", r'^(" + pattern + ")$')"
	}
	return "REGEXP_LIKE(" + text + ", '" + pattern + "')" // all of it
}

// number converts a text in the form of a number to an exact number with this many digits behind
// the point.
func (d Dialect) number(text string, scale int) string {
	switch d {
	case PostgreSQL:
		return "CAST(" + text + " AS NUMERIC)"
	case BigQuery:
		return "SAFE_CAST(" + text + " AS BIGNUMERIC)"
	}
	kind := map[Dialect]string{DuckDB: "DECIMAL", Spark: "DECIMAL", Snowflake: "NUMBER"}[d]
	return fmt.Sprintf("TRY_CAST(%s AS %s(38, %d))", text, kind, scale)
}

// save explains in a comment how the rows become a file.
func (d Dialect) save() string {
	return map[Dialect]string{
		DuckDB:     "COPY (…) TO 'counts.csv' (HEADER);",
		PostgreSQL: `in psql, all on one line: \copy (…) TO counts.csv CSV HEADER`,
		Spark: `spark.sql("…").coalesce(1).write.option("header", True).option("escape", '"')` +
			`.csv("counts")`,
		BigQuery: "save the results as CSV, or EXPORT DATA with format='CSV', header=true",
		Snowflake: "download the results as CSV, or COPY INTO with " +
			"FIELD_OPTIONALLY_ENCLOSED_BY='\"'",
	}[d]
}

// Quoted writes a table's name as it stands in a statement.
func (d Dialect) Quoted(table string) (string, error) {
	parts, err := Parts(table)
	for i, part := range parts {
		if err == nil {
			parts[i], err = d.name("table", part)
		}
	}
	return strings.Join(parts, "."), err
}

// Parts returns the parts of a table's name, which are separated by dots; a part in double quotes
// is taken literally.
func Parts(table string) (parts []string, err error) {
	for rest := strings.TrimSpace(table); ; {
		var part string
		if strings.HasPrefix(rest, `"`) {
			end := 1
			for end < len(rest) && (rest[end] != '"' || strings.HasPrefix(rest[end:], `""`)) {
				end += 1 + map[bool]int{true: 1}[rest[end] == '"']
			}
			if end >= len(rest) {
				return nil, refuse("table", table, "a name whose quotes are closed")
			}
			part, rest = strings.ReplaceAll(rest[1:end], `""`, `"`), rest[end+1:]
		} else {
			end := strings.IndexByte(rest+".", '.')
			part, rest = rest[:end], rest[end:]
		}
		if part == "" {
			return nil, refuse("table", "empty", "a name")
		}
		parts = append(parts, part)
		if rest == "" {
			return parts, nil
		}
		if rest[0] != '.' {
			return nil, refuse("table", table, `a name with dots between its parts: "clinic.visits"`)
		}
		rest = rest[1:]
	}
}

// refuse is the package's error for a parameter.
func refuse(field, value string, want phrase.Key, args ...any) error {
	const most = 80
	if runes := []rune(value); len(runes) > most {
		value = string(runes[:most]) + "…"
	}
	return param.Refuse("warehouse", field, value, want, args...)
}
