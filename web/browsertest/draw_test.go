//go:build browser

package browsertest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// batches notes how many elements each task puts on the page; charts are the library's.
const batches = `(() => {
globalThis.batches = [];
new MutationObserver((records) => {
	const added = new Set();
	for (const { addedNodes, target } of records) {
		for (const e of addedNodes) if (e.nodeType === 1 && !target.closest(".chart")) for (const each of [e, ...e.querySelectorAll("*")]) added.add(each);
	}
	batches.push(added.size);
}).observe(document.body, { childList: true, subtree: true });
})()`

// TestDrawnInParts: what is new is drawn in many small tasks, however much it is. Times depend on
// the machine; how much is drawn at once does not.
func TestDrawnInParts(t *testing.T) {
	const columns, most = 60, 250
	var text strings.Builder
	for row := range 5_000 {
		for column := range columns {
			if column > 0 {
				text.WriteByte(',')
			}
			if row == 0 {
				fmt.Fprintf(&text, "c%d", column+1)
			} else {
				fmt.Fprint(&text, (row*column)%100)
			}
		}
		text.WriteByte('\n')
	}
	path := filepath.Join(t.TempDir(), "wide.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	p := open(t, serveBundle(t).url)
	p.eval(batches, nil)
	phase := func(name string, atLeast int, act func()) {
		t.Helper()
		p.eval(`batches.length = 0`, nil)
		act()
		var got struct{ Largest, All int }
		p.eval(`new Promise((done) => {
			let seen = -1;
			const rest = () => {
				if (seen === batches.length) return done({ largest: Math.max(...batches), all: batches.reduce((a, b) => a + b, 0) });
				seen = batches.length;
				setTimeout(rest, 1000);
			};
			rest();
		})`, &got)
		t.Logf("%s: %d elements, at most %d at once", name, got.All, got.Largest)
		if got.All < atLeast || got.Largest > most {
			t.Errorf("%s: %d elements were drawn, want at least %d; %d at once, want at most %d",
				name, got.All, atLeast, got.Largest, most)
		}
	}
	phase("opening", 8*columns, func() {
		p.upload("#file", path)
		p.waitText("Is this your table?")
	})
	phase("confirming", 150, func() {
		p.confirm()
		p.waitText("columns described")
	})
	phase("asking", 50, func() {
		p.describe("c2", "0", "99")
		p.question()
		p.options()
		p.fill("textbox", "Bin width", "1")
		p.waitPrice()
	})
	phase("releasing", 400, func() {
		p.click("button", "Release")
		p.waitText("People by c2, in bins of 1")
	})
	phase("the ledger", 50, func() {
		goTo(p, "Ledger")
		p.waitText("The ledger as a file")
	})
	phase("the workbench again", 600, func() {
		goTo(p, "Publish")
		p.waitText("Put it on the page")
	})
	phase("the columns again", 600, func() {
		p.columns()
		p.waitText("columns described")
	})
}
