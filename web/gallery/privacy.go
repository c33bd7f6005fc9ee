package gallery

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/web/parts"
	"hush/web/publish/question"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/asking"
	"hush/web/state/form"
)

// privacySpecimens shows the privacy step, with a wanted error in several states.
func privacySpecimens() []Specimen {
	return exhibits(func(m *state.Model, b *parts.Browser) app.UI {
		return &question.PrivacyStep{Model: m, Browser: b}
	}, []variant{
		{"question incomplete", func(m *state.Model) {
			m.Question.Form.Column, m.Forecast.Estimate = 2, asking.Estimate{}
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
			_, m.Wish.Fault = form.ReadWish(m.Wish.Text, m.Forecast.Plan)
		}},
	})
}
