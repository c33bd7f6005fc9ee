package task

import (
	"math"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/privacy"
	"hush/core/table"
)

// TestPopulation: what is said of the population goes by n and the loss, with numbers worked out by
// hand, for distributions and rules alone.
func TestPopulation(t *testing.T) {
	release := func(id string, result ask.Result) *Release {
		r := exampleOf(id)
		r.Version, r.Task, r.Epsilon = ask.RecipeVersion, id, "0.1"
		out := &Release{Recipe: r, Plan: ask.Plan{People: 20_000}}
		out.Plan.Loss = privacy.PureLoss(must(privacy.ParseEpsilon("0.1")))
		out.Answer.Result = result
		return out
	}
	for _, c := range []struct {
		id     string
		result ask.Result
		says   []string
	}{
		{"density", new(Density), []string{"within 0.961 percentage points"}}, // √(ln 40/40000)
		// √(8/20000·(ln 80002 + ln 80)), at least; tanh(0.05)
		{"cutoff", new(Cutoff), []string{"within 7.92 percentage", "says 5 points"}},
		{"rule", new(LearnedRule), []string{"percentage points", "says 5 points"}},
		{"classify", new(Labels), []string{"percentage points", "says 5 points"}},
	} {
		text, formulas, ok := Population(nil, release(c.id, c.result))
		for _, says := range c.says {
			if !ok || !strings.Contains(text, says) || formulas == "" {
				t.Errorf("%s: %q, want %q", c.id, text, says)
			}
		}
	}
	if text, _, ok := Population(nil, release("count", new(Estimates))); ok {
		t.Errorf("of a count: %q", text)
	}
	several := release("density", new(Density))
	several.Recipe.Use = &table.Use{Rows: 2}
	if text, _, ok := Population(nil, several); ok {
		t.Errorf("of several rows of a person: %q", text)
	}
}

// exampleOf is the recipe of a question's example.
func exampleOf(id string) (r ask.Recipe) {
	for _, q := range Catalogue() {
		if q.ID == id {
			r = q.Example.Recipe
		}
	}
	return r
}

// TestBandHolds: the band around the shares of people holds in about 95 of 100 draws at least.
func TestBandHolds(t *testing.T) {
	const n, draws = 400, 500
	off, beyond := math.Sqrt(math.Log(2/0.05)/(2*n)), 0
	src := coin.NewSeeded(3)
	for range draws {
		counts, sum, worst := [100]float64{}, 0.0, 0.0
		for range n {
			counts[src.Uniform(100)]++
		}
		for i, c := range counts {
			sum += c / n
			worst = max(worst, math.Abs(sum-float64(i+1)/100))
		}
		if worst > off {
			beyond++
		}
	}
	if beyond > draws*8/100 {
		t.Errorf("%d of %d draws are beyond the band", beyond, draws)
	}
}
