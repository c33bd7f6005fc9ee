package engine

import (
	"math/big"
	"strings"
	"testing"

	"hush/core/privacy"
)

// rest is an entry of a top-up from one ε to another.
func rest(t *testing.T, id, replaces, from, to string) Entry {
	t.Helper()
	loss := func(text string) privacy.Loss {
		e, err := privacy.ParseEpsilon(text)
		if err != nil {
			t.Fatal(err)
		}
		return privacy.PureLoss(e)
	}
	if from == "" {
		return Entry{ID: id, Debit: Debit{Task: "count", Loss: loss(to)}}
	}
	more, err := privacy.Rest(loss(to), loss(from), big.NewRat(1, 100))
	if err != nil {
		t.Fatal(err)
	}
	return Entry{ID: id, Replaces: replaces, Debit: Debit{Task: "count", Loss: more}}
}

// TestTopUpsOfOneAnswer: a chain costs what its last answer promises; of two top-ups of one answer
// the second costs ε₁ + ε₂, in whatever place of the ledger, and the file keeps what says so.
func TestTopUpsOfOneAnswer(t *testing.T) {
	first := rest(t, "a", "", "", "1")
	for name, c := range map[string]struct {
		entries []Entry
		spent   string
	}{
		"a chain": {[]Entry{first, rest(t, "b", "a", "1", "1.2"), rest(t, "c", "b", "1.2", "1.5")},
			"1.5"},
		"two copies": {[]Entry{first, rest(t, "b", "a", "1", "1.2"), rest(t, "c", "a", "1", "1.2")},
			"3.4"},
		"three copies": {[]Entry{first, rest(t, "b", "a", "1", "1.2"),
			rest(t, "c", "a", "1", "1.2"), rest(t, "d", "a", "1", "2")}, "6.4"},
		"a chain on either side": {[]Entry{first, rest(t, "b", "a", "1", "1.2"),
			rest(t, "c", "a", "1", "2"), rest(t, "d", "b", "1.2", "1.5"),
			rest(t, "e", "c", "2", "3")}, "5.5"},
		"a later answer of the chain": {[]Entry{first, rest(t, "b", "a", "1", "2"),
			rest(t, "c", "b", "2", "3"), rest(t, "d", "b", "2", "3")}, "8"},
		"an older file does not say": {[]Entry{first, rest(t, "b", "a", "1", "1.2"),
			rest(t, "c", OtherCopy, "1", "1.2")}, "3.8"},
	} {
		s := Spending{Fingerprint: strings.Repeat("a", 64), Browser: strings.Repeat("b", 16),
			Entries: c.entries}
		want, _ := new(big.Rat).SetString(c.spent)
		got, _ := s.Spent().Epsilon()
		if got.Cmp(want) != 0 {
			t.Errorf("%s: spent %s, want %s", name, got.FloatString(4), c.spent)
		}
		if total, err := s.Compose(); err != nil || total.Loss.AtMost(privacy.Loss{}) {
			t.Errorf("%s: the rules give %v, %v", name, total.Loss, err)
		} else if e, _ := total.Loss.Epsilon(); e.Cmp(want) > 0 {
			t.Errorf("%s: the least of the rules is %s", name, e.FloatString(4))
		}
	}
}

// TestLedgerFileOfReplaced: a file keeps which answer a top-up was made of.
func TestLedgerFileOfReplaced(t *testing.T) {
	all, err := ReadLedger(ledgerText)
	if err != nil {
		t.Fatal(err)
	}
	first := all[0].Entries[0]
	top := rest(t, strings.Replace(first.ID, first.ID[:8], "00000000", 1), first.ID, "1", "1.2")
	top.Time, top.Schema, top.Fingerprint = first.Time, first.Schema, first.Fingerprint
	all[0].Entries = append(all[0].Entries, top)
	text, err := WriteLedger(all)
	if err != nil || !strings.Contains(text, `"version": 3`) {
		t.Fatalf("%v: %s", err, text)
	}
	again, err := ReadLedger(text)
	if err != nil || again[0].Entries[len(again[0].Entries)-1].Replaces != first.ID {
		t.Errorf("%v: %+v", err, again)
	}
	if _, err := ReadLedger(strings.Replace(text, `"replaces": "`+first.ID, `"replaces": "x`,
		1)); err == nil {
		t.Error("a top-up of no entry is read")
	}
}
