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
