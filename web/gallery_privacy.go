package web

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/web/engine"
	"hush/web/say"
)

// privacySpecimens is step 3: the dial, the budget at each level, and the forecast.
func privacySpecimens() []Specimen {
	spentBefore := func(losses string, limited bool) func(*Model) {
		return func(m *Model) {
			a := spentOf(exhibitPrint, losses)
			if !limited {
				a.Limit = nil
			}
			m.Ledger = &a
		}
	}
	return exhibits(func(m *Model, b *browser) app.UI { return &PrivacyStep{Model: m, Browser: b} }, []state{
		{"no file yet", func(m *Model) { m.Data = Data{} }},
		{"question incomplete", func(m *Model) { m.Question.Domain.Hi, m.Forecast = "", Forecast{} }},
		{"persons being counted", func(m *Model) {
			m.Forecast = Forecast{Progress: &engine.Progress{Phase: "reading", Done: 3, Total: 10}}
		}},
		{"priced", nil},
		{"the error wished for", func(m *Model) {
			m.Wish.Text, m.Wish.Fault = "lots", say.Text("Wanted: a number above 0.")
			m.Wish.Curve = []ask.Point{{Epsilon: "0.01", Error: 600}, {Epsilon: "0.1", Error: 60}, {Epsilon: "1", Error: 6}, {Epsilon: "10", Error: 1}}
		}},
		{"the error wished for in percent of what is not known", func(m *Model) {
			m.Forecast.Plan.ErrorUnit, m.Forecast.Plan.ErrorOf = say.Format("± of the %s", say.Text("mean")), ""
			m.Wish.Text = "2 %"
			_, m.Wish.Fault = m.Wish.read(m.Forecast.Plan)
		}},
		{"ε at fault", func(m *Model) {
			m.Question.Epsilon, m.Forecast.Plan = "much", nil
			m.Forecast.Failure = &engine.Fault{Code: engine.Refused, Message: "refused", Field: "epsilon", Want: "an exact number from 0.000000001 to 100"}
		}},
		{"too large for the memory", func(m *Model) {
			m.Forecast = Forecast{Failure: &engine.Fault{Code: engine.TooLarge, Message: "This column needs 5.2 GB of memory, and a page has at most 3.2 GB."}}
		}},
		{"ε between the stops", func(m *Model) { m.Question.Epsilon = "0.123456789" }},
		{"weak protection", func(m *Model) { m.Question.Epsilon = "10" }},
		{"half spent", spentBefore("3/2,0", true)},
		{"most spent", spentBefore("12/5,0", true)},
		{"all spent, over the limit", spentBefore("3,0", true)},
		{"no limit", spentBefore("1,1/1000000", false)},
		{"losses of many digits", spentBefore("1/3,1/3000000 1/7,0", true)},
	})
}
