package task

import (
	"hush/core/ask"
	"hush/core/basic"
	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// What an answer states about its own error.
const (
	paramStated = "stated"
	proven      = "proven"
	given       = "measured"
)

// statedParam chooses between a bound that is proven for any data and a measured one. Recipes
// without it date from a time when only the former existed.
var statedParam = ask.Param{
	Name: paramStated, Label: "How far off the answer is", Kind: ask.Chosen, Default: proven,
	Start: given,
	Choices: []ask.Choice{
		{Value: given, Label: "measure it, for a part of the privacy loss"},
		{Value: proven, Label: "state the bound for any data"},
	},
	Help: "Measured: one more noisy number bounds the number of people by which the answer is " +
		"off. Proven: the bound holds for any data, and is often ten times as large.",
	Effect: "Measuring takes a part of the privacy loss, at most a quarter. The answer itself is " +
		"then a little less exact, but its error is known far better.",
}

// certificate measures how far off an answer is; it is nil where nothing is measured.
type certificate struct{ largest *mechanism.LargestError }

// The part of ε that a certificate takes, in percent. With a part s, an answer that is off by e
// people at all of ε is off by about e/(1 − s), and the certificate adds ln(10)/(s·ε): the sum is
// least where s/(1 − s) is √(ln(10)/(e·ε)). e·ε is about 10 for nine quantiles (.32), 60 for
// ninety-nine (.16) and 70 for all percentiles (.15). The error of the answer itself grows by 1/(1
// − s), too, which is why several values get the least of these. One value has e·ε of about 1 and
// would need .6: it gets a quarter, so that its own error grows by no more than a third.
const (
	oneShare  = 25
	manyShare = 15
)

// everyCount stands for several values where the counts at all of them are released.
const everyCount = 2

// certify takes the part of ε for the certificate of an answer with the given number of values in
// each group, and returns the rest. Runs that are compared with each other have no certificate.
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

// certified is certify for a query: it returns the query with the rest of ε.
func certified(q *ask.Query, values int) (*certificate, *ask.Query, error) {
	c, epsilon, err := certify(q, q.Epsilon, values)
	rest := *q
	rest.Epsilon = epsilon
	return c, &rest, err
}

// with adds the loss of the certificate to that of the answer.
func (c *certificate) with(answer privacy.Loss, err error) (privacy.Loss, error) {
	if c == nil || err != nil {
		return answer, err
	}
	loss, err := c.largest.Loss(1)
	return answer.Plus(loss), err
}

// ofPerson returns the loss of a person with several entries: of the answer and of the certificate,
// each for all entries (Theorem 1 of core/mechanism's largesterror.md), so that measuring adds
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

// typical is roughly the error that will be stated for an answer that is off by off.
func (c *certificate) typical(off float64) float64 {
	return off + float64(c.largest.Margin(basic.Beta))
}

// expected returns the error for a verdict before the release: roughly the one that will be stated,
// or the usual one without a certificate.
func (c *certificate) expected(p ask.Prepared, about float64) ask.Against {
	if c == nil {
		return usual(p, about)
	}
	off, _ := p.Typical()
	return ask.Typically(c.typical(off), about)
}

// stated returns the error for a verdict after the release.
func (c *certificate) stated(p ask.Prepared, off int64, about float64) ask.Against {
	if c == nil {
		return usual(p, about)
	}
	return ask.Within(float64(off), about)
}

// measure returns a number of people, out of n, that the error of a result does not exceed in 95 of
// 100 releases given the result.
func (c *certificate) measure(src coin.Source, p tunable, result ask.Result, data ask.Data,
	n int64, step coin.Step) (int64, error) {
	points, _, err := p.score(result, data, step)
	if err != nil {
		return 0, err
	}
	perfect, _ := p.perfect()
	return c.release(src, perfect-points, n), nil
}

// release returns the error to state if the largest error is largest.
func (c *certificate) release(src coin.Source, largest, n int64) int64 {
	return min(c.largest.Within(c.largest.Release(src, largest), basic.Beta), n)
}

// forecast is the line about the error that will be measured.
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
