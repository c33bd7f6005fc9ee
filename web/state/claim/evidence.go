package claim

import (
	"hush/core/audit"
	"hush/web/engine"
	"hush/web/state/place"
)

// Evidence holds the findings of the tests about every claim, as the bundle carries them. The page
// adds them up and shows them; it computes no figure itself.
type Evidence struct {
	place.Link
	Phase   EvidencePhase
	Records []audit.Record
	Failure *engine.Fault

	Figures Figures
}

// Figures returns the tests' figures, which the bundle carries.
type Figures interface {
	Evidence(engine.Reply) engine.Request
}

// EvidencePhase is the state of the evidence.
type EvidencePhase int

const (
	EvidenceUnread EvidencePhase = iota
	EvidenceReading
	EvidenceRead
	EvidenceFailed
)

// Tally adds up lines.
type Tally struct{ Claims, Planted, DataSets, Pairs int }

// Tally adds up the lines of all records.
func (e *Evidence) Tally() (t Tally) {
	for _, r := range e.Records {
		one := TallyOf(r)
		t.Claims, t.Planted, t.DataSets, t.Pairs = t.Claims+one.Claims, t.Planted+one.Planted,
			t.DataSets+one.DataSets, t.Pairs+one.Pairs
	}
	return t
}

// TallyOf adds up the lines of a record.
func TallyOf(r audit.Record) Tally {
	t := Tally{Claims: len(r.Claims), Planted: len(r.Planted)}
	for _, lines := range [][]audit.Line{r.Claims, r.Planted} {
		for _, l := range lines {
			t.DataSets, t.Pairs = t.DataSets+l.DataSets, t.Pairs+l.Pairs
		}
	}
	return t
}

// Ask reads the file once; after a failure, again.
func (e *Evidence) Ask() {
	if e.Phase == EvidenceReading || e.Phase == EvidenceRead || e.Figures == nil {
		return
	}
	e.Phase = EvidenceReading
	e.Figures.Evidence(func(_ engine.Request, kind string, body []byte) {
		switch kind {
		case engine.ReplyDone:
			e.Phase = EvidenceRead
			engine.Decode(body, &e.Records)
		case engine.ReplyFailed:
			e.Phase, e.Failure = EvidenceFailed, place.Failure(body)
		}
		e.Update()
	})
}

// Read reads the file unless it is there, and shows that it is being read.
func (e *Evidence) Read() {
	e.Ask()
	e.Update()
}
