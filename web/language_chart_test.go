package web

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/prove"
	"hush/core/task"
	"hush/web/say"
)

// chartTexts are what a chart says: names, labels, descriptions, and the places on its axes.
func chartTexts(t *testing.T, option json.RawMessage) (texts []string) {
	t.Helper()
	var o any
	if err := json.Unmarshal(option, &o); err != nil {
		t.Fatal(err)
	}
	var walk func(key string, v any)
	walk = func(key string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, part := range v {
				walk(k, part)
			}
		case []any:
			for _, part := range v {
				walk(key, part)
			}
		case string:
			if slices.Contains([]string{"name", "text", "formatter", "description", "data", "subtext"}, key) {
				texts = append(texts, v)
			}
		}
	}
	walk("", o)
	return texts
}

// charts draws every chart of the page, by name, except those that stand in the texts of the page.
func charts(t *testing.T) map[string]json.RawMessage {
	t.Helper()
	all := map[string]json.RawMessage{"graph": finished(contactsGraph(contacts(), nil), say.Text("no")),
		"curve": curveChart([]ask.Point{{Epsilon: "1", Error: 2}}, "1", say.Text("people"))}
	for _, a := range answers() {
		all["release of "+a.state], _ = chartOption(a.release)
		past := []*Past{{Name: "one", Release: a.release}, {Name: "another", Release: a.release}}
		if option, _ := comparedOption(past); option != nil {
			all["comparison of "+a.state] = option
		}
		taught := &task.Taught{Quiet: a.release, Draws: []*task.Release{a.release, a.release}}
		all["lesson of "+a.state], _ = taughtPicture(taught)
		for i, s := range spreads(taught) {
			all[fmt.Sprintf("spread %d of %s", i, a.state)] = spreadChart(s)
		}
	}
	for _, d := range prove.Catalogue() {
		for _, bug := range []string{"", d.Bugs[0].ID} {
			r := d.Usual()
			r.Persons, r.Values, r.Bug = d.Persons.Least, d.Domain.Least, bug
			f, err := prove.Run(say.Language(), r, nil)
			if err != nil {
				t.Fatal(err)
			}
			for name, option := range map[string]json.RawMessage{"laws": lawsOption(f), "ratios": ratiosOption(f), "need": needOption(f)} {
				all[name+" of "+d.ID+" "+bug] = option
			}
		}
	}
	return all
}

// TestNoChartIsLeftInEnglish draws every chart in a language of brackets.
func TestNoChartIsLeftInEnglish(t *testing.T) {
	data := withoutData(t)
	say.Use(pseudo(t))
	t.Cleanup(func() { say.Use(nil) })
	all := charts(t)
	for name, option := range all {
		for _, text := range chartTexts(t, option) {
			if word.MatchString(data.Replace(strings.ToLower(outside(text)))) {
				t.Errorf("%s says in English: %q", name, text)
			}
		}
	}
	if len(all) < 100 {
		t.Errorf("only %d charts were drawn", len(all))
	}
}

// TestNoReportIsLeftInEnglish writes the report of every kind of answer in a language of brackets.
func TestNoReportIsLeftInEnglish(t *testing.T) {
	data := withoutData(t)
	picture, err := NewPicture(`<svg></svg>`)
	if err != nil {
		t.Fatal(err)
	}
	say.Use(pseudo(t))
	t.Cleanup(func() { say.Use(nil) })
	for _, a := range answers() {
		for _, origin := range []coin.Origin{coin.Crypto, coin.Seeded} {
			r := *a.release
			r.Origin = origin
			text := Report{Release: &r, Picture: picture, Build: "0123", Date: "2026-01-31"}.HTML()
			head, tail, _ := strings.Cut(text, "<style>")
			_, body, _ := strings.Cut(tail, "</style>")
			_, head, _ = strings.Cut(head, "<title>")
			if found := untranslated("<title>"+head+body, data); len(found) > 0 {
				t.Errorf("the report of %s says in English: %q", a.state, found)
			}
		}
	}
}
