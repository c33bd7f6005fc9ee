package gallery

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/task"
	"hush/web/exhibit"
	"hush/web/living"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
)

// livingSpecimens is the page of a living table: asked in several ways, and a file that does not
// open.
func livingSpecimens() []Specimen {
	saved := exhibit.Saved(say.Language(), "joint")
	asked := func(change func(q *task.LivingQuestion)) func(m *state.Model) {
		return func(m *state.Model) {
			m.Living.Open(exhibit.LongName+".json", saved)
			m.Living.Ask(change)
		}
	}
	states := []variant{
		{"no file yet", func(*state.Model) {}},
		{"a histogram", asked(func(*task.LivingQuestion) {})},
		{"three columns", asked(func(q *task.LivingQuestion) { q.Columns = []int{2, 0, 1} })},
		{"means under a condition", asked(func(q *task.LivingQuestion) {
			*q = task.LivingQuestion{Kind: task.LivingMean, Columns: []int{0, 2},
				Where: []task.LivingCondition{{Column: 1, Place: 2}}}
		})},
		{"a quantile that cannot be", asked(func(q *task.LivingQuestion) {
			*q = task.LivingQuestion{Kind: task.LivingQuantile, Columns: []int{0}, Part: "2"}
		})},
		{"a file that was changed", func(m *state.Model) {
			m.Living.Open("table.json", strings.Replace(saved, `"stdDev": `, `"stdDev": 1`, 1))
		}},
		{"not to be read", func(m *state.Model) {
			m.Living.Refuse(say.Text("The file is too large."))
		}},
	}
	return exhibits(func(m *state.Model, b *parts.Browser) app.UI {
		return &living.Page{Living: &m.Living, Browser: b}
	}, states)
}
