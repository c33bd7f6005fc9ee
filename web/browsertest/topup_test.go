//go:build browser

package browsertest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/verify"
	"hush/web/engine"
)

// TestTopUp: one click makes a rough answer good; the ledger's sum is then the ε of the second
// answer alone. The first one stays in the list, and is offered no more, nor is anything after a
// ledger was imported.
func TestTopUp(t *testing.T) {
	p := open(t, serveBundle(t).url)
	p.upload("#file", visitors(t, 2000))
	askAge(p)
	release(p, "0.2")
	first := p.shown()
	p.until("an offer", `document.getElementById("make-good")`)
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{360, 1280} {
			p.screenshot(fmt.Sprintf("topup-%s-%d", theme, width), width, 900, theme)
		}
	}
	if found := p.axeViolations(); len(found) > 0 {
		t.Errorf("axe finds %+v", found)
	}
	var label string
	p.eval(`document.getElementById("make-good").getAttribute("aria-label")`, &label)
	p.click("button", label)
	p.until("a good answer", `document.querySelector("#step-release .verdict.good") &&
		!document.getElementById("make-good")`)
	if got := p.shown(); got == first {
		t.Errorf("the answer is the same: %s", got)
	}
	var file struct {
		Recipe struct{ Epsilon string }
		Head   struct{ Before []struct{ Epsilon string } }
	}
	text := p.download(func() { p.export("#export-json") }).data
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Head.Before) != 1 || file.Head.Before[0].Epsilon != "0.2" {
		t.Errorf("the release has %+v before it", file.Head.Before)
	}
	p.waitText("spent ε = " + file.Recipe.Epsilon + " of 3")
	goTo(p, "Ledger")
	p.waitText("Spent: ε = " + file.Recipe.Epsilon + " in 2 releases")
	p.waitText("replacing the one of")
	p.screenshot("topup-ledger", 1280, 900, "light")
}

// openRough opens the file of ages, with a question whose answer is rough.
const openRough = openAges + `recipe.epsilon = "0.05"; `

// TestTopUpOnce: of two tabs one makes an answer more exact, and pays; after a crash what was paid
// for is drawn; after an import nothing is offered.
func TestTopUpOnce(t *testing.T) {
	a := openEngine(t)
	var entry string
	a.script(openRough+`globalThis.rough = await hush.run(recipe); return rough.entry;`, &entry)
	b := a.another(a.address())
	b.script(openRough+`globalThis.rough = { ...JSON.parse((await hush.keptAnswers([`+
		fmt.Sprintf("%q", entry)+`]))[0].text) };`, nil)
	for _, x := range []*webPage{a, b} {
		x.script(`globalThis.going = outcome(hush.topUp(rough, "0.4"));`, nil)
	}
	won := map[string]bool{} // one tab's answer, which the other may be shown too
	for _, x := range []*webPage{a, b} {
		var got outcome[engine.Released]
		x.script(`return await going;`, &got)
		switch {
		case got.Error == nil:
			won[ask.KeyOf(got.Value.Release)] = true
		case got.Error.Code != engine.NoTopUp && got.Error.Code != engine.PlanClosed:
			t.Errorf("the other tab fails with %+v", *got.Error)
		}
	}
	var account engine.Account
	a.script(`return await hush.ledger();`, &account)
	if len(won) != 1 || account.Count != 2 || account.Spent != "0.4" ||
		account.Entries[1].Replaces != entry {
		t.Errorf("%d answers, %s was spent in %d", len(won), account.Spent, account.Count)
	}
	// Killed while it draws.
	var got struct {
		Price  engine.TopUpOffer
		Other  outcome[any]
		Drawn  outcome[engine.Released]
		Again  outcome[any]
		Ledger engine.Account
		Joined outcome[any]
	}
	a.script(`globalThis.rough = await hush.run(recipe);`, nil)
	a.inWorker("engine.js", `hushEngine.step = () => {}`, nil)
	a.script(`const going = outcome(hush.topUp(rough, "0.4"));
		while ((await hush.ledger()).count < 4);
		hush.restart(); await going;
		const price = await hush.planTopUp(rough), other = await outcome(hush.topUp(rough, "0.5"));
		const drawn = await outcome(hush.topUp(rough, "0.4")), again = await outcome(hush.topUp(rough, "0.4"));
		const ledger = await hush.ledger(), fresh = await hush.run(recipe);
		await hush.importLedger(await hush.exportLedger());
		return { price, other, drawn, again, ledger, joined: await outcome(hush.planTopUp(fresh)) };`, &got)
	if !got.Price.Paid || got.Price.Epsilon != "0.4" {
		t.Errorf("paid: %t, to ε = %s", got.Price.Paid, got.Price.Epsilon)
	}
	got.Other.want(t, "no-top-up")
	got.Drawn.want(t, "")
	got.Again.want(t, "no-top-up")
	got.Joined.want(t, "no-top-up")
	if got.Ledger.Count != 4 || got.Ledger.Spent != "0.8" {
		t.Errorf("%s was spent in %d, want 0.8 in 4", got.Ledger.Spent, got.Ledger.Count)
	}
}

// TestTopUpAverages: in the browser an answer with Gaussian noise, of persons with rows in several
// groups, is made good by a second release; the ledger holds the ρ of both, the average is kept,
// and it checks.
func TestTopUpAverages(t *testing.T) {
	a := openEngine(t)
	var got struct {
		First, Next engine.Released
		Offer       engine.TopUpOffer
		Ledger      engine.Account
		Again       outcome[any]
	}
	a.script(`start();
		const rows = Array.from({ length: 900 }, (_, i) => "p" + i % 300 + "," + ["north", "south"][i % 2] + "," + i % 10);
		const opening = await hush.open(new File([["person,shop,price", ...rows].join("\n")], "visits.csv"));
		const recipe = { ...question(opening), task: "sum", column: 3, epsilon: "1", person: 1, params: { delta: "0.0000001" },
			domain: { kind: "integer", lo: "0", hi: "10" }, group: { column: 2, names: ["north", "south"] },
			use: { rows: 3, groups: 30, column: 2 } };
		const how = { agreed: await hush.claims(recipe) };
		const first = await hush.run(recipe, how), offer = await hush.planTopUp(first, "2");
		const next = await hush.topUp(first, "2", how), ledger = await hush.ledger();
		return { first, next, offer, ledger, again: await outcome(hush.topUp(first, "5", how)) };`, &got)
	got.Again.want(t, "no-top-up")
	if len(got.First.Head.Draws) != 1 || len(got.Next.Head.Draws) != 2 ||
		got.Next.Head.Before[0].Digest != got.First.Digest() ||
		!strings.Contains(got.Next.Statement, "average of 2 releases") {
		t.Errorf("%d and %d draws: %q", len(got.First.Head.Draws), len(got.Next.Head.Draws),
			got.Next.Statement)
	}
	entries := got.Ledger.Entries
	if len(entries) != 2 || entries[1].Replaces != entries[0].ID || entries[1].Loss.IsRest() ||
		got.Offer.Debit.IsRest() {
		t.Fatalf("the ledger holds %+v", entries)
	}
	spent, whole := entries[0].Loss.Plus(entries[1].Loss).Rho(), got.Next.Plan.Loss.Rho()
	if off, _ := spent.Quo(spent, whole).Float64(); off < 0.999 || off > 1.001 {
		t.Errorf("both cost %v times the ρ of one answer", off)
	}
	report := verify.File(nil, []byte(got.Next.JSON("")), "")
	for _, c := range report.Checks {
		if c.Status == verify.Fails {
			t.Errorf("%s: %+v", c.Title, c.Faults)
		}
	}
}
