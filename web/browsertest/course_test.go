//go:build browser

package browsertest

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"hush/web/state/course"
)

// tabTo presses the Tab key until an element has the focus.
func (p *webPage) tabTo(selector string) {
	p.t.Helper()
	for range 120 {
		if p.evalBool(fmt.Sprintf(`!!document.activeElement?.matches(%q)`, selector)) {
			return
		}
		p.do(chromedp.KeyEvent(kb.Tab))
	}
	p.t.Fatalf("the Tab key does not come to %s", selector)
}

// TestCourseByKeyboard walks through the six lessons with the keyboard alone, on a telephone and on
// a desk: bet, attack, question, and on to the next; then the list says that all are done, also
// after a reload, and a link made by a slider opens the same in a fresh profile.
func TestCourseByKeyboard(t *testing.T) {
	for _, width := range []int64{360, 1280} {
		t.Run(strconv.Itoa(int(width)), func(t *testing.T) { walkCourse(t, width) })
	}
}

func walkCourse(t *testing.T, width int64) {
	s := serveBundle(t)
	p := open(t, s.url+"#/learn")
	p.size(width, 900)
	p.waitText("0 of 6 done")
	looks := func(name string) {
		t.Helper()
		name += "-" + strconv.Itoa(int(width))
		for _, theme := range []string{"light", "dark"} {
			p.theme(theme)
			p.axeOf(name + ", " + theme)
			p.screenshot(name+"-"+theme, width, 900, theme)
		}
		p.theme("light")
		p.size(width, 900)
		var over int
		p.eval(`document.documentElement.scrollWidth - innerWidth`, &over)
		if over > 0 {
			t.Errorf("%s is %d px wider than the screen", name, over)
		}
	}
	looks("course")
	p.tabTo("#lesson-1")
	p.do(chromedp.KeyEvent(kb.Enter))
	for number := 1; number <= course.Lessons; number++ {
		p.until("lesson "+strconv.Itoa(number), fmt.Sprintf(
			`document.querySelector("#lesson h1")?.textContent === %q`,
			string(course.All[number-1].Title)))
		if p.evalBool(`!!document.getElementById("lesson-reveal")`) {
			t.Fatalf("lesson %d shows its attack before the bet", number)
		}
		name := "lesson-" + strconv.Itoa(number)
		if number < 3 {
			looks(name)
		}
		begun := time.Now()
		p.tabTo("#bet-1")
		p.do(chromedp.KeyEvent(" "), chromedp.KeyEvent(kb.ArrowDown))
		p.until("the attack", `!!document.getElementById("lesson-reveal")`)
		p.until("the other bet", `document.getElementById("bet-2").checked`)
		t.Logf("lesson %d shows its attack %v after the bet", number, time.Since(begun))
		switch number {
		case 1:
			p.tabTo("input[name=who]:checked")
			p.do(chromedp.KeyEvent(kb.ArrowRight))
			p.waitText("Ravi earns, exactly")
			p.eval(`document.querySelector("input[name=who][value=all]").click()`, nil)
			p.waitText("they give the pay of 25 of 25 people to the euro.")
		case 6:
			p.tabTo("#part-1")
			p.do(chromedp.KeyEvent(kb.ArrowDown))
			p.until("the other choice", `document.getElementById("part-2").checked`)
		default:
			var before, after string
			p.eval(`document.getElementById("lesson-result").textContent`, &before)
			p.tabTo("#lesson-at")
			key := kb.ArrowRight
			if number == 4 {
				key = kb.ArrowLeft
			}
			p.do(chromedp.KeyEvent(key))
			p.until("another result",
				fmt.Sprintf(`document.getElementById("lesson-result").textContent !== %q`, before))
			p.eval(`document.getElementById("lesson-result").textContent`, &after)
			fresh := open(t, p.address())
			fresh.until("what the sender saw",
				fmt.Sprintf(`document.getElementById("lesson-result")?.textContent === %q`, after))
		}
		p.tabTo("#answer-1")
		p.do(chromedp.KeyEvent(" "))
		p.until("the check", `!!document.getElementById("lesson-answer")`)
		looks(name + "-after")
		p.tabTo("#lesson-next")
		p.do(chromedp.KeyEvent(kb.Enter))
	}
	p.waitText("6 of 6 done")
	p.reload()
	p.waitText("6 of 6 done")
	p.tabTo("#course-forget")
	p.do(chromedp.KeyEvent(kb.Enter))
	p.waitText("0 of 6 done")
}

// TestPresenting: Shift P presents, space goes on, the reveal is kept back, and Escape ends.
func TestPresenting(t *testing.T) {
	p := open(t, serveBundle(t).url+"#/learn/3")
	w := course.All[2]
	p.waitText(string(w.Title))
	p.do(chromedp.KeyEvent("P"))
	p.waitText("Step 1 of 6")
	p.until("the focus", `document.activeElement?.id === "presented"`)
	for step := 2; step <= course.Steps; step++ {
		if held := p.evalBool(`!!document.getElementById("lesson-reveal")`); held != (step == 4) {
			t.Errorf("before step %d the attack is shown: %v", step, held)
		}
		p.do(chromedp.KeyEvent(" "))
		p.waitText(fmt.Sprintf("Step %d of 6", step))
		p.axe()
		p.screenshot(fmt.Sprintf("presented-%d", step), 1280, 800, "light")
	}
	p.waitText(string(w.Why))
	p.do(chromedp.KeyEvent(kb.ArrowLeft))
	p.waitText(string(w.Question))
	p.do(chromedp.KeyEvent(kb.Escape))
	p.waitText(string(w.Lead))
	if p.evalBool(`!!document.getElementById("lesson-reveal")`) {
		t.Error("after presenting the lesson is revealed")
	}
}

// TestPoll: a teacher asks, pupils answer in tabs of their own, and the codes that they read out
// give the share with its range. A pupil who comes back finds the same code.
func TestPoll(t *testing.T) {
	teacher := open(t, serveBundle(t).url+"#/learn/poll")
	teacher.waitText("Poll your class")
	teacher.tabTo("#poll-ask")
	teacher.do(chromedp.KeyEvent("Have you ever copied homework?"), chromedp.KeyEvent(kb.Tab))
	teacher.until("the whole link",
		`document.getElementById("poll-link")?.textContent.includes("homework%3F")`)
	var link string
	teacher.eval(`document.getElementById("poll-link").textContent`, &link)
	var codes string
	for _, answer := range []string{"#poll-yes", "#poll-no", "#poll-yes"} {
		pupil := open(t, link)
		pupil.waitText("Have you ever copied homework?")
		pupil.until("the answers", `document.getElementById("poll-yes")?.disabled === false`)
		showOnSizes(t, pupil, "poll-pupil")
		pupil.tabTo(answer)
		pupil.do(chromedp.KeyEvent(" "))
		pupil.until("a code", `!!document.getElementById("poll-code")`)
		var code, again string
		pupil.eval(`document.getElementById("poll-code").textContent`, &code)
		showOnSizes(t, pupil, "poll-code")
		pupil.reload()
		pupil.until("the code again", `!!document.getElementById("poll-code")`)
		if pupil.eval(`document.getElementById("poll-code").textContent`, &again); again != code {
			t.Errorf("after a reload the code is %s and not %s", again, code)
		}
		codes += code + "\n"
	}
	teacher.tabTo("#poll-codes")
	teacher.do(chromedp.KeyEvent(codes))
	teacher.until("the share", `!!document.getElementById("poll-told")`)
	teacher.waitText("of 3 pupils")
	teacher.do(chromedp.KeyEvent("what\n"))
	teacher.waitText("Line 4, “what”, is no code")
	showOnSizes(t, teacher, "poll-teacher")
}

// TestCourseOffline: after the first visit of the list, each lesson is given without a network, in
// a page that is loaded for it: the bet is placed, the attack is revealed, the question answered.
func TestCourseOffline(t *testing.T) {
	s := serveBundle(t)
	p := open(t, s.url+"#/learn")
	p.installed()
	s.stop()
	p.expect("ERR_CONNECTION_REFUSED") // the browser looks for a newer service worker
	for number := 1; number <= course.Offices; number++ {
		p.visit("about:blank") // what follows is another load, not another address of the same page
		p.visit(s.url + "#" + course.Path(number))
		w := course.All[number-1]
		p.waitText(string(w.Bet))
		p.clickSelector(fmt.Sprintf("#bet-%d", w.Right))
		p.until("the attack", `!!document.getElementById("lesson-reveal")`)
		p.waitText(string(w.Yes))
		p.clickSelector(fmt.Sprintf("#answer-%d", w.RightAnswer))
		p.waitText("That is right.")
	}
}

// TestPollInTwoTabs: of two tabs that answer at the same moment both show one code, which is kept,
// and neither has shown another one before.
func TestPollInTwoTabs(t *testing.T) {
	link := serveBundle(t).url + "#/learn/poll?ask=Have+you+ever+cheated%3F"
	for round := range 5 {
		first := open(t, link)
		second := first.another(link)
		tabs := []*webPage{first, second}
		for _, p := range tabs {
			p.until("the answers", `document.getElementById("poll-yes")?.disabled === false`)
			p.eval(`(() => {
				globalThis.codes = new Set();
				new MutationObserver(() => {
					const code = document.getElementById("poll-code")?.textContent;
					if (code) codes.add(code);
				}).observe(document.body, { childList: true, subtree: true, characterData: true });
			})()`, nil)
		}
		at := `void setTimeout(() => document.getElementById("%s").click(), %d - Date.now())`
		when := time.Now().Add(time.Second).UnixMilli()
		first.eval(fmt.Sprintf(at, "poll-yes", when), nil)
		second.eval(fmt.Sprintf(at, "poll-no", when), nil)
		var all []string
		for _, p := range tabs {
			p.until("the code that is kept", `localStorage.getItem("hush-polls")?.
				endsWith("=" + document.getElementById("poll-code")?.textContent)`)
		}
		for _, p := range tabs {
			var codes []string
			p.eval(`[...codes]`, &codes)
			all = append(all, codes...)
		}
		if len(all) != 2 || all[0] != all[1] {
			t.Errorf("round %d: the tabs showed the codes %v", round, all)
		}
	}
}

// TestClassPages: the plan and the sheet are read on a telephone and on a desk, and the answers
// begin a page of their own on paper.
func TestClassPages(t *testing.T) {
	p := open(t, serveBundle(t).url+"#/learn/plan")
	p.waitText("A plan of 45 minutes")
	showOnSizes(t, p, "class-plan")
	p = open(t, serveBundle(t).url+"#/learn/sheet")
	p.waitText("The answers, for the teacher")
	showOnSizes(t, p, "class-sheet")
	if !p.evalBool(`[...document.styleSheets].some((s) => [...s.cssRules].some((r) =>
		r.media?.mediaText === "print" && [...r.cssRules].some((inner) =>
			inner.selectorText?.includes(".class-answers") && inner.style.breakBefore === "page")))`) {
		t.Error("the answers do not begin a page on paper")
	}
}

// showOnSizes checks a page with axe, and that it fits, on a telephone and on a desk, in both
// themes.
func showOnSizes(t *testing.T, p *webPage, name string) {
	t.Helper()
	for _, width := range []int64{360, 1280} {
		for _, theme := range []string{"light", "dark"} {
			p.size(width, 900)
			p.theme(theme)
			p.axeOf(name + ", " + theme)
			p.screenshot(fmt.Sprintf("%s-%d-%s", name, width, theme), width, 900, theme)
		}
		p.size(width, 900)
		var over int
		if p.eval(`document.documentElement.scrollWidth - innerWidth`, &over); over > 0 {
			t.Errorf("%s: at %d the page is %d px wider than the screen", name, width, over)
		}
	}
	p.theme("light")
}

// TestOffices: the six ways stand side by side after the bet, each with its attack, and a hundred
// further towns are attacked in the way that is chosen.
func TestOffices(t *testing.T) {
	p := open(t, serveBundle(t).url+"#/learn/offices")
	p.waitText(string(course.All[course.Offices-1].Bet))
	p.clickSelector("#bet-1")
	p.until("six ways", `document.querySelectorAll(".way table").length === 6`)
	for way, least := range []int{100, 95, 95, 95, 60, 40} {
		p.clickSelector(fmt.Sprintf("#way-attack-%d", way))
		p.until("the towns", fmt.Sprintf(
			`document.getElementById("way-right")?.closest("article").contains(document.getElementById("way-attack-%d"))`,
			way))
		var right int
		p.eval(`+document.getElementById("way-right").textContent.match(/In (\d+) of 100/)[1]`,
			&right)
		if right < least || way == 5 && right > 90 {
			t.Errorf("way %d: %d of 100 guesses are right", way, right)
		}
	}
	showOnSizes(t, p, "offices")
}
