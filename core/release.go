package core

import (
	"hush/core/ask"
	"hush/core/domain"
	"hush/core/privacy"
	"hush/core/table"
	"hush/core/task"
	"hush/core/verify"
)

// The types that questions and answers are made of. Each is documented where it is defined.
type (
	Recipe    = ask.Recipe      // a question: Task, columns, Epsilon
	Domain    = domain.Spec     // which values are possible in a column: public
	Field     = ask.Field       // a further column of a question
	Group     = ask.Group       // one answer for each of a list of groups
	Find      = ask.Find        // groups that many people belong to, in place of a list
	Condition = table.Condition // a public condition on a column
	Use       = table.Use       // which rows of each person are used
	Reading   = table.Options   // how a file is read
	Task      = ask.Task        // what can be asked
	Several   = ask.Several     // several questions that share a loss
	Part      = ask.Part        // one of them
	Forecast  = ask.Forecast    // a sentence on the error to expect
	Verdict   = ask.Verdict     // whether an answer is good to publish
	Report    = verify.Report   // which claims of a file hold
)

// The kinds of domains.
const (
	Integer   = domain.Integer
	Decimal   = domain.Decimal
	Float64   = domain.Float64
	Date      = domain.Date
	Timestamp = domain.Timestamp
	Category  = domain.Category
	Text      = domain.Text
)

// How a plan divides ε among its questions.
const (
	LeastTotal   = ask.LeastTotal   // each is good to publish, at the least total
	Evenly       = ask.Evenly       // all get one ε
	ByImportance = ask.ByImportance // errors in proportion to weights
)

// The grades of a verdict.
const (
	Good  = ask.Good
	Rough = ask.Rough
	Noise = ask.Noise
)

// Price states the cost of a question and how exact its answer will be.
type Price struct {
	Loss     Loss
	People   int64 // n, public
	Forecast []Forecast
	Verdict  Verdict // before the release; its Grade is empty where nothing judges
}

// Plan is several questions with the ε that each has, before the first is drawn.
type Plan struct {
	Prices   []Price
	Epsilons []string
	Total    Loss // of all: at most the sum
	// Never holds the places, from 0, of questions whose answer no ε makes good. Each is priced
	// with a small ε beside the others; leave it out, or ask it more coarsely.
	Never []int

	loss  privacy.Loss
	fixed ask.Fixed
}

// Release is an answer that may be published.
type Release struct {
	Recipe    Recipe
	Statement string // the answer as a sentence
	Verdict   Verdict
	Loss      Loss

	drawn *task.Release
}

func released(drawn *task.Release, err error) (*Release, error) {
	if err != nil {
		return nil, err
	}
	r := &Release{Recipe: drawn.Recipe, Statement: drawn.Statement,
		Loss: lossOf(drawn.Plan.Loss), drawn: drawn}
	if drawn.Verdict != nil {
		r.Verdict = *drawn.Verdict
	}
	return r, nil
}

// Table is the answer as rows of text below a header row.
func (r *Release) Table() [][]string { return r.drawn.Table(nil) }

// CSV is the answer for programs that read tables.
func (r *Release) CSV() string { return r.drawn.CSV() }

// JSON is all of the release, for [Check] and for the page.
func (r *Release) JSON() string { return r.drawn.JSON("") }
