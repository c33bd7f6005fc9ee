// Package answer draws an answer: before it is paid for, as it is released, in every form in which
// it leaves the page, and beside others.
package answer

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/engine"
	"hush/web/parts"
	"hush/web/publish/data"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/release"
)

// Pane is the answer, or a preview of it; below it are the other answers of this session, and the
// page of figures.
type Pane struct {
	app.Compo
	gradual

	Model    *state.Model   // read and changed
	Revision int            // Model.Revision
	Browser  *parts.Browser // for the chart and the downloads
	Progress engine.Progress
}

// gradual is Gradual under a name that go-app does not take for a prop when it is embedded.
type gradual = parts.Gradual

// Render draws what there is.
func (a *Pane) Render() app.UI {
	m := a.Model
	answered, failure := m.Answer.OnScreen(), m.Answer.Failure
	running := len(stages(m)) > 0
	failed := failure != nil && (m.Answer.Phase == release.Failed || answered)
	return app.Section().ID("step-release").TabIndex(-1).Class("stack wide").
		Aria("label", say.Text("Answer")).Body(a.Parts(
		parts.When(failed, func() app.UI { return failedRun(m.Answer.Failure) }),
		parts.When(m.Data.Looked(), func() app.UI { return parts.LookedNote(m) }),
		parts.When(answered, func() app.UI { return notKept(m) }),
		parts.When(running, func() app.UI {
			return &Running{Model: m, Revision: a.Revision, Progress: a.Progress}
		}),
		parts.When(!answered && !running, func() app.UI {
			return &Preview{Model: m, Revision: a.Revision, Browser: a.Browser}
		}),
		parts.When(answered, func() app.UI {
			return &Card{Model: m, Revision: a.Revision, Browser: a.Browser}
		}),
		parts.When(len(m.Page.Pieces) > 0, func() app.UI { return pageCard(m) }),
		parts.When(m.History.Others(m.Answer.Result), func() app.UI {
			return &List{Model: m, Revision: a.Revision, Browser: a.Browser}
		}),
		parts.When(answered, func() app.UI {
			return data.OpenRelease(m, func() *parts.Browser { return a.Browser })
		}),
	)...)
}

// notKept says that the answer exists only in the page, and why.
func notKept(m *state.Model) app.UI {
	switch why := m.Kept.NotKept(m.Answer.Result); why {
	case "":
		return parts.Absent()
	case engine.KeepsNone:
		return parts.Note("", say.Text("Closing the page deletes this answer, since you chose "+
			"not to keep answers on this device. Download it if you want it later."))
	default:
		return parts.Note("warn", say.Format("This answer is gone when the page is closed: %s. "+
			"Download it now. What it cost is spent.", why))
	}
}

func failedRun(f *engine.Fault) app.UI {
	if f.Code == engine.Cancelled {
		return parts.Note("warn", say.Text("Cancelled. If the run had already begun to draw, its "+
			"privacy loss stays in the record: spent budget is never given back."))
	}
	if f.Code == engine.FoundNothing { // not a failure
		return parts.Note("", say.Format("Nothing was good enough: %s.", f.Message))
	}
	if f.Code == engine.OverLimit {
		return parts.OverLimitNote(f)
	}
	return parts.FailureNote(f)
}
