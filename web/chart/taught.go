package chart

import (
	"encoding/json"

	"hush/core/task"
	"hush/web/say"
	"hush/web/state/lesson"
	"hush/web/state/session"
)

// Taught draws the first draws with what the data say, or the first draw alone, and tells the size
// of its frame.
func Taught(t *task.Taught) (option json.RawMessage, class string) {
	chosen := []*session.Past{{Name: say.Text("without noise"), Release: t.Quiet}}
	for i, r := range t.Draws[:min(lesson.ShownDraws, len(t.Draws))] {
		chosen = append(chosen, &session.Past{Name: say.Format("draw %d", i+1), Release: r})
	}
	option, class = Compared(chosen)
	if option == nil {
		var tall bool
		option, tall = Of(t.Draws[0])
		if class = "chart short"; tall {
			class = "chart"
		}
	}
	return option, class
}

// TaughtRows are the figures without noise and of the first draw.
func TaughtRows(t *task.Taught) [][]string {
	drawn := map[string]string{}
	for _, f := range Figures(t.Draws[0]) {
		drawn[f.Name] = f.Text
	}
	var rows [][]string
	for _, f := range Figures(t.Quiet) {
		text, ok := drawn[f.Name]
		if !ok {
			text = "–"
		}
		rows = append(rows, []string{f.Name, f.Text, text})
	}
	return rows
}
