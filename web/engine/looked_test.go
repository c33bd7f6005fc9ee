package engine

import (
	"errors"
	"strings"
	"testing"

	"hush/core/ask"
)

func TestFreezeAndThaw(t *testing.T) {
	mean, sum := ask.Recipe{Task: "mean", Column: 1, Epsilon: "1"},
		ask.Recipe{Task: "sum", Column: 1, Epsilon: "1"}
	c := Charge{RunOf: RunOf{Recipe: mean}}
	frozen, err := c.Freeze()
	if err != nil || len(frozen) != 1 {
		t.Fatal(frozen, err)
	}
	c.Frozen = frozen
	if again, err := c.Freeze(); err != nil || len(again) != 1 {
		t.Errorf("frozen twice: %v, %v", again, err)
	}
	if left, err := c.Thaw(sum); err != nil || len(left) != 1 {
		t.Errorf("before the look: %v, %v", left, err)
	}
	c.Looked = "2026-01-31T12:00:00.000Z"
	if _, err := c.Freeze(); !errors.Is(err, ErrLookedAt) {
		t.Errorf("frozen after the look: %v", err)
	}
	changed, moved := mean, mean
	changed.Epsilon = "2"
	moved.Column = 2
	for _, r := range []ask.Recipe{sum, changed, moved} {
		if _, err := c.Thaw(r); !errors.Is(err, ErrLookedAt) || c.MayAsk(r) {
			t.Errorf("%+v is asked after the look: %v", r, err)
		}
	}
	named := mean // by a later version, which publishes the column's name
	named.Label, named.Unit, named.Noun.Many = "age", "years", "patients"
	if !c.MayAsk(named) || !c.IsFrozen(named) {
		t.Error("a name makes another question of the one that was frozen")
	}
	left, err := c.Thaw(named)
	if err != nil || len(left) != 0 || len(c.Frozen) != 1 {
		t.Errorf("the frozen question: %v, %v", left, err)
	}
	c.Frozen = left
	if _, err := c.Thaw(mean); !errors.Is(err, ErrLookedAt) {
		t.Errorf("the frozen question once more: %v", err)
	}
}

// The choice travels with the ledger's file.
func TestLookInLedgerFile(t *testing.T) {
	s := Spending{Fingerprint: strings.Repeat("0", 64), Browser: strings.Repeat("0", 16),
		Entries: []Entry{}, Looked: "2026-01-31T12:00:00.000Z",
		Frozen: []ask.Recipe{{Task: "mean", Column: 1, Epsilon: "1"}}}
	text, err := WriteLedger([]Spending{s})
	if err != nil {
		t.Fatal(err)
	}
	back, err := ReadLedger(text)
	if err != nil || len(back) != 1 || back[0].Looked != s.Looked || len(back[0].Frozen) != 1 ||
		!back[0].MayAsk(s.Frozen[0]) {
		t.Errorf("%+v, %v", back, err)
	}
	s.Looked = "yesterday"
	if text, err = WriteLedger([]Spending{s}); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadLedger(text); codeOf(err) != BadLedger {
		t.Errorf("a time that is none: %v", err)
	}
}
