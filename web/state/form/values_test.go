package form

import (
	"reflect"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/table"
	"hush/core/task"
)

// TestValues: the values named are the group counted, whether the codebook's list has them or not,
// and a domain comes back as it was typed.
func TestValues(t *testing.T) {
	list := domain.Spec{Kind: domain.Category, Categories: []string{"w", "m", "d"}}
	folded := domain.Spec{Kind: domain.Category, Categories: []string{"women", "men"}, Fold: true,
		Spellings: []domain.Spelling{{Cell: "w", As: "women"}, {Cell: "m", As: "men"}}}
	if got := (Values{List: "W\nWomen"}).Of(folded); !reflect.DeepEqual(got,
		folded.Among([]string{"women"})) {
		t.Errorf("a spelling counts %+v", got)
	}
	years := domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "119"}
	for _, c := range []struct {
		values   Values
		of, want domain.Spec
	}{
		{Values{}, list, list},
		{Values{List: "w\nW\nweiblich\nF"}, list, domain.Spec{Kind: domain.Category,
			Categories: []string{"w", "W", "weiblich", "F"}}},
		{Values{List: "women"}, folded, folded.Among([]string{"women"})},
		{Values{From: "65"}, years, domain.Spec{Kind: domain.Integer, Lo: "65", Hi: "119"}},
	} {
		if got := c.values.Of(c.of); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v of %+v is %+v", c.values, c.of, got)
		}
		if got, ok := ValuesIn(c.of, c.want); !ok || got != c.values {
			t.Errorf("%+v in %+v is %+v, %t", c.want, c.of, got, ok)
		}
	}
	if _, ok := ValuesIn(list, years); ok {
		t.Error("bounds are values of a list")
	}
}

// TestShareAmong: a share with a condition is one of those who meet it, and comes back as asked.
func TestShareAmong(t *testing.T) {
	var share ask.Task
	for _, k := range task.Catalogue() {
		if k.ID == "share" {
			share = k
		}
	}
	mitte := ConditionForm{Column: 2, Test: TestOneOf, List: "Mitte"}
	q := Question{Task: "share", Column: 1, Filter: []ConditionForm{mitte}}
	r := ask.Recipe{Task: "share", Column: 1, Filter: []table.Condition{mitte.Condition()}}
	q.Whole(&share, &r)
	if r.Filter != nil || r.Group == nil || r.Group.Column != 2 || len(r.Group.Names) != 1 {
		t.Errorf("%+v", r)
	}
	back := Question{Task: "share", Column: 1, Group: 2}
	back.AskWhole(&share, r)
	if back.Group != 0 || !reflect.DeepEqual(back.Filter, q.Filter) {
		t.Errorf("%+v", back)
	}
	// a condition of a folded list keeps its spellings as the group that a part refers to
	column := domain.Spec{Kind: domain.Category, Categories: []string{"Mitte", "Hafen"}, Fold: true,
		Spellings: []domain.Spelling{{Cell: "m", As: "Mitte"}, {Cell: "h", As: "Hafen"}}}
	spelled := ConditionForm{Column: 2, Test: TestOneOf, List: "M"}.Spelled(column)
	r = ask.Recipe{Task: "share", Column: 1, Filter: []table.Condition{spelled.Condition()}}
	q.Filter[0].List = "M"
	q.Whole(&share, &r)
	if want := column.Among([]string{"Mitte"}); r.Filter != nil || r.Group == nil ||
		!reflect.DeepEqual(r.Group.Spec(), want) {
		t.Fatalf("%+v by %+v, want %+v", r, r.Group, want)
	}
	back = Question{Task: "share", Column: 1, Group: 2}
	if back.AskWhole(&share, r); !reflect.DeepEqual(back.Filter, []ConditionForm{spelled}) {
		t.Errorf("%+v, want %+v", back.Filter, spelled)
	}
	own := ask.Recipe{Filter: []table.Condition{mitte.Condition()}}
	if q.Column = 2; q.among(&share) >= 0 {
		t.Error("a condition on the counted column is what the part is one of")
	}
	if q.Whole(&share, &own); own.Group != nil || len(own.Filter) != 1 {
		t.Errorf("%+v", own)
	}
}

// TestValuesGo: what was named is gone with a change of kind or column that does not say it.
func TestValuesGo(t *testing.T) {
	mean := task.Catalogue()[0]
	q := Question{Column: 1, Values: Values{List: "w"}, Params: ask.Params{}}
	if q.Fit(&mean); q.Values != (Values{}) {
		t.Error("values count that the sentence does not say")
	}
	q.Values.List = "w"
	if q.Choose(&mean, 2); q.Values != (Values{}) {
		t.Error("one column's values count for another")
	}
}
