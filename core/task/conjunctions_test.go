package task

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
	queries "hush/core/query"
)

// savedRelease is a release of one attribute, or of the cuts of two vertices.
func savedRelease(kind string) *queries.Release {
	method, size, extra := "marginals", 1, `,"width":1`
	if kind == "cuts" {
		method, size, extra = "pairs", 2, ""
	}
	var r queries.Release
	err := json.Unmarshal(
		[]byte(fmt.Sprintf(
			`{"format":1,"method":%q,"kind":%q,"size":%d,"persons":9,"loss":{"epsilon":"1","delta":"0"},"origin":"crypto","noise":1.5,"counts":[4]%s}`, method, kind, size, extra)), &r)
	if err != nil {
		panic(err)
	}
	return &r
}

// town returns a file of n people: their age from 0 to 99, their city, whether they smoke, and
// whether they are ill, as the smokers from 50 on are.
func town(n int) (file []byte, truth func(chosen ...string) int) {
	var b strings.Builder
	b.WriteString("age,city,smoker,ill\n")
	var people []map[string]bool
	for i := range n {
		age, city, smoker := i*37%100, []string{"Hill", "Mill", "Lake"}[i*7%13%3],
			map[bool]string{true: "yes", false: "no"}[i%4 == 0]
		ill := age >= 50 && smoker == "yes"
		fmt.Fprintf(&b, "%d,%s,%s,%v\n", age, city, smoker, ill)
		people = append(people,
			map[string]bool{"city = " + city: true, "smoker = " + smoker: true,
				"age ≥ 50": age >= 50, "age < 50": age < 50, "age ≥ 20": age >= 20,
				"age < 20": age < 20, "city ≠ Hill": city != "Hill", "city ≠ Mill": city != "Mill",
				"city ≠ Lake": city != "Lake"})
	}
	return []byte(b.String()), func(chosen ...string) int {
		all := 0
		for _, p := range people {
			has := true
			for _, c := range chosen {
				has = has && p[c]
			}
			if has {
				all++
			}
		}
		return all
	}
}

func category(values ...string) domain.Spec {
	return domain.Spec{Kind: domain.Category, Categories: values}
}

// townAttributes are six attributes of three columns, and more.
func townAttributes() []ask.Field {
	return []ask.Field{
		{Role: "attribute", Column: 1, Label: "age",
			Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "120"},
			Cuts:   []string{"20", "50"}},
		{Role: "attribute", Column: 2, Label: "city", Domain: category("Hill", "Mill", "Lake")},
		{Role: "attribute", Column: 3, Label: "smoker", Domain: category("yes", "no")},
	}
}

func withoutMain(s *Session, task string, others []ask.Field, params ask.Params) ask.Recipe {
	r := recipe(s, task, 0, domain.Spec{}, params)
	r.Column, r.Others = 0, others
	return r
}

// TestConjunctions asks every single attribute and every pair of a release of each method, after it
// was saved and opened again.
func TestConjunctions(t *testing.T) {
	const n = 20_000
	file, truth := town(n)
	for method, off := range map[string]float64{"auto": 0.01, "marginals": 0.01, "tables": 0.01,
		"product": 0.02, "MWEM": 0.03, "pieces": 0.6, "disjunctions": 0.6} {
		t.Run(method, func(t *testing.T) {
			s := open(t, file)
			release := askFor(
				t, s, withoutMain(s, "conjunctions", townAttributes(),
					ask.Params{"method": method}), file)
			var saved Release
			if err := json.Unmarshal([]byte(release.JSON("")), &saved); err != nil {
				t.Fatal(err)
			}
			c := saved.Answer.Result.(*Conjunctions)
			if len(c.Attributes) != 9 || c.Attributes[0].Name != "age ≥ 20" ||
				c.Attributes[8].Name != "smoker = no" {
				t.Fatalf("attributes %v", c.Attributes)
			}
			if !release.Plan.Loss.AtMost(c.Release.Loss) ||
				!c.Release.Loss.AtMost(release.Plan.Loss) {
				t.Errorf("planned %v, released %v", release.Plan.Loss, c.Release.Loss)
			}
			worst := 0.0
			for x := range c.Attributes {
				for y := range x + 1 {
					chosen, names := []int{x, y},
						[]string{c.Attributes[x].Name, c.Attributes[y].Name}
					found, err := c.Ask(chosen, false)
					if err != nil {
						t.Fatal(err)
					}
					want := float64(truth(names...))
					worst = max(worst, math.Abs(found.People-want)/n)
					if found.Sure && math.Abs(found.People-want) > 3*found.Error {
						t.Errorf("%v: %v ± %v, truly %v", names, found.People, found.Error, want)
					}
					any, err := c.Ask(chosen, true)
					if want := float64(
						truth(names[0]) + truth(names[1]) - truth(names...)); err != nil ||
						math.Abs(any.People-want)/n > 3*off {
						t.Errorf("any of %v: %v, %v, truly %v", names, any.People, err, want)
					}
				}
			}
			if worst > off {
				t.Errorf("worst error %v", worst)
			}
			if table := release.Table(nil); len(table) < 10 || len(table[3]) != 3 {
				t.Errorf("table %v", table)
			}
			if !strings.Contains(release.Statement, "of 9 attributes of age, city, smoker") {
				t.Errorf("statement %q", release.Statement)
			}
			if found, err := c.Ask([]int{0, 2, 4}, false); err != nil ||
				math.Abs(found.People-float64(truth("age ≥ 50", "city = Hill")))/n > off {
				t.Errorf("a cut point that follows from another: %+v, %v", found, err)
			}
			if found, err := c.Ask([]int{4, 5}, false); err != nil || found.People != 0 ||
				!found.Sure {
				t.Errorf("two cities: %+v, %v", found, err)
			}
			if _, err := c.Ask([]int{0, 4, 7}, false); err == nil {
				t.Error("three attributes together")
			}
			any, err := c.Ask([]int{4, 7}, true)
			none, err2 := c.None([]int{4, 7})
			if err != nil || err2 != nil || math.Abs(any.People+none.People-n) > 1e-6 ||
				none.Error != any.Error {
				t.Errorf("%+v and %+v, %v, %v", any, none, err, err2)
			}
			if _, err := c.None([]int{99}); err == nil {
				t.Error("an attribute that there is not")
			}
			if c.Release.Method == queries.ByProduct { // not by inclusion and exclusion
				all, err := c.Ask([]int{0, 1, 2, 3, 4, 5, 6, 7, 8}, true)
				if err != nil || math.Abs(all.People-n)/n > 3*off {
					t.Errorf("any of all: %+v, %v", all, err)
				}
			}
		})
	}
}

// TestNegations: having another category is one more attribute, for every method and in every pair,
// also after the release was saved. A person without a category does not have another one, and a
// column of two categories gets no “not”. Counted as cells, it adds no noise.
func TestNegations(t *testing.T) {
	const n, unknown = 20_000, 1000
	file, truth := town(n)
	file = append(file, bytes.Repeat([]byte("30,,no,false\n"), unknown)...)
	plain := 0.0
	for _, test := range []struct {
		method, negations string
		off               float64
	}{{"tables", "false", 0.01}, {"tables", "true", 0.01}, {"marginals", "true", 0.01},
		{"product", "true", 0.02}, {"MWEM", "true", 0.06}, {"pieces", "true", 0.7},
		{"disjunctions", "true", 0.7}} {
		t.Run(test.method+" "+test.negations, func(t *testing.T) {
			s := open(t, file)
			release := askFor(t, s, withoutMain(s, "conjunctions", townAttributes(),
				ask.Params{"method": test.method, "negations": test.negations}), file)
			var saved Release
			if err := json.Unmarshal([]byte(release.JSON("")), &saved); err != nil {
				t.Fatal(err)
			}
			c := saved.Answer.Result.(*Conjunctions)
			if test.negations == "false" {
				plain = c.Release.Noise
				if len(c.Attributes) != 9 {
					t.Errorf("%v", c.Attributes)
				}
				return
			}
			if len(c.Attributes) != 12 || c.Attributes[7].Name != "city ≠ Hill" &&
				c.Attributes[7].Name != "city ≠ Mill" {
				t.Fatalf("attributes %v", c.Attributes)
			}
			if test.method == "tables" && c.Release.Noise != plain {
				t.Errorf("noise %g, without negations %g", c.Release.Noise, plain)
			}
			for x, a := range c.Attributes {
				for y, b := range c.Attributes[:x+1] {
					chosen := []int{x, y}
					want := float64(truth(a.Name, b.Name))
					either := float64(truth(a.Name)+truth(b.Name)) - want
					for _, name := range []string{"age ≥ 20", "age < 50", "smoker = no"} {
						hasA, hasB := a.Name == name, b.Name == name // as those without a city
						rest := func(x Attribute) bool {
							return x.Name == "age ≥ 20" || x.Name == "age < 50" ||
								x.Name == "smoker = no"
						}
						if name == a.Name && (hasB || rest(b)) {
							want += unknown
						}
						if hasA || hasB && !rest(a) {
							either += unknown
						}
					}
					for any, want := range map[bool]float64{false: want, true: either} {
						found, err := c.Ask(chosen, any)
						if err != nil || math.Abs(found.People-want)/n > test.off {
							t.Errorf("%s, %s, any %v: %+v, %v, truly %g", a.Name, b.Name, any,
								found, err, want)
						}
					}
				}
			}
			at := func(name string) int {
				return slices.IndexFunc(c.Attributes, func(a Attribute) bool {
					return a.Name == name
				})
			}
			if found, err := c.Ask([]int{at("city = Hill"), at("city ≠ Hill")},
				false); err != nil || found.People != 0 || !found.Sure {
				t.Errorf("a city and not: %+v, %v", found, err)
			}
		})
	}
	s := open(t, file)
	grade := func(method string) ask.Grade {
		plan, err := s.Plan(withoutMain(s, "conjunctions", townAttributes(),
			ask.Params{"method": method}))
		if err != nil {
			t.Fatal(err)
		}
		return plan.Verdict.Grade
	}
	if all, any := grade("pieces"), grade("disjunctions"); all == ask.Good || any == ask.Noise {
		t.Errorf("pieces are judged %v for all of two, and %v for any", all, any)
	}
	saved := &Conjunctions{Attributes: []Attribute{{Name: "city ≠ Hill", Side: NotIt}},
		Release: savedRelease("conjunctions")}
	if saved.Check() == nil {
		t.Error("a “not” of no category is taken")
	}
}

// TestConjunctionsSpendsDelta: a δ is spent where it helps, and not where it does not or may not.
func TestConjunctionsSpendsDelta(t *testing.T) {
	file, _ := town(20_000)
	s := open(t, file)
	for _, test := range []struct {
		method, together, delta string
		spent                   bool
	}{{"marginals", "4", "auto", true}, {"marginals", "4", "0", false},
		{"product", "1", "auto", false}, {"auto", "4", "auto", false}} {
		plan, err := s.Plan(
			withoutMain(s, "conjunctions", townAttributes(),
				ask.Params{"method": test.method, "together": test.together,
					"delta": test.delta}))
		if err != nil {
			t.Fatal(err)
		}
		if spent := plan.Loss.Delta().Sign() > 0; spent != test.spent {
			t.Errorf("%+v: loss %v by %s", test, plan.Loss, plan.Algorithm)
		}
	}
}

func TestConjunctionsRefuses(t *testing.T) {
	file, _ := town(100)
	s := open(t, file)
	uncut, cutCategory := townAttributes(), townAttributes()
	uncut[0].Cuts, cutCategory[1].Cuts = nil, []string{"Mill"}
	many := make([]string, 300)
	for i := range many {
		many[i] = fmt.Sprint("c", i)
	}
	for name, test := range map[string]struct {
		others []ask.Field
		params ask.Params
		field  string
	}{
		"no cuts":            {uncut, nil, "others.0.cuts"},
		"cuts of a category": {cutCategory, nil, "others.1.cuts"},
		"too many attributes": {
			[]ask.Field{{Role: "attribute", Column: 2, Domain: category(many...)}}, nil,
			"others.0.column"},
		"MWEM of one together": {townAttributes(), ask.Params{"method": "MWEM", "together": "1"},
			"method"},
		"nine together":        {townAttributes(), ask.Params{"together": "9"}, "together"},
		"a δ of more than 1/n": {townAttributes(), ask.Params{"delta": "0.5"}, "delta"},
		"marginals of too many": {
			[]ask.Field{{Role: "attribute", Column: 2, Domain: category(many[:200]...)}},
			ask.Params{"together": "5", "method": "marginals"}, "method"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.Plan(withoutMain(s, "conjunctions", test.others, test.params))
			wantField(t, err, test.field)
		})
	}
}

// TestConjunctionsOfCountedRows: rows that stand for several people are counted as such.
func TestConjunctionsOfCountedRows(t *testing.T) {
	file := []byte("city,smoker,n\nHill,yes,3000\nHill,no,1000\nMill,no,6000\n")
	s := open(t, file)
	r := withoutMain(s, "conjunctions",
		[]ask.Field{{Role: "attribute", Column: 1, Domain: category("Hill", "Mill")},
			{Role: "attribute", Column: 2, Domain: category("yes", "no")}}, nil)
	r.Count = 3
	c := askFor(t, s, r, file).Answer.Result.(*Conjunctions)
	found, err := c.Ask([]int{0, 2}, false)
	if err != nil || math.Abs(found.People-3000) > 200 || c.Release.Persons != 10_000 {
		t.Errorf("%+v of %d, %v", found, c.Release.Persons, err)
	}
}

// TestSharesOfPlaces: with several parts of the places each piece has a mean for each, a set is
// answered by the nearest, and there is more noise; pairs answer as before, and the forecast is of
// such sets. On a star that all contacts leave, small sets have few contacts and large ones many.
func TestSharesOfPlaces(t *testing.T) {
	const n, v = 20_000, 12
	places := make([]string, v)
	for i := range places {
		places[i] = fmt.Sprint("place ", i)
	}
	var b strings.Builder
	b.WriteString("from,to\n")
	for i := range n {
		fmt.Fprintf(&b, "%s,%s\n", places[i%v], places[i/v%v])
	}
	file := []byte(b.String())
	list := []ask.Field{{Role: "from", Column: 1, Domain: category(places...)},
		{Role: "to", Column: 2, Domain: category(places...)}}
	s := open(t, file)
	asked := func(method, shares string) ask.Recipe {
		return withoutMain(s, "contacts", list,
			ask.Params{paramMethod: method, paramShares: shares})
	}
	one := askFor(t, s, asked("pieces", "50"), file)
	several := askFor(t, s, asked("pieces", "8, 50, 92"), file)
	c, few := several.Answer.Result.(*Contacts), []int{3}
	if pieces := c.Pieces(); len(c.Release.Workloads) != 3 ||
		len(pieces) != 3*len(c.Release.Pieces) || pieces[0].Share != 8 || pieces[2].Share != 92 {
		t.Errorf("%+v", pieces)
	}
	for _, chosen := range [][]int{few, {0, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}} {
		p := float64(len(chosen)) / v
		found, err := c.Ask(chosen)
		if want := 2 * p * (1 - p) * n; err != nil || math.Abs(found.People-want) > n/20 {
			t.Errorf("%v: %+v, %v, truly %.0f", chosen, found, err, want)
		}
	}
	old := one.Answer.Result.(*Contacts)
	if found, err := old.Ask(few); err != nil || found.People < n/3 {
		t.Errorf("by the mean of halves, %v have %+v, %v", few, found, err)
	}
	if c.Typical <= old.Typical || c.Release.Noise < 2.9*old.Release.Noise ||
		old.Pieces()[0].Share != 0 || len(several.Table(nil)[1]) != 1+len(one.Table(nil)[1]) {
		t.Errorf("typically %g and %g, noise %g and %g", c.Typical, old.Typical, c.Release.Noise,
			old.Release.Noise)
	}
	half, tenth := must(s.Plan(asked("pairs", "50"))), must(s.Plan(asked("pairs", "10")))
	if half.Verdict.Error <= tenth.Verdict.Error ||
		half.Forecast[0].Detail == tenth.Forecast[0].Detail ||
		len(several.Plan.Forecast) != len(tenth.Forecast)+1 {
		t.Errorf("pairs are off by %+v for halves, %+v for tenths", half.Verdict, tenth.Verdict)
	}
	for _, text := range []string{"", "0", "100", "50, 10", "10, 10", "1,2,3,4,5", "x", "12.5"} {
		_, err := s.Plan(asked("pieces", text))
		if text != "" { // an empty one is the default
			wantField(t, err, paramShares)
		}
	}
}

// TestContacts compares cuts with the truth, by either method.
func TestContacts(t *testing.T) {
	places := []string{"Hill", "Mill", "Lake", "Wood"}
	var b strings.Builder
	b.WriteString("from,to\n")
	edges := map[[2]int]int{}
	const n = 12_000
	for i := range n {
		u, v := i%4, i*i%7%4
		edges[[2]int{u, v}]++
		fmt.Fprintf(&b, "%s,%s\n", places[u], places[v])
	}
	file := []byte(b.String())
	list := []ask.Field{{Role: "from", Column: 1, Domain: category(places...)},
		{Role: "to", Column: 2, Domain: category(places...)}}
	for method, off := range map[string]float64{"auto": 100, "pairs": 100, "pieces": n} {
		s := open(t, file)
		release := askFor(t, s, withoutMain(s, "contacts", list, ask.Params{"method": method}),
			file)
		c := release.Answer.Result.(*Contacts)
		for mask := range 16 {
			var chosen []int
			for x := range 4 {
				if mask>>x&1 == 1 {
					chosen = append(chosen, x)
				}
			}
			want := 0
			for e, count := range edges {
				if mask>>e[0]&1 != mask>>e[1]&1 {
					want += count
				}
			}
			found, err := c.Ask(chosen)
			if err != nil || math.Abs(found.People-float64(want)) > off {
				t.Errorf("%s, %v: %+v, %v, truly %d", method, chosen, found, err, want)
			}
		}
		rows := 1 + 4
		for y := range places {
			for x := range y {
				found, err := c.Between(x, y)
				if want := edges[[2]int{x, y}] + edges[[2]int{y, x}]; c.Paired() &&
					(err != nil || math.Abs(found.People-float64(want)) > 50) || !c.Paired() &&
					err == nil {
					t.Errorf("%s, between %d and %d: %+v, %v, truly %d", method, x, y, found, err,
						want)
				}
				if c.Paired() {
					rows++
				}
			}
		}
		if !c.Paired() {
			rows = 1 + len(c.Release.Pieces)
		}
		if len(release.Table(nil)) != rows {
			t.Errorf("table %v", release.Table(nil))
		}
		if e, _ := release.Plan.Loss.Epsilon(); e.Cmp(big1) > 0 || release.Plan.Loss.Delta().
			Sign() != 0 {
			t.Errorf("loss %v", release.Plan.Loss)
		}
	}
	s := open(t, file)
	list[1].Domain = category("Hill", "Mill", "Wood", "Lake")
	_, err := s.Plan(withoutMain(s, "contacts", list, nil))
	wantField(t, err, "others.1.categories")
}

// TestRule finds who is ill, by scoring and, of many attributes, by growing.
func TestRule(t *testing.T) {
	const n = 20_000
	file, truth := town(n)
	s := open(t, file)
	outcome := ask.Field{Role: "outcome", Column: 4, Domain: category("true", "false")}
	release := askFor(
		t, s, withoutMain(s, "rule", append([]ask.Field{outcome}, townAttributes()...), nil), file)
	r := release.Answer.Result.(*LearnedRule)
	if r.Rule(nil) != "true if age ≥ 50 and smoker = yes, else false" || r.Right < n-200 ||
		r.Right > n || r.Extra == 0 {
		t.Errorf("%+v; ill are %d", r, truth("age ≥ 50", "smoker = yes"))
	}
	many := townAttributes()
	for c := 1; c < 100; c++ {
		many[0].Cuts = append(many[0].Cuts[:c-1:c-1], fmt.Sprint(c))
	}
	release = askFor(
		t, s, withoutMain(s, "rule", append([]ask.Field{outcome}, many...),
			ask.Params{"together": "3"}), file)
	grown := release.Answer.Result.(*LearnedRule)
	if grown.Extra != 0 || grown.Right < n*8/10 || len(grown.Conditions) == 0 {
		t.Errorf("%+v", grown)
	}
	if (&LearnedRule{Yes: "ill"}).Rule(nil) != "always ill" {
		t.Error("the empty rule")
	}
}

// TestLearnedPieces: the paper's learners from exact values and from rounded ones are offered in
// lessons alone, without a promise.
func TestLearnedPieces(t *testing.T) {
	for _, method := range []string{taughtExact, taughtTolerant} {
		l := lessonOf(conjunctionsTask)
		l.Recipe.Task, l.Recipe.Epsilon = "conjunctions", "1"
		l.Recipe.Params = ask.Params{paramMethod: method}
		taught, err := Teach(nil, l, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range taught.Draws {
			if d.Plan.Loss.Protects() {
				t.Errorf("%s costs %v", method, d.Plan.Loss)
			}
		}
		s := open(t, set(l.Sample).CSV())
		r := l.Recipe
		r.Version, r.Table = ask.RecipeVersion, must(s.Opened()).Options
		if _, err := s.Plan(r); err == nil || !strings.Contains(err.Error(), "for lessons") {
			t.Errorf("a release takes %s: %v", method, err)
		}
	}
}

// TestLocalPrice: the lesson tells what it costs to trust nobody beside noise added centrally.
func TestLocalPrice(t *testing.T) {
	off := map[string]float64{}
	for _, method := range []string{taughtLocal, "product"} {
		l := lessonOf(conjunctionsTask)
		l.Recipe.Task, l.Recipe.Epsilon = "conjunctions", "1"
		l.Recipe.Params = ask.Params{paramMethod: method, paramTogether: "1"}
		taught, err := Teach(nil, l, nil)
		if err != nil {
			t.Fatal(err)
		}
		if e, _ := taught.Draws[0].Plan.Loss.Epsilon(); e.Cmp(big1) > 0 {
			t.Errorf("%s costs %v", method, taught.Draws[0].Plan.Loss)
		}
		off[method] = taught.Draws[0].Plan.Off.Typical
	}
	if off[taughtLocal] < 3*off["product"] {
		t.Errorf("typically off by %v", off)
	}
}

// TestProvenForecasts: the bounds that papers prove stand in the forecasts of their ways, as the
// mechanisms say them, and nowhere else.
func TestProvenForecasts(t *testing.T) {
	file, _ := town(20_000)
	s := open(t, file)
	for _, test := range []struct {
		recipe ask.Recipe
		says   string // empty: nothing of the kind
		value  string
	}{
		{withoutMain(s, "conjunctions", townAttributes(), ask.Params{"method": methodOracle}),
			"The oracle's own answers", "± 175 people"},
		{withoutMain(s, "conjunctions", townAttributes(), ask.Params{"method": methodChecks}),
			"A combination looked at is judged correctly", "± 1\u00a0928 people"},
		{withoutMain(s, "conjunctions", townAttributes(), ask.Params{"method": "pieces"}), "", ""},
		{recipe(s, "density", 1, hundredDomain, ask.Params{"method": "histogram"}),
			"All ranges together, for a larger population", "at most 5.16 %"},
		{recipe(s, "median", 1, hundredDomain, nil), "No method works with fewer than", "8 people"},
		{recipe(s, "cutoff", 1, hundredDomain, nil), "No method works with fewer than",
			"8 people"},
		{recipe(s, "cutoff", 1, hundredDomain, ask.Params{"learner": "realizable"}),
			"Misclassified in a larger population", "at most 1 %"},
		{recipe(s, "histogram", 1, hundredDomain, nil), "", ""},
	} {
		if test.recipe.Task == "cutoff" {
			test.recipe.Others = []ask.Field{{Role: ask.RoleOutcome, Column: 4,
				Domain: category("true", "false")}}
		}
		plan, err := s.Plan(test.recipe)
		if err != nil {
			t.Fatal(err)
		}
		found := ""
		for _, f := range plan.Forecast {
			switch f.Label {
			case "The oracle's own answers", "A combination looked at is judged correctly",
				"All ranges together, for a larger population",
				"Misclassified in a larger population", "No method works with fewer than":
				if found == "" {
					found = f.Label + ": " + f.Value
				}
			}
		}
		if want := test.says + ": " + test.value; test.says == "" && found != "" ||
			test.says != "" && !strings.HasPrefix(found, want) {
			t.Errorf("%s %v: %q, want %q", test.recipe.Task, test.recipe.Params, found, want)
		}
	}
}
