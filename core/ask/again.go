package ask

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"

	"hush/core/coin"
	"hush/core/message"
	"hush/core/phrase"
)

// Drawing is a question whose answer is made of sums with noise alone.
type Drawing interface {
	Prepared
	// Sums are those that the last run drew; nil: its answer is made of more.
	Sums() []int64
	// Give makes the next run answer from a draw, without a look at the data or a coin.
	// again has what else a head says, as the question gives it: the bases of the noise, or the ρ
	// of the last draw. ok is false where an answer needs more.
	Give(head Head) (again Head, ok bool)
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

// Dated is a question that earlier versions answered with other noise, for the same loss, or of
// which they stated another typical error.
type Dated interface {
	Prepared
	// As is the question as the version had it that made a plan and its answer, which are from a
	// file.
	As(Plan, Result) Prepared
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
	// Before is the statement of versions up to November 2026, where theirs has other numbers.
	Before string
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
	if d, is := p.(Dated); is {
		p = d.As(r.Plan, r.Answer.Result)
	}
	want := &again.Release
	want.Version = RecipeVersion
	result, told := r.Answer.Result, true
	head := Head{Sums: r.Drawn}
	if d, is := p.(Drawing); is && r.sums() != nil {
		if r.Head != nil {
			if head, err = chained(say, c, r); err != nil {
				return again, err
			}
		}
		before := head.Before
		var given Head
		if given, again.Drawn = d.Give(head); again.Drawn && r.Head != nil {
			given.Before, want.Head = before, &given
		}
	}
	// a plan depends on how many releases are averaged
	if want.Plan, err = q.plan(p); err != nil {
		return again, err
	}
	for _, before := range loosely(p) { // a file of an earlier version may state its loss
		if loss, err := q.lossOf(before); err == nil && loss.Exact() == r.Plan.Loss.Exact() {
			want.Plan.Loss, want.Plan.Guarantee = loss, GuaranteeOf(q.Say, loss, r.Recipe)
		}
	}
	if again.Drawn {
		if result, err = p.Run(undrawn{origin: r.Origin}, q.nobody(), nil); err != nil {
			return again, err
		}
		if before, stated := widely(q, p, r.Answer.Result, head, r.Origin); before != nil {
			p, result = before, stated // a file of an earlier version states its intervals
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
		again.Before = q.statedBefore(p, result, verdict)
	}
	return again, nil
}

// Loosened is a question whose loss versions up to November 2026 bounded less closely. What they
// stated is no less than the loss, and a release that states it is not called false.
type Loosened interface{ Loosely() Prepared }

// loosely is a question as earlier versions bounded its loss.
func loosely(p Prepared) []Prepared {
	if l, is := p.(Loosened); is {
		return []Prepared{l.Loosely(), entries{p}}
	}
	return []Prepared{entries{p}}
}

// entries is a question that knows no more of a person's loss than group privacy says.
type entries struct{ Prepared }

// Widened is a question of whose answers versions up to November 2026 stated wider intervals, which
// hold as well: a release that states exactly those is not called false. nil: they were the same.
type Widened interface{ Widely() Prepared }

// widely is a question as earlier versions answered it, with the answer of a draw, where that is
// what a file states; else nil.
func widely(q *Query, p Prepared, stated Result, head Head, origin coin.Origin) (Prepared, Result) {
	w, is := p.(Widened)
	if !is {
		return nil, nil
	}
	before, is := w.Widely().(Drawing)
	if !is {
		return nil, nil
	}
	if _, ok := before.Give(head); !ok {
		return nil, nil
	}
	result, err := before.Run(undrawn{origin: origin}, q.nobody(), nil)
	if err != nil {
		return nil, nil
	}
	text, err := json.Marshal(result)
	if other, fault := json.Marshal(stated); err != nil || fault != nil ||
		!bytes.Equal(text, other) {
		return nil, nil
	}
	return before, result
}

// chained is the head of a release in which the draws before the last have the ρ of the questions
// that drew them, each of which was granted more than the one before, and the answers before have
// the digests that follow from their draws.
func chained[C Catalogue](say *message.Language, c C, r *Release[C]) (Head, error) {
	head := *r.Head
	if len(head.Draws) == 0 {
		return head, nil
	}
	if len(head.Draws) != len(head.Before)+1 {
		return head, errUnfit
	}
	head.Draws, head.Before = slices.Clone(head.Draws), slices.Clone(head.Before)
	sofar := new(big.Rat)
	for i := range head.Before {
		recipe := r.Recipe
		recipe.Epsilon = head.Before[i].Epsilon
		_, p, err := newQuery(say, c, recipe, r.Plan.People, nil)
		if err != nil {
			return head, err
		}
		d, is := p.(Drawing)
		if !is {
			return head, errUnfit
		}
		alone, ok := d.Give(Head{Draws: head.Draws[i : i+1]}) // as if it had been asked first
		if !ok || len(alone.Draws) != 1 {
			return head, errUnfit
		}
		granted, _ := new(big.Rat).SetString(alone.Draws[0].Rho)
		head.Draws[i].Rho = new(big.Rat).Sub(granted, sofar).RatString()
		sofar = granted
		was := Head{Draws: head.Draws[:i+1], Before: head.Before[:i]}
		head.Before[i].Digest = was.digest(recipe, r.Plan.People)
	}
	return head, nil
}

var errUnfit error = phrase.Fault("ask: the parts of the release do not belong together")

// sums are the numbers of which the answer was made; nil: the release does not say.
func (r *Release[C]) sums() []int64 {
	switch {
	case r.Head == nil:
		return r.Drawn
	case len(r.Head.Draws) > 0:
		return r.Head.Draws[len(r.Head.Draws)-1].Sums
	}
	return r.Head.Sums
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

// undrawn is a source that nothing is drawn from: to try is a panic.
type undrawn struct {
	coin.Source
	origin coin.Origin
}

func (u undrawn) Origin() coin.Origin { return u.origin }

type noCodes struct{}

func (noCodes) Len() int                { return 0 }
func (noCodes) Code(int) (uint64, bool) { return 0, false }
