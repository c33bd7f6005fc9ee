package warehouse

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"hush/core/domain"
	"hush/core/param"
	"hush/core/table"
)

// errNoLiteral says that a text is no single literal, or none that means the same in each setting
// of the engine.
var errNoLiteral = errors.New("no literal")

// decoded is what an engine takes a literal or a quoted name for, by the rules of its manual.
func decoded(d Dialect, quoted string) (string, error) {
	escapes := d == Spark || d == BigQuery || d == Snowflake
	doubles := d != BigQuery && d != Spark
	if d == PostgreSQL && strings.HasPrefix(quoted, "E'") {
		quoted, escapes = quoted[1:], true
	}
	if len(quoted) < 2 || d == Spark && strings.Contains(quoted, "${") {
		return "", errNoLiteral // a variable takes its place before anything is read
	}
	quote := quoted[0]
	switch {
	case quote == '"': // a name
		escapes = false
	case quote == '`' && d == Spark:
		escapes, doubles = false, true
	case quote == '`' && d == BigQuery:
	case quote != '\'':
		return "", errNoLiteral
	}
	var b strings.Builder
	rest := quoted[1:]
	for {
		switch {
		case rest == "":
			return "", errNoLiteral // it is open
		case rest[0] == quote && doubles && len(rest) > 1 && rest[1] == quote:
			b.WriteByte(quote)
			rest = rest[2:]
		case rest[0] == quote:
			if rest != string(quote) {
				return "", errNoLiteral // it goes on
			}
			return b.String(), nil
		case rest[0] == '\\' && d == PostgreSQL && quote == '\'' && !escapes:
			return "", errNoLiteral // standard_conforming_strings decides
		case rest[0] == '\\' && escapes:
			if len(rest) < 2 {
				return "", errNoLiteral
			}
			switch c := rest[1]; c {
			case '\\', '\'', '`', '"':
				b.WriteByte(c)
			case 'n', 'r', 't':
				b.WriteByte(map[byte]byte{'n': '\n', 'r': '\r', 't': '\t'}[c])
			case 'u':
				code, err := strconv.ParseUint(rest[2:min(6, len(rest))], 16, 32)
				if err != nil || len(rest) < 6 {
					return "", errNoLiteral
				}
				b.WriteRune(rune(code))
				rest = rest[4:]
			default:
				return "", fmt.Errorf("%w: \\%c", errNoLiteral, c)
			}
			rest = rest[2:]
		case d == BigQuery && (rest[0] == '\n' || rest[0] == '\r'):
			return "", errNoLiteral
		default:
			_, n := utf8.DecodeRuneInString(rest)
			b.WriteString(rest[:n])
			rest = rest[n:]
		}
	}
}

// special are what texts are made of that could end a literal, or start something in it.
var special = []string{"'", `"`, "`", `\`, "$", "{", "}", "\n", "\r", "\t", "n", "u0027", "E", "0", ";--",
	"ü", ""}

// TestLiterals: each text of one, two and three of those, as a literal and as a name, is read back
// by each dialect's rules, as a whole; and a name that is not written is refused.
func TestLiterals(t *testing.T) {
	for _, d := range Dialects {
		for _, a := range special {
			for _, b := range special {
				for _, c := range special {
					text := a + b + c
					literal, err := d.text("categories", text)
					if err != nil {
						t.Fatal(err)
					}
					if is, err := decoded(d, literal); err != nil || is != text {
						t.Fatalf("%s writes %q as %s, which is %q, %v", d, text, literal, is, err)
					}
					name, err := d.name("column", text)
					if fault := (*param.Error)(nil); errors.As(err, &fault) {
						if text != "" && !(d == Spark && strings.Contains(text, "${")) {
							t.Fatalf("%s has no name %q: %v", d, text, err)
						}
						continue
					}
					if is, err := decoded(d, name); err != nil || is != text {
						t.Fatalf("%s writes the name %q as %s, which is %q, %v", d, text, name, is,
							err)
					}
				}
			}
		}
	}
	for _, c := range []struct {
		d    Dialect
		text string
	}{{PostgreSQL, `'\'`}, {PostgreSQL, `E'\'`}, {PostgreSQL, `E'a'b'`}, {DuckDB, "'a'b'"},
		{Spark, "'${a}'"}, {BigQuery, "'\n'"}, {Snowflake, `'\q'`}, {Spark, "''''"}} {
		if is, err := decoded(c.d, c.text); err == nil {
			t.Errorf("%s is read as %q in %s", c.text, is, c.d)
		}
	}
}

// TestBinaryTexts: in each dialect, wherever a statement reads a column as a text, that text has
// the binary collation (warehouse.md, cells-equal).
func TestBinaryTexts(t *testing.T) {
	for _, d := range Dialects {
		binary := map[Dialect]string{DuckDB: `CAST("x" AS VARCHAR) COLLATE C,`,
			PostgreSQL: `CAST("x" AS text) COLLATE "C",`, Spark: "COALESCE(CAST(`x` AS STRING),",
			BigQuery:  "COLLATE(CAST(`x` AS STRING), ''),",
			Snowflake: `COLLATE(CAST("x" AS VARCHAR), ''),`}[d]
		bare := map[Dialect]string{DuckDB: `CAST("x" AS VARCHAR)`, PostgreSQL: `CAST("x" AS text)`,
			Spark: "CAST(`x` AS STRING)", BigQuery: "CAST(`x` AS STRING)",
			Snowflake: `CAST("x" AS VARCHAR)`}[d]
		for name := range uses {
			r := useOf(name)
			if r.Use != nil && len(r.Use.Values) == 0 {
				r.Filter = []table.Condition{{Column: 3, From: "1", Spec: domain.Spec{
					Kind: domain.Integer, Lo: "0", Hi: "9"}}}
			}
			c, err := New(Params{Dialect: d, Table: "visits", Columns: []string{"x", "x", "x"},
				Recipe: r, Key: someKey})
			if err != nil {
				t.Fatal(err)
			}
			// but where the collation itself is looked at
			text := strings.ReplaceAll(c.SQL, "PG_COLLATION_FOR("+bare, "")
			text = strings.ReplaceAll(text, "CASE WHEN FALSE THEN "+bare, "")
			left := strings.ReplaceAll(text, binary, "")
			if left == text || strings.Contains(left, bare) { // H: warehouse.md cells-equal
				t.Errorf("%s, %s: a text has the column's collation:\n%s", d, name, left)
			}
		}
	}
}
