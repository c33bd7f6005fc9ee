package engine

import (
	"encoding/json"
	"errors"
	"testing"

	"hush/core/param"
	"hush/core/privacy"
)

func loss(t *testing.T, epsilon string) privacy.Loss {
	t.Helper()
	e, err := privacy.ParseEpsilon(epsilon)
	if err != nil {
		t.Fatal(err)
	}
	return privacy.PureLoss(e)
}

func spending(t *testing.T, limit string, epsilons ...string) Spending {
	t.Helper()
	s := Spending{Fingerprint: "f"}
	if limit != "" {
		s.Limit = &Limit{Epsilon: limit}
	}
	for _, e := range epsilons {
		s.Entries = append(s.Entries, Entry{Debit: Debit{Task: "median", Loss: loss(t, e)}})
	}
	return s
}

// Ten times a tenth is one, which it is not in floating point.
func TestAccountAddsExactly(t *testing.T) {
	ten := spending(t, "1", "0.1", "0.1", "0.1", "0.1", "0.1", "0.1", "0.1", "0.1", "0.1", "0.1")
	account, err := ten.Account()
	if err != nil {
		t.Fatal(err)
	}
	if account.Spent != "1" || account.Delta != "0" || account.Count != 10 {
		t.Errorf("spent %s, δ %s in %d releases, want 1, 0 in 10", account.Spent, account.Delta,
			account.Count)
	}
	thirds, err := spending(t, "", "1/3", "1/3").Account()
	if err != nil || thirds.Spent != "2/3" {
		t.Errorf("two thirds are %q (%v), want 2/3", thirds.Spent, err)
	}
}

func TestLimit(t *testing.T) {
	nine := []string{"0.1", "0.1", "0.1", "0.1", "0.1", "0.1", "0.1", "0.1", "0.1"}
	if err := spending(t, "1", nine...).Admit(loss(t, "0.1")); err != nil {
		t.Errorf("the last tenth of a limit of 1: %v, want no error", err)
	}
	var over *OverLimitError
	if err := spending(t, "1", nine...).Admit(loss(t, "0.100000001")); !errors.As(err, &over) {
		t.Errorf("a little more than what is left: %v, want *OverLimitError", err)
	}
	if err := spending(t, "much").Admit(loss(t, "0.1")); err == nil || errors.As(err, &over) {
		t.Errorf("a limit that is no number: %v, want that it is none", err)
	}
	if err := spending(t, "", nine...).Admit(loss(t, "100")); err != nil {
		t.Errorf("without a limit: %v, want no error", err)
	}
	delta, _ := privacy.ParseDelta("1e-9")
	e, _ := privacy.ParseEpsilon("0.1")
	if err := spending(t, "1").Admit(privacy.ApproximateLoss(e, delta)); !errors.As(err, &over) {
		t.Errorf("a δ where the limit has none: %v, want *OverLimitError", err)
	}
	for _, wrong := range []string{"x", "-1", "0", "1e9"} {
		var refused *param.Error
		if _, err := spending(t, wrong).Account(); !errors.As(err, &refused) {
			t.Errorf("limit %q: %v, want *param.Error", wrong, err)
		}
	}
}

func TestOverLimitIsAFault(t *testing.T) {
	if f := fault(nil, spending(t, "1", "1").Admit(loss(t, "1"))); f.Code != OverLimit {
		t.Errorf("fault %+v, want %s", f, OverLimit)
	}
}

// An entry keeps its shape in the store, whatever becomes of the Go types.
func TestEntryJSON(t *testing.T) {
	const stored = `{"id":"i","fingerprint":"f","task":"median","loss":{"epsilon":"1/10","delta":"0"},"time":"2026-01-02T03:04:05.678Z","schema":1}`
	var entry Entry
	if err := json.Unmarshal([]byte(stored), &entry); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(entry)
	if err != nil || string(text) != stored {
		t.Errorf("read and written again: %s (%v), want %s", text, err, stored)
	}
}
