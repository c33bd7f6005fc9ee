package kept

import (
	"hush/core/task"
	"hush/web/say"
	"hush/web/state/session"
)

// Screen shows kept answers.
type Screen interface {
	LookAgain(number int) // shows one from the list
}

// Figures collects kept answers.
type Figures interface {
	Collect(answer *task.Release) // adds one to the report, unless it is noise
}

// Report is the page of figures, to which kept answers return.
type Report interface {
	Releases() []*task.Release
	Has(*task.Release) bool
	Take(*task.Release) // puts it at the end
	Restore()           // brings back what else was on the page
}

// Show shows a kept answer, and then calls then, whether or not there was one. It does not disturb
// a running release.
func (s *Shelf) Show(entry string, then func()) {
	s.Ask(func() {
		s.Open([]string{entry}, func(all []Answer) {
			then()
			for _, a := range all {
				s.Screen.LookAgain(s.list(a).Number)
			}
		})
	})
}

// Collect adds a kept answer to the report. An answer that is noise is shown instead: its owner has
// to confirm knowing that.
func (s *Shelf) Collect(entry string) {
	s.Open([]string{entry}, func(all []Answer) {
		for _, a := range all {
			listed := s.list(a)
			if s.Figures.Collect(a.Release); !s.Report.Has(a.Release) {
				s.Screen.LookAgain(listed.Number)
			}
		}
	})
}

// list adds a kept answer to the list, unless it is there.
func (s *Shelf) list(a Answer) *session.Past {
	if s.History.Of(a.Release) == nil {
		s.History.Add(a.Release, a.Day())
		s.List([]*task.Release{a.Release}, true)
	}
	return s.History.Of(a.Release)
}

// back brings back the list and the report.
func (s *Shelf) back(listed, report []Answer) {
	for _, a := range listed {
		if s.History.Of(a.Release) == nil {
			s.History.Add(a.Release, a.Day())
		}
	}
	for _, a := range report {
		s.Report.Take(a.Release)
	}
}

// Lost names what a reload would lose, a file that is open with it; it is empty if nothing would be
// lost.
func (s *Shelf) Lost(file bool) string {
	switch answers, report := s.Loses(); {
	case report && file:
		return say.Text("the file, answers that are not kept and the report")
	case report:
		return say.Text("answers that are not kept and the report")
	case answers && file:
		return say.Text("the file and answers that are not kept")
	case answers:
		return say.Text("answers that are not kept")
	case file:
		return say.Text("the file")
	}
	return ""
}
