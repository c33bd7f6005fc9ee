package learn

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/coin"
	"hush/web/exhibit"
	"hush/web/state"
	"hush/web/state/form"
	"hush/web/state/lesson"
)

// The slider has the demo's own ε among its stops, in order.
func TestEpsilonsWith(t *testing.T) {
	if len(epsilonsWith("1")) != len(form.Epsilons) ||
		len(epsilonsWith("0.6")) != len(form.Epsilons)+1 {
		t.Error("a stop is there twice, or missing")
	}
	if list := epsilonsWith("0.6"); list[7] != "0.6" || form.Epsilons[7] != "0.7" {
		t.Errorf("the stops are %q, and %q", list, form.Epsilons)
	}
	if list := epsilonsWith("1.0"); list[8] != "1.0" {
		t.Errorf("the stops are %q", list)
	}
}

// An embedded demo is one lesson, and its faults are said in it.
func TestEmbed(t *testing.T) {
	e := &Embed{model: state.NewModel()}
	e.model.Start(exhibit.Still{}, exhibit.Still{}, func() {})
	e.show("task=mean&epsilon=0.6")
	if l := e.model.Learn; l.Epsilon != "0.6" || l.Task.ID != "mean" || l.Seed != coin.Seed(1) {
		t.Errorf("the lesson is %+v", l)
	}
	e.model.Learn.Change(func(l *lesson.Lesson) { l.Epsilon = "2" })
	if e.show("task=mean&epsilon=0.6&theme=dark"); e.model.Learn.Epsilon != "2" {
		t.Error("another theme begins the lesson anew")
	}
	for fragment, want := range map[string]string{
		"task=mean":   "not a release",
		"task=none":   "There is no task",
		"task=median": "Typical value",
	} {
		e.show(fragment)
		if html := app.HTMLString(e); !strings.Contains(html, want) ||
			strings.Contains(html, `type="file"`) {
			t.Errorf("%s shows %s", fragment, html)
		}
	}
}
