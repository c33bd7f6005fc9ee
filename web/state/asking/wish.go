package asking

import (
	"hush/core/ask"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/form"
	"hush/web/state/place"
)

// Wish is the forecast in reverse: an error that is needed, and the ε that reaches it.
type Wish struct {
	place.Link
	Text  string // the error as typed
	Fault string
	Curve []ask.Point // the error to expect for a range of ε; nil before it is known

	Question *Question

	request, curve engine.Request
}

// AskCurve asks for the error at a range of ε, for the question that was just priced.
func (w *Wish) AskCurve() {
	curve := engine.Curve.With(w.Question.Recipe())
	w.curve = w.Call(curve, func(r engine.Request, kind string, body []byte) {
		if r != w.curve || kind != engine.ReplyDone {
			return
		}
		w.Curve = engine.Curve.Read(body)
		w.Update()
	})
}

// Set sets what the person typed.
func (w *Wish) Set(text string) {
	w.Text, w.Fault = text, ""
	w.Update()
}

// Grant sets the smallest ε that reaches the error typed, for a question with this price.
func (w *Wish) Grant(plan *ask.Plan) {
	if plan == nil { // the question has changed, and the wish is still on the screen
		return
	}
	wish, why := form.ReadWish(w.Text, plan)
	if why != "" {
		w.Fault = why
		w.Update()
		return
	}
	granted := engine.EpsilonFor.With(ask.Wish{Recipe: w.Question.Recipe(), Error: wish})
	w.request = w.Call(granted, func(r engine.Request, kind string, body []byte) {
		if r != w.request {
			return
		}
		switch kind {
		case engine.ReplyDone:
			epsilon := engine.EpsilonFor.Read(body)
			w.Question.Edit("", func(q *form.Question) { q.Epsilon = epsilon })
		case engine.ReplyFailed:
			f := place.Failure(body)
			w.Fault = f.Message
			if f.Code == engine.Refused && f.Field == "error" {
				w.Fault = say.Format("No privacy loss up to 100 reaches that. Wanted: %s.",
					f.Want)
			}
			w.Update()
		}
	})
}
