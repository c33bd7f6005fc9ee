package asking

import (
	"hush/core/ask"
	"hush/core/phrase"
	"hush/core/table"
	"hush/core/task"
	"hush/web/say"
	"hush/web/state/better"
	"hush/web/state/book"
	"hush/web/state/dataset"
	"hush/web/state/form"
	"hush/web/state/place"
	"hush/web/state/stage"
)

// Saved is a question that was asked before or elsewhere: from a file, an address, an answer, or a
// list of better ones.
type Saved struct {
	place.Link
	Waiting *ask.Recipe // for its file
	Fault   string      // what is wrong with one that was brought

	Data     *dataset.Data
	Codebook *book.Codebook
	Question *Question
	Help     *better.Help
	Way      *stage.Way
}

// OtherReading is the message if a recipe meets a file that is read differently.
const OtherReading phrase.Key = "The question was saved for a file that is read differently. " +
	"Confirm how this one is read, and look at every field."

// Adopt makes a recipe the question. Without a file it waits for one, which is then read as the
// recipe says.
func (s *Saved) Adopt(r ask.Recipe) {
	s.Fault, s.Codebook.Note = "", ""
	if s.Data.Phase != dataset.Opened {
		s.Waiting = &r
		s.Codebook.Learn(r, s.Question.Tasks)
		s.Question.Form = s.questionOf(r)
		s.Update()
		return
	}
	s.Question.Remember("")
	s.Codebook.Learn(r, s.Question.Tasks)
	s.Question.Form, s.Waiting = s.questionOf(r), &r
	if r.Table != s.Data.Opened.Options {
		s.Data.Reread(func(o *table.Options) { *o = r.Table })
		return
	}
	s.MeetFile()
}

// AdoptText is Adopt for text; Fault says what is wrong with it.
func (s *Saved) AdoptText(text string) {
	r, err := form.ReadRecipe(text)
	if err != nil {
		s.Refuse(task.Capital(say.Error(err)) + ".")
		return
	}
	s.Adopt(r)
}

// Refuse says why no question was adopted.
func (s *Saved) Refuse(why string) {
	s.Fault = why
	s.Update()
}

// MeetFile applies a waiting recipe to the file that was just read as it says. If the file's rows
// have another width, so that all would count as having no value, the recipe continues to wait for
// its own file, and nothing is priced.
func (s *Saved) MeetFile() {
	r := s.Waiting
	if r == nil {
		return
	}
	if o := s.Data.Opened.Options; r.Table == o && o.Ragged != table.Keep &&
		s.Data.Opened.Width > 0 && s.Data.Opened.Width != o.Columns {
		s.Data.Confirmed, s.Data.Misfit = false, true
		s.Question.Settle()
		return
	}
	s.Waiting = nil
	if r.Table != s.Data.Opened.Options {
		s.Fault = say.Text(OtherReading)
		s.Codebook.Learn(*r, s.Question.Tasks)
		s.Question.Form = s.questionOf(*r)
		s.Question.Form.Table = table.Options{}
		return
	}
	s.Codebook.Learn(*r, s.Question.Tasks)
	s.Question.Form = s.questionOf(*r)
	if !s.Data.Doubtful() {
		s.Data.Confirm()
	}
}

// questionOf returns the form that yields a recipe, once the codebook has learned its columns.
func (s *Saved) questionOf(r ask.Recipe) form.Question {
	_, _, spec := s.Codebook.Published(r.Column)
	return form.QuestionOf(r, s.Question.Tasks, spec)
}

// Misfit says how the file differs from the one that the waiting recipe was saved for.
func (s *Saved) Misfit() string {
	return say.Format("This file does not look like the one that the question was saved for: its "+
		"rows have %s; the question was saved for %s. Read this way, every row would count as "+
		"having no value. Open another file, or ask again about this one.",
		columnCount(s.Data.Opened.Width), columnCount(s.Data.Opened.Options.Columns))
}

func columnCount(n int) string { return say.Count(int64(n), "%d column", "%d columns", n) }

// AskAnew drops the recipe that does not fit the open file: the file is read by its looks, and
// questions start afresh.
func (s *Saved) AskAnew() {
	s.Waiting, s.Fault = nil, ""
	s.Codebook.WaitNoMore()
	s.Question.Form = form.NewQuestion()
	s.Codebook.Forget()
	s.Data.Reread(func(o *table.Options) { *o = table.Options{} })
}

// Use applies the change with that number in the list to the question, and leads to the preview of
// its answer: the button that was pressed disappears with the list.
func (s *Saved) Use(i int) {
	if i < len(s.Help.List) && s.Help.List[i].Exact {
		s.Adopt(s.Help.List[i].Recipe)
		s.Way.Chosen = stage.Question
		s.Way.Reveal(stage.PreviewID)
		s.Update()
	}
}
