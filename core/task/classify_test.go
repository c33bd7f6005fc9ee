package task

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/classify"
	"hush/core/domain"
)

// smokers is a file of n persons with ages and whether they smoke; who smokes and is at least 60 is
// sick, and of the others nobody, but for every noise-th.
func smokers(n, noise int) []byte {
	var b strings.Builder
	b.WriteString("age,smokes,sick\n")
	for i := range n {
		age, smokes := i*7%100, i/2%2 == 0
		yes := age >= 60 && smokes
		if noise > 0 && i%noise == 0 {
			yes = !yes
		}
		fmt.Fprintf(&b, "%d,%s,%s\n", age, map[bool]string{true: "y", false: "n"}[smokes],
			map[bool]string{true: "yes", false: "no"}[yes])
	}
	return []byte(b.String())
}

// newCases are ages and smoking of cases.
func newCases(count int) string {
	var b strings.Builder
	b.WriteString("age,smokes\n")
	for i := range count {
		fmt.Fprintf(&b, "%d,%s\n", i*13%100, []string{"y", "n"}[(i+i/100)%2])
	}
	return b.String()
}

func labelsRecipe(s *Session, rules, release, cases, epsilon string) ask.Recipe {
	return ask.Recipe{Version: ask.RecipeVersion, Task: "classify", Table: must(s.Opened()).Options,
		Epsilon: epsilon,
		Params:  ask.Params{paramRules: rules, paramRelease: release, paramCases: cases},
		Others: []ask.Field{
			{Role: ask.RoleOutcome, Column: 3, Label: "sick", Domain: yesNo},
			{Role: roleFeature, Column: 1, Label: "age",
				Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "119"}},
			{Role: roleFeature, Column: 2, Label: "smokes",
				Domain: domain.Spec{Kind: domain.Category, Categories: []string{"n", "y"}}},
		}}
}

// right is how many cases a rule on age and smoking labels as truth does.
func right(l *Labels, truth func(age int, smokes bool) bool) (count int) {
	for _, c := range l.Cases {
		var age int
		if _, err := fmt.Sscan(c.Values[0], &age); err != nil {
			panic(err)
		}
		if c.Label == map[bool]string{true: "yes", false: "no"}[truth(age, c.Values[1] == "y")] {
			count++
		}
	}
	return count
}

func sickSmoker(age int, smokes bool) bool { return age >= 60 && smokes }

func TestClassifyByARule(t *testing.T) {
	file := smokers(20_000, 9)
	s := open(t, file)
	release := askFor(t, s, labelsRecipe(s, classBoxes, releaseRule, newCases(200), "1"), file)
	l := release.Answer.Result.(*Labels)
	if got := right(l, sickSmoker); got != 200 || l.Yes+l.No != 200 || l.Without != 0 {
		t.Errorf("%d of 200 right: %+v", got, l)
	}
	if l.Rule != "yes for age from 60 on and smokes y, else no" {
		t.Errorf("rule %q", l.Rule)
	}
	if want := []classify.RuleCondition{{Number: 1, Feature: "age", From: "60"},
		{Number: 2, Feature: "smokes", Is: "y"}}; !reflect.DeepEqual(l.RuleParts.Conditions, want) {
		t.Errorf("conditions %+v", l.RuleParts)
	}
	if release.Plan.Loss.Delta().Sign() != 0 {
		t.Errorf("a rule needs no δ: %v", release.Plan.Loss)
	}
	text, err := json.Marshal(release.Answer)
	if err != nil {
		t.Fatal(err)
	}
	var back Answer
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, release.Answer) {
		t.Errorf("%s comes back as %+v, %v", text, back.Result, err)
	}
	if rows := l.Table(ask.Voice{}, ""); len(rows) != 201 ||
		!reflect.DeepEqual(rows[0], []string{"age", "smokes", "label"}) {
		t.Errorf("table of %d rows under %q", len(rows), rows[0])
	}
}

// TestClassifyByVotes: labels by votes come from very many persons; some may be too close, few are
// wrong, and after them there may be a rule.
func TestClassifyByVotes(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a large file")
	}
	file := smokers(150_000, 0)
	s := open(t, file)
	for _, release := range []string{releasePlain, releaseLabels, releaseBoth} {
		r := labelsRecipe(s, classBoxes, release, newCases(6), "8")
		answer := askFor(t, s, r, file)
		l := answer.Answer.Result.(*Labels)
		if got := right(l, sickSmoker); got+l.Without != 6 || l.Without > 2 {
			t.Errorf("%s: %d right, %d without a label: %+v", release, got, l.Without, l.Cases)
		}
		if (l.Rule != "") != (release == releaseBoth) {
			t.Errorf("%s: rule %q", release, l.Rule)
		}
		if loss := answer.Plan.Loss; loss.Delta().Sign() == 0 || loss.Delta().Cmp(big1) >= 0 {
			t.Errorf("%s: loss %v", release, loss)
		}
	}
}

// TestVotesDrawnAgain: votes of people drawn with replacement, as the paper has them, label a case
// where people are very many; with fewer they are refused, by how many would do, and then votes of
// people dealt out still answer.
func TestVotesDrawnAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a large file")
	}
	file := smokers(400_000, 0)
	s := open(t, file)
	release := askFor(t, s, labelsRecipe(s, classBoxes, releaseDrawn, newCases(1), "12"), file)
	l := release.Answer.Result.(*Labels)
	if right(l, sickSmoker)+l.Without != 1 || l.Rule != "" || len(l.Cases) != 1 {
		t.Errorf("%+v", l)
	}
	if e, _ := release.Plan.Loss.Epsilon(); e.Cmp(big.NewRat(12, 1)) > 0 ||
		release.Plan.Loss.Delta().Sign() == 0 ||
		!strings.Contains(release.Plan.Algorithm, "with replacement") {
		t.Errorf("%v of %s", release.Plan.Loss, release.Plan.Algorithm)
	}
	few := labelsRecipe(s, classBoxes, releaseDrawn, newCases(1), "1")
	_, err := s.Plan(few)
	wantField(t, err, paramRelease)
	few.Params[paramRelease] = releaseLabels
	if plan, err := s.Plan(few); err != nil || strings.Contains(plan.Algorithm, "replacement") {
		t.Errorf("%+v, %v", plan, err)
	}
}

// TestVotesInLessons: the example of votes and a rule after them runs at ε = 6, of as many made-up
// people as a lesson has: votes on people as they are for all its cases, those on relabelled ones
// for three people set aside; of fewer people the refusal says how many, at the ε asked for.
func TestVotesInLessons(t *testing.T) {
	if testing.Short() {
		t.Skip("makes up a large file")
	}
	l := lessonOf(classifyTask)
	l.Draws, l.Recipe.Epsilon, l.Recipe.Params = 1, "6", maps.Clone(l.Recipe.Params)
	l.Recipe.Params[paramRelease] = releasePlainBoth
	_, err := Teach(nil, l, nil)
	wantField(t, err, paramRelease)
	if l.Rows = 100_000; !strings.Contains(err.Error(), "at least 74000 persons for 20") {
		t.Error(err)
	}
	check := func(cases int) {
		t.Helper()
		taught, err := Teach(nil, l, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r := taught.Draws[0].Answer.Result.(*Labels); len(r.Cases) != cases || r.Rule == "" {
			t.Errorf("%+v", r)
		}
	}
	check(20)
	l.Rows, l.Aside = 200_000, 3
	l.Recipe.Params[paramRelease], l.Recipe.Params[paramRules] = releaseBoth, classStumps
	check(3)
}

func TestClassifyRules(t *testing.T) {
	file := smokers(20_000, 0)
	s := open(t, file)
	stump := askFor(t, s, labelsRecipe(s, classStumps, releaseRule, newCases(50), "2"), file).
		Answer.Result.(*Labels)
	if got := right(stump, sickSmoker); got < 35 {
		// the best are never and from 60 on, and those between
		t.Errorf("%d of 50 right by %q", got, stump.Rule)
	}
	// Classes of ages: the rule speaks of their borders.
	r := labelsRecipe(s, classBoxes, releaseRule, newCases(200), "2")
	r.Others[1].Cuts = []string{"20", "60", "80"}
	if l := askFor(t, s, r, file).
		Answer.Result.(*Labels); l.Rule != "yes for age from 60 on and smokes y, else no" {
		t.Errorf("with cuts %q", l.Rule)
	}
	// A line between two features.
	r = labelsRecipe(s, classHalfplane, releaseRule, newCases(100), "2")
	l := askFor(t, s, r, file).Answer.Result.(*Labels)
	if got := right(l, sickSmoker); got < 97 || len(l.RuleParts.From) != 2 ||
		!strings.HasPrefix(l.Rule, "yes left of the line from (") {
		t.Errorf("%d of 100 right by %q", got, l.Rule)
	}
}

// TestClassifyCurve: where small ε cannot teach votes, the curve starts later, and what it says is
// nearly what the forecast says.
func TestClassifyCurve(t *testing.T) {
	file := smokers(100_000, 0)
	s := open(t, file)
	for _, release := range []string{releaseRule, releasePlain} {
		r := labelsRecipe(s, classStumps, release, newCases(3), "10")
		points, err := s.Curve(r)
		if err != nil || len(points) < 2 || len(points) == 10 && release == releasePlain {
			t.Fatalf("%s: %d points, %v", release, len(points), err)
		}
		for i := range points[1:] {
			if points[i+1].Error > points[i].Error {
				t.Errorf("%s: the error grows with ε: %v", release, points)
			}
		}
	}
}

// TestClassifyOutlook: what is said of as many cases, as many people and the same rules is what the
// question itself has; fewer cases, and more people, are better.
func TestClassifyOutlook(t *testing.T) {
	s := open(t, smokers(100_000, 0))
	for _, release := range []string{releasePlain, releaseRule} {
		r := labelsRecipe(s, classStumps, release, newCases(100), "10")
		if release == releasePlain {
			r.Params[paramCases], r.Params[paramLater] = "", "10"
		}
		_, prepared, err := ask.Prepare(All{}, r, 100_000)
		if err != nil {
			t.Fatal(err)
		}
		c := prepared.(*labelling)
		own := ""
		if release == releasePlain {
			own = fmt.Sprintf("%.2g %%", c.Bound())
		} else {
			own = fmt.Sprintf(
				"%.2g %%", math.Ceil(1000*(c.rule.ErrorBound(0.05)/100_000+c.rule.Cover(0.05)))/10)
		}
		told := c.outlook()
		for i, want := range []string{
			"1000: ", "1000000: " +
				c.excess(c.class, 10, map[string]int{releasePlain: 10, releaseRule: 100}[release]),
			"a range in each feature, all at once: "} {
			if told[i].Value != own || !strings.Contains(told[i].Detail, want) {
				t.Errorf("%s: %+v, want %s and %q", release, told[i], own, want)
			}
		}
		part := func(times int64, cases int) (percent float64) {
			if _, err := fmt.Sscanf(c.excess(c.class, times, cases), "%g %%",
				&percent); err != nil {
				t.Fatalf("%s: %d cases: %s", release, cases, c.excess(c.class, times, cases))
			}
			return percent
		}
		if fewer, more := part(100, 200), part(100, 2000); release == releasePlain &&
			fewer >= more || release == releaseRule && fewer <= more {
			t.Errorf("%s: 200 cases %g %%, 2000 cases %g %%", release, fewer, more)
		}
	}
}

func TestClassifyRefusals(t *testing.T) {
	file := smokers(1000, 0)
	s := open(t, file)
	for name, test := range map[string]struct {
		change func(r *ask.Recipe)
		field  string
	}{
		"no cases": {func(r *ask.Recipe) { r.Params[paramCases] = " " }, paramCases},
		"too few columns": {func(r *ask.Recipe) { r.Params[paramCases] = "1\n2\n3\n" },
			paramCases},
		"a case out of bounds": {func(r *ask.Recipe) { r.Params[paramCases] = "1,y\n200,n\n" },
			paramCases},
		"a case unreadable": {func(r *ask.Recipe) { r.Params[paramCases] = "1,y\n2,perhaps\n" },
			paramCases},
		"too many cases": {func(r *ask.Recipe) {
			r.Params[paramCases] = strings.Repeat("1,y\n", 5001)
		}, paramCases},
		"more later, of a rule": {func(r *ask.Recipe) { r.Params[paramLater] = "5" }, paramLater},
		"sums that relabel": {func(r *ask.Recipe) {
			r.Params[paramRules], r.Params[paramRelease] = classWeighted, releaseLabels
		}, paramRules},
		"a sum to publish": {func(r *ask.Recipe) { r.Params[paramRules] = classWeighted },
			paramRules},
		"trees of many values": {func(r *ask.Recipe) {
			r.Params[paramRules], r.Params[paramCases] = classTrees, newCases(200)
		}, paramCases},
		"unknown rules": {func(r *ask.Recipe) {
			r.Params[paramRules] = "forest"
		}, paramRules},
		"a line in one": {func(r *ask.Recipe) {
			r.Params[paramRules], r.Others = classHalfplane, r.Others[:2]
		}, paramRules},
		"votes of few": {func(r *ask.Recipe) { r.Params[paramRelease] = releaseLabels },
			paramRelease},
		"votes without δ": {func(r *ask.Recipe) {
			r.Params[paramRelease], r.Params[ask.ParamDelta] = releaseLabels, "0"
		}, "delta"},
		"too many values": {func(r *ask.Recipe) {
			r.Params[paramRules] = classHalfplane
			r.Others[1].Domain.Hi = "2000000000"
		}, "others.1.cuts"},
	} {
		t.Run(name, func(t *testing.T) {
			r := labelsRecipe(s, classBoxes, releaseRule, newCases(10), "1")
			test.change(&r)
			_, err := s.Plan(r)
			wantField(t, err, test.field)
		})
	}
}

// TestClassifyExamples: a person without the outcome or a feature is none, and a row counts as
// often as it says.
func TestClassifyExamples(t *testing.T) {
	file := []byte("age,smokes,sick,n\n50,y,yes,2\n60,,yes,1\n70,n,perhaps,3\n80,n,no,1\n")
	s := open(t, file)
	for count, want := range map[int]string{0: "[49 1] true,[] false,[] false,[79 0] false",
		4: "[49 1] true,[49 1] true,[] false,[] false,[] false,[] false,[79 0] false"} {
		r := labelsRecipe(s, classBoxes, releaseRule, "1,y\n", "1")
		r.Count = count
		r.Others[1].Domain.Lo = "1"
		data := dataOf(t, s, r, file)
		q, p, err := ask.Prepare(All{}, r, must(s.Plan(r)).People)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		examples, err := p.(*labelling).examples(data, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range examples {
			got = append(got, fmt.Sprint(e.Point, e.Yes))
		}
		if strings.Join(got, ",") != want {
			t.Errorf("count column %d of %d people: %v", count, q.People, got)
		}
	}
}
