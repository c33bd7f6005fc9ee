//go:build browser

package browsertest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"hush/core/publication"
)

// survey is a file of persons with an age, a sex, a schooling, an income and whether they are
// married: the one that HUSH_PUMS names, which has these columns, or a made-up one.
func survey(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("HUSH_PUMS"); path != "" {
		return path
	}
	var b strings.Builder
	b.WriteString("age,sex,educ,race,income,married\n")
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		fmt.Fprintf(&b, "%d,%d,%d,%d,%d,%d\n", 18+r.IntN(70), r.IntN(2), 1+r.IntN(16), 1+r.IntN(6),
			r.IntN(80)*1000, r.IntN(2))
	}
	return textFile(t, "survey.csv", b.String())
}

// TestPageIsMade: from a described table to a page of twelve figures, in one release that costs
// less than twelve; the page is saved, and comes back when it is loaded again.
func TestPageIsMade(t *testing.T) {
	s := &stranger{webPage: open(t, serveBundle(t).url)}
	s.drop("#content", survey(t))
	s.until("whether a person can have several rows", `document.getElementById("persons-no")`)
	s.clickSelector("#persons-no")
	s.clickSelector("#confirm")
	s.until("the columns", `document.getElementById("step-columns")`)
	s.clickSelector("#column-1 .suggest")
	s.describeList("sex", "0", "1")
	s.describeList("race", "1", "2", "3", "4", "5", "6")
	s.describeList("married", "0", "1")
	s.describe("income", "0", "100000")
	s.actions = 0

	s.does("make a page", func() { s.clickSelector("#make-page") })
	s.until("the editor", `document.getElementById("page-title")`)
	s.does("add figures", func() { s.clickSelector("#add-figure") })
	for i := range 12 {
		s.does(fmt.Sprintf("propose %d", i+1), func() { s.clickSelector("#propose-1") })
	}
	s.does("done", func() { s.clickSelector("#proposals-done") })
	s.does("title", func() { s.fill("textbox", "Title of the page", "Who lives here") })
	s.does("lead", func() {
		s.fill("textbox", "Paragraph below the title", "A thousand persons, and what they earn.")
	})
	began := time.Now()
	s.until("the price of all", `document.querySelector("#page-bar .verdict")`)
	t.Logf("%v until the price is there", time.Since(began).Round(time.Millisecond))
	s.until("what the other divisions come to", `!document.querySelector("aside").innerText.includes(
		"The price is being worked out")`)
	t.Logf("%v until those of the other divisions are", time.Since(began).Round(time.Millisecond))
	s.does("set the ε of all", func() { s.fill("textbox", "ε of all that is to be drawn", "2.9") })
	s.until("the price of all", `!document.getElementById("release-page").disabled`)
	s.pictures("publication-edit")
	s.axe()
	t.Log(s.visible())
	s.does("release", func() { s.clickSelector("#release-page") })
	if s.there("page-doubt") {
		var open bool
		s.eval(`document.getElementById("page-doubt").open`, &open)
		if open {
			s.pictures("publication-doubt")
			s.does("release anyway", func() { s.clickSelector("#page-doubt-release") })
		}
	}
	s.until("all figures", `document.querySelectorAll(".piece.drawn").length == 12`)
	s.pictures("publication-drawn")
	s.axe()
	t.Log(s.visible())
	t.Logf("%d actions", s.actions)
	if s.actions > 30 {
		t.Errorf("%d actions, want at most 30", s.actions)
	}

	// the same by keys, and after a reload
	order := func() (list []string) {
		s.eval(`[...document.querySelectorAll(".piece .detail")].map((d) => d.innerText)`, &list)
		return list
	}
	before := order()
	s.eval(`document.querySelector(".piece .grip").focus()`, nil)
	s.press(kb.ArrowDown)
	s.waitText("Now in place 2 of 12")
	after := order()
	if after[0] != before[1] || after[1] != before[0] || !slices.Equal(after[2:], before[2:]) {
		t.Errorf("an arrow makes %q of %q", after[:3], before[:3])
	}
	var grip int
	s.eval(`[...document.querySelectorAll(".piece .grip")].indexOf(document.activeElement)`, &grip)
	if grip != 1 {
		t.Errorf("the focus is on grip %d after the move", grip)
	}
	s.reload()
	s.until("the page again", `document.querySelectorAll(".piece.drawn").length == 12`)
	if got := order(); !slices.Equal(got, after) {
		t.Errorf("after a reload the figures are %q, want %q", got, after)
	}
	saved := s.download(func() { s.clickSelector("#save-report") })
	page, err := publication.FromHTML(saved.data)
	if err != nil {
		t.Fatal(err)
	}
	total, err := page.Total()
	if err != nil || len(page.Figures()) != 12 || page.Title != "Who lives here" ||
		len(total.Parts) != 1 {
		t.Fatalf("%d figures are saved, of %d payments: %v", len(page.Figures()),
			len(total.Parts), err)
	}
	t.Logf("the page costs %v, one by one %v", total.Loss.Brief(), total.Parts[0].Apart.Brief())
	if dir := os.Getenv("HUSH_SHOTS"); dir != "" {
		os.WriteFile(filepath.Join(dir, "page-of-figures.html"), saved.data, 0o644)
	}
}
