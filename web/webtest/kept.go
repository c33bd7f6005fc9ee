package webtest

import (
	"encoding/json"
	"fmt"
	"slices"

	"hush/web/engine"
)

// keep does what keep of static/engine.js does, with answers in memory.
func (f *Fake) keep(release json.RawMessage, entry, time string) (a engine.Released) {
	engine.Decode(release, &a)
	a.Entry = entry
	switch {
	case f.Shelf.Refused != "":
		a.NotKept = f.Shelf.Refused
	case f.Shelf.Off:
		a.NotKept = engine.KeepsNone
	default:
		f.Shelf.Answers = append(f.Shelf.Answers,
			engine.Kept{Entry: a.Entry, Time: time, Listed: true})
		if f.Texts == nil {
			f.Texts = map[string]string{}
		}
		f.Texts[a.Entry] = string(release)
	}
	return a
}

func (f *Fake) mark(m engine.Mark) {
	last := 0
	for _, a := range f.Shelf.Answers {
		last = max(last, a.Report)
	}
	for i := range f.Shelf.Answers {
		a := &f.Shelf.Answers[i]
		if !slices.Contains(m.Entries, a.Entry) {
			continue
		}
		if m.Listed != nil {
			a.Listed = *m.Listed
		}
		switch {
		case m.Report == nil:
		case !*m.Report:
			a.Report = 0
		case a.Report == 0:
			last++
			a.Report = last
		}
	}
}

func (f *Fake) drop(entries []string) {
	f.Shelf.Answers = slices.DeleteFunc(f.Shelf.Answers, func(a engine.Kept) bool {
		if entries != nil && !slices.Contains(entries, a.Entry) {
			return false
		}
		delete(f.Texts, a.Entry)
		return true
	})
}

// EntryID returns the id of the fake ledger's nth debit.
func EntryID(n int) string { return fmt.Sprintf("0a1b2c3d-0a1b-4c2d-8e3f-%012d", n) }

// Reloaded returns the same browser after the page is loaded again: a fresh engine, and what was
// stored.
func (f *Fake) Reloaded() *Fake {
	fresh := NewFake(f.File)
	fresh.Spendings, fresh.Shelf, fresh.Texts = f.Spendings, f.Shelf, f.Texts
	return fresh
}
