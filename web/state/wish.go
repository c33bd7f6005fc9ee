package state

import (
	"hush/core/ask"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/form"
	"hush/web/state/place"
)

// Wish is the forecast the other way round: an error that is needed, and the ε that reaches it.
type Wish struct {
	Text  string // the error as typed
	Fault string
	Curve []ask.Point // the error to expect for a range of ε; nil before it is known

	request, curve engine.Request
}

// askCurve asks for the error at a range of ε, for the question that has just been priced.
func (m *Publish) askCurve() {
	curve := engine.Curve.With(m.Recipe())
	m.Wish.curve = m.Call(curve, func(r engine.Request, kind string, body []byte) {
		if r != m.Wish.curve || kind != engine.ReplyDone {
			return
		}
		m.Wish.Curve = engine.Curve.Read(body)
		m.Update()
	})
}

// SetWish takes what the person typed.
func (m *Publish) SetWish(text string) {
	m.Wish.Text, m.Wish.Fault = text, ""
	m.Update()
}

// GrantWish sets the smallest ε that reaches the error typed.
func (m *Publish) GrantWish() {
	if m.Forecast.Plan == nil { // the question has changed, and the wish is on the screen yet
		return
	}
	wish, why := form.ReadWish(m.Wish.Text, m.Forecast.Plan)
	if why != "" {
		m.Wish.Fault = why
		m.Update()
		return
	}
	granted := engine.EpsilonFor.With(ask.Wish{Recipe: m.Recipe(), Error: wish})
	m.Wish.request = m.Call(granted, func(r engine.Request, kind string, body []byte) {
		if r != m.Wish.request {
			return
		}
		switch kind {
		case engine.ReplyDone:
			epsilon := engine.EpsilonFor.Read(body)
			m.Edit("", func(q *form.Question) { q.Epsilon = epsilon })
		case engine.ReplyFailed:
			f := place.Failure(body)
			m.Wish.Fault = f.Message
			if f.Code == engine.Refused && f.Field == "error" {
				m.Wish.Fault = say.Format("No privacy loss up to 100 reaches that. Wanted: %s.",
					f.Want)
			}
			m.Update()
		}
	})
}
