// Package kept holds the answers that this device keeps beside its ledger: which ones there are,
// which of them came back into the page, and how they are opened, marked and deleted.
package kept

import (
	"cmp"
	"slices"

	"hush/core/task"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/place"
	"hush/web/state/session"
)

// Shelf lists the answers that the device keeps, as far as the page knows them: the browser stores
// them.
type Shelf struct {
	place.Link
	Screen  Screen
	Figures Figures
	History *session.History // the page's list
	Report  Report
	// Draw draws a release, to check that this is possible: a text that anybody can write may break
	// it.
	Draw func(*task.Release)

	Read    bool   // it was read
	Off     bool   // its owner wants no further answers kept
	Refused string // why the browser keeps none; empty: it does
	Answers map[string]engine.Kept
	Failed  string // why the last request failed; empty: it did not

	brought map[*task.Release]origin // the origins of the page's answers
}

// origin is the debit that paid for an answer, and the reason why the answer is not kept, which is
// empty if it is kept.
type origin struct{ entry, notKept string }

// Answer is a kept answer that came back.
type Answer struct {
	engine.Kept
	Release *task.Release
}

// Day is the day of the answer: "2026-01-31".
func (a *Answer) Day() string { return a.Time[:min(len(a.Time), len("2026-01-31"))] }

// Ask reads the kept answers again, and then continues.
func (s *Shelf) Ask(then func()) {
	s.Call(engine.ListKept.With(nil), func(_ engine.Request, kind string, body []byte) {
		if kind == engine.ReplyDone {
			all := engine.ListKept.Read(body)
			s.Read, s.Off, s.Refused = true, all.Off, engine.Said(all.Refused)
			s.Answers = map[string]engine.Kept{}
			for _, a := range all.Answers {
				s.Answers[a.Entry] = a
			}
		}
		if then != nil {
			then()
		}
		s.Update()
	})
}

// most is the number of answers that come back into the list when the page is loaded: each of them
// is drawn.
const most = 20

// Restore brings back what was in the list and in the report when the page was last used: the list
// oldest first, the report in its order.
func (s *Shelf) Restore() {
	s.Ask(func() {
		var listed, report []engine.Kept
		for _, a := range s.Answers {
			if a.Listed {
				listed = append(listed, a)
			}
			if a.Report > 0 {
				report = append(report, a)
			}
		}
		slices.SortFunc(listed, func(a, b engine.Kept) int { return cmp.Compare(a.Time, b.Time) })
		slices.SortFunc(report, func(a, b engine.Kept) int { return a.Report - b.Report })
		listed = listed[max(0, len(listed)-most):]
		var entries []string
		for _, a := range slices.Concat(listed, report) {
			if !slices.Contains(entries, a.Entry) {
				entries = append(entries, a.Entry)
			}
		}
		s.Open(entries, func(all []Answer) {
			of := func(some []engine.Kept) (found []Answer) {
				for _, a := range some {
					i := slices.IndexFunc(all, func(b Answer) bool { return b.Entry == a.Entry })
					if i >= 0 {
						found = append(found, all[i])
					}
				}
				return found
			}
			s.back(of(listed), of(report))
			s.Report.Restore()
		})
	})
}

// Open reads kept answers, and passes on those that exist. One that cannot be read is named in
// Failed, and left where it is.
func (s *Shelf) Open(entries []string, take func([]Answer)) {
	if len(entries) == 0 {
		take(nil)
		return
	}
	s.call(engine.KeptAnswers.With(entries), func(body []byte) {
		var all []Answer
		if body == nil {
			take(nil)
			return
		}
		for _, text := range engine.KeptAnswers.Read(body) {
			if r := s.release(text.Entry); r != nil {
				all = append(all, Answer{s.Answers[text.Entry], r}) // the page has it
				continue
			}
			r, err := s.Release(text.Text)
			if err != nil {
				s.Failed = say.Format("A kept answer could not be read: %s.", say.Error(err))
				continue
			}
			s.bring(r, origin{entry: text.Entry})
			all = append(all, Answer{s.Answers[text.Entry], r})
		}
		take(all)
	})
}

// Text reads a kept answer as it was stored.
func (s *Shelf) Text(entry string, take func(text string)) {
	s.call(engine.KeptAnswers.With([]string{entry}), func(body []byte) {
		if body == nil {
			return
		}
		for _, a := range engine.KeptAnswers.Read(body) {
			take(a.Text)
		}
	})
}

// release returns the answer of a debit, if the page has it.
func (s *Shelf) release(entry string) *task.Release {
	for r, o := range s.brought {
		if o.entry == entry {
			return r
		}
	}
	return nil
}

func (s *Shelf) bring(r *task.Release, o origin) {
	if s.brought == nil {
		s.brought = map[*task.Release]origin{}
	}
	s.brought[r] = o
}

// Take records where a newly released answer comes from.
func (s *Shelf) Take(a engine.Released) {
	s.bring(a.Release, origin{a.Entry, engine.Said(a.NotKept)})
}

// Swap replaces an answer by its extended version.
func (s *Shelf) Swap(before *task.Release, after engine.Released) {
	if after.Entry == "" {
		after.Entry = s.brought[before].entry
	}
	delete(s.brought, before)
	s.Take(after)
}

// Entry is the debit under which an answer is kept, or empty if it is not kept.
func (s *Shelf) Entry(r *task.Release) string {
	if o := s.brought[r]; o.notKept == "" {
		return o.entry
	}
	return ""
}

// NotKept says why an answer of this page is not kept. It is empty if the answer is kept, or was
// never meant to be.
func (s *Shelf) NotKept(r *task.Release) string { return s.brought[r].notKept }

// Loses reports whether an answer in the list, or one in the report, exists only in the page.
func (s *Shelf) Loses() (answers, report bool) {
	only := func(r *task.Release) bool { return s.Entry(r) == "" }
	return slices.ContainsFunc(s.History.Releases(), only),
		slices.ContainsFunc(s.Report.Releases(), only)
}

// List records whether answers are in the list.
func (s *Shelf) List(all []*task.Release, on bool) {
	s.mark(engine.Mark{Entries: s.entries(all), Listed: &on})
}

// MarkReport records whether an answer is in the report.
func (s *Shelf) MarkReport(r *task.Release, on bool) {
	s.mark(engine.Mark{Entries: s.entries([]*task.Release{r}), Report: &on})
}

func (s *Shelf) entries(all []*task.Release) (list []string) {
	for _, r := range all {
		if entry := s.Entry(r); entry != "" {
			list = append(list, entry)
		}
	}
	return list
}

func (s *Shelf) mark(m engine.Mark) {
	if len(m.Entries) > 0 {
		s.call(engine.MarkKept.With(m), nil)
	}
}

// Delete deletes a kept answer. Its cost stays in the ledger; what the page shows stays there until
// it is closed.
func (s *Shelf) Delete(entry string) { s.drop([]string{entry}) }

// DeleteAll deletes every kept answer.
func (s *Shelf) DeleteAll() { s.drop(nil) }

func (s *Shelf) drop(entries []string) {
	s.call(engine.DropKept.With(entries), func(body []byte) {
		if body == nil {
			return
		}
		for r, o := range s.brought {
			if entries == nil || slices.Contains(entries, o.entry) {
				s.brought[r] = origin{o.entry, say.Text("it was deleted")}
			}
		}
		s.Ask(nil)
	})
}

// Keep sets whether answers are kept from now on.
func (s *Shelf) Keep(on bool) {
	s.call(engine.KeepAnswers.With(on), func([]byte) { s.Ask(nil) })
}

// call asks the engine, and records a refusal in Failed: done is then not called.
func (s *Shelf) call(c engine.Call, done func(body []byte)) {
	s.Failed = ""
	s.Call(c, func(_ engine.Request, kind string, body []byte) {
		switch kind {
		case engine.ReplyDone:
			if done != nil {
				done(body)
			}
		case engine.ReplyFailed:
			s.Failed = task.Capital(place.Failure(body).Message) + "."
			if done != nil {
				done(nil)
			}
		}
		s.Update()
	})
}
