package claim

import (
	"strings"

	"hush/core/task"
	"hush/core/verify"
	"hush/web/say"
	"hush/web/state/place"
)

// Living is an open living table: a release that answers questions without its data.
type Living struct {
	place.Link
	Name   string            // of the file; empty: it came from a link or a release
	Size   int64             // in bytes
	Table  *task.LivingTable // nil: none is open
	Report *verify.Report    // of the file that was opened last; nil: none was
	Fault  string            // why nothing could be read at all

	Question task.LivingQuestion
	Answer   *task.LivingAnswer // nil if Refused
	Refused  error              // why the question has no answer

	shown string // the link that is open
}

// Show opens the table contained in an address, if there is one.
func (l *Living) Show(path string) {
	_, link, _ := strings.Cut(strings.TrimPrefix(path, place.ViewTable.Path()), "/")
	if link == "" || link == l.shown {
		return
	}
	l.shown = link
	text, err := task.UnpackLiving(link)
	if err != nil {
		l.Refuse(task.Capital(say.Error(err)) + ".")
		return
	}
	l.Open("", text)
}

// Refuse says that no file could be read.
func (l *Living) Refuse(why string) {
	l.Table, l.Report, l.Answer, l.Refused, l.Fault = nil, nil, nil, nil, why
	l.Update()
}

// Open opens the text of a file.
func (l *Living) Open(name, text string) {
	table, report := verify.Living(say.Language(), []byte(text), "")
	l.Name, l.Size, l.Table, l.Report, l.Fault = name, int64(len(text)), table, &report, ""
	l.Answer, l.Refused = nil, nil
	l.Question = task.LivingQuestion{Kind: task.LivingCount, Columns: []int{0}}
	l.ask()
}

// Ask changes the question, and answers it.
func (l *Living) Ask(change func(q *task.LivingQuestion)) {
	change(&l.Question)
	l.ask()
}

func (l *Living) ask() {
	if l.Table != nil {
		l.Answer, l.Refused = l.Table.Answer(l.Question)
	}
	l.Update()
}
