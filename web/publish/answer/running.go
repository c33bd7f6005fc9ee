package answer

import (
	"strconv"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/web/engine"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/release"
)

// Running is shown during a long release: its stage, its progress, and what is already paid for.
type Running struct {
	app.Compo

	Model    *state.Model    // read
	Revision int             // Model.Revision
	Progress engine.Progress // Model.Release.Progress
}

// stages returns the stages of the running release; nil: it is too short for any, or none runs.
func stages(m *state.Model) []ask.Stage {
	if of := m.Question.Task().Stages; of != nil && m.Answer.Phase == release.Running {
		return of(m.Question.Recipe())
	}
	return nil
}

// Render draws the stages.
func (r *Running) Render() app.UI {
	m, list, p := r.Model, stages(r.Model), r.Progress
	if len(list) == 0 { // it has ended, and is still on the screen
		return parts.Absent()
	}
	at, round := -1, int64(0)
	if p.Phase == phaseComputing {
		at, round = ask.StageAt(list, p.Done, p.Total)
	}
	title := say.Text(m.Question.Task().Title)
	if plan := m.Forecast.Plan; plan != nil {
		title = QuestionTitle(*plan)
	}
	hidden := ""
	if at >= 0 && list[at].Hidden != "" {
		hidden = say.Text(list[at].Hidden)
	}
	bar := app.Progress().Aria("label", title)
	if p.Total > 0 && hidden == "" {
		bar = bar.Max(1000).Value(1000 * p.Done / p.Total)
	}
	items := []app.UI{stageItem(-1, at, say.Text("Read the columns"))}
	for i, s := range list {
		text := say.Text(s.Name)
		if i == at && round > 0 {
			text = say.Format("%s: round %d of at most %d", text, round, s.Rounds)
		}
		items = append(items, stageItem(i, at, text))
	}
	return app.Section().ID("running").Class("card pad stack").Aria("label", say.Text("Running")).
		Body(
			app.Div().Class("top").Body(app.Span().Body(
				app.B().Text(say.Text("Running")), app.Text(": "+SpentMeanwhile(m)))),
			app.H2().Text(title),
			bar,
			app.P().Class("small").Text(LeftText(m.Answer.Left)),
			app.Ol().Class("stages").Body(items...),
			parts.Note("", strings.TrimSpace(say.Text("Cancel ends the run. What it costs is "+
				"recorded before anything is drawn, and is never given back.")+" "+hidden)),
		)
}

const phaseComputing = "computing"

// stageItem is a stage: done, at work, or to come.
func stageItem(i, at int, text string) app.UI {
	switch {
	case i < at:
		return app.Li().Body(parts.Icon(parts.IconCheck), app.Text(text))
	case i == at:
		return app.Li().Aria("current", "step").Body(app.B().Text(text))
	}
	return app.Li().Class("soft").Text(text)
}

// SpentMeanwhile states what a run has cost so far.
func SpentMeanwhile(m *state.Model) string {
	if m.Answer.Progress.Phase != phaseComputing {
		return parts.Together(say.Format("%s is spent once it begins to draw", m.Answer.Cost))
	}
	return parts.Together(say.Format("%s is spent, also if you cancel", m.Answer.Cost))
}

// LeftText states about how long a run still takes; it is empty if that is not known.
func LeftText(left time.Duration) string {
	switch seconds := int64(left.Seconds()); {
	case left <= 0:
		return ""
	case seconds >= 100:
		return say.Format("at most about %s minutes left", strconv.FormatInt(seconds/60+1, 10))
	case seconds >= 10:
		return say.Format("at most about %s seconds left",
			strconv.FormatInt(seconds/5*5+5, 10))
	}
	return say.Text("a few seconds left")
}
