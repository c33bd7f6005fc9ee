package engine

import (
	"math/big"
	"testing"

	"hush/core/ask"
	"hush/core/privacy"
)

// several is a plan of two questions about the same column, of one total.
func several(r ask.Recipe) ask.Several {
	median := r
	median.Task = "median"
	return ask.Several{Parts: []ask.Part{{Recipe: r}, {Recipe: median}}, Division: ask.Evenly,
		Total: "1", Delta: "0"}
}

// TestTogether: a plan of several questions is priced from public facts, before any column is read.
func TestTogether(t *testing.T) {
	h := newHost(t, ages())
	var priced ask.Together
	h.must("together", several(question(h.open())), &priced)
	if len(priced.Plans) != 2 || priced.Epsilons[0] != priced.Epsilons[1] ||
		priced.Total.Rule != privacy.Basic || priced.Total.Loss.String() != "ε = 1" {
		t.Errorf("the plan is %+v", priced)
	}
	f := h.ask("together", ask.Several{Delta: "0"}, nil)
	if f == nil || f.Code != Refused || f.Field != "parts" {
		t.Errorf("no question: %+v, want refused at parts", f)
	}
}

// TestChargePlan: what a plan costs is worked out when it is charged, below the sum of its
// questions where a δ allows it, and is one debit, within the limit.
func TestChargePlan(t *testing.T) {
	h := newHost(t, ages())
	want := several(question(h.open()))
	for range 6 {
		want.Parts = append(want.Parts, want.Parts[0])
	}
	want.Delta = "0.000001"
	var priced ask.Together
	h.must("together", want, &priced)
	plan := want.At(priced.Epsilons)
	var charged PlanThaw
	charge := func(s Spending) *Fault {
		return h.ask("chargePlan", PlanCharge{s, RunPlan{Plan: plan}}, &charged)
	}
	if f := charge(Spending{}); f != nil {
		t.Fatalf("%+v", f)
	}
	epsilon, _ := charged.Loss.Epsilon()
	all, _ := priced.Total.Loss.Epsilon()
	apart, _ := priced.Apart.Epsilon()
	if charged.Task != planTask || charged.Questions != 8 || len(charged.Marks) != 8 ||
		epsilon.Cmp(all) < 0 || epsilon.Cmp(apart) >= 0 {
		t.Errorf("charged %+v; the plan was to cost %v", charged.Debit, priced.Total.Loss)
	}
	limit := &Limit{Epsilon: "1.5", Delta: "0.1"}
	s := spending(t, "", "0.4")
	s.Limit = limit
	if f := charge(s); f != nil {
		t.Errorf("%+v", f)
	}
	if total, _ := charged.Total.Epsilon(); total.Cmp(epsilon) <= 0 {
		t.Errorf("the total with it is %v", charged.Total)
	}
	s = spending(t, "", "0.6")
	s.Limit = limit
	if f := charge(s); f == nil || f.Code != OverLimit {
		t.Errorf("over the limit: %+v", f)
	}
	s.Limit, s.Looked, s.Frozen = nil, "2026-01-31T12:00:00.000Z", plan.Questions[:2]
	if f := charge(s); f == nil || f.Code != LookedAt {
		t.Errorf("two of eight were frozen: %+v", f)
	}
	s.Frozen = plan.Questions
	if f := charge(s); f != nil || len(charged.Frozen) != 0 {
		t.Errorf("all were frozen: %+v, %d are left", f, len(charged.Frozen))
	}
	plan.Questions[3].Label = "wages"
	if f := charge(Spending{}); f == nil || f.Code != NotAgreed {
		t.Errorf("a name that the file does not have: %+v", f)
	}
}

// TestPlanCannotCost: whatever gave a total that the questions cannot have, the plain sum is
// charged. The charge is at least the largest price of one question, from small plans to plans far
// out.
func TestPlanCannotCost(t *testing.T) {
	h := newHost(t, ages())
	r := question(h.open())
	for _, c := range []struct {
		epsilon   string
		questions int64
	}{{"0.1", 2}, {"17.8", 20}, {"100", 12}} {
		plan := ask.Fixed{Delta: "0.000001"}
		r.Epsilon = c.epsilon
		for range c.questions {
			plan.Questions = append(plan.Questions, r)
		}
		var charged PlanThaw
		h.must("chargePlan", PlanCharge{Spending{}, RunPlan{Plan: plan}}, &charged)
		epsilon, _ := charged.Loss.Epsilon()
		each, _ := new(big.Rat).SetString(c.epsilon)
		sum := new(big.Rat).Mul(each, big.NewRat(c.questions, 1))
		if len(charged.Parts) != int(c.questions) || epsilon.Cmp(sum) > 0 {
			t.Errorf("%d of %s: ε = %s, %d parts", c.questions, c.epsilon, epsilon,
				len(charged.Parts))
		}
		for _, p := range charged.Parts {
			least, _ := new(big.Rat).SetString(p.Least)
			// a histogram of one ε costs nearly that by itself
			if least.Cmp(epsilon) > 0 || least.Mul(least, big.NewRat(1001, 1000)).Cmp(each) < 0 {
				t.Errorf("%d of %s: a part is %+v, all cost %s", c.questions, c.epsilon, p,
					epsilon.FloatString(9))
			}
		}
		together, _, err := h.d.session.Fixed(plan)
		if err != nil {
			t.Fatal(err)
		}
		for _, says := range []*big.Rat{new(big.Rat), new(big.Rat).Quo(each, big.NewRat(2, 1)),
			new(big.Rat).Add(sum, big.NewRat(1, 10))} {
			together.Total.Loss, err = privacy.NewLoss(says, big.NewRat(1, 1_000_000))
			if err != nil {
				t.Fatal(err)
			}
			loss := planLoss(together)
			if have, _ := loss.Epsilon(); have.Cmp(sum) != 0 {
				t.Errorf("%d of %s, and a law that says %s: %v is charged", c.questions, c.epsilon,
					says, loss)
			}
		}
	}
}

// TestSamePlan: the rest of a plan is drawn only where its questions cost what they did.
func TestSamePlan(t *testing.T) {
	h := newHost(t, ages())
	want := several(question(h.open()))
	plan := want.At([]string{"0.5", "0.5"})
	var charged PlanThaw
	h.must("chargePlan", PlanCharge{RunPlan: RunPlan{Plan: plan}}, &charged)
	rest := PlanRest{Plan: plan, Marks: charged.Marks, Left: []int{2}}
	h.must("samePlan", rest, nil)
	rest.Marks[0] = "of another version, of what was drawn"
	h.must("samePlan", rest, nil)
	rest.Marks[1] = "of another version"
	wrong := []PlanRest{rest, {plan, charged.Marks, []int{3}}, {plan, nil, []int{1}}}
	for _, rest := range wrong {
		if f := h.ask("samePlan", rest, nil); f == nil || f.Code != PlanClosed {
			t.Errorf("%v of %q: %+v, want %s", rest.Left, rest.Marks, f, PlanClosed)
		}
	}
	if name := PlanEntry("id", 2); name != "id/2" {
		t.Errorf("its second answer is kept as %q", name)
	}
	if entry, number := EntryOf("id/2"); entry != "id" || number != 2 {
		t.Errorf("id/2 is answer %d of %q", number, entry)
	}
	if entry, number := EntryOf("id"); entry != "id" || number != 0 {
		t.Errorf("id is answer %d of %q", number, entry)
	}
}
