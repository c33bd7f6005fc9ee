package state

import (
	"slices"

	"hush/core/ask"
	"hush/core/domain"
	"hush/web/say"
	"hush/web/state/book"
	"hush/web/state/form"
	"hush/web/state/stage"
)

// Ask opens the question. Where it has no columns yet, described ones that fit fill its blanks.
func (m *Publish) Ask() {
	if !m.Codebook.KeepTyped() {
		m.Way.Reveal(book.RowID(m.Codebook.Describing.Column)) // which says what is wrong
		return
	}
	m.fill()
	m.Way.GoTo(stage.Question)
	m.settle()
}

// ChooseTask asks another kind of question. Columns that fit stay.
func (m *Publish) ChooseTask(id string) {
	m.remember("")
	m.Question.Task = id
	if m.Codebook.IsDescribed(m.Question.Column) && !m.Fits(0, m.Question.Column) {
		m.Question.Choose(m.Task(), 0)
	}
	m.fill()
	m.settle()
}

// ChooseColumn puts a column into a blank: 0 is the main one, 1 the first of the further ones. One
// that is not described is described first; then the question is back.
func (m *Publish) ChooseColumn(at, column int) {
	m.Edit("", func(q *form.Question) {
		if at > 0 {
			q.Other(at).Choose(column)
		} else {
			q.Choose(m.Task(), column)
		}
	})
	if column > 0 && !m.Codebook.IsDescribed(column) {
		m.Codebook.Describe(column)
	}
}

// ChooseGroup answers for each group of a column; 0: for everybody at once.
func (m *Publish) ChooseGroup(column int) {
	m.Edit("", func(q *form.Question) { q.Group = column })
}

// fill chooses columns for the blanks that are empty: described ones that fit, each once.
func (m *Publish) fill() {
	t := m.Task()
	m.Question.Fit(t)
	used := map[int]bool{m.Question.Column: true}
	for _, f := range m.Question.Others {
		used[f.Column] = true
	}
	next := func(at int) int {
		for _, c := range m.Codebook.Columns() {
			if !used[c.Number] && m.Codebook.IsDescribed(c.Number) && m.Fits(at, c.Number) &&
				(at == 0 || m.wholly(at, c.Number)) {
				used[c.Number] = true
				return c.Number
			}
		}
		return 0
	}
	if len(t.Domains) > 0 && m.Question.Column == 0 {
		m.Question.Column = next(0)
	}
	some := slices.ContainsFunc(m.Question.Others, func(f form.FieldForm) bool {
		return f.Column > 0
	})
	for i := range m.Question.Others {
		if f := &m.Question.Others[i]; f.Column == 0 {
			f.Choose(next(i + 1))
		}
	}
	if some {
		return // what a person chose is not added to
	}
	for _, role := range t.Others {
		for n := role.Min; n > 0 && n < role.Usual; n++ {
			was := m.Question.Others
			m.Question.AddField(t, role)
			at := 1 + slices.IndexFunc(m.Question.Others, func(f form.FieldForm) bool {
				return f.Role == role.Name && f.Column == 0
			})
			column := next(at)
			if column == 0 {
				m.Question.Others = was
				break
			}
			m.Question.Others[at-1].Choose(column)
		}
	}
}

// Fits reports whether a described column can stand in a blank.
func (m *Publish) Fits(at, column int) bool {
	_, _, spec := m.Codebook.Published(column)
	if !slices.Contains(m.Kinds(at), spec.Kind) ||
		spec.IsWide() && (at > 0 || !m.Task().LongTexts) {
		return false
	}
	if at == 0 || m.Role(at).Values == 0 || spec.Kind != domain.Category {
		return true
	}
	return len(spec.Categories) >= m.Role(at).Values
}

// wholly reports whether a column that fits needs nothing more said of it in this blank.
func (m *Publish) wholly(at, column int) bool {
	_, _, spec := m.Codebook.Published(column)
	role := m.Role(at)
	return (role.Values == 0 || len(spec.Categories) == role.Values) &&
		(!role.Cuts || role.Binned || spec.Kind == domain.Category)
}

// Picks reports whether the categories that count must be chosen for a further column.
func (m *Publish) Picks(at int) bool {
	n := m.Role(at).Values
	return n > 0 && len(m.Codebook.Listed(m.Question.Others[at-1].Column)) > n
}

// others are the further columns as they travel.
func (m *Publish) others() (fields []ask.Field) {
	for i, f := range m.Question.Others {
		label, unit, spec := m.Codebook.Published(f.Column)
		if m.Picks(i + 1) {
			spec = spec.Among(form.Chosen(f.Only))
		}
		fields = append(fields, ask.Field{Role: f.Role, Column: f.Column, Label: label, Unit: unit,
			Domain: spec, Cuts: form.Split(f.Cuts, ",")})
	}
	return fields
}

// gap is something that a question's columns still need: in words, and the column to describe for
// it; 0: none.
type gap struct {
	text     string
	describe int
}

// gaps are what the question's columns still need, in the order of its blanks.
func (m *Publish) gaps() (list []gap) {
	q, t := m.Question, m.Task()
	need := func(text string, describe int) { list = append(list, gap{text, describe}) }
	blank := func(at, column int, choose string) {
		switch {
		case column == 0:
			need(choose, 0)
		case !m.Codebook.IsDescribed(column):
			need(m.describeFirst(column), column)
		case !m.Fits(at, column):
			need(m.unfit(column), 0)
		}
	}
	if len(t.Domains) > 0 {
		blank(0, q.Column, say.Text("Choose a column."))
	}
	for i, f := range q.Others {
		role := m.Role(i + 1)
		before := len(list)
		blank(i+1, f.Column, say.Format("Choose a column: %s.", say.Text(role.Label)))
		if len(list) == before && m.Picks(i+1) && len(form.Chosen(f.Only)) < role.Values {
			need(say.Format("Choose the answers that count: %s.", say.Text(role.Label)), 0)
		}
	}
	if q.Group > 0 && t.ByGroup && !q.Find && len(m.Codebook.Listed(q.Group)) == 0 {
		text := m.describeFirst(q.Group)
		if m.Codebook.IsDescribed(q.Group) {
			text = say.Format("List the groups of %s in the codebook, or let them be found.",
				m.Codebook.Title(q.Group))
		}
		need(text, q.Group)
	}
	return list
}

// Lacks is the column that must be described before the question has a price; 0: none.
func (m *Publish) Lacks() int {
	for _, g := range m.gaps() {
		if g.describe > 0 {
			return g.describe
		}
	}
	return 0
}

// missingColumn names what the question's columns still need, or "".
func (m *Publish) missingColumn() string {
	if list := m.gaps(); len(list) > 0 {
		return list[0].text
	}
	return ""
}

func (m *Publish) describeFirst(column int) string {
	return say.Format("Describe %s first: say which values are possible.", m.Codebook.Title(column))
}

func (m *Publish) unfit(column int) string {
	return say.Format("%s does not fit this question: choose another column, or describe it in "+
		"another way.", m.Codebook.Title(column))
}

// Cuttable is the further column in a blank, and whether it takes public cut points.
func (m *Publish) Cuttable(at int) (column int, takes bool) {
	column = m.Question.Others[at-1].Column
	_, _, spec := m.Codebook.Published(column)
	return column, m.Role(at).Cuts && spec.Kind != "" && spec.Kind != domain.Category
}

// Kind is what the main column holds; empty before it is described.
func (m *Publish) Kind() domain.Kind {
	_, _, spec := m.Codebook.Published(m.Question.Column)
	return spec.Kind
}

// Unplaced are the columns of the question of which some cells are in none of the categories.
func (m *Publish) Unplaced() (columns []int) {
	asked := []int{m.Question.Column, m.Question.Group}
	for _, f := range m.Question.Others {
		asked = append(asked, f.Column)
	}
	for _, column := range asked {
		if column > 0 && m.Codebook.Spelling.Any(column) && !slices.Contains(columns, column) {
			columns = append(columns, column)
		}
	}
	return columns
}
