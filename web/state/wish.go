package state

import (
	"math"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/message"
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

// Read is the error typed, in the unit of the plan; why is not empty where it is none. A percentage
// is one of what is public: of all n people, or of a share's 100 points. The size of a mean or of a
// sum is what the release is to find out, so that no percentage of it can be promised before.
func (w Wish) Read(plan *ask.Plan) (wish float64, why string) {
	text := strings.TrimSpace(
		strings.Replace(strings.TrimPrefix(strings.TrimSpace(w.Text), "±"), ",", ".", 1))
	text, percent := strings.CutSuffix(text, "%")
	wish, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	switch {
	case err != nil || !(wish > 0) || math.IsInf(wish, 0):
		return 0, say.Text("Wanted: a number above 0.")
	case percent && plan.ErrorOf == "":
		return 0, say.Format("Wanted: a number above 0 without %%, in this unit: %s.",
			plan.ErrorUnit)
	case percent && plan.ErrorOf == ask.OfPeople:
		wish *= float64(plan.People) / 100
	case percent && plan.ErrorOf == ask.OfShare:
		wish /= 100
	}
	return wish, ""
}

// WishHelp says what the number stands for, and what a percentage is one of.
func WishHelp(plan *ask.Plan) string {
	help := say.Text("In 95 of 100 releases.") + " "
	switch plan.ErrorOf {
	case ask.OfPeople:
		return help + say.Format("A number of people, or a percentage of all %s, such as 2 %%.",
			message.Grouped(plan.People))
	case ask.OfShare:
		return help + say.Text("A number between 0 and 1, or percentage points, such as 2 %.")
	case ask.OfPercent:
		return help + say.Text("In percent: 2 and 2 % are the same.")
	}
	return help +
		say.Text("No percentage: it would be one of the answer, which nobody knows before the "+
			"release.")
}

// GrantWish sets the smallest ε that reaches the error typed.
func (m *Publish) GrantWish() {
	if m.Forecast.Plan == nil { // the question has changed, and the wish is on the screen yet
		return
	}
	wish, why := m.Wish.Read(m.Forecast.Plan)
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
