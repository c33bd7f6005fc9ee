package engine

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hush/core/ask"
)

// script reads one of the scripts around the engine.
func script(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../static", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// found lists what the group of a pattern matches in a text, sorted, each once.
func found(pattern, text string) []string {
	all := map[string]bool{}
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		all[m[1]] = true
	}
	return slices.Sorted(maps.Keys(all))
}

// block is what stands between two texts of a script.
func block(t *testing.T, text, from, to string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, from)
	inside, _, closed := strings.Cut(rest, to)
	if !ok || !closed {
		t.Fatalf("nothing stands between %q and %q", from, to)
	}
	return inside
}

// names are those of the operations for which which holds, sorted.
func names(which func(Operation) bool) (list []string) {
	for name, o := range operations {
		if which(o) {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

func ofClients(o Operation) bool { return !o.inner }

// method finds the methods of hush.js that ask for an operation, and the operation.
var method = regexp.MustCompile(
	`(?m)^  (?:async )?(\w+)\(.*\) \{\n(?:    .*\n)*?    .*(?:this\.call\(|op: )"(\w+)"`)

// Each operation of a client is a method of the same name in hush.js, which asks for no other.
func TestClientHasTheTable(t *testing.T) {
	var methods []string
	for _, m := range method.FindAllStringSubmatch(script(t, "hush.js"), -1) {
		if methods = append(methods, m[1]); m[1] != m[2] {
			t.Errorf("the method %s of hush.js asks for %q", m[1], m[2])
		}
	}
	slices.Sort(methods)
	if want := names(ofClients); !slices.Equal(methods, want) {
		t.Errorf("the methods of hush.js are\n%q, want those of the table\n%q", methods, want)
	}
}

// What Go does not do, engine.js does; what engine.js asks Go for is in the table; all parts are
// used.
func TestWorkerHasTheTable(t *testing.T) {
	engine := script(t, "engine.js")
	own := found(`(?:^|[,\n])\s*(\w+)`, block(t, engine, "const own = {", "};"))
	for _, name := range names(func(o Operation) bool { return ofClients(o) && o.do == nil }) {
		if !slices.Contains(own, name) {
			t.Errorf("nobody carries out %q", name)
		}
	}
	for _, name := range own {
		if !slices.Contains(names(ofClients), name) {
			t.Errorf("engine.js has its own %q, which is no operation", name)
		}
	}
	asked := append(found(`\bcall\("(\w+)"`, engine), found(`\bcompute\("(\w+)"`, engine)...)
	for _, name := range asked {
		if operations[name].do == nil {
			t.Errorf("engine.js asks Go for %q", name)
		}
	}
	for _, name := range names(func(o Operation) bool { return o.inner }) {
		if !slices.Contains(asked, name) {
			t.Errorf("engine.js never asks for %q", name)
		}
	}
	long := names(func(o Operation) bool { return o.Long })
	for _, name := range found(`\bcompute\("(\w+)"`, engine) {
		if !slices.Contains(long, name) {
			t.Errorf("engine.js computes %q, which is not long", name)
		}
	}
	for _, name := range found(`\bcall\("(\w+)"`, engine) {
		if slices.Contains(long, name) {
			t.Errorf("engine.js calls %q, which is long", name)
		}
	}
	var levels []Need
	if err := json.Unmarshal([]byte(block(t, engine, "const levels = ", ";")),
		&levels); err != nil {
		t.Fatal(err)
	}
	if want := []Need{NeedsNothing, NeedsTurn, NeedsFile, NeedsPlan}; !slices.Equal(levels, want) {
		t.Errorf("the needs of engine.js are %q, want %q", levels, want)
	}
}

// The page has a part in operations of the table only, and hands on all others.
func TestPageHasTheTable(t *testing.T) {
	page := script(t, "page.js")
	own := found(`(?m)^  (?:async )?(\w+)[(:]`, block(t, page, "const own = {", "\n};"))
	if len(own) == 0 {
		t.Error("the page has no part in any operation")
	}
	for _, name := range append(own, found(`\bengine\.(\w+)\(`, page)...) {
		if name != "call" && name != "addEventListener" &&
			!slices.Contains(names(ofClients), name) {
			t.Errorf("the page knows an operation %q, which there is not", name)
		}
	}
}

// What spends or writes is not asked again by itself, and what is long is the only one at work.
func TestOperationsSay(t *testing.T) {
	for _, o := range []Operation{Open.Operation, Label.Operation, ImportLedger.Operation} {
		if !o.Once {
			t.Errorf("%q may be asked twice", o.Name)
		}
	}
	for name, o := range operations {
		if o.Name != name {
			t.Errorf("%q is in the table as %q", o.Name, name)
		}
		if o.Ledger && !o.Once {
			t.Errorf("%q relies on the ledger, and may be asked twice", name)
		}
		if o.Long && o.Needs == NeedsNothing {
			t.Errorf("%q is long and does not wait for its turn: a step has one request at work",
				name)
		}
	}
	if all := Operations(); len(all) != len(names(ofClients)) || all["charge"].Name != "" {
		t.Errorf("a client may ask for %d operations, a charge among them: %v", len(all),
			all["charge"])
	}
}

// A call holds what the dispatcher reads, and an answer what the client does.
func TestCallsAndAnswers(t *testing.T) {
	h := newHost(t, ages())
	r := question(h.open())
	c := EpsilonFor.With(ask.Wish{Recipe: r, Error: 50})
	var answer json.RawMessage
	h.must(c.Name, c.Request, &answer)
	if epsilon := EpsilonFor.Read(answer); epsilon == "" {
		t.Errorf("the answer is %s, want an ε", answer)
	}
	if c := ImportLedger.With("").Of(h); c.File != h || c.Name != "importLedger" {
		t.Errorf("the call is %+v", c)
	}
	defer func() {
		if recover() == nil {
			t.Error("an answer of another kind is taken")
		}
	}()
	EpsilonFor.Read([]byte("{}"))
}
