//go:build browser

package browsertest

import (
	"fmt"
	"strings"
	"testing"

	"hush/web/engine"
)

// wrapped makes the same rows as text in several wrappings; other is a data set of half the rows.
const wrapped = `
	const rows = Array.from({ length: 1000 }, (_, i) => [i + 1, 18 + (i * 37) % 80, "town " + (i * i) % 97]);
	const text = (rows, { by = ",", end = "\n", quote = "", header = "id,age,town" } = {}) =>
		[header.replaceAll(",", by), ...rows.map((row) => row.map((cell) => quote + cell + quote).join(by))].join(end) + end;
	const gzip = (text) => new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))).blob();
	const wrappings = {
		gzip: await gzip(text(rows)), crlf: new Blob([text(rows, { end: "\r\n" })]), mark: new Blob(["\ufeff", text(rows)]),
		paste: new Blob([text(rows, { by: "\t" })]), semicolons: new Blob([text(rows, { by: ";" })]), quotes: new Blob([text(rows, { quote: '"' })]),
		end: new Blob([text(rows).trimEnd()]), order: new Blob([text([...rows].reverse())]), names: new Blob([text(rows, { header: "number,years,place" })]),
	};
	const csv = new Blob([text(rows)]), other = new Blob([text(rows.map(([id, age]) => [id, age, "elsewhere " + id]))]);
	const asks = (opening, epsilon = "1/10") => question(opening, { epsilon, column: 2 });
`

// TestSameRowsInAnotherWrapping: gzip, CRLF, a byte order mark, a paste, another order of rows and
// the like are the same data set: what was spent on it counts, and so does that it was looked at.
func TestSameRowsInAnotherWrapping(t *testing.T) {
	b := openEngine(t)
	var got struct {
		First                    outcome[any]
		Spent, Count             map[string]string
		Looked                   map[string]outcome[any]
		Other                    outcome[any]
		OtherSpent               string
		Near, Changed, Elsewhere []engine.Near
		Accounts                 int
	}
	b.script(`start(); `+wrapped+`
		const got = { spent: {}, count: {}, looked: {} };
		got.first = await outcome(hush.run(asks(await hush.open(csv))));
		for (const [name, file] of Object.entries(wrappings)) {
			const opening = await hush.open(file);
			got.spent[name] = opening.account.spent;
			await hush.run(asks(opening));
			got.count[name] = String((await hush.ledger()).count);
		}
		await hush.open(wrappings.gzip);
		await hush.look();
		for (const [name, file] of Object.entries({ csv, ...wrappings })) got.looked[name] = await outcome(hush.run(asks(await hush.open(file))));
		const apart = await hush.open(other);
		got.otherSpent = apart.account.spent;
		got.elsewhere = apart.near;
		got.other = await outcome(hush.run(asks(apart)));
		got.near = (await hush.open(new Blob([text(rows.slice(0, 950))]))).near;
		got.changed = (await hush.open(new Blob([text(rows.map((row, i) => (i === 500 ? [1, 2, "x"] : row)))]))).near;
		got.accounts = (await hush.ledger()).accounts.length;
		return got;`, &got)
	got.First.want(t, "")
	i := 1
	for _, name := range []string{"gzip", "crlf", "mark", "paste", "semicolons", "quotes", "end",
		"order", "names"} {
		want := fmt.Sprintf("0.%d", i)
		if got.Spent[name] != want {
			t.Errorf("%s: opened with %q spent, want %s", name, got.Spent[name], want)
		}
		if i++; got.Count[name] != fmt.Sprint(i) {
			t.Errorf("%s: %s releases, want %d", name, got.Count[name], i)
		}
	}
	if len(got.Looked) != 10 {
		t.Errorf("%d wrappings were tried after the look", len(got.Looked))
	}
	for _, o := range got.Looked {
		o.want(t, "looked-at")
	}
	got.Other.want(t, "")
	if got.OtherSpent != "0" || len(got.Elsewhere) != 0 {
		t.Errorf("other rows: %s spent, near %v", got.OtherSpent, got.Elsewhere)
	}
	if len(got.Near) != 1 || got.Near[0].Shared < 80 || len(got.Changed) != 1 ||
		got.Changed[0].Shared < 90 {
		t.Errorf("950 of 1000 rows: near %v; one row changed: near %v", got.Near, got.Changed)
	}
	if got.Accounts != 2 {
		t.Errorf("%d data sets in the ledger, want 2", got.Accounts)
	}
}

// oldLedger makes a ledger of version 1 as earlier versions left it: two accounts of the same rows,
// of releases of 1/10 each.
const oldLedger = `
	const limit = { epsilon: "3", delta: "0.000001" };
	const old = (prints, releases) => new Promise((done, failed) => {
		const request = indexedDB.open("hush", 1);
		request.onerror = () => failed(request.error);
		request.onupgradeneeded = () => {
			const db = request.result;
			db.createObjectStore("keys");
			db.createObjectStore("accounts", { keyPath: "fingerprint" });
			db.createObjectStore("entries", { keyPath: "id" }).createIndex("fingerprint", "fingerprint");
		};
		request.onsuccess = () => {
			const db = request.result, tx = db.transaction(["keys", "accounts", "entries"], "readwrite");
			tx.objectStore("keys").put(key, "fingerprint");
			for (const fingerprint of prints) {
				const ids = Array.from({ length: releases }, () => crypto.randomUUID());
				tx.objectStore("accounts").put({ fingerprint, browser, revision: releases, ids, limit, schema: 1 });
				for (const id of ids) tx.objectStore("entries").put({ id, fingerprint, task: "histogram", loss: { epsilon: "1/10", delta: "0" }, time: "2026-01-02T03:04:05.678Z", schema: 1 });
			}
			tx.oncomplete = () => { db.close(); done(); };
		};
	});
	const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
	const mac = async (bytes) => hex(await crypto.subtle.sign("HMAC", key, bytes));
	const key = await crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
	const browser = (await mac(new TextEncoder().encode("the browser of this ledger"))).slice(0, 16);
	const print = async (blob) => mac(await crypto.subtle.digest("SHA-256", await blob.arrayBuffer()));
`

// TestOldLedger: a ledger of the version before opens, shows what was spent, and two accounts of
// the same rows become one that shows what was spent on both.
func TestOldLedger(t *testing.T) {
	b := openEngine(t)
	var got struct {
		First, Both, Shown engine.Account
		Damaged            bool
		Run, Over          outcome[any]
		Export             string
		Import             engine.Imported
		Accounts           int
	}
	b.script(oldLedger+wrapped+`
		await old([await print(csv), await print(wrappings.crlf)], 10);
		start(); const got = {};
		const opening = await hush.open(csv);
		got.first = opening.account;
		const exported = await hush.exportLedger();
		got.both = (await hush.open(wrappings.crlf)).account;
		got.run = await outcome(hush.run(asks(opening)));
		got.over = await outcome(hush.run(asks(opening, "0.91")));
		got.import = await hush.importLedger(exported);
		got.shown = await hush.ledger();
		got.accounts = got.shown.accounts.length; got.export = await hush.exportLedger();
		return got;`, &got)
	got.Run.want(t, "")
	got.Over.want(t, "over-limit")
	if got.First.Spent != "1" || got.Both.Spent != "2" || got.Both.Count != 20 || got.Both.Damaged {
		t.Errorf("opened with %s spent, and in the other wrapping with %s in %d (damaged: %t)",
			got.First.Spent, got.Both.Spent, got.Both.Count, got.Both.Damaged)
	}
	if got.Import.Added != 0 || got.Import.Known != 20 {
		t.Errorf("imported %+v", got.Import)
	}
	if got.Shown.Spent != "2.1" || got.Shown.Damaged || got.Accounts != 1 {
		t.Errorf("%s spent in %d accounts (damaged: %t)", got.Shown.Spent, got.Accounts,
			got.Shown.Damaged)
	}
	for _, secret := range []string{"sketch", "rows", "also"} {
		if strings.Contains(got.Export, fmt.Sprintf("%q", secret)) {
			t.Errorf("the export holds %q", secret)
		}
	}
}

// TestSlackAgainstReleasesMadeBefore: a δ that was set aside counts no more once releases come to
// the data set that were made before, from another account of the same rows or from a ledger's
// file; and it cannot be set aside after a release. What is debited states its ρ.
func TestSlackAgainstReleasesMadeBefore(t *testing.T) {
	b := openEngine(t)
	var got struct {
		Set, Late      outcome[any]
		Aside          engine.Account
		Entry          engine.Entry
		United, Merged engine.Account
		Import         engine.Imported
	}
	b.script(oldLedger+wrapped+`
		await old([], 0);
		start(); const got = {}, aside = { epsilon: "1", delta: "0.000001", slack: "0.01" };
		got.set = await outcome(hush.setLimit(aside, await print(csv)));
		got.aside = (await hush.ledger()).accounts[0];
		const opening = await hush.open(wrappings.crlf);
		await hush.run(asks(opening));
		got.late = await outcome(hush.setLimit(aside));
		got.entry = (await hush.ledger()).entries[0];
		got.united = (await hush.open(csv)).account;

		const file = await hush.exportLedger();
		const db = await new Promise((done) => { const open = indexedDB.open("hush"); open.onsuccess = () => done(open.result); });
		await new Promise((done) => {
			const tx = db.transaction(["accounts", "entries", "receipts"], "readwrite");
			for (const store of ["accounts", "entries", "receipts"]) tx.objectStore(store).clear();
			tx.oncomplete = done;
		});
		db.close();
		await hush.setLimit(aside, await print(csv));
		got.import = await hush.importLedger(file);
		got.merged = (await hush.ledger()).accounts[0];
		return got;`, &got)
	got.Set.want(t, "")
	got.Late.want(t, "refused")
	if l := got.Aside.Limit; l == nil || l.Slack != "0.01" || !strings.HasPrefix(l.Rho, "0.1034") {
		t.Errorf("set aside: %+v", l)
	}
	if got.Entry.Schema != 3 || !strings.Contains(got.Entry.Loss.Exact(), "ρ = ") {
		t.Errorf("the entry is %+v, of %s", got.Entry, got.Entry.Loss.Exact())
	}
	for name, a := range map[string]engine.Account{"united": got.United, "merged": got.Merged} {
		if a.Count != 1 || a.Limit == nil || a.Damaged ||
			*a.Limit != (engine.Limit{Epsilon: "1", Delta: "0.000001"}) {
			t.Errorf("%s: %d releases, limit %+v", name, a.Count, a.Limit)
		}
	}
	if got.Import.Added != 1 {
		t.Errorf("imported %+v", got.Import)
	}
}

// TestLedgerRightAfterARestart: a fresh engine that has not read the file yet tells its account.
func TestLedgerRightAfterARestart(t *testing.T) {
	b := openEngine(t)
	var got engine.Account
	b.script(openAges+`
		await hush.run(recipe);
		const again = next("restarted"); hush.restart(); await again;
		return await hush.ledger();`, &got)
	if got.Spent != "0.1" || got.Count != 1 {
		t.Errorf("%q spent in %d releases, want 0.1 in one", got.Spent, got.Count)
	}
}

// TestLongLedger: a debit takes no longer with a thousand entries than with ten, and the totals are
// those of all entries.
func TestLongLedger(t *testing.T) {
	b := openEngine(t)
	var got struct {
		Short, Long, Open, Show float64
		Account                 engine.Account
		Damaged                 outcome[any]
	}
	b.script(oldLedger+`
		const file = ages(1000);
		await old([await print(file)], 1000);
		start(); const got = {};
		const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
		const debits = async (file) => {
			const opening = await hush.open(file), recipe = question(opening, { epsilon: "1/10" }), times = [];
			await hush.setLimit(null);
			for (let i = 0; i < 12; i++) { const began = performance.now(); await hush.run(recipe); times.push(performance.now() - began); }
			return median(times.slice(2));
		};
		got.short = await debits(ages(999));
		const began = performance.now(); await hush.open(file); got.open = performance.now() - began;
		got.long = await debits(file);
		const shown = performance.now(); const account = await hush.ledger(); got.show = performance.now() - shown;
		got.account = { ...account, entries: [], accounts: [] };
		return got;`, &got)
	t.Logf("a release: %.1f ms with ten entries, %.1f with a thousand; opened in %.0f ms, shown "+
		"in "+
		"%.0f ms", got.Short, got.Long, got.Open, got.Show)
	if got.Account.Spent != "101.2" || got.Account.Count != 1012 || got.Account.Damaged {
		t.Errorf("%s spent in %d releases, damaged %t", got.Account.Spent, got.Account.Count,
			got.Account.Damaged)
	}
	if got.Long > 2*got.Short+10 {
		t.Errorf("a release takes %.1f ms with a thousand entries, %.1f with ten", got.Long,
			got.Short)
	}
}
