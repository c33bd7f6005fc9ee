package state

import (
	"slices"

	"hush/core/codebook"
	"hush/core/domain"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/dataset"
	"hush/web/state/form"
	"hush/web/state/spelling"
)

// findUnplaced has the engine look which cells of the columns that are described by a list have no
// place in it, once for each change of these lists.
func (m *Publish) findUnplaced() {
	columns := m.Codebook.Lists()
	key := engine.Encode(columns)
	if !m.Data.Confirmed || m.Data.Phase != dataset.Opened || key == m.placed {
		return
	}
	m.Cancel(m.placing)
	m.placed, m.placing = key, 0
	if len(columns) == 0 {
		m.Spelling.Find(nil)
		return
	}
	m.placing = m.Call(engine.Unplaced.With(columns),
		func(r engine.Request, kind string, body []byte) {
			if r == m.placing && kind == engine.ReplyDone {
				m.Spelling.Find(engine.Unplaced.Read(body))
				m.Update()
			}
		})
}

// Unplaced are the columns of the question of which some cells are in none of the categories.
func (m *Publish) Unplaced() (columns []int) {
	asked := []int{m.Question.Column, m.Question.Group}
	for _, f := range m.Question.Others {
		asked = append(asked, f.Column)
	}
	for _, column := range asked {
		if column > 0 && m.Spelling.Any(column) && !slices.Contains(columns, column) {
			columns = append(columns, column)
		}
	}
	return columns
}

// Spec is how a described column is read, of no kind before.
func (m *Publish) Spec(column int) domain.Spec {
	_, _, spec := m.published(column)
	return spec
}

// Place takes what the owner decided about the cells of a column that have no place in its list.
func (m *Publish) Place(column int, verdicts map[string]spelling.Verdict) {
	cells, _ := m.Spelling.Of(column)
	m.list(column, func(spec domain.Spec) domain.Spec {
		list, left := spelling.Decided(spec, cells, verdicts)
		m.Spelling.Leave(column, left)
		return list
	})
}

// PlaceOthers counts every cell of a column that has no place in its list as one more category.
func (m *Publish) PlaceOthers(column int) {
	m.list(column, func(spec domain.Spec) domain.Spec {
		return spelling.WithOther(spec, say.Text("other"))
	})
}

// list changes the list of a described column.
func (m *Publish) list(column int, change func(domain.Spec) domain.Spec) {
	c, ok := m.Codebook.Column(column)
	if !ok || c.Values().Kind != domain.Category {
		return
	}
	m.putAside()
	c, _ = m.Codebook.Column(column) // it may have been the open one
	m.Describing = Describing{Column: column, Form: form.ColumnFormOf(c)}
	m.EditColumn(func(f *form.ColumnForm) {
		f.Set(codebook.Values{Spec: change(c.Values().Spec)})
	})
	m.DescribeAs(codebook.Errors)
}
