//go:build browser

package browsertest

import (
	"encoding/json"
	"fmt"
	"go/build"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"context"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"hush/core/message"
	"hush/core/message/texts"
	"hush/web/host"
	"hush/web/say"
)

// pseudoTag is what CLDR calls English with accents, longer by a third and in brackets: a text
// without them was never translated.
const pseudoTag = "en-XA"

var (
	accents = strings.NewReplacer("a", "á", "e", "é", "i", "í", "o", "ö", "u", "ü", "c", "ç", "n",
		"ñ", "A", "Å", "E", "É", "O", "Ö", "S", "Š")
	verbs = regexp.MustCompile(`%[-+# 0]*(?:\[\d+\])?\d*(?:\.\d+)?[a-zA-Z%]`)
)

// stretched is a text in the pseudo-language, with its places as they are.
func stretched(text string) string {
	var b strings.Builder
	from := 0
	for _, at := range verbs.FindAllStringIndex(text, -1) {
		b.WriteString(accents.Replace(text[from:at[0]]) + text[at[0]:at[1]])
		from = at[1]
	}
	b.WriteString(accents.Replace(text[from:]))
	for more := len([]rune(text)) * 3 / 10; more > 0; more -= 6 {
		b.WriteString(" " + strings.Repeat("ö", min(more, 5)))
	}
	return "⟦" + b.String() + "⟧"
}

// pseudo translates the whole catalogue.
func pseudo(t *testing.T) *message.Language {
	t.Helper()
	english, _, err := texts.Read("../..")
	if err != nil {
		t.Fatal(err)
	}
	l := texts.Translated(english, stretched)
	l.Tag, l.Name = pseudoTag, "Pseudo"
	return l
}

// serveTranslated serves the bundle with these languages.
func serveTranslated(t *testing.T, languages ...*message.Language) *site {
	t.Helper()
	return serve(t, host.New(translated(t, languages...)), "/")
}

// translated is the bundle that the build would make with these languages in static/messages.
func translated(t *testing.T, languages ...*message.Language) fs.FS {
	t.Helper()
	static, out := filepath.Join(t.TempDir(), "static"), filepath.Join(t.TempDir(), "dist")
	for _, pattern := range []string{"*.js", "*.css", "*.html", "icons/*",
		"package/*"} {
		names, err := filepath.Glob(filepath.Join("../../static", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			inside, _ := filepath.Rel("../../static", name)
			put(t, filepath.Join(static, inside), text)
		}
	}
	for _, l := range languages {
		text, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		put(t, filepath.Join(static, "messages", l.Tag+".json"), text)
	}
	said, err := exec.Command("go", "run", "hush/web/bundle", "-wasm", "../../.cache/app.wasm",
		"-exec", filepath.Join(build.Default.GOROOT, "lib/wasm/wasm_exec.js"),
		"-static", static, "-core", "../../core", "-made", "../../.cache/made", "-out", out).
		CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	return os.DirFS(out)
}

func put(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// noteFirst keeps the first heading that can be seen, and every one that follows.
const noteFirst = `globalThis.headings = []; (function look() {
	const heading = document.querySelector("h1");
	if (heading?.checkVisibility({ visibilityProperty: true }) && headings.at(-1) !== heading.textContent) headings.push(heading.textContent);
	requestAnimationFrame(look);
})()`

// leftInEnglish lists what can be seen and is not in brackets, unless it is data: what is marked as
// such, and the column's name in a chart, where nothing is marked.
const leftInEnglish = `(() => {
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	const found = new Set();
	while (walk.nextNode()) {
		const { data, parentElement: at } = walk.currentNode;
		let rest = data, before;
		do rest = (before = rest).replace(/⟦[^⟦⟧]*⟧/g, ""); while (rest !== before);
		if (rest === "age" && at.closest("div.chart svg text")) continue;
		if (/\p{Script=Latin}{2}/u.test(rest) && at.checkVisibility() && !at.closest("[translate=no], #language, option")) found.add(rest.trim());
	}
	return [...found].filter((text) => !/^(Hush|\d{4}-\d\d-\d\d \d\d:\d\d UTC)$/.test(text));
})()`

// TestAnotherLanguage does in a made-up language what a person does: what this shows holds for
// every translation.
func TestAnotherLanguage(t *testing.T) {
	l := pseudo(t)
	s := serveTranslated(t, l)
	english := open(t, s.url)
	english.installed()
	say.Use(l)
	t.Cleanup(func() { say.Use(nil) })
	for _, answer := range s.answers() {
		if strings.Contains(answer.path, "/messages/") {
			t.Errorf("who reads English loads %s", answer.path)
		}
	}

	p := open(t, "about:blank")
	p.do(emulation.SetUserAgentOverride("Mozilla/5.0").WithAcceptLanguage(pseudoTag),
		chromedp.ActionFunc(func(ctx context.Context) error {
			_, err := page.AddScriptToEvaluateOnNewDocument(noteFirst).Do(ctx)
			return err
		}))
	p.visit(s.url)
	p.waitText(say.Text(landed))
	var seen struct {
		Lang, Title string
		Headings    []string
	}
	p.eval(`({ Lang: document.documentElement.lang, Title: document.title, Headings: headings })`,
		&seen)
	if seen.Lang != pseudoTag || !strings.HasPrefix(seen.Title, "⟦") {
		t.Errorf("the page's language is %q and its title %q", seen.Lang, seen.Title)
	}
	if len(seen.Headings) != 1 || !strings.HasPrefix(seen.Headings[0], "⟦") {
		t.Errorf("the headings seen are %q, want one, in the language", seen.Headings)
	}
	look := func(state string) {
		t.Helper()
		for _, width := range []int64{360, 1280} {
			p.screenshot(fmt.Sprintf("language-%s-%d", state, width), width, 1400, "light")
			p.until("no sideways scrolling", `document.documentElement.scrollWidth <= innerWidth`)
		}
		var left []string
		if p.eval(leftInEnglish, &left); len(left) > 0 {
			t.Errorf("%s says in English: %q", state, left)
		}
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
	for _, want := range []string{`<html lang="` + pseudoTag + `"`, say.Text("What is promised")} {
		if !strings.Contains(report, want) {
			t.Errorf("the report does not say %q", want)
		}
	}

	p.visit(s.url + "#/learn")
	p.waitText(say.Text("Six short lessons on figures that keep secrets"))
	look("learn")
	p.visit(s.url + "#/ledger")
	p.waitText(say.Text("Histogram"))
	look("ledger")

	kept := fmt.Sprintf(
		`caches.match(document.querySelector("script[src$='page.js']").src.replace("page.js", "messages/%s.json")).then(Boolean)`, pseudoTag)
	p.until("the language to be kept", `(await `+kept+`)`)
	p.clickSelector(".menu > summary")
	p.choose(say.Text("Language"), "English")
	p.alive()
	p.waitText("Nothing leaves this tab")
	p.reload()
	var lang string
	if p.eval(`document.documentElement.lang`, &lang); lang != "en" {
		t.Errorf("after a choice of English and a reload the page's language is %q", lang)
	}
	p.clickSelector(".menu > summary")
	p.on("combobox", "Language",
		`function (tag) { this.value = tag; this.dispatchEvent(new Event("change", { bubbles: true })); }`, nil, pseudoTag)
	p.waitText(say.Text("Nothing leaves this tab"))
	p.alive()
	s.stop()
	p.expect("ERR_CONNECTION_REFUSED")
	p.reload()
	p.waitText(say.Text("Nothing leaves this tab"))
}
