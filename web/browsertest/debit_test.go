//go:build browser

package browsertest

import (
	"bytes"
	"fmt"
	"path"
	"testing"
	"testing/fstest"

	"hush/web/engine"
	"hush/web/host"
)

// watchDebits has the engine's worker note when it debits, how durably, and when Go computes.
const watchDebits = `void (() => {
	const order = globalThis.order = [], { add } = IDBObjectStore.prototype, { step } = hushEngine;
	IDBObjectStore.prototype.add = function (...item) {
		if (this.name === "entries") order.push("debited " + this.transaction.durability);
		return add.apply(this, item);
	};
	hushEngine.step = (...how) => (order.push("computed"), step(...how));
})()`

// debits runs a question and reports a fault of its debit; empty: it has none.
func debits(b *webPage) string {
	b.t.Helper()
	b.script(openAges, nil)
	b.inWorker("engine.js", watchDebits, nil)
	var ledger engine.Account
	b.script(`await hush.run(recipe); return await hush.ledger();`, &ledger)
	var order []string
	b.inWorker("engine.js", `order`, &order)
	switch {
	case ledger.Count != 1:
		return fmt.Sprintf("%d debits of one run", ledger.Count)
	case len(order) < 2 || order[0] != "debited strict" || order[1] != "computed":
		return fmt.Sprintf("in this order: %q", order)
	}
	return ""
}

// TestDebitBeforeRun: what a run costs is on its way to the disk, and durably, before Go computes.
// Each of three mistakes that are planted in the scripts is seen.
func TestDebitBeforeRun(t *testing.T) {
	const ( // as the bundle has them
		debit = `held.revision=await ledger.debit(held.names,held.revision,` +
			`({spending})=>({...call("charge",{...spending,recipe,agreed}),id}))`
		run = `const release=await compute("run",{recipe})`
	)
	for _, c := range []struct{ name, file, old, now string }{
		{"as it is", "", "", ""},
		{"relaxed", "ledger.js", `durability:"strict"`, `durability:"relaxed"`},
		{"skipped", "engine.js", debit + ",", ""},
		{"after the run", "engine.js", debit + ",ledgerWritten();" + run,
			run + ",paid=(" + debit + ")"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files, page := engineFiles(t)
			for name, f := range files {
				if c.file == "" || path.Base(name) != c.file {
					continue
				}
				text := f.Data
				if bytes.Count(text, []byte(c.old)) != 1 {
					t.Fatalf("%s does not stand in %s once: move the change with the code", c.old,
						c.file)
				}
				files[name] = &fstest.MapFile{
					Data: bytes.Replace(text, []byte(c.old), []byte(c.now), 1)}
				delete(files, name+".br")
				delete(files, name+".gz")
			}
			wrong := debits(open(t, serve(t, host.New(files), page).url))
			if caught := wrong != ""; caught != (c.file != "") {
				t.Errorf("found: %q", wrong)
			}
		})
	}
}

// TestRunWithoutAgreement: the engine refuses a question with a claim about the file that the file
// does not make, from any script, and it costs nothing.
func TestRunWithoutAgreement(t *testing.T) {
	b := openEngine(t)
	var got struct {
		Refused, Other, Agreed outcome[any]
		Claims                 []engine.Asked
		Before                 engine.Account
	}
	b.script(openAges+`
		const named = { ...recipe, label: "income", noun: { one: "convict", many: "convicts" } };
		const refused = await outcome(hush.run(named)), claims = await hush.claims(named);
		const other = await outcome(hush.run(named, { agreed: claims.slice(1) }));
		const before = await hush.ledger();
		return { refused, claims, other, before, agreed: await outcome(hush.run(named, { agreed: claims })) };`,
		&got)
	got.Refused.want(t, "not-agreed")
	got.Other.want(t, "not-agreed")
	got.Agreed.want(t, "")
	if len(got.Claims) != 2 || got.Before.Count != 0 {
		t.Errorf("asked %+v, %d debits before it was agreed", got.Claims, got.Before.Count)
	}
}
