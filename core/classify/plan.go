package classify

import (
	"math"
	"math/big"
	"strconv"

	"hush/core/coin"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
)

// The search for a plan and its forecast are in floating point: they depend on public quantities
// only, and what is found is proved afterwards (Answers.build). Proof: answers.md, Theorem 2.

// Forecast states how good answers will be, except with probability Beta: as fractions of the
// cases, for cases that are like the persons.
type Forecast struct {
	// Unstable bounds the mean part of cases that are unstable, or not labelled as the relabelled
	// persons are.
	Unstable float64 `json:"unstable"`

	// Choice is how many more mistakes, in parts of the persons drawn, the rule that relabels them
	// makes than the best of the class; 0 if Plain, where instead some rule of the class is taken
	// to make no mistake.
	Choice float64 `json:"choice"`

	// Sampling is what a rule can be worse for the cases than for the persons drawn, and the best
	// rule better.
	Sampling float64 `json:"sampling"`
}

// Excess bounds the fraction of cases labelled wrongly beyond the best rule of the class.
func (f Forecast) Excess() float64 { return min(1, f.Unstable+f.Choice+f.Sampling) }

// worstUnstable is the largest fraction of unstable cases that a plan may have.
const worstUnstable = 0.25

// mostWork bounds Class.Work(Rows): half a minute in a browser.
const mostWork = 1 << 30

// Forecast returns the forecast of the plan.
func (a *Answers) Forecast() Forecast {
	d := draft{rows: float64(a.plan.Rows), rules: float64(a.plan.Rules)}
	if a.relabel != nil {
		d.base = a.relabel.base
	}
	d.needed = float64(a.votes.Needed(a.beta))
	return d.forecast(a.class, a.beta)
}

// draft is a plan in floating point.
type draft struct {
	rows, rules, unstable float64
	needed                float64   // distance that a case needs to be answered
	base                  coin.Base // 1 if Plain
	votes                 *big.Rat
}

func (d draft) forecast(class Class, beta float64) (f Forecast) {
	n := int(d.rows)
	wrong := class.LearnedError(int(d.rows/d.rules), n)
	f.Unstable = 1
	// A case of smaller distance has more than this many of the rules against the label.
	if against := 0.5 - (d.needed+0.5)/d.rules; against > 0 {
		f.Unstable = min(1, wrong/against)
	}
	growth := class.LogGrowth(n)
	if !d.base.IsOne() {
		f.Choice = min(1, (growth-math.Log(beta))/(d.rows*d.base.Log()))
	}
	f.Sampling = min(1, math.Sqrt(2*growth/d.rows)+2*math.Sqrt(math.Log(2/beta)/(2*d.rows)))
	return f
}

// enough reports whether, except with probability beta, fewer than the allowed number of queries
// are unstable, each with a chance of at most share (Chernoff), or whether all may be.
func enough(allowed, queries, share, beta float64) bool {
	switch p := allowed / queries; {
	case p >= 1 || share <= 0:
		return true
	case p <= share:
		return false
	default:
		divergence := p*math.Log(p/share) + (1-p)*math.Log((1-p)/(1-share))
		return queries*divergence >= -math.Log(beta)
	}
}

// solve finds the plan with the best forecast.
func (p AnswersParams) solve() (*Plan, error) {
	best, ok := p.best(float64(p.Persons), float64(p.Queries))
	if !ok {
		return nil, p.cannot()
	}
	votes, err := privacy.NewEpsilon(best.votes)
	if err != nil {
		return nil, err // unreachable: a draft's ε is positive
	}
	return &Plan{Rows: uint64(best.rows), Rules: uint64(best.rules),
		Unstable: uint64(best.unstable), Base: best.base, VoteEpsilon: votes}, nil
}

// Sketch returns nearly the forecast of what NewAnswers would make, and whether it would make
// anything. It proves nothing, and takes a small part of the time: for curves.
func (p AnswersParams) Sketch() (Forecast, bool) {
	if p.check() != nil {
		return Forecast{}, false
	}
	d, ok := p.best(float64(p.Persons), float64(p.Queries))
	if !ok {
		return Forecast{}, false
	}
	return d.forecast(p.Class, p.Beta), true
}

// cannot says which parameters would suffice.
func (p AnswersParams) cannot() error {
	fits := func(persons, queries float64) bool { _, ok := p.best(persons, queries); return ok }
	n, m := float64(p.Persons), float64(p.Queries)
	persons := func(queries float64) phrase.Phrase {
		for more := 2 * n; more <= 1<<32; more *= 2 {
			if fits(more, queries) {
				return phrase.Of("at least %.0f persons for %.0f",
					bisect(more, more/2, func(x float64) bool { return fits(x, queries) }), queries)
			}
		}
		return phrase.Of("a larger ε, or columns of fewer values, for %.0f", queries)
	}
	if !fits(n, 1) {
		want := phrase.Of("%s case", persons(1))
		if m > 1 {
			want = phrase.Glue(want, ", ", persons(m))
		}
		return param.New("classify", "persons",
			phrase.Plain(strconv.FormatUint(p.Persons, 10)), want)
	}
	most := bisect(1, m, func(x float64) bool { return fits(n, x) })
	return refuse("queries", strconv.FormatUint(p.Queries, 10),
		"at most %.0f from so few persons, or %s", most, persons(m))
}

// bisect returns the whole number nearest to bad that fits, where good fits and bad does not.
func bisect(good, bad float64, fits func(float64) bool) float64 {
	for math.Abs(good-bad) > max(1, 0.01*min(good, bad)) {
		if middle := math.Round((good + bad) / 2); fits(middle) {
			good = middle
		} else {
			bad = middle
		}
	}
	return good
}

// best searches the plans; ok reports whether a plan suffices.
func (p AnswersParams) best(persons, queries float64) (best draft, ok bool) {
	least := math.Inf(1)
	for _, d := range p.splits(persons) {
		for t := 1.0; t <= queries; t = max(t+1, math.Floor(t*1.4)) {
			d.unstable = t
			d.needed = p.needed(d, queries, persons)
			for _, factor := range []float64{2.3, 2.7, 3.2, 4, 5, 7, 10} {
				d.rules = 2*math.Floor(factor*d.needed/2) + 3
				if d.rules > d.rows {
					break
				}
				f := d.forecast(p.Class, p.Beta)
				if sum := f.Unstable + f.Choice + f.Sampling; sum < least &&
					f.Unstable <= worstUnstable && enough(t, queries, f.Unstable, p.Beta) {
					best, least, ok = d, sum, true
				}
			}
		}
	}
	return best, ok
}

// splits returns ways to divide ε: a base for the choice of labels, an ε for the votes, and as many
// persons drawn as both together allow.
func (p AnswersParams) splits(persons float64) (all []draft) {
	epsilon := p.Epsilon.Rat()
	if p.Plain {
		return []draft{{rows: persons, votes: epsilon}}
	}
	for _, ratio := range [][2]int64{{17, 16}, {5, 4}, {2, 1}} {
		base, err := coin.NewBase(ratio[0], ratio[1])
		if err != nil {
			continue // unreachable: these are bases
		}
		cost := base.Rat()
		cost.Add(cost, oneRat)
		cost = privacy.LogUp(cost.Mul(cost, cost))
		tries := []*big.Rat{big.NewRat(1, 8), big.NewRat(1, 4), big.NewRat(1, 2), big.NewRat(3, 4),
			big.NewRat(1, 1), big.NewRat(3, 2), big.NewRat(2, 1)}
		if rest := new(big.Rat).Sub(epsilon, cost); rest.Sign() > 0 {
			tries = append(tries, floorTo(rest, 1<<20))
		}
		for _, votes := range tries {
			if votes.Sign() == 0 {
				continue
			}
			rows := persons
			if inner := new(big.Rat).Add(votes, cost); inner.Cmp(epsilon) > 0 {
				// ln(1 + rate·(e^inner − 1)) ≤ ε
				rate := new(big.Rat).Sub(privacy.ExpDown(epsilon), oneRat)
				rate.Quo(rate, inner.Sub(privacy.ExpUp(inner), oneRat))
				of, _ := rate.Float64()
				rows = math.Floor(persons * of * (1 - 1e-12))
			}
			enumerable := p.Class.(Enumerable)
			if enumerable.Work(int(rows)) > mostWork {
				rows = bisect(0, rows, func(x float64) bool {
					return enumerable.Work(int(x)) <= mostWork
				})
			}
			if rows >= 1 {
				all = append(all, draft{rows: rows, base: base, votes: votes})
			}
		}
	}
	return all
}

// floorTo rounds down to a multiple of 1/unit.
func floorTo(x *big.Rat, unit int64) *big.Rat {
	scaled := new(big.Int).Mul(x.Num(), big.NewInt(unit))
	return new(big.Rat).SetFrac(scaled.Div(scaled, x.Denom()), big.NewInt(unit))
}

// needed approximates StableVotes.Needed.
func (p AnswersParams) needed(d draft, queries, persons float64) float64 {
	delta := min(p.Delta.Float64()*persons/d.rows, 0.25)
	changes := 1.0
	if p.Method == Bootstrap {
		delta /= 2
		most, _ := repeats(new(big.Rat).SetFloat64(delta))
		changes = float64(most)
	}
	epsilon, _ := d.votes.Float64()
	each := epsilon / d.unstable
	if d.unstable > 1 { // ρ-zCDP of T runs, at (ε, δ/2)
		log := math.Log(2 / delta)
		root := math.Sqrt(log+epsilon) - math.Sqrt(log)
		if composed := root * math.Sqrt(2/d.unstable); composed > each {
			each = composed
			delta /= 2
		}
	}
	runs, asked := changes*12/(5*each), 2*changes*12/(7*each) // 1/ln r of either noise
	miss := math.Log(d.unstable * (queries + 1) / p.Beta)
	return asked*(math.Log(2*queries/delta)+miss) + runs*(math.Log(2*d.unstable/delta)+miss) +
		changes
}
