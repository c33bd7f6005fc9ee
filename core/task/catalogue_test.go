package task

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/phrase"
)

// TestLackingFieldsAreNamed: a question that lacks something is refused where the catalogue is
// made, with the field's name and what to write there.
func TestLackingFieldsAreNamed(t *testing.T) {
	refused := func(name, field string, n numberTask) {
		t.Helper()
		defer func() {
			want, _ := recover().(string)
			if !strings.HasPrefix(want, "task: count: "+field+" is missing: write ") {
				t.Errorf("without %s: %q", name, want)
			}
		}()
		whole(tasksOf([]numberTask{n}))
	}
	for _, field := range []string{"Title", "Question", "Sentence", "Heading", "Synonyms", "Answer",
		"Algorithm", "How", "Simple", "Source", "Limits", "Judged", "Films", "Example", "Costs",
		"Prepare"} {
		one := countTask
		reflect.ValueOf(&one).Elem().FieldByName(field).SetZero()
		refused(field, field, numberTask{one, countFigure})
	}
	one := countTask
	one.Domains, one.Others = nil, nil
	refused("columns", "Domains", numberTask{one, countFigure})
	one = countTask
	one.Example = &ask.Example{Sample: "clinics"}
	refused("a sample that there is", "Example.Sample", numberTask{one, countFigure})
	for name, change := range map[string]func(*figure){
		"name":   func(f *figure) { f.name = "" },
		"many":   func(f *figure) { f.many = "" },
		"exact":  func(f *figure) { f.exact = nil },
		"before": func(f *figure) { f.known = "one and all" },
		"known":  func(f *figure) { f.before = func(*estimate) float64 { return 1 } },
		"after":  func(f *figure) { f.found = "one and all" },
		"found":  func(f *figure) { f.after = itself },
	} {
		f := countFigure
		change(&f)
		refused("figure."+name, "figure."+name, numberTask{countTask, f})
	}
	mean := numberTask{countTask, meanFigure}
	mean.before, mean.known = nil, phrase.Key("")
	refused("what a mean is judged against", "figure.before", mean)
}

// TestTwoQuestionsOfOneName: recipes call a question by its ID, so that no two have one.
func TestTwoQuestionsOfOneName(t *testing.T) {
	defer func() {
		if why, _ := recover().(string); !strings.HasPrefix(why, "task: count: ID is that of ") {
			t.Errorf("two counts: %q", why)
		}
	}()
	whole(tasksOf([]numberTask{{countTask, countFigure}, {countTask, countFigure}}))
}

// TestFigureFollows: whether a number has its values' unit, and whether those of groups add up,
// follows from the range that it can be in.
func TestFigureFollows(t *testing.T) {
	for id, want := range map[string][2]bool{"count": {true, true}, "share": {true, false},
		"mean": {false, false}, "sum": {false, true}, "variance": {true, false}} {
		n := numbers[slices.IndexFunc(numbers, func(n numberTask) bool { return n.ID == id })]
		if is := [2]bool{n.plain(), n.adds()}; is != want {
			t.Errorf("%s: without a unit, and adds up: %v, want %v", id, is, want)
		}
	}
}
