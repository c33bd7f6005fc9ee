package task

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"hush/core/ask"
)

// longest is the largest number of characters of a message.
const longest = 300

// TestMessagesAreShort: whatever is typed into a field of a question, a refusal quotes no more of
// it than a reader needs. Each text of each example's recipe, and each parameter, is replaced by
// texts of 100 000 characters, and so is a name of a parameter.
func TestMessagesAreShort(t *testing.T) {
	long := map[string]string{
		"a word":         strings.Repeat("x", 100_000),
		"digits":         strings.Repeat("9", 100_000),
		"digits after":   "0." + strings.Repeat("3", 99_998),
		"a list":         strings.Repeat("7, ", 33_333) + "7",
		"a list of one":  "x, " + strings.Repeat("y", 99_997),
		"letters of two": strings.Repeat("ü\"", 50_000),
	}
	for _, q := range Catalogue() {
		s := open(t, set(q.Example.Sample).CSV())
		r := q.Example.Recipe
		r.Version, r.Task, r.Epsilon = ask.RecipeVersion, q.ID, "1"
		r.Table = must(s.Opened()).Options
		r.Unit, r.Data, r.Source = "x", "x", "x"
		r.Noun.One, r.Noun.Many = "x", "y"
		params := ask.Params{}
		for _, p := range q.Params {
			params[p.Name] = p.Default
		}
		for name, value := range r.Params {
			params[name] = value
		}
		r.Params = params
		var tree any
		if err := json.Unmarshal(must(json.Marshal(r)), &tree); err != nil {
			t.Fatal(err)
		}
		refused := 0
		try := func(at string) {
			var changed ask.Recipe
			err := json.Unmarshal(must(json.Marshal(tree)), &changed)
			if err == nil {
				_, err = s.Plan(changed)
			}
			if err == nil {
				return
			}
			refused++
			if n := utf8.RuneCountInString(err.Error()); n > longest {
				text := []rune(err.Error())
				t.Errorf("%s, %s: %d characters: %s … %s", q.ID, at, n, string(text[:150]),
					string(text[n-60:]))
			}
		}
		leaves(tree, "", func(at string, put func(string)) {
			for name, text := range long {
				put(text)
				try(at + ", " + name)
			}
		})
		tree.(map[string]any)["params"] = map[string]any{long["a word"]: "1"}
		try("the name of a parameter")
		if refused < 20 {
			t.Errorf("%s: %d refusals of long texts", q.ID, refused)
		}
	}
}

// leaves calls f for each text of a tree, with what replaces it; afterwards it is as before.
func leaves(tree any, at string, f func(at string, put func(string))) {
	visit := func(name string, value any, set func(any)) {
		if _, is := value.(string); is {
			f(at+name, func(text string) { set(text) })
			set(value)
			return
		}
		leaves(value, at+name+".", f)
	}
	switch v := tree.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			visit(name, v[name], func(to any) { v[name] = to })
		}
	case []any:
		for i, value := range v {
			visit(fmt.Sprint(i), value, func(to any) { v[i] = to })
		}
	}
}
