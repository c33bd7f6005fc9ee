package question

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/task"
	"hush/web/state"
	"hush/web/state/form"
	"hush/web/webtest"
)

// TestFurtherColumnsDrawn: a further column asks for what its role needs: the answers that are a
// yes and a no, or cut points.
func TestFurtherColumnsDrawn(t *testing.T) {
	m, _ := webtest.WithRoles(t)
	webtest.DescribeList(m, 4, "children", "eyes", "general", "heart", "injuries")
	m.Question.ChooseColumn(1, 4)
	m.Question.ChooseColumn(2, 1)
	m.Question.Edit("", func(q *form.Question) {
		q.AddField(m.Question.Task(), m.Question.Task().Others[1])
	})
	shown := app.HTMLString(&Step{Model: m})
	for _, want := range []string{`<label for="others-0-answer-1">`, `value="=injuries"`,
		`<label for="others-0-answer-2">`, `<label for="others-1-cuts">`, "Cut points of age",
		"Choose the answers that count: the outcome."} {
		if !strings.Contains(shown, want) {
			t.Errorf("the page does not show %q", want)
		}
	}
}

// TestSearchFindsQuestions by plain words, by the field's terms and by parts of words; every
// question is found by its own title.
func TestSearchFindsQuestions(t *testing.T) {
	tasks := state.NewModel().Question.Tasks
	for sought, want := range map[string]string{
		"average": "mean", "most common": "mode", "synthetic": "madeup", "k-means": "clusters",
		"noisy max": "mode", "pivot": "table", "crosstab": "table",
		"combinations": "conjunctions", "ROC": "cutoff", "percentage": "share",
		"standard dev": "variance", "origin": "contacts",
	} {
		if list := find(tasks, sought); len(list) == 0 || list[0].ID != want {
			t.Errorf("%q finds %d questions, first not %s", sought, len(list), want)
		}
	}
	for _, k := range task.Catalogue() {
		if list := find(tasks, strings.Trim(string(k.Title), "…")); len(list) == 0 ||
			list[0].ID != k.ID {
			t.Errorf("%q does not find itself", k.Title)
		}
	}
	if list := find(tasks, "weather"); len(list) > 0 {
		t.Errorf("the weather is asked about: %s", list[0].ID)
	}
}

// TestEveryQuestionIsASentence: its columns are choices in its blanks, with the columns that are
// described before those that are not.
func TestEveryQuestionIsASentence(t *testing.T) {
	m, _ := webtest.Asked(t)
	for _, k := range m.Question.Tasks {
		m.Question.ChooseTask(k.ID)
		shown := app.HTMLString(&Sentence{Model: m})
		if strings.Contains(shown, "{") || len(k.Domains) > 0 &&
			!strings.Contains(shown, `id="column"`) {
			t.Errorf("%s: %s", k.ID, shown)
		}
		for i := range m.Question.Form.Others {
			if !strings.Contains(shown, fieldID(i+1, "column")) {
				t.Errorf("%s has no blank for its column %d", k.ID, i+1)
			}
		}
	}
	m.Question.ChooseTask("median")
	shown := app.HTMLString(&Sentence{Model: m})
	age, first := strings.Index(shown, "age"), strings.Index(shown, "Describe first")
	if other := strings.Index(shown, "wait_minutes"); age < 0 || first < age || other < first {
		t.Errorf("the columns are out of order: %s", shown)
	}
}
