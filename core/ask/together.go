package ask

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"strconv"

	"hush/core/basic"
	"hush/core/coin"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Paired is a question whose draws have dominating pairs for one entry; ok is false where they do
// not.
type Paired interface {
	Prepared
	Pairs() (pairs []privacy.Pairs, ok bool)
}

// Part is one question of a plan of several.
type Part struct {
	Recipe Recipe `json:"recipe"` // its ε is to be found
	// Weight is how much the question matters: with a weight of 2 its error is half that of the
	// others, each measured by the error that makes its answer good. At the least ε the answer is
	// then good at half the size, and weights below 1 count as 1. 0 stands for 1.
	Weight float64 `json:"weight,omitempty"`
}

// Division says how the ε of several questions are found.
type Division string

// The divisions.
const (
	// LeastTotal gives each question the smallest ε at which its answer is good to publish, and
	// stays good where a quarter of the people have no value, or noise makes the answer smaller.
	// Where that depends on the size of the answer, the size is assumed to be the one that the
	// verdict before the release judges it against: a typical size, where one is stated.
	LeastTotal Division = "least"
	// Evenly gives all questions one ε, the largest within the total. Weights do not matter.
	Evenly Division = "evenly"
	// ByImportance gives all questions the smallest errors within the total that are in one
	// proportion: to the error that makes the question's answer good, divided by its weight.
	ByImportance Division = "importance"
)

// Several asks for a plan of several questions.
type Several struct {
	Parts    []Part   `json:"parts"`
	Division Division `json:"division"`
	Total    string   `json:"total,omitempty"` // ε of all together, unless the least is wanted
	Delta    string   `json:"delta"`           // δ of all: that of the questions, and what rules take
}

// Together is a plan of several questions, fixed before the first draw.
type Together struct {
	Plans []Plan `json:"plans"` // in the order of the parts
	// Epsilons are the ε with which each is asked.
	Epsilons []string `json:"epsilons"`
	// Total is the least proved loss of all together, and the rule that proves it: to be debited as
	// one entry before the first of them is drawn.
	Total privacy.Total `json:"total"`
	// Apart is the cost where each is paid for separately: the plain sum.
	Apart privacy.Loss `json:"apart"`
	// Never holds, from 0 and in ascending order, the parts whose answer no ε makes good, at the
	// least ε or by importance. Each has the smallest ε of the others, or, where it cannot be asked
	// with that, an ε of 1 or 100.
	Never []int `json:"never,omitempty"`

	parts []privacy.Planned
}

// Parts returns the losses of the questions and the pairs of their draws, which the total composes;
// nil after JSON.
func (t Together) Parts() []privacy.Planned { return t.parts }

// Fixed is a plan whose questions have their ε, as Together found them.
type Fixed struct {
	Delta     string   `json:"delta"` // δ of all, as in Several
	Questions []Recipe `json:"questions"`
}

// At returns the plan with these ε, one for each part.
func (want Several) At(epsilons []string) Fixed {
	f := Fixed{Delta: want.Delta}
	for i, epsilon := range epsilons {
		r := want.Parts[i].Recipe
		r.Epsilon = epsilon
		f.Questions = append(f.Questions, r)
	}
	return f
}

// Fixed prices a fixed plan, as Together did if it has the same ε. marks holds one text for each
// question, with everything that its price depends on: another version of the program may draw the
// rest of a plan only if the marks are unchanged. Errors are those of Together and Plan.
func (s *Session[C]) Fixed(f Fixed) (t Together, marks []string, err error) {
	d := &divider{}
	if d.delta, err = planned(len(f.Questions), f.Delta); err != nil {
		return t, nil, err
	}
	var found []privacy.Epsilon
	for _, r := range f.Questions {
		ready, err := s.asked(r)
		if err != nil {
			return t, nil, err
		}
		epsilon, err := privacy.ParseEpsilon(r.Epsilon)
		if err != nil {
			return t, nil, err
		}
		p := &priced{}
		if p.plan, err = ready.price(); err != nil {
			return t, nil, err
		}
		p.pairs = pairsOf(ready.query, ready.prepared)
		found = append(found, epsilon)
		d.parts = append(d.parts, &dividing{of: d, known: map[string]*priced{epsilon.String(): p}})
		marks = append(marks, privacy.Planned{Loss: p.plan.Loss, Pairs: p.pairs}.Mark())
	}
	t, err = d.together(found)
	return t, marks, err
}

// planned checks the number of questions in a plan, and reads its δ.
func planned(questions int, delta string) (privacy.Delta, error) {
	if questions < 1 || questions > mostParts {
		return privacy.Delta{}, Refuse("parts", phrase.Of("%d questions", questions),
			phrase.Of("1 to %d", mostParts))
	}
	return privacy.ParseDelta(delta)
}

// headroom is the part of the largest good error that a plan at the least ε uses. Right at the
// limit an answer is good before it is drawn, and then noise or a few missing values decide.
const headroom = 0.75

// mostParts bounds the number of questions in a plan, and the time that dividing takes.
const mostParts = 64

// Together divides a privacy loss among several questions about the open file and composes them:
// the least of the plain sum, the bound by ρ and the law of the loss itself
// ([privacy.ComposePlan]). It reads public facts only and spends nothing, so it is no release.
//
// Totals are of questions that are fixed with all their parameters; ε are rounded to three digits,
// downwards where a total limits them. [*param.Error] (parts, division, total, delta) where no part
// is good at any ε up to 100, where the total is too small, and for a δ of 1/n or more; that of
// a part that cannot be asked names its number. Where only some can be good, Never names the
// others. Cost:
// some 14 plans for each part, as often as a total is tried, a dozen times at most. step hears of
// each plan, and may end the work.
func (s *Session[C]) Together(want Several, step coin.Step) (t Together, err error) {
	d := &divider{step: step}
	defer func() {
		if d.stopped != nil {
			err = d.stopped // whatever else was made of it
		}
	}()
	if d.delta, err = planned(len(want.Parts), want.Delta); err != nil {
		return t, err
	}
	for i, part := range want.Parts {
		at, err := s.at(part.Recipe)
		if err != nil {
			return t, inQuestion(i+1, err)
		}
		if !(part.Weight >= 0) || math.IsInf(part.Weight, 0) {
			return t, Refuse("parts", phrase.Of("question %d of weight %g", i+1, part.Weight),
				phrase.Of("a number above 0"))
		}
		d.parts = append(d.parts, &dividing{of: d, at: at, weight: max(part.Weight, 0),
			known: map[string]*priced{}})
		p, err := d.parts[i].asked()
		if err != nil {
			return t, inQuestion(i+1, err)
		}
		if err := d.delta.Check(uint64(p.plan.People)); err != nil {
			return t, err
		}
	}
	var found []privacy.Epsilon
	switch want.Division {
	case LeastTotal:
		for _, part := range d.parts {
			part.weight = max(part.weight, 1)
		}
		if err = d.apart(headroom); err == nil {
			found, err = d.within(headroom)
		}
	case Evenly, ByImportance:
		var total privacy.Epsilon
		if total, err = privacy.ParseEpsilon(want.Total); err != nil {
			return t, Refuse("total", strconv.Quote(want.Total), phrase.Of("an ε, such as 1"))
		}
		if want.Division == Evenly {
			found, err = d.evenly(total)
		} else {
			found, err = d.byImportance(total)
		}
	default:
		err = Refuse("division", strconv.Quote(string(want.Division)), phrase.Of("one of %q",
			[]Division{LeastTotal, Evenly, ByImportance}))
	}
	if err != nil {
		return t, err
	}
	return d.together(found)
}

// divider looks for the ε of the parts of a plan.
type divider struct {
	parts   []*dividing
	delta   privacy.Delta
	step    coin.Step // nil: nobody is informed
	tried   int64
	stopped error // the error with which step ended the work
}

// goOn counts one more plan or one more total, and returns step's error to end the work.
func (d *divider) goOn() error {
	d.tried++
	if d.stopped == nil && d.step != nil {
		d.stopped = d.step(d.tried, 0)
	}
	return d.stopped
}

// dividing is one part, with its prices found so far, by ε.
type dividing struct {
	of     *divider
	at     func(epsilon string) (*Query, Prepared, error)
	weight float64
	known  map[string]*priced
	never  bool // no ε makes it good
}

// priced is a part priced at one ε.
type priced struct {
	plan  Plan
	pairs []privacy.Pairs
	error float64
}

func (d *dividing) price(epsilon privacy.Epsilon) (*priced, error) {
	text := epsilon.String()
	if p := d.known[text]; p != nil {
		return p, nil
	}
	if err := d.of.goOn(); err != nil {
		return nil, err
	}
	q, prepared, err := d.at(text)
	if err != nil {
		return nil, err
	}
	p := &priced{}
	if p.plan, err = q.plan(prepared); err != nil {
		return nil, err
	}
	p.error = p.plan.Verdict.most()
	p.pairs = pairsOf(q, prepared)
	d.known[text] = p
	return p, nil
}

// pairsOf returns the pairs of a question's draws, where they are known. They are for one entry, so
// there are none where a person may have several.
func pairsOf(q *Query, prepared Prepared) (pairs []privacy.Pairs) {
	if paired, is := prepared.(Paired); is && q.Recipe.Use.Entries() == 1 {
		pairs, _ = paired.Pairs()
	}
	return pairs
}

// asked prices a part at ε = 1, or at the largest ε where it takes more than 1: an error at both is
// the recipe's.
func (d *dividing) asked() (*priced, error) {
	p, err := d.price(privacyOne)
	if err == nil || d.of.stopped != nil {
		return p, err
	}
	if p, fault := d.price(privacyMost); fault == nil {
		return p, nil
	}
	return nil, err
}

// inQuestion adds to an error about a question's recipe the number of the question.
func inQuestion(number int, err error) error {
	var refused *param.Error
	if !errors.As(err, &refused) {
		return err
	}
	named := *refused
	named.Value = phrase.Of("%s in question %d", refused.Value, number)
	return &named
}

// good returns the largest error at which a part is good, for an answer as large as the number that
// it is judged against before any release.
func (d *dividing) good() (float64, error) {
	p, err := d.asked()
	if err != nil {
		return 0, err
	}
	good := p.plan.Verdict.About / goodPart
	if d.weight > 0 {
		good /= d.weight
	}
	return good, nil
}

// apart finds the parts whose error at ε = 100 is above times the one that makes them good. It is
// an error if those are all.
func (d *divider) apart(times float64) error {
	others := false
	for _, part := range d.parts {
		most, err := part.good()
		if err != nil {
			return err
		}
		p, err := part.price(privacyMost)
		if d.stopped != nil {
			return d.stopped
		}
		part.never = err != nil || most <= 0 || p.error > times*most
		others = others || !part.never
	}
	if !others {
		return Refuse("parts", phrase.Of("question %d", 1), phrase.Of("another one in the place "+
			"of question %d, which no ε makes good, or ε divided evenly", 1))
	}
	return nil
}

// The ε at which parts are looked at; they are never written to.
var privacyOne, privacyMost = exactly(1), exactly(100)

func exactly(epsilon int64) privacy.Epsilon {
	e, err := privacy.NewEpsilon(big.NewRat(epsilon, 1))
	if err != nil {
		panic("ask: internal error: " + err.Error())
	}
	return e
}

// within returns the smallest ε of three digits at which each error is at most times the error that
// makes its part good, divided by its weight; of parts set apart, those of Together.Never.
func (d *divider) within(times float64) ([]privacy.Epsilon, error) {
	found, least := make([]privacy.Epsilon, len(d.parts)), privacyMost
	for i, part := range d.parts {
		if part.never {
			continue
		}
		most, err := part.good()
		if err != nil {
			return nil, err
		}
		found[i], err = basic.SmallestEpsilon(times*most,
			func(e privacy.Epsilon) (float64, error) {
				p, err := part.price(e)
				if err != nil {
					return 0, err
				}
				return p.error, nil
			})
		if err != nil {
			return nil, err
		}
		if found[i].Cmp(least) < 0 {
			least = found[i]
		}
	}
	for i, part := range d.parts {
		if !part.never {
			continue
		}
		for _, found[i] = range []privacy.Epsilon{least, privacyOne, privacyMost} {
			if _, err := part.price(found[i]); err == nil {
				break
			}
		}
	}
	return found, nil
}

// together composes the parts with these ε.
func (d *divider) together(found []privacy.Epsilon) (t Together, err error) {
	if err := d.goOn(); err != nil {
		return t, err
	}
	for i, part := range d.parts {
		p, err := part.price(found[i])
		if err != nil {
			return t, err
		}
		t.Plans, t.Epsilons = append(t.Plans, p.plan), append(t.Epsilons, found[i].String())
		if part.never {
			t.Never = append(t.Never, i)
		}
		t.parts = append(t.parts, privacy.Planned{Loss: p.plan.Loss, Pairs: p.pairs})
		t.Apart = t.Apart.Plus(p.plan.Loss)
	}
	t.Total, err = privacy.ComposePlan(t.parts, d.delta)
	if err != nil || t.Total.Loss.Delta().Cmp(d.delta.Rat()) > 0 {
		return t, Refuse("delta", d.delta.String(),
			phrase.Of("at least the δ of all questions together"))
	}
	return t, nil
}

// fits reports whether the parts with these ε stay within a total.
func (d *divider) fits(found []privacy.Epsilon, total privacy.Epsilon) bool {
	t, err := d.together(found)
	if err != nil {
		return false
	}
	epsilon, known := t.Total.Loss.Epsilon()
	return known && epsilon.Cmp(total.Rat()) <= 0
}

// evenly returns the largest ε of three digits that all questions can have: at least the total
// divided by their number.
func (d *divider) evenly(total privacy.Epsilon) ([]privacy.Epsilon, error) {
	all := func(e privacy.Epsilon) []privacy.Epsilon {
		list := make([]privacy.Epsilon, len(d.parts))
		for i := range list {
			list[i] = e
		}
		return list
	}
	// larger ε leave less of 1
	over, err := basic.SmallestEpsilon(0, func(e privacy.Epsilon) (float64, error) {
		if e.Cmp(total) <= 0 && d.fits(all(e), total) {
			return 1, nil
		}
		return 0, nil
	})
	if err != nil {
		return all(total), nil // unreachable: ε = 100 is above a total, or is one
	}
	below := belowOf(over)
	if !d.fits(all(below), total) {
		return nil, d.tooLittle(all(below), total)
	}
	return all(below), nil
}

// tooLittle explains why no ε fit into a total; found are the smallest.
func (d *divider) tooLittle(found []privacy.Epsilon, total privacy.Epsilon) error {
	if _, err := d.together(found); err != nil {
		return err
	}
	return Refuse("total", total.String(), phrase.Of("more for %d questions", len(d.parts)))
}

// noise is the smallest ε that is tried: an error that it reaches is no better than no answer at
// all.
var noise = func() privacy.Epsilon {
	least, err := privacy.ParseEpsilon("1e-9")
	if err != nil {
		panic("ask: internal error: " + err.Error())
	}
	return least
}()

// belowOf returns the next smaller ε of three digits.
func belowOf(e privacy.Epsilon) privacy.Epsilon {
	unit := big.NewRat(1, 1)
	for e.Rat().Cmp(new(big.Rat).Mul(unit, big.NewRat(100, 1))) <= 0 {
		unit.Quo(unit, big.NewRat(10, 1))
	}
	for e.Rat().Cmp(new(big.Rat).Mul(unit, big.NewRat(1000, 1))) > 0 {
		unit.Mul(unit, big.NewRat(10, 1))
	}
	below, err := privacy.NewEpsilon(new(big.Rat).Sub(e.Rat(), unit))
	if err != nil {
		return e
	}
	return below
}

// The proportions tried are 2^(j·stepOfTimes), j from leastTimes to mostTimes.
const (
	leastTimes  = -128
	mostTimes   = 128
	stepOfTimes = 0.125
)

// byImportance returns the ε with the smallest errors in proportion that fit, to within a tenth.
func (d *divider) byImportance(total privacy.Epsilon) (best []privacy.Epsilon, err error) {
	if err := d.apart(math.Exp2(stepOfTimes * mostTimes)); err != nil {
		return nil, err
	}
	low, high := leastTimes-1, mostTimes+1 // high fits, or is beyond all
	for low+1 < high {
		middle := low + (high-low)/2
		found, err := d.within(math.Exp2(stepOfTimes * float64(middle)))
		if err == nil && d.fits(found, total) {
			best, high = found, middle
		} else {
			low = middle
		}
	}
	if best == nil {
		found, err := d.within(math.Exp2(stepOfTimes * mostTimes))
		if err != nil {
			return nil, err
		}
		return nil, d.tooLittle(found, total)
	}
	if !slices.ContainsFunc(best, func(e privacy.Epsilon) bool { return e.Cmp(noise) > 0 }) {
		return nil, Refuse("total", total.String(), phrase.Of("more for %d questions: within it "+
			"each answer is nothing but noise", len(d.parts)))
	}
	return best, nil
}
