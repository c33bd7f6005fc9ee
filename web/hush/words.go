package main

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/param"
	"hush/core/privacy"
	"hush/core/table"
	"hush/core/task"
	"hush/web/state/spelling"
)

// words are the flags from which a recipe is made: hush ask mean age people.csv -range 0..100
// -epsilon 0.5. Like all of a recipe they are public; all that comes from the file is how it is
// read and, for names typed, the numbers of the columns.
type words struct {
	epsilon, values, by, delta, person, unit, save, codebook string

	where, with, set many
	fold             many // of describe

	book codebook.Codebook // the flag's codebook, once it is open; until then it describes nothing
}

// many is a flag that may be given several times.
type many []string

func (m *many) String() string     { return strings.Join(*m, " ") }
func (m *many) Set(s string) error { *m = append(*m, s); return nil }

var _ flag.Value = (*many)(nil)

const ofPersons = "the column that says whose row it is; one row of each person counts"

// inWords declares the flags.
func inWords(c *call) {
	w := &c.words
	c.flags.StringVar(&w.epsilon, "epsilon", "", "of a question in words: the privacy loss")
	c.flags.StringVar(&w.values, "range", "", "of a question in words: the possible values of "+
		"COLUMN, or of count and share those that are counted, such as 0..100, 0..10:0.01, "+
		"2020-01-01..2026-12-31, a,b,c, text or float; where the cells are written so, with a "+
		"decimal comma, 0,00..2,50, or with days as in 01.01.2020..31.12.2026; where cells have "+
		"codes or several spellings, each value with those, married=1,female=w|W|weiblich")
	c.flags.StringVar(&w.by, "by", "", "of a question in words: an answer for each of "+
		"COLUMN=A,B,C; or for each group that is found, COLUMN, with -delta")
	c.flags.StringVar(&w.delta, "delta", "", "of a question in words: δ, for groups that are "+
		"found")
	c.flags.StringVar(&w.person, "person", "", "of a question in words: "+ofPersons)
	c.flags.Var(&w.where, "where", "of a question in words: only people whose COLUMN=VALUES, "+
		"written as -range; != for all others")
	c.flags.Var(&w.with, "with", "of a question in words: a further column, COLUMN=VALUES or "+
		"ROLE:COLUMN=VALUES")
	c.flags.Var(&w.set, "set", "of a question in words: a parameter, NAME=VALUE")
	c.flags.StringVar(&w.unit, "unit", "", "of a question in words: the unit of COLUMN's values")
	c.flags.StringVar(&w.codebook, "codebook", "", "of a question in words: the file that "+
		"describes the columns, as hush describe or the page writes it, in the place of -range "+
		"and -unit; values that are named are read with its spellings")
	c.flags.StringVar(&w.save, "save", "", "of a question in words: the file to write its recipe "+
		"to")
}

// asWords reports whether the arguments ask a question in words: the first is a question's name,
// and no file has that name.
func (c *call) asWords() bool {
	if !task.Known(c.args[0]) {
		return false
	}
	_, err := os.Stat(c.args[0])
	return errors.Is(err, fs.ErrNotExist)
}

// recipe makes the recipe of a question in words about an open file.
func (w *words) recipe(id, column string, d *desk) (r ask.Recipe, err error) {
	if err := w.look(d.host); err != nil {
		return r, err
	}
	t := taskNamed(id)
	r = ask.Recipe{Version: ask.RecipeVersion, Task: id, Table: d.opened.Options,
		Epsilon: w.epsilon, Unit: w.unit}
	if w.epsilon == "" {
		return r, fail(exitUsage, "-epsilon is missing: the privacy loss, such as -epsilon 0.5")
	}
	if wrong := (*param.Error)(nil); errors.As(epsilonOf(w.epsilon), &wrong) {
		point := ""
		if withComma.MatchString(w.epsilon) {
			point = "; write a point, " + strings.ReplaceAll(w.epsilon, ",", ".")
		}
		return r, fail(exitUsage, "-epsilon is %q, want %v%s", w.epsilon, wrong.Want, point)
	}
	if len(t.Domains) == 0 && column != "" {
		return r, fail(exitUsage, "%s takes no COLUMN: name its columns with -with", id)
	}
	if len(t.Domains) > 0 {
		if r.Column, r.Label, err = d.column(column); err != nil {
			return r, err
		}
		r.Domain, err = w.described(r.Column, w.values)
		switch {
		case w.values == "" && (id == "count" || id == "share"): // not any value that is possible
			return r, fail(exitUsage, "-range is missing: the values of %s that are counted, "+
				"such as -range 65..100 or -range yes", column)
		case errors.Is(err, errUndescribed):
			return r, fail(exitUsage, "-range is missing: the possible values of %s, which are "+
				"public and never taken from the file, such as -range 0..100 or -range a,b,c",
				column)
		case err != nil:
			return r, err
		case !slices.Contains(t.Domains, r.Domain.Kind):
			return r, w.unfit(t, column, r.Domain)
		}
	}
	if w.by != "" {
		if r.Group, err = w.group(d); err != nil {
			return r, err
		}
	}
	if w.person != "" {
		if r.Person, _, err = d.column(w.person); err != nil {
			return r, err
		}
	}
	w.public(&r)
	for _, text := range w.where {
		condition, err := w.condition(text, d)
		if err != nil {
			return r, err
		}
		r.Filter = append(r.Filter, condition)
	}
	for i, text := range w.with {
		f, err := w.field(text, i, t, d)
		if err != nil {
			return r, err
		}
		r.Others = append(r.Others, f)
	}
	r.Params = t.Starts(r.Domain.Kind)
	for _, text := range w.set {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			return r, fail(exitUsage, "-set is %q, want NAME=VALUE", text)
		}
		if !slices.ContainsFunc(t.Params, func(p ask.Param) bool { return p.Name == name }) {
			var names []string
			for _, p := range t.Params {
				names = append(names, p.Name)
			}
			return r, fail(exitUsage, "%s has no parameter %q: it has %s%s", id, name,
				cmp.Or(strings.Join(names, ", "), "none"), near(name, names, ""))
		}
		r.Params[name] = value
	}
	return r, nil
}

// unfit says why a question cannot be asked of a column with such values.
func (w *words) unfit(t ask.Task, column string, s domain.Spec) error {
	what := map[domain.Kind]string{domain.Category: "a list of texts", domain.Date: "days",
		domain.Text: "texts"}[s.Kind]
	more := "hush questions lists what can be asked of them"
	if ends := withDash.FindStringSubmatch(w.values); ends != nil {
		more = fmt.Sprintf("between numbers write two dots, -range %s..%s", ends[1], ends[2])
	}
	return fail(exitUsage, "%s takes a column of the kind %s, and the values of %s are %s: %s",
		t.ID, strings.Join(strings.Split(kinds(t.Domains), ", "), " or "), column,
		cmp.Or(what, string(s.Kind)), more)
}

// withDash are two numbers with something else between them than two dots.
var withDash = regexp.MustCompile(`^(-?[\d.]+) ?(?:-|–|:|,|;|to|\.\.\.) ?(-?[\d.]+)$`)

// epsilonOf says what is wrong with an ε.
func epsilonOf(text string) error {
	_, err := privacy.ParseEpsilon(text)
	return err
}

func taskNamed(id string) (found ask.Task) {
	for _, t := range task.Catalogue() {
		if t.ID == id {
			found = t
		}
	}
	return found
}

// group reads -by.
func (w *words) group(d *desk) (*ask.Group, error) {
	name, list, listed := strings.Cut(w.by, "=")
	column, label, err := d.column(name)
	if err != nil {
		return nil, err
	}
	if !listed {
		spec, err := w.described(column, "")
		switch {
		case w.delta != "":
		case err == nil && len(spec.Categories) > 0:
			g := ask.GroupsOf(column, spec)
			g.Label = label
			return g, nil
		default:
			return nil, fail(exitUsage, "-by %s names no groups: list them, -by %s=A,B,C, which "+
				"costs nothing, or have them found, which takes -delta 0.000001", name, name)
		}
		return &ask.Group{Column: column, Label: label,
			Find: &ask.Find{Share: 50, Delta: w.delta}}, nil
	}
	spec, err := categoriesOf(list)
	if err != nil {
		return nil, err
	}
	g := ask.GroupsOf(column, w.spelled(column, spec))
	g.Label = label
	return g, nil
}

// field reads a -with: the i-th further column.
func (w *words) field(text string, i int, t ask.Task, d *desk) (f ask.Field, err error) {
	name, values, _ := strings.Cut(text, "=")
	if role, column, stated := strings.Cut(name, ":"); stated {
		f.Role, name = role, column
	} else if f.Role = roleAt(t, i); f.Role == "" {
		return f, fail(exitUsage, "%s takes no further column %s", t.ID, name)
	}
	if f.Column, f.Label, err = d.column(name); err != nil {
		return f, err
	}
	if f.Domain, err = w.described(f.Column, values); errors.Is(err, errUndescribed) {
		return f, fail(exitUsage, "-with is %q, want COLUMN=VALUES, such as visits=0..40", text)
	}
	return f, err
}

// roleAt returns the role of the i-th further column if none is stated: each role as often as the
// question needs it, and the last as often as allowed.
func roleAt(t ask.Task, i int) string {
	for n, role := range t.Others {
		most := max(role.Min, 1)
		if n == len(t.Others)-1 {
			most = role.Max
		}
		if i < most {
			return role.Name
		}
		i -= most
	}
	return ""
}

// condition reads a -where.
func (w *words) condition(text string, d *desk) (c table.Condition, err error) {
	name, values, ok := strings.Cut(text, "=")
	if !ok || values == "" {
		return c, fail(exitUsage, "-where is %q, want COLUMN=VALUES, such as age=18..64", text)
	}
	if rest, not := strings.CutSuffix(name, "!"); not {
		name, c.Not = rest, true
	}
	if c.Column, c.Label, err = d.column(name); err != nil {
		return c, err
	}
	if c.Spec, err = w.described(c.Column, values); err != nil {
		return c, err
	}
	if c.In = c.Spec.Categories; len(c.In) == 0 {
		c.From, c.To = c.Spec.Lo, c.Spec.Hi
	}
	return c, nil
}

// column finds a column by its name in the header, which is then published, or by its number, which
// publishes no name.
func (h *host) column(name string) (number int, label string, err error) {
	var names []string
	for _, f := range h.opened.Fields {
		if f.Name == name && name != "" {
			if number > 0 {
				return 0, "", fail(exitUnread, "%s has two columns named %q, %d and %d: give the "+
					"number", h.names, name, number, f.Column)
			}
			number, label = f.Column, name
		}
		if strings.ContainsAny(f.Name, `,"`) {
			names = append(names, strconv.Quote(f.Name))
		} else {
			names = append(names, cmp.Or(f.Name, strconv.Itoa(f.Column)))
		}
	}
	if number > 0 {
		return number, label, nil
	}
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(h.opened.Fields) {
		return n, "", nil
	}
	return 0, "", fail(exitUnread, "%s has no column %q: it has %s%s", h.names, name,
		strings.Join(names, ", "), near(name, names, ""))
}

// valuesOf reads which values are possible: 0..100, 0..10:0.01, two days, a list, text or float.
// Numbers with a decimal comma and days such as 31.12.2026 also say that the cells are written that
// way.
func valuesOf(text string) (s domain.Spec, err error) {
	switch {
	case text == "text":
		return domain.Spec{Kind: domain.Text, Length: 100}, nil
	case text == "float":
		return domain.Spec{Kind: domain.Float64}, nil
	case !strings.Contains(text, ".."):
		return categoriesOf(text)
	}
	wrong := fail(exitUsage, "the values are %q, want two numbers or two days with two dots "+
		"between, such as 0..100 or 2020-01-01..2026-12-31, or a list, a,b,c; with a comma as "+
		"the cells have it, 0,00..2,50, where that cannot part thousands", text)
	ends, step, stepped := strings.Cut(text, ":")
	s.Lo, s.Hi, _ = strings.Cut(ends, "..")
	s.Step = step
	for _, part := range []*string{&s.Lo, &s.Hi, &s.Step} {
		if !inPlain(&s, part) {
			return domain.Spec{}, wrong
		}
	}
	if s.Mark == "." { // unchanged if nothing is stated
		s.Mark = ""
	}
	switch {
	case isDay(s.Lo) && isDay(s.Hi):
		s.Kind = domain.Date
	case isNumber(s.Lo) && isNumber(s.Hi) && s.Format == "":
		digits := max(decimals(s.Lo), decimals(s.Hi))
		if s.Kind = domain.Integer; digits > 0 || stepped && decimals(s.Step) > 0 {
			s.Kind = domain.Decimal
			if !stepped {
				s.Step = "0." + strings.Repeat("0", digits-1) + "1"
			}
		}
	default:
		return domain.Spec{}, wrong
	}
	if before(s.Hi, s.Lo) {
		begin, end, _ := strings.Cut(ends, "..")
		return domain.Spec{}, fail(exitUsage, "the values %s end before they begin: write the "+
			"smallest first, %s..%s", text, end, begin)
	}
	return s, nil
}

var (
	withComma  = regexp.MustCompile(`^-?\d+,\d+$`)
	thousands  = regexp.MustCompile(`^-?[1-9]\d{0,2},\d{3}$`) // or three decimals
	pointGroup = regexp.MustCompile(`^-?[1-9]\d{0,2}(\.\d{3})+,\d+$`)
	commaGroup = regexp.MustCompile(`^-?[1-9]\d{0,2}(,\d{3})+\.\d+$`)
)

// inPlain turns a number or a day into the plain form, and records in the spec how it was written;
// it returns false if the form is ambiguous or contradicts another.
func inPlain(s *domain.Spec, part *string) bool {
	mark, group := "", ""
	at, err := time.Parse("02.01.2006", *part)
	switch {
	case err == nil:
		s.Format, *part = "DD.MM.YYYY", at.Format(time.DateOnly)
		return true
	case thousands.MatchString(*part):
		return false
	case withComma.MatchString(*part):
		mark = ","
	case pointGroup.MatchString(*part):
		mark, group = ",", "."
	case commaGroup.MatchString(*part):
		mark, group = ".", ","
	case strings.Contains(*part, "."):
		mark = "."
	}
	if mark != "" && s.Mark != "" && mark != s.Mark {
		return false
	}
	s.Mark, s.Group = cmp.Or(mark, s.Mark), cmp.Or(group, s.Group)
	if group != "" {
		*part = strings.ReplaceAll(*part, group, "")
	}
	if mark == "," {
		*part = strings.ReplaceAll(*part, ",", ".")
	}
	return true
}

// before compares two days or two numbers in the plain form.
func before(a, b string) bool {
	if isDay(a) {
		return a < b
	}
	x, _ := new(big.Rat).SetString(a)
	y, _ := new(big.Rat).SetString(b)
	return x.Cmp(y) < 0
}

func isDay(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

func isNumber(text string) bool {
	_, ok := new(big.Rat).SetString(text)
	return ok && !strings.ContainsAny(text, "/eE_xX")
}

// decimals counts the digits behind the point.
func decimals(text string) int {
	_, behind, _ := strings.Cut(text, ".")
	return len(behind)
}

// categoriesOf reads a list of values: a,b,c, or with other cells that count as one of them,
// married=1,female=w|W|weiblich.
func categoriesOf(text string) (s domain.Spec, err error) {
	items, err := listOf(text)
	s.Kind = domain.Category
	for _, item := range items {
		name, cells := spelling.Line(item, '|')
		if s.Categories = append(s.Categories, name); name == "" {
			return s, fail(exitUsage, "the list %q has an item without a name: want NAME or "+
				"NAME=CELL|CELL", text)
		}
		for _, cell := range cells {
			s.Spellings = append(s.Spellings, domain.Spelling{Cell: cell, As: name})
		}
	}
	return s, err
}

// listOf reads a list separated by commas; a comma inside quotes is part of an item.
func listOf(text string) (items []string, err error) {
	if strings.TrimSpace(text) == "" {
		return nil, fail(exitUsage, "the list of values is empty: want A,B,C")
	}
	r := csv.NewReader(strings.NewReader(text))
	if items, err = r.Read(); err != nil {
		return nil, fail(exitUsage, "the list is %q, want A,B,C, with quotes around an item that "+
			"has a comma: %w", text, err)
	}
	for i := range items {
		if items[i] = strings.TrimSpace(items[i]); items[i] == "" {
			return nil, fail(exitUsage, "the list %q has an empty item: leave it out", text)
		}
	}
	return items, nil
}

// askWords answers a question in words, or states what it would cost.
func askWords(c *call) error {
	id, column, file := c.args[0], "", ""
	switch len(c.args) {
	case 2:
		file = c.args[1]
		if len(taskNamed(id).Domains) > 0 {
			return fail(exitUsage, "%s takes a COLUMN and a FILE; got %s alone", id, file)
		}
	case 3:
		column, file = c.args[1], c.args[2]
	default:
		return fail(exitUsage, "a question in words takes the arguments %s COLUMN FILE", id)
	}
	if c.on != (on{}) {
		return fail(exitUsage, "a database takes a RECIPE: write one with -save, of a file with "+
			"some rows of the table")
	}
	if _, err := os.Stat(file); err != nil && column != "" {
		if _, err := os.Stat(column); err == nil {
			return fail(exitUsage, "the file stands last: hush ask %s %s %s", id, file, column)
		}
	}
	d, err := openDesk(c, file, table.Options{})
	if err != nil {
		return err
	}
	if d.opened.Bytes == 0 {
		return fail(exitUnread, "%s is empty: a table has a row of names, and one for each person",
			file)
	}
	if n := len(d.opened.Readings); n > 0 {
		return fail(exitUnread, "%s does not say which encoding it is in: state it in a recipe, "+
			"as hush look lists them", file)
	}
	r, err := c.words.recipe(id, column, d)
	if err != nil {
		return err
	}
	if c.words.save != "" {
		if err := saveRecipe(c.words.save, r); err != nil {
			return err
		}
	}
	return d.askOf(r)
}

func saveRecipe(place string, r ask.Recipe) error {
	file, err := newBlank(place)
	if err != nil {
		return err
	}
	defer file.drop()
	text, err := json.MarshalIndent(r, "", "  ")
	if err == nil {
		_, err = file.Write(append(text, '\n'))
	}
	if err != nil {
		return err
	}
	return file.finish()
}
