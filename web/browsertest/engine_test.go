//go:build browser

package browsertest

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/storage"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/host"
)

// failure is what a page reports of a rejected promise.
type failure struct {
	Name string
	engine.Fault
	Reason string
}

// outcome is what a call came to.
type outcome[T any] struct {
	Value T
	Error *failure
}

func (o outcome[T]) want(t *testing.T, code string) {
	t.Helper()
	switch {
	case o.Error == nil && code != "":
		t.Errorf("the call went well, want %s", code)
	case o.Error != nil && string(o.Error.Code) != code:
		t.Errorf("failed with %+v, want %q", *o.Error, code)
	}
}

const openAges = `start(); globalThis.opening = await hush.open(ages(1000)); globalThis.recipe = question(opening); `

// TestEngineReadsOnThroughCollections reads a file while the browser collects garbage all the time.
func TestEngineReadsOnThroughCollections(t *testing.T) {
	b := openEngine(t)
	b.upload("#file", visitors(t, 200_000))
	b.script(`start(); await hush.open(picked())`, nil)
	engine := b.worker("engine.js")
	stop := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-stop:
				return
			default:
				engine.try(heapprofiler.CollectGarbage())
			}
		}
	}()
	var rows int
	b.script(`
		let rows = 0;
		for (let i = 0; i < 20; i++) rows += Number((await hush.open(picked())).rows);
		return rows;`, &rows)
	close(stop)
	<-ended
	if rows != 20*200_001 {
		t.Errorf("read %d rows in all, want 20 times 200001", rows)
	}
}

func TestEngineFromFileToRelease(t *testing.T) {
	b := openEngine(t)
	path := filepath.Join(t.TempDir(), "people.csv")
	if err := os.WriteFile(path, []byte("age;town\r\n34;\"Bern; Altstadt\"\r\n57;Graz\r\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	b.upload("#file", path)
	var got struct {
		Tasks   []ask.Task
		Opening engine.Opening
		Plan    ask.Plan
		Release task.Release
		Ledger  struct {
			engine.Account
			Accounts []engine.Account
		}
	}
	b.script(`
		start(); await hush.ready;
		const tasks = await hush.catalogue(), opening = await hush.open(picked());
		const recipe = question(opening), plan = await hush.plan(recipe), release = await hush.run(recipe);
		return { tasks, opening, plan, release, ledger: await hush.ledger() };`, &got)

	if len(got.Tasks) != len(task.Catalogue()) {
		t.Errorf("%d tasks, want %d", len(got.Tasks), len(task.Catalogue()))
	}
	if o := got.Opening; o.Rows != 2 || o.Options.Delimiter != ";" || len(o.Fingerprint) != 64 ||
		o.StorageRefused != "" || o.Account.Spent != "0" {
		t.Errorf("opened %+v", o)
	}
	if got.Plan.Loss.String() != "ε = 0.1" {
		t.Errorf("planned %s, want ε = 0.1", got.Plan.Loss.String())
	}
	if r := got.Release; r.Origin != coin.Crypto || r.Answer.Kind() != "histogram" ||
		len(r.Answer.Result.(*task.Histogram).Bins) != 10 {
		t.Errorf("released %+v", r)
	}
	ledger := got.Ledger
	if ledger.Spent != "0.1" || ledger.Count != 1 || len(ledger.Accounts) != 1 ||
		ledger.Fingerprint != got.Opening.Fingerprint {
		t.Errorf("the ledger holds %+v, want one release of 0.1", ledger)
	}
	entry := ledger.Entries[0]
	if _, err := time.Parse(time.RFC3339, entry.Time); err != nil || entry.Task != "histogram" ||
		entry.Loss.String() != "ε = 0.1" || entry.Schema != 3 {
		t.Errorf("the ledger's entry is %+v (%v)", entry, err)
	}
}

func TestEngineNamesADataSetByItsBytes(t *testing.T) {
	b := openEngine(t)
	var prints []string
	b.script(`
		start(); const open = async (text) => (await hush.open(new Blob([text]))).fingerprint;
		const large = "a\n" + "1\n".repeat(3 << 20), changed = large.slice(0, -2) + "2\n";
		return [await open("a\n1\n"), await open("a\n1\n"), await open("a\n2\n"), await open(large), await open(large), await open(changed), await open("")];`, &prints)
	if prints[0] != prints[1] || prints[3] != prints[4] {
		t.Errorf("the same bytes have two names: %q", prints)
	}
	slices.Sort(prints)
	if names := slices.Compact(prints); len(names) != 5 {
		t.Errorf("%d names for five data sets", len(names))
	}
	var elsewhere string
	openEngine(t).
		script(`start(); return (await hush.open(new Blob(["a\n1\n"]))).fingerprint;`, &elsewhere)
	if slices.Contains(prints, elsewhere) {
		t.Error("another browser gives the same name, so the name tells of the data")
	}
}

func TestEngineReadsAnyStream(t *testing.T) {
	b := openEngine(t)
	var got []engine.Opening
	b.script(`
		globalThis.large = new Blob(["a,b\n", "1,2\n".repeat(3 << 19)]);
		start(); globalThis.openings = [await hush.open(large)];`, nil)
	b.inWorker("engine.js", refuseBYOB, nil)
	b.script(`openings.push(await hush.open(large)); return openings;`, &got)
	if got[0].Rows != 3<<19 || got[1].Rows != 3<<19 || got[0].Fingerprint != got[1].Fingerprint {
		t.Errorf("read %d and %d rows, want %d; fingerprints %.8s and %.8s, want the same",
			got[0].Rows, got[1].Rows, 3<<19, got[0].Fingerprint, got[1].Fingerprint)
	}
}

func TestEngineFromAServerWithoutTypes(t *testing.T) {
	files, page := engineFiles(t)
	bundle := host.New(files)
	plain := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, ".wasm") {
			bundle.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Write(files[strings.TrimPrefix(r.URL.Path, "/")].Data)
	})
	var tasks []ask.Task
	open(t, serve(t, plain, page).url).script(`start(); return await hush.catalogue();`, &tasks)
	if len(tasks) != len(task.Catalogue()) {
		t.Errorf("%d tasks, want %d", len(tasks), len(task.Catalogue()))
	}
}

func TestEngineAsAGlobal(t *testing.T) {
	b := openEngine(t)
	var tasks []ask.Task
	b.script(`await import(new URL("hush.js?global", location)); return await hush.catalogue();`,
		&tasks)
	if len(tasks) != len(task.Catalogue()) {
		t.Errorf("%d tasks, want %d", len(tasks), len(task.Catalogue()))
	}
}

func TestEngineRefuses(t *testing.T) {
	b := openEngine(t)
	var got struct {
		NoFile, Epsilon outcome[any]
		Ledger          engine.Account
	}
	b.script(`
		start(); const noFile = await outcome(hush.run({}));
		const opening = await hush.open(ages(10));
		const epsilon = await outcome(hush.run(question(opening, { epsilon: "0" })));
		return { noFile, epsilon, ledger: await hush.ledger() };`, &got)
	got.NoFile.want(t, "no-file")
	got.Epsilon.want(t, "refused")
	if e := got.Epsilon.Error; e.Field != "epsilon" || e.Value == "" || e.Want == "" {
		t.Errorf("refused %+v, want the field epsilon with value and wish", *e)
	}
	if got.Ledger.Count != 0 {
		t.Error("a refused run was debited")
	}
}

// longFile takes a third of a second or so to read.
const longFile = `const long = new Blob(["age,remark\n", ...Array(300).fill(("34," + "x".repeat(124) + "\n").repeat(1 << 13))]); `

// What a priced question asks about is read while nothing is asked: the answer then waits for no
// reading. A question that comes in the midst takes the reading over, or reads what it needs.
func TestEngineReadsAhead(t *testing.T) {
	b := openEngine(t)
	type run struct {
		Result outcome[any]
		Phases []string
		Time   float64
	}
	var got struct {
		Second, Expected, Taken, Cancelled, Again, Other, Changed, Kept run
		Problems                                                        []any
		Events                                                          []string
		Ledger                                                          engine.Account
	}
	b.script(longFile+`
		start();
		const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
		const timed = async (call, abort = 0) => {
			const phases = new Set(), begun = performance.now(), end = new AbortController();
			const result = await outcome(call({ signal: end.signal, onprogress: ({ phase, done }) => {
				phases.add(phase);
				if (abort && phase === "reading" && done > 0) end.abort();
			} }));
			return { result, phases: [...phases], time: performance.now() - begun };
		};
		const upTo = (recipe, hi) => ({ ...recipe, domain: { ...recipe.domain, hi } });
		const opening = performance.now();
		const first = question(await hush.open(long));
		const enough = 3 * (performance.now() - opening) + 1000; // a reading takes less than opening
		const got = {};
		const later = { ...first, column: 2, params: {}, domain: { kind: "category", categories: ["y", "z"] } };
		await hush.expect([{ column: 2, spec: later.domain }]);
		await hush.plan(first);
		await wait(enough);
		got.second = await timed((how) => hush.run(first, how));
		got.expected = await timed((how) => hush.run(later, how));

		const other = upTo(first, "60");
		const soon = 80; // ms, after which a reading has begun, and is far from its end: it takes 350 in all
		await hush.plan(other);
		await wait(soon);
		got.taken = await timed((how) => hush.run(other, how));

		const third = upTo(first, "70");
		await hush.plan(third);
		await wait(soon);
		got.cancelled = await timed((how) => hush.run(third, how), true);
		got.again = await timed((how) => hush.run(third, how));

		await hush.plan(upTo(first, "80"));
		await wait(soon);
		got.other = await timed((how) => hush.run(upTo(first, "50"), how));

		await hush.plan(upTo(first, "90"));
		await wait(soon);
		const ages9 = question(await hush.open(ages(9))); // another file in the midst
		got.changed = await timed((how) => hush.run(ages9, how));
		got.problems = await hush.read(ages9);
		got.kept = await timed((how) => hush.run(ages9, how));
		return { ...got, events, ledger: await hush.ledger() };`, &got)
	for _, c := range []struct {
		name    string
		run     run
		code    string
		reading bool
	}{
		{"of what was read ahead", got.Second, "", false},
		{"of what was expected", got.Expected, "", false},
		{"of what is read just now", got.Taken, "", true},
		{"of it, cancelled", got.Cancelled, "cancelled", true},
		{"of it, again", got.Again, "", true},
		{"of another column than is read just now", got.Other, "", true},
	} {
		c.run.Result.want(t, c.code)
		if slices.Contains(c.run.Phases, "reading") != c.reading {
			t.Errorf("a run %s: phases %q in %.0f ms, want reading: %v", c.name, c.run.Phases,
				c.run.Time, c.reading)
		}
	}
	got.Changed.Result.want(t, "")
	got.Kept.Result.want(t, "")
	if len(got.Problems) != 0 {
		t.Errorf("problems %v in a file of nine ages, want none", got.Problems)
	}
	if len(got.Events) != 0 {
		t.Errorf("%q: the engine was replaced", got.Events)
	}
	if got.Ledger.Count != 2 {
		t.Errorf("%d debits on the last file, want 2", got.Ledger.Count)
	}
	t.Logf("answers: %.0f ms read ahead, %.0f taken over, %.0f read anew", got.Second.Time,
		got.Taken.Time, got.Other.Time)
}

func TestEngineSoftCancel(t *testing.T) {
	b := openEngine(t)
	var got struct {
		Phases     []string
		Open, Run  outcome[any]
		OpenTime   float64
		RunTime    float64
		Events     []string
		Ledger     engine.Account
		Plan, Next outcome[any]
	}
	b.script(longFile+`
		start();
		const cancelAt = async (call) => {
			const abort = new AbortController(); let at = 0; const phases = new Set();
			const result = await outcome(call({ signal: abort.signal, onprogress: ({ phase, done, total }) => {
				phases.add(phase);
				if (done > 0 && !at) { at = performance.now(); abort.abort(); }
			} }));
			return [result, performance.now() - at, [...phases]];
		};
		const [open, openTime, first] = await cancelAt((how) => hush.open(long, {}, how));
		const plan = await outcome(hush.plan({}));
		const recipe = question(await hush.open(long));
		const [run, runTime, second] = await cancelAt((how) => hush.run(recipe, how));
		const next = await outcome(hush.run(recipe));
		return { open, openTime, plan, run, runTime, next, phases: [...first, ...second], events, ledger: await hush.ledger() };`, &got)
	got.Open.want(t, "cancelled")
	got.Run.want(t, "cancelled")
	got.Plan.want(t, "no-file")
	got.Next.want(t, "")
	if got.Open.Error.Name != "AbortError" {
		t.Errorf("a cancel is named %q, want AbortError", got.Open.Error.Name)
	}
	if !slices.Equal(got.Phases, []string{"opening", "reading"}) {
		t.Errorf("phases %q, want opening and reading", got.Phases)
	}
	if len(got.Events) != 0 {
		t.Errorf("%q: a soft cancel replaced the engine", got.Events)
	}
	if got.Ledger.Count != 1 {
		t.Errorf("%d debits, want one: reading costs nothing", got.Ledger.Count)
	}
	t.Logf("cancelled after %.0f ms while opening, %.0f ms while reading", got.OpenTime,
		got.RunTime)
}

// A run that has begun is paid for, also when it is cancelled.
func TestEngineCancelWhileComputing(t *testing.T) {
	b := openEngine(t)
	var got struct {
		Run, Next outcome[any]
		Time      float64
		Events    []string
		Ledger    engine.Account
	}
	b.script(`
		start();
		const opening = await hush.open(new Blob(["age\n", ...Array(16).fill("34\n".repeat(1 << 19))]));
		const recipe = question(opening), abort = new AbortController();
		let at = 0;
		const run = await outcome(hush.run(recipe, { signal: abort.signal, onprogress: ({ phase }) => {
			if (phase === "computing" && !at) { at = performance.now(); abort.abort(); }
		} }));
		return { run, time: performance.now() - at, next: await outcome(hush.plan(recipe)), events, ledger: await hush.ledger() };`, &got)
	got.Run.want(t, "cancelled")
	got.Next.want(t, "")
	if len(got.Events) != 0 {
		t.Errorf("%q: the engine was replaced, though it takes steps", got.Events)
	}
	if got.Ledger.Count != 1 {
		t.Errorf("%d debits, want the one of the cancelled run", got.Ledger.Count)
	}
	t.Logf("cancelled after %.0f ms", got.Time)
}

// What waits for a long run, or for the engine to start, is cancelled at once and takes nothing
// else with it.
func TestEngineCancelWhileWaiting(t *testing.T) {
	b := openEngine(t)
	var got struct {
		Early, Film, Run, Late outcome[any]
		Time                   float64
		Events                 []string
		Ledger                 engine.Account
	}
	b.script(`
		start({ patience: 300 });
		const lesson = { sample: "clinic", rows: 100, draws: 1, seed: 1, recipe: {} };
		const early = new AbortController(), taught = outcome(hush.teach(lesson, { signal: early.signal })), film = outcome(hush.film({ id: "treelog", seed: 1 }));
		early.abort();
		const first = await taught, shown = await film;
		const recipe = question(await hush.open(new Blob(["age\n", ...Array(24).fill("34\n".repeat(1 << 19))])));
		const late = new AbortController(); let time = 0, second;
		const run = await outcome(hush.run(recipe, { onprogress: () => {
			if (second) return;
			const began = performance.now();
			second = outcome(hush.teach(lesson, { signal: late.signal })).then((end) => { time = performance.now() - began; return end; });
			late.abort();
		} }));
		return { early: first, film: shown, run, late: await second, time, events, ledger: await hush.ledger() };`, &got)
	got.Early.want(t, "cancelled")
	got.Film.want(t, "")
	got.Late.want(t, "cancelled")
	got.Run.want(t, "")
	if len(got.Events) != 0 {
		t.Errorf("%q: the engine was replaced for a call that only waited", got.Events)
	}
	if got.Ledger.Count != 1 {
		t.Errorf("%d debits, want that of the run", got.Ledger.Count)
	}
	t.Logf("cancelled after %.0f ms", got.Time)
}

func TestEngineHardCancel(t *testing.T) {
	b := openEngine(t)
	var got struct {
		Plan, Other, Run, Next, OnDemand outcome[any]
		Time, Fresh                      float64
		Events                           []string
	}
	b.script(openAges, nil)
	b.inWorker("engine.js", block, nil)
	b.script(`
		const abort = new AbortController(), began = performance.now();
		const restarted = next("restarted");
		const first = outcome(hush.plan(recipe, { signal: abort.signal })), second = outcome(hush.plan(recipe)), third = outcome(hush.run(recipe));
		abort.abort();
		const plan = await first, time = performance.now() - began;
		await restarted; const fresh = performance.now() - began - time;
		const other = await second, run = await third, after = await outcome(hush.run(recipe));
		const waiting = outcome(hush.plan(recipe)); hush.restart();
		return { plan, time, fresh, other, run, next: after, onDemand: await waiting, events };`, &got)
	got.Plan.want(t, "cancelled")
	got.Other.want(t, "") // the fresh engine has answered it
	got.Run.want(t, "engine-died")
	got.Next.want(t, "") // the file was opened again by itself
	got.OnDemand.want(t, "cancelled")
	if got.Time < 900 || got.Time > 2000 {
		t.Errorf("cancelled after %.0f ms, want a little over the second of patience", got.Time)
	}
	if want := []string{"died stopped", "restarted", "died stopped"}; !slices.Equal(
		got.Events, want) {
		t.Errorf("events %q, want %q", got.Events, want)
	}
	t.Logf("a fresh engine was ready after %.0f ms", got.Fresh)
}

func TestEngineOutOfMemory(t *testing.T) {
	b := openEngine(t)
	var got struct {
		Open, Before, After outcome[any]
		Events              []string
		Ledger              engine.Account
	}
	b.script(openAges+`globalThis.before = await outcome(hush.run(recipe));`, nil)
	b.inWorker("engine.js", starve, nil)
	b.script(`
		const fresh = next("restarted");
		const open = await outcome(hush.run(question(opening, { domain: { kind: "category", categories: Array.from({ length: 300000 }, (_, i) => "category " + i) } })));
		await fresh; const after = await outcome(hush.run(recipe));
		return { open, before, after, events, ledger: await hush.ledger() };`, &got)
	got.Before.want(t, "")
	got.Open.want(t, "engine-died")
	got.After.want(t, "")
	if want := []string{"died out-of-memory", "restarted"}; !slices.Equal(got.Events, want) {
		t.Errorf("events %q, want %q", got.Events, want)
	}
	if e := got.Open.Error; e.Reason != "out-of-memory" ||
		strings.Contains(e.Message, "goroutine") {
		t.Errorf("the engine's death is told as %+v", *e)
	}
	if got.Ledger.Spent != "0.2" {
		t.Errorf("%s spent, want 0.2 for the runs before and after", got.Ledger.Spent)
	}
}

func TestEngineDefect(t *testing.T) {
	b := openEngine(t)
	var got struct {
		Run, Next outcome[any]
		Events    []string
	}
	b.script(openAges, nil)
	b.inWorker("engine.js", sabotage, nil)
	b.script(`
		const fresh = next("restarted"), run = await outcome(hush.run(recipe));
		await fresh;
		return { run, next: await outcome(hush.run(recipe)), events };`, &got)
	got.Run.want(t, "internal")
	got.Next.want(t, "")
	if strings.Contains(got.Run.Error.Message, "17") {
		t.Errorf("the defect tells of the data: %q", got.Run.Error.Message)
	}
	if want := []string{"died internal", "restarted"}; !slices.Equal(got.Events, want) {
		t.Errorf("events %q, want %q", got.Events, want)
	}
}

func TestLedgerOfTwoTabs(t *testing.T) {
	a := openEngine(t)
	b := a.another(a.address())
	const each = 12
	open := openAges +
		`await hush.setLimit({ epsilon: "2" }); globalThis.go = () => Promise.all(Array.from({ length: 12 }, () => outcome(hush.run(recipe))));`
	a.script(open, nil)
	b.script(open, nil)
	// Both start their runs and only then wait, so that their debits meet.
	for _, x := range []*webPage{a, b} {
		x.script(`globalThis.results = go();`, nil)
	}
	var released, refused int
	for _, x := range []*webPage{a, b} {
		var results []outcome[any]
		x.script(`return await results;`, &results)
		for _, r := range results {
			if r.Error == nil {
				released++
			} else {
				r.want(t, "over-limit")
				refused++
			}
		}
	}
	if released != 20 || refused != 2*each-20 {
		t.Errorf("%d released and %d refused, want 20 and 4: twenty times 1/10 is the limit of 2",
			released, refused)
	}
	var account engine.Account
	a.script(`return await hush.ledger();`, &account)
	if account.Spent != "2" || account.Count != 20 || account.Limit.Epsilon != "2" {
		t.Errorf("the ledger holds %s in %d releases, want 2 in 20", account.Spent, account.Count)
	}
}

func TestLedgerOutlivesTheTab(t *testing.T) {
	a := openEngine(t)
	a.script(openAges+`await hush.run(recipe); hush.close();`, nil)
	var opening engine.Opening
	a.another(a.address()).script(`start(); return await hush.open(ages(1000));`, &opening)
	if opening.Account.Spent != "0.1" || opening.Account.Count != 1 {
		t.Errorf("opened again with %s spent, want 0.1", opening.Account.Spent)
	}
}

func TestLedgerMissesWhatWasTaken(t *testing.T) {
	b := openEngine(t)
	var got struct {
		Taken, Again, Cleared outcome[any]
		Opening               engine.Opening
		Ledger                engine.Account
	}
	b.script(openAges+`
		await hush.run(recipe); await hush.run(recipe);
		const db = await new Promise((done) => { const open = indexedDB.open("hush"); open.onsuccess = () => done(open.result); });
		const change = (store, what) => new Promise((done) => { const tx = db.transaction(store, "readwrite"); what(tx.objectStore(store)); tx.oncomplete = done; });
		await change("entries", (store) => { store.openCursor().onsuccess = ({ target }) => target.result.delete(); });
		const taken = await outcome(hush.run(recipe)), reopened = await hush.open(ages(1000));
		const again = await outcome(hush.run(recipe)), ledger = await hush.ledger();
		const clear = async () => { for (const store of ["entries", "accounts", "receipts"]) await change(store, (store) => store.clear()); };
		await clear();
		await hush.open(ages(1000)); await hush.run(recipe);
		await clear();
		return { taken, again, opening: reopened, ledger, cleared: await outcome(hush.run(recipe)) };`, &got)
	got.Taken.want(t, "ledger-damaged")
	got.Again.want(t, "ledger-damaged")
	got.Cleared.want(t, "ledger-damaged")
	if !got.Opening.Account.Damaged || got.Opening.StorageRefused == "" || !got.Ledger.Damaged ||
		got.Ledger.Count != 1 {
		t.Errorf("opened with %+v, ledger %+v, want both to say that entries are missing",
			got.Opening.Account, got.Ledger)
	}
}

func TestLedgerRefused(t *testing.T) {
	script := `
		const opening = await outcome(hush.open(ages(1000)));
		const recipe = question(opening.value);
		return { opening, plan: await outcome(hush.plan(recipe)), run: await outcome(hush.run(recipe)) };`
	check := func(t *testing.T, b *webPage) {
		var got struct {
			Opening   outcome[engine.Opening]
			Plan, Run outcome[any]
		}
		b.script(script, &got)
		got.Opening.want(t, "")
		got.Plan.want(t, "")
		got.Run.want(t, "no-storage")
		if o := got.Opening.Value; o.StorageRefused == "" || o.Fingerprint != "" || o.Rows != 1000 {
			t.Errorf("opened with fingerprint %q and refusal %q, want only the refusal",
				o.Fingerprint, o.StorageRefused)
		}
	}
	t.Run("by the browser's settings", func(t *testing.T) {
		b := openEngine(t)
		b.script(`start(); await hush.ready;`, nil)
		b.inWorker("engine.js", refuseStorage, nil)
		check(t, b)
	})
	t.Run("for lack of space", func(t *testing.T) {
		b := openEngine(t)
		var origin string
		b.eval(`location.origin`, &origin)
		b.do(storage.OverrideQuotaForOrigin(origin).WithQuotaSize(1))
		b.script(`start();`, nil)
		check(t, b)
	})
}

func TestEngineCannotStart(t *testing.T) {
	files, page := engineFiles(t)
	maps.DeleteFunc(files, func(name string, _ *fstest.MapFile) bool {
		return strings.Contains(name, "app.wasm")
	})
	b := open(t, serve(t, host.New(files), page).url)
	b.expect("404")
	var got struct{ Ready, Call outcome[any] }
	b.script(`
		start(); const ready = await outcome(hush.ready);
		return { ready, call: await outcome(hush.catalogue()) };`, &got)
	got.Ready.want(t, "engine-start")
	got.Call.want(t, "engine-start")
}
