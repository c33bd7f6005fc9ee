package ask

import (
	"strings"
	"testing"

	"hush/core/domain"
	"hush/core/table"
)

// TestHaving: an answer says who alone counts, in words, with the names that are published.
func TestHaving(t *testing.T) {
	numbers := domain.Spec{Kind: domain.Float64}
	list := func(values ...string) domain.Spec {
		return domain.Spec{Kind: domain.Category, Categories: values}
	}
	for _, c := range []struct {
		filter []table.Condition
		want   string
	}{
		{nil, ""},
		{[]table.Condition{{Column: 3, Spec: numbers, From: "18", To: "64"}},
			"column 3 from 18 to 64"},
		{[]table.Condition{{Column: 3, Label: "age", Spec: numbers, From: "18"},
			{Column: 4, Label: "city", Spec: list("Hill")}},
			"age from 18 on and city Hill"},
		{[]table.Condition{{Column: 3, Label: "age", Spec: numbers, To: "64"}},
			"age up to 64"},
		{[]table.Condition{{Column: 3, Label: "age", Spec: numbers, To: "64", Not: true}},
			"not age up to 64"},
		{[]table.Condition{{Column: 4, Label: "city",
			Spec: list("a", "b", "c", "d", "e", "f", "g")}},
			"city a, b, c, d, e or 2 more"},
		{[]table.Condition{{Column: 4, Label: "city", Spec: list("Hill", "Mill"), Not: true}},
			"city other than Hill or Mill"},
		{[]table.Condition{{Column: 4, Label: "city", Spec: list("a", "b"), In: []string{"b"}}},
			"city b"},
		{[]table.Condition{{Column: 3, Spec: numbers}},
			"a value of column 3"},
	} {
		q := &Query{Recipe: Recipe{Filter: c.filter}}
		if got := strings.ReplaceAll(q.Recipe.Having(nil), "\u00a0", " "); got != c.want {
			t.Errorf("%+v: %q, want %q", c.filter, got, c.want)
		}
	}
	r := Recipe{Filter: []table.Condition{{Column: 3, Label: "age", Spec: numbers}}}
	if r.Bare().Filter[0].Label != "" || r.Filter[0].Label != "age" {
		t.Error("a bare recipe has words that decide nothing, or takes them from the recipe")
	}
}
