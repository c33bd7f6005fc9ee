//go:build browser

package browsertest

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"hush/core/message"
	"hush/core/task"
	"hush/web/state/session"
	"hush/web/state/stage"
)

// TestExampleInOneClick: what the landing shows is what one press leads to, with the question
// filled in, the focus on the answer, and nothing debited: it was released before.
func TestExampleInOneClick(t *testing.T) {
	p := open(t, serveBundle(t).url)
	r := session.Landing()
	h := r.Answer.Result.(*task.Histogram)
	p.waitText(message.Grouped(h.Bins[0].Count + h.Bins[1].Count))
	p.axe()
	tabTo(p, "button", "Try it with made-up patients")
	p.press(kb.Enter)
	p.waitText(r.Statement)
	p.until("the focus on the answer", `document.activeElement.id === "`+stage.ReleaseID+`"`)
	p.waitText("Histogram of age, ε = " + r.Recipe.Epsilon)
	p.until("the question", `decodeURIComponent(location.hash).startsWith("#/?q=")`)
	goTo(p, "Ledger")
	p.waitText("Nothing is spent yet of")
}

// TestLandingFitsTheWindow: the promise, both ways to begin and the whole answer are seen at once.
func TestLandingFitsTheWindow(t *testing.T) {
	p := open(t, serveBundle(t).url)
	p.size(1280, 720)
	p.until("the typefaces",
		`document.fonts.ready.then(() => document.fonts.check("600 20px 'Source Serif 4'") && document.fonts.check("20px 'Source Sans 3'"))`)
	p.until("no need to scroll", `document.documentElement.scrollHeight <= innerHeight`)
	p.until("one picture",
		`[...document.querySelectorAll(".figure > svg")].filter((e) => e.checkVisibility()).length === 1`)
	for _, width := range []int64{320, 360, 768, 1920} {
		p.size(width, 780)
		p.until("one picture, and no sideways scrolling",
			`document.documentElement.scrollWidth <= innerWidth &&
			[...document.querySelectorAll(".figure > svg")].filter((e) => e.checkVisibility()).length === 1`)
	}
}

// TestDroppedOrPastedAnywhere: while no file is open, a file is opened wherever it is dropped, and
// a pasted table comes to its field.
func TestDroppedOrPastedAnywhere(t *testing.T) {
	p := open(t, serveBundle(t).url)
	p.eval(`(() => {
		const clipboardData = new DataTransfer();
		clipboardData.setData("text/plain", "age\n31\n32\n");
		document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
	})()`, nil)
	p.until("the pasted table",
		`document.activeElement.id === "pasted" && document.getElementById("pasted").value.startsWith("age")`)
	p.click("button", "Read the pasted table")
	p.waitText("pasted table")
	p.click("button", "Start again")
	p.waitText(landed)
	p.drop(".brand", visitors(t, 10))
	p.waitText("visitors.csv")
}

// TestMenuByKeyboard: the menu unfolds by key, Escape folds it and gives the focus back, and so
// does a dialog that it led to.
func TestMenuByKeyboard(t *testing.T) {
	p := open(t, serveBundle(t).url)
	p.waitText(landed)
	const folded, button = `!document.querySelector(".menu").open`,
		`document.activeElement.matches(".menu > summary")`
	p.eval(`document.querySelector(".menu > summary").focus()`, nil)
	p.press(kb.Enter)
	p.until("the menu", `document.querySelector(".menu").open`)
	p.axe()
	p.press(kb.Tab)
	p.press(kb.Escape)
	p.until("the menu folded, and the focus on its button", folded+" && "+button)
	p.press(kb.Enter)
	tabTo(p, "button", "About Hush")
	p.press(kb.Enter)
	p.until("the dialog", `document.querySelector("dialog:modal")?.id === "about"`)
	p.axe()
	p.press(kb.Escape)
	p.until("the focus back", folded+" && "+button)
	p.press(kb.Enter)
	p.press(strings.Repeat(kb.Tab, 2))
	p.press(kb.Enter)
	p.until("the words", `location.hash === "#/words" && `+folded)
}
