package state

import (
	"hush/core/sample"
	"hush/core/table"
	"hush/web/state/release"
	"hush/web/state/spelling"
	"hush/web/state/stage"
)

// following is everything said and asked about the open file; it follows what happens to that file.
type following struct{ *Publish }

// Options returns how a file is opened: as a waiting recipe or codebook says, or else by guessing.
func (m following) Options() table.Options {
	if m.Saved.Waiting != nil {
		return m.Saved.Waiting.Table
	}
	if o, waits := m.Codebook.Reading(); waits {
		return o
	}
	return table.Options{}
}

// Leave ends the questions about a file that another one replaces. The codebook of a bundled data
// set waits for that data set, unless a recipe does.
func (m following) Leave(next *sample.Set) {
	if next != nil {
		m.Codebook.WaitNoMore()
	}
	m.Answer.CancelRun()
	m.Rows.CancelChoice()
	m.Rows.Choice = release.Choice{}
	m.Page.OpenData("")
	epsilon := m.Question.Form.Epsilon
	m.Question.Clear()
	m.Question.Form.Epsilon = epsilon
	m.Forecast.Forget()
	m.Answer.Shown = release.Shown{}
	m.Votes.Forget()
	m.Help.End()
	m.example = nil
	m.Codebook.Spelling = spelling.Cells{}
	m.Codebook.CloseFile()
	m.Codebook.Forget()
	if next != nil && m.Saved.Waiting == nil {
		m.Codebook.TakeSample(*next)
	}
}

// Gone forgets what is known about the file.
func (m following) Gone() { m.Codebook.CloseFile() }

// Rereads prepares for another reading of the file.
func (m following) Rereads() { m.Codebook.Rereads() }

// Reads applies what waits for the file to it.
func (m following) Reads() {
	m.Page.OpenData(m.Data.Opened.Fingerprint)
	m.Figures.Owed()
	m.Codebook.Whose()
	switch {
	case m.Saved.Waiting != nil:
		m.Saved.MeetFile()
	case m.Data.Sample:
		m.Data.Confirm()
	default:
		m.Codebook.MeetFile()
	}
	m.showExample()
}

// LacksPersons reports whether nobody has said yet whether a person can have several rows.
func (m following) LacksPersons() bool { return m.Codebook.Form.Lacks() }

// Confirmed leads on: to the question, or to the codebook while no column is described.
func (m following) Confirmed() {
	m.Question.Form.Table = m.Data.Opened.Options
	m.Codebook.FitFile()
	if m.Codebook.Described() > 0 {
		m.Question.Ask()
		return
	}
	m.Way.GoTo(stage.Columns)
	m.Question.Settle()
}
