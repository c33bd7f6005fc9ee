package task

import (
	"hush/core/ask"
	"hush/core/basic"
	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// What an answer says of its own error.
const (
	paramStated = "stated"
	proven      = "proven"
	given       = "measured"
)

// statedParam chooses between a bound that is proven for any data and a measured one. Recipes
// without it are of a time when there was only the former.
var statedParam = ask.Param{
	Name: paramStated, Label: "How far off the answer is", Kind: ask.Chosen, Default: proven,
	Start: given,
	Choices: []ask.Choice{
		{Value: given, Label: "measure it, for a part of the privacy loss"},
		{Value: proven, Label: "state the bound for any data"},
	},
	Help: "Measured: one more noisy number bounds how many people the answer is off by. Proven: " +
		"the bound holds for any data, and is often ten times as large.",
	Effect: "Measuring takes a part of the privacy loss, at most a quarter. The answer itself is " +
		"then a little less exact, but its error is known far better.",
}

// certificate measures how far off an answer is; nil: nothing is measured.
type certificate struct{ largest *mechanism.LargestError }

// The part of ε that a certificate takes, in percent. With a part s an answer that is off by e
// people at all of ε is off by about e/(1 − s), and ln(10)/(s·ε) is added to that: together least
// where s/(1 − s) is √(ln(10)/(e·ε)). e·ε is about 10 for nine quantiles (.32), 60 for ninety-nine
// (.16) and 70 for all percentiles (.15). The error of the answer itself grows by 1/(1 − s), too,
// which is why several values get the least of these. One value has e·ε of about 1 and would want
// .6: it gets a quarter, so that the value itself is off by no more than a third more.
const (
	oneShare  = 25
	manyShare = 15
)

// everyCount stands for more values than one, where the counts at all of them are released.
const everyCount = 2

// certify takes the part of ε that a certificate costs, of an answer of the given number of values
// in each group, and returns the rest. Runs that are compared with each other have none.
func certify(q *ask.Query, epsilon privacy.Epsilon, values int) (*certificate, privacy.Epsilon,
	error) {
	if q.Trial || q.Param(paramStated) != given {
		return nil, epsilon, nil
	}
	return newCertificate(epsilon, values)
}

// newCertificate takes its part of ε, and returns the rest.
func newCertificate(epsilon privacy.Epsilon, values int) (*certificate, privacy.Epsilon, error) {
	percent := int64(manyShare)
	if values == 1 {
		percent = oneShare
	}
	largest, err := mechanism.NewLargestError(
		mechanism.LargestErrorParams{Epsilon: epsilon.Part(percent, 100)})
	return &certificate{largest}, epsilon.Part(100-percent, 100), err
}

// certified is certify with all that a query may spend: it returns the query with the rest.
func certified(q *ask.Query, values int) (*certificate, *ask.Query, error) {
	c, epsilon, err := certify(q, q.Epsilon, values)
	rest := *q
	rest.Epsilon = epsilon
	return c, &rest, err
}

// with adds what the certificate costs to the loss of the answer.
func (c *certificate) with(answer privacy.Loss, err error) (privacy.Loss, error) {
	if c == nil || err != nil {
		return answer, err
	}
	loss, err := c.largest.Loss(1)
	return answer.Plus(loss), err
}

// ofPerson is the loss of a person with several entries: the answer's and the certificate's, each
// for all entries (Theorem 1 of core/mechanism's largesterror.md), so that what measures adds
// nothing to the δ.
func (c *certificate) ofPerson(q *ask.Query,
	answer func(privacy.Distance) (privacy.Loss, error)) (loss privacy.Loss, ok bool, err error) {
	each, err := answer(1)
	if c == nil || err != nil || each.Delta().Sign() == 0 {
		return loss, false, err
	}
	entries := privacy.Distance(q.Recipe.Use.Entries())
	whole, err := each.Group(entries)
	if err != nil {
		return loss, false, err
	}
	loss, err = c.largest.Loss(entries)
	return whole.Plus(loss), true, err
}

// typical is about what will be stated of an answer that is off by so much.
func (c *certificate) typical(off float64) float64 {
	return off + float64(c.largest.Margin(basic.Beta))
}

// expected is the error that a verdict before the release goes by: about what will be stated, or
// without a certificate what is usual.
func (c *certificate) expected(p ask.Prepared, about float64) ask.Against {
	if c == nil {
		return usual(p, about)
	}
	off, _ := p.Typical()
	return ask.Typically(c.typical(off), about)
}

// stated is the error that a verdict after the release goes by.
func (c *certificate) stated(p ask.Prepared, off int64, about float64) ask.Against {
	if c == nil {
		return usual(p, about)
	}
	return ask.Within(float64(off), about)
}

// measure says by how many of n people a result is off at most, in 95 of 100 releases given the
// result.
func (c *certificate) measure(src coin.Source, p tunable, result ask.Result, data ask.Data,
	n int64, step coin.Step) (int64, error) {
	points, _, err := p.score(result, data, step)
	if err != nil {
		return 0, err
	}
	perfect, _ := p.perfect()
	return c.release(src, perfect-points, n), nil
}

// release is what is stated where the largest error is this.
func (c *certificate) release(src coin.Source, largest, n int64) int64 {
	return min(c.largest.Within(c.largest.Release(src, largest), basic.Beta), n)
}

// forecast is the line on what will be measured.
func (c *certificate) forecast(q *ask.Query, p ask.Prepared) []ask.Forecast {
	if c == nil {
		return nil
	}
	off, _ := p.Typical()
	return []ask.Forecast{{Label: q.Say.Text("Measured with the answer"),
		Value: q.Say.Format("off by at most about %s", q.CountUp(min(c.typical(off),
			float64(q.People)))),
		Detail: q.Say.Text("the number you will see depends on the data: it holds in 95 of 100 " +
			"releases, and is typically this")}}
}
