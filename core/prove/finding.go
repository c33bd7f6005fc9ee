package prove

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"sort"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/message"
)

// Finding is the result of a demonstration. Its texts are exact where they are short, and otherwise
// rounded to seven digits and marked ≈; its numbers are for drawing.
type Finding struct {
	Request Request `json:"request"`

	Verdict  audit.Verdict `json:"verdict"`
	Sentence string        `json:"sentence"` // the verdict in words
	DataSets int           `json:"dataSets"`
	Pairs    int           `json:"pairs"` // ordered pairs of neighbours, all of which were compared

	Odds  string `json:"odds"`  // e^ε claimed
	Delta string `json:"delta"` // δ claimed
	// e^ε that is needed at this δ, over all pairs; "none" where no number is large enough
	Found string `json:"found"`
	Lost  string `json:"lost"` // δ that is needed at this e^ε, over all pairs

	Epsilon float64 `json:"epsilon"` // claimed, for drawing
	Needed  float64 `json:"needed"`  // ε of Found, 0 for "none"
	Allowed float64 `json:"allowed"` // δ claimed

	// From and To are the pair that is shown; outcomes and curve are about it.
	From     []int     `json:"from"`
	To       []int     `json:"to"`
	Outcomes []Outcome `json:"outcomes"`
	// which outcome tells the two apart best; −1 where none tells anything
	Telling int     `json:"telling"`
	Curve   []Point `json:"curve"`
	Cut     string  `json:"cut,omitempty"` // which noise was not followed, and how it counts

	Replay *Replay `json:"replay"` // of the pair
}

// Outcome is one thing that can be released, with its chances.
type Outcome struct {
	Label string `json:"label"`
	P     string `json:"p"` // its probability for From
	Q     string `json:"q"` // and for To
	Ratio string `json:"ratio"`

	First   float64  `json:"first"` // P and Q for drawing
	Second  float64  `json:"second"`
	Log     *float64 `json:"log"`     // ln(P/Q) for drawing; nil where one of them is 0
	Within  bool     `json:"within"`  // P ≤ e^ε·Q, exactly, with the ε claimed
	Reverse bool     `json:"reverse"` // Q ≤ e^ε·P
}

// Point is the δ that is needed at one ε, in both directions.
type Point struct {
	Epsilon float64 `json:"epsilon"`
	There   float64 `json:"there"` // from From to To
	Back    float64 `json:"back"`
}

// Run computes the exact laws of all data sets and compares all neighbours. step may be nil; its
// units are pairs.
//
// Errors: *param.Error (id, bug, persons, values, base, epsilon, delta, to), and step's own.
// Cost: up to some seconds; step is called every few milliseconds.
func Run(say *message.Language, r Request, step coin.Step) (*Finding, error) {
	d, err := r.Check()
	if err != nil {
		return nil, err
	}
	if step == nil {
		step = func(int64, int64) error { return nil }
	}
	t, space := d.prepare(r.setting()), r.Space()
	total := int64(0)
	for _, rows := range space.DataSets() {
		total += int64(len(space.Neighbours(rows)))
	}
	done := int64(0)
	pause := func() error { return step(done, total) }
	laws := map[string]*coin.Law[outcome]{}
	law := func(rows []int) (*coin.Law[outcome], error) {
		key := fmt.Sprint(rows)
		if laws[key] != nil {
			return laws[key], nil
		}
		computed, err := coin.Enumerate(t.limits, func(src coin.Source) (outcome, error) {
			if err := pause(); err != nil {
				return outcome{}, err
			}
			return t.run(src, rows)
		})
		laws[key] = computed
		return computed, err
	}
	report, err := audit.Run(
		audit.Audit[outcome]{Name: d.ID, Space: space, Claim: t.claim, Law: law},
		func(audit.Figure) error {
			done++
			return pause()
		})
	if err != nil {
		return nil, err
	}
	from, to := r.From, r.To
	if len(from) == 0 {
		worst := report.WorstOdds
		if t.claim.Delta.Sign() > 0 {
			worst = report.WorstDelta
		}
		from, to = worst.From, worst.To
	}
	p, err := law(from)
	if err != nil {
		return nil, err
	}
	q, err := law(to)
	if err != nil {
		return nil, err
	}
	f := &Finding{
		Request: r, Verdict: report.Verdict(), DataSets: report.DataSets, Pairs: report.Pairs,
		Odds: audit.Number(t.claim.Odds), Delta: audit.Number(t.claim.Delta),
		Found: audit.Number(report.Odds), Lost: audit.Number(report.High),
		Epsilon: logOf(t.claim.Odds), Needed: logOf(report.Odds), Allowed: float(t.claim.Delta),
		From: from, To: to, Cut: say.Text(t.cut),
	}
	f.compare(say, p, q, t)
	_, lost := audit.Delta(p, q, t.claim.Odds)
	f.Sentence = f.sentence(say, report, lost.Cmp(t.claim.Delta) > 0)
	if f.Replay, err = replay(say, t, from, to); err != nil {
		return nil, err
	}
	f.Curve, err = curve(p, q, math.Max(1.6*f.Epsilon, 1.2*f.Needed), pause)
	return f, err
}

// compare lists the outcomes of both laws, by their numbers.
func (f *Finding) compare(say *message.Language, p, q *coin.Law[outcome], t trial) {
	all := slices.Clone(p.Outcomes())
	for _, o := range q.Outcomes() {
		if p.Mass(o).Sign() == 0 {
			all = append(all, o)
		}
	}
	sort.Slice(all, func(i, j int) bool { return slices.Compare(all[i][:], all[j][:]) < 0 })
	f.Telling = -1
	most, least := new(big.Rat), new(big.Rat)
	for i, o := range all {
		a, b := p.Mass(o), q.Mass(o)
		shown := Outcome{Label: t.show(say, o), P: audit.Number(a), Q: audit.Number(b),
			Ratio: "none", First: float(a), Second: float(b)}
		within := new(big.Rat).Mul(b, t.claim.Odds)
		excess := within.Sub(a, within)
		shown.Within = excess.Sign() <= 0
		shown.Reverse = new(big.Rat).Mul(a, t.claim.Odds).Cmp(b) >= 0
		// Most telling is the largest ratio for a pure claim, the largest excess for one with a δ.
		measure := excess
		if b.Sign() > 0 {
			ratio := new(big.Rat).Quo(a, b)
			shown.Ratio = audit.Number(ratio)
			if a.Sign() > 0 {
				log := logOf(ratio)
				shown.Log = &log
			}
			if t.claim.Delta.Sign() == 0 {
				measure = ratio
			}
		}
		if impossible := b.Sign() == 0; impossible && t.claim.Delta.Sign() == 0 {
			if a.Cmp(least) > 0 { // of the impossible ones the likeliest, before any ratio
				least, f.Telling = a, i
			}
		} else if least.Sign() == 0 && measure.Cmp(most) > 0 {
			most, f.Telling = measure, i
		}
		f.Outcomes = append(f.Outcomes, shown)
	}
}

// sentence says whether the claim holds; broken tells whether the pair shown breaks it.
func (f *Finding) sentence(say *message.Language, report *audit.Report, broken bool) string {
	claim := report.Claim
	all := say.Format("all %d pairs of neighbours", f.Pairs)
	switch {
	case f.Verdict == audit.Undecided:
		return say.Text("Undecided: too much of the noise was not followed.")
	case f.Verdict == audit.Holds && claim.Delta.Sign() == 0:
		return say.Format("Holds. If any person is replaced, no outcome becomes more than %s "+
			"times as likely: the largest ratio over %s is %s.",
			f.Odds, all, f.Found)
	case f.Verdict == audit.Holds:
		return say.Format("Holds. If any person is replaced, no set of outcomes becomes more "+
			"than %s times as likely, except with probability %s. Over %s that probability is at "+
			"most %s.",
			f.Odds, f.Delta, all, f.Lost)
	}
	if !broken {
		return say.Format("Fails, though not for this pair: over %s a δ of %s is needed.",
			all, f.Lost)
	}
	o := f.Outcomes[f.Telling]
	switch {
	case o.Second == 0:
		allowed := ""
		if claim.Delta.Sign() > 0 {
			allowed = " " + say.Format("Claimed was that this has a probability of %s at most.",
				f.Delta)
		}
		return say.Format("Fails: the outcome “%s” has probability %s for the first data set and "+
			"is impossible for the second. Anyone who sees it knows which of the two it was.%s",
			o.Label, o.P, allowed)
	case claim.Delta.Sign() > 0:
		return say.Format("Fails: a probability of %s may lie outside e^ε = %s, and %s does. The "+
			"outcome “%s”, with probability %s for the first data set and %s for the second, "+
			"adds the most.",
			f.Delta, f.Odds, f.Lost, o.Label, o.P, o.Q)
	}
	return say.Format("Fails: the outcome “%s” is %s times as likely for the first data set as "+
		"for the second; the claim is at most %s times%s.",
		o.Label, o.Ratio, f.Odds, f.hair(say, report))
}

// hair describes a claim that is broken by less than the digits show.
func (f *Finding) hair(say *message.Language, report *audit.Report) string {
	if report.Odds == nil {
		return ""
	}
	over := new(big.Rat).Quo(report.Odds, report.Claim.Odds)
	if part := float(over.Sub(over, big.NewRat(1, 1))); part > 0 && part < 1e-6 {
		return say.Format(
			": too much by a part of %.2g, which exact arithmetic sees and rounded numbers do not",
			part)
	}
	return ""
}

// points is the number of points on a curve.
const points = 41

// curve computes the exact δ at odds from 1 up to about e^most, rationals with a denominator of
// 4096.
func curve(p, q *coin.Law[outcome], most float64, pause func() error) ([]Point, error) {
	list := make([]Point, points)
	most = math.Min(math.Max(most, 0.5), 30)
	for i := range list {
		if err := pause(); err != nil {
			return nil, err
		}
		odds := big.NewRat(int64(math.Round(math.Exp(most*float64(i)/(points-1))*4096)), 4096)
		_, there := audit.Delta(p, q, odds)
		_, back := audit.Delta(q, p, odds)
		list[i] = Point{logOf(odds), float(there), float(back)}
	}
	return list, nil
}

func float(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}

// logOf returns ln x for drawing; 0 for nil.
func logOf(x *big.Rat) float64 {
	if x == nil {
		return 0
	}
	return math.Log(float(x))
}
