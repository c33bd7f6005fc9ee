package task

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"

	"hush/core/ask"
	"hush/core/privacy"
)

// publication is twelve questions about the file of ages: six histograms of bins of one width, and
// six others.
func publication(s *Session) (parts []ask.Part) {
	list := toppable(s)
	for range 6 {
		parts = append(parts, ask.Part{Recipe: list["histogram"]})
	}
	for _, name := range []string{"count by group", "mean", "share", "table", "mean by group",
		"share by group"} {
		parts = append(parts, ask.Part{Recipe: list[name]})
	}
	return parts
}

func epsilonOf(l privacy.Loss) *big.Rat {
	epsilon, known := l.Epsilon()
	if !known {
		return big.NewRat(1000, 1)
	}
	return epsilon
}

// TestTogetherLeast: the error of each answer is three quarters of the largest good one at the ε
// found, and more with less; together they cost less than apart, and no rule that was looked at
// gives less than the total.
func TestTogetherLeast(t *testing.T) {
	s := open(t, ages(5000))
	parts := publication(s)
	want := ask.Several{Parts: parts, Division: ask.LeastTotal, Delta: "1e-6"}
	plan := must(s.Together(want, nil))
	apart := new(privacy.Loss)
	for i, part := range parts {
		r := part.Recipe
		r.Epsilon = plan.Epsilons[i]
		p := must(s.Plan(r))
		if ask.KeyOf(p) != ask.KeyOf(plan.Plans[i]) ||
			p.Verdict.Error > .75*p.Verdict.About/5 {
			t.Errorf("question %d, ε = %s: %v", i, r.Epsilon, p.Verdict)
		}
		*apart = apart.Plus(p.Loss)
		less := must(privacy.ParseEpsilon(r.Epsilon)).Rat()
		r.Epsilon = must(privacy.NewEpsilon(less.Mul(less, big.NewRat(98, 100)))).String()
		if p := must(s.Plan(r)); p.Verdict.Error <= .75*p.Verdict.About/5 {
			t.Errorf("question %d is as good with ε = %s, found was %s", i, r.Epsilon,
				plan.Epsilons[i])
		}
	}
	sum, total := epsilonOf(plan.Apart), epsilonOf(plan.Total.Loss)
	if sum.Cmp(epsilonOf(*apart)) != 0 || total.Cmp(sum) > 0 {
		t.Errorf("apart ε = %v, want %v; together %v", sum, epsilonOf(*apart), total)
	}
	if plan.Total.Loss.Delta().Cmp(big.NewRat(1, 1_000_000)) > 0 {
		t.Errorf("δ = %v", plan.Total.Loss.Delta())
	}
	rules := map[privacy.Rule]bool{}
	for _, c := range plan.Total.Considered {
		rules[c.Rule] = true
		if epsilonOf(c.Loss).Cmp(total) < 0 {
			t.Errorf("%s gives less: %v", c.Rule, epsilonOf(c.Loss))
		}
	}
	for _, rule := range []privacy.Rule{privacy.Basic, privacy.Concentrated,
		privacy.Distribution} {
		if !rules[rule] {
			t.Errorf("%s was not looked at", rule)
		}
	}
	t.Logf("%d questions: ε = %s together, %s apart, by %s", len(parts), total.FloatString(4),
		sum.FloatString(4), plan.Total.Rule)
}

// TestTogetherEvenly: the total is kept and used up, and one ε is at least the total in parts.
func TestTogetherEvenly(t *testing.T) {
	s := open(t, ages(5000))
	parts := publication(s)[:8]
	for _, delta := range []string{"0", "1e-6"} {
		plan := must(s.Together(ask.Several{Parts: parts, Division: ask.Evenly, Total: "0.5",
			Delta: delta}, nil))
		total, one := epsilonOf(plan.Total.Loss), must(privacy.ParseEpsilon(plan.Epsilons[0])).Rat()
		if total.Cmp(big.NewRat(1, 2)) > 0 || total.Cmp(big.NewRat(49, 100)) < 0 {
			t.Errorf("δ = %s: the total is %s, want 0.5", delta, total.FloatString(4))
		}
		for _, e := range plan.Epsilons {
			if e != plan.Epsilons[0] {
				t.Errorf("δ = %s: ε = %s and %s", delta, e, plan.Epsilons[0])
			}
		}
		if pure := delta == "0"; pure && one.Cmp(big.NewRat(1, 16)) > 0 || !pure &&
			one.Cmp(big.NewRat(1, 16)) <= 0 {
			t.Errorf("δ = %s: each has ε = %v of a half for eight", delta, one)
		}
	}
}

// TestFixed: a plan that is fixed costs what was found for it, and the marks of its questions are
// those of another session of the same file; with another ε one of them is another.
func TestFixed(t *testing.T) {
	parts := publication(open(t, ages(5000)))[4:9]
	s := open(t, ages(5000))
	want := ask.Several{Parts: parts, Division: ask.LeastTotal, Delta: "1e-6"}
	plan := must(s.Together(want, nil))
	fixed := want.At(plan.Epsilons)
	again, marks, err := open(t, ages(5000)).Fixed(fixed)
	if err != nil || ask.KeyOf(again) != ask.KeyOf(plan) || len(marks) != len(parts) {
		t.Fatalf("fixed, it costs %v (%v), want %v", again.Total.Loss, err, plan.Total.Loss)
	}
	fixed.Questions[2].Epsilon = "3"
	dearer, others, err := s.Fixed(fixed)
	if err != nil || epsilonOf(dearer.Total.Loss).Cmp(epsilonOf(plan.Total.Loss)) <= 0 {
		t.Errorf("with more ε it costs %v, %v", dearer.Total.Loss, err)
	}
	for i := range marks {
		if same := marks[i] == others[i]; same != (i != 2) {
			t.Errorf("question %d has the same mark: %t", i, same)
		}
	}
	fixed.Questions = nil
	_, _, err = s.Fixed(fixed)
	refused(t, "nothing", "parts", err)
}

// TestTogetherCanBeCancelled: the function that hears of each step ends the work with its error.
func TestTogetherCanBeCancelled(t *testing.T) {
	s := open(t, ages(5000))
	for _, by := range []ask.Division{ask.LeastTotal, ask.Evenly, ask.ByImportance} {
		enough, tried := errors.New("enough"), int64(0)
		_, err := s.Together(ask.Several{Parts: publication(s), Division: by, Total: "1",
			Delta: "1e-6"}, func(done, _ int64) error {
			if tried = done; done > 20 {
				return enough
			}
			return nil
		})
		if !errors.Is(err, enough) || tried != 21 {
			t.Errorf("%s: %v after %d steps", by, err, tried)
		}
	}
}

// TestTogetherByImportance: errors are in proportion to what makes them good, divided by weights.
func TestTogetherByImportance(t *testing.T) {
	s := open(t, ages(5000))
	parts := publication(s)[5:9]
	parts[1].Weight, parts[3].Weight = 4, 0.5
	plan := must(s.Together(ask.Several{Parts: parts, Division: ask.ByImportance, Total: "1",
		Delta: "0"}, nil))
	if total := epsilonOf(plan.Total.Loss); total.Cmp(big.NewRat(1, 1)) > 0 ||
		total.Cmp(big.NewRat(85, 100)) < 0 {
		t.Errorf("the total is %s, want 1 but for a step", total.FloatString(4))
	}
	first := 0.0
	for i, p := range plan.Plans {
		weight := parts[i].Weight
		if weight == 0 {
			weight = 1
		}
		times := p.Verdict.Error / p.Verdict.About * weight
		if i == 0 {
			first = times
		}
		if math.Abs(times/first-1) > 0.1 {
			t.Errorf("question %d has %.4f of its size, by weight; the first %.4f", i, times, first)
		}
	}
}

// TestTogetherNamesWhatIsNeverGood: a question that no ε makes good is named, and does not keep the
// others from their ε; where there is no other one, no plan is at the least ε.
func TestTogetherNamesWhatIsNeverGood(t *testing.T) {
	s := open(t, ages(50))
	list := toppable(s)
	others := []ask.Part{{Recipe: list["count by group"]}, {Recipe: list["histogram"]}}
	never := ask.Part{Recipe: recipe(s, "quantiles", 0, ageDomain, nil)}
	alone := must(s.Together(ask.Several{Parts: others, Division: ask.LeastTotal, Delta: "0"}, nil))
	with := must(s.Together(ask.Several{Parts: []ask.Part{others[0], never, others[1]},
		Division: ask.LeastTotal, Delta: "0"}, nil))
	if len(alone.Never) > 0 || !slices.Equal(with.Never, []int{1}) {
		t.Errorf("never good: %v, with the quantiles %v", alone.Never, with.Never)
	}
	if with.Epsilons[0] != alone.Epsilons[0] || with.Epsilons[2] != alone.Epsilons[1] ||
		!slices.Contains(alone.Epsilons, with.Epsilons[1]) {
		t.Errorf("ε = %v, without the quantiles %v", with.Epsilons, alone.Epsilons)
	}
	if g := with.Plans[1].Verdict.Grade; g == ask.Good {
		t.Error("what no ε makes good is called good")
	}
	_, err := s.Together(ask.Several{Parts: []ask.Part{never, never}, Division: ask.LeastTotal,
		Delta: "0"}, nil)
	refused(t, "all of them", "parts", err)
}

func TestTogetherRefuses(t *testing.T) {
	s := open(t, ages(50))
	good := publication(s)[:2]
	wrong := good[0]
	wrong.Recipe.Column = 9
	for name, c := range map[string]struct {
		field string
		want  ask.Several
	}{
		"nothing":     {"parts", ask.Several{Division: ask.LeastTotal, Delta: "0"}},
		"no division": {"division", ask.Several{Parts: good, Delta: "0"}},
		"no total":    {"total", ask.Several{Parts: good, Division: ask.Evenly, Delta: "0"}},
		"no δ":        {"delta", ask.Several{Parts: good, Division: ask.LeastTotal, Delta: "x"}},
		"another column": {"column", ask.Several{Parts: []ask.Part{wrong},
			Division: ask.LeastTotal, Delta: "0"}},
		"below zero": {"parts", ask.Several{Parts: []ask.Part{{Recipe: good[0].Recipe, Weight: -1}},
			Division: ask.LeastTotal, Delta: "0"}},
		"too little": {"total", ask.Several{Parts: good, Division: ask.ByImportance,
			Total: "0.00000001", Delta: "0"}},
		"too many": {"parts", ask.Several{Parts: make([]ask.Part, 65), Division: ask.LeastTotal,
			Delta: "0"}},
	} {
		_, err := s.Together(c.want, nil)
		refused(t, name, c.field, err)
	}
}
