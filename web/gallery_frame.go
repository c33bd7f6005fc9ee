package web

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/task"
	"hush/web/engine"
)

// frameSpecimens is what stands around the steps.
func frameSpecimens() []Specimen {
	show := func(state string, draw func() app.UI) Specimen {
		return Specimen{State: state, Draw: func(*browser) app.UI { return draw() }}
	}
	offline := func(state string, n Network) Specimen {
		return Specimen{State: state, Draw: func(b *browser) app.UI {
			return &OfflineDialog{ID: "offline-shown", Shown: true, Network: n, Browser: b}
		}}
	}
	return []Specimen{
		show("nothing leaves", func() app.UI { return &Promise{Requests: Requests{Own: 14}} }),
		show("a foreign request", func() app.UI { return &Promise{Requests: Requests{Own: 1_000_000, Foreign: 1}} }),
		show("the network switched off", func() app.UI { return &Promise{Requests: Requests{Own: 14}, Off: true} }),
		show("the engine has stopped", func() app.UI { return engineNote(EngineDied) }),
		show("no such page", func() app.UI { return noPageNote("nowhere") }),
		show("a new version", func() app.UI { return &UpdateOffer{} }),
		show("a new version, with a file open", func() app.UI { return &UpdateOffer{Lost: "the file and this session's list of releases"} }),
		show("a new version, while a release is drawn", func() app.UI { return &UpdateOffer{Lost: "the file", Running: true} }),
		{State: "keys", Draw: func(b *browser) app.UI { return &KeysDialog{ID: "keys-shown", Shown: true, Browser: b} }},
		offline("offline, not stored yet", Network{}),
		offline("offline, stored", Network{Able: true, Installable: true}),
		offline("offline, switched off", Network{Able: true, Off: true, Refused: true, Kept: true}),
		offline("offline, past the switch", Network{Off: true}),
		offline("offline, not refused", Network{Able: true, Off: true}),
		show("in plain words", func() app.UI { return explain("ε, δ, mechanism") }),
		show("every question described", func() app.UI { return &DocsPage{Tasks: task.Catalogue(), Address: ViewDocs.Path()} }),
		show("one question described", func() app.UI { return &DocsPage{Tasks: task.Catalogue(), Address: docsOf("density")} }),
		show("all words", func() app.UI { return &WordsPage{} }),
		show("notes", func() app.UI {
			return app.Div().Class("more").Body(note("", "A plain note."), note("good", "A good one."), note("warn", "A warning.", "In two lines."), note("bad", manyWays))
		}),
		show("meters", func() app.UI {
			return app.Div().Class("more").Body(meter("Of unknown length…", engine.Progress{Done: 0, Total: 0}, func() {}), meter("Just begun…", engine.Progress{Done: 0, Total: 100}, func() {}), meter("Done…", engine.Progress{Done: 100, Total: 100}, func() {}))
		}),
		show("fields", func() app.UI {
			return app.Div().Class("fields").Body(
				textField("plain-field", "A line", "text", "Its help.", "", func(string) {}),
				textField("faulty-field", "A line at fault", "text", "Its help.", "Wanted: a number.", func(string) {}),
				selectField("select-field", "A choice", "b", []option{{"a", "one"}, {"b", "another"}}, "Its help.", "", func(string) {}),
				checkField("tick-field", "A switch", true, "What it does.", func(bool) {}),
			)
		}),
	}
}
