//go:build browser

package browsertest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
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
// less than twelve; the page is saved, comes back when it is loaded again, and is checked by
// somebody else without the data.
func TestPageIsMade(t *testing.T) {
	site := serveBundle(t)
	s := &stranger{webPage: open(t, site.url)}
	s.columnsOf(survey(t), "persons-no")
	s.clickSelector("#column-1 .suggest")
	s.describeList("sex", "0", "1")
	s.describeList("race", "1", "2", "3", "4", "5", "6")
	s.describeList("married", "0", "1")
	s.describe("income", "0", "100000")
	s.actions = 0
	s.makePage("Who lives here", "2.9", 12)
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
	// and by the mouse
	s.eval(`(() => {
		const dataTransfer = new DataTransfer(), [from] = document.querySelectorAll(".grip");
		const send = (to, kind) => to.dispatchEvent(
			new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
		send(from, "dragstart");
		send(document.querySelectorAll(".piece")[3], "drop");
	})()`, nil)
	s.waitText("Now in place 4 of 12")
	dragged := order()
	if dragged[3] != after[0] || dragged[0] != after[1] {
		t.Errorf("the mouse makes %q of %q", dragged[:4], after[:4])
	}
	after = dragged
	s.until("the draft to be kept", `new Promise((done) => {
		const open = indexedDB.open("hush answers");
		open.onsuccess = () => {
			const get = open.result.transaction("settings").objectStore("settings").get("draft");
			get.onsuccess = () => {
				open.result.close();
				done(JSON.parse(get.result ?? "{}").pieces?.[3]?.entry?.endsWith("/2") === true);
			};
		};
	})`)
	s.reload()
	// the answers come back first, in the order of the ledger, then the draft orders them
	s.wait(fmt.Sprintf("the figures %q again", after), func() bool {
		return slices.Equal(order(), after)
	})
	path := s.savePage("Who lives here", 12)
	s.clickSelector("#page-bar .menu summary")
	s.tick("sign-page", true)
	s.axe()
	s.pictures("editor-sign")
	signed := s.savePage("Who lives here", 12)
	s.clickSelector("#page-bar .menu summary")
	archive := s.download(func() { s.clickSelector("#save-report-zip") })

	other := open(t, site.url) // a profile of its own
	other.installed()
	goTo(other, "Proof")
	other.click("link", "Check a release")
	other.waitText("Drop a release here")
	site.stop()
	other.expect("ERR_CONNECTION_REFUSED")
	other.upload("#check-file", path)
	other.waitText("All that can be checked holds, in the data and in what the page shows.")
	other.waitText("The shapes in its pictures")

	other.upload("#check-file", signed)
	other.waitText("It is signed")
	other.waitText("does not know the key from elsewhere it proves nothing")
	other.waitText("All that can be checked holds, in the data and in what the page shows.")
	page, err := os.ReadFile(signed)
	if err != nil {
		t.Fatal(err)
	}
	shown := strings.Replace(string(page), "<h1>Who lives here", "<h1>Who lived here", 1)
	other.upload("#check-file", textFile(t, "shown.html", shown))
	other.waitText("The signature is not of these bytes.")
	data := unzipped(t, archive.data, "publication.json")
	other.upload("#check-file", textFile(t, "data.json", data))
	other.waitText("It is signed")
	other.waitText("All that can be checked holds.")
}

// unzipped is a file of an archive.
func unzipped(t *testing.T, archive []byte, name string) string {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	file, err := r.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestPageOfVisits: the same of people with several rows each.
func TestPageOfVisits(t *testing.T) {
	text, _ := clinic()
	s := &stranger{webPage: open(t, serveBundle(t).url)}
	s.columnsOf(textFile(t, "besuche.csv", text), "persons-1")
	s.clickSelector("#column-4 .suggest")
	s.describeList("Bezirk", "Mitte", "Hafen", "Süd")
	s.describeList("Geschlecht", "w", "m", "d")
	s.actions = 0
	s.makePage("Who comes", "", 7)
	if s.actions > 30 {
		t.Errorf("%d actions, want at most 30", s.actions)
	}
	s.savePage("Who comes", 7)
}

// columnsOf leads from a file to its columns.
func (s *stranger) columnsOf(path, person string) {
	s.t.Helper()
	s.drop("#content", path)
	s.until("whether a person can have several rows", `document.getElementById("persons-no")`)
	s.clickSelector("#" + person)
	s.until("the columns", `document.getElementById("step-columns")`)
}

// makePage puts the given number of proposed figures on a page, and releases them: by importance at
// an ε, or, where that is "", every figure good at the least one.
func (s *stranger) makePage(title, epsilon string, figures int) {
	s.t.Helper()
	s.does("make a page", func() { s.clickSelector("#make-page") })
	s.until("the editor", `document.getElementById("page-title")`)
	s.does("add figures", func() { s.clickSelector("#add-figure") })
	for i := range figures {
		s.does(fmt.Sprintf("propose %d", i+1), func() { s.clickSelector("#propose-1") })
	}
	s.does("done", func() { s.clickSelector("#proposals-done") })
	s.does("title", func() { s.fill("textbox", "Title of the page", title) })
	s.does("lead", func() {
		s.fill("textbox", "Paragraph below the title", "Made in a test.")
	})
	began := time.Now()
	s.until("the price of all", `document.querySelector("#page-bar .verdict")`)
	s.t.Logf("%v until the price is there", time.Since(began).Round(time.Millisecond))
	s.until("the prices of the other divisions", `!document.querySelector("aside").innerText.
		includes("The price is being worked out")`)
	s.t.Logf("%v until those of the other divisions are",
		time.Since(began).Round(time.Millisecond))
	if epsilon != "" {
		s.does("divide by importance", func() { s.clickSelector("#divide-importance") })
		s.does("set the ε of all", func() {
			s.fill("textbox", "ε of all that is to be drawn", epsilon)
		})
	}
	s.until("the price of all", `!document.getElementById("release-page").disabled`)
	s.pictures("page-edit")
	s.axe()
	s.preview("page-preview-before", 0)
	s.does("release", func() { s.clickSelector("#release-page") })
	var asks bool
	s.eval(`!!document.querySelector("#page-doubt[open]")`, &asks)
	if asks {
		s.pictures("page-doubt")
		s.does("release anyway", func() { s.clickSelector("#page-doubt-release") })
	}
	s.until("all figures", fmt.Sprintf(
		`document.querySelectorAll(".piece.drawn").length == %d`, figures))
	s.pictures("page-drawn")
	s.axe()
	s.preview("page-preview", figures)
}

// preview shows the page as its file will show it, with that many figures, and in its own style.
func (s *stranger) preview(name string, figures int) {
	s.t.Helper()
	s.clickSelector("#preview-page")
	s.until("the preview",
		`document.getElementById("page-preview-frame").src.startsWith("blob:")`)
	s.pictures(name)
	var address string
	s.eval(`document.getElementById("page-preview-frame").src`, &address)
	ctx, end := chromedp.NewContext(s.ctx, chromedp.WithTargetID(s.frameID(address)))
	s.t.Cleanup(end)
	var shown struct {
		Figures int
		Width   string
	}
	if err := chromedp.Run(ctx, chromedp.Evaluate(`({
		Figures: document.querySelectorAll("figure").length,
		Width: getComputedStyle(document.querySelector("main")).maxWidth,
	})`, &shown)); err != nil {
		s.t.Fatal(err)
	}
	if shown.Figures != figures || shown.Width != "1180px" {
		s.t.Errorf("the preview has %+v, want %d figures in a report's style", shown, figures)
	}
	s.clickSelector("#page-preview-close")
}

// savePage saves the page, and says where. It must hold the given number of figures, which were
// paid for at once.
func (s *stranger) savePage(title string, figures int) (path string) {
	s.t.Helper()
	saved := s.download(func() { s.clickSelector("#save-report") })
	page, err := publication.FromHTML(saved.data)
	if err != nil {
		s.t.Fatal(err)
	}
	total, err := page.Total()
	if err != nil || len(page.Figures()) != figures || page.Title != title ||
		len(total.Parts) != 1 {
		s.t.Fatalf("%d figures are saved, of %d payments: %v", len(page.Figures()),
			len(total.Parts), err)
	}
	s.t.Logf("the page costs %v, one by one %v", total.Loss.Brief(), total.Parts[0].Apart.Brief())
	return textFile(s.t, "page.html", string(saved.data))
}
