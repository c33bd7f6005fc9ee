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

func TestNumbersHaveOneRule(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 999: "999", 1000: "1\u00a0000",
		-1234567.5: "−1\u00a0234\u00a0567.5", 0.25: "0.25", -0.5: "−0.5"} {
		if got := Number(x); got != want {
			t.Errorf("%g is written %q, want %q", x, got, want)
		}
	}
	for text, want := range map[string]string{"12345.60": "12\u00a0345.60",
		"2024-05-01": "2024-05-01",
		"-0.5":       "−0.5", "Hill": "Hill", "": ""} {
		if got := written(text); got != want {
			t.Errorf("%s is written %q, want %q", text, got, want)
		}
	}
	if !years(1900, 2100) || years(0, 20_000) || years(1900, 10_000) {
		t.Error("years are taken for other numbers, or others for years")
	}
}

// TestPreviewsAreNotData: each kind of picture to come is drawn, in grey, and says so.
func TestPreviewsAreNotData(t *testing.T) {
	for _, f := range []ask.Frame{
		{Kind: ask.FrameBins, Axis: "age", Unit: "books", Edges: []float64{0, 10, 20}, Hi: 742,
			Even: 371, Error: 12},
		{Kind: ask.FrameBars, Axis: "town", Unit: "books", Labels: []string{"Hill", "Mill"},
			Hi:   742,
			Even: 371, Error: 12},
		{Kind: ask.FrameNumber, Axis: "Mean of age", Unit: "years", Lo: 18, Hi: 100, Even: 59,
			Error: 3},
		{Kind: ask.FrameNumber, Axis: "age", Lo: 0, Hi: 100, Even: 50, Error: -1},
		{Kind: ask.FrameCurve, Axis: "age", Unit: "% of the books below", Edges: []float64{0, 100},
			Hi: 100, Even: 50, Error: 4},
	} {
		plan := exhibit.Plan("Histogram")
		plan.People, plan.Frame = 742, &f
		option, _ := Preview(plan, ask.Recipe{Noun: codebook.Noun{Many: "books"}})
		text := string(option)
		if strings.Contains(text, `"color":"`+accentColour) || !strings.Contains(text, "not data") {
			t.Errorf("%s is drawn as %s", f.Kind, text)
		}
		if has := strings.Contains(text, "error to expect"); has != (f.Error >= 0) {
			t.Errorf("%s with an error of %g: %s", f.Kind, f.Error, text)
		}
	}
	if option, _ := Preview(exhibit.Plan("Mode"), ask.Recipe{}); option != nil {
		t.Errorf("a question without a picture to come is drawn: %s", option)
	}
	plan := exhibit.Plan("Histogram")
	plan.People = 11_127
	plan.Frame = &ask.Frame{Kind: ask.FrameBins, Edges: make([]float64, 31), Unit: "books",
		Even: 11_127.0 / 30, Error: 12, Hi: 11_127}
	for i := range plan.Frame.Edges {
		plan.Frame.Edges[i] = float64(i)
	}
	option, _ := Preview(plan, ask.Recipe{Noun: codebook.Noun{Many: "books"}})
	if text := strings.ReplaceAll(string(option), "\u00a0", " "); !strings.Contains(text,
		"The grey bars are not data: 11 127 books spread evenly would be 371 in each.") {
		t.Error(text)
	}
}
