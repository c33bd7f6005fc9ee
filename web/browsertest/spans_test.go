//go:build browser

package browsertest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/table"
	"hush/web/state/form"
)

// TestIntervalsInTheBrowser releases a median and nine quantiles with intervals in the column's
// unit, all percentiles with a measured error, and a table with margins: each says its interval,
// draws it, and can be read in both themes and on a phone.
func TestIntervalsInTheBrowser(t *testing.T) {
	var file strings.Builder
	file.WriteString("salary,district,state\n")
	for i := range 6000 {
		fmt.Fprintf(&file, "%d,%s,%s\n", 12_000+i*i*7919%6000*i%6000*9,
			[]string{"Hill", "Mill", "Lake"}[i*i%3], []string{"well", "ill"}[i%5/4])
	}
	path := filepath.Join(t.TempDir(), "pay.csv")
	if err := os.WriteFile(path, []byte(file.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	list := func(column int, label string, of ...string) ask.Field {
		return ask.Field{Role: "by", Column: column, Label: label,
			Domain: domain.Spec{Kind: domain.Category, Categories: of}}
	}
	s := serveBundle(t)
	for _, c := range []struct {
		name   string
		recipe ask.Recipe
		says   string // a part of the answer's sentence; after a “|”, of one in 20 of them
	}{
		{"median", ask.Recipe{Task: "median", Params: ask.Params{"stated": "interval"}},
			"EUR or less (95 %: |cannot state an interval"},
		{"nine", ask.Recipe{Task: "quantiles", Params: ask.Params{"stated": "interval",
			"targets": "10,20,30,40,50,60,70,80,90"}},
			"all intervals hold|cannot state an interval"},
		{"percentiles", ask.Recipe{Task: "distribution",
			Params: ask.Params{"stated": "measured"}}, "low (95 %)"},
		{"margins", ask.Recipe{Task: "table", Others: []ask.Field{
			list(2, "district", "Hill", "Mill", "Lake"), list(3, "state", "well", "ill")}},
			"in 95 of 100 releases"},
	} {
		r := c.recipe
		r.Version, r.Epsilon = ask.RecipeVersion, "1"
		r.Table = table.Options{Encoding: table.UTF8, Delimiter: ",", Header: table.Yes, Columns: 3}
		if r.Others == nil {
			r.Column, r.Label, r.Unit = 1, "salary", "EUR"
			r.Domain = domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "99999"}
		}
		p := open(t, s.url+"#/?q="+form.EncodeRecipe(r))
		p.upload("#file", path)
		p.waitPrice()
		p.agree()
		p.click("button", "Release")
		p.waitText("Put it on the page")
		p.wait(c.says, func() bool {
			text := strings.ReplaceAll(p.visible(), "\u00a0", " ")
			return slices.ContainsFunc(strings.Split(c.says, "|"), func(says string) bool {
				return strings.Contains(text, says)
			})
		})
		p.until("a picture", `document.querySelector("#content div.chart svg, #content table")`)
		for _, theme := range []string{"light", "dark"} {
			for _, width := range []int64{1280, 360} {
				p.screenshot(fmt.Sprintf("intervals/%s-%d-%s", c.name, width, theme), width, 1400,
					theme)
				if p.evalBool(`document.documentElement.scrollWidth > innerWidth`) {
					t.Errorf("%s, %d wide: it can be scrolled sideways", c.name, width)
				}
			}
		}
		p.axe()
	}
}
