package lesson

import (
	"hush/core/ask"
	"hush/web/engine"
	"hush/web/state/place"
)

// Look is an owner's choice to see the exact data of the open data set. It is recorded in the
// ledger for good, and from then on nothing is released from that data set except questions frozen
// before.
type Look struct {
	place.Link
	Agreed  bool          // the words of the choice are ticked
	Failure *engine.Fault // why it could not be recorded

	Question interface{ Recipe() ask.Recipe } // the one at hand
	Data     LookedData
	Noted    func() // informs the ledger
	Show     func() // begins the lesson
}

// LookedData is the open data set, as far as looking at it is concerned.
type LookedData interface {
	NoteLook() bool // records that its owner has looked; false: it was closed meanwhile
}

// Agree ticks the statement of the choice.
func (k *Look) Agree(on bool) {
	k.Agreed = on
	k.Update()
}

// Freeze fixes the question, so that it may be released once after a look.
func (k *Look) Freeze() {
	k.Call(engine.Freeze.With(k.Question.Recipe()), k.reply(func() {}))
}

// Start records the choice, once its statement is ticked, and shows the lesson.
func (k *Look) Start() {
	if k.Agreed {
		k.Call(engine.Look.With(nil), k.reply(func() {
			if k.Data.NoteLook() {
				k.Agreed = false
				k.Show()
			}
		}))
	}
}

func (k *Look) reply(done func()) engine.Reply {
	return func(_ engine.Request, kind string, body []byte) {
		k.Failure = nil
		switch kind {
		case engine.ReplyDone:
			done()
			k.Noted()
		case engine.ReplyFailed:
			k.Failure = place.Failure(body)
		}
		k.Update()
	}
}
