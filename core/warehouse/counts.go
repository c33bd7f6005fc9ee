package warehouse

import (
	"encoding/hex"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/param"
	"hush/core/table"
)

// Params say what to count, and where.
type Params struct {
	Dialect Dialect
	// Table is the table's name, with the names of its schema or catalog in front: "visits" or
	// "clinic.visits". A part in double quotes is taken literally.
	Table string
	// Columns are the names of the table's columns in the order of the question's column numbers:
	// the first is column 1.
	Columns []string
	Recipe  ask.Recipe
	// Key has 64 hexadecimal digits, freshly drawn for each table ([NewKey]; H: warehouse.md
	// new-key), and decides which rows of a person count. It is required where the question draws
	// rows ([Draws]), and is as secret as the rows.
	Key string
}

// Counts holds a statement that counts, and the question to ask of the counts.
type Counts struct {
	SQL string
	// Recipe asks the same question of the file of counts.
	Recipe ask.Recipe
}

// NewKey draws a key.
func NewKey(src coin.Source) string {
	key := make([]byte, 32)
	for i := range key {
		key[i] = byte(src.Uniform(256))
	}
	return hex.EncodeToString(key)
}

// Draws reports whether rows of persons are drawn for a question.
func Draws(r ask.Recipe) bool {
	if r.Person == 0 {
		return false
	}
	if r.Use == nil || len(r.Use.Values) == 0 {
		return true
	}
	return slices.ContainsFunc(r.Reads(ask.Opened{}).Columns, func(w table.Wanted) bool {
		return valueOf(r.Use, w.Column).Of == ""
	})
}

// valueOf returns the value that is made from a person's rows in a column, if there is one.
func valueOf(u *table.Use, column int) (v table.Value) {
	if u != nil {
		for _, v := range u.Values {
			if v.Column == column {
				return v
			}
		}
	}
	return v
}

// statement holds the parts of a statement while it is built.
type statement struct {
	Params
	numbers []int                 // the columns that are counted, ascending
	specs   map[int][]domain.Spec // how each column is read
	source  []string              // what is selected of the table
	table   string                // its name as the statement has it
}

// New writes the statement that counts for a question, and the question to ask of the counts.
//
// The counts hold the same number of entries of each person (table.Use.Entries), some without a
// value. These depend only on that person's rows and on the key, so a release of the counts has the
// same loss as a release of the rows. Proof: warehouse.md.
//
// # Left to the caller
//
// The engine does what its language says, and reads the table as it stood at one time (H:
// warehouse.md engine, one-time). The counts are true ones, and never shown (H: warehouse.md
// unseen-counts). The number of persons is treated as public, and so are the table's names (H:
// warehouse.md public-number, own-names). In BigQuery the column of persons has no collation (H:
// warehouse.md no-collation).
//
// # Errors
//
// [*param.Error] for a question that takes no counts, a name that the engine cannot have, and a
// condition or value that only Hush can read; ask.Params and columns that do not exist are refused
// when the counts are opened.
func New(p Params) (*Counts, error) {
	if err := p.Dialect.check(); err != nil {
		return nil, err
	}
	if err := p.takesCounts(); err != nil {
		return nil, err
	}
	s := &statement{Params: p, specs: map[int][]domain.Spec{}}
	var err error
	if s.table, err = p.Dialect.Quoted(p.Table); err != nil {
		return nil, err
	}
	if err := s.cells(); err != nil {
		return nil, err
	}
	steps, times := s.steps()
	names := s.names()
	var b strings.Builder
	b.WriteString(s.comment())
	b.WriteString("WITH cells AS (\n  SELECT\n    " + strings.Join(s.source, ",\n    ") +
		"\n  FROM " + s.table + "\n)" + steps + "\nSELECT\n")
	for i, number := range s.numbers {
		b.WriteString("  " + counted(number) + " AS " + names[i] + ",\n")
	}
	b.WriteString("  " + times + " AS " + names[len(s.numbers)] + "\nFROM entries\nGROUP BY " +
		s.columns("") + ";\n")
	return &Counts{SQL: b.String(), Recipe: s.recipe()}, nil
}

// takesCounts refuses questions that no file of counts answers.
func (p *Params) takesCounts() error {
	r := p.Recipe
	if r.Params[ask.ParamHalves] == "true" { // H: warehouse.md takes-counts
		return refuse(ask.ParamHalves, "true",
			"no: a file of counts cannot be cut into halves of persons")
	}
	if r.Count != 0 { // H: warehouse.md takes-counts
		return refuse("count", fmt.Sprint(r.Count), "0: such a table is a file of counts already")
	}
	// H: warehouse.md takes-counts
	if r.Use.Entries() > 1 && r.Group != nil && r.Group.Find != nil {
		return refuse("use.rows", fmt.Sprint(r.Use.Entries()),
			"one row of each person, or a list of groups: of counts nobody knows whose rows name "+
				"a group")
	}
	// H: warehouse.md key
	if key, err := hex.DecodeString(p.Key); Draws(r) && (err != nil || len(key) != 32) {
		return param.Refuse("warehouse", "key", "not one", "64 hexadecimal digits, newly drawn")
	}
	if r.Use != nil {
		if err := r.Use.Check(len(p.Columns)); err != nil { // H: warehouse.md bounds
			return err
		}
		if len(r.Use.Values) > 0 && len(r.Filter) > 0 {
			return refuse("filter", "conditions on rows that make one value of each person",
				"none: give the engine a column of those values, or a view with those rows")
		}
		for _, v := range r.Use.Values {
			switch v.Of {
			case table.Mean, table.Groups, table.Latest:
				return refuse("use.of", string(v.Of), "“number”, “sum”, “smallest” or “largest”: "+
					"others only Hush makes; or a column of those values, made by the engine")
			}
		}
	}
	return nil
}

// counted is the statement's name for the cells of a column.
func counted(column int) string { return fmt.Sprint("c", column) }

// columns lists the names of everything that is counted, each after a prefix.
func (s *statement) columns(prefix string) string {
	list := make([]string, 0, len(s.numbers))
	for _, number := range s.numbers {
		list = append(list, prefix+counted(number))
	}
	return strings.Join(list, ", ")
}

// cells lists the columns that are read, and what is selected for each.
func (s *statement) cells() error {
	r, wanted := s.Recipe, s.Recipe.Reads(ask.Opened{}).Columns
	for _, w := range wanted {
		s.specs[w.Column] = append(s.specs[w.Column], w.Spec)
	}
	for _, c := range r.Filter {
		s.specs[c.Column] = append(s.specs[c.Column], c.Spec)
	}
	s.numbers = slices.Sorted(maps.Keys(s.specs))
	if len(s.numbers) == 0 {
		return refuse("column", "none", "a question with at least one column")
	}
	for _, column := range s.numbers {
		if err := s.cell(column); err != nil {
			return err
		}
	}
	if r.Person == 0 {
		return nil
	}
	name, err := s.name("person", r.Person)
	if err != nil {
		return err
	}
	s.source = append(s.source, // H: warehouse.md persons-equal
		s.Dialect.trimmed(s.Dialect.person(name, s.table))+" AS person")
	if r.Use == nil {
		return nil
	}
	if err := s.conditions(); err != nil {
		return err
	}
	for _, v := range r.Use.Values {
		if err := s.value(v); err != nil {
			return err
		}
	}
	return s.groups(wanted)
}

// trimmed returns the cell of a column without the spaces around it.
func (s *statement) trimmed(field string, column int) (string, error) {
	cell, err := s.text(field, column)
	return s.Dialect.trimmed(cell), err
}

// text returns the cell of a column.
func (s *statement) text(field string, column int) (string, error) {
	name, err := s.name(field, column)
	return s.Dialect.cell(name), err
}

// name returns the name of a column.
func (s *statement) name(field string, column int) (string, error) {
	if column < 1 || column > len(s.Columns) {
		return "", refuse(field, fmt.Sprint(column), "a column from 1 to %d", len(s.Columns))
	}
	return s.Dialect.name(field, s.Columns[column-1])
}

// cell selects what is counted of a column: its cells in the form that Hush is to read.
func (s *statement) cell(column int) error {
	cell, err := s.text("column", column)
	if err != nil {
		return err
	}
	specs, u := s.specs[column], s.Recipe.Use
	asItIs := func(spec domain.Spec) bool { // spaces around a text are part of it
		return spec.Kind == domain.Bytes || spec.Kind == domain.Text &&
			!(u != nil && u.Groups > 0 && u.Column == column)
	}
	if !slices.ContainsFunc(specs, asItIs) {
		cell = s.Dialect.trimmed(cell)
		if len(specs) == 1 && specs[0].Kind == domain.Category {
			if cell, err = s.Dialect.listed(cell, specs[0]); err != nil {
				return err
			}
		}
	}
	s.source = append(s.source, cell+" AS "+counted(column))
	return nil
}

// conditions selects whether a row meets all conditions, as rows must before any are drawn.
func (s *statement) conditions() error {
	var all []string
	for _, c := range s.Recipe.Filter {
		cell, err := s.trimmed("filter", c.Column)
		if err != nil {
			return err
		}
		one, err := s.Dialect.condition(cell, c)
		if err != nil {
			return err
		}
		all = append(all, "("+one+")")
	}
	if len(all) > 0 {
		s.source = append(s.source,
			"CASE WHEN "+strings.Join(all, " AND ")+" THEN 1 ELSE 0 END AS met")
	}
	return nil
}

// value selects the numbers from which one value of each person is made.
func (s *statement) value(v table.Value) error {
	if v.Of == table.Number || s.specs[v.Column] == nil {
		return nil
	}
	spec := s.specs[v.Column][0]
	if len(s.specs[v.Column]) > 1 {
		return refuse("use.values", fmt.Sprint(v.Column),
			"columns that the question asks about once")
	}
	cell, err := s.trimmed("use.values", v.Column)
	if err != nil {
		return err
	}
	if v.Of == table.Sum {
		if spec.Kind != domain.Integer {
			return refuse("use.of", string(v.Of),
				"whole numbers: others are only added up by Hush; or a column of their sums")
		}
		spec = eachOf(spec)
	}
	if spec.Kind != domain.Integer && spec.Kind != domain.Decimal ||
		spec.Kind == domain.Decimal && spec.Between == domain.None {
		return refuse("use.of", string(v.Of),
			"numbers: of others only Hush makes it; or a column of those values")
	}
	number, err := s.Dialect.inside("use.of", cell, spec)
	if err != nil {
		return err
	}
	s.source = append(s.source, number+" AS "+added(v.Column))
	return nil
}

// eachOf returns the way to read a row's number that is added up: the bounds are those of the sum.
func eachOf(spec domain.Spec) domain.Spec {
	spec.Lo, spec.Hi, spec.Outside = "", "", ""
	return spec
}

// added is the name for the numbers of a column from which one value is made.
func added(column int) string { return fmt.Sprint("v", column) }

// groups selects the groups by which rows are bounded.
func (s *statement) groups(wanted []table.Wanted) error {
	u := s.Recipe.Use
	if u.Groups == 0 {
		return nil
	}
	group, err := s.trimmed("use.column", u.Column)
	if err != nil {
		return err
	}
	var spec *domain.Spec
	for i, w := range wanted {
		switch {
		case w.Column != u.Column || !w.Spec.Spelled():
		case spec == nil:
			spec = &wanted[i].Spec
		case !reflect.DeepEqual(*spec, w.Spec):
			return refuse("use.column", fmt.Sprint(u.Column),
				"a column whose cells are spelled in one way in all of the question")
		}
	}
	if spec != nil {
		if group, err = s.Dialect.place(group, *spec); err != nil {
			return err
		}
	}
	s.source = append(s.source, group+" AS grouped")
	return nil
}
