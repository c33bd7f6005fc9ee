package ask

import (
	"errors"

	"hush/core/meter"
	"hush/core/phrase"
)

// Lasting is a question whose release can go on: its answers to further cases are paid for. It
// holds no data.
type Lasting interface {
	Prepared
	// Lasts tells whether the last run goes on.
	Lasts() bool
	// More answers one further case, its features as cells of text, and returns the whole result
	// with the answer; more says that it goes on. *param.Error (case.0, case.1…) refuses a case;
	// ErrEnded says that nothing answers any more.
	More(r Result, cells []string) (next Result, more bool, err error)
}

// going is a release that goes on.
type going[C Catalogue] struct {
	query    *Query
	question Lasting
	release  *Release[C]
	spent    *meter.Meter // by the run and the answers since; the debit of the run covers all
}

// ErrEnded is the answer to a case for which nobody votes any more.
var ErrEnded error = phrase.Fault("ask: the votes have ended, because the cases paid for are " +
	"used up, you made another release or opened another file, or the engine that held them " +
	"stopped. The answers stay; release again to ask more")

// Label asks the votes of the last release for one further case, its features as cells of text, and
// returns the release with the answer. The case is public, and may depend on the answers before it;
// it was paid for with the release. Nothing else is released while votes go on: a run ends them
// first, so that what each release costs adds up as that of one after another (stable.md of
// core/classify). *param.Error (case.0, case.1…) refuses a case, which then does not count;
// ErrEnded says that there are no votes.
func (s *Session[C]) Label(cells []string) (*Release[C], error) {
	if s.going == nil {
		return nil, ErrEnded
	}
	g := *s.going
	result, more, err := g.question.More(g.release.Answer.Result, cells)
	if over := g.spent.Over(g.release.Plan.Loss); over != nil {
		s.going = nil
		return nil, over
	}
	if errors.Is(err, ErrEnded) {
		s.going = nil
	}
	if err != nil {
		return nil, err
	}
	next := *g.release // what was returned before stays as it was
	statement, verdict := g.query.publish(g.question, result)
	next.Answer, next.Statement, next.Verdict = Answer[C]{result}, statement, &verdict
	if s.going = nil; more {
		s.going = &going[C]{g.query, g.question, &next, g.spent}
	}
	return &next, nil
}
