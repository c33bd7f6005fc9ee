package preview

import (
	"hush/core/ask"
	"hush/core/codebook"
	"hush/web/chart/plot"
	"hush/web/exhibit"
	"strings"
	"testing"
)

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
		option, _ := Draw(plan, ask.Recipe{Noun: codebook.Noun{Many: "books"}})
		text := string(option)
		if strings.Contains(text, `"color":"`+plot.Accent) || !strings.Contains(text, "not data") {
			t.Errorf("%s is drawn as %s", f.Kind, text)
		}
		if has := strings.Contains(text, "error to expect"); has != (f.Error >= 0) {
			t.Errorf("%s with an error of %g: %s", f.Kind, f.Error, text)
		}
	}
	if option, _ := Draw(exhibit.Plan("Mode"), ask.Recipe{}); option != nil {
		t.Errorf("a question without a picture to come is drawn: %s", option)
	}
	plan := exhibit.Plan("Histogram")
	plan.People = 11_127
	plan.Frame = &ask.Frame{Kind: ask.FrameBins, Edges: make([]float64, 31), Unit: "books",
		Even: 11_127.0 / 30, Error: 12, Hi: 11_127}
	for i := range plan.Frame.Edges {
		plan.Frame.Edges[i] = float64(i)
	}
	option, _ := Draw(plan, ask.Recipe{Noun: codebook.Noun{Many: "books"}})
	if text := strings.ReplaceAll(string(option), "\u00a0", " "); !strings.Contains(text,
		"The grey bars are not data: 11 127 books spread evenly would be 371 in each.") {
		t.Error(text)
	}
}
