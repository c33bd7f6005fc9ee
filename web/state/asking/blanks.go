package asking

import (
	"slices"

	"hush/core/ask"
	"hush/core/domain"
	"hush/web/say"
	"hush/web/state/book"
	"hush/web/state/form"
	"hush/web/state/stage"
)

// Ask opens the question. If it has no columns yet, described ones that fit fill its blanks.
func (q *Question) Ask() {
	if !q.Codebook.KeepTyped() {
		q.Way.Reveal(book.RowID(q.Codebook.Describing.Column)) // it states what is wrong
		return
	}
	q.fill()
	q.Way.GoTo(stage.Question)
	q.Settle()
}

// ChooseTask asks another kind of question. Columns that fit stay.
func (q *Question) ChooseTask(id string) {
	q.Remember("")
	q.Form.Task = id
	if q.Codebook.IsDescribed(q.Form.Column) && !q.Fits(0, q.Form.Column) {
		q.Form.Choose(q.Task(), 0)
	}
	q.fill()
	q.Settle()
}

// ChooseColumn puts a column into a blank: 0 is the main one, 1 the first of the further ones.
func (q *Question) ChooseColumn(at, column int) {
	q.Edit("", func(f *form.Question) {
		if at > 0 {
			f.Other(at).Choose(column)
		} else {
			f.Choose(q.Task(), column)
		}
	})
}

// ChooseGroup asks for an answer for each group of a column; column 0 asks for everybody at once.
func (q *Question) ChooseGroup(column int) {
	q.Edit("", func(q *form.Question) { q.Group = column })
}

// fill chooses columns for empty blanks: described ones that fit, each once.
func (q *Question) fill() {
	t := q.Task()
	q.Form.Fit(t)
	used := map[int]bool{q.Form.Column: true}
	for _, f := range q.Form.Others {
		used[f.Column] = true
	}
	next := func(at int) int {
		for _, c := range q.Codebook.Columns() {
			if !used[c.Number] && q.Codebook.IsDescribed(c.Number) && q.Fits(at, c.Number) &&
				(at == 0 || q.wholly(at, c.Number)) {
				used[c.Number] = true
				return c.Number
			}
		}
		return 0
	}
	if len(t.Domains) > 0 && q.Form.Column == 0 {
		q.Form.Column = next(0)
	}
	some := slices.ContainsFunc(q.Form.Others, func(f form.FieldForm) bool {
		return f.Column > 0
	})
	for i := range q.Form.Others {
		if f := &q.Form.Others[i]; f.Column == 0 {
			f.Choose(next(i + 1))
		}
	}
	if some {
		return // a person's own choice is not extended
	}
	for _, role := range t.Others {
		for n := role.Min; n > 0 && n < role.Usual; n++ {
			was := q.Form.Others
			q.Form.AddField(t, role)
			at := 1 + slices.IndexFunc(q.Form.Others, func(f form.FieldForm) bool {
				return f.Role == role.Name && f.Column == 0
			})
			column := next(at)
			if column == 0 {
				q.Form.Others = was
				break
			}
			q.Form.Others[at-1].Choose(column)
		}
	}
}

// Fits reports whether a described column can stand in a blank.
func (q *Question) Fits(at, column int) bool {
	_, _, spec := q.Codebook.Published(column)
	if !slices.Contains(q.Kinds(at), spec.Kind) ||
		spec.IsWide() && (at > 0 || !q.Task().LongTexts) {
		return false
	}
	if at == 0 || q.Role(at).Values == 0 || spec.Kind != domain.Category {
		return true
	}
	return len(spec.Categories) >= q.Role(at).Values
}

// wholly reports whether a column that fits needs no further statement in this blank.
func (q *Question) wholly(at, column int) bool {
	_, _, spec := q.Codebook.Published(column)
	role := q.Role(at)
	return (role.Values == 0 || len(spec.Categories) == role.Values) &&
		(!role.Cuts || role.Binned || spec.Kind == domain.Category)
}

// Picks reports whether a person must choose which categories of a further column count.
func (q *Question) Picks(at int) bool {
	n := q.Role(at).Values
	return n > 0 && len(q.Codebook.Listed(q.Form.Others[at-1].Column)) > n
}

// others returns the further columns in the form of a recipe.
func (q *Question) others() (fields []ask.Field) {
	for i, f := range q.Form.Others {
		label, unit, spec := q.Codebook.Published(f.Column)
		if q.Picks(i + 1) {
			spec = spec.Among(form.Chosen(f.Only))
		}
		fields = append(fields, ask.Field{Role: f.Role, Column: f.Column, Label: label, Unit: unit,
			Domain: spec, Cuts: form.Split(f.Cuts, ",")})
	}
	return fields
}

// gap is something that a question's columns still need: in words, and the column to describe for
// it, by values of these kinds; 0: none.
type gap struct {
	text     string
	describe int
	kinds    []domain.Kind
}

// gaps lists what the question's columns still lack, in the order of its blanks.
func (q *Question) gaps() (list []gap) {
	f, t := q.Form, q.Task()
	need := func(text string, describe int, kinds ...domain.Kind) {
		list = append(list, gap{text, describe, kinds})
	}
	blank := func(at, column int, choose string) {
		switch {
		case column == 0:
			need(choose, 0)
		case !q.Codebook.IsDescribed(column):
			need(q.describeFirst(column), column, q.Kinds(at)...)
		case !q.Fits(at, column):
			need(q.unfit(column), 0)
		}
	}
	if len(t.Domains) > 0 {
		blank(0, f.Column, say.Text("Choose a column."))
		if len(list) == 0 && f.AsksValues(t) {
			need(say.Format("Choose the values of %s that count.", q.Codebook.Title(f.Column)), 0)
		}
	}
	for i, other := range f.Others {
		role := q.Role(i + 1)
		before := len(list)
		blank(i+1, other.Column, say.Format("Choose a column: %s.", say.Text(role.Label)))
		if len(list) == before && q.Picks(i+1) && len(form.Chosen(other.Only)) < role.Values {
			need(say.Format("Choose the answers that count: %s.", say.Text(role.Label)), 0)
		}
	}
	if f.Group > 0 && t.ByGroup && !f.Find && len(q.Codebook.Listed(f.Group)) == 0 {
		text := q.describeFirst(f.Group)
		if q.Codebook.IsDescribed(f.Group) {
			text = say.Format("List the groups of %s in the codebook, or let them be found.",
				q.Codebook.Title(f.Group))
		}
		need(text, f.Group, domain.Category)
	}
	for _, c := range f.Filter {
		if !c.Complete() { // else the question would be one about everybody
			need(say.Format("Say for which values of %s people count, or leave that condition out.",
				q.Codebook.Title(c.Column)), 0)
		}
	}
	return list
}

// Lacks is the column that must be described before the question has a price, and by which kinds of
// values it can be; 0: none.
func (q *Question) Lacks() (column int, kinds []domain.Kind) {
	for _, g := range q.gaps() {
		if g.describe > 0 {
			return g.describe, g.kinds
		}
	}
	return 0, nil
}

// missingColumn names what the question's columns still lack, or "".
func (q *Question) missingColumn() string {
	if list := q.gaps(); len(list) > 0 {
		return list[0].text
	}
	return ""
}

func (q *Question) describeFirst(column int) string {
	return say.Format("Describe %s first: say which values are possible.", q.Codebook.Title(column))
}

func (q *Question) unfit(column int) string {
	return say.Format("%s does not fit this question: choose another column, or describe it in "+
		"another way.", q.Codebook.Title(column))
}

// Cuttable returns the further column in a blank, and whether it takes public cut points.
func (q *Question) Cuttable(at int) (column int, takes bool) {
	column = q.Form.Others[at-1].Column
	_, _, spec := q.Codebook.Published(column)
	return column, q.Role(at).Cuts && spec.Kind != "" && spec.Kind != domain.Category
}

// Kind is the kind of the main column; empty before it is described.
func (q *Question) Kind() domain.Kind {
	_, _, spec := q.Codebook.Published(q.Form.Column)
	return spec.Kind
}

// Unplaced returns the columns of the question with cells that fit no category.
func (q *Question) Unplaced() (columns []int) {
	asked := []int{q.Form.Column, q.Form.Group}
	for _, f := range q.Form.Others {
		asked = append(asked, f.Column)
	}
	for _, column := range asked {
		if column > 0 && q.Codebook.Spelling.Any(column) && !slices.Contains(columns, column) {
			columns = append(columns, column)
		}
	}
	return columns
}

// Kinds lists the kinds that column at may have, and its own.
func (q *Question) Kinds(at int) []domain.Kind {
	if at == 0 {
		return q.Task().Domains
	}
	return q.Role(at).Domains
}

// Role returns the role of column at, from 1.
func (q *Question) Role(at int) ask.Role {
	t := q.Task()
	return t.Others[slices.IndexFunc(t.Others, func(r ask.Role) bool {
		return r.Name == q.Form.Others[at-1].Role
	})]
}
