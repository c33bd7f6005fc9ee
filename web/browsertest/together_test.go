//go:build browser

package browsertest

import (
	"context"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"hush/core/ask"
	"hush/web/engine"
)

// openPlan opens the file of ages and prices a plan of three questions about it.
const openPlan = openAges + `
	const parts = [recipe, { ...recipe, task: "median" }, recipe].map((recipe) => ({ recipe }));
	const priced = await hush.together({ parts, division: "evenly", total: "0.9", delta: "0" });
	globalThis.plan = { delta: "0", questions: parts.map(({ recipe }, i) => ({ ...recipe, epsilon: priced.epsilons[i] })) };
	globalThis.debit = async () => (await hush.ledger()).entries.at(-1).id; `

// stopAfterFirst has the engine's worker go no further once the first answer of a plan is noted in
// the ledger.
const stopAfterFirst = `void (() => {
	const { put } = IDBObjectStore.prototype;
	IDBObjectStore.prototype.put = function (value, ...key) {
		if (value?.plan && 1 in value.plan.drawn) hushEngine.step = () => {};
		return put.call(this, value, ...key);
	};
})()`

// drawnOf is the answer that a tab has to a plan, beside the ledger and the kept answers.
type drawnOf struct {
	Drawn  outcome[engine.Drawn]
	Ledger engine.Account
	Kept   []engine.KeptText
}

const tellDrawn = `const drawn = await outcome(going);
	const { answers } = await hush.kept();
	return { drawn, ledger: await hush.ledger(), kept: await hush.keptAnswers(answers.map(({ entry }) => entry)) };`

// wholeOnce reports a plan that was not paid for once, or of which an answer is lost or drawn
// twice.
func wholeOnce(t *testing.T, got drawnOf, before []engine.KeptText, drawn ...int) {
	t.Helper()
	got.Drawn.want(t, "")
	d := got.Drawn.Value
	var numbers []int
	for _, a := range d.Answers {
		numbers = append(numbers, a.Number)
		if a.Released == nil || a.Released.Entry != engine.PlanEntry(d.Entry, a.Number) {
			t.Errorf("answer %d is %+v, %+v", a.Number, a.Released, a.Fault)
		}
	}
	if !slices.Equal(numbers, drawn) || len(d.Left) != 0 {
		t.Errorf("drawn now: %v, left: %v, want %v and none", numbers, d.Left, drawn)
	}
	if got.Ledger.Count != 1 || got.Ledger.Spent != "0.9" || got.Ledger.Entries[0].Questions != 3 {
		t.Errorf("%d debits of %s, want one of 0.9: %+v", got.Ledger.Count, got.Ledger.Spent,
			got.Ledger.Entries)
	}
	if len(got.Kept) != 3 || len(before) > 0 && !slices.Contains(got.Kept, before[0]) {
		t.Errorf("%d answers are kept, want three, and those from before as they were",
			len(got.Kept))
	}
}

// TestRunTogether: three questions are one debit of their total; a limit is held; what is over it
// costs nothing.
func TestRunTogether(t *testing.T) {
	b := openEngine(t)
	var got struct {
		Over     outcome[any]
		None     engine.Account
		Drawn    drawnOf
		Progress []engine.Progress
		Again    engine.Drawn
	}
	b.script(openPlan+`
		await hush.setLimit({ epsilon: "0.5" });
		const over = await outcome(hush.runTogether(plan)), none = await hush.ledger(), progress = [];
		await hush.setLimit({ epsilon: "0.9" });
		const going = hush.runTogether(plan, { onprogress: (p) => progress.push(p) });
		const drawn = await (async () => {`+tellDrawn+`})();
		return { over, none, drawn, progress, again: await hush.resumeTogether(await debit()) };`, &got)
	got.Over.want(t, "over-limit")
	if got.None.Count != 0 {
		t.Errorf("%d debits of a plan that was refused", got.None.Count)
	}
	wholeOnce(t, got.Drawn, nil, 1, 2, 3)
	at := 0
	for _, p := range got.Progress {
		if p.Questions != 3 {
			t.Errorf("how far it is: %+v", p)
		}
		at = max(at, p.Question)
	}
	if at != 3 || len(got.Again.Answers) != 0 {
		t.Errorf("question %d was told; drawn again: %+v", at, got.Again)
	}
}

// TestPlanIsResumed: the engine, or the tab, is killed between two questions, or two tabs go on at
// once. There is one debit, and each answer is drawn once.
func TestPlanIsResumed(t *testing.T) {
	started := func(t *testing.T) (b *webPage, before []engine.KeptText) {
		b = openEngine(t)
		b.script(openPlan, nil)
		b.inWorker("engine.js", stopAfterFirst, nil)
		b.script(`globalThis.going = outcome(hush.runTogether(plan));
			while (!(await hush.kept()).answers.length) await new Promise((go) => setTimeout(go, 20));
			return hush.keptAnswers([(await debit()) + "/1"]);`, &before)
		return b, before
	}
	t.Run("engine", func(t *testing.T) {
		b, before := started(t)
		var got drawnOf
		b.script(`hush.restart(); if ((await going).error?.code !== "cancelled") throw new Error("it went on");
			globalThis.going = hush.resumeTogether(await debit()); `+tellDrawn, &got)
		wholeOnce(t, got, before, 2, 3)
	})
	t.Run("tab", func(t *testing.T) {
		b, before := started(t)
		q := b.another(b.address())
		b.do(chromedp.ActionFunc(func(ctx context.Context) error { return page.Close().Do(ctx) }))
		var got drawnOf
		q.script(openPlan+`globalThis.going = hush.resumeTogether(await debit()); `+tellDrawn, &got)
		wholeOnce(t, got, before, 2, 3)
	})
	t.Run("two tabs", func(t *testing.T) {
		b, _ := started(t)
		q := b.another(b.address())
		q.script(openPlan+`globalThis.going = outcome(hush.resumeTogether(await debit()));`, nil)
		b.script(`hush.restart(); globalThis.going = outcome(hush.resumeTogether(await debit()));`, nil)
		told := map[int]string{}
		for _, x := range []*webPage{b, q} {
			var got outcome[engine.Drawn]
			x.script(`return await going;`, &got)
			got.want(t, "")
			for _, a := range got.Value.Answers {
				text := ask.KeyOf(a.Released.Release)
				if before, twice := told[a.Number]; twice && before != text {
					t.Errorf("answer %d was drawn twice", a.Number)
				}
				told[a.Number] = text
			}
		}
		var end drawnOf
		b.script(`globalThis.going = hush.resumeTogether(await debit()); `+tellDrawn, &end)
		if end.Ledger.Count != 1 || len(end.Drawn.Value.Left) != 0 || len(end.Kept) != 3 {
			t.Errorf("%d debits, left %v, %d kept", end.Ledger.Count, end.Drawn.Value.Left,
				len(end.Kept))
		}
	})
	t.Run("another file", func(t *testing.T) {
		b, _ := started(t)
		var got outcome[any]
		b.script(`hush.restart(); const id = await debit();
			await hush.open(ages(1200));
			return await outcome(hush.resumeTogether(id));`, &got)
		got.want(t, "other-file")
	})
}
