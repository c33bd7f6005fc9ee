package gallery

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/task"
	"hush/web/exhibit"
	"hush/web/state"
	"hush/web/state/form"
	"hush/web/state/place"
	"hush/web/webtest"
)

// TestGallery draws every specimen natively, one level deep, and below it each component that no
// specimen before it holds alike: one file for each is what a reviewer reads.
func TestGallery(t *testing.T) {
	seen, shallow := map[string]bool{}, webtest.Shallow{}
	for _, s := range Specimens() {
		name := s.Name()
		if seen[name] {
			t.Errorf("%s is there twice", name)
		}
		seen[name] = true
		drawn := shallow.Draw(s.Draw(nil)) // for those after it too, if it is not among those run
		t.Run(name, func(t *testing.T) {
			webtest.Golden(t, "gallery/"+name+".html", drawn)
		})
	}
	stored, err := filepath.Glob("testdata/gallery/*/*.html")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range stored {
		if name := strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(path),
			"testdata/gallery/"), ".html"); !seen[webtest.Whole(name)] {
			if *webtest.Update {
				os.Remove(path)
				continue
			}
			t.Errorf("%s is no specimen's any more; run with -update", path)
		}
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
	if !m.Priced() {
		t.Fatal("the exhibit is not ready to be released, so that this test sees nothing")
	}
	m.Run()
	m.Edit("", func(q *form.Question) { q.Epsilon = "2" })
	m.OpenText("a\n1\n")
	if m.Release.Result != nil || len(m.History.Past) > 0 || m.Data.Phase != state.DataOpening {
		t.Errorf("something happened: %+v", m.Release)
	}
}
