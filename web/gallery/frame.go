package gallery

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/task"
	"hush/web/engine"
	"hush/web/exhibit"
	"hush/web/frame"
	"hush/web/help"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/asking"
	"hush/web/state/place"
)

// frameSpecimens shows the parts around the steps.
func frameSpecimens() []Specimen {
	show := func(state string, draw func() app.UI) Specimen {
		return Specimen{State: state, Draw: func(*parts.Browser) app.UI { return draw() }}
	}
	offline := func(state string, n state.Network) Specimen {
		return Specimen{State: state, Draw: func(b *parts.Browser) app.UI {
			return &parts.OfflineDialog{ID: "offline-shown", Shown: true, Network: n, Browser: b}
		}}
	}
	list := []Specimen{
		show("nothing leaves", func() app.UI {
			return &frame.Promise{Requests: state.Requests{Own: 14}}
		}),
		show("a foreign request", func() app.UI {
			return &frame.Promise{Requests: state.Requests{Own: 1_000_000, Foreign: 1}}
		}),
		show("the network switched off", func() app.UI {
			return &frame.Promise{Requests: state.Requests{Own: 14}, Off: true}
		}),
		show("the engine has stopped", func() app.UI { return frame.EngineNote(state.EngineDied) }),
		show("no such page", func() app.UI { return frame.NoPageNote("nowhere") }),
		show("a new version", func() app.UI { return &frame.UpdateOffer{} }),
		show("a new version, with a file open", func() app.UI {
			return &frame.UpdateOffer{Lost: "the file and this session's list of releases"}
		}),
		show("a new version, while a release is drawn", func() app.UI {
			return &frame.UpdateOffer{Lost: "the file", Running: true}
		}),
		{State: "keys", Draw: func(b *parts.Browser) app.UI {
			return &help.KeysDialog{ID: "keys-shown", Shown: true, Browser: b}
		}},
		{State: "about", Draw: func(b *parts.Browser) app.UI {
			return &frame.AboutDialog{ID: "about-shown", Shown: true, Browser: b}
		}},
		offline("offline, not stored yet", state.Network{}),
		offline("offline, stored", state.Network{Able: true, Installable: true}),
		offline("offline, switched off",
			state.Network{Able: true, Off: true, Refused: true, Kept: true}),
		offline("offline, past the switch", state.Network{Off: true}),
		offline("offline, not refused", state.Network{Able: true, Off: true}),
		show("in plain words", func() app.UI { return parts.Explain("ε, δ, mechanism") }),
		show("contents of the descriptions", func() app.UI {
			return &help.DocsPage{Tasks: task.Catalogue(), Address: place.ViewDocs.Path()}
		}),
		show("what holds for every question", func() app.UI {
			return &help.DocsPage{Tasks: task.Catalogue(), Address: place.DocsPath("always")}
		}),
		show("all words", func() app.UI { return &help.WordsPage{} }),
		show("notes", func() app.UI {
			return app.Div().Class("more").
				Body(parts.Note("", "A plain note."), parts.Note("good", "A good one."),
					parts.Note("warn", "A warning.", "In two lines."),
					parts.Note("bad", exhibit.ManyWays))
		}),
		show("meters", func() app.UI {
			return app.Div().Class("more").
				Body(parts.Meter("Of unknown length…", engine.Progress{Done: 0, Total: 0}, func() {

				}), parts.Meter("Just begun…", engine.Progress{Done: 0, Total: 100}, func() {}),
					parts.Meter("Done…", engine.Progress{Done: 100, Total: 100}, func() {}))
		}),
		show("fields", func() app.UI {
			return app.Div().Class("fields").Body(
				parts.TextField("plain-field", "A line", "text", "Its help.", "", func(string) {}),
				parts.TextField("faulty-field", "A line at fault", "text", "Its help.",
					"Wanted: a number.", func(string) {}),
				parts.SelectField("select-field", "A choice", "b",
					[]parts.Option{{Value: "a", Text: "one"}, {Value: "b", Text: "another"}},
					"Its help.", "", func(string) {}),
				parts.CheckField("tick-field", "A switch", true, "What it does.", func(bool) {}),
			)
		}),
	}
	for _, section := range asking.BySection(task.Catalogue()) {
		list = append(list, show("described: "+string(section[0].Section), func() app.UI {
			body := make([]app.UI, len(section))
			for i, t := range section {
				body[i] = help.Described(t, say.Text(t.Title))
			}
			return app.Div().Body(body...)
		}))
	}
	return list
}
