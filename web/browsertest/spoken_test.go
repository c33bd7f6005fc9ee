//go:build browser

package browsertest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"

	"hush/core/message"
	"hush/core/phrase"
	"hush/web/say"
)

// mirrored is a made-up language of Hebrew letters, written from right to left.
func mirrored(t *testing.T) *message.Language {
	t.Helper()
	letters := strings.NewReplacer(
		pairs("abcdefghijklmnopqrstuvwxyz", "אבגדהוזחטיכלמנסעפצקרשתאבגד")...)
	l := pseudo(t)
	l.Tag, l.Name, l.Direction = "he", "Mirrored", "rtl"
	change := func(text string) string {
		var b strings.Builder
		from := 0
		for _, at := range verbs.FindAllStringIndex(text, -1) {
			b.WriteString(letters.Replace(strings.ToLower(text[from:at[0]])) + text[at[0]:at[1]])
			from = at[1]
		}
		return b.String() + letters.Replace(strings.ToLower(text[from:]))
	}
	for k, m := range l.Messages {
		text := string(k)
		if m.Plural == nil {
			l.Messages[k] = message.Message{Text: "⟦" + change(text) + "⟧"}
			continue
		}
		l.Messages[k] = message.Message{
			Plural: map[string]string{message.Other: "⟦" + change(text) + "⟧"}}
	}
	return l
}

func pairs(from, to string) (list []string) {
	target := []rune(to)
	for i, r := range from {
		list = append(list, string(r), string(target[i]))
	}
	return list
}

// speaking is an empty page of a browser whose owner reads that language first.
func speaking(t *testing.T, tag string) *webPage {
	t.Helper()
	p := open(t, "about:blank")
	p.do(emulation.SetUserAgentOverride("Mozilla/5.0").WithAcceptLanguage(tag))
	return p
}

// speak makes the test say things in a language until it ends.
func speak(t *testing.T, l *message.Language) {
	say.Use(l)
	t.Cleanup(func() { say.Use(nil) })
}

// TestEmbedInAnotherLanguage: a demo speaks the language of the page around it, from its button to
// its error messages.
func TestEmbedInAnotherLanguage(t *testing.T) {
	l := pseudo(t)
	bundle := serveTranslated(t, l)
	script := `<script src="` + bundle.url + `embed.js" async></script>`
	said := func(key phrase.Key) string { return l.Messages[key].Text }
	const root = `document.querySelector("hush-demo").shadowRoot`
	visit := func(reader, body string) *webPage {
		t.Helper()
		s := otherSite(t, bundle, body)
		p := speaking(t, reader)
		p.record.mu.Lock()
		p.record.origin, p.record.also = strings.TrimSuffix(s.url, "/"),
			[]string{"http://" + bundle.addr}
		p.record.mu.Unlock()
		p.visit(s.url)
		p.until("the button", root+`.querySelector("button").textContent`)
		return p
	}

	// The page is in English, as its html element says, but for the part with the demo; so is the
	// reader.
	p := visit("en",
		`<div lang="`+pseudoTag+`">`+script+`<hush-demo task="mean"><p>x</p></hush-demo></div>`)
	var seen struct{ Button, State, Title, Lang string }
	p.eval(`(() => {
		const button = `+root+`.querySelector("button");
		const Button = button.textContent;
		button.click();
		return { Button, State: `+root+`.querySelector("[role=status]").textContent, Title: `+root+
		`.querySelector("iframe").title, Lang: `+root+`.querySelector("p").lang };
	})()`, &seen)
	title := strings.Replace(said("Hush demo: %s"), "%s", "mean", 1)
	if seen.Button != said("Run this demo") || seen.State != said("Loading the demo…") ||
		seen.Title != title || seen.Lang != pseudoTag {
		t.Errorf("the element says %+v", seen)
	}
	f := p.frame(bundle.url + "embed.html")
	f.waitText(said("Draw again"))
	f.until("the chart", `document.querySelector("#embed-chart svg")`)
	f.eval(`document.querySelectorAll("details").forEach((d) => { d.open = true; })`, nil)
	var left []string
	if f.eval(leftInEnglish, &left); len(left) > 0 {
		t.Errorf("the demo says in English: %q", left)
	}
	f.until("its language", fmt.Sprintf(`document.documentElement.lang === %q`, pseudoTag))
	p.screenshot("embed-language", 360, 1200, "light")

	// What fails is said in it too. Nobody waits here for as long as a reader would.
	p.eval(`globalThis.setTimeout = ((later) => (work) => later(work, 0))(setTimeout)`, nil)
	p.eval(`void document.querySelector("hush-demo").parentNode.append(Object.assign(document.createElement("hush-demo"), { id: "second" }))`, nil)
	bundle.stop()
	p.expect("ERR_")
	f.expect("ERR_")
	p.eval(`document.getElementById("second").run()`, nil)
	p.until("the failure",
		fmt.Sprintf(
			`document.getElementById("second").shadowRoot.querySelector("[role=status]").textContent === %q`, said("The demo could not be loaded.")))
	bundle.start()

	for _, tt := range []struct{ name, reader, body, want string }{
		{"an English page, a reader of the language", pseudoTag,
			`<hush-demo task="mean"></hush-demo>`, "Run this demo"},
		{"its own language", "en",
			`<hush-demo task="mean" lang="` + strings.ToLower(pseudoTag) + `"></hush-demo>`,
			said("Run this demo")},
		{"an unknown one", pseudoTag, `<hush-demo task="mean" lang="fr-CA"></hush-demo>`,
			said("Run this demo")},
		{"another region", pseudoTag, `<hush-demo task="mean" lang="en-NZ"></hush-demo>`,
			"Run this demo"},
	} {
		p := visit(tt.reader, script+tt.body)
		var button string
		if p.eval(root+`.querySelector("button").textContent`, &button); button != tt.want {
			t.Errorf("%s: the button says %q, want %q", tt.name, button, tt.want)
		}
	}
}

// TestAloneInAnotherLanguage: the workbench that finds itself framed says so in the reader's
// language.
func TestAloneInAnotherLanguage(t *testing.T) {
	l := mirrored(t)
	files := translated(t, l)
	bundle := serve(t, http.FileServerFS(files), "/")
	s := otherSite(
		t, bundle, `<iframe src="`+bundle.url+`" width="600" height="400" title="a"></iframe>`)
	p := speaking(t, l.Tag)
	p.record.mu.Lock()
	p.record.origin, p.record.also = strings.TrimSuffix(s.url, "/"),
		[]string{"http://" + bundle.addr}
	p.record.mu.Unlock()
	p.visit(s.url)
	f := p.frame(bundle.url)
	// a frame of another site is a page of its own
	f.do(emulation.SetUserAgentOverride("Mozilla/5.0").WithAcceptLanguage(l.Tag))
	f.eval(`location.reload()`, nil)
	f.waitText(l.Messages["Open Hush in a tab of its own"].Text)
	f.until("its language and direction",
		`document.documentElement.lang === "he" && document.documentElement.dir === "rtl" && document.querySelector("main").checkVisibility({ visibilityProperty: true })`)
	var left []string
	if f.eval(leftInEnglish, &left); len(left) > 0 {
		t.Errorf("it says in English: %q", left)
	}
	f.until("no program",
		`typeof Go === "undefined" && typeof hushPage === "undefined" && document.scripts.length === 0`)
	f.axe()
	f.eval(`new Promise((painted) => { requestAnimationFrame(() => requestAnimationFrame(() => painted())); })`, nil)
	p.screenshot("alone-language", 640, 480, "light")
}

// TestRightToLeft does in a mirrored language what a person does: nothing is wider than the screen,
// and what leads stands on the right.
func TestRightToLeft(t *testing.T) {
	l := mirrored(t)
	s := serveTranslated(t, l)
	speak(t, l)
	p := speaking(t, l.Tag)
	p.visit(s.url)
	p.waitText(say.Text(landed))
	look := func(state string) {
		t.Helper()
		for _, width := range []int64{360, 1280} {
			p.screenshot(fmt.Sprintf("rtl-%s-%d", state, width), width, 1400, "light")
			p.until("no sideways scrolling",
				`document.documentElement.dir === "rtl" && document.documentElement.scrollWidth <= innerWidth && document.body.scrollWidth <= innerWidth`)
			p.until("nothing beyond the edge",
				`[...document.querySelectorAll("main *, header *, footer *")].every((e) => {
				const box = e.getBoundingClientRect();
				return !e.checkVisibility() || box.width < 2 || e.closest(".scroll, pre, svg, .skip, select") || (box.left >= -1 && box.right <= innerWidth + 1);
			})`)
			p.until("the name of the page on the right",
				`document.querySelector(".brand").getBoundingClientRect().right > innerWidth / 2`)
		}
		p.axe()
	}
	look("empty")
	p.upload("#file", visitors(t, 1000))
	p.confirm()
	p.until("the columns", `document.getElementById("describe-2")`)
	look("columns")
	p.clickSelector("#describe-2")
	p.fill("textbox", say.Text("Smallest possible value"), "69")
	p.fill("textbox", say.Text("Largest possible value"), "20")
	p.clickSelector("#describe")
	p.until("a refusal", `document.querySelector("[aria-invalid=true]")`)
	look("refused")
	p.fill("textbox", say.Text("Smallest possible value"), "20")
	p.fill("textbox", say.Text("Largest possible value"), "69")
	p.clickSelector("#describe")
	p.until("the description", `!document.getElementById("describe")`)
	p.clickSelector("#ask")
	p.waitPrice()
	p.until("the release button", `!document.getElementById("run").disabled`)
	p.clickSelector("#run")
	p.until("a chart", `document.querySelector("#release-chart svg path")`)
	look("released")
	report := string(p.download(func() { p.export("#export-html") }).data)
	if !strings.Contains(report, `<html lang="he" dir="rtl"`) {
		t.Error("the report is written from left to right")
	}
	for _, route := range []string{"learn", "ledger", "learn/mean", "prove", "evidence", "check",
		"words"} {
		p.visit(s.url + "#/" + route)
		p.until("the page", `document.querySelector("main h1")`)
		if route == "learn/mean" {
			p.until("a chart", `document.querySelector("main svg path")`)
		}
		look(strings.ReplaceAll(route, "/", "-"))
	}
	p.visit(s.url + "embed.html#task=mean&lang=he")
	p.until("the chart", `document.querySelector("#embed-chart svg")`)
	for _, width := range []int64{360, 1280} {
		p.screenshot(fmt.Sprintf("rtl-embed-%d", width), width, 1000, "light")
		p.until("no sideways scrolling",
			`document.documentElement.dir === "rtl" && document.documentElement.scrollWidth <= innerWidth`)
	}
}

// TestEarlyInAnotherLanguage: what stands there before the program runs is translated, names and
// hints included.
func TestEarlyInAnotherLanguage(t *testing.T) {
	l := mirrored(t)
	p, start := earlyOf(t, speaking(t, l.Tag), translated(t, l), "")
	p.waitText(l.Messages[landed].Text)
	p.until("its direction", `document.documentElement.dir === "rtl"`)
	var left, labels []string
	p.eval(leftInEnglish, &left)
	p.eval(`[...document.querySelectorAll("[aria-label]")].map((e) => e.getAttribute("aria-label")).filter((text) => !text.startsWith("⟦"))`, &labels)
	p.screenshot("early-language", 360, 900, "light")
	if len(left)+len(labels) > 0 {
		t.Errorf("it says in English: %q, and of its parts %q", left, labels)
	}
	start()
	p.waitText(l.Messages[landed].Text)
}
