package engine

import (
	"encoding/json"
	"testing"

	"hush/core/privacy"
)

// TestJoinedLimit: what is set aside stays for releases of the same filter, all together within it,
// and ends for all others; no limit is above the one before.
func TestJoinedLimit(t *testing.T) {
	tenths := func(n int) []string { return repeated("0.1", n) }
	here := setAside(t, million, "0.1")
	plain := Limit{Epsilon: million.Epsilon, Delta: million.Delta}
	again := million // as another ledger may write it
	again.Epsilon, again.Delta, again.Slack = "1.0", "5e-7", "1/2000000"
	other := million
	other.Slack = "0.0000004"
	lower, higher := Limit{Epsilon: "0.5"}, Limit{Epsilon: "2.5", Delta: "0.000001"}
	two := Limit{Epsilon: "2", Delta: million.Delta, Slack: "0.0000006"}
	three := Limit{Epsilon: "3", Delta: million.Delta, Slack: "0.0000007"}
	file := func(l *Limit, epsilons ...string) Spending {
		return Spending{Limit: l, Entries: spending(t, "", epsilons...).Entries}
	}
	for _, c := range []struct {
		name       string
		here, file Spending
		want       *Limit
	}{
		{"nothing is new", here, file(&plain), here.Limit},
		{"of the same filter", here, setAside(t, again, tenths(2)...), here.Limit},
		{"of it, all within ρ", here, setAside(t, million, tenths(3)...), here.Limit},
		{"of it, all within ε", here, setAside(t, million, "0.9"), here.Limit},
		{"of it, each within and not both", setAside(t, million, "0.6"),
			setAside(t, million, "0.6"), &plain},
		{"of none", here, file(&plain, "0.1"), &plain},
		{"without a limit", here, file(nil, "0.1"), &plain},
		{"of another filter", here, setAside(t, other, "0.1"), &plain},
		{"before the first release here", setAside(t, million), file(&plain, "0.1"), &plain},
		{"of this filter before it", setAside(t, million), setAside(t, million, "0.1"), here.Limit},
		{"raised here", raised(t, here, two), setAside(t, million, "0.1"),
			&Limit{Epsilon: "2", Delta: million.Delta}},
		{"raised there", here, raised(t, setAside(t, million, "0.1"), two), &plain},
		{"raised in both, the same", raised(t, here, two), raised(t, here, two),
			&Limit{Epsilon: "2", Delta: million.Delta}},
		{"raised in both, there higher", raised(t, here, two), raised(t, here, three),
			&Limit{Epsilon: "2", Delta: million.Delta}},
		{"nothing set aside here", spending(t, "1", "0.1"), setAside(t, million, "0.1"),
			&Limit{Epsilon: "1"}},
		{"lower there", spending(t, "1", "0.1"), file(&lower, "0.1"), &Limit{Epsilon: "1"}},
		{"higher there", spending(t, "1", "0.1"), file(&higher, "0.1"), &Limit{Epsilon: "1"}},
	} {
		got, err := Joined{c.here, c.file}.Kept()
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		gotText, _ := json.Marshal(got)
		if text, _ := json.Marshal(c.want); string(gotText) != string(text) {
			t.Errorf("%s: %s, want %s", c.name, gotText, text)
		}
		if was, is := allOf(t, *c.here.Limit), allOf(t, *got); !is.AtMost(was) {
			t.Errorf("%s: the limit of %s is raised to %s", c.name, was, is)
		}
	}
}

// allOf is what all releases together may reach.
func allOf(t *testing.T, l Limit) privacy.Loss {
	t.Helper()
	b, err := l.bounds()
	if err != nil {
		t.Fatal(err)
	}
	return b.loss
}
