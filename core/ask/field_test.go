package ask

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"hush/core/domain"
	"hush/core/param"
)

var (
	yesNo     = domain.Spec{Kind: domain.Category, Categories: []string{"yes", "no"}}
	ageDomain = domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "119"}
)

func wantField(t *testing.T, err error, field string) {
	t.Helper()
	var refused *param.Error
	if !errors.As(err, &refused) || refused.Field != field {
		t.Fatalf("error %v, want a refusal of %q", err, field)
	}
}

// roles is a task that reads an outcome and one to three further columns of numbers, which may be
// cut.
var roles = &Task{Others: []Role{
	{Name: "outcome", Domains: []domain.Kind{domain.Category}, Min: 1, Max: 1, Values: 2},
	{Name: "feature", Domains: []domain.Kind{domain.Integer, domain.Date}, Min: 1, Max: 3,
		Cuts: true},
}}

func TestFurtherColumns(t *testing.T) {
	outcome := Field{Role: "outcome", Column: 2, Domain: yesNo}
	feature := Field{Role: "feature", Column: 1, Label: "age", Domain: ageDomain,
		Cuts: []string{"18", " 65"}}
	list, err := roles.CheckOthers(
		[]Field{outcome, feature, {Role: "feature", Column: 3, Domain: ageDomain}})
	if err != nil {
		t.Fatal(err)
	}
	q := &Query{Others: list}
	fields, first := q.Role("feature")
	if len(fields) != 2 || first != 1 || !reflect.DeepEqual(fields[0].CutCodes, []uint64{18, 65}) {
		t.Errorf("%d features from %d, %+v", len(fields), first, fields)
	}
	if got := names(nil, list); got != "column 2, age, column 3" {
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
		{"an unknown role", "others.2.role",
			[]Field{outcome, feature, {Role: "weight", Column: 1, Domain: ageDomain}}},
		{"three outcomes", "others.0.categories", []Field{{Role: "outcome", Column: 1,
			Domain: domain.Spec{Kind: domain.Category, Categories: []string{"a", "b", "c"}}},
			feature}},
		{"another kind", "others.1.kind",
			[]Field{outcome, {Role: "feature", Column: 1, Domain: yesNo}}},
		{"bounds the wrong way round", "others.1.hi",
			[]Field{outcome,
				{Role: "feature", Column: 1,
					Domain: domain.Spec{Kind: domain.Integer, Lo: "3", Hi: "1"}}}},
		{"a long label", "others.1.label",
			[]Field{outcome,
				{Role: "feature", Column: 1, Label: strings.Repeat("x", 201), Domain: ageDomain}}},
		{"cuts of the outcome", "others.0.cuts",
			[]Field{{Role: "outcome", Column: 1, Domain: yesNo, Cuts: []string{"no"}}, feature}},
		{"a cut that is no value", "others.1.cuts",
			[]Field{outcome,
				{Role: "feature", Column: 1, Domain: ageDomain, Cuts: []string{"18.5"}}}},
		{"a cut below all", "others.1.cuts",
			[]Field{outcome, {Role: "feature", Column: 1, Domain: ageDomain, Cuts: []string{"0"}}}},
		{"cuts out of order", "others.1.cuts",
			[]Field{outcome,
				{Role: "feature", Column: 1, Domain: ageDomain, Cuts: []string{"20", "20"}}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := roles.CheckOthers(test.fields)
			wantField(t, err, test.field)
		})
	}
}

func TestParamKinds(t *testing.T) {
	task := &Task{ID: "made-up", Params: []Param{
		{Name: "depth", Kind: Integer, Default: "3", Min: 1, Max: 16},
		{Name: "algorithm", Kind: Chosen, Default: "auto",
			Choices: []Choice{{"auto", "the best one"}, {"tree", "a tree"}}},
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
			if err := task.Check(Params{name: good}); err != nil {
				t.Errorf("%s %q: %v", name, good, err)
			}
		}
		for _, bad := range values[1] {
			wantField(t, task.Check(Params{name: bad}), name)
		}
	}
	q := &Query{Task: task, Recipe: Recipe{Params: Params{"exact": "true"}}}
	if q.Integer("depth") != 3 || !q.Flag("exact") || q.Param("algorithm") != "auto" {
		t.Error("a parameter or a default is lost")
	}
}
