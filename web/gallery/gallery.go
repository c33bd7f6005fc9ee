// Package gallery shows every part of the page in every state.
package gallery

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/phrase"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state/place"
)

// Specimen is a part of the page in one state, made up: the gallery shows it, and the tests walk
// all of them. A new part or a new kind of answer needs one line in the list of its file,
// named after the part.
type Specimen struct {
	Part  phrase.Key // "Data"
	State string     // "a file being read": in English, as the address
	// Draw returns it. b is nil where no browser is at hand.
	Draw func(b *parts.Browser) app.UI
}

// Specimens lists all of them, part by part.
func Specimens() []Specimen {
	var list []Specimen
	for _, part := range []struct {
		name   phrase.Key
		states []Specimen
	}{
		{"Landing", landingSpecimens()},
		{"Data", dataSpecimens()},
		{"Codebook", codebookSpecimens()},
		{"Finished", foldedSpecimens()},
		{"Question", questionSpecimens()},
		{"Privacy", privacySpecimens()},
		{"Release", releaseSpecimens()},
		{"Answer", answerSpecimens()},
		{"History", historySpecimens()},
		{"Page of figures", editorSpecimens()},
		{"Ledger", ledgerSpecimens()},
		{"Proof", proofSpecimens()},
		{"Evidence", evidenceSpecimens()},
		{"Check a release", checkSpecimens()},
		{"Living table", livingSpecimens()},
		{"Learn", learnSpecimens()},
		{"Embed", embedSpecimens()},
		{"Frame", frameSpecimens()},
	} {
		for _, s := range part.states {
			s.Part = part.name
			list = append(list, s)
		}
	}
	return list
}

// Name returns the specimen's name in the address: "data/a-file-being-read".
func (s Specimen) Name() string { return parts.Slug(string(s.Part)) + "/" + parts.Slug(s.State) }

func (s Specimen) path() string { return place.ViewGallery.Path() + "/" + s.Name() }

// specimenOf returns the index in the list of the specimen that an address names, or −1.
func specimenOf(list []Specimen, address string) int {
	for i, s := range list {
		if s.path() == address {
			return i
		}
	}
	return -1
}

// Page shows the list of specimens, or one of them.
type Page struct {
	app.Compo

	Address string         // behind the #
	Browser *parts.Browser // for charts
}

// Render draws the list, or the specimen that the address names between its neighbours.
func (g *Page) Render() app.UI {
	list := Specimens()
	at := specimenOf(list, g.Address)
	if at < 0 {
		return g.index(list)
	}
	s := list[at]
	link := func(to int, rel, text string) app.UI {
		if to < 0 || to >= len(list) {
			return app.Span()
		}
		return app.A().Href("#" + list[to].path()).Rel(rel).Text(text)
	}
	return app.Div().Body(
		app.Div().Class("intro").Body(
			app.H1().Body(app.Text(say.Text(s.Part)+": "), app.Span().Lang("en").Text(s.State)),
			app.Nav().Class("row").Aria("label", say.Text("Gallery")).Body(
				link(at-1, "prev", say.Text("← Before")), link(at+1, "next", say.Text("Next →")),
				app.A().Href("#"+place.ViewGallery.Path()).Text(say.Text("All parts")),
			),
		),
		app.Div().ID("specimen").Class("specimen").Body(s.Draw(g.Browser)),
	)
}

func (g *Page) index(list []Specimen) app.UI {
	body := []app.UI{}
	for i := 0; i < len(list); {
		part, entries := list[i].Part, []app.UI{}
		for ; i < len(list) && list[i].Part == part; i++ {
			entries = append(entries,
				app.Li().
					Body(app.A().Href("#"+list[i].path()).Lang("en").Text(list[i].State)))
		}
		body = append(body,
			app.Section().Class("more").
				Aria("labelledby", "gallery-"+parts.Slug(string(part))).Body(
				app.H2().ID("gallery-"+parts.Slug(string(part))).Text(say.Text(part)),
				app.Ul().Class("plain-list").Body(entries...),
			))
	}
	return app.Div().Body(
		app.Div().Class("intro").Body(
			app.H1().Text(say.Text("Every part of this page, in every state")),
			app.P().Text(say.Text("For people who change the page, or want to know what it does "+
				"when something goes wrong. All of it is made up: nothing here is read or spent.")),
		),
		app.Div().Class("gallery").Body(body...),
	)
}
