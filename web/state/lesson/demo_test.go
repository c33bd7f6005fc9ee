package lesson_test

import (
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/sample"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/form"
	"hush/web/state/lesson"
	"hush/web/webtest"
)

// TestDemoOfEveryTask: the demo of each task that is taught goes through the address, and its
// lesson draws.
func TestDemoOfEveryTask(t *testing.T) {
	for _, one := range task.Catalogue() {
		if one.Example == nil {
			continue
		}
		d, err := lesson.ReadDemo(
			lesson.Demo{Task: one.ID, Data: one.Example.Sample, Epsilon: "0.7",
				Theme: "dark"}.Fragment())
		if err != nil ||
			d != (lesson.Demo{Task: one.ID, Data: one.Example.Sample, Epsilon: "0.7",
				Theme: "dark"}) {
			t.Errorf("%s: %+v, %v", one.ID, d, err)
		}
		l, err := d.Lesson()
		if err != nil || l.Task.ID != one.ID || l.Epsilon != "0.7" {
			t.Errorf("%s: %+v, %v", one.ID, l, err)
		}
	}
}

// TestDemoOfAQuestion: a lesson that was changed, and a question of the workbench, arrive as they
// were.
func TestDemoOfAQuestion(t *testing.T) {
	m, _ := webtest.Started(t)
	m.Learn.Show("mean")
	if d := m.Learn.Demo(); d.Question != "" || d.Data != "pay" || d.Epsilon != "1" {
		t.Errorf("a lesson as it begins is %+v", d)
	}
	m.Learn.Change(func(l *lesson.Lesson) { l.Wider, l.Epsilon = 2, "2" })
	d := m.Learn.Demo()
	l, err := d.Lesson()
	if err != nil {
		t.Fatal(err)
	}
	want, got := m.Learn.Whole(), l.Whole()
	if got.Draws, got.Seed = want.Draws, want.Seed; engine.Encode(got) != engine.Encode(want) {
		t.Errorf("the demo asks\n%s\nwant\n%s", engine.Encode(got), engine.Encode(want))
	}
	l.Draws = 1
	if _, err := task.Teach(say.Language(), l.Whole(), nil); err != nil {
		t.Error(err)
	}

	m, f := webtest.Started(t)
	if _, ok := m.DemoOfQuestion(); ok {
		t.Error("there is nothing to embed yet")
	}
	m.Data.Open(webtest.FakeFile("clinic.csv"))
	f.Settle()
	webtest.Confirm(m)
	webtest.Describe(m, 1, "0", "100")
	f.Settle()
	if _, ok := m.DemoOfQuestion(); ok {
		t.Error("a person's own file can be embedded")
	}
	f.File = sample.Sets()[1].CSV()
	m.Data.OpenSample(sample.Sets()[1])
	f.Settle()
	webtest.Describe(m, 2, "0", "100")
	m.Question.ChooseColumn(0, 2)
	f.Settle()
	d, ok := m.DemoOfQuestion()
	if l, err := d.Lesson(); !ok || err != nil || l.Task.Example.Sample != sample.Sets()[1].Name ||
		l.Task.Example.Recipe.Domain.Hi != "100" {
		t.Errorf("the question is %+v (%v), its lesson %+v, %v", d, ok, l, err)
	}
}

func TestDemoRefuses(t *testing.T) {
	count := ask.Recipe{Version: ask.RecipeVersion, Task: "count"}
	for fragment, want := range map[string]string{
		"":                       "no task is named: want one of histogram, ",
		"task=none":              `there is no task "none"`,
		"%zz":                    "cut off",
		"task=mean&data=clinic":  "for other data give the question too",
		"task=mean&question=x":   "cut off",
		"task=mean&question=bm8": "not JSON",
		"task=mean&data=clinic&question=" +
			form.EncodeRecipe(count): `of the task "count"`,
		"task=count&data=nobody&question=" +
			form.EncodeRecipe(count): `no data "nobody"`,
		"task=count&question=" +
			form.EncodeRecipe(count): `no data ""`,
		"task=count&data=clinic&question=" +
			form.EncodeRecipe(ask.Recipe{Task: "count"}): "version",
	} {
		d, err := lesson.ReadDemo(fragment)
		if err == nil {
			_, err = d.Lesson()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want it to say %q", fragment, err, want)
		}
	}
}
