package state

import "hush/core/message"

// DeclineUpdate puts the bar away. The new version comes when the last of its pages is closed.
func (m *Model) DeclineUpdate() {
	m.Offer = false
	m.update()
}

// Lost names what a reload would lose; empty: nothing.
func (m *Model) Lost() string {
	switch {
	case m.Data.Phase == DataNone && len(m.History.Past) == 0:
		return ""
	case len(m.History.Past) == 0:
		return message.Text("the file")
	case m.Data.Phase == DataNone:
		return message.Text("this session's list of releases")
	}
	return message.Text("the file and this session's list of releases")
}
