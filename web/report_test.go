package web

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/task"
)

// drawn is a picture as the chart library makes it, with a label that would like to be a script.
func drawn(t *testing.T) *Picture {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "drawn.svg"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewPicture(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func released(t *testing.T, label string) *task.Release {
	t.Helper()
	m, f := asked(t)
	m.Edit("", func(q *Question) { q.Label = label })
	f.settle()
	m.Run()
	f.settle()
	if m.Release.Result == nil {
		t.Fatalf("no release: %+v", m.Release.Failure)
	}
	return m.Release.Result
}

func TestReport(t *testing.T) {
	r := Report{Release: released(t, "age"), Picture: drawn(t), Build: "0123456789abcdef", Date: "2026-01-31"}
	text := r.HTML()
	golden(t, "report.html", text)
	if !strings.Contains(text, "This is not a release") {
		t.Error("a report of a seeded draw does not say so")
	}
	r.Release.Origin = coin.Crypto
	if text := r.HTML(); strings.Contains(text, "This is not a release") || !strings.Contains(text, "cryptographic generator") {
		t.Error("a report of a release says that it is none")
	}
}

var (
	anyTag  = regexp.MustCompile(`<(/?[a-zA-Z!]+)([^>]*)>`)
	quoted  = regexp.MustCompile(`"[^"]*"`)
	refers  = regexp.MustCompile(`(?i)(^|\s)(on\w+|src|href|style)\s*=`)
	hostile = `</title></style><script>alert(1)</script><img src=x onerror="alert(2)">'&amp;`
)

// A report has no way to run or fetch anything, whatever stands in its texts.
func TestReportEscapes(t *testing.T) {
	r := released(t, hostile)
	r.Answer.Result.(*task.Histogram).Bins[0].Label = hostile
	r.Plan.Domain, r.Plan.Algorithm, r.Plan.Task = hostile, hostile, hostile
	r.Plan.Guarantee = ask.Guarantee{Plain: hostile, Exact: hostile, Neighbours: hostile}
	r.Plan.Forecast = []ask.Forecast{{Label: hostile, Value: hostile, Detail: hostile}}
	r.Statement, r.Origin = hostile, coin.Origin(hostile)
	text := Report{Release: r, Picture: drawn(t), Build: hostile, Date: hostile}.HTML()
	for _, tag := range anyTag.FindAllStringSubmatch(text, -1) {
		switch strings.TrimPrefix(tag[1], "/") {
		case "script", "img", "a", "link", "iframe", "object", "use", "image", "base":
			t.Errorf("the report has the element %s", tag[0])
		}
		if refers.MatchString(quoted.ReplaceAllString(tag[2], `""`)) {
			t.Errorf("the tag %s", tag[0])
		}
	}
	if strings.Count(text, "</style>") != 1 || strings.Count(text, "</title>") != 1 {
		t.Error("a text has ended the style or the title")
	}
	if n := strings.Count(text, "&lt;script&gt;"); n < 12 {
		t.Errorf("the hostile text is seen %d times", n)
	}
	if strings.Count(text, "url(") != strings.Count(text, "url(#clip") || strings.Contains(text, "//") {
		t.Error("the report refers to something")
	}
}

// The report's colours are the page's, so that a chart drawn by daylight takes on the dark's.
func TestReportColoursAreThePages(t *testing.T) {
	style, err := os.ReadFile("../static/style.css")
	if err != nil {
		t.Fatal(err)
	}
	light, dark, ok := strings.Cut(string(style), "color-scheme: dark")
	if !ok {
		t.Fatal("the style sheet has no dark theme")
	}
	for _, token := range tokens {
		if !strings.Contains(light, token.name+": "+token.light+";") || !strings.Contains(dark, token.name+": "+token.dark+";") {
			t.Errorf("%s is not %s and %s in the style sheet", token.name, token.light, token.dark)
		}
	}
	inline := drawn(t).Inline("x")
	for _, want := range []string{`fill="var(--accent)"`, `fill="var(--card)"`, `stroke="var(--ink)"`} {
		if !strings.Contains(inline, want) {
			t.Errorf("the picture has no %s", want)
		}
	}
}

func TestPictureHoldsShapesOnly(t *testing.T) {
	p := drawn(t)
	again, err := NewPicture(p.SVG())
	if err != nil {
		t.Fatal(err)
	}
	if again.SVG() != p.SVG() {
		t.Error("a picture taken apart and rebuilt is another")
	}
	golden(t, "picture.svg", p.SVG())
	parseXML(t, p.SVG())
	for name, bad := range map[string]string{
		"nothing":             ``,
		"a script":            `<svg><script>alert(1)</script></svg>`,
		"a handler":           `<svg onload="alert(1)"></svg>`,
		"a foreign object":    `<svg><foreignObject></foreignObject></svg>`,
		"an image":            `<svg><image width="1"></image></svg>`,
		"a use":               `<svg><use href="#a"></use></svg>`,
		"an address":          `<svg><rect fill="url(http://x)"></rect></svg>`,
		"an address in words": `<svg><rect fill="URL(x)"></rect></svg>`,
		"a second root":       `<svg></svg><svg></svg>`,
		"text behind":         `<svg></svg>x`,
		"another root":        `<g></g>`,
		"a root inside":       `<svg><svg></svg></svg>`,
		"wrong nesting":       `<svg><g></svg></g>`,
		"no end":              `<svg><g></g>`,
		"a comment":           `<svg><!-- x --></svg>`,
		"an instruction":      `<?xml version="1.0"?><svg></svg>`,
		"an unquoted value":   `<svg><rect x=1></rect></svg>`,
		"a style without end": `<svg><style ></svg>`,
	} {
		if p, err := NewPicture(bad); err == nil {
			t.Errorf("%s is accepted: %s", name, p.SVG())
		}
	}
	styled, err := NewPicture(`<svg><text style="font-size:12px;background:url(http://x);font-family:url(x);">a</text></svg>`)
	if err != nil || strings.Contains(styled.SVG(), "url") || !strings.Contains(styled.SVG(), `font-size="12px"`) {
		t.Errorf("a style becomes %v, %v", styled, err)
	}
}

func parseXML(t *testing.T, text string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestExportFiles(t *testing.T) {
	r := released(t, "age")
	files := map[string]string{}
	for _, f := range exportFiles(r, drawn(t), "0123456789abcdef", "2026-01-31") {
		files[f.Name] = f.Text
	}
	rows, err := csv.NewReader(strings.NewReader(files["hush-histogram.csv"])).ReadAll()
	if err != nil || len(rows) != len(r.Answer.Result.(*task.Histogram).Bins)+1 {
		t.Errorf("the CSV has %d rows, %v", len(rows), err)
	}
	var whole struct {
		task.Release
		Build string
	}
	if err := json.Unmarshal([]byte(files["hush-histogram.json"]), &whole); err != nil || whole.Build != "0123456789abcdef" || whole.Statement != r.Statement {
		t.Errorf("the JSON: %+v, %v", whole, err)
	}
	var recipe ask.Recipe
	if err := json.Unmarshal([]byte(files["recipe.json"]), &recipe); err != nil || encode(recipe) != encode(r.Recipe) {
		t.Errorf("the recipe: %+v, %v", recipe, err)
	}
	parseXML(t, files["hush-histogram.svg"])
	if !strings.HasPrefix(files["hush-histogram.html"], "<!doctype html>") || len(files) != 5 {
		t.Errorf("%d files", len(files))
	}
}
