//go:build browser

package browsertest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hush/web/engine"
	"hush/web/host"
)

// TestDiskFillsUp: where the ledger can no longer be written nothing is released, and once there is
// room again all that was spent is still known.
func TestDiskFillsUp(t *testing.T) {
	b := openEngine(t)
	b.script(openAges+`await hush.run(recipe);`, nil)
	// A quota set from outside is only looked at when a database is opened.
	b.inWorker("engine.js", `void (() => {
		const { put } = IDBObjectStore.prototype;
		IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
		globalThis.makeRoom = () => { IDBObjectStore.prototype.put = put; };
	})()`, nil)
	var full, look outcome[any]
	b.script(`return await outcome(hush.run(recipe));`, &full)
	b.script(`return await outcome(hush.look());`, &look)
	full.want(t, "no-storage")
	look.want(t, "no-storage")
	b.inWorker("engine.js", `makeRoom()`, nil)
	var got struct {
		Run    outcome[any]
		Ledger engine.Account
	}
	b.script(`return { run: await outcome(hush.run(recipe)), ledger: await hush.ledger() };`, &got)
	got.Run.want(t, "")
	if l := got.Ledger; l.Spent != "0.2" || l.Count != 2 || l.Damaged || l.Looked != "" {
		t.Errorf("%s spent in %d releases (damaged: %t, looked at %q), want 0.2 in 2", l.Spent,
			l.Count, l.Damaged, l.Looked)
	}
}

// TestClockSetBack: what was spent and that somebody has looked do not hang on the clock.
func TestClockSetBack(t *testing.T) {
	b := openEngine(t)
	b.script(openAges+`await hush.setLimit({ epsilon: "1/4" }); await hush.run(recipe);`, nil)
	b.inWorker("engine.js", `void (Date.prototype.toISOString = () => "1970-01-01T00:00:00.000Z")`,
		nil)
	var got struct {
		Second, Third, Looked outcome[any]
		Ledger                engine.Account
		Import                engine.Imported
	}
	b.script(`
		const second = await outcome(hush.run(recipe)), third = await outcome(hush.run(recipe));
		const imported = await hush.importLedger(await hush.exportLedger());
		const ledger = await hush.ledger();
		await hush.setLimit(null); await hush.look();
		return { second, third, ledger, import: imported, looked: await outcome(hush.run(recipe)) };`, &got)
	got.Second.want(t, "")
	got.Third.want(t, "over-limit")
	got.Looked.want(t, "looked-at")
	if l := got.Ledger; l.Spent != "0.2" || l.Damaged || got.Import.Known != 2 {
		t.Errorf("%s spent, damaged: %t; %d known", l.Spent, l.Damaged, got.Import.Known)
	}
}

// TestFirefoxStorage: in a private window the ledger lasts as long as the window; where storage is
// forbidden a file opens, and nothing can be released.
func TestFirefoxStorage(t *testing.T) {
	files, page := engineFiles(t)
	address := serve(t, host.New(files), page).url
	for name, c := range map[string]struct {
		setting string
		refused bool
	}{
		"a usual window":   {"", false},
		"a private window": {`user_pref("browser.privatebrowsing.autostart", true);`, false},
		"no site data":     {`user_pref("network.cookie.cookieBehavior", 2);`, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := startFirefox(t, c.setting)
			f.call("browsingContext.navigate",
				map[string]any{"context": f.tab, "url": address, "wait": "complete"}, nil)
			var got struct {
				Opening    outcome[engine.Opening]
				Plan, Run  outcome[any]
				Spent      string
				OtherSpent string
			}
			f.eval(`(async () => {
				const late = (what, promise) => Promise.race([promise, new Promise((_, reject) => setTimeout(reject, 45000, new Error(what)))]);
				start();
				await late("the engine does not start", hush.ready);
				const opening = await late("the file is not opened", outcome(hush.open(ages(1000))));
				if (opening.error) return { opening, plan: opening, run: opening };
				const recipe = question(opening.value);
				const plan = await late("not priced", outcome(hush.plan(recipe))), run = await late("not run", outcome(hush.run(recipe)));
				const again = await late("not opened again", outcome(hush.open(ages(1000))));
				return { opening, plan, run, spent: again.value.account.spent };
			})()`, &got)
			got.Opening.want(t, "")
			got.Plan.want(t, "")
			if refused := got.Opening.Value.StorageRefused != ""; refused != c.refused {
				t.Errorf("storage is refused: %q", got.Opening.Value.StorageRefused)
			}
			if c.refused {
				got.Run.want(t, "no-storage")
				return
			}
			got.Run.want(t, "")
			if got.Spent != "0.1" {
				t.Errorf("opened again with %s spent, want 0.1", got.Spent)
			}
		})
	}
}

// fillStorage writes to another database of the site until not one byte more is taken, and
// makeRoom deletes that.
const fillStorage = `const settled = (request) => new Promise((resolve, reject) => {
		request.onsuccess = () => resolve(request.result);
		request.onerror = request.onblocked = () => reject(request.error);
	});
	const filler = indexedDB.open("filler", 1);
	filler.onupgradeneeded = () => filler.result.createObjectStore("rest", { autoIncrement: true });
	const rest = await settled(filler);
	const refused = new Set();
	for (let size = 1 << 16; size > 0; ) {
		const bytes = crypto.getRandomValues(new Uint8Array(size)); // which cannot be packed
		const tx = rest.transaction("rest", "readwrite", { durability: "strict" });
		const error = await new Promise((ended) => {
			tx.oncomplete = () => ended(null);
			tx.onabort = () => ended(tx.error);
			try {
				tx.objectStore("rest").put(bytes);
			} catch (forbidden) {
				ended(forbidden); // the first write after one for which there was no room
			}
		});
		if (error) refused.add(error.name);
		if (error?.name === "QuotaExceededError") size >>= 1;
	}
	rest.close();
	const makeRoom = () => settled(indexedDB.deleteDatabase("filler"));`

// TestFirefoxDiskFillsUp is TestDiskFillsUp with a quota that is really used up: each run whose
// debit finds no room is refused, with that reason, and no other debit is lost or made up.
func TestFirefoxDiskFillsUp(t *testing.T) {
	files, page := engineFiles(t)
	address := serve(t, host.New(files), page).url
	f := startFirefox(t,
		`user_pref("dom.quotaManager.temporaryStorage.fixedLimit", 8192);`) // KiB
	f.call("browsingContext.navigate",
		map[string]any{"context": f.tab, "url": address, "wait": "complete"}, nil)
	var got struct {
		Refused []string
		Before  int            // runs that went well
		Full    []outcome[any] // the others
		Now     outcome[any]
		Ledger  engine.Account
	}
	// The ledger's own pages have room for some debits yet, and a bit of it comes back with each
	// that is given up.
	f.eval(fmt.Sprintf(`(async () => {
		start();
		const opening = await hush.open(ages(1000)), recipe = question(opening);
		await hush.setLimit(null);
		await hush.run(recipe);
		%s
		let before = 1;
		const full = [];
		for (let i = 0; i < 400 && full.length < 3; i++) {
			const tried = await outcome(hush.run(recipe));
			if (tried.error) full.push(tried);
			else before++;
		}
		await makeRoom();
		const now = await outcome(hush.run(recipe));
		return { refused: [...refused], before, full, now, ledger: await hush.ledger() };
	})()`, fillStorage), &got)
	if !slices.Contains(got.Refused, "QuotaExceededError") || len(got.Full) != 3 {
		t.Fatalf("the storage is full with %q, and %d runs were refused", got.Refused,
			len(got.Full))
	}
	for _, o := range got.Full {
		o.want(t, "no-storage")
		if o.Error == nil || o.Value != nil ||
			!strings.Contains(o.Error.Message, "no room is left for it") {
			t.Errorf("after %d runs: %+v", got.Before, o)
		}
	}
	got.Now.want(t, "")
	if l := got.Ledger; l.Count != got.Before+1 || l.Damaged {
		t.Errorf("%d releases in the ledger (damaged: %t), want %d", l.Count, l.Damaged,
			got.Before+1)
	}
}
