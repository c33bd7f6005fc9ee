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
	"hush/core/task"
	"hush/web/chart/svg"
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
	m.Describe(1)
	m.EditColumn(func(c *form.ColumnForm) { c.Name = label })
	m.DescribeAs(codebook.Errors)
	f.Settle()
	m.Run()
	f.Settle()
	if m.Release.Result == nil {
		t.Fatalf("no release: %+v", m.Release.Failure)
	}
	return m.Release.Result
}

func TestReport(t *testing.T) {
	release := released(t, "age")
	r := Of("0123456789abcdef", "2026-01-31", Answer{Release: release, Picture: drawn(t)})
	text := r.HTML()
	webtest.Golden(t, "report.html", text)
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
	text := Of(hostile, hostile, Answer{Release: r, Picture: drawn(t)}).HTML()
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
	if strings.Count(text, "url(") != strings.Count(text, "url(#clip") ||
		strings.Contains(text, "//") {
		t.Error("the report refers to something")
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
	inline := drawn(t).Inline("x")
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
