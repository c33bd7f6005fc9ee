package report

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/coin"
	"hush/core/publication"
	"hush/core/task"
	"hush/web/chart/svg"
	"hush/web/host"
	"hush/web/state/form"
	"hush/web/webtest"
)

// drawn is a picture as the chart library makes it, with a label that would like to be a script.
func drawn(t *testing.T) *svg.Picture {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "drawn.svg"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := svg.New(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func released(t *testing.T, label string) *task.Release {
	t.Helper()
	m, f := webtest.Asked(t)
	m.Codebook.Describe(1)
	m.Codebook.EditColumn(func(c *form.ColumnForm) { c.Name = label })
	m.Codebook.DescribeAs(codebook.Errors)
	f.Settle()
	m.Answer.Run()
	f.Settle()
	if m.Answer.Result == nil {
		t.Fatalf("no release: %+v", m.Answer.Failure)
	}
	return m.Answer.Result
}

func TestReport(t *testing.T) {
	release := released(t, "age")
	r := Of("0123456789abcdef", "2026-01-31", Answer{Release: release, Picture: drawn(t)})
	text := r.HTML()
	before, style, _ := strings.Cut(text, "<style>")
	_, after, _ := strings.Cut(style, "</style>")
	// its style is in style.go, and its edition in edition.go
	webtest.Golden(t, "report.html", strings.Replace(before+after, edition, "", 1))
	if !strings.Contains(text, "This is not a release") {
		t.Error("a report of a seeded draw does not say so")
	}
	release.Origin = coin.Crypto
	if text := r.HTML(); strings.Contains(text, "This is not a release") ||
		!strings.Contains(text, "cryptographic generator") {
		t.Error("a report of a release says that it is none")
	}
}

var (
	anyTag  = regexp.MustCompile(`<(/?[a-zA-Z!]+)([^>]*)>`)
	quotes  = regexp.MustCompile(`"[^"]*"`)
	refers  = regexp.MustCompile(`(?i)(^|\s)(on\w+|src|href|style)\s*=`)
	hostile = `</title></style></script><script>alert(1)</script><img src=x onerror="alert(2)">'&amp;`
)

// hostilePage is a page with a hostile text in each of its fields, and in those of two answers.
func hostilePage(t *testing.T) Report {
	r := released(t, hostile)
	r.Answer.Result.(*task.Histogram).Bins[0].Label = hostile
	r.Plan.Domain, r.Plan.Algorithm, r.Plan.Task = hostile, hostile, hostile
	r.Plan.ErrorUnit, r.Plan.Column = hostile, hostile
	r.Plan.Others = []ask.PlanColumn{{Role: hostile, Column: hostile, Domain: hostile}}
	r.Plan.Guarantee = ask.Guarantee{Plain: hostile, Exact: hostile, Neighbours: hostile}
	r.Plan.Forecast = []ask.Forecast{{Label: hostile, Value: hostile, Detail: hostile}}
	r.Statement, r.Origin, r.Unverified = hostile, coin.Origin(hostile), true
	r.Verdict = &ask.Verdict{Grade: ask.Grade(hostile), Text: hostile}
	r.Recipe.Noun = codebook.Noun{One: hostile, Many: hostile}
	page := publication.Page{Title: hostile, Lead: hostile, Publisher: hostile, Source: hostile,
		Date: hostile, Build: hostile, Pieces: []publication.Piece{{Heading: hostile},
			{Text: hostile}, {Figure: &publication.Figure{Release: r, Sentence: hostile}},
			{Figure: &publication.Figure{Release: single(t, hostile)}}}}
	return Report{Page: page, Pictures: []Picture{{drawn(t), drawn(t)}, {Wide: drawn(t)}}}
}

// single is a release of one number about a column of that name.
func single(t *testing.T, label string) *task.Release {
	recipe := released(t, label).Recipe
	r := &task.Release{Version: 1, Origin: coin.Crypto, Recipe: recipe, Statement: label}
	r.Recipe.Task, r.Recipe.Params, r.Recipe.Unit, r.Recipe.Label = "mean", nil, label, "x"
	r.Plan.People, r.Plan.Column, r.Plan.ErrorUnit = 3, label, label
	r.Answer.Result = &task.Estimates{Name: "mean", Rows: []task.Estimate{{Value: "3", Low: "2",
		High: "4"}}}
	return r
}

// A report has no way to run or fetch anything, whatever stands in its texts.
func TestReportEscapes(t *testing.T) {
	text := hostilePage(t).HTML()
	data := 0
	for _, tag := range anyTag.FindAllStringSubmatch(text, -1) {
		switch strings.TrimPrefix(tag[1], "/") {
		case "script":
			if data++; tag[0] != publication.AppendixStart && tag[0] != publication.AppendixEnd {
				t.Errorf("the report has the script %s", tag[0])
			}
		case "img", "a", "link", "iframe", "object", "use", "image", "base":
			t.Errorf("the report has the element %s", tag[0])
		}
		if refers.MatchString(quotes.ReplaceAllString(tag[2], `""`)) {
			t.Errorf("the tag %s", tag[0])
		}
	}
	if data != 2 || strings.Count(text, "</style>") != 1 || strings.Count(text, "</title>") != 1 {
		t.Error("a text has ended the style, the title or the appendix")
	}
	if n := strings.Count(text, "&lt;script&gt;"); n < 40 {
		t.Errorf("the hostile text is seen %d times", n)
	}
	if strings.Count(text, "url(") != strings.Count(text, "url(#") || strings.Contains(
		text, "//") {
		t.Error("the report refers to something")
	}
	if read, err := publication.FromHTML([]byte(text)); err == nil || read.Title != "" {
		t.Error("a page of no day is read") // its date is hostile, too
	}
}

// TestEachIDOnce: whatever chart a figure has, its parts are called by names of its own, and refer
// to its own.
func TestEachIDOnce(t *testing.T) {
	a := released(t, "age")
	text := Of("", "", Answer{a, drawn(t), drawn(t)}, Answer{a, drawn(t), nil}).HTML()
	ids := map[string]bool{}
	for _, id := range regexp.MustCompile(`\sid="([^"]*)"`).FindAllStringSubmatch(text, -1) {
		if ids[id[1]] {
			t.Errorf("%q stands twice", id[1])
		}
		ids[id[1]] = true
	}
	refs := regexp.MustCompile(`url\(#([^)]*)\)`).FindAllStringSubmatch(text, -1)
	for _, ref := range refs {
		if !ids[ref[1]] {
			t.Errorf("nothing is called %q", ref[1])
		}
	}
	if len(refs) < 3 || len(ids) < 6 {
		t.Errorf("%d ids and %d references", len(ids), len(refs))
	}
}

// TestOneGuarantee: a page states one guarantee, worked out from its questions and not from what
// its answers say of theirs; an answer that is shown twice costs once.
func TestOneGuarantee(t *testing.T) {
	a := released(t, "age")
	for want, list := range map[string][]Answer{
		"Exactly: ε = 0.5, ": {{Release: a}, {Release: a}},
		"Exactly: ε = 1, ":   {{Release: a}, {Release: released(t, "age")}},
	} {
		list[0].Release.Plan.Guarantee.Exact = "ε = 0.00123"
		text := Of("", "", list...).HTML()
		text, _, _ = strings.Cut(text, publication.AppendixStart)
		if !strings.Contains(text, want) || strings.Contains(text, "0.00123") ||
			strings.Count(text, ">What is promised<") != 1 {
			t.Errorf("the page does not promise %q once", want)
		}
	}
	a.Recipe.Epsilon = "x"
	if text := Of("", "", Answer{Release: a}).HTML(); !strings.Contains(text,
		"No promise is known") {
		t.Error("a page without a price promises something")
	}
}

// The report's colours are the page's, so that a chart drawn by daylight takes on the dark's.
func TestReportColoursAreThePages(t *testing.T) {
	style, err := os.ReadFile("../../static/style.css")
	if err != nil {
		t.Fatal(err)
	}
	light, dark, ok := strings.Cut(string(style), "color-scheme: dark")
	if !ok {
		t.Fatal("the style sheet has no dark theme")
	}
	for _, token := range svg.Tokens {
		if !strings.Contains(light, token.Name+": "+token.Light+";") ||
			!strings.Contains(dark, token.Name+": "+token.Dark+";") {
			t.Errorf("%s is not %s and %s in the style sheet", token.Name, token.Light, token.Dark)
		}
	}
	inline := drawn(t).Inline("x", "")
	for _, want := range []string{`fill="var(--accent)"`, `fill="var(--card)"`,
		`stroke="var(--ink)"`} {
		if !strings.Contains(inline, want) {
			t.Errorf("the picture has no %s", want)
		}
	}
}

func TestPictureHoldsShapesOnly(t *testing.T) {
	p := drawn(t)
	again, err := svg.New(p.SVG())
	if err != nil {
		t.Fatal(err)
	}
	if again.SVG() != p.SVG() {
		t.Error("a picture taken apart and rebuilt is another")
	}
	webtest.Golden(t, "picture.svg", p.SVG())
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
		"another's gradient":  `<svg><rect fill="url(#a)"></rect></svg>`,
		"a clip for a colour": `<svg><clipPath id="a"></clipPath><rect fill="url(#a)"></rect></svg>`,
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
		if p, err := svg.New(bad); err == nil {
			t.Errorf("%s is accepted: %s", name, p.SVG())
		}
	}
	graded, err := svg.New(`<svg><defs><linearGradient id="zr7-g9" x1="0"><stop ` +
		`offset="0%" stop-color="rgb(1,2,3)"></stop></linearGradient></defs>` +
		`<rect fill="url(#zr7-g9)"></rect></svg>`)
	if err != nil || !strings.Contains(graded.SVG(), `<linearGradient id="paint1"`) ||
		!strings.Contains(graded.SVG(), `<rect fill="url(#paint1)">`) {
		t.Errorf("a gradient becomes %v, %v", graded, err)
	}
	styled, err := svg.New(
		`<svg><text style="font-size:12px;background:url(http://x);font-family:url(x);">a</text></svg>`)
	if err != nil || strings.Contains(styled.SVG(), "url") ||
		!strings.Contains(styled.SVG(), `font-size="12px"`) {
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

// TestPreviewIsStyled: the policy of the page lets the style of a report through, so that a frame
// of the page shows the report as its file does.
func TestPreviewIsStyled(t *testing.T) {
	if own := reportPolicy(reportStyle()); !strings.Contains(own, host.ReportStyle) {
		t.Errorf("host.ReportStyle is %s, want the hash in %s", host.ReportStyle, own)
	}
}
