package taught

import (
	"encoding/json"
	"strings"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/chart"
	"hush/web/say"
	"hush/web/state/lesson"
	"hush/web/state/session"
)

// Draw draws the first draws with the true answer, or the first draw alone, and returns the size of
// its frame.
func Draw(t *task.Taught) (option json.RawMessage, class string) {
	names := make([]string, min(lesson.ShownDraws, len(t.Draws)))
	for i := range names {
		names[i] = say.Format("draw %d", i+1)
	}
	return DrawNamed(t, names)
}

// DrawNamed is Draw with as many draws as there are names for them.
func DrawNamed(t *task.Taught, names []string) (option json.RawMessage, class string) {
	chosen := []*session.Past{{Name: Quiet(), Release: t.Quiet}}
	for i, name := range names {
		chosen = append(chosen, &session.Past{Name: name, Release: t.Draws[i]})
	}
	option, class = chart.Compared(chosen)
	if option == nil {
		var tall bool
		option, tall = chart.Of(t.Draws[0])
		if class = "chart short"; tall {
			class = "chart"
		}
	}
	return option, class
}

// Quiet names the answer that draws are compared with. It is drawn too, and its noise can show in
// a last digit, so no text says that it has none.
func Quiet() string { return say.Format("almost without noise, ε = %s", ask.QuietEpsilon) }

// Rows returns the figures almost without noise and those of the first draw.
func Rows(t *task.Taught) [][]string {
	drawn := map[string]string{}
	for _, f := range chart.Figures(t.Draws[0]) {
		drawn[f.Name] = f.Text
	}
	var rows [][]string
	for _, f := range chart.Figures(t.Quiet) {
		text, ok := drawn[f.Name]
		if !ok {
			text = "–"
		}
		rows = append(rows, []string{f.Name, strings.TrimSuffix(f.Text, " ± 0"), text})
	}
	return rows
}
