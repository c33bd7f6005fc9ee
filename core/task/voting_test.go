package task

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/classify"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/privacy"
)

// TestVotesGoOn: cases paid for beforehand are answered one at a time, after cases that were in the
// question or without any, until they are used up or something else is released; a case that cannot
// be read does not count.
func TestVotesGoOn(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a large file")
	}
	file := smokers(150_000, 0)
	s := open(t, file)
	for _, tt := range []struct{ cases, later int }{{2, 4}, {0, 3}} {
		cases := ""
		if tt.cases > 0 {
			cases = newCases(tt.cases)
		}
		r := labelsRecipe(s, classBoxes, releasePlain, cases, "8")
		r.Params[paramLater] = fmt.Sprint(tt.later)
		first := askFor(t, s, r, file)
		l := first.Answer.Result.(*Labels)
		if len(l.Cases) != tt.cases || l.Left == nil || l.Left.Cases != uint64(tt.later) ||
			l.Left.Unstable == 0 {
			t.Fatalf("%+v, %+v", l, l.Left)
		}
		_, err := s.Label([]string{"abc", "y"})
		wantField(t, err, "case.0")
		_, err = s.Label([]string{"70"})
		wantField(t, err, paramCases)
		var last *Release
		for i := range tt.later {
			if last, err = s.Label([]string{fmt.Sprint(20 + 60*(i%2)), " y "}); err != nil {
				t.Fatalf("case %d: %v", i, err)
			}
		}
		after := last.Answer.Result.(*Labels)
		if after.Left.Cases != 0 || len(after.Cases) != tt.cases+tt.later ||
			right(after, sickSmoker)+after.Without != len(after.Cases) || after.Without > 1 {
			t.Errorf("%+v", after)
		}
		if len(l.Cases) != tt.cases || last.Statement == first.Statement ||
			!reflect.DeepEqual(last.Plan.Loss, first.Plan.Loss) {
			t.Errorf("the first release is now %+v, %q", l, last.Statement)
		}
		if _, err := s.Label([]string{"70", "y"}); !errors.Is(err, ask.ErrEnded) {
			t.Errorf("one more case than paid for: %v", err)
		}
	}
	r := labelsRecipe(s, classBoxes, releasePlain, newCases(1), "8")
	r.Params[paramLater] = "3"
	askFor(t, s, r, file)
	askFor(t, s, labelsRecipe(s, classBoxes, releaseRule, newCases(5), "1"), file)
	if _, err := s.Label([]string{"70", "y"}); !errors.Is(err, ask.ErrEnded) {
		t.Errorf("after another release: %v", err)
	}
	askFor(t, s, r, file)
	if _, err := s.Label([]string{"70", "y"}); err != nil {
		t.Error(err)
	}
	if err := s.Load(strings.NewReader(string(file)), r); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Label([]string{"70", "y"}); !errors.Is(err, ask.ErrEnded) {
		t.Errorf("after the file was opened again: %v", err)
	}
}

// TestVotesOfTrees: trees and weighted sums vote on people as they are; trees of few values relabel
// them too.
func TestVotesOfTrees(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a large file")
	}
	file := smokers(400_000, 0)
	s := open(t, file)
	for _, tt := range [][2]string{{classTrees, releasePlain}, {classWeighted, releasePlain},
		{classTrees, releaseLabels}} {
		r := labelsRecipe(s, tt[0], tt[1], newCases(3), "8")
		r.Others[1].Cuts = []string{"20", "40", "60", "80"}
		l := askFor(t, s, r, file).Answer.Result.(*Labels)
		if got := right(l, sickSmoker); got+l.Without != 3 || l.Without > 1 {
			t.Errorf("%v: %d right, %d without: %+v", tt, got, l.Without, l.Cases)
		}
	}
}

// TestRuleOfATree: a tree is published in words and for programs.
func TestRuleOfATree(t *testing.T) {
	file := smokers(20_000, 9)
	s := open(t, file)
	r := labelsRecipe(s, classTrees, releaseRule, newCases(200), "2")
	r.Others[1].Cuts = []string{"30", "60", "80"}
	release := askFor(t, s, r, file)
	l := release.Answer.Result.(*Labels)
	if got := right(l, sickSmoker); got != 200 {
		t.Errorf("%d of 200 right by %q", got, l.Rule)
	}
	if l.Rule != "If age below 60 no, else (if smokes n no, else yes)" &&
		l.Rule != "If smokes n no, else (if age below 60 no, else yes)" {
		t.Errorf("rule %q", l.Rule)
	}
}

// TestVotesEndWithAnotherRelease: asking for another release ends the votes, even where that
// release fails, since either could be chosen by the other's answer.
func TestVotesEndWithAnotherRelease(t *testing.T) {
	file := smokers(20_000, 0)
	s := open(t, file)
	votes := labelsRecipe(s, classBoxes, releasePlain, "", "8")
	votes.Params[paramLater] = "3"
	rule := labelsRecipe(s, classBoxes, releaseRule, newCases(5), "1")
	for name, step := range map[string]coin.Step{
		"a release":              nil,
		"one that was cancelled": func(done, total int64) error { return context.Canceled },
	} {
		askFor(t, s, votes, file)
		if _, err := s.Label([]string{"70", "y"}); err != nil {
			t.Fatalf("before %s: %v", name, err)
		}
		dataOf(t, s, rule, file)
		if _, err := s.Run(rule, step); (err != nil) != (step != nil) {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := s.Label([]string{"70", "y"}); !errors.Is(err, ask.ErrEnded) {
			t.Errorf("after %s: %v, want %v", name, err, ask.ErrEnded)
		}
	}
}

// TestLabeller: the rule of a release, saved and opened again without any data, labels each case as
// the rule that was drawn does, whatever the kind of rule, bounds and cuts.
func TestLabeller(t *testing.T) {
	decimals := domain.Spec{Kind: domain.Decimal, Lo: "0", Hi: "9", Step: "0.5", Mark: ","}
	smokes := domain.Spec{Kind: domain.Category, Categories: []string{"n", "y"}}
	dates := domain.Spec{Kind: domain.Date, Lo: "2024-01-01", Hi: "2024-01-12"}
	for _, tt := range []struct {
		rules  string
		fields []ask.Field
	}{
		{classStumps, []ask.Field{{Domain: decimals}, {Domain: smokes}}},
		{classBoxes, []ask.Field{{Domain: dates}, {Domain: smokes}}},
		{classBoxes,
			[]ask.Field{{Domain: decimals, Cuts: []string{"1,5", "4", "7"}}, {Domain: dates}}},
		{classHalfplane,
			[]ask.Field{{Domain: decimals, Cuts: []string{"2", "3,5"}}, {Domain: dates}}},
		{classTrees, []ask.Field{{Domain: decimals, Cuts: []string{"2", "3,5"}}, {Domain: smokes}}},
	} {
		r := ask.Recipe{Version: ask.RecipeVersion, Task: "classify", Epsilon: "1",
			Params: ask.Params{paramRules: tt.rules},
			Others: []ask.Field{{Role: ask.RoleOutcome, Column: 3, Domain: yesNo}}}
		for i, f := range tt.fields {
			f.Role, f.Column = roleFeature, i+1
			r.Others = append(r.Others, f)
		}
		others, err := classifyTask.CheckOthers(r.Others)
		if err != nil {
			t.Fatal(err)
		}
		q := &ask.Query{Task: &classifyTask, Recipe: r, Others: others}
		c := &labelling{query: q, outcome: [2]string{"yes", "no"}}
		fields, first := q.Role(roleFeature)
		c.features, c.first = featuresOf(nil, fields), first
		if c.class, err = c.newClass(tt.rules); err != nil {
			t.Fatal(err)
		}
		var cells [][]string
		var points []classify.Point
		for x := range c.features[0].Values.Size().Uint64() {
			for y := range c.features[1].Values.Size().Uint64() {
				point, values,
					_ := newCase(c.features, func(i int) (uint64, bool) {
					return []uint64{x, y}[i], true
				})
				values[0] = strings.ReplaceAll(values[0], ".", ",")
				cells, points = append(cells, values), append(points, point)
			}
		}
		for i, rule := range rulesOf(t, c.class) {
			text, parts := classify.NewPublisher(c.features, c.outcome).Write(rule)
			release := &Release{
				Recipe: r, Answer: Answer{
					Result: &Labels{Features: []string{"a", "b"}, Outcome: c.outcome,
						Rule: text.String(), RuleParts: parts}}}
			saved := new(Release)
			if err := json.Unmarshal([]byte(release.JSON("")), saved); err != nil {
				t.Fatal(err)
			}
			l, err := NewLabeller(nil, saved)
			if err != nil {
				t.Fatalf("%s: %q: %v", tt.rules, text, err)
			}
			for j, p := range points {
				got, err := l.Label(cells[j])
				if want := l.outcome[map[bool]int{true: 0, false: 1}[rule.Says(p)]]; err != nil ||
					got != want {
					t.Fatalf("%s, rule %d, %q of %v: %q, %v, want %q", tt.rules, i, text, cells[j],
						got, err, want)
				}
			}
		}
	}
}

// rulesOf draws many rules of a class, those that say always and never among them.
func rulesOf(t *testing.T, c classify.Class) (rules []classify.Rule) {
	t.Helper()
	anchors := []classify.Point{{}} // four even codes of each column, or all
	for _, size := range c.Sizes() {
		var longer []classify.Point
		for _, p := range anchors {
			for i, steps := uint64(0), min(size, 4); i < steps; i++ {
				longer = append(longer, append(slices.Clone(p), (2*i+1)*size/(2*steps)))
			}
		}
		anchors = longer
	}
	epsilon, err := privacy.ParseEpsilon("0.001")
	if err != nil {
		t.Fatal(err)
	}
	m, err := classify.NewSemiPrivate(
		classify.SemiPrivateParams{Class: c.(classify.Enumerable), Anchors: anchors,
			Epsilon: epsilon})
	if err != nil {
		t.Fatal(err)
	}
	for seed := range 150 {
		rule, err := m.Learn(coin.NewSeeded(coin.Seed(seed)), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		rules = append(rules, rule)
	}
	return rules
}

// TestForgedRules: a file whose rule contradicts itself or the recipe is refused.
func TestForgedRules(t *testing.T) {
	age := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "9"}
	r := ask.Recipe{Version: ask.RecipeVersion, Task: "classify", Epsilon: "1", Others: []ask.Field{
		{Role: ask.RoleOutcome, Column: 3, Domain: yesNo},
		{Role: roleFeature, Column: 1, Domain: age}, {Role: roleFeature, Column: 2, Domain: age}}}
	deep := &classify.RuleTree{Number: 1, At: "3", Other: &classify.RuleTree{}}
	deep.Below = deep
	for name, parts := range map[string]*classify.PublishedRule{
		"no feature of that number": {Conditions: []classify.RuleCondition{{Number: 3, From: "1"}}},
		"no number":                 {Conditions: []classify.RuleCondition{{From: "1"}}},
		"a value out of bounds": {
			Conditions: []classify.RuleCondition{{Number: 1, From: "11"}}},
		"below its start": {
			Conditions: []classify.RuleCondition{{Number: 1, From: "5", Below: "5"}}},
		"a line from here to here": {From: []string{"1", "2"}, To: []string{"1", "2"}},
		"half a line":              {From: []string{"1", "2"}, To: []string{"1"}},
		"a tree without an end":    {Tree: deep},
		"a tree without a side": {
			Tree: &classify.RuleTree{Number: 1, At: "3", Below: &classify.RuleTree{}}},
	} {
		l, err := NewLabeller(
			nil, &Release{
				Recipe: r, Answer: Answer{
					Result: &Labels{Features: []string{"a", "b"}, RuleParts: parts}}})
		if l != nil {
			t.Errorf("%s: not refused", name)
		}
		wantField(t, err, "ruleParts")
	}
	good := &classify.PublishedRule{Conditions: []classify.RuleCondition{{Number: 2, From: "5"}}}
	for name, change := range map[string]func(*Release){
		"no rule":        func(r *Release) { r.Answer.Result.(*Labels).RuleParts = nil },
		"another answer": func(r *Release) { r.Answer.Result = &Median{} },
		"another task":   func(r *Release) { r.Recipe.Task = "median" },
		"no features":    func(r *Release) { r.Recipe.Others = r.Recipe.Others[:1] },
		"a case cut off": func(r *Release) {
			r.Answer.Result.(*Labels).Cases = []LabelledCase{{Values: []string{"1"}}}
		},
		"more features": func(r *Release) {
			r.Answer.Result.(*Labels).Features = []string{"a", "b", "c"}
		},
		"no columns": func(r *Release) { r.Recipe.Others = nil },
	} {
		release := &Release{
			Recipe: r, Answer: Answer{
				Result: &Labels{Features: []string{"a", "b"}, RuleParts: good}}}
		if _, err := NewLabeller(nil, release); err != nil {
			t.Fatal(err)
		}
		change(release)
		if _, err := NewLabeller(nil, release); err == nil {
			t.Errorf("%s: not refused", name)
		}
	}
}

// FuzzLabeller: whatever a file says, it is refused or labels cases, and nothing panics.
func FuzzLabeller(f *testing.F) {
	for _, parts := range []string{
		`"conditions":[{"number":1,"from":"3","below":"7"},{"number":2,"is":"y"}]`, `"never":true`,
		`"from":["1","n"],"to":["2","y"]`,
		`"tree":{"number":2,"at":"y","below":{"yes":true},"other":{"number":1,"at":"5","below":{},"other":{"yes":true}}}`} {
		f.Add(`{"recipe":{"version":1,"task":"classify","params":{"rules":"boxes"},"others":[{"role":"outcome","column":3,"domain":{"kind":"category","categories":["a","b"]}},` +
			`{"role":"feature","column":1,"domain":{"kind":"integer","lo":"0","hi":"9"},"cuts":["2","5"]},{"role":"feature","column":2,"domain":{"kind":"category","categories":["n","y"]}}]},` +
			`"answer":{"labels":{"features":["x","y"],"outcome":["a","b"],"ruleParts":{` + parts +
			`}}}}`)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := new(Release)
		if json.Unmarshal([]byte(text), r) != nil {
			return
		}
		l, err := NewLabeller(nil, r)
		if (l == nil) != (err != nil) {
			t.Fatalf("%v, %v", l, err)
		}
		if l != nil {
			cells := make([]string, len(l.features))
			for i, f := range l.features {
				cells[i] = f.Values.Decode(0)
			}
			_, _ = l.Label(cells)
		}
	})
}

// TestTransfer: a rule fitted to released labels is that by which they were given; where a rule was
// released, or hardly any label is of one kind, there is none.
func TestTransfer(t *testing.T) {
	s := open(t, smokers(1000, 9))
	release := &Release{Plan: ask.Plan{People: 1000},
		Recipe: labelsRecipe(s, classBoxes, releasePlain, newCases(4), "1")}
	labels := &Labels{Features: []string{"age", "smokes"}, Outcome: [2]string{"yes", "no"}}
	release.Answer.Result = labels
	for age := range 100 {
		for _, smokes := range []bool{true, false} {
			labels.add([]string{fmt.Sprint(age), map[bool]string{true: "y", false: "n"}[smokes]},
				classify.Answer{Yes: sickSmoker(age, smokes), Stable: age%10 != 0})
		}
	}
	rule, right, of, ok := Transfer(release)
	if text := rule.String(); !ok || right != 180 || of != 180 || !strings.Contains(text, "age") ||
		!strings.Contains(text, "smokes") {
		t.Errorf("%q, %d of %d, %t", text, right, of, ok)
	}
	few := *labels
	few.Yes = 1
	release.Answer.Result = &few
	if _, _, _, ok := Transfer(release); ok {
		t.Error("from one case with a yes")
	}
	few.Yes, few.RuleParts = 80, new(classify.PublishedRule)
	if _, _, _, ok := Transfer(release); ok {
		t.Error("beside a rule")
	}
}
