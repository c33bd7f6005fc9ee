package warehouse

import (
	"fmt"
	"strings"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/table"
)

// steps returns the parts of the statement between the cells and the counts, the last of which is
// called entries, and the expression that is counted.
func (s *statement) steps() (steps, times string) {
	r := s.Recipe
	switch {
	case r.Person == 0:
		return ", entries AS (\n  SELECT " + s.columns("") + " FROM cells\n)", "COUNT(*)"
	case r.Use != nil && len(r.Use.Values) > 0:
		return s.valued(), "COUNT(*)"
	case r.Use == nil:
		return s.drawn(1, 0) + ", entries AS (\n  SELECT " + s.columns("") +
			" FROM drawn WHERE place <= 1\n)", "COUNT(*)"
	}
	kept := fmt.Sprintf("place <= %d", r.Use.Rows)
	if r.Use.Groups > 0 {
		kept += fmt.Sprintf(" AND place_of_group <= %d", r.Use.Groups)
	}
	none := strings.Repeat("'', ", len(s.numbers))
	return s.drawn(r.Use.Rows, r.Use.Groups) + ", kept AS (\n  SELECT " + s.columns("") +
		" FROM drawn WHERE " + kept + "\n), entries AS (\n  SELECT " + s.columns("") +
		", 1 AS times FROM kept\n  UNION ALL\n  SELECT " + none +
		fmt.Sprintf("(SELECT COUNT(DISTINCT person) FROM cells) * %d - (SELECT COUNT(*) FROM kept)",
			r.Use.Entries()) + "\n)", "SUM(times)"
}

// drawn numbers the rows of each person, in an order that depends on their own cells, and then
// orders them by a hash of that number, the person and the key: the first rows count.
func (s *statement) drawn(rows, groups int) string {
	d, key := s.Dialect, "'"+strings.ToLower(s.Key)
	order := s.columns("")
	var where, ranks []string
	if s.Recipe.Use != nil && len(s.Recipe.Filter) > 0 {
		where = append(where, "met = 1")
	}
	of := "PARTITION BY person"
	if groups > 0 {
		where, order, of = append(where, "grouped <> ''"), order+", grouped", of+", grouped"
		ranks = append(ranks, "DENSE_RANK() OVER (PARTITION BY person ORDER BY "+
			d.hash(joined(key+":group:'", d.digits("LENGTH(person)"), "':'", "person", "grouped"))+
			", grouped) AS place_of_group")
	}
	ranks = append(ranks, "ROW_NUMBER() OVER ("+of+" ORDER BY "+
		d.hash(joined(key+":row:'", d.digits("n"), "':'", "person"))+", n) AS place")
	condition := ""
	if len(where) > 0 {
		condition = " WHERE " + strings.Join(where, " AND ")
	}
	return ", numbered AS (\n  SELECT cells.*, ROW_NUMBER() OVER (PARTITION BY person ORDER BY " +
		order + ") AS n\n  FROM cells" + condition + "\n), drawn AS (\n  SELECT numbered.*,\n    " +
		strings.Join(ranks, ",\n    ") + "\n  FROM numbered\n)"
}

// valued makes one value from all rows of each person.
func (s *statement) valued() string {
	steps, from := "", "cells"
	if Draws(s.Recipe) {
		steps, from = s.drawn(1, 0), "drawn"
	}
	var list []string
	for _, number := range s.numbers {
		value := ""
		switch valueOf(s.Recipe.Use, number).Of {
		case table.Number:
			value = s.Dialect.digits("COUNT(*)")
		case table.Sum:
			whole := s.Dialect.whole(added(number), scaleOf(eachOf(s.specs[number][0])))
			value = "COALESCE(" + s.Dialect.digits("SUM("+whole+")") + ", '')"
		case table.Smallest:
			value = "COALESCE(" + s.Dialect.digits("MIN("+added(number)+")") + ", '')"
		case table.Largest:
			value = "COALESCE(" + s.Dialect.digits("MAX("+added(number)+")") + ", '')"
		default:
			value = "MAX(CASE WHEN place = 1 THEN " + from + "." + counted(number) +
				" ELSE '' END)"
		}
		list = append(list, value+" AS "+counted(number))
	}
	return steps + ", entries AS (\n  SELECT\n    " + strings.Join(list, ",\n    ") +
		"\n  FROM " + from + "\n  GROUP BY person\n)"
}

// names gives each column of counts its name: the table's own where no other column has it and the
// engine accepts it as the name of a result's column, otherwise the column's number.
func (s *statement) names() []string {
	d := s.Dialect
	known := map[string]bool{}
	var list []string
	give := func(name, otherwise string) {
		folded := strings.ToLower(name)
		if known[folded] || d == BigQuery && !plain(name) ||
			d == Spark && strings.ContainsAny(name, "\r\n") {
			name, folded = otherwise, otherwise
		}
		known[folded] = true
		quoted, _ := d.name("column", name) // it was quoted before
		list = append(list, quoted)
	}
	for _, number := range s.numbers {
		give(s.Columns[number-1], fmt.Sprint("hush_column_", number))
	}
	if e := s.Recipe.Use.Entries(); e > 1 { // no count of persons
		give(fmt.Sprintf("rows_%d_a_person", e), "hush_rows")
	} else {
		give("persons", "hush_persons")
	}
	return list
}

// recipe returns the question to ask of the counts.
func (s *statement) recipe() ask.Recipe {
	at := map[int]int{}
	for i, number := range s.numbers {
		at[number] = i + 1
	}
	r := s.Recipe
	r.Person, r.Use, r.Count = 0, s.entries(at), len(s.numbers)+1
	r.Table = table.Options{Encoding: table.UTF8, Delimiter: ",", Header: table.Yes,
		Columns: len(s.numbers) + 1}
	r.Table, _ = r.Table.Decided() // nothing of it is impossible
	spec := func(column int, spec domain.Spec) domain.Spec {
		switch valueOf(s.Recipe.Use, column).Of {
		case "":
			return spec
		case table.Number, table.Sum:
			spec.Outside, spec.Between = domain.Clamp, domain.Nearest
		}
		spec.Mark, spec.Group, spec.Missing = "", "", nil
		return spec
	}
	r.Domain, r.Column = spec(r.Column, r.Domain), at[r.Column]
	r.Others = append([]ask.Field(nil), r.Others...)
	for i, f := range r.Others {
		r.Others[i].Domain, r.Others[i].Column = spec(f.Column, f.Domain), at[f.Column]
	}
	r.Filter = append([]table.Condition(nil), r.Filter...)
	for i, c := range r.Filter {
		r.Filter[i].Column = at[c.Column]
	}
	if r.Group != nil {
		group := *r.Group
		group.Column, r.Group = at[group.Column], &group
	}
	return r
}

// entries returns the part of the use of rows that applies to the counts, where persons have
// several entries: how many entries each person has, and by which groups.
func (s *statement) entries(at map[int]int) *table.Use {
	u := s.Recipe.Use
	if u.Entries() == 1 {
		return nil
	}
	left := *u
	left.Column = at[u.Column]
	if u.Groups > 0 && left.Column == 0 { // the question does not ask about it
		left.Rows, left.Groups = int(u.Entries()), 0
	}
	return &left
}

// plain reports whether a name consists of letters, digits and underscores, and does not begin with
// a digit.
func plain(name string) bool {
	for i, c := range name {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if digit := c >= '0' && c <= '9'; c != '_' && !letter && (i == 0 || !digit) {
			return false
		}
	}
	return name != "" && len(name) <= 100
}

// comment heads the statement. It contains no name from the table, so no name can end the comment.
func (s *statement) comment() string {
	lines := []string{"Hush's counts of a question, for " + s.Dialect.Name() + ".",
		"To save them: " + s.Dialect.save()}
	if Draws(s.Recipe) {
		lines = append(lines,
			"Which rows of a person count is drawn by SHA-256 of the key in it. Keep the key as",
			"secret as the rows, and use another one for another table.")
	}
	if s.Dialect == Snowflake {
		lines = append(lines, "Names are as typed: Snowflake has those without quotes in capitals.")
	}
	if s.Dialect == BigQuery && s.Recipe.Person > 0 { // the only engine that names no types
		lines = append(lines, "The column that names persons must have no collation.")
	}
	if s.Recipe.Person > 0 {
		lines = append(lines, "The counts are true ones: they are as secret as the rows.")
	} else {
		lines = append(lines, "The counts are true ones, of one row of each person: as secret as "+
			"the rows.")
	}
	return "-- " + strings.Join(lines, "\n-- ") + "\n"
}
