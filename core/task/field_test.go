package task

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"hush/core/domain"
	"hush/core/table"
)

var yesNo = domain.Spec{Kind: domain.Category, Categories: []string{"yes", "no"}}

// roles is a task that reads an outcome and one to three further columns of numbers, which may be cut.
var roles = &Task{Others: []Role{
	{Name: "outcome", Domains: []domain.Kind{domain.Category}, Min: 1, Max: 1, Values: 2},
	{Name: "feature", Domains: []domain.Kind{domain.Integer, domain.Date}, Min: 1, Max: 3, Cuts: true},
}}

func TestFurtherColumns(t *testing.T) {
	outcome := Field{Role: "outcome", Column: 2, Domain: yesNo}
	feature := Field{Role: "feature", Column: 1, Label: "age", Domain: ageDomain, Cuts: []string{"18", " 65"}}
	list, err := roles.checkOthers([]Field{outcome, feature, {Role: "feature", Column: 3, Domain: ageDomain}})
	if err != nil {
		t.Fatal(err)
	}
	q := &query{others: list}
	fields, first := q.role("feature")
	if len(fields) != 2 || first != 1 || !reflect.DeepEqual(fields[0].cuts, []uint64{18, 65}) {
		t.Errorf("%d features from %d, %+v", len(fields), first, fields)
	}
	if got := names(list); got != "column 2, age, column 3" {
		t.Errorf("names %q", got)
	}
	for _, test := range []struct {
		name, field string
		fields      []Field
	}{
		{"none", "others", nil},
		{"too few", "others", []Field{outcome}},
		{"too many", "others", []Field{outcome, feature, feature, feature, feature}},
		{"in another order", "others", []Field{feature, outcome}},
		{"an unknown role", "others.2.role", []Field{outcome, feature, {Role: "weight", Column: 1, Domain: ageDomain}}},
		{"three outcomes", "others.0.categories", []Field{{Role: "outcome", Column: 1,
			Domain: domain.Spec{Kind: domain.Category, Categories: []string{"a", "b", "c"}}}, feature}},
		{"another kind", "others.1.kind", []Field{outcome, {Role: "feature", Column: 1, Domain: yesNo}}},
		{"bounds the wrong way round", "others.1.hi", []Field{outcome, {Role: "feature", Column: 1, Domain: domain.Spec{Kind: domain.Integer, Lo: "3", Hi: "1"}}}},
		{"a long label", "others.1.label", []Field{outcome, {Role: "feature", Column: 1, Label: strings.Repeat("x", 201), Domain: ageDomain}}},
		{"cuts of the outcome", "others.0.cuts", []Field{{Role: "outcome", Column: 1, Domain: yesNo, Cuts: []string{"no"}}, feature}},
		{"a cut that is no value", "others.1.cuts", []Field{outcome, {Role: "feature", Column: 1, Domain: ageDomain, Cuts: []string{"18.5"}}}},
		{"a cut below all", "others.1.cuts", []Field{outcome, {Role: "feature", Column: 1, Domain: ageDomain, Cuts: []string{"0"}}}},
		{"cuts out of order", "others.1.cuts", []Field{outcome, {Role: "feature", Column: 1, Domain: ageDomain, Cuts: []string{"20", "20"}}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := roles.checkOthers(test.fields)
			wantField(t, err, test.field)
		})
	}
}

// TestFurtherColumnsAreRead: their codes are at hand in the recipe's order, with the counts of the rows, and a change of
// one means another reading; a change of its name does not.
func TestFurtherColumnsAreRead(t *testing.T) {
	file := []byte("age,sick,n\n3,yes,2\n4,no,5\n5,maybe,1\n")
	for _, count := range []int{0, 3} {
		s := open(t, file)
		r := s.recipe("count", 0, ageDomain, nil)
		r.Count = count
		r.Others = []Field{{Role: "outcome", Column: 2, Domain: yesNo}, {Role: "feature", Column: 1, Domain: ageDomain}}
		params := r.read(*s.opened)
		params.Source = s.src
		s.held = encoded(t, params, file)
		d := s.data(r)
		if len(d.others) != 2 || d.groups != nil {
			t.Fatalf("%d further columns, groups %v", len(d.others), d.groups)
		}
		for i, want := range []struct {
			code uint64
			ok   bool
		}{{0, true}, {1, true}, {0, false}} {
			if code, ok := d.others[0].Code(i); ok != want.ok || ok && code != want.code {
				t.Errorf("row %d: outcome %d, %v", i, code, ok)
			}
			if code, _ := d.others[1].Code(i); code != uint64(3+i) {
				t.Errorf("row %d: feature %d", i, code)
			}
		}
		for _, values := range append(d.others, d.values) {
			counted, is := values.(interface{ Persons(int) uint64 })
			if is != (count > 0) || is && counted.Persons(1) != 5 {
				t.Errorf("with count column %d the columns are counted: %v", count, is)
			}
		}
		renamed, recut, moved := clone(r), clone(r), clone(r)
		renamed.Others[1].Label = "years"
		recut.Others[1].Cuts = []string{"18"}
		moved.Others[1].Column = 2
		if columnKey(renamed) != columnKey(r) || columnKey(recut) != columnKey(r) || columnKey(moved) == columnKey(r) {
			t.Error("a column is read anew for a name or a cut, or not for another column")
		}
	}
}

func clone(r Recipe) Recipe {
	r.Others = append([]Field(nil), r.Others...)
	return r
}

func TestFurtherColumnsOfTheFile(t *testing.T) {
	file := ages(10)
	s := open(t, file)
	for _, test := range []struct {
		name, field string
		others      []Field
	}{
		{"beyond the last", "others.1.column", []Field{{Role: "outcome", Column: 2, Domain: yesNo}, {Role: "feature", Column: 3, Domain: ageDomain}}},
		{"none", "others.0.column", []Field{{Role: "outcome", Domain: yesNo}}},
		{"a bound that is no number", "others.0.lo", []Field{{Role: "feature", Column: 1, Domain: domain.Spec{Kind: domain.Integer, Lo: "few"}}}},
		{"of a task that has none", "others.0.role", []Field{{Role: "outcome", Column: 2, Domain: yesNo}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := s.recipe("count", 0, ageDomain, nil)
			r.Others = test.others
			_, err := s.Plan(r)
			wantField(t, err, test.field)
			_, err = s.Encode(r)
			wantField(t, err, test.field)
		})
	}
}

func TestParamKinds(t *testing.T) {
	task := &Task{ID: "made-up", Params: []Param{
		{Name: "depth", Kind: Integer, Default: "3", Min: 1, Max: 16},
		{Name: "algorithm", Kind: Chosen, Default: "auto", Choices: []Choice{{"auto", "the best one"}, {"tree", "a tree"}}},
		{Name: "exact", Kind: Flag, Default: "false"},
		{Name: "parts", Kind: Text, Default: "25"},
	}}
	for name, values := range map[string][2][]string{
		"depth":     {{"1", "16"}, {"0", "17", "-1", "2.0", "", "99999999999999999999"}},
		"algorithm": {{"auto", "tree"}, {"", "Auto", "bush"}},
		"exact":     {{"true", "false"}, {"", "yes"}},
		"parts":     {{"", "anything"}, {strings.Repeat("x", maxParam+1)}},
		"other":     {nil, {"1"}},
	} {
		for _, good := range values[0] {
			if err := task.check(Params{name: good}); err != nil {
				t.Errorf("%s %q: %v", name, good, err)
			}
		}
		for _, bad := range values[1] {
			wantField(t, task.check(Params{name: bad}), name)
		}
	}
	q := &query{task: task, recipe: Recipe{Params: Params{"exact": "true"}}}
	if q.integer("depth") != 3 || !q.flag("exact") || q.param("algorithm") != "auto" {
		t.Error("a parameter or a default is lost")
	}
}

// TestCatalogueIsSound: every task's defaults are of their kinds, and its roles and fields have names of their own.
func TestCatalogueIsSound(t *testing.T) {
	ids := map[string]bool{}
	for _, task := range Catalogue() {
		if ids[task.ID] || task.prepare == nil {
			t.Errorf("the task %q comes twice or does nothing", task.ID)
		}
		ids[task.ID] = true
		names := map[string]bool{}
		for _, p := range task.Params {
			if err := p.check(p.Default); err != nil || names[p.Name] {
				t.Errorf("%s: the default of %q: %v, or it comes twice", task.ID, p.Name, err)
			}
			names[p.Name] = true
		}
		for _, r := range task.Others {
			if names[r.Name] || r.Min < 0 || r.Max < max(r.Min, 1) || len(r.Domains) == 0 || r.Label == "" {
				t.Errorf("%s: the role %+v", task.ID, r)
			}
			names[r.Name] = true
		}
		if len(task.Domains) == 0 && len(task.Others) == 0 {
			t.Errorf("%s reads nothing", task.ID)
		}
	}
}

func TestAnswerRoundTrip(t *testing.T) {
	for _, result := range []Result{
		&Histogram{Bins: []Bin{{"1–2", -3}}, Error: 4, AllError: 5}, &Median{Value: "7", RankError: 2},
		&Estimates{Name: "mean", Rows: []Estimate{{Value: "1.5", Low: "1", High: "2"}}}, &Quantiles{Rows: []Quantile{{"25 %", "3", "", 1}}},
		&Distribution{Points: []DistributionPoint{{"3", "1", 2, 2.5}}, Total: 7, Error: 1},
		&Density{Cells: []DensityCell{{"1", "3", "2", 2, 0.5}}, Bands: []DensityBand{{"3", "2", 1, 4}}, People: 5},
		&Winner{Value: "Rom", Behind: "3", Score: "people", Count: "12", Error: "4"},
		&Clusters{Columns: []string{"age", "dose"}, Centres: []Cluster{{[]string{"3", "4"}, 12}}, Error: 2, Least: 7},
		&Histogram{Bins: []Bin{{"1–2", 3}}},
		&MadeUp{Columns: []MadeUpColumn{{Name: "age", Density: Density{Cells: []DensityCell{{"1", "2", "1", 3, 1.5}}, People: 4}, Missing: 250000}}, People: 4},
		&Conjunctions{Attributes: []Attribute{{Name: "city = Hill", Column: "city"}}, Width: 1, Typical: 2.5, Release: savedRelease("conjunctions")},
		&Contacts{Vertices: []string{"Hill", "Mill"}, Typical: 2.5, Release: savedRelease("cuts")},
		&LearnedRule{Yes: "yes", No: "no", Conditions: []string{"age ≥ 18"}, Right: 5, Error: 2, People: 9, Extra: 3},
		&Cutoff{Rule: "yes from 3 on", Value: "3", At: "1", Above: true, Extra: 2, Curve: []CutoffPoint{{"3", 50, 40, 60, true}}},
	} {
		text, err := json.Marshal(Answer{result})
		if err != nil || !strings.HasPrefix(string(text), `{"`+result.Kind()+`":{`) {
			t.Fatalf("%s, %v", text, err)
		}
		var back Answer
		if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back.Result, result) {
			t.Errorf("%s comes back as %+v, %v", text, back.Result, err)
		}
	}
	for _, text := range []string{`{"mode":{}}`, `{"median":{},"quantiles":{}}`, `{"median":3}`, `[]`,
		`{"contacts":{"vertices":["Hill","Mill"]}}`, `{"contacts":{"vertices":["Hill"],"release":` + marshal(t, savedRelease("cuts")) + `}}`,
		`{"contacts":{"vertices":["Hill"],"release":` + marshal(t, savedRelease("conjunctions")) + `}}`, `{"conjunctions":{"attributes":[],"release":` + marshal(t, savedRelease("conjunctions")) + `}}`,
		`{"conjunctions":{"attributes":[{"name":"age ≥ 18","side":"from"}],"release":` + marshal(t, savedRelease("conjunctions")) + `}}`} {
		if err := json.Unmarshal([]byte(text), new(Answer)); err == nil {
			t.Errorf("%s is taken for an answer", text)
		}
	}
}

// encoded reads a file.
func encoded(t *testing.T, p table.EncodeParams, file []byte) *table.Encoded {
	t.Helper()
	pass, err := table.NewEncode(p)
	if err != nil {
		t.Fatal(err)
	}
	feed(t, pass, file)
	return pass.Result()
}
