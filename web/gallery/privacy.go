package gallery

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/web/engine"
	"hush/web/exhibit"
	"hush/web/parts"
	"hush/web/publish"
	"hush/web/say"
	"hush/web/state"
)

// privacySpecimens is step 3: the dial, the budget at each level, and the forecast.
func privacySpecimens() []Specimen {
	spentBefore := func(losses string, limited bool) func(*state.Model) {
		return func(m *state.Model) {
			a := exhibit.Spent(exhibit.Fingerprint, losses)
			if !limited {
				a.Limit = nil
			}
			m.Account = &a
		}
	}
	return exhibits(func(m *state.Model, b *parts.Browser) app.UI {
		return &publish.PrivacyStep{Model: m, Browser: b}
	}, []variant{
		{"question incomplete", func(m *state.Model) {
			m.Question.Column, m.Forecast = 2, state.Forecast{}
		}},
		{"persons being counted", func(m *state.Model) {
			m.Forecast = state.Forecast{
				Progress: &engine.Progress{Phase: "reading", Done: 3, Total: 10}}
		}},
		{"priced", nil},
		{"the error wished for", func(m *state.Model) {
			m.Wish.Text, m.Wish.Fault = "lots", say.Text("Wanted: a number above 0.")
			m.Wish.Curve = []ask.Point{{Epsilon: "0.01", Error: 600}, {Epsilon: "0.1", Error: 60},
				{Epsilon: "1", Error: 6}, {Epsilon: "10", Error: 1}}
		}},
		{"the error wished for in percent of what is not known", func(m *state.Model) {
			m.Forecast.Plan.ErrorUnit,
				m.Forecast.Plan.ErrorOf = say.Format("± of the %s", say.Text("mean")), ""
			m.Wish.Text = "2 %"
			_, m.Wish.Fault = m.Wish.Read(m.Forecast.Plan)
		}},
		{"too large for the memory", func(m *state.Model) {
			m.Forecast = state.Forecast{
				Failure: &engine.Fault{
					Code:    engine.TooLarge,
					Message: "This column needs 5.2 GB of memory, and a page has at most 3.2 GB."}}
		}},
		{"half spent", spentBefore("3/2,0", true)},
		{"most spent", spentBefore("12/5,0", true)},
		{"all spent, over the limit", spentBefore("3,0", true)},
		{"no limit", spentBefore("1,1/1000000", false)},
		{"losses of many digits", spentBefore("1/3,1/3000000 1/7,0", true)},
	})
}
