package task

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/mechanism"
	"hush/core/message"
	"hush/core/meter"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Winner is the best of several possible answers, chosen privately.
type Winner struct {
	Value string `json:"value"` // empty: nothing was frequent enough
	// Behind is a bound: with probability 95 % the winner's score is at most Behind below the best
	// one's; empty where no such bound is proven, in lessons only.
	Behind string `json:"behind"`
	Score  string `json:"score"` // the unit of scores: "people"
	// Count is the winner's noisy score, off by at most Error with probability 95 %; empty where it
	// was not released.
	Count string `json:"count,omitempty"`
	Error string `json:"error,omitempty"`
	// Reached is shown in lessons only.
	Reached *Reached `json:"reached,omitempty"`

	number winning // the numbers in the texts, for a release that was just made
}

// winning holds the numbers of a Winner.
type winning struct{ count, off, behind float64 }

// against returns the verdict on the errors of the choice and of the count, judged against the
// count.
func (w winning) against(behind float64) ask.Verdict {
	return ask.Within(behind, w.count).Verdict().Worse(ask.Within(w.off, w.count).Verdict())
}

const (
	paramCounted = "counted"

	selectFlip   = "flip"
	selectMargin = "margin"

	mostCandidates = 1 << 20
)

// selectorParam chooses the mechanism that chooses among counts.
var selectorParam = ask.Param{
	Name: paramSelector, Label: "Algorithm", Kind: ask.Chosen, Default: auto, Rivals: true,
	Taught: contestChoices,
	Choices: []ask.Choice{{Value: auto, Label: "the one that suits the number of possible values"},
		{Value: selectFlip, Label: "permute and flip, among all possible values"},
		{Value: selectMargin, Label: "among values that somebody has (margin-based)"}},
	Help:   "The choice rests on public facts alone: how many values are possible, and ε.",
	Effect: "Both keep ε; the second needs a δ too, and gives nothing where no value is frequent.",
}

var countParam = ask.Param{
	Name: paramCounted, Label: "Release how many, too", Kind: ask.Flag, Default: "true",
	Help:   "A quarter of the privacy loss goes there.",
	Effect: "Without it, all of the privacy loss goes to the choice.",
}

var modeTask = ask.Task{
	ID:        "mode",
	Title:     "Most frequent value",
	Question:  "Which value, or which group, is the most frequent?",
	Sentence:  "What is the most common {column}?",
	Heading:   "Most common {column}",
	Synonyms:  "mode, most common, winner, top, favourite, plurality, vote, argmax, noisy max",
	Answer:    "one value, and about how many people have it",
	Algorithm: "permute and flip, or a choice among the values that somebody has",
	How: "The score of a value is the number of people who have it. One value is drawn at " +
		"random, and each person fewer makes a value less likely by the same factor. If very " +
		"many values are possible, only values that somebody has take part, beside “nothing”, " +
		"whose weight a few people cannot reach.",
	Simple: "Drawing among all possible values is the simple mechanism, needs no δ, and is " +
		"better while they can be listed. The other one is for unbounded values, such as texts. " +
		"The methods that only lessons offer are for candidates that can only be run: with many " +
		"of them random stopping is better than splitting the budget. " +
		whereSearchesPay,
	Source: "McKenna, Sheldon 2020; Smith, Thakurta 2013; Liu, Talwar 2019",
	Limits: "A value that leads by fewer people than the error may lose. The runner-up is not " +
		"shown.",
	Judged: "Before release: by how many people it may be behind the best, against n divided by " +
		"the number of values, or by ten; left open if an answer a thousandth of that size would " +
		"not be good. After: both that and the error of the count, against the number of people " +
		"with the value.",
	Domains: []domain.Kind{domain.Category, domain.Integer, domain.Decimal, domain.Date,
		domain.Timestamp, domain.Text, domain.Bytes},
	Params: []ask.Param{selectorParam, countParam, ask.AllowedDeltaParam},
	Example: &ask.Example{
		Sample: "clinic",
		Recipe: ask.Recipe{Column: 3, Label: "district",
			Domain: domain.Spec{
				Kind:       domain.Category,
				Categories: []string{"Harbour", "Hill", "Market", "Mill", "Old Town", "Park"}}}},
	Films:    []string{"flip"},
	Costs:    ask.Costs{"": "mechanism.PermuteAndFlip"},
	Exact:    exactWinner,
	Unframed: "which value is released depends on the data, and so does its count",
	Prepare:  prepareMode,
}

// mode chooses a value by one of two mechanisms.
type mode struct {
	query  *ask.Query
	size   *big.Int
	flip   *mechanism.PermuteAndFlip
	stable *mechanism.StableChoice
	taught *contest // replaces them in lessons
	behind int64
	count  *mechanism.Laplace // nil: none
}

func prepareMode(q *ask.Query) (ask.Prepared, error) {
	if err := q.CheckPersons(basic.MaxPeople); err != nil {
		return nil, err
	}
	m := &mode{query: q, size: q.Domain.Size()}
	epsilon := q.Epsilon
	var err error
	if q.Flag(paramCounted) {
		if m.count, err = mechanism.NewLaplace(
			mechanism.LaplaceParams{Epsilon: q.Epsilon.Part(1, 4), L1Sensitivity: 1}); err != nil {
			return nil, err
		}
		epsilon = q.Epsilon.Part(3, 4)
	}
	listed := m.size.Cmp(big.NewInt(mostCandidates)) <= 0
	chosen := q.Param(paramSelector)
	if slices.ContainsFunc(contestChoices, func(c ask.Choice) bool { return c.Value == chosen }) {
		if m.taught, err = newContest(q, chosen, epsilon, m.size); err != nil {
			return nil, err
		}
		m.behind = m.taught.ErrorBound()
		return m, nil
	}
	if chosen == selectFlip && !listed {
		return nil, ask.Refuse(paramSelector, fmt.Sprintf("%q", chosen),
			phrase.Of("the other one: more than 2^20 values are possible"))
	}
	if chosen != selectMargin && listed {
		if m.flip, err = mechanism.NewPermuteAndFlip(
			mechanism.PermuteAndFlipParams{Epsilon: epsilon, Sensitivity: 1}); err != nil {
			return nil, err
		}
		m.behind = m.flip.ErrorBound(basic.Beta, m.size)
		return m, nil
	}
	delta, err := q.AllowedDelta()
	if err != nil {
		return nil, err
	}
	if delta.IsZero() {
		return nil, ask.Refuse(ask.ParamDelta, q.Param(ask.ParamDelta),
			phrase.Of("auto, or a number above 0: this algorithm needs one"))
	}
	if m.stable,
		err = mechanism.NewStableChoice(
		mechanism.StableChoiceParams{Epsilon: epsilon, Delta: delta, Newcomers: 1}); err != nil {
		return nil, err
	}
	m.behind = m.stable.ErrorBound(basic.Beta, big.NewInt(max(q.People, 1)))
	return m, nil
}

func (m *mode) Loss() (loss privacy.Loss, err error) {
	switch {
	case m.taught != nil:
		loss, err = m.taught.Loss(1)
	case m.flip != nil:
		loss, err = m.flip.Loss(1)
	default:
		loss, err = m.stable.Loss(1)
	}
	if err != nil || m.count == nil {
		return loss, err
	}
	count, err := m.count.Loss(1)
	return loss.Plus(count), err
}

func (m *mode) Algorithm() string {
	switch {
	case m.taught != nil:
		return m.taught.name
	case m.flip != nil:
		return m.query.Say.Text("permute and flip")
	}
	return m.query.Say.Text("choice among the values that somebody has")
}

func (m *mode) Bound() float64 { return float64(m.behind) }

// Typical is the error on counts of made-up people.
func (m *mode) Typical() (off float64, exact bool) {
	switch s := mechanism.CountsOf(m.size, m.query.People); {
	case m.taught != nil:
		return float64(m.behind) / 3, false
	case m.flip != nil:
		return m.flip.TypicalError(s), false
	}
	return m.stable.TypicalError(
		mechanism.CountsOf(big.NewInt(max(m.query.People, 1)), m.query.People)), false
}

func (m *mode) Unit() ask.Unit { return m.query.InPeople("%s behind the most frequent") }

func (m *mode) Forecast() []ask.Forecast {
	if m.taught != nil {
		return append(slices.Clone(m.taught.facts),
			ask.Forecast{Label: m.query.Say.Text("Used"), Value: m.Algorithm(),
				Detail: m.query.Say.Text(
					"you chose it: a lesson compares, and nothing is published by it")},
			promise(m.query.Say))
	}
	n := m.query.People
	list := []ask.Forecast{
		{Label: m.query.Say.Text("Behind the most frequent value by at most"),
			Value: m.query.Count(m.behind),
			Detail: m.query.Say.Format("in 95 of 100 releases; %s of all %s",
				percentOf(m.query.Say, m.behind, n), m.query.Count(n))}}
	if m.stable != nil {
		needed := m.stable.NeededScore(basic.Beta)
		list = append(list,
			ask.Forecast{Label: m.query.Say.Text("A value is found from"),
				Value: m.query.Count(needed),
				Detail: m.query.Say.Text(
					"in 95 of 100 releases; with fewer there may be no answer")})
	}
	if m.count != nil {
		list = append(list,
			ask.Forecast{Label: m.query.Say.Text("How many have it"),
				Value:  "± " + m.query.Count(m.count.ErrorBound(basic.Beta)),
				Detail: m.query.Say.Text("in 95 of 100 releases")})
	}
	return append(list,
		ask.Forecast{Label: m.query.Say.Text("Used"), Value: m.Algorithm(),
			Detail: m.query.Say.Format("since %s values are possible", m.size.String())})
}

// share is the assumed number of people with the most frequent value: an equal share of at most ten
// values, since among more of them it is assumed to stand out.
func (m *mode) share() float64 {
	values := big.NewInt(mostEqual)
	if m.size.Cmp(values) < 0 {
		values = m.size
	}
	return float64(m.query.People) / float64(max(values.Int64(), 1))
}

const mostEqual = 10

// Judge compares how far the choice may be behind the best with an equal share and, after the
// release, with the number of people who have the value.
func (m *mode) Judge(r ask.Result) ask.Verdict {
	people := float64(m.query.People)
	v := ask.Within(m.Bound(), people).Verdict()
	if r == nil {
		v = m.query.Before(m.Bound(), m.share(), m.query.CountUp, m.query.CountUp,
			"an equal share of the people, or a tenth of them")
		if v.Grade == ask.Unknown {
			v.Text = m.query.Say.Format("Up to %s fewer may have it than have the most frequent "+
				"value: good to publish where %s or more have that.", m.query.CountUp(v.Error),
				v.From)
		}
		return v
	}
	switch out := r.(*Winner); {
	case out.Value == "":
		v.Grade = ask.Noise
		v.Text = m.query.Say.Format("No value of %s is frequent enough to be named.", m.query.Label)
		return v
	case out.Count != "":
		return m.query.Because(out.number.against(m.Bound()), m.query.CountUp,
			"how many have the value")
	}
	return m.query.Because(v, m.query.CountUp, againstAll)
}

func (m *mode) Run(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	counts, err := countsOf(values(data.Main), step)
	if err != nil {
		return nil, err
	}
	out := &Winner{Behind: fmt.Sprint(m.behind), Score: m.query.Many()}
	if m.taught != nil {
		out.Behind = ""
	}
	code, chosen, drawn, err := m.choose(src, counts, step)
	if err != nil {
		return nil, err
	}
	if m.query.Taught {
		out.Reached = m.reached(counts, code, chosen, drawn)
	}
	if !chosen {
		return out, nil
	}
	out.Value = m.query.Domain.Decode(code)
	if m.count != nil {
		count, off := m.count.AddTo(src, counts[code]), m.count.ErrorBound(basic.Beta)
		out.Count, out.Error = fmt.Sprint(count), fmt.Sprint(off)
		out.number.count, out.number.off = float64(count), float64(off)
	}
	return out, nil
}

// choose returns the value chosen, and how many candidates took part.
func (m *mode) choose(src coin.Source, counts map[uint64]int64,
	step coin.Step) (code uint64, chosen bool, drawn int64, err error) {
	if m.stable == nil {
		scores := make([]int64, m.size.Uint64())
		for code, n := range counts {
			scores[min(code, uint64(len(scores)-1))] += n
		}
		i, drawn := 0, int64(len(scores))
		if m.taught != nil {
			i, drawn, err = m.taught.Release(src, scores, step)
		} else {
			i, err = m.flip.Release(src, scores, nil)
		}
		return uint64(max(i, 0)), err == nil && i >= 0, drawn, err
	}
	codes := make([]uint64, 0, len(counts))
	for code := range counts {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	scores := make([]int64, len(codes))
	for i, code := range codes {
		scores[i] = counts[code]
	}
	meter.Label(src, func(i int) string { return strconv.FormatUint(codes[i], 10) })
	i, chosen, err := m.stable.Release(src, scores, nil)
	if err != nil || !chosen {
		return 0, false, int64(len(codes)), err
	}
	return codes[i], true, int64(len(codes)), nil
}

// reached describes a choice in a lesson: its rank among all possible values, or among those that
// somebody has where there are too many values to list.
func (m *mode) reached(counts map[uint64]int64, code uint64, chosen bool, drawn int64) *Reached {
	r := &Reached{Drawn: drawn}
	others := float64(len(counts) - 1)
	if m.stable == nil {
		others = float64(m.size.Uint64() - 1)
	}
	if !chosen {
		return r
	}
	if others < 1 {
		r.Percentile = 100
		return r
	}
	fewer := others - float64(len(counts)-1)
	if counts[code] == 0 {
		fewer = 0 // nor does anybody have the values without a count
	}
	for other, n := range counts {
		if other != code && n < counts[code] {
			fewer++
		}
	}
	r.Percentile = 100 * fewer / others
	return r
}

// countsOf counts the persons with each value.
func countsOf(values basic.Values, step coin.Step) (map[uint64]int64, error) {
	personsAt := personsIn(values)
	counts := map[uint64]int64{}
	for i := range values.Len() {
		if step != nil && i%(1<<18) == 0 {
			if err := step(0, 1); err != nil {
				return nil, err
			}
		}
		persons := min(personsAt(i), basic.MaxPeople)
		if code, ok := values.Code(i); ok && persons > 0 {
			counts[code] += int64(persons)
		}
	}
	return counts, nil
}

func (m *mode) State(result ask.Result) string {
	r := result.(*Winner)
	lesson := ""
	if r.Reached != nil {
		lesson = " " + m.query.Say.Format("%.0f %% of the other values are less frequent; it "+
			"took %s candidates. A release reveals neither.",
			r.Reached.Percentile,
			shortCount(m.query.Say, uint64(r.Reached.Drawn)))
	}
	switch {
	case r.Value == "" && m.taught != nil:
		return m.query.Say.Format("No value of %s was found.", m.query.Label) + lesson
	case r.Value == "":
		return m.query.Say.Format("No value of %s is frequent enough to be named.", m.query.Label) +
			lesson
	}
	text := m.query.Say.Format("%s is the most common %s", Capital(m.query.Value(r.Value)),
		m.query.Label)
	if r.Behind != "" {
		text = m.query.Say.Format("%s is the most common %s, or at most %s behind the most "+
			"common one (in 95 of 100 releases)",
			Capital(m.query.Value(r.Value)), m.query.Label,
			m.query.Count(m.behind))
	}
	if r.Count != "" {
		text += m.query.Say.Format(": about %s %s (± %s in 95 of 100 releases)",
			message.GroupedText(r.Count), m.query.Many(), message.GroupedText(r.Error))
	}
	text += "."
	return text + lesson
}

// Kind is "winner".
func (*Winner) Kind() string { return "winner" }

// Table is the winner.
func (w *Winner) Table(say ask.Voice, column string) [][]string {
	head, row := []string{column, say.Text("behind the best (95 %)")}, []string{w.Value, w.Behind}
	if w.Count != "" {
		head, row = append(head, w.Score, "± (95 %)"), append(row, w.Count, w.Error)
	}
	return [][]string{head, row}
}

// exactWinner compares the number of people with the value with that of the most frequent one.
func exactWinner(r ask.Recipe, answer ask.Result, people []ask.Person) []ask.Miss {
	w := answer.(*Winner)
	if w.Value == "" {
		return nil
	}
	counts, best := map[int64]float64{}, 0.0
	for _, p := range people {
		if p.Valued() {
			counts[p.Main] += float64(p.Times)
			best = max(best, counts[p.Main])
		}
	}
	have := counts[int64(slices.Index(r.Domain.Categories, w.Value))]
	return []ask.Miss{miss(w.Value, best-have, decimal(w.Behind)+1)}
}
