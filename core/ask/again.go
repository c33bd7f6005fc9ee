package ask

import (
	"hush/core/message"
	"hush/core/phrase"
)

// Drawing is a question whose answer is made of sums with noise alone.
type Drawing interface {
	Prepared
	// Sums are those that the last run drew; nil: its answer is made of more.
	Sums() []int64
	// Give makes the next run answer from such sums, without a look at the data or a coin. bases
	// are those of the noise, nil where it is Gaussian; ok is false where an answer needs more.
	Give(sums []int64) (bases []string, ok bool)
}

// Reopening is a question that knows more of its answers than a file says in numbers, or of which
// parts of an answer follow from the question.
type Reopening interface {
	Prepared
	// Reopen makes of an answer from a file what the question would have released, as far as that
	// is known: parts that follow from the question are made anew, and numbers are read from texts.
	// told is false where the sentence about it needs more than a file holds.
	Reopen(Result) (again Result, told bool)
}

// Rewrapping is a question of which the best of many runs is released.
type Rewrapping interface {
	Prepared
	// Rewrap makes of an answer, and of how it was chosen, what the run returned.
	Rewrap(Result, Tuned) (Result, error)
}

// Again is a release as its question makes it: what follows from the recipe, from n, from the
// numbers that were drawn, and from an answer. Everything else is as it stands in the file.
type Again[C Catalogue] struct {
	Release Release[C]
	// Drawn says that the whole answer was made anew, from the numbers that were drawn.
	Drawn bool
	// Told says that the statement was made anew.
	Told bool
}

// Redo works out what a release must say, without the data. It draws nothing. *param.Error where
// there is no such question, and an error where the parts of the release do not belong together.
func Redo[C Catalogue](say *message.Language, c C, r *Release[C]) (again Again[C], err error) {
	defer func() {
		if recover() != nil { // an answer of any shape may come from a file
			err = errUnfit
		}
	}()
	again.Release = *r
	if r.Answer.Result == nil {
		return again, errUnfit
	}
	q, p, err := newQuery(say, c, r.Recipe, r.Plan.People, nil)
	if err != nil {
		return again, err
	}
	if err := q.checkNamed(); err != nil {
		return again, err
	}
	if err := q.Task.offered(r.Recipe.Params); err != nil {
		return again, err
	}
	want := &again.Release
	want.Version = RecipeVersion
	if want.Plan, err = q.plan(p); err != nil {
		return again, err
	}
	result, told := r.Answer.Result, true
	if d, is := p.(Drawing); is && r.sums() != nil {
		if bases, all := d.Give(r.sums()); all {
			if result, err = p.Run(nil, q.nobody(), nil); err != nil {
				return again, err
			}
			if again.Drawn = true; r.Head != nil {
				head := *r.Head
				head.Bases, want.Head = bases, &head
			}
		}
	}
	if o, is := p.(Reopening); is && !again.Drawn {
		result, told = o.Reopen(result)
	}
	want.Answer.Result = result
	if w, is := p.(Rewrapping); is {
		if r.Tuned == nil {
			return again, errUnfit
		}
		if result, err = w.Rewrap(result, *r.Tuned); err != nil {
			return again, err
		}
		best := result.(Best)
		of, how := best.Best()
		want.Answer.Result, want.Tuned = of, &how
	}
	statement, verdict := q.publish(p, result)
	want.Verdict = &verdict
	if again.Told = told || verdict.Grade == Noise; again.Told {
		want.Statement = statement
	}
	return again, nil
}

var errUnfit error = phrase.Fault("task: the parts of the release do not belong together")

// sums are the numbers of which the answer was made; nil: the release does not say.
func (r *Release[C]) sums() []int64 {
	if r.Head != nil {
		return r.Head.Sums
	}
	return r.Drawn
}

// nobody is the data of no people at all.
func (q *Query) nobody() Data {
	none := func() *Column { return &Column{Codes: noCodes{}} }
	d := Data{Main: none(), Group: none()}
	for range q.Others {
		d.Others = append(d.Others, none())
	}
	return d
}

type noCodes struct{}

func (noCodes) Len() int                { return 0 }
func (noCodes) Code(int) (uint64, bool) { return 0, false }
