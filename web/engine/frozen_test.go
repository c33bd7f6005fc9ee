package engine

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/table"
)

// published are the fields of a recipe that are words for readers: they may change after a look,
// since no answer depends on them.
var published = regexp.MustCompile(
	`^(data|source|noun\b.*|unit|others\.\d+\.unit|filter\.\d+\.label)$`)

// labels are the names of columns, which may change where no parameter names a column by them.
var labels = regexp.MustCompile(`^(label|group\.label|others\.\d+\.label)$`)

// leaves calls change with each leaf of a JSON value, as it would be with another value there.
func leaves(value any, path string, set func(any), change func(path string)) {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			leaves(inner, strings.TrimPrefix(path+"."+name, "."), func(x any) { v[name] = x },
				change)
		}
	case []any:
		for i, inner := range v {
			leaves(inner, path+"."+string(rune('0'+i)), func(x any) { v[i] = x }, change)
		}
	case string:
		set(v + "1")
		change(path)
		set(v)
	case float64:
		set(v + 1)
		change(path)
		set(v)
	case bool:
		set(!v)
		change(path)
		set(v)
	}
}

// TestFrozenQuestionKeepsEveryField: after a look a question may be asked as it was frozen, also
// with other words for readers. Any other change of any field is another question.
func TestFrozenQuestionKeepsEveryField(t *testing.T) {
	category := func(names ...string) domain.Spec {
		return domain.Spec{Kind: domain.Category, Categories: names}
	}
	frozen := ask.Recipe{Version: 1, Task: "tables", Data: "d", Source: "s", Unit: "kg",
		Table: table.Options{Encoding: "utf-8", Columns: 4, Delimiter: ","}, Epsilon: "1", Count: 4,
		Label: "weight", Group: &ask.Group{Column: 2, Label: "ward", Names: []string{"a", "b"}},
		Use: &table.Use{Rows: 2},
		Filter: []table.Condition{{Column: 3, Label: "age", Spec: category("x"),
			In: []string{"x"}}},
		Others: []ask.Field{{Role: "by", Column: 1, Label: "city", Unit: "u",
			Domain: category("Hill", "Mill"), Cuts: []string{"1"}},
			{Role: "by", Column: 2, Label: "smoker", Domain: category("yes", "no")},
			{Role: "by", Column: 3, Label: "other", Domain: category("0", "1")}},
		Params: ask.Params{"weights": "City, smoker = 4", "together": "2"}}
	looked := Spending{Looked: "2026-01-31", Frozen: []ask.Recipe{frozen}}
	if !looked.MayAsk(frozen) {
		t.Fatal("the frozen question is another one")
	}
	text, err := json.Marshal(frozen)
	if err != nil {
		t.Fatal(err)
	}
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		t.Fatal(err)
	}
	seen := 0
	leaves(tree, "", nil, func(path string) {
		seen++
		changed, err := json.Marshal(tree)
		if err != nil {
			t.Fatal(err)
		}
		var r ask.Recipe
		if json.Unmarshal(changed, &r) != nil {
			return // no recipe
		}
		deciding := path == "others.0.label" || path == "others.1.label"
		may := published.MatchString(path) || labels.MatchString(path) && !deciding
		if got := looked.MayAsk(r); got != may {
			t.Errorf("with another %s it may be asked: %v, want %v", path, got, may)
		}
	})
	if seen < 25 {
		t.Errorf("%d fields only", seen)
	}
	// The names of two columns, exchanged, move a weight to another table.
	moved := frozen
	moved.Others = append([]ask.Field(nil), frozen.Others...)
	moved.Others[1].Label, moved.Others[2].Label = "other", "smoker"
	if looked.MayAsk(moved) {
		t.Error("names of columns are exchanged, and with them the weights of tables")
	}
}
