package chart

import (
	"encoding/json"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/task"
	"hush/web/exhibit"
)

// TestPublicationsSayWhatTheyShow: a chart that leaves the page holds its words, a chart on the
// page leaves title and subtitle to the page, and what is mostly noise says so in both.
func TestPublicationsSayWhatTheyShow(t *testing.T) {
	r := exhibit.Release("histogram", "Histogram", "Most books have 0 to 9 pages.", &task.Histogram{
		Error: 12, Width: "10", Bins: []task.Bin{{Label: "0–9", Count: 95, From: "0", To: "10"},
			{Label: "10–19", Count: 7, From: "10", To: "20"}}})
	r.Plan.People, r.Plan.Column = 11_127, "length"
	r.Recipe.Noun, r.Recipe.Unit = codebook.Noun{One: "book", Many: "books"}, "pages"
	r.Recipe.Data, r.Recipe.Domain = "Library", domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "19"}
	words := func(option json.RawMessage) map[string]any {
		var o struct{ Words map[string]any }
		if err := json.Unmarshal(option, &o); err != nil {
			t.Fatal(err)
		}
		return o.Words
	}
	inside, _ := Publication(r)
	want := map[string]any{"title": "Most books have 0 to 9 pages.",
		"subtitle": "Books by length, in bins of 10 pages · 11 127 books",
		"unit":     "books", "axis": "length in pages", "source": "Source: Library · Hush",
		"note": "Noise added for privacy: ε = 0.5 per book. Error bars show the range that holds " +
			"in 95 of 100 releases. Hatched: too few to tell."}
	for name, text := range want {
		got, _ := words(inside)[name].(string)
		if strings.ReplaceAll(strings.ReplaceAll(got, "\u00a0", " "), "\u00a0", " ") != text {
			t.Errorf("the %s is %q, want %q", name, got, text)
		}
	}
	embedded, _ := Of(r)
	if got := words(embedded); got["title"] != nil || got["subtitle"] != nil ||
		got["note"] != words(inside)["note"] || got["source"] != words(inside)["source"] ||
		got["mark"] != nil {
		t.Errorf("on the page the words are %v", got)
	}
	r.Recipe.Source = "Reading site, 2026"
	r.Verdict = &ask.Verdict{Grade: ask.Noise}
	for _, draw := range []func(*task.Release) (json.RawMessage, bool){Of, Publication} {
		option, _ := draw(r)
		if got := words(option); got["mark"] != "mostly noise" ||
			got["source"] != "Source: Reading site, 2026 · Hush" {
			t.Errorf("what is mostly noise says %v", got)
		}
		r.Unverified = true
		if option, _ = draw(r); words(option)["mark"] != "unverified" {
			t.Errorf("what was opened from a file says %v", words(option))
		}
		r.Unverified = false
	}
}

// TestSourceIsSaidOnce: a chart's line names the source without a second "Source:", which its owner
// may have typed, and the data set where nothing else is typed.
func TestSourceIsSaidOnce(t *testing.T) {
	for _, c := range []struct{ source, data, want string }{
		{"Clinic visits", "", "Source: Clinic visits · Hush"},
		{"Source: Clinic visits", "", "Source: Clinic visits · Hush"},
		{"source:", "Visits 2026", "Source: Visits 2026 · Hush"},
		{"", "", "Made with Hush"},
	} {
		if got := SourceOf(ask.Recipe{Source: c.source, Data: c.data}); got != c.want {
			t.Errorf("%q of %q is %q, want %q", c.source, c.data, got, c.want)
		}
	}
}
