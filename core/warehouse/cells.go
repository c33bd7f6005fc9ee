package warehouse

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"hush/core/domain"
	"hush/core/table"
)

// mostListed is the length of the longest list of categories that is written into a statement, to
// have cells outside it counted as none; with a longer list such cells are counted unchanged, and
// Hush reads them as none.
const mostListed = 200

// list writes several texts in brackets.
func (d Dialect) list(field string, texts []string) (string, error) {
	literals := make([]string, 0, len(texts))
	for _, text := range texts {
		literal, err := d.text(field, text)
		if err != nil {
			return "", err
		}
		literals = append(literals, literal)
	}
	return "(" + strings.Join(literals, ", ") + ")", nil
}

// trimmedAll returns texts without the spaces around them, each once, without empty ones.
func trimmedAll(texts []string) (list []string) {
	for _, text := range texts {
		text = strings.Trim(text, " \t")
		if text != "" && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// spelled returns the cells that stand for a category, or for all of them where name is empty.
func spelled(spec domain.Spec, name string) []string {
	name = strings.Trim(name, " \t")
	var cells []string
	for _, c := range spec.Categories {
		if name == "" || strings.Trim(c, " \t") == name {
			cells = append(cells, c)
		}
	}
	for _, s := range spec.Spellings {
		if name == "" || strings.Trim(s.As, " \t") == name {
			cells = append(cells, s.Cell)
		}
	}
	return trimmedAll(cells)
}

// other tests whether a cell, without the spaces around it, is in the category of everything that
// is not listed.
func (d Dialect) other(cell string, spec domain.Spec) (string, error) {
	none := append([]string{""}, trimmedAll(spec.Missing)...)
	list, err := d.list("categories", append(none, spelled(spec, "")...))
	return cell + " NOT IN " + list, err
}

// listed makes cells that a list of categories does not name count as Hush reads them: as none, or
// as the category of all others. Their content does not leave the engine. Where case and spaces do
// not count, cells are counted unchanged, and Hush reads them: no engine folds as it does.
func (d Dialect) listed(cell string, spec domain.Spec) (string, error) {
	names := spelled(spec, "")
	if spec.Fold || len(names)+len(spec.Missing) > mostListed {
		return cell, nil
	}
	list, err := d.list("categories", names)
	if err != nil {
		return "", err
	}
	text := "CASE WHEN " + cell + " IN " + list + " THEN " + cell
	if spec.Other != "" {
		is, err := d.other(cell, spec)
		if err != nil {
			return "", err
		}
		name, err := d.text("other", strings.Trim(spec.Other, " \t"))
		if err != nil {
			return "", err
		}
		text += " WHEN " + is + " THEN " + name
	}
	return text + " ELSE '' END", nil
}

// unfolded refuses a list whose case and spaces do not count, where the engine has to read its
// cells itself: its own small letters depend on its version, its collation and the platform.
func unfolded(field string, spec domain.Spec) error { // H: warehouse.md unfolded
	if !spec.Fold {
		return nil
	}
	return refuse(field, "a column whose case and spaces do not count",
		"each spelling listed, or a column that the engine has cleaned: the engine reads these "+
			"cells itself, and not as Hush folds them")
}

// place replaces all cells of a category by its name, and keeps other cells: these are the groups
// by which rows are bounded.
func (d Dialect) place(cell string, spec domain.Spec) (string, error) {
	if err := unfolded("use.column", spec); err != nil {
		return "", err
	}
	text := "CASE"
	for _, name := range spec.Categories {
		list, err := d.list("categories", spelled(spec, name))
		if err != nil {
			return "", err
		}
		literal, err := d.text("categories", strings.Trim(name, " \t"))
		if err != nil {
			return "", err
		}
		text += " WHEN " + cell + " IN " + list + " THEN " + literal
	}
	if spec.Other != "" {
		is, err := d.other(cell, spec)
		if err != nil {
			return "", err
		}
		literal, err := d.text("other", strings.Trim(spec.Other, " \t"))
		if err != nil {
			return "", err
		}
		text += " WHEN " + is + " THEN " + literal
	}
	return text + " ELSE " + cell + " END", nil
}

// digitsEach is the most digits of a number, before its point and behind it, that the engine reads.
const digitsEach = 19

// numbers reads the cells of a column as numbers, where the engine itself has to; NULL for none.
func (d Dialect) numbers(field, cell string, spec domain.Spec) (string, error) {
	if spec.Group != "" {
		return "", refuse(field, "a column whose numbers have a thousands mark",
			"one without: the engine reads its numbers itself here")
	}
	mark, text := "[.]", cell
	if spec.Mark == "," {
		mark, text = ",", "REPLACE("+cell+", ',', '.')"
	}
	each := strconv.Itoa(digitsEach) // H: warehouse.md numbers-exact
	fraction := "(" + mark + "[0-9]{0," + each + "})?"
	if scaleOf(spec) == 0 {
		fraction = "(" + mark + "0{0," + each + "})?"
	}
	is := d.matches(cell, "[-+]?[0-9]{1,"+each+"}"+fraction)
	if len(spec.Missing) > 0 {
		list, err := d.list("missing", trimmedAll(spec.Missing))
		if err != nil {
			return "", err
		}
		if len(trimmedAll(spec.Missing)) > 0 {
			is += " AND " + cell + " NOT IN " + list
		}
	}
	return "CASE WHEN " + is + " THEN " + d.number(text, scaleOf(spec)) + " END", nil
}

// scaleOf is the number of digits behind the point that are kept for a column's numbers: a number
// between two steps counts where it goes to the nearest step or, beyond the bounds, to a bound.
func scaleOf(spec domain.Spec) int {
	if spec.Kind == domain.Integer && spec.Between != domain.Nearest &&
		spec.Outside != domain.Clamp {
		return 0
	}
	return digitsEach
}

// inside returns the numbers of a column that are in its domain; those beyond the bounds become
// NULL, or the nearest bound. None is moved to a step.
func (d Dialect) inside(field, cell string, spec domain.Spec) (string, error) {
	values, err := domain.New(spec)
	if err != nil {
		return "", err
	}
	number, err := d.numbers(field, cell, spec)
	if err != nil {
		return "", err
	}
	lo := d.exact(values.Decode(0), scaleOf(spec))
	hi := d.exact(values.Decode(values.Size().Uint64()-1), scaleOf(spec))
	if spec.Outside == domain.Clamp { // not by LEAST and GREATEST, some of which skip NULL
		other := " ELSE " + number
		if spec.Kind == domain.Integer && spec.Between != domain.Nearest {
			other = " WHEN " + number + " = " + d.held("FLOOR("+number+")", scaleOf(spec)) +
				" THEN " + number
		}
		return "CASE WHEN " + number + " < " + lo + " THEN " + lo + " WHEN " + number + " > " +
			hi + " THEN " + hi + other + " END", nil
	}
	return "CASE WHEN " + number + " BETWEEN " + lo + " AND " + hi + " THEN " +
		number + " END", nil
}

// held returns a number with this many digits behind the point, which must suffice for it.
func (d Dialect) held(number string, scale int) string {
	switch d {
	case PostgreSQL:
		return "CAST(" + number + " AS NUMERIC)"
	case BigQuery:
		return "CAST(" + number + " AS BIGNUMERIC)"
	}
	kind := map[Dialect]string{DuckDB: "DECIMAL", Spark: "DECIMAL", Snowflake: "NUMBER"}[d]
	return fmt.Sprintf("CAST(%s AS %s(38, %d))", number, kind, scale)
}

// whole rounds a number from inside() to the nearest whole one, a tie going up as in Hush, in a
// type that holds the sum of 10^18 of them. Nothing is added to a number that uses all digits,
// since the sum would leave its type.
func (d Dialect) whole(number string, scale int) string {
	if scale > 0 {
		floor := "FLOOR(" + number + ")"
		number = "CASE WHEN " + number + " >= " + d.held(floor+" + 0.5", scale) + " THEN " +
			floor + " + 1 ELSE " + floor + " END"
	}
	return d.held(number, 0)
}

// exact writes a number as a constant.
func (d Dialect) exact(number string, scale int) string {
	return d.number("'"+number+"'", scale)
}

// condition tests whether a row meets a condition, for which the engine has to read the row's cell
// as Hush does.
func (d Dialect) condition(cell string, c table.Condition) (string, error) {
	values, err := domain.New(c.Spec)
	if err != nil {
		return "", err
	}
	plain, err := domain.New(c.Spec.Plain())
	if err != nil {
		return "", err
	}
	valued := c.From != "" || c.To != "" || len(c.In) > 0
	var has, meets string
	switch c.Spec.Kind {
	case domain.Category:
		has, meets, err = d.oneOf(cell, c, plain)
	case domain.Integer:
		has, meets, err = d.between(cell, c, values)
	default:
		return "", refuse("filter", "a condition on a column of the kind "+string(c.Spec.Kind),
			"one on categories or whole numbers, or a view with those rows: others only Hush reads")
	}
	if err != nil {
		return "", err
	}
	not := map[bool]string{true: "NOT "}[c.Not]
	if !valued {
		return not + "(" + has + ")", nil
	}
	return "(" + has + ") AND " + not + "(" + meets + ")", nil
}

// oneOf is a condition on categories: it tests whether a cell is in a category, and in one of those
// wanted.
func (d Dialect) oneOf(cell string, c table.Condition,
	plain domain.Domain) (has, meets string, err error) {
	if err := unfolded("filter", c.Spec); err != nil {
		return "", "", err
	}
	wanted := c.In
	if len(c.In) == 0 {
		from, to := uint64(0), plain.Size().Uint64()-1
		if c.From != "" {
			from, _ = plain.Encode([]byte(c.From))
		}
		if c.To != "" {
			to, _ = plain.Encode([]byte(c.To))
		}
		for code := from; code <= to; code++ {
			wanted = append(wanted, plain.Decode(code))
		}
	}
	var cells []string
	other := false
	for _, name := range wanted {
		cells = append(cells, spelled(c.Spec, name)...)
		other = other || c.Spec.Other != "" &&
			strings.Trim(c.Spec.Other, " \t") == strings.Trim(name, " \t")
	}
	all, err := d.list("categories", spelled(c.Spec, ""))
	if err != nil {
		return "", "", err
	}
	some, err := d.list("categories", cells)
	if err != nil {
		return "", "", err
	}
	has, meets = cell+" IN "+all, cell+" IN "+some
	if c.Spec.Other != "" {
		is, err := d.other(cell, c.Spec)
		if err != nil {
			return "", "", err
		}
		has += " OR " + is
		if other {
			meets += " OR " + is
		}
	}
	return has, meets, nil
}

// between is a condition on whole numbers: it tests whether they are within bounds.
func (d Dialect) between(cell string, c table.Condition,
	values domain.Domain) (has, meets string, err error) {
	if c.Spec.Between == domain.Nearest {
		return "", "", refuse("filter", "a condition on numbers that are rounded",
			"one on whole numbers where rows of persons are chosen by it")
	}
	number, err := d.inside("filter", cell, c.Spec)
	if err != nil {
		return "", "", err
	}
	plain, err := domain.New(c.Spec.Plain())
	if err != nil {
		return "", "", err
	}
	value := func(text string) string {
		code, _ := plain.Encode([]byte(text))
		return d.exact(plain.Decode(code), scaleOf(c.Spec))
	}
	var parts []string
	if c.From != "" {
		parts = append(parts, number+" >= "+value(c.From))
	}
	if c.To != "" {
		parts = append(parts, number+" <= "+value(c.To))
	}
	if len(c.In) > 0 {
		var list []string
		for _, text := range c.In {
			list = append(list, value(text))
		}
		parts = append(parts, number+" IN ("+strings.Join(list, ", ")+")")
	}
	return number + " IS NOT NULL", strings.Join(parts, " AND "), nil
}
