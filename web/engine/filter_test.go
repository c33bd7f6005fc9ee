package engine

import (
	"encoding/json"
	"errors"
	"math/big"
	"testing"

	"hush/core/param"
	"hush/core/privacy"
)

// setAside is a data set with a limit that sets a δ aside.
func setAside(t *testing.T, to Limit, epsilons ...string) Spending {
	t.Helper()
	s := spending(t, "3")
	limit, err := LimitChange{Spending: s, To: &to}.Set()
	if err != nil {
		t.Fatal(err)
	}
	s.Limit = limit
	s.Entries = spending(t, "", epsilons...).Entries
	return s
}

var million = Limit{Epsilon: "1", Delta: "0.0000005", Slack: "0.0000005"}

// TestSetLimit: a δ is set aside before the first release, with the ρ that it allows; after it the
// limit is that one, or one without for good.
func TestSetLimit(t *testing.T) {
	fresh := setAside(t, million)
	if l := fresh.Limit; l.Rho != "0.0229374466798" || l.Slack != million.Slack ||
		l.Epsilon != "1" || l.Delta != million.Delta {
		t.Fatalf("set aside: %+v", l)
	}
	used, total := setAside(t, million, "0.1"), loss(t, "0.1")
	counted := fresh
	counted.Total = &total // in place of entries
	plain := Limit{Epsilon: "5", Delta: "1e-6"}
	again := Limit{Epsilon: "1.0", Delta: "5e-7", Slack: "5e-7", Rho: "0.02"} // ρ is not asked for
	smaller := million
	smaller.Epsilon = "0.5"
	more := million
	more.Slack = "0.000001"
	for _, c := range []struct {
		name    string
		of      Spending
		to, set *Limit // nil: refused
	}{
		{"the same once more", used, &again, used.Limit},
		{"a smaller ε", used, &smaller, nil},
		{"a larger ε with less δ", used, &Limit{Epsilon: "2", Slack: "5e-7"}, nil},
		{"more set aside", used, &more, nil},
		{"more set aside, where the total stands for entries", counted, &more, nil},
		{"another before the first release", fresh, &Limit{Epsilon: "1", Slack: "1e-6"},
			&Limit{Epsilon: "1", Slack: "1e-6", Rho: "0.0243559703427"}},
		{"the plain sum", used, &plain, &plain},
		{"nothing set aside", used, &Limit{Epsilon: "5", Slack: "0"}, &Limit{Epsilon: "5"}},
		{"after a release by the plain sum", spending(t, "3", "0.1"), &million, nil},
		{"after a release without a limit", spending(t, "", "0.1"), &million, nil},
		{"all of δ", fresh, &Limit{Epsilon: "1", Delta: "1/2", Slack: "1/2"}, nil},
	} {
		set, err := LimitChange{Spending: c.of, To: c.to}.Set()
		var refused *param.Error
		switch {
		case c.set == nil && (!errors.As(err, &refused) || refused.Field != "slack"):
			t.Errorf("%s: %+v, %v, want a fault of slack", c.name, set, err)
		case c.set != nil && (err != nil || *set != *c.set):
			t.Errorf("%s: %+v, %v, want %+v", c.name, set, err, c.set)
		}
	}
	if none, err := (LimitChange{Spending: used}).Set(); none != nil || err != nil {
		t.Errorf("no limit: %+v, %v", none, err)
	}
	var refused *param.Error
	if _, err := (LimitChange{To: &Limit{Epsilon: "1", Slack: "x"}}).Set(); !errors.As(
		err, &refused) || refused.Field != "slack" {
		t.Errorf("a slack that is no number: %v", err)
	}
}

// TestFilterDecides: small releases are admitted beyond the plain sum, up to ρ; large ones within
// the sum; and the limit that is shown is the one that was fixed.
func TestFilterDecides(t *testing.T) {
	small := make([]string, 114)
	for i := range small {
		small[i] = "0.02"
	}
	s := setAside(t, million, small...)
	b, err := s.Budget()
	if err != nil {
		t.Fatal(err)
	}
	if b.Over || b.Limit.Exact() != "ε = 1, δ = 1/1000000" || b.Level != LevelMost ||
		privacy.Number(b.Delta) != "0.0000005" {
		t.Errorf("114 of ε = .02: %+v", b)
	}
	if used, _ := b.Used.Float64(); used < .993 || used > .995 { // .0228 of .02294
		t.Errorf("used is %v", used)
	}
	var over *OverLimitError
	if err := s.Admit(loss(t, "0.02")); !errors.As(err, &over) {
		t.Errorf("one more: %v, want *OverLimitError", err)
	}
	if err := s.Admit(loss(t, "0.01")); err != nil {
		t.Errorf("a smaller one: %v", err)
	}
	if b.Room(loss(t, "0.02")) != 0 || b.Room(loss(t, "0.001")) != 276 {
		t.Errorf("room for %d and %d", b.Room(loss(t, "0.02")), b.Room(loss(t, "0.001")))
	}
	left, err := privacy.NewLoss(b.Epsilon, nil)
	if err != nil || s.Admit(left) != nil || b.Epsilon.Sign() == 0 {
		t.Errorf("ε = %v is left: %v", b.Epsilon, s.Admit(left))
	}
	one := setAside(t, million, "0.9")
	if b, err := one.Budget(); err != nil || b.Over || privacy.Number(b.Used) != "0.9" ||
		privacy.Number(b.Epsilon) != "0.1" || b.Room(loss(t, "0.04")) != 2 {
		t.Errorf(".9 of 1: %+v, %v", b, err)
	}
	slack, err := privacy.NewLoss(big.NewRat(1, 10), big.NewRat(6, 10_000_000))
	if err != nil || setAside(t, million).Admit(slack) == nil {
		t.Error("a release was given the δ that is set aside")
	}
}

// raised is a data set whose limit is raised.
func raised(t *testing.T, s Spending, to Limit) Spending {
	t.Helper()
	limit, err := LimitChange{Spending: s, To: &to}.Set()
	if err != nil {
		t.Fatal(err)
	}
	s.Limit = limit
	return reloaded(t, s)
}

// reloaded is what was kept of a data set and read again.
func reloaded(t *testing.T, s Spending) (again Spending) {
	t.Helper()
	text, err := json.Marshal(s)
	if err == nil {
		err = json.Unmarshal(text, &again)
	}
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// TestRaisedLimit: a limit that is spent is raised by a second one on top of it, that counts what
// is spent since, over a reload, and again; all of the first counts. With nothing more set aside
// the second is a plain sum.
func TestRaisedLimit(t *testing.T) {
	small := make([]string, 114)
	for i := range small {
		small[i] = "0.02"
	}
	s := setAside(t, million, small...) // spent: ρ of .0228 of .0229
	if s.Admit(loss(t, "0.02")) == nil {
		t.Fatal("there is room before it is raised")
	}
	check := func(s Spending, name, limit, left string, room int64) {
		t.Helper()
		b, err := s.Budget()
		if err != nil {
			t.Fatal(err)
		}
		if b.Over || b.Limit.Exact() != limit || privacy.NumberDown(b.Epsilon) != left ||
			b.Room(loss(t, "0.02")) != room {
			t.Errorf("%s: limit %s, left %s, room for %d: want %s, %s, %d", name, b.Limit.Exact(),
				privacy.NumberDown(b.Epsilon), b.Room(loss(t, "0.02")), limit, left, room)
		}
		for i, want := range []bool{true, false} { // as often as there is room
			n := room + int64(i)
			full := s
			full.Entries = append(append([]Entry{}, s.Entries...), spending(t, "",
				repeated("0.02", int(n)-1)...).Entries...)
			if err := full.Admit(loss(t, "0.02")); (err == nil) != want {
				t.Errorf("%s: release %d of ε = .02: %v", name, n, err)
			}
		}
	}
	// ε = 1 and δ = 10^-6 more, half of that set aside: as much again
	twice := raised(t, s, Limit{Epsilon: "2", Delta: "0.000001", Slack: "0.000001"})
	check(twice, "a second filter", "ε = 2, δ = 1/500000", "1", 114)
	if twice.Limit.Rho != "0.0229374466798" || twice.Limit.Raised.Rho == "" {
		t.Errorf("raised: %+v", twice.Limit)
	}
	plain := raised(t, s, Limit{Epsilon: "1.5", Delta: "0.0000005", Slack: "0.0000005"})
	check(plain, "a plain sum on top", "ε = 3/2, δ = 1/1000000", "0.5", 25)

	used := twice
	used.Entries = append(append([]Entry{}, s.Entries...), spending(t, "",
		repeated("0.02", 114)...).Entries...)
	third := raised(t, used, Limit{Epsilon: "3", Delta: "0.000001", Slack: "0.000002"})
	check(third, "a third", "ε = 3, δ = 3/1000000", "1", 121)
	b, err := third.Budget()
	if err != nil || b.Before.Raised != 2 || b.Before.Loss.Exact() != "ε = 2, δ = 1/500000" ||
		b.Before.First.Exact() != "ε = 1, δ = 1/1000000" {
		t.Errorf("before the third: %+v, %v", b.Before, err)
	}
	same := raised(t, third, Limit{Epsilon: "3.0", Delta: "1e-6", Slack: "2e-6"})
	check(same, "the same again", "ε = 3, δ = 3/1000000", "1", 121)

	total := third.Spent()
	counted := third
	counted.Entries, counted.Total = nil, &total
	if b, err := counted.Budget(); err != nil || privacy.NumberDown(b.Epsilon) != "1" {
		t.Errorf("the total in place of entries: %+v, %v", b, err)
	}
	back := raised(t, third, Limit{Epsilon: "9", Delta: "1e-6"})
	if back.Limit.Raised != nil || back.Limit.Slack != "" {
		t.Errorf("the plain sum for good: %+v", back.Limit)
	}
}

// TestDeltaSinceARaise: δ that is spent since a limit was raised counts against what it opened, for
// one release and for the next.
func TestDeltaSinceARaise(t *testing.T) {
	s := raised(t, setAside(t, million, "0.02"),
		Limit{Epsilon: "2", Delta: "0.0000015", Slack: "0.0000005"}) // opens 10^-6 of δ
	spend := func(delta string) privacy.Loss {
		d, err := privacy.ParseDelta(delta)
		if err != nil {
			t.Fatal(err)
		}
		e, err := privacy.ParseEpsilon("0.01")
		if err != nil {
			t.Fatal(err)
		}
		return privacy.ApproximateLoss(e, d)
	}
	if err := s.Admit(spend("0.000001")); err != nil {
		t.Errorf("all of the δ that was opened: %v", err)
	}
	s.Entries = append(append([]Entry{}, s.Entries...),
		Entry{Debit: Debit{Task: "count", Loss: spend("0.0000008")}})
	if err := s.Admit(spend("0.0000002")); err != nil {
		t.Errorf("the rest of it: %v", err)
	}
	var over *OverLimitError
	if err := s.Admit(spend("0.0000003")); !errors.As(err, &over) {
		t.Errorf("more than the rest of it: %v, want *OverLimitError", err)
	}
}

// TestRaisedLimitRefuses: what is over a limit does not raise it, and what was written otherwise
// than by raising is refused.
func TestRaisedLimitRefuses(t *testing.T) {
	to := Limit{Epsilon: "2", Delta: "0.000001", Slack: "0.000001"}
	var refused *param.Error
	over := setAside(t, million, repeated("0.5", 3)...)
	if _, err := (LimitChange{Spending: over, To: &to}).Set(); !errors.As(err, &refused) {
		t.Errorf("over the limit: %v", err)
	}
	good := raised(t, setAside(t, million, "0.1"), to)
	for name, change := range map[string]func(l *Limit){
		"below the one before": func(l *Limit) { l.Epsilon = "1" },
		"less δ":               func(l *Limit) { l.Delta = "1e-7" },
		"less set aside":       func(l *Limit) { l.Slack = "1e-7" },
		"no number":            func(l *Limit) { l.Raised.Rho = "x" },
		"a ρ too large":        func(l *Limit) { l.Rho = "0.03" },
		"one before that is none": func(l *Limit) {
			l.Raised.From.Epsilon = "-1"
		},
	} {
		bad := reloaded(t, good)
		change(bad.Limit)
		if b, err := bad.Budget(); !errors.As(err, &refused) {
			t.Errorf("%s: %+v, %v", name, b, err)
		}
	}
	deep := reloaded(t, good)
	for range mostRaised + 1 {
		l := *deep.Limit
		deep.Limit = &Limit{Epsilon: "2", Delta: "0.000001", Slack: "0.000001",
			Raised: &Raised{From: l, Epsilon: "0", Delta: "0", Rho: "0"}}
	}
	if _, err := deep.Budget(); err == nil {
		t.Error("raised any number of times")
	}
}

func repeated(text string, times int) (list []string) {
	for range times {
		list = append(list, text)
	}
	return list
}

// TestOldEntriesAreCharged: entries that state no ρ are charged what their ε implies, and the sum
// of ε stays what it was.
func TestOldEntriesAreCharged(t *testing.T) {
	var old, now Spending
	read := func(into *Spending, lossText string) {
		text := `{"fingerprint":"f","limit":{"epsilon":"1","delta":"0.0000005",` +
			`"slack":"0.0000005","rho":"0.0229374466798"},"entries":[{"task":"count","loss":` +
			lossText + `}]}`
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	read(&old, `{"epsilon":"1/10","delta":"1/10000000"}`)
	read(&now, `{"epsilon":"1/10","delta":"1/10000000","rho":"1/1000"}`)
	for _, c := range []struct {
		s    Spending
		want float64
	}{{old, .00499583749}, {now, .001}} {
		spent := c.s.Spent()
		epsilon, _ := spent.Epsilon()
		rho, _ := spent.Rho().Float64()
		if rho < c.want || rho > c.want+1e-11 || epsilon.Cmp(big.NewRat(1, 10)) != 0 ||
			spent.Delta().Cmp(big.NewRat(1, 10_000_000)) != 0 {
			t.Errorf("charged ρ = %v, want %v, of %v", rho, c.want, spent)
		}
	}
}

// TestLedgerFileWithAFilter: what is set aside is written and read, and a ρ that it does not allow
// is refused.
func TestLedgerFileWithAFilter(t *testing.T) {
	s := setAside(t, Limit{Epsilon: "1", Delta: "0.0000005", Slack: "0.0000001"}, "0.1")
	s.Fingerprint, s.Browser = fingerprintOf('a'), "00112233445566aa"
	s.Entries[0].ID, s.Entries[0].Time = "0a1b2c3d-0a1b-4c2d-8e3f-0a1b2c3d4e5f",
		"2026-01-31T12:00:00.000Z"
	s.Entries[0].Loss = s.Entries[0].Loss.Stated()
	text, err := WriteLedger([]Spending{s})
	if err != nil {
		t.Fatal(err)
	}
	all, err := ReadLedger(text)
	if err != nil || *all[0].Limit != *s.Limit ||
		all[0].Entries[0].Loss.Exact() != s.Entries[0].Loss.Exact() {
		t.Fatalf("read %+v, %v, of %s", all, err, text)
	}
	s.Limit.Rho = "0.03"
	if text, err = WriteLedger([]Spending{s}); err != nil {
		t.Fatal(err)
	}
	var wrong *LedgerFileError
	if _, err := ReadLedger(text); !errors.As(err, &wrong) {
		t.Errorf("ρ of .03: %v", err)
	}
}

func fingerprintOf(digit byte) string {
	text := make([]byte, 64)
	for i := range text {
		text[i] = digit
	}
	return string(text)
}
