package warehouse

import "strings"

// Persons are distinguished by the text of their column. So two values that are equal for the
// database must have one text, or one person of the database would be several for Hush
// (warehouse.md, persons-equal). A statement is written without access to the table. So it asks the
// engine for the column's type and collation, which are public, and fails where they do not
// guarantee such a text.

// notPersons is the message with which a statement fails, followed by the type; the engine shows
// it.
const notPersons = "this column cannot name persons, since its equal values have several texts: " +
	"name a view that has one text of each person, such as LOWER(TRIM(…)); the type is "

// person returns the text of a column that names persons.
func (d Dialect) person(name, table string) string {
	text := d.cell(name)
	switch d {
	case PostgreSQL: // the type and the collation are asked for once, of no row
		// numbers end in zeros as they were written; texts of floats are canonical but for −0
		return `CASE (SELECT CASE
        WHEN NOT COALESCE(c.collisdeterministic, TRUE) THEN 'no'
        WHEN t.typnamespace <> 'pg_catalog'::regnamespace THEN
          CASE t.typtype WHEN 'e' THEN 'text' ELSE 'no' END
        WHEN t.typname = 'numeric' THEN 'decimal'
        WHEN t.typname IN ('float4', 'float8') THEN 'float'
        WHEN t.typname IN ('text', 'varchar', 'bpchar', 'char', 'name', 'bool', 'int2', 'int4',
          'int8', 'oid', 'uuid', 'date', 'time', 'timestamp', 'timestamptz', 'bytea') THEN 'text'
        ELSE 'no' END
      FROM (SELECT PG_TYPEOF(` + name + `) AS type,
          PG_COLLATION_FOR(CAST(` + name + ` AS text)) AS collation
        FROM (VALUES (1)) AS one (hush_none) LEFT JOIN ` + table + ` ON FALSE) AS asked
      JOIN pg_catalog.pg_type AS t ON t.oid = asked.type
      LEFT JOIN pg_catalog.pg_collation AS c ON c.oid = TO_REGCOLLATION(asked.collation))
      WHEN 'text' THEN ` + text + `
      WHEN 'decimal' THEN CASE WHEN POSITION('.' IN ` + text + `) > 0
        THEN RTRIM(RTRIM(` + text + `, '0'), '.') ELSE ` + text + ` END
      WHEN 'float' THEN ` + notNegativeZero(text) + `
      ELSE CAST(CAST('` + notPersons + `' || PG_TYPEOF(` + name + `) AS integer) AS text) END`
	case DuckDB:
		kind := "TYPEOF(" + name + ")"
		return "CASE WHEN " + d.collated(name) + " THEN ERROR('" + notPersons +
			"VARCHAR with a collation') WHEN " + kind + " IN ('DOUBLE', 'FLOAT') THEN " +
			notNegativeZero(text) + " WHEN " + kind + " IN ('VARCHAR', 'BOOLEAN', 'TINYINT', " +
			"'SMALLINT', 'INTEGER', 'BIGINT', 'HUGEINT', 'UTINYINT', 'USMALLINT', 'UINTEGER', " +
			"'UBIGINT', 'UHUGEINT', 'UUID', 'DATE', 'TIME', 'TIMESTAMP', 'TIMESTAMP_S', " +
			"'TIMESTAMP_MS', 'TIMESTAMP_NS', 'TIMESTAMP WITH TIME ZONE', 'BLOB') OR " + kind +
			" LIKE 'DECIMAL(%' OR " + kind + " LIKE 'ENUM(%' THEN " + text + " ELSE ERROR('" +
			notPersons + "' || " + kind + ") END"
	case Spark:
		kind := "TYPEOF(" + name + ")"
		return "CASE WHEN " + kind + " IN ('double', 'float') THEN " + notNegativeZero(text) +
			" WHEN " + kind + " IN ('string', 'boolean', 'tinyint', 'smallint', 'int', " +
			"'bigint', 'date', 'timestamp', 'timestamp_ntz') OR " + kind +
			" LIKE 'decimal(%' OR " + kind + " LIKE 'char(%' OR " + kind +
			" LIKE 'varchar(%' THEN " + text + " ELSE RAISE_ERROR(CONCAT('" + notPersons +
			"', " + kind + ")) END"
	case Snowflake: // the cast fails on the message, and on nothing else, in whatever order it runs
		kind := "SYSTEM$TYPEOF(" + name + ")"
		number := "CASE WHEN " + kind + " LIKE 'FLOAT%' THEN " + notNegativeZero(text) + " ELSE " +
			text + " END"
		return "CASE WHEN TO_NUMBER(CASE WHEN COALESCE(COLLATION(" + name + "), '') = '' AND " +
			"REGEXP_LIKE(" + kind + ", '(VARCHAR|NUMBER|FLOAT|BOOLEAN|DATE|TIME|TIMESTAMP_NTZ|" +
			"TIMESTAMP_LTZ)[([].*') THEN '1' ELSE '" + notPersons + "' || " + kind +
			" END) = 1 THEN " + number + " END"
	}
	// BigQuery names no type. Texts of its types are canonical except for −0, and for INTERVAL,
	// which is brought to the form of its own equality.
	return "CASE WHEN " + d.collated(name) + " THEN ERROR('" + notPersons +
		"STRING with a collation') ELSE COALESCE(CAST(SAFE.JUSTIFY_INTERVAL(SAFE_CAST(CASE WHEN " +
		d.matches(text, "-?[0-9]+-[0-9]+ -?[0-9]+ -?[0-9]+:[0-9]+:[0-9.]+") + " THEN " + text +
		" END AS INTERVAL)) AS STRING), " + notNegativeZero(text) + ") END"
}

// notNegativeZero returns a number's text, with 0 for −0; text that is no number keeps its sign.
func notNegativeZero(text string) string {
	return "CASE " + text + " WHEN '-0' THEN '0' WHEN '-0.0' THEN '0.0' WHEN '-nan' THEN 'nan' " +
		"ELSE " + text + " END"
}

// collated tests whether different texts are equal under the collation of a column. It tries the
// pairs that collations make equal: letters of two cases, with and without accents, and letters
// composed and decomposed, which every collation of ICU takes for one.
func (d Dialect) collated(name string) string {
	kind := map[Dialect]string{DuckDB: "VARCHAR", BigQuery: "STRING"}[d]
	of := func(letter string) string {
		return "CASE WHEN FALSE THEN CAST(" + name + " AS " + kind + ") ELSE " + letter + " END"
	}
	pairs := []string{of("'a'") + " = 'A'", of("'a'") + " = CHR(228)",
		of("CHR(228)") + " = 'a' || CHR(776)"}
	return "(" + strings.Join(pairs, " OR ") + ")"
}
