package gallery

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/message/texts"
	"hush/core/prove"
	"hush/core/publication"
	"hush/core/task"
	"hush/web/chart"
	"hush/web/chart/finding"
	"hush/web/chart/svg"
	"hush/web/chart/taught"
	"hush/web/exhibit"
	"hush/web/report"
	"hush/web/say"
	"hush/web/state/session"
	"hush/web/webtest"
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
			if slices.Contains(
				[]string{"name", "text", "formatter", "description", "data", "subtext"}, key) {
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
	all := map[string]json.RawMessage{
		"graph": chart.Contacts(exhibit.Contacts(), nil, say.Text("no")),
		"curve": chart.Curve([]ask.Point{{Epsilon: "1", Error: 2}}, "1", say.Text("people"))}
	for _, a := range exhibit.Answers() {
		all["release of "+a.State], _ = chart.Of(a.Release)
		past := []*session.Past{{Name: "one", Release: a.Release},
			{Name: "another", Release: a.Release}}
		if option, _ := chart.Compared(past); option != nil {
			all["comparison of "+a.State] = option
		}
		told := &task.Taught{Quiet: a.Release, Draws: []*task.Release{a.Release, a.Release}}
		all["lesson of "+a.State], _ = taught.Draw(told)
		for i, s := range taught.Spreads(told) {
			all[fmt.Sprintf("spread %d of %s", i, a.State)] = taught.Histogram(s)
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
			for name, option := range map[string]json.RawMessage{
				"laws": finding.Laws(f), "ratios": finding.Ratios(f), "need": finding.Need(f)} {
				all[name+" of "+d.ID+" "+bug] = option
			}
		}
	}
	return all
}

// shortenedName is a name of which the middle is left out; texts of the page end with an ellipsis.
var shortenedName = regexp.MustCompile(`^[^…]{4,31}…[^…]{4,29}( · \d+)?$`)

// TestNoChartIsLeftInEnglish draws every chart in a language of brackets.
func TestNoChartIsLeftInEnglish(t *testing.T) {
	data := withoutData(t)
	say.Use(webtest.Pseudo(t))
	t.Cleanup(func() { say.Use(nil) })
	all := charts(t)
	for name, option := range all {
		for _, text := range chartTexts(t, option) {
			if shortenedName.MatchString(text) { // of the data
				continue
			}
			if webtest.Word.MatchString(data.Replace(strings.ToLower(texts.Outside(text)))) {
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
	picture, err := svg.New(`<svg></svg>`)
	if err != nil {
		t.Fatal(err)
	}
	say.Use(webtest.Pseudo(t))
	t.Cleanup(func() { say.Use(nil) })
	for _, a := range exhibit.Answers() {
		for _, origin := range []coin.Origin{coin.Crypto, coin.Seeded} {
			r := *a.Release
			r.Origin = origin
			text := report.Of("0123", "2026-01-31",
				report.Answer{Release: &r, Picture: picture}).HTML()
			head, tail, _ := strings.Cut(text, "<style>")
			_, body, _ := strings.Cut(tail, "</style>")
			_, head, _ = strings.Cut(head, "<title>")
			body, _, _ = strings.Cut(body, publication.AppendixStart) // for programs
			if found := untranslated("<title>"+head+body, data); len(found) > 0 {
				t.Errorf("the report of %s says in English: %q", a.State, found)
			}
		}
	}
}
