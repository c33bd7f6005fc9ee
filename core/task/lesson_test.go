package task

import (
	"errors"
	"maps"
	"strconv"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/table"
)

// Every question of the catalogue can be taught, and its lesson draws as many answers as asked,
// none of them a release.
func TestLessons(t *testing.T) {
	for _, task := range Catalogue() {
		t.Run(task.ID, func(t *testing.T) {
			if task.Example == nil {
				t.Fatal("there is no example to teach it with")
			}
			if task.Simple == "" || len(task.Films) == 0 {
				t.Errorf("what is simple is %q, its films are %q", task.Simple, task.Films)
			}
			l := lessonOf(task)
			taught, err := Teach(nil, l, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(taught.Draws) != l.Draws {
				t.Fatalf("%d draws, want %d", len(taught.Draws), l.Draws)
			}
			for _, r := range append(taught.Draws, taught.Quiet) {
				if r.Origin != coin.Seeded || r.Statement == "" {
					t.Errorf("an answer comes from %v and says %q", r.Origin, r.Statement)
				}
			}
			again, err := Teach(nil, l, nil)
			if err != nil {
				t.Fatal(err)
			}
			if first, second := taught.Draws[0].Statement,
				again.Draws[0].Statement; first != second {
				t.Errorf("one seed says %q, then %q", first, second)
			}
		})
	}
}

func lessonOf(task ask.Task) ask.Lesson {
	r := task.Example.Recipe
	r.Version, r.Task, r.Epsilon = ask.RecipeVersion, task.ID, "1"
	return ask.Lesson{Sample: task.Example.Sample, Recipe: r, Draws: 2, Seed: 7}
}

// The quiet answer is the data's own: of the first 100 patients as many are counted as there are.
func TestQuietAnswerIsTheTruth(t *testing.T) {
	l := lessonOf(shareTask)
	l.Recipe.Task, l.Rows = "count", 100
	taught, err := Teach(nil, l, nil)
	if err != nil {
		t.Fatal(err)
	}
	file, err := l.File()
	if err != nil {
		t.Fatal(err)
	}
	old := 0
	for _, line := range strings.Split(string(file), "\n")[1:] {
		if age, _, _ := strings.Cut(line, ","); len(age) == 3 || age >= "65" && len(age) == 2 {
			old++
		}
	}
	if got := taught.Quiet.Answer.Result.(*Estimates).Rows[0].Value; old == 0 ||
		got != strconv.Itoa(old) {
		t.Errorf("the quiet count is %s, the data have %d", got, old)
	}
	if got := taught.Quiet.Plan.People; got != 100 {
		t.Errorf("asked about %d people, want 100", got)
	}
}

func TestLessonsAreChecked(t *testing.T) {
	for field, change := range map[string]func(*ask.Lesson){
		"draws":  func(l *ask.Lesson) { l.Draws = ask.MaxDraws + 1 },
		"sample": func(l *ask.Lesson) { l.Sample = "mine.csv" },
		"rows":   func(l *ask.Lesson) { l.Rows = 1_000_000 },
	} {
		l := lessonOf(countTask)
		change(&l)
		_, err := Teach(nil, l, nil)
		wantField(t, err, field)
	}
}

// A cancelled lesson teaches nothing.
func TestLessonIsCancelled(t *testing.T) {
	stop := errors.New("stop")
	l := lessonOf(countTask)
	taught, err := Teach(nil, l, func(done, total int64) error {
		if done == 1 && total == 2 {
			return stop
		}
		return nil
	})
	if taught != nil || !errors.Is(err, stop) {
		t.Errorf("got %v and %v, want the error of the step", taught, err)
	}
}

// TestAside: people set aside, who teach nobody, are labelled: by a rule nearly as well as without
// noise, worse with little privacy loss and few people; by votes of very many. They are nobody of
// those who teach.
func TestAside(t *testing.T) {
	l := lessonOf(classifyTask)
	l.Draws, l.Aside = 5, 100
	mean := func(change func(*ask.Lesson)) (percent float64, quiet int) {
		t.Helper()
		with := l
		change(&with)
		taught, err := Teach(nil, with, nil)
		if err != nil {
			t.Fatal(err)
		}
		if a := taught.Aside; a == nil || a.People != with.Aside || len(a.Draws) != with.Draws ||
			len(taught.Quiet.Answer.Result.(*Labels).Cases) != with.Aside {
			t.Fatalf("%+v", taught.Aside)
		}
		for _, right := range taught.Aside.Draws {
			percent += 100 * float64(right) / float64(with.Aside*with.Draws)
		}
		return percent, 100 * taught.Aside.Quiet / with.Aside
	}
	many, quiet := mean(func(*ask.Lesson) {})
	few, _ := mean(func(l *ask.Lesson) { l.Rows, l.Recipe.Epsilon = 40, "0.05" })
	if many < float64(quiet)-4 || quiet < 80 || few > many-10 {
		t.Errorf("%.0f %% right, %d %% without noise, %.0f %% of few people at small ε", many,
			quiet, few)
	}
	if !testing.Short() {
		votes, _ := mean(func(l *ask.Lesson) {
			l.Rows, l.Aside, l.Draws = 100_000, 3, 3
			l.Recipe.Epsilon = "8"
			l.Recipe.Params = ask.Params{paramRelease: releasePlain}
		})
		if votes < 60 {
			t.Errorf("votes label %.0f %% rightly", votes)
		}
	}
	for name, change := range map[string]func(*ask.Lesson){"too many": func(l *ask.Lesson) {
		l.Aside = 1001
	}, "fewer than none": func(l *ask.Lesson) { l.Aside = -1 },
		"of another question": func(l *ask.Lesson) { *l = lessonOf(countTask); l.Aside = 3 }} {
		with := l
		change(&with)
		_, err := Teach(nil, with, nil)
		if err == nil {
			t.Fatalf("%s: not refused", name)
		}
		wantField(t, err, "aside")
	}
}

// A look draws with seeded coins and says so; the session that was looked at still draws with its
// own, and goes on with its own votes.
func TestLookLeavesTheSessionAlone(t *testing.T) {
	file := ages(500)
	s := NewSession(coin.NewCrypto())
	pass, err := s.Survey(table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	feed(t, pass, file)
	r := recipe(s, "count", 0, ageDomain, nil)
	r.Epsilon = ask.QuietEpsilon // the question without noise is then the same
	before := askFor(t, s, r, file)
	if _, err := s.Plan(r); err != nil {
		t.Fatal(err)
	}
	taught, err := s.Look(ask.Lesson{Recipe: r, Draws: 3, Seed: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, drawn := range append(taught.Draws, taught.Quiet) {
		if drawn.Origin != coin.Seeded {
			t.Errorf("a look draws from %q", drawn.Origin)
		}
	}
	if after := askFor(t, s, r, file); after.Origin != coin.Crypto || before.Origin != coin.Crypto {
		t.Errorf("releases come from %q and %q", before.Origin, after.Origin)
	}
	if _, err := s.Look(ask.Lesson{Recipe: r, Draws: ask.MaxDraws + 1}, nil); err == nil {
		t.Error("more draws than a lesson has")
	}
}

// TestOwnFileIsNotSplit: nobody of a person's own file is set aside to be a case, whatever a lesson
// about it asks for.
func TestOwnFileIsNotSplit(t *testing.T) {
	file := smokers(2000, 9)
	s := open(t, file)
	r := labelsRecipe(s, classStumps, releaseRule, newCases(20), "1")
	askFor(t, s, r, file)
	seen, err := s.Look(
		ask.Lesson{Sample: "commute", Rows: 100, Recipe: r, Draws: 1, Seed: 1, Aside: 50}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if l := seen.Draws[0].Answer.Result.(*Labels); seen.Aside != nil || len(l.Cases) != 20 ||
		seen.Draws[0].Plan.People != 2000 {
		t.Errorf("%+v, %d cases of %d people", seen.Aside, len(l.Cases), seen.Draws[0].Plan.People)
	}
}

// TestEveryTaughtChoice: each choice of the catalogue that only lessons offer is refused by a
// session on somebody's file, and drawn in a lesson of it.
func TestEveryTaughtChoice(t *testing.T) {
	taught := 0
	for _, task := range Catalogue() {
		for _, p := range task.Params {
			for _, c := range p.Taught {
				taught++
				l := lessonOf(task)
				l.Draws, l.Recipe.Params = 1, maps.Clone(l.Recipe.Params)
				if l.Recipe.Params == nil {
					l.Recipe.Params = ask.Params{}
				}
				l.Recipe.Params[p.Name] = c.Value
				file, err := l.File()
				if err != nil {
					t.Fatal(err)
				}
				s := NewSession(coin.NewCrypto())
				survey, err := s.Survey(table.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if err := ask.ReadAll(survey, file); err != nil {
					t.Fatal(err)
				}
				r := l.Recipe
				r.Table, r.Epsilon = must(s.Opened()).Options, "10"
				_, err = s.Plan(r)
				wantField(t, err, p.Name)
				_, err = s.Run(r, nil)
				wantField(t, err, p.Name)
				// The columns read for a question that may be published, it is refused all the
				// same, and then looked at.
				other := r
				other.Params = maps.Clone(r.Params)
				delete(other.Params, p.Name)
				pass, err := s.Encode(other)
				if err == nil {
					err = ask.ReadAll(pass, file)
				}
				if err != nil {
					t.Fatal(err)
				}
				if _, err := s.Plan(other); err != nil {
					t.Errorf("%s without %s: %v", task.ID, p.Name, err)
				}
				_, err = s.Run(r, nil)
				wantField(t, err, p.Name)
				if seen, err := s.Look(ask.Lesson{Recipe: r, Draws: 1, Seed: 1}, nil); err != nil ||
					seen.Draws[0].Origin != coin.Seeded {
					t.Errorf("%s by %s in a lesson: %+v, %v", task.ID, c.Value, seen, err)
				}
				_, err = s.Run(r, nil)
				wantField(t, err, p.Name)
			}
		}
	}
	if taught < 2 {
		t.Errorf("%d choices are for lessons only", taught)
	}
}

// TestBaseline: in a lesson objective perturbation labels those set aside nearly as well as without
// noise, at small ε and of few people worse, and promises nothing.
func TestBaseline(t *testing.T) {
	l := lessonOf(classifyTask)
	l.Draws, l.Aside, l.Recipe.Params = 10, 200, maps.Clone(l.Recipe.Params)
	l.Recipe.Params[paramRelease] = taughtLogistic
	rightly := func(rows int, epsilon string) (mean float64, quiet int) {
		l.Rows, l.Recipe.Epsilon = rows, epsilon
		out, err := Teach(nil, l, nil)
		if err != nil {
			t.Fatal(err)
		}
		plan := out.Draws[0].Plan
		if plan.Loss.Protects() || !strings.Contains(plan.Algorithm, "not exact") ||
			plan.Forecast[1].Value != "none" {
			t.Errorf("a baseline that promises something: %+v", plan)
		}
		if r := out.Draws[0].Answer.Result.(*Labels); r.Rule != "" || r.RuleParts != nil ||
			r.Without > 0 {
			t.Errorf("%+v", r)
		}
		for _, right := range out.Aside.Draws {
			mean += float64(right) / float64(len(out.Aside.Draws))
		}
		return mean, out.Aside.Quiet
	}
	many, quiet := rightly(0, "4")
	few, _ := rightly(40, "0.05")
	if many < float64(quiet)-15 || quiet < 160 || few > many-20 {
		t.Errorf("%.0f of 200 right, %d without noise, %.0f of few people at small ε", many, quiet,
			few)
	}
}
