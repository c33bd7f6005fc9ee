//go:build browser

package browsertest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/privacy"
	"hush/core/sample"
	"hush/core/table"
	"hush/core/task"
	"hush/web/say"
)

// TestEveryQuestion asks each kind of question as it is taught, from its address to its release and
// every export of it: of more people, so that so little a loss is no question of noise alone, and
// nothing asks once more.
func TestEveryQuestion(t *testing.T) {
	const times = 8
	folder, columns := t.TempDir(), map[string]int{}
	for _, s := range sample.Sets() {
		columns[s.Name] = len(s.Columns)
		header, rows, _ := bytes.Cut(s.CSV(), []byte("\n"))
		many := append(append(header, '\n'), bytes.Repeat(rows, times)...)
		if err := os.WriteFile(filepath.Join(folder, s.Name+".csv"), many, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := serveBundle(t)
	p := open(t, s.url)
	for _, kind := range task.Catalogue() {
		r := kind.Example.Recipe
		r.Version, r.Task, r.Epsilon = ask.RecipeVersion, kind.ID, "0.125"
		switch kind.ID {
		case "clusters": // of which at half of that some releases find none
			r.Epsilon = "0.25"
		case "cutoff": // which is mostly noise where one of the two groups is small
			r.Epsilon = "0.5"
		}
		r.Table = table.Options{Encoding: table.UTF8, Delimiter: ",", Header: table.Yes,
			Columns: columns[kind.Example.Sample]}
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		p.visit("about:blank")
		p.visit(s.url + "#/?q=" + base64.RawURLEncoding.EncodeToString(text))
		p.waitText("A question is waiting")
		p.upload("#file", filepath.Join(folder, kind.Example.Sample+".csv"))
		p.waitPrice()
		p.agree() // units and names are the link's
		p.click("button", "Release, spending ε = ")
		p.until(kind.ID+" released", `document.getElementById("statement")`)
		p.until("its chart", `document.querySelector("#release-chart svg path")`)
		p.waitText("The release as a table")

		var release task.Release
		if err := json.Unmarshal(p.download(func() { p.export("#export-json") }).data,
			&release); err != nil {
			t.Fatalf("%s: the JSON: %v", kind.ID, err)
		}
		if release.Recipe.Task != kind.ID || release.Answer.Result == nil ||
			len(release.Table(say.Language())) < 2 {
			t.Errorf("%s was released as %s, a table of %d rows", kind.ID, release.Recipe.Task,
				len(release.Table(say.Language())))
		}
		asked, err := privacy.ParseEpsilon(r.Epsilon)
		if err != nil {
			t.Fatal(err)
		}
		if epsilon, ok := release.Plan.Loss.Epsilon(); !ok || epsilon.Cmp(asked.Rat()) != 0 {
			t.Errorf("%s cost %v, want ε = %s", kind.ID, release.Plan.Loss, r.Epsilon)
		}
		var shown string
		p.eval(`document.getElementById("statement").textContent.replaceAll("\u00a0", " ")`, &shown)
		if shown != strings.ReplaceAll(release.Statement, "\u00a0", " ") {
			t.Errorf("%s: the page says %q, and the release %q", kind.ID, shown, release.Statement)
		}
		inEveryForm(t, p, kind.ID)
	}
	if faults := p.problems(); len(faults) > 0 {
		t.Errorf("problems: %q", faults)
	}
}
