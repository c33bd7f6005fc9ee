package ask

import (
	"fmt"

	"hush/core/domain"
	"hush/core/param"
	"hush/core/phrase"
)

// Task is one entry of the catalogue.
type Task struct {
	ID       string     `json:"id"`
	Section  phrase.Key `json:"section"` // the heading under which it is listed
	Title    phrase.Key `json:"title"`
	Question phrase.Key `json:"question"` // in plain words, as a person would ask it
	// Sentence is the question with blanks: {column} is the main column, {group} the column whose
	// groups are each answered for, any other name the further columns of that role, {many} the
	// people the rows are about, and {values} the values of the main column that count (Counts).
	Sentence phrase.Key `json:"-"`
	// Heading is the question as a title, with the same blanks: “Mean income by sex”.
	Heading phrase.Key `json:"-"`
	// Synonyms are further search words, separated by commas.
	Synonyms  phrase.Key `json:"-"`
	Answer    phrase.Key `json:"answer"`    // what is released
	Algorithm phrase.Key `json:"algorithm"` // the mechanism's name in the field
	How       phrase.Key `json:"how"`       // the mechanism in plain words
	// which mechanism is the simple one, and when it is better
	Simple phrase.Key `json:"simple"`
	Source string     `json:"source"` // paper or book
	Limits phrase.Key `json:"limits"` // what the answer cannot say
	// Judged says what the answer's error is judged against, before the release and after it.
	Judged phrase.Key `json:"judged"`
	// Domains are the kinds of main column it can ask about; empty: it has no main column and reads
	// Others only.
	Domains []domain.Kind `json:"domains,omitempty"`
	Others  []Role        `json:"others,omitempty"` // further columns
	// LongTexts says that the main column may hold texts of more than 8 bytes.
	LongTexts bool `json:"longTexts,omitempty"`
	ByGroup   bool `json:"byGroup"` // whether it can be asked for each group
	// Listed says that its groups are those of a public list, and none are found.
	Listed bool    `json:"listed,omitempty"`
	Params []Param `json:"params"`
	// OfAll says that the answer about everybody is a part of n: where a person has several
	// entries, some of which have no value, their number would be the wrong whole.
	OfAll bool `json:"-"`
	// Counts says that the question counts the people with one of the values named, which are the
	// main column's domain: the values of one recipe may be fewer than, or differ from, those of
	// another.
	Counts bool `json:"-"`
	// Bins is the parameter with the width of the bins in which people are counted; empty: no bins.
	Bins string `json:"-"`
	// Example is the question that is asked of made-up data in lessons.
	Example *Example `json:"example,omitempty"`
	// Films are the IDs, in web/film, of films that show its algorithms at work, the main one
	// first.
	Films []string `json:"films,omitempty"`
	// Tunes says what the noisy score counts that chooses the best of many runs, where parameters
	// can be tuned (Param.Tries); empty: none can.
	Tunes phrase.Key `json:"tunes,omitempty"`
	// Aims says that the score counts people, so that one can say what is good enough.
	Aims bool `json:"aims,omitempty"`
	// Halves says that the question can be learned from one half of the rows and scored on the
	// other: it releases a rule, and leaves out a row without a value in its further columns.
	Halves bool `json:"halves,omitempty"`
	// Cases is the parameter with a table of public cases, for a question that labels them: its
	// first further column is the label, the others are the features of the cases. In lessons,
	// people who were set aside replace them.
	Cases string `json:"-"`

	// Costs are the types whose documentation says how time and memory grow, which tests measure.
	Costs Costs `json:"-"`
	// Exact returns the truth that tests compare answers with; nil: no simple sum over the people
	// gives it, and Inexact says why.
	Exact   Exact  `json:"-"`
	Inexact string `json:"-"`
	// Number is the exact number of some people, of a question whose answer is one number for all
	// or for each group; others have none.
	Number func(people []Person) float64 `json:"-"`

	// Unframed says why there is no picture to come; empty: there is one.
	Unframed string `json:"-"`

	// Stages are the stages of long work; nil: the work is short, or one stage.
	Stages func(r Recipe) []Stage `json:"-"`

	// Prepare turns a question whose every part has been checked into one that can be priced and
	// run.
	Prepare func(q *Query) (Prepared, error) `json:"-"`
}

// FindsGroups reports whether the groups of a question may be found privately.
func (t *Task) FindsGroups() bool { return t.ByGroup && !t.Listed }

// Costs names the types of algorithms, as "threshold.TreeLog", by a parameter and its value, as
// "algorithm treelog"; by the empty text where there is no such choice.
type Costs map[string]string

// Catalogue is the set of questions that can be asked. It is a type whose zero value is the whole
// catalogue, so that a Release read from JSON finds the kinds of answers without state that
// packages share.
type Catalogue interface {
	// Tasks lists every task, in the order in which a page shows them.
	Tasks() []Task
	// Results returns an empty result of each kind.
	Results() []Result
}

// find returns the task with that ID.
func find(c Catalogue, id string) (*Task, error) {
	for _, t := range c.Tasks() {
		if t.ID == id {
			return &t, nil
		}
	}
	return nil, Refuse("task", fmt.Sprintf("%q", id), phrase.Of("the ID of a question, such as %q",
		"mean"))
}

// Refuse returns a *param.Error for a field of the form. Its package is ask, as for all faults of a
// question. It takes texts in the reader's language, and values that are Phrased.
func Refuse(field string, value, want any) error {
	return param.New("ask", field, phrase.From(value), phrase.From(want))
}
