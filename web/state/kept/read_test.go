package kept_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/chart"
	"hush/web/exhibit"
	"hush/web/state"
	"hush/web/state/kept"
	"hush/web/state/release"
	"hush/web/state/session"
)

// everyRelease lists what is released of every question of the catalogue, and made-up answers of
// awkward sizes, by name.
func everyRelease(t *testing.T) map[string]*task.Release {
	t.Helper()
	all := map[string]*task.Release{}
	for _, a := range exhibit.Answers() {
		all[a.State] = a.Release
	}
	for _, ask1 := range task.Catalogue() {
		recipe := ask1.Example.Recipe
		recipe.Version, recipe.Task, recipe.Epsilon = ask.RecipeVersion, ask1.ID, "1"
		taught, err := task.Teach(nil, ask.Lesson{Sample: ask1.Example.Sample, Recipe: recipe,
			Rows: 1000, Draws: 1, Seed: 1}, nil)
		if err != nil {
			t.Logf("%s: %v", ask1.ID, err)
			continue
		}
		all["the question "+ask1.ID] = taught.Draws[0]
	}
	return all
}

// TestEveryReleaseOpensAgain: what Hush writes as JSON, of every question and of every kind of
// answer, opens again and is the same answer.
func TestEveryReleaseOpensAgain(t *testing.T) {
	kinds := map[string]bool{}
	asked := 0
	for name, r := range everyRelease(t) {
		kinds[r.Answer.Kind()] = true
		if strings.HasPrefix(name, "the question ") {
			asked++
		}
		m := state.NewModel()
		m.Start(exhibit.Still{}, exhibit.Still{}, func() {})
		m.Answer.Open(r.JSON("abc"))
		if m.Answer.Phase != release.Done {
			t.Errorf("%s does not open: %s", name, m.Answer.NotOpened)
			continue
		}
		got, want := answerText(t, m.Answer.Result.JSON("")), answerText(t, r.JSON(""))
		if got != want {
			t.Errorf("%s: the answer is\n%s\nand was\n%s", name, got, want)
		}
		if !m.Answer.Opened || !m.Answer.Result.Unverified {
			t.Errorf("%s: anybody can write a file, and the page vouches for it", name)
		}
	}
	for _, r := range task.Results() {
		if !kinds[r.Kind()] {
			t.Errorf("no answer of kind %q is opened", r.Kind())
		}
	}
	if asked != len(task.Catalogue()) {
		t.Errorf("%d questions are opened, want all %d", asked, len(task.Catalogue()))
	}
}

func answerText(t *testing.T, file string) string {
	t.Helper()
	var r struct{ Answer json.RawMessage }
	if err := json.Unmarshal([]byte(file), &r); err != nil {
		t.Fatal(err)
	}
	return string(r.Answer)
}

// TestForgedReleasesBreakNothing: a file that is almost a release is refused, or else is drawn in
// every form.
func TestForgedReleasesBreakNothing(t *testing.T) {
	shelf := kept.Shelf{Draw: draw}
	random := rand.New(rand.NewPCG(1, 2))
	tries := 60
	if testing.Short() {
		tries = 12
	}
	for name, release := range everyRelease(t) {
		text := release.JSON("")
		for range tries {
			var v map[string]any
			if err := json.Unmarshal([]byte(text), &v); err != nil {
				t.Fatal(err)
			}
			part := []string{"answer", "recipe", "plan"}[random.IntN(3)]
			v[part] = damage(random, v[part])
			forged, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			r, err := shelf.Release(string(forged))
			if err != nil {
				continue
			}
			func() {
				defer func() {
					if problem := recover(); problem != nil {
						t.Errorf("%s: %v of %s", name, problem, answerText(t, string(forged)))
					}
				}()
				session.Recheck(r)
				draw(r)
				chart.Publication(r)
			}()
		}
	}
}

// draw is what the page sets (web/page.go).
func draw(r *task.Release) {
	chart.Of(r)
	chart.TextOf(r)
}

// damage takes one thing out of a JSON value, or makes it another.
func damage(random *rand.Rand, v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, inner := range v {
			if random.IntN(len(v)) > 0 {
				continue
			}
			if random.IntN(6) == 0 {
				delete(v, k)
			} else {
				v[k] = damage(random, inner)
			}
			return v
		}
	case []any:
		if len(v) == 0 {
			return append(v, 1.0)
		}
		i := random.IntN(len(v))
		if random.IntN(2) == 0 {
			return append(v[:i:i], v[i+1:]...)
		}
		v[i] = damage(random, v[i])
	case float64:
		return []float64{-1, 0, 1e9, v + 1}[random.IntN(4)]
	case string:
		return ""
	}
	return v
}

// TestAddAnotherFile: a table that is opened as a saved release is refused in words of a reader,
// and not in those of a program.
func TestAddAnotherFile(t *testing.T) {
	m := state.NewModel()
	m.Start(exhibit.Still{}, exhibit.Still{}, func() {})
	for _, open := range []func(string){m.Figures.AddSaved, m.Answer.Open} {
		open("age,district\n41,Mill\n")
		if said := m.Answer.NotOpened; !strings.Contains(said, "another kind of file") ||
			strings.Contains(said, "invalid character") {
			t.Errorf("it says %q", said)
		}
		m.Answer.NotOpened = ""
	}
}
