package better

import (
	"hush/core/ask"
	"hush/web/engine"
	"hush/web/state/place"
)

// Help lists changes that would improve the answer to a question.
type Help struct {
	place.Link
	List []ask.Help // at most mostHelp; nil before they are known

	about   string // the recipe as text
	request engine.Request
}

// mostHelp is the number of changes shown: the best ones come first.
const mostHelp = 3

// Ask asks what would improve a question, if its answer is not good.
func (h *Help) Ask(recipe ask.Recipe, v *ask.Verdict) {
	about := engine.Encode(recipe)
	if v == nil || v.Grade == ask.Good || h.about == about { // it was asked already
		return
	}
	h.End()
	h.about = about
	h.request = h.Call(engine.Help.With(recipe), func(r engine.Request, kind string, body []byte) {
		if r != h.request || kind == engine.ReplyProgress {
			return
		}
		if h.request = 0; kind == engine.ReplyDone {
			list := engine.Help.Read(body)
			h.List = list[:min(len(list), mostHelp)]
		}
		h.Update()
	})
}

// End forgets the list, and gives up what is still being worked out: the question has changed.
func (h *Help) End() {
	request := h.request
	h.List, h.about, h.request = nil, "", 0
	h.Cancel(request)
}
