package book

import (
	"hush/core/codebook"
	"hush/core/domain"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/dataset"
	"hush/web/state/form"
	"hush/web/state/spelling"
)

// FindUnplaced has the engine find the cells that have no place in the lists describing their
// columns, once for each change of these lists.
func (k *Codebook) FindUnplaced() {
	columns := k.Lists()
	key := engine.Encode(columns)
	if !k.Data.Confirmed || k.Data.Phase != dataset.Opened || key == k.placed {
		return
	}
	k.Cancel(k.placing)
	k.placed, k.placing = key, 0
	if len(columns) == 0 {
		k.Spelling.Find(nil)
		return
	}
	k.placing = k.Call(engine.Unplaced.With(columns),
		func(r engine.Request, kind string, body []byte) {
			if r == k.placing && kind == engine.ReplyDone {
				k.Spelling.Find(engine.Unplaced.Read(body))
				k.Update()
			}
		})
}

// Spec returns how a described column is read; before that it has no kind.
func (k *Codebook) Spec(column int) domain.Spec {
	_, _, spec := k.Published(column)
	return spec
}

// Place applies the owner's decisions about the cells of a column that have no place in its list.
func (k *Codebook) Place(column int, verdicts map[string]spelling.Verdict) {
	cells, _ := k.Spelling.Of(column)
	k.list(column, func(spec domain.Spec) domain.Spec {
		list, left := spelling.Decided(spec, cells, verdicts)
		k.Spelling.Leave(column, left)
		return list
	})
}

// PlaceOthers counts every cell of a column without a place in its list as one more category.
func (k *Codebook) PlaceOthers(column int) {
	k.list(column, func(spec domain.Spec) domain.Spec {
		return spelling.WithOther(spec, say.Text("other"))
	})
}

// list changes the list of a described column.
func (k *Codebook) list(column int, change func(domain.Spec) domain.Spec) {
	c, ok := k.Column(column)
	if !ok || c.Values().Kind != domain.Category {
		return
	}
	k.putAside()
	c, _ = k.Column(column) // it may have been the open one
	k.Describing = Describing{Column: column, Form: form.ColumnFormOf(c)}
	k.EditColumn(func(f *form.ColumnForm) {
		f.Set(codebook.Values{Spec: change(c.Values().Spec)})
	})
	k.DescribeAs(codebook.Errors)
}
