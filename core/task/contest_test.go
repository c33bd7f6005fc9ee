package task

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/mechanism"
	"hush/core/privacy"
	"hush/core/selection"
	"hush/core/table"
)

// contestLesson asks for the most frequent of six districts by one of the ways that only lessons offer, and of so many more that nobody lives in.
func contestLesson(chosen, epsilon string, more int) ask.Lesson {
	l := lessonOf(modeTask)
	l.Recipe.Task, l.Recipe.Epsilon, l.Recipe.Params = "mode", epsilon, ask.Params{paramSelector: chosen, paramCounted: "false"}
	l.Recipe.Domain.Categories = slices.Clone(l.Recipe.Domain.Categories)
	for i := range more {
		l.Recipe.Domain.Categories = append(l.Recipe.Domain.Categories, fmt.Sprint("nobody ", i))
	}
	return l
}

// TestContests draws by each of the ways at the same ε: none costs more, each says what it takes, and what it reaches.
func TestContests(t *testing.T) {
	drawn := map[string]float64{}
	for _, c := range append(slices.Clone(contestChoices), ask.Choice{selectFlip, ""}) {
		if testing.Short() && (c.Value == selectSampled || c.Value == selectUnknown) {
			continue
		}
		l := contestLesson(c.Value, "1", 0)
		l.Draws = 5
		taught, err := Teach(l, nil)
		if err != nil {
			t.Fatal(c.Value, err)
		}
		reached := 0.0
		for _, d := range taught.Draws {
			w := d.Answer.Result.(*Winner)
			reached += w.Reached.Percentile / 5
			drawn[c.Value] += float64(w.Reached.Drawn) / 5
			if e, _ := d.Plan.Loss.Epsilon(); e.Cmp(big1) > 0 || toFloat64(e) < .9 {
				t.Errorf("%s costs %v", c.Value, d.Plan.Loss)
			}
			if !strings.Contains(d.Statement, "A release tells neither") || (w.Behind == "") == (c.Value == selectFlip) {
				t.Errorf("%s: %s", c.Value, d.Statement)
			}
		}
		if facts := taught.Draws[0].Plan.Forecast; c.Value != selectFlip && (facts[0].Label != "Proven price" || facts[len(facts)-1] != told()) {
			t.Errorf("%s is not told by its price: %+v", c.Value, facts)
		}
		t.Logf("%s: percentile %.0f, %.0f drawn", c.Value, reached, drawn[c.Value])
		if least := map[string]float64{selectLogarithmic: 50, selectUnknown: 60}[c.Value]; reached < max(least, 80) && reached < least {
			t.Errorf("%s reaches the percentile %.0f", c.Value, reached)
		}
	}
	if drawn[selectSplit] != 6 || drawn[selectStopping] < 6 || drawn[selectStopping] > 100 || drawn[selectOracle] > 36 {
		t.Errorf("drawn are %v", drawn)
	}
	if !testing.Short() && (drawn[selectUnknown] < 1e6 || drawn[selectSampled] < 1e6) {
		t.Errorf("drawn are %v", drawn)
	}
}

// TestContestsNeedRuns: with little ε, or for many values, the searches are refused, with a reason.
func TestContestsNeedRuns(t *testing.T) {
	for _, chosen := range []string{selectSampled, selectUnknown} {
		_, err := Teach(contestLesson(chosen, "0.03", 0), nil)
		wantField(t, err, paramSelector)
		if !strings.Contains(err.Error(), "at most 2^32") {
			t.Error(err)
		}
		none := contestLesson(chosen, "1", 0)
		none.Recipe.Params[ask.ParamDelta] = "0"
		_, err = Teach(none, nil)
		wantField(t, err, ask.ParamDelta)
	}
	_, err := Teach(contestLesson(selectStopping, "1", mostContenders), nil)
	wantField(t, err, paramSelector)
}

// TestTaughtIsNotPublished: what only lessons offer is refused in Publish, by its name and among values to try, whatever the coins; a release tells nothing that only
// lessons tell, and lessons about a person's own file do.
func TestTaughtIsNotPublished(t *testing.T) {
	file := patients(2000)
	for _, src := range []coin.Source{coin.NewCrypto(), coin.NewSeeded(1)} {
		s := NewSession(src)
		pass, err := s.Survey(table.Options{})
		if err != nil {
			t.Fatal(err)
		}
		feed(t, pass, file)
		cities := domain.Spec{Kind: domain.Category, Categories: []string{"Bern", "Rom", "Ulm"}}
		for _, task := range Catalogue() {
			for _, p := range task.Params {
				for _, c := range p.Taught {
					if slices.Contains(p.Choices, c) {
						t.Errorf("%s: the form offers %s", task.ID, c.Value)
					}
				}
			}
		}
		refused := func(r ask.Recipe, field string) {
			t.Helper()
			r.Epsilon = "10"
			pass, err := s.Encode(r)
			if err != nil {
				t.Fatal(err)
			}
			if pass != nil {
				feed(t, pass, file)
			}
			_, err = s.Plan(r)
			wantField(t, err, field)
			release, err := s.Run(r, nil)
			wantField(t, err, field)
			if release != nil {
				t.Errorf("%+v is released", release)
			}
		}
		for _, c := range contestChoices {
			refused(recipe(s, "mode", 2, cities, ask.Params{paramSelector: c.Value}), paramSelector)
		}
		refused(recipe(s, "median", 0, hundredDomain, ask.Params{paramAlgorithm: "paper"}), paramAlgorithm)
		for name, algorithm := range map[string]string{ask.TryName(paramAlgorithm): "search, paper"} {
			r := recipe(s, "median", 0, hundredDomain, ask.Params{name: algorithm})
			if _, err := s.Plan(r); err == nil {
				t.Errorf("%s %s is priced", name, algorithm)
			}
		}
		r := recipe(s, "mode", 2, cities, nil)
		if w := askFor(t, s, r, file).Answer.Result.(*Winner); w.Reached != nil {
			t.Errorf("a release tells %+v", w.Reached)
		}
		r.Params = ask.Params{paramSelector: selectStopping}
		taught, err := s.Look(ask.Lesson{Recipe: r, Draws: 1}, nil)
		if err != nil || taught.Draws[0].Answer.Result.(*Winner).Reached == nil {
			t.Errorf("%+v, %v", taught, err)
		}
		if _, err := s.Plan(r); err == nil {
			t.Error("after a look, the session prices what only lessons offer")
		}
	}
}

// TestSearchesPayNowhereInReach: wherever a lesson can search for a threshold, it leaves less of ε for one run than random stopping does, and random stopping with as
// many runs hardly ever misses: what whereSearchesPay says.
func TestSearchesPayNowhereInReach(t *testing.T) {
	delta, err := privacy.ParseDelta("1e-7")
	if err != nil {
		t.Fatal(err)
	}
	q, could := &ask.Query{People: 3200}, 0
	texts, least := []string{"0.1", "1", "10", "100"}, 8
	if testing.Short() {
		texts, least = []string{"0.5", "5"}, 3
	}
	for _, text := range texts {
		for _, k := range []int64{2, 6, 106} {
			epsilon, err := privacy.ParseEpsilon(text)
			if err != nil {
				t.Fatal(err)
			}
			m, err := newUnknown(q, epsilon, delta, k)
			if err != nil {
				wantField(t, err, paramSelector)
				continue
			}
			could++
			if each := m.run.epsilon(); each > epsilon.Float64()/8 {
				t.Errorf("ε = %s, %d values: a run has %v", text, k, each)
			}
			stopping, err := selection.Geometric(new(big.Rat).SetFrac64(1, int64(min(m.Samples(), 1<<30))), 0)
			if err != nil {
				t.Fatal(err)
			}
			if miss := stopping.Miss(1 / float64(2*k)); miss > .01 {
				t.Errorf("ε = %s, %d values: random stopping with %d runs misses %v", text, k, m.Samples(), miss)
			}
		}
	}
	if could < least {
		t.Errorf("a threshold can be searched for in %d cases", could)
	}
}

// TestChances: the oracle's probabilities are those of noise, as private as said for every pair of neighbouring counts, and near is of.
func TestChances(t *testing.T) {
	c := chances{3}
	odds, one, sum := c.odds(), big.NewRat(1, 1), 0.0
	base, err := coin.BaseFromRat(odds)
	if err != nil {
		t.Fatal(err)
	}
	noise, err := mechanism.NewLaplaceNoise(base)
	if err != nil {
		t.Fatal(err)
	}
	within := func(a, b *big.Rat) bool {
		return a.Cmp(new(big.Rat).Mul(b, odds)) <= 0 && b.Cmp(new(big.Rat).Mul(a, odds)) <= 0
	}
	for score := int64(-farthest*4 - 2); score <= farthest*4+2; score++ {
		p, next := c.of(score, 0), c.of(score+1, 0)
		if !within(p, next) || !within(new(big.Rat).Sub(one, p), new(big.Rat).Sub(one, next)) {
			t.Fatalf("from %d to %d the chance moves from %v to %v", score, score+1, p, next)
		}
		exact, _ := p.Float64()
		if near := c.near(score, 0); math.Abs(near-exact) > 1e-12 {
			t.Errorf("%d: %v is near %v", score, near, exact)
		}
		after, _ := next.Float64()
		if math.Abs(after-exact-noise.PMF(-score-1)) > 1e-12 {
			t.Errorf("%d: the noise has %v there", score, after-exact)
		}
		sum += after - exact
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("the chances rise by %v in all", sum)
	}
}

// TestHeads has the whole law of a few coins, and the moments of many.
func TestHeads(t *testing.T) {
	for _, p := range []float64{0, .25, .625, 1} {
		law, err := coin.Enumerate(coin.Limits{}, func(src coin.Source) (uint64, error) { return heads(src, 3, p), nil })
		if err != nil {
			t.Fatal(err)
		}
		for fell := range uint64(4) {
			want := float64([]int{1, 3, 3, 1}[fell]) * math.Pow(p, float64(fell)) * math.Pow(1-p, float64(3-fell))
			if have, _ := law.Mass(fell).Float64(); math.Abs(have-want) > 1e-12 {
				t.Errorf("chance %v: %d of 3 fall with %v, want %v", p, fell, have, want)
			}
		}
	}
	src := coin.NewSeeded(3)
	for _, n := range []float64{1 << 12, 1 << 22, 1 << 36} {
		for _, p := range []float64{1e-2, .3, .999} {
			const draws = 400
			mean, square := 0.0, 0.0
			for range draws {
				off := (float64(heads(src, uint64(n), p)) - n*p) / math.Sqrt(n*p*(1-p))
				mean, square = mean+off/draws, square+off*off/draws
			}
			if math.Abs(mean) > .2 || math.Abs(square-1) > .3 {
				t.Errorf("of %.0f coins of chance %v as many fall as if the mean were %.2f off and the variance %.2f", n, p, mean, square)
			}
		}
	}
}
