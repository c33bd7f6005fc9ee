//go:build browser

package browsertest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// stranger is somebody who meets the page for the first time, and who counts.
type stranger struct {
	*webPage
	actions int
}

// does is one action: a press, a choice, a field that is filled.
func (s *stranger) does(what string, act func()) {
	s.t.Helper()
	s.actions++
	act()
	s.t.Logf("action %d: %s", s.actions, what)
}

// sees holds what is on the page to 400 words and 1.65 screens, and to what axe says, and takes its
// picture in four widths and both themes.
func (s *stranger) sees(what string) {
	s.t.Helper()
	s.size(1280, 900)
	var seen struct {
		Words   int
		Screens float64
	}
	s.eval(`({
		words: document.body.innerText.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length,
		screens: document.documentElement.scrollHeight / innerHeight,
	})`, &seen)
	s.t.Logf("%s: %d words, %.2f screens", what, seen.Words, seen.Screens)
	if seen.Words > 400 || seen.Screens > 1.65 {
		s.t.Errorf("%s takes %d words and %.2f screens, want at most 400 and 1.65", what,
			seen.Words, seen.Screens)
	}
	s.pictures("stranger-" + strings.ReplaceAll(what, " ", "-"))
	s.axe()
}

// TestStranger is the first ten minutes of somebody with a file as people have them: from the file
// to a histogram in at most five actions, then a column that is asked about before it is described,
// whose first rows lie outside of its range, and a question that is mostly noise. On the way no
// stage takes more than its share of words and height, and the focus is never lost.
func TestStranger(t *testing.T) {
	p := open(t, serveBundle(t).url)
	s := &stranger{webPage: p}
	s.sees("landing")
	p.drop("#content", books(t, 2000))
	p.until("the file as it was read", `document.getElementById("persons-no")`)
	s.sees("reading")
	s.does("say who is a person", p.confirm)
	s.sees("codebook")
	s.does("take the range that ratings have", func() { p.click("button", "0–5") })
	s.does("ask", func() { p.click("button", "Ask a question") })
	p.until("the question", `document.getElementById("sentence")`)
	s.does("choose the column", func() { p.choose("Column", "average_rating") })
	p.waitPrice()
	s.sees("question")
	p.click("button", "More…")
	p.until("all other questions", `document.getElementById("found-distribution")`)
	s.sees("search")
	p.fill("combobox", "Search all questions", "how many")
	p.until("what is found", `document.getElementById("found-conjunctions")`)
	s.sees("found")
	p.clickSelector("#find-more")
	p.until("the rest of it",
		`document.getElementById("found-madeup") && !document.getElementById("find-more")`)
	s.focused("the search")
	p.press(kb.Escape)
	p.until("the end of the search", `!document.getElementById("more")`)
	p.options()
	s.sees("options")
	p.clickSelector("#options summary")
	s.does("release", func() { p.click("button", "Release") })
	p.waitText("Put it on the page")
	p.waitText("Good to publish")
	if s.actions > 5 {
		t.Errorf("a histogram of an own file takes %d actions, want at most 5", s.actions)
	}
	s.focused("the answer")
	s.sees("answer")

	s.does("ask another question", func() { p.click("button", "Ask another question") })
	p.until("the question", `document.getElementById("sentence")`)
	s.does("choose the mean", func() { p.kind("mean") })
	s.does("choose pages", func() { p.choose("Column", "num_pages") })
	s.says("num_pages", "0–1000") // where it was chosen
	p.until("what lies outside", `document.getElementById("outside")`)
	s.sees("outside")
	s.does("call them errors", func() { p.click("button", "These are errors") })
	p.until("the end of the description", `!document.getElementById("describe")`)
	p.describeList("language_code", "eng", "eng-US", "spa", "fre", "ger", "jpn", "rus")
	p.question()
	s.does("ask for each language", func() { p.choose("Answer for", "for each language_code") })
	p.waitPrice()
	p.waitText("Rough if") // it depends on how large the means are
	p.waitText("A range up to 500")
	p.waitText("groups, not 7")
	s.does("release less than noise hides", func() {
		p.fill("textbox", "Privacy loss ε (epsilon)", "0.01")
		p.waitPrice()
		p.click("button", "Release anyway…")
	})
	p.waitText("Release what is mostly noise?")
	s.does("change the question", func() { p.click("button", "Change the question") })
	p.waitGone("Release what is mostly noise?")
	t.Logf("%d actions in all", s.actions)
}

// focused refuses a page on which the focus is nowhere.
func (s *stranger) focused(where string) {
	s.t.Helper()
	s.until("the focus at "+where, `document.activeElement !== document.body`)
}

// books writes a file such as people have: quotes and commas inside of titles, rows with a cell too
// many, dates as people write them, titles in several languages, and pages beyond every guess.
func books(t *testing.T, rows int) string {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	titles := []string{`"The ""Lost"" City, and Other Tales"`, "Die Vermessung der Welt",
		"ノルウェイの森", "Cien años de soledad", "Преступление и наказание", "L’Étranger",
		`"Notes, Volume 2"`}
	authors := []string{"A. Grann", "村上春樹", `"García Márquez, Gabriel"`, "Ф. Достоевский"}
	languages := []string{"eng", "eng", "eng", "eng", "eng-US", "spa", "fre", "ger", "jpn", "rus"}
	var b strings.Builder
	b.WriteString("bookID,title,authors,average_rating,language_code,num_pages,ratings_count," +
		"publication_date,publisher\n")
	for i := range rows {
		pages := max(0, int(330+170*random.NormFloat64()))
		if i%97 == 3 {
			pages = 2690
		}
		extra := ""
		if i%250 == 120 {
			extra = ", Jr." // a comma that nobody quoted
		}
		fmt.Fprintf(&b, "%d,%s,%s%s,%.2f,%s,%d,%d,%d/%d/%d,%s\n", i+1,
			titles[random.IntN(len(titles))], authors[random.IntN(len(authors))], extra,
			max(0, min(5, 3.9+.4*random.NormFloat64())), languages[random.IntN(len(languages))],
			pages, random.IntN(2_000_000), 1+random.IntN(12), 1+random.IntN(28),
			1950+random.IntN(70), "Example Press")
	}
	path := filepath.Join(t.TempDir(), "books.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
