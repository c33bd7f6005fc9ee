package web

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/sample"
	"hush/core/task"
	"hush/web/say"
)

// TestDemoOfEveryTask: the demo of each task that is taught goes through the address, and its lesson draws.
func TestDemoOfEveryTask(t *testing.T) {
	for _, one := range task.Catalogue() {
		if one.Example == nil {
			continue
		}
		d, err := readDemo(Demo{Task: one.ID, Data: one.Example.Sample, Epsilon: "0.7", Theme: "dark"}.fragment())
		if err != nil || d != (Demo{Task: one.ID, Data: one.Example.Sample, Epsilon: "0.7", Theme: "dark"}) {
			t.Errorf("%s: %+v, %v", one.ID, d, err)
		}
		l, err := d.lesson()
		if err != nil || l.Task.ID != one.ID || l.Epsilon != "0.7" {
			t.Errorf("%s: %+v, %v", one.ID, l, err)
		}
	}
}

// TestDemoOfAQuestion: a lesson that was changed, and a question of the workbench, arrive as they were.
func TestDemoOfAQuestion(t *testing.T) {
	m, _ := started(t)
	m.learn("mean")
	if d := m.demoOfLesson(); d.Question != "" || d.Data != "pay" || d.Epsilon != "1" {
		t.Errorf("a lesson as it begins is %+v", d)
	}
	m.ChangeLesson(func(l *Learn) { l.Wider, l.Epsilon = 2, "2" })
	d := m.demoOfLesson()
	l, err := d.lesson()
	if err != nil {
		t.Fatal(err)
	}
	want, got := m.Learn.lesson(), l.lesson()
	if got.Draws, got.Seed = want.Draws, want.Seed; encode(got) != encode(want) {
		t.Errorf("the demo asks\n%s\nwant\n%s", encode(got), encode(want))
	}
	l.Draws = 1
	if _, err := task.Teach(say.Language(), l.lesson(), nil); err != nil {
		t.Error(err)
	}

	m, f := started(t)
	if _, ok := m.demoOfQuestion(); ok {
		t.Error("there is nothing to embed yet")
	}
	m.Open(fakeFile("clinic.csv"))
	f.settle()
	m.Confirm()
	m.Edit("", func(q *Question) { q.Column, q.Domain.Lo, q.Domain.Hi = 1, "0", "100" })
	f.settle()
	if _, ok := m.demoOfQuestion(); ok {
		t.Error("a person's own file can be embedded")
	}
	m.OpenSample(sample.Sets()[1])
	f.settle()
	m.Edit("", func(q *Question) { q.Column, q.Domain.Lo, q.Domain.Hi = 1, "0", "100" })
	f.settle()
	d, ok := m.demoOfQuestion()
	if l, err := d.lesson(); !ok || err != nil || l.Task.Example.Sample != sample.Sets()[1].Name || l.Task.Example.Recipe.Domain.Hi != "100" {
		t.Errorf("the question is %+v (%v), its lesson %+v, %v", d, ok, l, err)
	}
}

func TestDemoRefuses(t *testing.T) {
	count := ask.Recipe{Version: ask.RecipeVersion, Task: "count"}
	for fragment, want := range map[string]string{
		"":                       "no task is named: want one of histogram, ",
		"task=none":              `there is no task "none"`,
		"%zz":                    "cut off",
		"task=mean&data=clinic":  "for other data the question must be given too",
		"task=mean&question=x":   "cut off",
		"task=mean&question=bm8": "not JSON",
		"task=mean&data=clinic&question=" + encodeRecipe(count):                      `of the task "count"`,
		"task=count&data=nobody&question=" + encodeRecipe(count):                     `no data "nobody"`,
		"task=count&question=" + encodeRecipe(count):                                 `no data ""`,
		"task=count&data=clinic&question=" + encodeRecipe(ask.Recipe{Task: "count"}): "version",
	} {
		d, err := readDemo(fragment)
		if err == nil {
			_, err = d.lesson()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want it to say %q", fragment, err, want)
		}
	}
}

// What an author copies holds no character that would end an attribute or begin markup.
func TestSnippetsAreMarkup(t *testing.T) {
	d := Demo{Task: `a"b<c>&d`, Epsilon: "1"}
	for _, text := range []string{d.element("ADDRESS/", startVisible, "x < y & z"), d.frame("ADDRESS/", `a "title"`)} {
		for _, wrong := range []string{`a"b`, "<c>", "x < y", `a "title"`, "& "} {
			if strings.Contains(text, wrong) {
				t.Errorf("%s contains %q", text, wrong)
			}
		}
	}
	d.Language = "pt-BR"
	if text := d.element("ADDRESS/", startVisible, "x"); !strings.Contains(text, `<p lang="pt-BR">x</p>`) || strings.Contains(text, "lang=pt") {
		t.Errorf("the words of the element are in no language, or the demo is: %s", text)
	}
	if text := d.frame("ADDRESS/", "x"); !strings.Contains(text, `&amp;lang=pt-BR"`) {
		t.Errorf("the frame speaks no language: %s", text)
	}
	if text := d.element("ADDRESS/", startVisible, ""); !strings.Contains(text, `task="a&#34;b&lt;c&gt;&amp;d" epsilon="1" start="visible"`) {
		t.Error(text)
	}
}

// The slider has the demo's own ε among its stops, in order.
func TestEpsilonsWith(t *testing.T) {
	if len(epsilonsWith("1")) != len(Epsilons) || len(epsilonsWith("0.6")) != len(Epsilons)+1 {
		t.Error("a stop is there twice, or missing")
	}
	if list := epsilonsWith("0.6"); list[7] != "0.6" || Epsilons[7] != "0.7" {
		t.Errorf("the stops are %q, and %q", list, Epsilons)
	}
	if list := epsilonsWith("1.0"); list[8] != "1.0" {
		t.Errorf("the stops are %q", list)
	}
}

// An embedded demo is one lesson, and its faults are said in it.
func TestEmbed(t *testing.T) {
	e := &Embed{model: NewModel()}
	e.model.engine, e.model.window = stillEngine{}, stillEngine{}
	e.show("task=mean&epsilon=0.6")
	if l := e.model.Learn; l.Epsilon != "0.6" || l.Task.ID != "mean" || l.Seed != coin.Seed(1) {
		t.Errorf("the lesson is %+v", l)
	}
	e.model.ChangeLesson(func(l *Learn) { l.Epsilon = "2" })
	if e.show("task=mean&epsilon=0.6&theme=dark"); e.model.Learn.Epsilon != "2" {
		t.Error("another theme begins the lesson anew")
	}
	for fragment, want := range map[string]string{"task=mean": "not a release", "task=none": "There is no task", "task=median": "Typical value"} {
		e.show(fragment)
		if html := app.HTMLString(e); !strings.Contains(html, want) || strings.Contains(html, `type="file"`) {
			t.Errorf("%s shows %s", fragment, html)
		}
	}
}

// A lesson about somebody's own file has nothing that an author could copy: what it shows is not private.
func TestOwnFileIsNotEmbedded(t *testing.T) {
	seen := map[bool]int{}
	for _, s := range Specimens() {
		if html := app.HTMLString(s.Draw(nil)); s.Part == "Learn" && strings.Contains(html, "learn-draw") {
			own := strings.Contains(html, string(notPrivate[:40]))
			if seen[own]++; strings.Contains(html, "hush-demo") == own {
				t.Errorf("%s: of one's own file: %v, can be embedded: %v", s.State, own, !own)
			}
		}
	}
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("the gallery shows %v lessons, want both kinds", seen)
	}
}
