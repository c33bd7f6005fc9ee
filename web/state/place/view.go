package place

import (
	"strings"

	"hush/core/phrase"
)

// DocsPath is the address of a task's description.
func DocsPath(id string) string { return "#" + ViewDocs.Path() + "/" + id }

// View is a page behind the # of the address.
type View string

// The views. The workbench is the empty one: an address without a view leads there.
const (
	ViewWorkbench View = ""
	ViewPage      View = "page"
	ViewLedger    View = "ledger"
	ViewLearn     View = "learn"
	ViewWords     View = "words"
	ViewDocs      View = "docs"
	ViewProof     View = "prove"
	ViewEvidence  View = "evidence"
	ViewCheck     View = "check"
	ViewTable     View = "table"
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
	{ViewPage, ""},
	{ViewEvidence, ""},
	{ViewCheck, ""},
	{ViewTable, ""},
	{ViewWords, ""},
	{ViewDocs, ""},
	{ViewGallery, ""},
}

// Place returns the view in the masthead to which the view belongs.
func (v View) Place() View {
	switch v {
	case ViewEvidence, ViewCheck:
		return ViewProof
	case ViewPage, ViewTable:
		return ViewWorkbench
	}
	return v
}

// Path is the view's address behind the #.
func (v View) Path() string { return "/" + string(v) }

// ViewOf returns the view that an address behind the # names. If there is none it is the workbench,
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
