package verify

import (
	"hush/core/message"
	"hush/core/phrase"
)

// Status is the outcome of a check.
type Status string

// The outcomes of a check.
const (
	Holds  Status = "holds"
	Fails  Status = "fails"
	Cannot Status = "cannot" // it cannot be checked
)

// Check is one property that was checked.
type Check struct {
	Title  string  `json:"title"`
	Detail string  `json:"detail"`
	Status Status  `json:"status"`
	Class  Class   `json:"class"`
	Faults []Fault `json:"faults,omitempty"` // the first few faults of a check that fails
	More   int     `json:"more,omitempty"`   // how many there are beside them
}

// Fault is a place in a file whose text is not the one that it should have.
type Fault struct {
	Path   string `json:"path"`
	Line   int    `json:"line"` // from 1, as Column
	Column int    `json:"column"`
	Says   string `json:"says"`
	Law    string `json:"law"`   // what it should say
	Means  string `json:"means"` // what the fault means for a reader
	Lines  []Line `json:"lines"`
}

// Report lists what was found about a file.
type Report struct {
	About      string  `json:"about"`  // what it is about, in a line; empty: it could not be read
	Loss       string  `json:"loss"`   // its guarantee, in a line; empty: as About
	Checks     []Check `json:"checks"` // the failed ones first
	Unknowable []Check `json:"unknowable"`
	// Shown says whether the sentences, tables and pictures of an HTML page follow from its data;
	// empty: the file is not such a page. A program that lists checks names Cannot first.
	Shown Status `json:"shown,omitempty"`
	// Fingerprint is the checksum that the file should have, or else the SHA-256 of the file, in
	// hexadecimal: a publication has the same one as JSON and in HTML.
	Fingerprint string `json:"fingerprint"`
}

// Count returns the number of checks with an outcome.
func (r *Report) Count(s Status) (n int) {
	for _, c := range r.Checks {
		if c.Status == s {
			n++
		}
	}
	return n
}

// visible turns all texts into lines without hidden characters: most of them quote the file.
func (r *Report) visible() {
	see := func(texts ...*string) {
		for _, text := range texts {
			*text = phrase.Visible(*text)
		}
	}
	see(&r.About, &r.Loss)
	for i := range r.Checks {
		c := &r.Checks[i]
		see(&c.Title, &c.Detail)
		for k := range c.Faults {
			f := &c.Faults[k]
			see(&f.Path, &f.Says, &f.Law, &f.Means)
			for l := range f.Lines {
				see(&f.Lines[l].Text)
			}
		}
	}
}

// mostFaults is the largest number of faults that a check lists.
const mostFaults = 5

// refused makes a check fail with faults, if there are any.
func (c Check) refused(faults []Fault) Check {
	if len(faults) > 0 {
		c.Status = Fails
		c.Faults = faults[:min(len(faults), mostFaults)]
		c.More = len(faults) - len(c.Faults)
	}
	return c
}

// unknowable lists what no file can show; it is part of every report.
func unknowable(say *message.Language) []Check {
	list := [][2]string{
		{say.Text("That it was drawn once, by chance"), say.Text("A run that was repeated until " +
			"it pleased, or noise that was chosen by hand, looks the same and protects nobody.")},
		{say.Text("That nothing else was released"), say.Text("Every further release from the " +
			"same data adds to ε, and a ledger that was left out is not seen.")},
		{say.Text("That ranges and bins were set before looking"), say.Text("If they were typed " +
			"after a look at the data, they reveal something that no noise hides.")},
		{say.Text("That the data were real, and everybody counted once"), say.Text("Invented " +
			"numbers, another file, or a number of people chosen after looking at the data would " +
			"pass every check. Somebody in two rows has half the protection.")},
	}
	var checks []Check
	for _, l := range list {
		checks = append(checks, Check{Title: l[0], Detail: l[1], Status: Cannot, Class: Unknowable})
	}
	return checks
}
