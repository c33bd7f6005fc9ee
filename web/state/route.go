package state

import (
	"strings"

	"hush/core/task"
	"hush/web/say"
	"hush/web/state/asking"
	"hush/web/state/dataset"
	"hush/web/state/place"
)

// Go shows the view that the address names.
func (m *Model) Go(path string) {
	m.View, m.NoPage = place.ViewOf(path)
	m.Address = path
	switch m.View {
	case place.ViewLedger:
		m.Ledger.Ask()
	case place.ViewProof:
		m.Proof.Show(path)
	case place.ViewEvidence:
		m.Evidence.Ask()
	case place.ViewTable:
		m.Living.Show(path)
	}
	if m.View != place.ViewProof {
		m.Proof.Stop()
	}
	m.Course.Show(path)
	if m.View == place.ViewLearn {
		_, id, _ := strings.Cut(strings.TrimPrefix(path, place.ViewLearn.Path()), "/")
		m.Learn.Show(id)
	} else {
		m.Learn.Halt()
	}
	if r, ok, err := asking.RecipeInAddress(path); err != nil {
		m.Saved.Fault = task.Capital(say.Error(err)) + "."
	} else if ok && (m.Data.Phase != dataset.Opened || path != m.Question.Address()) {
		m.Question.ShareFilterOf(r)
		m.Saved.Adopt(r)
		return
	}
	m.update()
}
