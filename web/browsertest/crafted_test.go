//go:build browser

package browsertest

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/table"
	"hush/web/exhibit"
	"hush/web/state/form"
)

// unspent reads what the ledger page says of a browser that has released nothing, with a file open
// or not.
func (p *webPage) unspent(file bool) {
	p.t.Helper()
	goTo(p, "Ledger")
	if file {
		p.waitText("Nothing is spent yet of")
	} else {
		p.waitText("Nothing has been released on this device yet.")
	}
}

// harmless fails the test where a text became an element, or ran.
func (p *webPage) harmless() {
	p.t.Helper()
	if p.evalBool(`Boolean(globalThis.hacked || document.querySelector("[src='x:y'], [onerror]"))`) {
		p.t.Error("markup of a stranger's is part of the page")
	}
}

const markup = `<img src="x:y" onerror="hacked=1">`

// TestLinkHoldsNoData: the address of a question holds what was asked, and neither the file's name
// nor a cell of it.
func TestLinkHoldsNoData(t *testing.T) {
	p := open(t, serveBundle(t).url)
	linkOf(p, visitors(t, 1000))
	var address, text string
	p.eval(`location.href`, &address)
	p.eval(`atob(location.hash.split("q=")[1].replaceAll("-", "+").replaceAll("_", "/"))`, &text)
	if !strings.Contains(text, `"task":"histogram"`) || !strings.Contains(text, `"hi":"69"`) {
		t.Fatalf("the address holds %s", text)
	}
	for _, secret := range []string{"visitors", "Person", "Köln", "K\u00c3\u00b6ln", "town",
		"half a row"} {
		if strings.Contains(text, secret) || strings.Contains(address, secret) {
			t.Errorf("%q is in the address: %s", secret, text)
		}
	}
}

// linkOf asks about the ages of a file of visitors, and returns the question that the address
// holds.
func linkOf(p *webPage, path string) ask.Recipe {
	p.t.Helper()
	p.upload("#file", path)
	askAge(p)
	p.until("a question in the address", `location.hash.includes("?q=")`)
	var hash string
	p.eval(`location.hash.split("q=")[1]`, &hash)
	r, err := form.DecodeRecipe(hash)
	if err != nil {
		p.t.Fatal(err)
	}
	return r
}

// TestCraftedLink: the filter of a link is shown before there is a file, and stands in the form
// with it; it asks and spends nothing, runs nothing, and has bounds.
func TestCraftedLink(t *testing.T) {
	s, path := serveBundle(t), visitors(t, 1000)
	r := linkOf(open(t, s.url), path)
	link := func(conditions ...form.ConditionForm) string {
		asked := r
		for _, c := range conditions {
			asked.Filter = append(asked.Filter, c.Condition())
		}
		return s.url + "#/?q=" + form.EncodeRecipe(asked)
	}
	one := "Person; no. 7"
	t.Run("shown before it is used", func(t *testing.T) {
		p := open(t, link(form.ConditionForm{Column: 1, Test: form.TestOneOf,
			List: one + "\n" + markup + "\n\u202e" + strings.Repeat("long ", 5000)},
			form.ConditionForm{Column: 2, Test: form.TestNumbers, From: "40"}))
		p.waitText("A question is waiting")
		p.waitText("It counts only those who meet its conditions")
		p.waitText("Column 1 is one of: " + one + ", " + markup)
		p.waitText("Column 2 is from 40 to ….")
		if len(p.text()) > 10_000 {
			t.Errorf("the page shows %d letters", len(p.text()))
		}
		p.axe()
		p.upload("#file", path)
		p.click("button", "Yes, continue") // half a row may be one that a line end broke
		p.waitPrice()
		p.until("the conditions to be seen", `document.getElementById("condition-1-list")?.
			checkVisibility() && document.getElementById("condition-2-from")?.checkVisibility()`)
		if !strings.Contains(p.value("textbox", "Values, one a line"), one) {
			t.Error("the form shows another list")
		}
		p.waitBudget("Nothing has been spent on this file yet.")
		if p.there("release") {
			t.Error("there is an answer that nobody asked for")
		}
		p.harmless()
		p.clickSelector(".condition button")
		p.until("an address without the values", `!location.hash.includes("?q=")`)
		p.unspent(true)
	})
	t.Run("a column that is not there", func(t *testing.T) {
		p := open(t, link(form.ConditionForm{Column: 1 << 40, Test: form.TestOneOf, List: one}))
		p.upload("#file", path)
		p.click("button", "Yes, continue")
		p.waitText("1 to 3")
		if p.evalBool(`document.getElementById("release-button")?.disabled === false`) ||
			p.has("button", "Release, spending") {
			t.Error("it can be released")
		}
		p.unspent(true)
	})
	for name, c := range map[string]struct{ address, says string }{
		"thousands of conditions": {link(make([]form.ConditionForm, 9000)...),
			"at most 50 can be shown"},
		"a condition of a kind that no form shows": {crafted(s.url, r, table.Condition{Column: 1,
			Spec: domain.Spec{Kind: domain.Category, Categories: []string{one}},
			In:   []string{one}}),
			"condition 1 of its filter cannot be shown here"},
		"cut off":                {link()[:len(link())-9], "This is no question saved by Hush"},
		"a question that is not": {s.url + "#/?q=" + markup, "the address is cut off or changed"},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, c.address)
			p.waitText(c.says)
			if strings.Contains(p.text(), "A question is waiting") {
				t.Error("it waits all the same")
			}
			p.harmless()
			p.unspent(false)
		})
	}
}

// crafted is the link of a question with a condition of any kind.
func crafted(url string, r ask.Recipe, c table.Condition) string {
	r.Filter = []table.Condition{c}
	return url + "#/?q=" + form.EncodeRecipe(r)
}

// TestForgedRelease: a file that claims more than its question gives is opened as what it is:
// unverified, with what differs named, without its markup, and so is every copy.
func TestForgedRelease(t *testing.T) {
	file := exhibit.SavedCombinations()
	for was, is := range map[string]string{
		`"origin": "crypto"`:     `"origin": "seeded"`,
		`"exact": "ε = `:         `"exact": "ε = 0.0000`,
		`"neighbours": "One row`: `"neighbours": "A hundred rows`,
		`"algorithm": "`:         `"algorithm": "magic `,
		`"statement": "`:         `"statement": "` + strings.ReplaceAll(markup, `"`, `\"`) + ` `,
		"\"plan\": {\n": "\"unverified\": false,\n" +
			"  \"verdict\": {\"grade\": \"good\"},\n  \"plan\": {\n",
		"\"version\": 1,\n  \"orig": "\"version\": 1,\n  \"build\": \"of somebody\",\n  \"orig",
	} {
		changed := strings.Replace(file, was, is, 1)
		if changed == file {
			t.Fatalf("%q is not in the file", was)
		}
		file = changed
	}
	path := filepath.Join(t.TempDir(), "release.json")
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	p := open(t, serveBundle(t).url)
	p.upload("#release-file", path)
	for _, text := range []string{"Opened from a file, and not verified", "drawn from a seed",
		"The file states the guarantee as “ε = 0.0000", "protects “A hundred rows",
		"the algorithm “magic"} {
		p.waitText(text)
	}
	p.until("a chart", `document.querySelector("#release-chart svg path")`)
	if p.evalBool(`Boolean(document.querySelector(".verdict.good"))`) {
		t.Error("its own verdict is shown")
	}
	var guarantee string
	p.eval(`document.getElementById("guarantee").closest("section").textContent`, &guarantee)
	for _, forged := range []string{"0.0000", "A hundred rows", "magic", "cryptographic"} {
		if strings.Contains(guarantee, forged) {
			t.Errorf("the page promises %q: %s", forged, guarantee)
		}
	}
	p.harmless()
	p.axe()
	for name, button := range exportButtons {
		data := p.download(func() { p.export(button) }).data
		for part, text := range partsOf(t, name, data) {
			want := "unverified"
			switch {
			case strings.HasSuffix(part, ".png") || name == "Chart (PNG)",
				strings.HasSuffix(part, "recipe.json"), strings.HasSuffix(part, ".go"),
				strings.HasSuffix(part, ".mod"), strings.HasSuffix(part, ".sum"):
				continue // the picture is drawn from the SVG; a question is no answer
			case strings.HasSuffix(part, ".html") || name == "Report (HTML)":
				want = "opened from a file"
			}
			if !strings.Contains(text, want) {
				t.Errorf("%s: %s does not say that it is unverified", name, part)
			}
			if strings.Contains(text, "ε = 0.0000") || strings.Contains(text, "<img") {
				t.Errorf("%s: %s passes on what was forged", name, part)
			}
		}
	}
	p.unspent(false)
}

// partsOf are the files of an archive, or the one file that an export is.
func partsOf(t *testing.T, name string, data []byte) map[string]string {
	t.Helper()
	if name != "All (ZIP)" {
		return map[string]string{name: string(data)}
	}
	files, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	for _, f := range files.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		parts[f.Name] = string(text)
	}
	return parts
}
