//go:build browser

package browsertest

import (
	"testing"

	"hush/web/engine"
)

// TestOwnDataInLearn: the choice to see what one's own file really says is worded, holds in other
// tabs and across a reload, and ends releasing but for the question frozen before, once.
func TestOwnDataInLearn(t *testing.T) {
	path := visitors(t, 1000)
	p := open(t, serveBundle(t).url)
	p.upload("#file", path)
	askAge(p)
	p.fill("textbox", "Privacy loss ε (epsilon)", "0.5")
	p.waitBudget("This release would leave ε = 2.5")
	p.until("the question in the address", `location.hash.startsWith("#/?q=")`)
	other := p.another(p.address())
	other.upload("#file", path)
	other.click("button", "Yes, continue") // half a row may be one that a line end broke
	other.until("a question that can be asked",
		`document.getElementById("run")?.disabled === false`)

	goTo(p, "Learn")
	p.click("link", "Use your own file")
	p.waitText("There is no way back.")
	if !p.evalBool(`document.getElementById("look").disabled`) {
		t.Error("it can be chosen before the words are ticked")
	}
	p.click("button", "Freeze this question")
	p.waitText("Frozen questions:")
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{360, 1280} {
			p.screenshot("own-choice-"+theme, width, 900, theme)
			p.axe()
			p.until("no sideways scrolling", `document.documentElement.scrollWidth <= innerWidth`)
		}
	}
	p.click("checkbox", "I want to see the true answers of this file")
	p.click("button", "Show the true answers")
	p.waitText("Not private, and never a release")
	p.waitText("How 10 draws differ")
	p.screenshot("own-lesson", 1280, 900, "light")
	p.axe()
	if p.has("button", "All (ZIP)") {
		t.Error("what is shown can be exported")
	}

	// The other tab hears of it, and refuses what was ready a moment ago.
	other.waitText("This question was frozen before you looked at the data")
	other.fill("textbox", "Privacy loss ε (epsilon)", "0.4")
	other.waitText("You have looked at the true answers of this data set")
	other.until("another question to be refused in another tab",
		`document.getElementById("run").disabled`)
	p.reload()
	p.waitText("Open your file and fill in a question first")
	goTo(p, "Publish")
	p.upload("#file", path)
	p.confirm()
	p.question()
	p.click("button", "Put it into the form")
	p.waitText("This question was frozen before you looked at the data")
	p.click("button", "Release, spending")
	p.waitText(histogramSays)
	p.waitText("You have looked at the true answers of this data set")
	p.until("the frozen question to be refused", `document.getElementById("run").disabled`)
	goTo(p, "Ledger")
	p.waitText("the owner chose to see the true answers of this data set")
}

// TestEngineAfterALook: the engine itself shows nothing before the choice and releases nothing
// after it, in every tab, but the frozen question, once.
func TestEngineAfterALook(t *testing.T) {
	a := openEngine(t)
	b := a.another(a.address())
	b.script(openAges, nil)
	var got struct {
		Early, Shown, Twice, Changed, Late, Draws outcome[any]
		Account                                   engine.Account
	}
	a.script(openAges+`
		const lesson = { recipe, draws: 3, seed: 1 };
		const early = await outcome(hush.lookOn(lesson));
		await hush.freeze(recipe);
		await hush.look();
		await hush.look();
		const draws = await outcome(hush.lookOn(lesson));
		return { early, draws, account: await hush.ledger(), changed: await outcome(hush.run({ ...recipe, epsilon: "1/5" })),
			late: await outcome(hush.freeze({ ...recipe, epsilon: "1/5" })), shown: await outcome(hush.run(recipe)), twice: await outcome(hush.run(recipe)) };`, &got)
	got.Early.want(t, "not-looked")
	got.Changed.want(t, "looked-at")
	got.Late.want(t, "looked-at")
	got.Twice.want(t, "looked-at")
	if got.Draws.Error != nil || got.Shown.Error != nil {
		t.Errorf("the lesson: %+v, the frozen question: %+v", got.Draws.Error, got.Shown.Error)
	}
	if got.Account.Count != 0 || got.Account.Looked == "" || len(got.Account.Frozen) != 1 {
		t.Errorf("the account holds %+v", got.Account)
	}
	var elsewhere outcome[any]
	b.script(`return await outcome(hush.run(recipe));`, &elsewhere)
	elsewhere.want(t, "looked-at")

	// An import can bring the choice, and never takes it away or thaws what was asked.
	var after outcome[any]
	a.script(`const file = await hush.exportLedger();
		const without = JSON.parse(file);
		for (const set of without.dataSets) { delete set.looked; set.frozen = [recipe]; }
		await hush.importLedger(JSON.stringify(without));
		return await outcome(hush.run(recipe));`, &after)
	after.want(t, "looked-at")
	var brought outcome[any]
	a.script(`const opening = await hush.open(ages(20));
		const fresh = question(opening);
		await hush.freeze(fresh);
		const file = JSON.parse(await hush.exportLedger());
		const own = file.dataSets.find((set) => set.fingerprint === opening.fingerprint);
		Object.assign(own, { looked: "2026-01-31T12:00:00.000Z", frozen: [] });
		await hush.importLedger(JSON.stringify(file));
		return await outcome(hush.run(fresh));`, &brought)
	brought.want(t, "looked-at")
}
