package task

import (
	"fmt"
	"math"
	"math/big"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/table"
)

// sick returns a file of n persons aged 0 to 99. From 60 on all are sick, and below nobody, except
// for every noise-th person. Every 11th did not answer.
func sick(n, noise int) ([]byte, func(cut int) (right, all int)) {
	var b strings.Builder
	b.WriteString("age,sick,name\n")
	type person struct {
		age int
		yes bool
	}
	var people []person
	for i := range n {
		age := i * 7 % 100
		yes := age >= 60
		if noise > 0 && i%noise == 0 {
			yes = !yes
		}
		answer := map[bool]string{true: "yes", false: "no"}[yes]
		if i%11 == 0 {
			answer = "?"
		} else {
			people = append(people, person{age, yes})
		}
		fmt.Fprintf(&b, "%d,%s,%02d of us\n", age, answer, age)
	}
	return []byte(b.String()), func(cut int) (right, all int) {
		for _, p := range people {
			if (p.age >= cut) == p.yes {
				right++
			}
		}
		return right, len(people)
	}
}

var big1 = big.NewRat(1, 1)

func toFloat64(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}

func cutoffRecipe(s *Session, params ask.Params) ask.Recipe {
	r := recipe(s, "cutoff", 0, domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "120"}, params)
	r.Others = []ask.Field{{Role: "outcome", Column: 2, Domain: yesNo}}
	return r
}

func TestCutoff(t *testing.T) {
	const n = 20_000
	file, truth := sick(n, 9) // H: threshold/cutoff.md both-known
	for name, params := range map[string]ask.Params{
		"above": nil, "either": {"direction": "either"}, "below": {"direction": "below"},
		"without a curve": {"curve": "false"},
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, file)
			release := askFor(t, s, cutoffRecipe(s, params), file)
			c := release.Answer.Result.(*Cutoff)
			if e, _ := release.Plan.Loss.Epsilon(); e.Cmp(big1) > 0 || release.Plan.Loss.Delta().
				Sign() != 0 {
				t.Errorf("loss %v", release.Plan.Loss)
			}
			right := func(cut int) (int, int) {
				right, all := truth(cut)
				if !c.Above {
					right = all - right
				}
				return right, all
			}
			best := 0
			for cut := range 122 {
				r, _ := right(cut)
				best = max(best, r)
			}
			at := 121
			if c.Value != "" {
				at = int(parse(t, c.Value))
			}
			if got, _ := right(at); best-got > int(c.Extra) || c.Extra > n/50 {
				t.Errorf("%s: %d right, the best %d, bound %d", c.Rule, got, best, c.Extra)
			}
			if name != "below" && (c.Value != "60" || c.Rule != "yes from 60 on") {
				t.Errorf("%+v", c)
			}
			if name == "without a curve" {
				if c.Curve != nil || len(c.Table(ask.Voice{}, "age")) != 2 {
					t.Error("a curve that nobody asked for")
				}
				return
			}
			chosen := 0
			for _, p := range c.Curve {
				x, err := strconv.Atoi(p.Value)
				if err != nil {
					t.Fatal(err)
				}
				r, all := right(x)
				if share := 100 * float64(r) / float64(all); share < p.Low || share > p.High ||
					p.Low > p.Right || p.Right > p.High || p.High-p.Low > 20 {
					t.Errorf("cut at %d: %.1f in [%.1f, %.1f], truly %.1f", x, p.Right, p.Low,
						p.High, share)
				}
				if p.Chosen {
					chosen++
					if p.Value != c.Value {
						t.Errorf("chosen is %s, released %s", p.Value, c.Value)
					}
				}
			}
			if chosen != 1 || len(c.Curve) < 100 ||
				len(c.Table(ask.Voice{}, "age")) != len(c.Curve)+1 {
				t.Errorf("%d points, %d chosen", len(c.Curve), chosen)
			}
			if !strings.Contains(release.Statement, c.Rule) ||
				!strings.Contains(release.Statement, "It is right for about") {
				t.Error(release.Statement)
			}
		})
	}
}

// TestCutoffIsMeasured: the released number of right answers is at least what is said in 95 of 100
// releases and not much more, and it is paid for; a number that is one higher by its margin fails.
func TestCutoffIsMeasured(t *testing.T) {
	const n, draws = 2000, 150
	file, truth := sick(n, 9)
	s := open(t, file)
	r := cutoffRecipe(s, ask.Params{"curve": "false", "rightly": "true"})
	plain := must(s.Plan(cutoffRecipe(s, ask.Params{"curve": "false"})))
	held, bolder := 0, 0
	for range draws {
		release := askFor(t, s, r, file)
		c := release.Answer.Result.(*Cutoff)
		if epsilonOf(release.Plan.Loss).Cmp(epsilonOf(plain.Loss)) != 0 {
			t.Fatalf("loss %v, without the measure %v", release.Plan.Loss, plain.Loss)
		}
		right, all := truth(121)
		if c.Value != "" {
			right, all = truth(int(parse(t, c.Value)))
		}
		if !c.Above {
			right = all - right
		}
		if c.AtLeast <= int64(right) {
			held++
		}
		if c.AtLeast+9 <= int64(right) { // 2.3/(ε/4) is the margin
			bolder++
		}
		if c.AtLeast < int64(right)-60 ||
			!strings.Contains(release.Statement, "correctly (in 95") ||
			len(c.Table(ask.Voice{}, "age")[0]) != 3 {
			t.Fatalf("at least %d of %d: %s", c.AtLeast, right, release.Statement)
		}
	}
	if held < draws*90/100 || bolder > draws*85/100 {
		t.Errorf("of %d releases %d hold, and %d would with nine more", draws, held, bolder)
	}
}

// nearSixty reports whether a place is between the texts that begin with 58 and those that begin
// with 61.
func nearSixty(text string) bool {
	text = strings.TrimSuffix(text, "…")
	return text > "58" && text < "61"
}

func TestCutoffOfTextsAndExact(t *testing.T) {
	const n = 30_000
	file, _ := sick(n, 0)
	s := open(t, file)
	r := cutoffRecipe(s, ask.Params{"learner": "realizable"})
	r.Column, r.Domain = 3, domain.Spec{Kind: domain.Text, Length: 200}
	release := askFor(t, s, r, file)
	c := release.Answer.Result.(*Cutoff)
	if !c.Exact || !nearSixty(c.Value) {
		t.Errorf("%+v", c.Rule)
	}
	if !strings.Contains(release.Statement, "If some cut-off is right about everybody") ||
		release.Plan.Loss.Delta().Sign() == 0 {
		t.Errorf("%s %v", release.Statement, release.Plan.Loss)
	}
	for _, p := range c.Curve {
		if p.Low > p.Right || p.Right > p.High || p.High > 100 || p.Low < 0 || math.IsNaN(p.Right) {
			t.Errorf("%+v", p)
		}
	}
	_, err := s.Plan(cutoffRecipe(s, ask.Params{"learner": "realizable", "direction": "either"}))
	wantField(t, err, "direction")
	bad := cutoffRecipe(s, nil)
	bad.Others[0].Domain.Categories = []string{"yes", "no", "?"}
	_, err = s.Plan(bad)
	wantField(t, err, "others.0.categories")
	bad.Others = nil
	_, err = s.Plan(bad)
	wantField(t, err, "others")
}

// TestCutoffLosses: with and without a curve, by either learner, a recipe costs what it grants.
func TestCutoffLosses(t *testing.T) {
	file, _ := sick(3000, 9)
	s := open(t, file)
	for _, learner := range []string{"agnostic", "realizable"} {
		for _, curve := range []string{"true", "false"} {
			for _, spec := range []domain.Spec{{Kind: domain.Integer, Lo: "0", Hi: "120"},
				{Kind: domain.Float64}, {Kind: domain.Text, Length: 500}} {
				r := cutoffRecipe(s, ask.Params{"learner": learner, "curve": curve})
				r.Domain = spec
				p, err := s.Plan(r)
				if err != nil {
					t.Fatal(err)
				}
				if e, _ := p.Loss.Epsilon(); e.Cmp(big1) > 0 || toFloat64(e) < 0.9 {
					t.Errorf("%s, curve %s, %s: %v", learner, curve, spec.Kind, p.Loss)
				}
			}
		}
	}
}

// TestCutoffWithCounts: rows of several persons, also of equal ages with other answers.
func TestCutoffWithCounts(t *testing.T) {
	var b strings.Builder
	b.WriteString("age,sick,name,n\n")
	for age := range 100 {
		fmt.Fprintf(&b, "%d,%s,%02d,%d\n%d,%s,%02d,%d\n", age,
			map[bool]string{true: "yes", false: "no"}[age >= 60], age, 300, age,
			map[bool]string{true: "no", false: "yes"}[age >= 60], age, 20)
	}
	file := []byte(b.String())
	for _, spec := range []domain.Spec{{Kind: domain.Integer, Lo: "0", Hi: "120"},
		{Kind: domain.Text, Length: 2}, {Kind: domain.Text, Length: 20}} {
		s := open(t, file)
		r := cutoffRecipe(s, nil)
		if r.Domain = spec; spec.Kind == domain.Text {
			r.Column = 3
		}
		r.Count = 4
		c := askFor(t, s, r, file).Answer.Result.(*Cutoff)
		if !nearSixty(c.Value) {
			t.Errorf("%s: %s", spec.Kind, c.Rule)
		}
	}
	s := open(t, []byte("age,sick,n\n3,yes,9007199254740992\n"))
	r := cutoffRecipe(s, nil)
	r.Count = 3
	pass, err := s.Encode(r)
	if err != nil {
		t.Fatal(err)
	}
	feed(t, pass, []byte("age,sick,n\n3,yes,9007199254740992\n"))
	_, err = s.Plan(r)
	wantField(t, err, "count")
}

// TestCutoffMemory: the estimate made before a file is read grants what sorting codes with their
// answers takes.
func TestCutoffMemory(t *testing.T) {
	const n = 1 << 20
	var b strings.Builder
	b.WriteString("x,sick\n")
	for i := range n {
		fmt.Fprintf(&b, "%d,%s\n", uint32(i*2654435761), []string{"yes", "no"}[i%2])
	}
	file := []byte(b.String())
	s := open(t, file)
	r := recipe(s, "cutoff", 0, domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "4294967295"}, nil)
	r.Others = []ask.Field{{Role: ask.RoleOutcome, Column: 2, Domain: category("yes", "no")}}
	p := r.Reads(*must(s.Opened()))
	with, err := table.Estimate(p, n, 0)
	if err != nil {
		t.Fatal(err)
	}
	p.Paired = false
	without, err := table.Estimate(p, n, 0)
	if err != nil {
		t.Fatal(err)
	}
	rows := encoded(t, p, file)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	labelled, err := labelled(&ask.Column{Codes: rows.Columns[0]},
		&ask.Column{Codes: rows.Columns[1]}, nil)
	runtime.ReadMemStats(&after)
	if err != nil || len(labelled.Yes) != n {
		t.Fatalf("%d labelled, %v", len(labelled.Yes), err)
	}
	taken, sorting := int64(after.TotalAlloc-before.TotalAlloc), int64(33*n)
	if taken < sorting || taken > sorting+1<<20 || with-without != sorting-16*n {
		t.Errorf("sorting takes %d bytes, want about %d; the estimates with and without answers "+
			"are %d and %d", taken, sorting, with, without)
	}
}
