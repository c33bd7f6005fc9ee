package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"hush/core/coin"
	"hush/core/publication"
	"hush/core/verify"
	"hush/web/chart/svg"
	"hush/web/engine"
	"hush/web/report"
	"hush/web/webtest/clinicpage"
)

// pageOf is a page of figures as the browser saves it: each picture is bars beside an axis with
// numbers.
func pageOf(t *testing.T, page publication.Page) string {
	t.Helper()
	r := report.Report{Page: page}
	for i, f := range page.Figures() {
		name := ""
		if i == 0 {
			name = f.Release.Recipe.Label
		}
		axis := func(width int) *svg.Picture {
			text := fmt.Sprintf(`<svg width="%d" height="200" viewBox="0 0 %d 200" xmlns="x">`,
				width, width)
			for n := range 3 {
				text += fmt.Sprintf(`<text transform="translate(40 %d)" fill="#54555a">%d</text>`,
					180-60*n, 20*n)
			}
			text += `<path d="M50 180l30 0l0 -90l-30 0Z" fill="#0d655c"></path>` +
				`<text transform="translate(300 195)" fill="#4d5765">` + name + `</text></svg>`
			picture, err := svg.New(text)
			if err != nil {
				t.Fatal(err)
			}
			return picture
		}
		r.Pictures = append(r.Pictures, report.Picture{Wide: axis(560), Narrow: axis(340)})
	}
	return r.HTML()
}

// checkedOnThePage is what the check of the page answers: the engine's operation, with the writer
// that wasm gives it.
func checkedOnThePage(t *testing.T, text string) (found verify.Report) {
	t.Helper()
	d := engine.NewDispatcher(coin.NewCrypto(), nil, nil)
	d.Rewrite = report.Rewrite
	answer := d.Call("verify", []byte(engine.Encode(engine.CheckOf{Text: text})), nil)
	found, err := reply[verify.Report](answer)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestCheckPage: what a reader of a saved page sees is compared whole with what its data say. Each
// of these changes leaves the data as they were.
func TestCheckPage(t *testing.T) {
	page := clinicpage.Make(t)
	text := pageOf(t, page)
	code, out, said := hush(t, "check", save(t, "page.html", text))
	if code != exitDone || !strings.Contains(out, "holds   What the page shows") {
		t.Fatalf("a page as it was saved: code %d, %s\n%s", code, said, out)
	}
	for _, own := range []string{"Its author's own words", "“" + page.Title + "”",
		"“Children under ten are the largest group.”", "cannot  The shapes in its pictures"} {
		if !strings.Contains(out, own) {
			t.Errorf("of a page as it was saved it does not say %q:\n%s", own, out)
		}
	}
	share := page.Figures()[1].Release
	cut := func(from, to string) func(string) string {
		return func(text string) string {
			before, rest, found := strings.Cut(text, from)
			_, after, ends := strings.Cut(rest, to)
			if !found || !ends {
				t.Fatalf("the page has no %s … %s", from, to)
			}
			return before + after
		}
	}
	swap := func(old, now string) func(string) string {
		return func(text string) string {
			head, data, _ := strings.Cut(text, publication.AppendixStart)
			if !strings.Contains(head, old) {
				t.Fatalf("the page has no %q", old)
			}
			return strings.Replace(head, old, now, 1) + publication.AppendixStart + data
		}
	}
	changes := map[string]func(string) string{
		"a headline":            swap(share.Statement, "About 95 % of patients are children."),
		"the title":             swap("<h1>"+page.Title, "<h1>ε = 0.001 certified"),
		"the title of the tab":  swap("<title>"+page.Title, "<title>ε = 0.001 certified"),
		"a number in a picture": swap(">40</text>", ">95</text>"),
		"a name in a picture":   swap(">age</text>", ">wage</text>"),
		"a text in a picture":   swap("</svg></div>", "<text>certified</text></svg></div>"),
		"a key figure":          swap("<dd>", "<dd>9"),
		"the total":             swap(">2.1<", ">0.1<"),
		"a figure removed":      cut(`<figure class="`, "</figure>\n"),
		"a paragraph added":     swap("</main>", "<p>Certified.</p></main>"),
		"a paragraph before":    swap("<main>\n", "<main>\n<p class=\"lead\">Certified.</p>\n"),
		"a style that hides":    swap("</style>", ".verdict{display:none}</style>"),
		"another style":         swap("</head>", "<style>.verdict{display:none}</style></head>"),
		"a style on a line":     swap(`<p class="verdict`, `<p style="display:none" class="verdict`),
		"hidden text":           swap(`<p class="verdict`, `<p hidden class="verdict`),
		"a script": func(text string) string { // the end of the body lies behind the data
			return strings.Replace(text, "</body>", "<script>alert(1)</script></body>", 1)
		},
		"a script in the head": swap("</head>", "<script src=a.js></script></head>"),
		"a refresh":            swap("</head>", `<meta http-equiv="refresh" content="0;x"></head>`),
		"no policy":            cut(`<meta http-equiv="Content-Security-Policy"`, "\n"),
		"a base":               swap("</head>", `<base href="https://example.org/"></head>`),
		"an event handler":     swap("<main>", `<main onclick="alert(1)">`),
		"a handler of a shape": swap(`<path d="M50`, `<path onclick="alert(1)" d="M50`),
		"a foreign object":     swap("</svg></div>", "<foreignObject/></svg></div>"),
		"a picture from afar":  swap("</svg></div>", `<image href="//a.org/a.png"></image></svg></div>`),
		"a comment":            swap("<main>", "<!-- x --><main>"),
		"figures in a new order": func(text string) string {
			first, rest, _ := strings.Cut(text, `<figure class="`)
			a, rest, _ := strings.Cut(rest, `</figure>`)
			b, rest, _ := strings.Cut(rest, `<figure class="`)
			c, rest, _ := strings.Cut(rest, `</figure>`)
			return first + `<figure class="` + c + `</figure>` + b + `<figure class="` + a +
				`</figure>` + rest
		},
		"a direction":         swap(`dir="ltr"`, `dir="rtl"`),
		"something behind it": func(text string) string { return text + "<p>Certified.</p>" },
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			changed := change(text)
			if changed == text {
				t.Fatal("nothing changed")
			}
			code, out, _ := hush(t, "check", save(t, "page.html", changed))
			if code != exitFailed || !strings.Contains(out, "fails ") ||
				strings.Contains(out, "holds   What the page shows") {
				t.Errorf("code %d:\n%s", code, out)
			}
			found := checkedOnThePage(t, changed)
			if found.Count(verify.Fails) == 0 || found.Shown == verify.Holds {
				t.Errorf("on the page: %+v", found.Checks)
			}
		})
	}
}

// TestCheckPageOfOthers: a page that another version wrote, or in a language that the program does
// not speak, is not called good: its text was not compared.
func TestCheckPageOfOthers(t *testing.T) {
	text := pageOf(t, clinicpage.Make(t))
	old := func(text string) string { // as it was before pages named their edition
		before, rest, _ := strings.Cut(text, `<meta name="generator"`)
		_, after, _ := strings.Cut(rest, "\n")
		return before + after
	}
	for name, c := range map[string]struct {
		text string
		code int
		says string
	}{
		"an earlier version that wrote the same": {old(text), exitDone,
			"holds   What the page shows"},
		"an earlier version that wrote otherwise": {
			strings.Replace(old(text), "What is promised", "The promise", 1), exitUnseen,
			"its text was not compared"},
		"another language": {strings.Replace(text, `lang="en"`, `lang="de"`, 1), exitUnseen,
			"in another language"},
	} {
		code, out, said := hush(t, "check", save(t, "page.html", c.text))
		if code != c.code || !strings.Contains(out, c.says) ||
			c.code == exitUnseen && (strings.Contains(out, "holds   What the page shows") ||
				!strings.Contains(said, "not all that a reader sees")) {
			t.Errorf("%s: code %d, %s\n%s", name, code, said, out)
		}
	}
	if signed := publication.WithSignature(text, strings.Repeat("0a", 65),
		strings.Repeat("0b", 64)); !bytes.Contains([]byte(signed), []byte("hush-signature")) {
		t.Error("it is not signed")
	} else if code, out, _ := hush(t, "check", save(t, "page.html", signed)); code != exitDone ||
		!strings.Contains(out, "holds   What the page shows") {
		t.Errorf("a signed page: code %d\n%s", code, out)
	}
}
