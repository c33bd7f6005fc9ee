package ask

import (
	"errors"

	"hush/core/meter"
	"hush/core/phrase"
)

// Lasting is a question whose release can continue: it answers further cases, which are paid for.
// It holds no data.
type Lasting interface {
	Prepared
	// Lasts reports whether the last run can answer further cases.
	Lasts() bool
	// More answers one further case, whose features are cells of text, and returns the whole result
	// with the answer; more reports whether it can answer another. A *param.Error (case.0, case.1…)
	// refuses a case; ErrEnded says that the votes have ended.
	More(r Result, cells []string) (next Result, more bool, err error)
}

// going is a release that can still answer further cases.
type going[C Catalogue] struct {
	query    *Query
	question Lasting
	release  *Release[C]
	spent    *meter.Meter // by the run and the answers since; the run's debit covers all of it
}

// ErrEnded answers a case after the votes have ended.
var ErrEnded error = phrase.Fault("ask: the votes have ended, because the cases paid for are " +
	"used up, you made another release or opened another file, or the engine that held them " +
	"stopped. The answers stay; release again to ask more")

// Label has the votes of the last release label one further case, whose features are cells of text,
// and returns the release with the answer. The case is public, and may depend on the answers before
// it; it was paid for with the release. Nothing else is released while votes continue: a run ends
// them first, so that the costs of releases add up as for releases one after another (stable.md of
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
