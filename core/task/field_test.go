package task

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/table"
)

var yesNo = domain.Spec{Kind: domain.Category, Categories: []string{"yes", "no"}}

func TestFurtherColumnsOfTheFile(t *testing.T) {
	file := ages(10)
	s := open(t, file)
	for _, test := range []struct {
		name, field string
		others      []ask.Field
	}{
		{"beyond the last", "others.1.column",
			[]ask.Field{{Role: "outcome", Column: 2, Domain: yesNo},
				{Role: "feature", Column: 3, Domain: ageDomain}}},
		{"none", "others.0.column", []ask.Field{{Role: "outcome", Domain: yesNo}}},
		{"a bound that is no number", "others.0.lo",
			[]ask.Field{
				{Role: "feature", Column: 1,
					Domain: domain.Spec{Kind: domain.Integer, Lo: "few"}}}},
		{"of a task that has none", "others.0.role",
			[]ask.Field{{Role: "outcome", Column: 2, Domain: yesNo}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := recipe(s, "count", 0, ageDomain, nil)
			r.Others = test.others
			_, err := s.Plan(r)
			wantField(t, err, test.field)
			_, err = s.Encode(r)
			wantField(t, err, test.field)
		})
	}
}

// TestCatalogueIsSound: every task's defaults are of their kinds, and its roles and fields have
// names of their own.
func TestCatalogueIsSound(t *testing.T) {
	ids := map[string]bool{}
	for _, task := range Catalogue() {
		if ids[task.ID] || task.Prepare == nil {
			t.Errorf("the task %q comes twice or does nothing", task.ID)
		}
		ids[task.ID] = true
		names := map[string]bool{}
		for _, p := range task.Params {
			if err := p.Check(p.Default); err != nil || names[p.Name] {
				t.Errorf("%s: the default of %q: %v, or it comes twice", task.ID, p.Name, err)
			}
			names[p.Name] = true
		}
		for _, r := range task.Others {
			if names[r.Name] || r.Min < 0 || r.Max < max(r.Min, 1) || len(r.Domains) == 0 ||
				r.Label == "" {
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
	for _, result := range []ask.Result{
		&Histogram{Bins: []Bin{{"1–2", -3, "1", "3"}}, Error: 4, AllError: 5, Width: "2"},
		&Median{Value: "7", RankError: 2},
		&Estimates{Name: "mean", Rows: []Estimate{{Value: "1.5", Low: "1", High: "2"}}},
		&Quantiles{Rows: []Quantile{{"25 %", "3", "", 1, nil}}},
		&Median{Value: "7", RankError: 2, Measured: true, Around: 9,
			Span: &Span{Low: "5", High: "8"}},
		&Quantiles{Rows: []Quantile{{"25 %", "3", "", 1, &Span{Low: "2", High: "3"}}}, Around: 9},
		&Distribution{Points: []DistributionPoint{{"3", "1", 2, 2.5}}, Total: 7, Error: 1},
		&Density{Cells: []DensityCell{{"1", "3", "2", 2, 0.5}},
			Bands: []DensityBand{{"3", "2", 1, 4}}, People: 5},
		&Winner{Value: "Rom", Behind: "3", Score: "people", Count: "12", Error: "4"},
		&Clusters{Columns: []string{"age", "dose"}, Centres: []Cluster{{[]string{"3", "4"}, 12}},
			Error: 2, Least: 7},
		&Histogram{Bins: []Bin{{Label: "1–2", Count: 3}}},
		&MadeUp{Columns: []MadeUpColumn{
			{Name: "age",
				Density: Density{Cells: []DensityCell{{"1", "2", "1", 3, 1.5}}, People: 4},
				Missing: 250000}}, People: 4},
		&Conjunctions{Attributes: []Attribute{{Name: "city = Hill", Column: "city"}}, Width: 1,
			Typical: 2.5, Release: savedRelease("conjunctions")},
		&Contacts{Vertices: []string{"Hill", "Mill"}, Typical: 2.5, Release: savedRelease("cuts")},
		&LearnedRule{Yes: "yes", No: "no", Conditions: []string{"age ≥ 18"}, Right: 5, Error: 2,
			People: 9, Extra: 3},
		&Cutoff{Rule: "yes from 3 on", Value: "3", At: "1", Above: true, Extra: 2,
			Curve: []CutoffPoint{{"3", 50, 40, 60, true}}},
	} {
		text, err := json.Marshal(Answer{Result: result})
		if err != nil || !strings.HasPrefix(string(text), `{"`+result.Kind()+`":{`) {
			t.Fatalf("%s, %v", text, err)
		}
		var back Answer
		if err := json.Unmarshal(text, &back); err != nil ||
			!reflect.DeepEqual(back.Result, result) {
			t.Errorf("%s comes back as %+v, %v", text, back.Result, err)
		}
	}
	for _, text := range []string{`{"mode":{}}`, `{"median":{},"quantiles":{}}`, `{"median":3}`,
		`[]`,
		`{"contacts":{"vertices":["Hill","Mill"]}}`,
		`{"contacts":{"vertices":["Hill"],"release":` + marshal(t, savedRelease("cuts")) + `}}`,
		`{"contacts":{"vertices":["Hill"],"release":` + marshal(t, savedRelease("conjunctions")) +
			`}}`, `{"conjunctions":{"attributes":[],"release":` +
			marshal(t, savedRelease("conjunctions")) + `}}`,
		`{"conjunctions":{"attributes":[{"name":"age ≥ 18","side":"from"}],"release":` +
			marshal(t, savedRelease("conjunctions")) + `}}`} {
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

// TestEarlierEstimates: a release of an earlier version, which says no more than a number's name,
// is read as what it is, and written as it was; a number of another name says what it is of.
func TestEarlierEstimates(t *testing.T) {
	for fields, counts := range map[string]bool{
		`"name":"number of people with a value","rows":[]`:              true,
		`"name":"share of people with a value","rows":[]`:               false,
		`"name":"spread in % of the range","rows":[]`:                   false,
		`"name":"mean","rows":[]`:                                       false,
		`"name":"people who are even","rows":[],"of":"people"`:          true,
		`"name":"number of people with a value","rows":[],"of":"share"`: false,
	} {
		text := `{"estimates":{` + fields + `}}`
		var a Answer
		if err := json.Unmarshal([]byte(text), &a); err != nil {
			t.Fatal(err)
		}
		e := a.Result.(*Estimates)
		if e.Counts() != counts || e.Directions() != (e.Name == spreadName) ||
			marshal(t, a) != text {
			t.Errorf("%s is read as %+v, and written as %s", text, e, marshal(t, a))
		}
	}
}
