package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hush/core/ask"
	"hush/core/privacy"
	"hush/web/engine"
)

func open(t *testing.T, dir string) *Ledger {
	t.Helper()
	l, err := Open(t.Context(), dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

// entry is a debit of ε for a question that its column tells from others.
func entry(t *testing.T, epsilon string, column int) *Entry {
	t.Helper()
	e, err := privacy.ParseEpsilon(epsilon)
	if err != nil {
		t.Fatal(err)
	}
	return &Entry{Entry: engine.Entry{Debit: engine.Debit{Task: "mean", Column: "age",
		Loss: privacy.PureLoss(e)}}, Asked: &ask.Recipe{Task: "mean", Column: column}}
}

func debit(t *testing.T, l *Ledger, n Names, epsilon string, column int) (*Account, *Entry) {
	t.Helper()
	a, e := l.Recognise(n), entry(t, epsilon, column)
	if err := l.Debit(a, e, n.Fingerprint, nil); err != nil {
		t.Fatal(err)
	}
	return a, e
}

func spent(l *Ledger, a *Account) string { return l.Spending(a).Spent().String() }

// TestLock: of two runs one writes. The other hears ErrBusy at once, or when its patience is over.
func TestLock(t *testing.T) {
	dir := t.TempDir()
	first := open(t, dir)
	if _, err := Open(t.Context(), dir, 60*time.Millisecond); !errors.Is(err, ErrBusy) {
		t.Fatalf("a second run may write: %v", err)
	}
	if l, err := Read(dir); err != nil || l.Browser() != first.Browser() {
		t.Errorf("it cannot be looked at: %v", err)
	}
	first.Close()
	open(t, dir)
}

// TestNames are known answers: openssl dgst -sha256 -mac HMAC of the texts that static/ledger.js
// names, with a key of zeros.
func TestNames(t *testing.T) {
	l := &Ledger{key: make([]byte, 32)}
	n := l.Names([]byte("digests"), Marks{Rows: "r", Sketch: []string{"s"}})
	for got, want := range map[string]string{
		n.Fingerprint: "0060ab787c0b7fea70901d0e16b67d0fa6c792af9ebea917d86ecd289bd2c4d2",
		n.Rows:        "036910c4fd0ed35afbb640879e8364a6ace73e4354e4e90e05b1c1eecae817a3",
		l.Browser():   "c2c5bdac0968aecd",
		l.RowsKey():   "d5742a40efa58c75e8d54e7bfb1dd2ba",
	} {
		if got != want {
			t.Errorf("a name is %s, want %s", got, want)
		}
	}
	if n.Alike != "" {
		t.Errorf("plain text has the name %s", n.Alike)
	}
}

// TestDebit: a debit is there when the ledger is opened next, under each name of its data set and
// under no other.
func TestDebit(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	n := Names{Fingerprint: "f", Rows: "r", Alike: "a"}
	debit(t, l, n, "1/2", 1)
	l.Close()
	l = open(t, dir)
	for _, other := range []Names{{Fingerprint: "f"}, {Fingerprint: "g", Rows: "r"},
		{Fingerprint: "h", Alike: "a"}} {
		if a := l.Recognise(other); spent(l, a) != "ε = 0.5" {
			t.Errorf("under %v was spent %s", other, spent(l, a))
		}
	}
	if a := l.Recognise(Names{Fingerprint: "x", Rows: "y"}); spent(l, a) != "ε = 0" {
		t.Errorf("of another data set was spent %s", spent(l, a))
	}
}

// TestUnited: two accounts of which it turns out that they are one data set cost what both did.
func TestUnited(t *testing.T) {
	l := open(t, t.TempDir())
	debit(t, l, Names{Fingerprint: "f", Rows: "r"}, "1", 1)
	debit(t, l, Names{Fingerprint: "g"}, "1/4", 1)
	a := l.Recognise(Names{Fingerprint: "g", Rows: "r"})
	if spent(l, a) != "ε = 1.25" || len(l.Accounts()) != 1 || a.Era != 1 {
		t.Errorf("spent is %s in %d accounts, era %d", spent(l, a), len(l.Accounts()), a.Era)
	}
}

// TestUnfinished: what was paid for and not seen is found, whatever ended the run, and once only.
func TestUnfinished(t *testing.T) {
	dir := t.TempDir()
	n := Names{Fingerprint: "f"}
	text := Text(&ask.Recipe{Task: "mean", Column: 1, Label: "its name does not matter"}, nil)
	found := func(l *Ledger) *Entry { return l.Recognise(n).Unfinished(text) }

	l := open(t, dir)
	if found(l) != nil {
		t.Fatal("something is unfinished before anything is")
	}
	_, e := debit(t, l, n, "1", 1)
	l.Close()

	l = open(t, dir) // killed before the draw
	if again := found(l); again == nil || again.ID != e.ID || again.Drawn[1] != nil {
		t.Fatal("an entry that was paid for is not found")
	}
	if l.Recognise(n).Unfinished(Text(&ask.Recipe{Task: "mean", Column: 2}, nil)) != nil {
		t.Error("another question is taken for it")
	}
	e = found(l)
	if err := l.replace(e.file(1), "the answer"); err != nil {
		t.Fatal(err)
	}
	l.Close()

	l = open(t, dir) // killed after the answer was written, and before that was noted
	e = found(l)
	if err := l.Adopt(e, 1); err != nil || e.Drawn[1] == nil {
		t.Fatalf("an answer that is there is not taken: %v", err)
	}
	if text, ok, err := l.Answer(e, 1); text != "the answer" || !ok || err != nil {
		t.Errorf("the answer is %q, %v", text, err)
	}
	if err := l.Told(e, 1); err != nil || found(l) != nil {
		t.Errorf("what was seen is still unfinished: %v", err)
	}
}

// TestDamaged: a book that is not as it was written is refused, and a run that was cut off while it
// wrote the next one leaves the last.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	a, _ := debit(t, l, Names{Fingerprint: "f"}, "1", 1)
	before := spent(l, a)
	l.Close()
	name := filepath.Join(dir, bookName)
	if err := os.WriteFile(name+".new", []byte(`{"format": "hush`), 0o600); err != nil {
		t.Fatal(err)
	}
	l = open(t, dir)
	if now := spent(l, l.Recognise(Names{Fingerprint: "f"})); now != before {
		t.Errorf("spent is %s, want %s", now, before)
	}
	l.Close()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, changed := range []string{strings.Replace(string(text), `"epsilon": "1"`,
		`"epsilon": "0"`, 1), string(text[:len(text)/2]), ""} {
		if err := os.WriteFile(name, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(dir); err == nil {
			t.Errorf("a book of %d bytes that was changed is read", len(changed))
		}
	}
}

// TestMerge: what one ledger exports another takes, once; a file that contradicts is refused whole.
func TestMerge(t *testing.T) {
	here, there := open(t, t.TempDir()), open(t, t.TempDir())
	name := strings.Repeat("ab", 32)
	debit(t, there, Names{Fingerprint: name}, "1/2", 1)
	debit(t, there, Names{Fingerprint: name}, "1/4", 2)
	text, err := there.Export()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []engine.Imported{{DataSets: 1, Added: 2, Elsewhere: 1},
		{DataSets: 1, Known: 2, Elsewhere: 1}} {
		if sum, err := here.Merge(text); err != nil || sum != want {
			t.Errorf("import %d: %+v, %v, want %+v", i+1, sum, err, want)
		}
	}
	a := here.Recognise(Names{Fingerprint: name})
	if got := spent(here, a); got != "ε = 0.75" {
		t.Errorf("spent is %s", got)
	}
	if a.Entries[0].Open() {
		t.Error("what was drawn elsewhere could be drawn here")
	}
	wrong := strings.Replace(text, `"1/4"`, `"1/8"`, 1)
	if _, err := here.Merge(wrong); err == nil || wrong == text {
		t.Error("a file that contradicts is taken")
	}
	if got := spent(here, here.Recognise(Names{Fingerprint: name})); got != "ε = 0.75" {
		t.Errorf("after a refusal spent is %s", got)
	}
	if _, err := here.Merge("{"); err == nil {
		t.Error("what is no ledger file is taken")
	}
}

// TestHead: an answer is topped up once, with the build and in the era in which it was drawn.
func TestHead(t *testing.T) {
	l := open(t, t.TempDir())
	a, e := debit(t, l, Names{Fingerprint: "f"}, "1", 1)
	if err := l.MarkHead(e, "digest", "b1"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := l.Head(a, "f", "digest", "b2"); err == nil {
		t.Error("another build may")
	}
	if _, _, err := l.Head(a, "f", "other", "b1"); err == nil {
		t.Error("another answer is found")
	}
	head, next, err := l.Head(a, "f", "digest", "b1")
	if err != nil || head != e || next != nil {
		t.Fatalf("the head is %v, %v, %v", head, next, err)
	}
	top := entry(t, "1/2", 1)
	top.Replaces = e.ID
	if err := l.Debit(a, top, "f", nil); err != nil {
		t.Fatal(err)
	}
	if _, next, err := l.Head(a, "f", "digest", "b1"); err != nil || next != top {
		t.Errorf("what was paid for is %v, %v", next, err)
	}
	top.Drawn[1] = &Drawn{}
	if err := l.Told(top, 1); err != nil {
		t.Fatal(err)
	}
	if _, _, err := l.Head(a, "f", "digest", "b1"); err == nil {
		t.Error("it may be topped up a second time")
	}
	a.Era++
	if _, _, err := l.Head(a, "f", "digest", "b1"); err == nil {
		t.Error("another era may")
	}
}

// TestPlanOfNothing: a plan is never debited for ε = 0, for less than one of its questions costs by
// itself, or for more than their sum, whatever its price was worked out to be, and nothing is
// written then.
func TestPlanOfNothing(t *testing.T) {
	dir := t.TempDir()
	l, err := Open(t.Context(), dir, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	parts := []engine.PlanPart{{Least: "999/10", Epsilon: "100", Delta: "0"},
		{Least: "999/1000", Epsilon: "1", Delta: "1/10000000"}}
	for _, c := range []struct {
		epsilon, delta string
		parts          []engine.PlanPart
		taken          bool
	}{
		{"0", "1/1000000", parts, false},
		{"998/10", "1/1000000", parts, false},
		{"1/2", "1/1000000", parts, false},
		{"999/10", "1/1000000", parts, true},
		{"101", "1/1000000", parts, true},
		{"1011/10", "1/1000000", parts, false},
		{"1011/10", "0", parts, true}, // with less δ than the questions have it may be
		{"100", "1/1000000", nil, false},
		{"100", "1/1000000", parts[:1], false},
	} {
		a := l.Recognise(Names{Fingerprint: "plan of " + c.epsilon + " " + c.delta})
		e := &Entry{Fixed: &ask.Fixed{Delta: "0.000001", Questions: make([]ask.Recipe, 2)},
			Parts: c.parts}
		text := `{"epsilon": "` + c.epsilon + `", "delta": "` + c.delta + `"}`
		if err := json.Unmarshal([]byte(text), &e.Loss); err != nil {
			t.Fatal(err)
		}
		before, err := os.ReadFile(filepath.Join(dir, bookName))
		if err != nil {
			t.Fatal(err)
		}
		err = l.Debit(a, e, "f", nil)
		after, _ := os.ReadFile(filepath.Join(dir, bookName))
		if (err == nil) != c.taken || (len(a.Entries) > 0) != c.taken ||
			bytes.Equal(before, after) == c.taken {
			t.Errorf("ε = %s, δ = %s, %d parts: %d debits, %v", c.epsilon, c.delta, len(c.parts),
				len(a.Entries), err)
		}
	}
}
