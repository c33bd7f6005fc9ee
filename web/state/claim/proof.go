// Package claim holds what the page shows about claims: their proof on made-up tiny data, and the
// tests' findings about each of them.
package claim

import (
	"net/url"
	"strconv"
	"strings"

	"hush/core/prove"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/place"
)

// Proof is the page that proves claims on made-up tiny data. The engine computes; it uses nothing
// from an opened file.
type Proof struct {
	place.Link
	Request  prove.Request
	Phase    ProofPhase
	Progress engine.Progress
	Finding  *prove.Finding // the last one; it belongs to Request only in ProofDone
	Failure  *engine.Fault
	Notice   string // what was wrong with an address

	WriteAddress func(path string) // writes the address behind the #
	running      engine.Request
}

// ProofPhase is the state of the proof.
type ProofPhase int

const (
	ProofUnasked ProofPhase = iota
	ProofRunning
	ProofDone
	ProofFailed // or cancelled
)

// Demonstration returns the one that was chosen, or the first.
func (p *Proof) Demonstration() prove.Demonstration {
	if d, ok := prove.Find(p.Request.ID); ok {
		return d
	}
	return prove.Catalogue()[0]
}

// Choose starts another demonstration with its usual settings.
func (p *Proof) Choose(id string) {
	if d, ok := prove.Find(id); ok {
		p.prove(d.Usual())
	}
}

// Edit changes the request and computes it again. A pair is kept only if the change leaves its data
// sets as they are.
func (p *Proof) Edit(change func(*prove.Request)) {
	r := p.Request
	change(&r)
	if _, err := r.Check(); err != nil {
		r.From, r.To = nil, nil
	}
	if _, err := r.Check(); err != nil { // by a field of another demonstration, on the screen yet
		return
	}
	p.prove(r)
}

// From chooses the first data set of the pair, and among its neighbours the one at hand or the
// first; nil is the worst pair.
func (p *Proof) From(rows []int) {
	p.Edit(func(r *prove.Request) {
		r.From = rows
		if rows == nil {
			r.To = nil
			return
		}
		near := r.Space().Neighbours(rows) // none, if it is no data set of this space
		if _, err := r.Check(); err != nil && len(near) > 0 {
			r.To = near[0]
		}
	})
}

// Again computes what was cancelled or failed.
func (p *Proof) Again() { p.prove(p.Request) }

func (p *Proof) prove(r prove.Request) {
	p.Stop()
	p.Request, p.Phase, p.Failure, p.Notice, p.Progress = r, ProofRunning, nil, "",
		engine.Progress{}
	p.running = p.Call(engine.Prove.With(r), p.reply)
	p.WriteAddress(p.Address())
	p.Update()
}

// Stop ends the computation, if there is one.
func (p *Proof) Stop() {
	if p.Phase == ProofRunning {
		p.Cancel(p.running)
	}
}

func (p *Proof) reply(r engine.Request, kind string, body []byte) {
	if r != p.running || p.Phase != ProofRunning {
		return
	}
	switch kind {
	case engine.ReplyProgress:
		engine.Decode(body, &p.Progress)
	case engine.ReplyFailed:
		p.Phase, p.Failure = ProofFailed, place.Failure(body)
	case engine.ReplyDone:
		p.Phase, p.Finding = ProofDone, engine.Prove.Read(body)
	}
	p.Update()
}

// Show shows what the address asks for: what is there already, or a demonstration that is computed
// now.
func (p *Proof) Show(address string) {
	if (p.Phase == ProofDone || p.Phase == ProofRunning) &&
		(address == place.ViewProof.Path() || address == p.Address()) {
		p.WriteAddress(p.Address())
		return
	}
	r, err := proofInAddress(address)
	p.prove(r)
	if err != nil {
		p.Notice = say.Format("The address names something that does not exist, so this is the "+
			"usual start of a demonstration. %s", err)
	}
}

// Address contains the whole request behind the #.
func (p *Proof) Address() string {
	r, q := p.Request, url.Values{}
	set := func(key, value string) {
		if value != "" {
			q.Set(key, value)
		}
	}
	set("bug", r.Bug)
	set("persons", strconv.Itoa(r.Persons))
	set("values", strconv.Itoa(r.Values))
	set("base", r.Base)
	set("epsilon", r.Epsilon)
	set("delta", r.Delta)
	set("from", RowsText(r.From))
	set("to", RowsText(r.To))
	return place.ViewProof.Path() + "/" + r.ID + "?" + q.Encode()
}

// proofInAddress reads what Address writes. Missing parts have their usual values; the error names
// what does not exist, and everything then has its usual value.
func proofInAddress(address string) (prove.Request, error) {
	path, query, _ := strings.Cut(address, "?")
	id := strings.TrimPrefix(strings.TrimPrefix(path, place.ViewProof.Path()), "/")
	d, ok := prove.Find(id)
	if !ok {
		d = prove.Catalogue()[0]
	}
	usual := d.Usual()
	r := usual
	q, err := url.ParseQuery(query)
	if err != nil {
		return usual, err
	}
	if id != "" {
		r.ID = id
	}
	text := func(key string, field *string) {
		if q.Has(key) {
			*field = q.Get(key)
		}
	}
	number := func(key string, field *int) {
		if q.Has(key) {
			if n, broken := strconv.Atoi(q.Get(key)); broken == nil {
				*field = n
			} else {
				*field, err = -1, broken
			}
		}
	}
	text("bug", &r.Bug)
	text("base", &r.Base)
	text("epsilon", &r.Epsilon)
	text("delta", &r.Delta)
	number("persons", &r.Persons)
	number("values", &r.Values)
	r.From, r.To = RowsOf(q.Get("from")), RowsOf(q.Get("to"))
	if err == nil {
		_, err = r.Check()
	}
	if err != nil {
		return usual, err
	}
	return r, nil
}

// RowsText writes a data set in an address: "-1.0.2".
func RowsText(rows []int) string {
	words := make([]string, len(rows))
	for i, v := range rows {
		words[i] = strconv.Itoa(v)
	}
	return strings.Join(words, ".")
}

// RowsOf reads what RowsText writes; text that is no number becomes a number that no value has.
func RowsOf(text string) (rows []int) {
	if text == "" {
		return nil
	}
	for word := range strings.SplitSeq(text, ".") {
		v, err := strconv.Atoi(word)
		if err != nil {
			v = -2
		}
		rows = append(rows, v)
	}
	return rows
}
