package web

import (
	"encoding/json"
	"errors"

	"hush/core/task"
	"hush/web/engine"
	"hush/web/say"
)

// Release is step 4.
type Release struct {
	Phase     ReleasePhase
	Progress  engine.Progress
	Result    *task.Release
	Failure   *engine.Fault
	NoExport  string // why the last export failed; empty: it did not
	Opened    bool   // it was saved before, and is not one of this session's
	NotOpened string // why the last file could not be opened; empty: it could

	request Request
}

// ReleasePhase says where step 4 stands.
type ReleasePhase int

const (
	ReleaseIdle ReleasePhase = iota
	ReleaseRunning
	ReleaseDone
	ReleaseFailed
)

// Run spends the budget and draws the answer.
func (m *Model) Run() {
	if !m.Priced() || !m.MayAsk() || m.Release.Phase == ReleaseRunning {
		return
	}
	m.Release = Release{Phase: ReleaseRunning}
	m.endVotes(say.Text("another release was begun"))
	run := engine.Run.With(m.Recipe())
	m.Release.request = m.engine.Call(run, func(r Request, kind string, body []byte) {
		if r != m.Release.request {
			return
		}
		switch kind {
		case ReplyProgress:
			decode(body, &m.Release.Progress)
			m.changed() // nothing else
			return
		case ReplyDone:
			m.Release = Release{Phase: ReleaseDone, Result: engine.Run.Read(body)}
			m.newVotes(m.Release.Result)
			m.History.add(m.Release.Result)
			m.window.Reveal(releaseID)
		case ReplyFailed:
			m.Release = Release{Phase: ReleaseFailed, Failure: failure(body)}
		}
		m.askLedger()
		m.update()
	})
	m.update()
}

// OpenRelease shows a release that was saved as JSON, if it is one that answers questions. It needs no data, and spends nothing.
func (m *Model) OpenRelease(text string) {
	if m.Release.Phase == ReleaseRunning {
		return
	}
	saved := new(task.Release)
	err := json.Unmarshal([]byte(text), saved)
	switch saved.Answer.Result.(type) {
	case *task.Conjunctions, *task.Contacts:
	case *task.Labels:
		if err == nil {
			_, err = task.NewLabeller(say.Language(), saved)
		}
	default:
		if err == nil {
			err = errors.New(say.Text("it is no saved release that answers questions"))
		}
	}
	if err != nil {
		m.refuseRelease(say.Format("The file could not be opened: %s. Wanted: the JSON of a release of combinations of attributes, of contacts, or of a rule that labels cases.", err))
		return
	}
	m.Release = Release{Phase: ReleaseDone, Result: saved, Opened: true}
	m.window.Reveal(releaseID)
	m.update()
}

// refuseRelease says why no saved release was opened.
func (m *Model) refuseRelease(why string) {
	m.Release.NotOpened = why
	m.update()
}

// CancelRun gives up a running release. What was debited stays debited.
func (m *Model) CancelRun() { m.cancel(m.Release.request) }

// releaseID is the element to which the reader is led when a release appears.
const releaseID = "release"
