package frame

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
)

// EngineNote says that the engine has died and was replaced.
func EngineNote(phase state.EnginePhase) app.UI {
	if phase != state.EngineDied {
		return parts.Absent()
	}
	return parts.Note("warn", say.Text("The engine stopped and a new one is starting. Your file "+
		"and your question are kept; the budget already spent stays spent."))
}

// NoPageNote says that the address leads to no page.
func NoPageNote(name string) app.UI {
	if name == "" {
		return parts.Absent()
	}
	return parts.Note(
		"warn", say.Format("There is no page named “%s” here. This is where data are published.",
			name))
}
