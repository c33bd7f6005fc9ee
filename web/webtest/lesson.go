package webtest

import (
	"testing"

	"hush/web/state"
	"hush/web/state/claim"
	"hush/web/state/place"
)

// LessonOn opens the lesson of a task on a fake engine.
func LessonOn(t *testing.T, id string) (*state.Model, *Fake) {
	t.Helper()
	f := NewFake(nil)
	m := state.NewModel()
	m.Start(f, f, func() {})
	f.Settle()
	m.Go("/learn/" + id)
	return m, f
}

// Proving returns a model that shows a proof at this address.
func Proving(t *testing.T, address string) (*state.Model, *Fake) {
	t.Helper()
	f := NewFake(nil)
	m := state.NewModel()
	m.Start(f, f, func() {})
	m.Go(address)
	f.Settle()
	if m.Proof.Phase != claim.ProofDone || m.View != place.ViewProof {
		t.Fatalf("%s: phase %d, view %q, %+v", address, m.Proof.Phase, m.View, m.Proof.Failure)
	}
	return m, f
}
