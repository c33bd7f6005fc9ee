package claim_test

import (
	"slices"
	"testing"

	"hush/core/audit"
	"hush/core/prove"
	"hush/web/engine"
	"hush/web/state"
	"hush/web/state/claim"
	"hush/web/state/dataset"
	"hush/web/webtest"
)

// TestProofInTheAddress: each request comes back from its address, and without a file nothing else
// happens.
func TestProofInTheAddress(t *testing.T) {
	for _, d := range prove.Catalogue() {
		r := d.Usual()
		r.Bug = d.Bugs[0].ID
		near := r.Space().DataSets()[0]
		for _, pair := range [][2][]int{{nil, nil}, {near, r.Space().Neighbours(near)[0]}} {
			r.From, r.To = pair[0], pair[1]
			m, f := webtest.Proving(t, (&claim.Proof{Request: r}).Address())
			if engine.Encode(m.Proof.Request) != engine.Encode(r) || m.Proof.Notice != "" ||
				f.Addressed != m.Proof.Address() {
				t.Errorf("%s: came back as %+v, %s", (&claim.Proof{Request: r}).Address(),
					m.Proof.Request, m.Proof.Notice)
			}
			if f.Spent != 0 || m.Answer.Result != nil || m.Data.Phase != dataset.None {
				t.Error("a demonstration is no release and opens no file")
			}
		}
	}
}

// TestEditProof computes anew after each change, keeps a pair where it can, and takes no late
// answer.
func TestEditProof(t *testing.T) {
	m, f := webtest.Proving(t, "/prove")
	m.Proof.From([]int{0, 0, 0, 0})
	if m.Proof.Phase != claim.ProofRunning ||
		!slices.Equal(m.Proof.Request.To, []int{audit.None, 0, 0, 0}) {
		t.Errorf("phase %d, request %+v", m.Proof.Phase, m.Proof.Request)
	}
	f.Settle()
	m.Proof.Edit(func(r *prove.Request) { r.Bug = "half" })
	f.Settle()
	if !slices.Equal(m.Proof.Finding.From, []int{0, 0, 0, 0}) ||
		m.Proof.Finding.Verdict != audit.Violated {
		t.Errorf("another bug: %+v", m.Proof.Finding.Request)
	}
	m.Proof.Edit(func(r *prove.Request) { r.Persons = 2 })
	m.Proof.Edit(func(r *prove.Request) { r.Persons = 3 })
	f.Settle()
	if m.Proof.Request.From != nil || len(m.Proof.Finding.From) != 3 ||
		m.Proof.Phase != claim.ProofDone {
		t.Errorf("other persons: %+v", m.Proof.Finding.Request)
	}
	m.Proof.Edit(func(r *prove.Request) { r.Bug = "" })
	m.Go("/ledger") // leaves it, and ends the computing
	f.Settle()
	if m.Proof.Phase != claim.ProofFailed {
		t.Errorf("phase %d after the page was left", m.Proof.Phase)
	}
	m.Go("/prove")
	f.Settle()
	if m.Proof.Phase != claim.ProofDone {
		t.Errorf("phase %d after it was come back to", m.Proof.Phase)
	}
}

func TestEvidence(t *testing.T) {
	f := webtest.NewFake(nil)
	m := state.NewModel()
	m.Start(f, f, func() {})
	m.Go("/evidence")
	f.Settle()
	want := claim.Tally{Claims: 3, Planted: 1, DataSets: 35, Pairs: 42}
	if got := m.Evidence.Tally(); got != want {
		t.Errorf("in all %+v", got)
	}
	before := len(f.Later)
	m.Go("/")
	if m.Go("/evidence"); len(f.Later) != before {
		t.Error("the figures are fetched twice")
	}
}
