package state

import (
	"hush/core/ask"
	"hush/web/engine"
)

// Help is what would make the answer of a question better.
type Help struct {
	List []ask.Help // at most mostHelp; nil before they are known

	about   string // the recipe as text
	request engine.Request
}

// mostHelp is how many changes are shown: the best ones come first.
const mostHelp = 3

// askHelp asks what would make the question at hand better, where its answer is not good.
func (m *Publish) askHelp(v *ask.Verdict) {
	if v == nil || v.Grade == ask.Good {
		return
	}
	about := engine.Encode(m.Recipe())
	if m.Help.about == about { // it is asked already
		return
	}
	m.endHelp()
	help := engine.Help.With(m.Recipe())
	m.Help.about = about
	m.Help.request = m.Call(help, func(r engine.Request, kind string, body []byte) {
		if r != m.Help.request || kind == engine.ReplyProgress {
			return
		}
		if m.Help.request = 0; kind == engine.ReplyDone {
			list := engine.Help.Read(body)
			m.Help.List = list[:min(len(list), mostHelp)]
		}
		m.Update()
	})
}

// endHelp forgets it, and gives up what is still being worked out: the question is another one.
func (m *Publish) endHelp() {
	request := m.Help.request
	m.Help = Help{}
	m.Cancel(request)
}

// Use makes the change of that number in the list part of the question, and leads to what its
// answer would look like: the button that was pressed goes with the list.
func (m *Publish) Use(i int) {
	if i < len(m.Help.List) && m.Help.List[i].Exact {
		m.Adopt(m.Help.List[i].Recipe)
		m.chosen = StageQuestion
		m.reveal(PreviewID)
		m.Update()
	}
}
