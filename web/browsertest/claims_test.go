//go:build browser

package browsertest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/codebook"
	"hush/core/domain"
	"hush/core/table"
	"hush/web/state/form"
)

// TestLinkClaims: a link that makes a column the count of people, names a column or names the
// people is asked about beside the file's own names before n is shown or anything is released.
func TestLinkClaims(t *testing.T) {
	var file strings.Builder
	file.WriteString("age,wait,weight\n")
	for i := range 1761 {
		fmt.Fprintf(&file, "%d,%d,10\n", 20+i%50, i%10)
	}
	path := filepath.Join(t.TempDir(), "waits.csv")
	if err := os.WriteFile(path, []byte(file.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	r := ask.Recipe{Version: ask.RecipeVersion, Task: "median", Epsilon: "1",
		Table:  table.Options{Encoding: table.UTF8, Delimiter: ",", Header: table.Yes, Columns: 3},
		Column: 2, Label: "age", Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "9"},
		Count: 3, Noun: codebook.Noun{One: "convict", Many: "convicts"}}
	p := open(t, serveBundle(t).url+"#/?q="+form.EncodeRecipe(r))
	p.upload("#file", path)
	p.waitText("The question says what a row stands for.")
	told := func() bool {
		return p.evalBool(`/17.?610/.test(document.getElementById("content").innerText)`)
	}
	if told() {
		t.Error("the sum of a column is shown as n before anybody agreed")
	}
	p.click("button", "Look at its contents…")
	p.until("the dialog", `document.getElementById("claims")?.open`)
	for _, text := range []string{"17", "becomes public as n", `your file says "wait"`,
		`the description says "age"`, "convict, convicts"} {
		p.waitText(text)
	}
	if !p.evalBool(`/17[\s\u202f]610/.test(document.getElementById("claims").innerText)`) {
		t.Error("n is not written in groups of three digits")
	}
	if !p.evalBool(`parseFloat(getComputedStyle(document.querySelector("#claims ul")).paddingLeft) > 12`) {
		t.Error("the bullets stand outside of the text")
	}
	p.axe()
	p.pictures("claims")
	p.click("button", "Use the file’s own")
	p.click("button", "Say what one row is") // nobody has said it now
	p.choose("One row is", "one person")
	p.question()
	p.waitPrice()
	if told() || strings.Contains(p.text(), "convict") {
		t.Error("what was dropped is still said")
	}
	p.click("button", "Release")
	p.waitText("Put it on the page")
	if text := p.text(); !strings.Contains(text, "wait") || strings.Contains(text, "convict") {
		t.Error("it was released under another name")
	}
}
