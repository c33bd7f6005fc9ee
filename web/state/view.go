package state

import (
	"strings"

	"hush/core/phrase"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/say"
)

// DocsPath is the address of a task's description.
func DocsPath(id string) string { return "#" + ViewDocs.Path() + "/" + id }

// View is a page behind the # of the address.
type View string

// The views. The workbench is the empty one: it is where an address without a view leads.
const (
	ViewWorkbench View = ""
	ViewLedger    View = "ledger"
	ViewLearn     View = "learn"
	ViewWords     View = "words"
	ViewDocs      View = "docs"
	ViewProof     View = "prove"
	ViewEvidence  View = "evidence"
	ViewGallery   View = "gallery"
)

// Views lists them; those with a title are the places that the masthead shows, and the others are
// reached from its menu or from a place.
var Views = []struct {
	View
	Title phrase.Key
}{
	{ViewWorkbench, "Publish"},
	{ViewLedger, "Ledger"},
	{ViewLearn, "Learn"},
	{ViewProof, "Proof"},
	{ViewEvidence, ""},
	{ViewWords, ""},
	{ViewDocs, ""},
	{ViewGallery, ""},
}

// Place is the one in the masthead that the view belongs to.
func (v View) Place() View {
	if v == ViewEvidence {
		return ViewProof
	}
	return v
}

// Path is the view's address behind the #.
func (v View) Path() string { return "/" + string(v) }

// ViewOf is the view that an address behind the # names. Where there is none it is the workbench,
// and unknown is the name.
func ViewOf(path string) (view View, unknown string) {
	name, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "?")
	name, _, _ = strings.Cut(name, "/") // what follows belongs to the view
	for _, v := range Views {
		if string(v.View) == name {
			return v.View, ""
		}
	}
	return ViewWorkbench, name
}

// Go shows the view that the address names.
func (m *Model) Go(path string) {
	m.View, m.NoPage = ViewOf(path)
	m.Address = path
	switch m.View {
	case ViewLedger:
		m.Ledger.Ask()
	case ViewProof:
		m.Proof.show(path)
	case ViewEvidence:
		m.Evidence.ask()
	}
	if m.View != ViewProof {
		m.Proof.Stop()
	}
	if m.View == ViewLearn {
		_, id, _ := strings.Cut(strings.TrimPrefix(path, ViewLearn.Path()), "/")
		m.Learn.Show(id)
	} else {
		m.Learn.Halt()
	}
	if r, ok, err := recipeInAddress(path); err != nil {
		m.RecipeFault = task.Capital(say.Error(err)) + "."
	} else if ok && (m.Data.Phase != DataOpened || path != m.RecipeAddress()) {
		m.shared = engine.Encode(r.Bare().Filter)
		m.Adopt(r)
		return
	}
	m.update()
}
