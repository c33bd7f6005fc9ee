package web

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/audit"
	"hush/core/prove"
)

func (f *fakeEngine) Evidence(reply Reply) Request {
	return f.answer(reply, func() (any, error) {
		return []audit.Record{
			{Package: "a", About: "is one.", Claims: []audit.Line{{Name: "x", DataSets: 2, Pairs: 3}, {Name: "y", DataSets: 5, Pairs: 7}}},
			{Package: "b", About: "is another.", Claims: []audit.Line{{Name: "x", DataSets: 11, Pairs: 13}}, Planted: []audit.Line{{Name: "z", DataSets: 17, Pairs: 19}}},
		}, nil
	})
}

// proving is a model that shows a proof at this address.
func proving(t *testing.T, address string) (*Model, *fakeEngine) {
	t.Helper()
	f := newFake(nil)
	m := NewModel()
	m.Start(f, f, func() {})
	m.Go(address)
	f.settle()
	if m.Proof.Phase != ProofDone || m.View != ViewProof {
		t.Fatalf("%s: phase %d, view %q, %+v", address, m.Proof.Phase, m.View, m.Proof.Failure)
	}
	return m, f
}

// TestProofInTheAddress: each request comes back from its address, and without a file nothing else happens.
func TestProofInTheAddress(t *testing.T) {
	for _, d := range prove.Catalogue() {
		r := d.Usual()
		r.Bug = d.Bugs[0].ID
		near := r.Space().DataSets()[0]
		for _, pair := range [][2][]int{{nil, nil}, {near, r.Space().Neighbours(near)[0]}} {
			r.From, r.To = pair[0], pair[1]
			m, f := proving(t, (&Proof{Request: r}).Address())
			if encode(m.Proof.Request) != encode(r) || m.Proof.Notice != "" || f.address != m.Proof.Address() {
				t.Errorf("%s: came back as %+v, %s", (&Proof{Request: r}).Address(), m.Proof.Request, m.Proof.Notice)
			}
			if f.spent != 0 || m.Release.Result != nil || m.Data.Phase != DataNone {
				t.Error("a demonstration is no release and opens no file")
			}
		}
	}
}

// TestProofOfABrokenAddress shows what is usual, and says so.
func TestProofOfABrokenAddress(t *testing.T) {
	for address, want := range map[string]string{
		"/prove/no-such":                "id is",
		"/prove/count?bug=no-such":      "bug is",
		"/prove/count?persons=many":     "many",
		"/prove/count?persons=1000":     "persons is 1000",
		"/prove/count?from=x.1&to=1":    "to is",
		"/prove/count?from=9.9.9.9":     "to is",
		"/prove/count?base=%zz":         "%zz",
		"/prove/histogram?epsilon=1":    "epsilon is",
		"/prove/binary-search?base=3/2": "base is",
	} {
		m, _ := proving(t, address)
		if !strings.Contains(m.Proof.Notice, want) || m.Proof.Request.Bug != "" || m.Proof.Request.From != nil {
			t.Errorf("%s: %q, want %q in it", address, m.Proof.Notice, want)
		}
		app.HTMLString(&ProofPage{Model: m})
	}
}

// TestEditProof computes anew after each change, keeps a pair where it can, and takes no late answer.
func TestEditProof(t *testing.T) {
	m, f := proving(t, "/prove")
	m.FromProof([]int{0, 0, 0, 0})
	if m.Proof.Phase != ProofRunning || !slices.Equal(m.Proof.Request.To, []int{audit.None, 0, 0, 0}) {
		t.Errorf("phase %d, request %+v", m.Proof.Phase, m.Proof.Request)
	}
	f.settle()
	m.EditProof(func(r *prove.Request) { r.Bug = "half" })
	f.settle()
	if !slices.Equal(m.Proof.Finding.From, []int{0, 0, 0, 0}) || m.Proof.Finding.Verdict != audit.Violated {
		t.Errorf("another bug: %+v", m.Proof.Finding.Request)
	}
	m.EditProof(func(r *prove.Request) { r.Persons = 2 })
	m.EditProof(func(r *prove.Request) { r.Persons = 3 })
	f.settle()
	if m.Proof.Request.From != nil || len(m.Proof.Finding.From) != 3 || m.Proof.Phase != ProofDone {
		t.Errorf("other persons: %+v", m.Proof.Finding.Request)
	}
	m.EditProof(func(r *prove.Request) { r.Bug = "" })
	m.Go("/ledger") // leaves it, and ends the computing
	f.settle()
	if m.Proof.Phase != ProofFailed {
		t.Errorf("phase %d after the page was left", m.Proof.Phase)
	}
	m.Go("/prove")
	f.settle()
	if m.Proof.Phase != ProofDone {
		t.Errorf("phase %d after it was come back to", m.Proof.Phase)
	}
}

// TestProofCharts compares the pictures of three findings: within the claim, beyond it, and without end.
func TestProofCharts(t *testing.T) {
	for _, c := range []struct{ id, bug string }{{"count", ""}, {"stable-choice", "always"}, {"exponential", "named"}} {
		m, _ := proving(t, "/prove/"+c.id+"?bug="+c.bug)
		for name, option := range map[string]json.RawMessage{
			"laws": lawsOption(m.Proof.Finding), "ratios": ratiosOption(m.Proof.Finding), "need": needOption(m.Proof.Finding),
		} {
			golden(t, "chart-proof-"+c.id+"-"+name+".json", indent(t, option))
		}
	}
}

func TestEvidence(t *testing.T) {
	f := newFake(nil)
	m := NewModel()
	m.Start(f, f, func() {})
	m.Go("/evidence")
	f.settle()
	if got := m.Evidence.Tally(); got != (Tally{Claims: 3, Planted: 1, DataSets: 35, Pairs: 42}) {
		t.Errorf("in all %+v", got)
	}
	before := len(f.later)
	m.Go("/")
	if m.Go("/evidence"); len(f.later) != before {
		t.Error("the figures are fetched twice")
	}
}

// TestAxesEndEvenly: the end is on a mark, not below what is drawn, and the marks are few.
func TestAxesEndEvenly(t *testing.T) {
	for _, most := range []float64{3, 6} {
		for x := 0.002; x < 300; x *= 1.013 {
			end, step := evenEnd(x, most)
			marks := end / step
			if end < x-1e-9 || math.Abs(marks-math.Round(marks)) > 1e-9 || math.Round(marks) > most || marks < 1.5 || end > 2.5*x {
				t.Errorf("%g with at most %g marks ends at %g in steps of %g", x, most, end, step)
			}
		}
	}
	if end, step := evenEnd(0.63, 6); end != 0.8 || step != 0.2 {
		t.Errorf("0.63 ends at %v in steps of %v, want 0.8 and 0.2", end, step)
	}
}
