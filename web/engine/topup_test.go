package engine

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"hush/core/ask"
	"hush/core/privacy"
	"hush/core/table"
)

// TestTopUp: a rough answer is made good for the difference, which is held against the limit; the
// ledger's sum is then that of the second answer alone.
func TestTopUp(t *testing.T) {
	h := newHost(t, ages())
	r := question(h.open())
	var needed bool
	h.must("encode", r, &needed)
	h.stream(h.file)
	h.must("encoded", nil, nil)
	var first, next Released
	h.must("run", RunOf{Recipe: r}, &first)
	of := TopUpOf{Release: first}
	var offer TopUpOffer
	h.must("topUpPlan", of, &offer)
	rest, _ := offer.Debit.Epsilon()
	whole, _ := offer.Plan.Loss.Epsilon()
	head, _ := first.Plan.Loss.Epsilon()
	if rest.Add(rest, head).Cmp(whole) != 0 || privacy.Number(whole) != offer.Epsilon {
		t.Errorf("offered for %v beside %v: %s", offer.Debit, first.Plan.Loss, offer.Epsilon)
	}
	of.Epsilon = offer.Epsilon
	s := Spending{Entries: []Entry{{Debit: Debit{Loss: first.Plan.Loss}}},
		Limit: &Limit{Epsilon: offer.Epsilon}}
	var charged Thaw
	h.must("chargeTopUp", TopUpCharge{s, of}, &charged)
	spent := Spending{Entries: append(s.Entries, Entry{Debit: charged.Debit}), Limit: s.Limit}
	if b, err := spent.Budget(); err != nil || b.Over || b.Level != LevelFull ||
		charged.Total.IsRest() || !charged.Loss.IsRest() {
		t.Errorf("charged %v, in all %v, %v: over %t", charged.Loss, charged.Total, err, b.Over)
	}
	if a, err := spent.Account(); err != nil || a.Spent != offer.Epsilon {
		t.Errorf("spent %s, want %s", a.Spent, offer.Epsilon)
	}
	s.Limit = &Limit{Epsilon: privacy.Number(head)}
	if f := h.ask("chargeTopUp", TopUpCharge{s, of}, nil); f == nil || f.Code != OverLimit {
		t.Errorf("over the limit: %+v", f)
	}
	s.Limit, s.Looked = nil, "2026-01-31T12:00:00.000Z"
	if f := h.ask("chargeTopUp", TopUpCharge{s, of}, nil); f == nil || f.Code != LookedAt {
		t.Errorf("after the look: %+v", f)
	}
	h.must("topUp", of, &next)
	var names [2]string
	for i, r := range []Released{first, next} {
		h.must("digest", r, &names[i])
	}
	if names[0] == names[1] || len(names[1]) != 64 || next.Verdict.Grade != "good" {
		t.Errorf("the answers are %q; the second is %s", names, next.Verdict.Grade)
	}
	of.Release.Recipe.Label = "wages"
	if f := h.ask("chargeTopUp", TopUpCharge{TopUpOf: of}, nil); f == nil || f.Code != NotAgreed {
		t.Errorf("a name that the file does not have: %+v", f)
	}
}

// TestTopUpInRho: a top-up of Laplace noise takes no more of a limit than the same question asked
// again, but for a hundredth, whatever was spent before: where it would, as a limit that counts in
// ρ makes it, it is refused, and neither offered nor charged.
func TestTopUpInRho(t *testing.T) {
	sums := &Limit{Epsilon: "9", Delta: "0.000001"}
	counted := &Limit{Epsilon: "9", Delta: "0.000002", Slack: "0.000001"}
	for _, c := range []struct {
		epsilon, then string
		limit         *Limit
		refused       bool
	}{{"0.1", "0.15", sums, false}, {"0.1", "0.15", counted, false}, {"0.5", "1", sums, false},
		{"0.5", "1", counted, true}} {
		h := newHost(t, ages())
		r := question(h.open())
		r.Epsilon = c.epsilon
		var needed bool
		h.must("encode", r, &needed)
		h.stream(h.file)
		h.must("encoded", nil, nil)
		var first Released
		h.must("run", RunOf{Recipe: r}, &first)
		of := TopUpOf{Release: first, Epsilon: c.then}
		var offer TopUpOffer
		h.must("topUpPlan", of, &offer) // no limit
		again := offer.Plan.Loss
		if offer.Debit.Rho().Cmp(again.Rho()) <= 0 {
			t.Fatal("the top-up costs less ρ than the question: the test shows nothing")
		}
		s, refusals := Spending{Limit: c.limit}, 0
		small, err := privacy.ParseEpsilon("0.1")
		if err != nil {
			t.Fatal(err)
		}
		s.Entries = []Entry{{Debit: Debit{Loss: first.Plan.Loss}}}
		for range 4 {
			for range 17 {
				s.Entries = append(s.Entries, Entry{Debit: Debit{Loss: privacy.PureLoss(small)}})
			}
			b, err := s.Budget()
			if err != nil {
				t.Fatal(err)
			}
			offered := h.ask("topUpPlan", TopUpCharge{s, of}, nil)
			var charged Thaw
			fault := h.ask("chargeTopUp", TopUpCharge{s, of}, &charged)
			if (offered == nil) != (fault == nil) {
				t.Fatalf("%s to %s: %+v offered, %+v charged", c.epsilon, c.then, offered, fault)
			}
			if fault != nil {
				if refusals++; !strings.Contains(fault.Message, "asked again") {
					t.Errorf("%s to %s: %+v", c.epsilon, c.then, fault)
				}
				continue
			}
			takes := func(loss privacy.Loss) float64 {
				used := b.After(loss).Used
				share, _ := used.Sub(used, b.Used).Float64()
				return share
			}
			if takes(charged.Loss) > 1.01*takes(again) {
				t.Errorf("%s to %s: a top-up takes %v of the limit, asking again %v", c.epsilon,
					c.then, takes(charged.Loss), takes(again))
			}
		}
		if (refusals > 0) != c.refused {
			t.Errorf("%s to %s: %d of 4 refused by %+v", c.epsilon, c.then, refusals, c.limit)
		}
	}
}

// TestTopUpAverages: an answer with Gaussian noise is made good for the difference in ρ. An account
// kept in ρ then holds as much as one answer of the larger ε would have cost.
func TestTopUpAverages(t *testing.T) {
	var file strings.Builder
	file.WriteString("person,shop,price\n")
	for i := range 900 {
		fmt.Fprintf(&file, "p%d,%s,%d\n", i%300, []string{"north", "south"}[i%2], i%10)
	}
	h := newHost(t, []byte(file.String()))
	r := question(h.open())
	r.Task, r.Column, r.Domain.Hi, r.Person, r.Epsilon = "sum", 3, "10", 1, "1"
	r.Group = &ask.Group{Column: 2, Names: []string{"north", "south"}}
	r.Use, r.Params = &table.Use{Rows: 3, Groups: 30, Column: 2}, ask.Params{"delta": "0.00001"}
	var needed bool
	h.must("encode", r, &needed)
	h.stream(h.file)
	h.must("encoded", nil, nil)
	var first, next Released
	h.must("run", RunOf{Recipe: r}, &first)
	limit := &Limit{Epsilon: "8", Delta: "0.0001", Slack: "0.00001"}
	var paid Thaw
	var asked []Asked
	h.must("claims", r, &asked)
	of := TopUpOf{Release: first, Epsilon: "4"}
	for _, a := range asked {
		of.Agreed = append(of.Agreed, a.Claim)
	}
	h.must("charge", Charge{Spending{Limit: limit}, RunOf{r, of.Agreed}}, &paid)
	var offer TopUpOffer
	h.must("topUpPlan", of, &offer)
	s := Spending{Entries: []Entry{{Debit: paid.Debit}}, Limit: limit}
	var charged Thaw
	h.must("chargeTopUp", TopUpCharge{s, of}, &charged)
	s.Entries = append(s.Entries, Entry{Debit: charged.Debit})
	whole := offer.Plan.Loss.Rho()
	spent := s.Spent().Rho()
	if off := spent.Quo(spent, whole).Sub(spent, big.NewRat(1, 1)); off.Abs(off).Cmp(
		big.NewRat(1, 10_000)) > 0 || charged.Loss.IsRest() {
		t.Errorf("spent ρ is off by %v of %v; %v", off, whole, charged.Loss)
	}
	if b, err := s.Budget(); err != nil || b.Over {
		t.Errorf("over the limit: %v, %v", b, err)
	}
	h.must("topUp", of, &next)
	if len(next.Head.Draws) != 2 || !strings.Contains(next.Statement, "average of 2 releases") {
		t.Errorf("it says %q, of %d draws", next.Statement, len(next.Head.Draws))
	}
	of.Epsilon = "5"
	if f := h.ask("topUp", of, nil); f == nil || f.Code != Refused {
		t.Errorf("a second successor: %+v", f)
	}
}

// TestLedgerFileOfTopUp: the loss of a top-up comes back as one that counts in sums only.
func TestLedgerFileOfTopUp(t *testing.T) {
	all, err := ReadLedger(ledgerText)
	if err != nil {
		t.Fatal(err)
	}
	loss := func(text string) (l privacy.Loss) {
		e, err := privacy.ParseEpsilon(text)
		if err != nil {
			t.Fatal(err)
		}
		return privacy.PureLoss(e)
	}
	first, whole := loss("0.1"), loss("0.3")
	rest, err := privacy.Rest(whole, first, first.Rho())
	if err != nil {
		t.Fatal(err)
	}
	all[0].Entries[0].Loss, all[0].Entries[1].Loss = first, rest
	text, err := WriteLedger(all)
	if err != nil || !strings.Contains(text, `"version": 2`) {
		t.Fatalf("written (%v):\n%s", err, text)
	}
	again, err := ReadLedger(text)
	if err != nil || !again[0].Entries[1].Loss.IsRest() || again[0].Spent().IsRest() {
		t.Errorf("read again: %+v, %v", again, err)
	}
	if _, err := again[0].Compose(); err != nil {
		t.Errorf("composed: %v", err)
	}
}
