package gallery

import (
	"html"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/task"
	"hush/web/exhibit"
	"hush/web/state/dataset"
	"hush/web/state/form"
	"hush/web/state/place"
	"hush/web/webtest"
)

// richer are the states that a golden shows of components whose first state shows little of them.
var richer = map[string]string{
	"data.Step":            "data/read-to-be-confirmed",
	"data.CodebookStep":    "codebook/one-column-described",
	"question.PrivacyStep": "privacy/priced",
	"question.Step":        "question/with-conditions",
	"publish.Bar":          "release/ready",
	"answer.Pane":          "answer/good-to-publish",
	"answer.Figure":        "answer/good-to-publish",
	"editor.Page":          "page-of-figures/questions-and-answers",
	"ledger.Account":       "ledger/several-data-sets-many-releases",
	"proof.EvidencePage":   "evidence/read",
	"proof.CheckPage":      "check-a-release/a-line-that-fails",
	"learn.Lesson":         "learn/lesson-3-answered",
	"learn.FilmView":       "learn/film-of-treelog",
	"parts.EmbedDialog":    "embed/to-be-embedded",
}

// TestComponents draws each component of the gallery natively, one level deep, in one state, the
// first that shows it: what a reviewer reads. What its other states are about, TestStates asserts.
func TestComponents(t *testing.T) {
	drawn, wanted := map[string]bool{}, maps.Clone(richer)
	for _, s := range Specimens() {
		for _, level := range new(webtest.Shallow).Levels(s.Draw(nil)) {
			if drawn[level.Type] || wanted[level.Type] != "" && wanted[level.Type] != s.Name() {
				continue
			}
			drawn[level.Type] = true
			delete(wanted, level.Type)
			t.Run(level.Type, func(t *testing.T) {
				webtest.Golden(t, "components/"+level.Type+".html", level.Text)
			})
		}
	}
	for component, name := range wanted {
		t.Errorf("%s does not show %s", name, component)
	}
	stored, err := filepath.Glob("testdata/components/*.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range stored {
		if drawn[strings.TrimSuffix(filepath.Base(path), ".html")] {
			continue
		}
		if *webtest.Update {
			os.Remove(path)
			continue
		}
		t.Errorf("%s is no component's any more; run with -update", path)
	}
}

// TestStates: each specimen shows what its state is about, by testdata/about.txt.
func TestStates(t *testing.T) {
	file, err := os.ReadFile("testdata/about.txt")
	if err != nil {
		t.Fatal(err)
	}
	about := map[string]string{}
	for line := range strings.Lines(string(file)) {
		if name, text, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && line[0] != '#' {
			about[name] = text
		}
	}
	breaking := strings.NewReplacer("\u00a0", " ", "\u202f", " ")
	for _, q := range task.Catalogue() { // a question's says what is released, if nothing else
		name := Specimen{Part: "Question", State: kindOfQuestion + string(q.Title)}.Name()
		if _, ok := about[name]; !ok {
			about[name] = "Released: " + string(q.Answer)
		}
	}
	for _, s := range Specimens() {
		text, ok := about[s.Name()]
		if !ok {
			t.Errorf("%s: nothing says what it is about: add a line to about.txt, or another "+
				"specimen has its name", s.Name())
			continue
		}
		delete(about, s.Name())
		shown := breaking.Replace(html.UnescapeString(app.HTMLString(s.Draw(nil))))
		if !strings.Contains(shown, text) {
			t.Errorf("%s does not show %q", s.Name(), text)
		}
	}
	for name := range about {
		t.Errorf("%s is no specimen: take its line off about.txt", name)
	}
}

// TestGalleryHasEveryAnswer: who adds a kind of answer adds a specimen of it.
func TestGalleryHasEveryAnswer(t *testing.T) {
	for _, kind := range task.Results() {
		if !slices.ContainsFunc(exhibit.Answers(), func(a exhibit.Answer) bool {
			return a.Release.Answer.Kind() == kind.Kind()
		}) {
			t.Errorf("no specimen has an answer of the kind %s: add one to answers in "+
				"gallery_answers.go", kind.Kind())
		}
	}
}

// TestGalleryLeadsToEverySpecimen: the index links to each, each is found by its link, and
// neighbours lead on.
func TestGalleryLeadsToEverySpecimen(t *testing.T) {
	list := Specimens()
	index := app.HTMLString(&Page{Address: "/gallery"})
	for i, s := range list {
		if !strings.Contains(index, `href="#`+s.path()+`"`) {
			t.Errorf("no link leads to %s", s.Name())
		}
		if view, _ := place.ViewOf(s.path()); view != place.ViewGallery ||
			specimenOf(list, s.path()) != i {
			t.Errorf("%s leads elsewhere", s.path())
		}
	}
	first := app.HTMLString(&Page{Address: list[0].path()})
	if !strings.Contains(first, list[1].path()) || !strings.Contains(first, list[0].State) {
		t.Error("a specimen without its name or its neighbour")
	}
}

// TestGalleryIsStill: a click in the gallery reads nothing and spends nothing.
func TestGalleryIsStill(t *testing.T) {
	m := exhibit.Model(nil)
	if !m.Forecast.Priced() {
		t.Fatal("the exhibit is not ready to be released, so that this test sees nothing")
	}
	m.Answer.Run()
	m.Question.Edit("", func(q *form.Question) { q.Epsilon = "2" })
	m.Data.OpenText("a\n1\n")
	if m.Answer.Result != nil || len(m.History.Past) > 0 || m.Data.Phase != dataset.Opening {
		t.Errorf("something happened: %+v", m.Answer.Shown)
	}
}
