package web

import (
	"strconv"
	"strings"

	"hush/core/message"
	"hush/core/task"
	"hush/web/engine"
)

// Wish is the forecast the other way round: an error that is needed, and the ε that reaches it.
type Wish struct {
	Text  string // the error as typed
	Fault string
	Curve []task.Point // the error to expect for a range of ε; nil before it is known

	request, curve Request
}

// askCurve asks for the error at a range of ε, for the question that has just been priced.
func (m *Model) askCurve() {
	m.Wish.curve = m.engine.Curve(encode(m.Recipe()), func(r Request, kind string, body []byte) {
		if r != m.Wish.curve || kind != ReplyDone {
			return
		}
		m.Wish.Curve = nil
		decode(body, &m.Wish.Curve)
		m.update()
	})
}

// SetWish takes what the person typed.
func (m *Model) SetWish(text string) {
	m.Wish.Text, m.Wish.Fault = text, ""
	m.update()
}

// GrantWish sets the smallest ε that reaches the error typed.
func (m *Model) GrantWish() {
	wish, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(m.Wish.Text), ",", ".", 1), 64)
	if err != nil || !(wish > 0) {
		m.Wish.Fault = message.Text("Wanted: a number above 0.")
		m.update()
		return
	}
	m.Wish.request = m.engine.EpsilonFor(encode(m.Recipe()), wish, func(r Request, kind string, body []byte) {
		if r != m.Wish.request {
			return
		}
		switch kind {
		case ReplyDone:
			var epsilon string
			decode(body, &epsilon)
			m.Edit("", func(q *Question) { q.Epsilon = epsilon })
		case ReplyFailed:
			f := failure(body)
			m.Wish.Fault = f.Message
			if f.Code == engine.Refused && f.Field == "error" {
				m.Wish.Fault = message.Format("No privacy loss up to 100 reaches that. Wanted: %s.", f.Want)
			}
			m.update()
		}
	})
}
