package task

import (
	"fmt"
	"math/big"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/privacy"
	"hush/core/threshold"
)

// Median is a value with about as many people below as above it.
type Median struct {
	Value string `json:"value"`
	// bytes in hexadecimal, for a text that is shown shortened
	Exact string `json:"exact,omitempty"`
	// RankError is a bound: with probability 95 % at least half the people who have a value, minus
	// RankError, lie on either side of the median.
	RankError int64 `json:"rankError"`
	// Measured says that RankError was measured: it holds given the value, not for any data.
	Measured bool `json:"measured,omitempty"`
	// Around is how many people away the ends of Span were sought; 0: no span was asked for. Where
	// Around is set and there is no Span, the release cannot say.
	Around int64 `json:"around,omitempty"`
	Span   *Span `json:"span,omitempty"`
}

var medianTask = ask.Task{
	ID:        "median",
	Title:     "Typical value",
	Question:  "What is the middle value?",
	Sentence:  "What is the median {column} {group}{and}?",
	Heading:   "Median {column} {group}{and}",
	Synonyms:  "median, middle, typical, central tendency, median by group",
	Answer:    "one value, with about as many people below it as above: the median",
	Algorithm: "interior point of the middle",
	How: "The column may hold anything with an order: numbers, dates or texts of any length, " +
		"bounded or not. The exponential mechanism scores every possible value by the number of " +
		"people on its smaller side, and draws one at random; values near the middle are likely. " +
		"If very many values are possible, as with texts, TreeLog takes the people in the middle " +
		"as leaves of a tree and walks down to where they separate. It needs hardly more people, " +
		"however many values there are. The most frequent value is another question: ask for a " +
		"histogram of categories.",
	Simple: "The exponential mechanism is the simple one, and needs fewer people than TreeLog " +
		"for numbers, dates and short texts. TreeLog is better for codes of well over a hundred " +
		"bits, such as long texts.",
	Source: "McSherry, Talwar 2007; Kaplan, Ligett, Mansour, Naor, Stemmer 2020",
	Limits: "The promise is about people, not values: where values lie far apart, the answer can " +
		"be far from the middle value and still as good as forecast. By group, a part of the " +
		"privacy loss pays for the group sizes, against which the answer is judged.",
	Judged: "The rank error against a quarter of n, the distance from the middle to the " +
		"quartiles. For groups it is a quarter of each group, so before the release nobody knows " +
		"whether they are large enough.",
	Domains:   orderedKinds,
	LongTexts: true,
	ByGroup:   true,
	Others:    []ask.Role{roleAnd},
	Params:    []ask.Param{finderParam, spanParam, inUnitParam, ask.AllowedDeltaParam},
	Example: &ask.Example{
		Sample: "pay",
		Recipe: ask.Recipe{Column: 4, Label: "salary",
			Domain: domain.Spec{Kind: domain.Decimal, Lo: "0", Hi: "20000", Step: "0.01"}}},
	Tunes: byRank,
	Aims:  true,
	Films: []string{"treelog", "heavypaths", "exponential"},
	Costs: ask.Costs{
		"":                       "threshold.Exponential",
		"algorithm heavypaths":   "threshold.HeavyPaths",
		"algorithm heavypaths-1": "threshold.HeavyPaths",
		"algorithm search":       "threshold.BinarySearch",
		"algorithm treelog":      "threshold.TreeLog",
	},
	Exact:   exactMedian,
	Prepare: tuning(prepareMedian),
}

// halfway is the part of the people below a median.
func halfway(*ask.Query) ([]*big.Rat, error) { return []*big.Rat{big.NewRat(1, 2)}, nil }

type median struct {
	query  *ask.Query
	finder chosenFinder
	ranks  *threshold.Ranks
	off    *certificate
}

func prepareMedian(q *ask.Query) (ask.Prepared, error) {
	if err := q.CheckPersons(basic.MaxPeople); err != nil {
		return nil, err
	}
	c, err := groupCells(q)
	if err != nil {
		return nil, err
	}
	if len(c.dimensions) > 0 || q.Recipe.Group != nil {
		return prepareMedians(q, c)
	}
	off, rest, err := certified(q, 1)
	if err != nil {
		return nil, err
	}
	f, err := newFinder(rest, 1)
	if err != nil {
		return nil, err
	}
	ranks, err := threshold.NewRanks(
		threshold.RanksParams{Finder: f.Finder, Size: q.Space.Size(),
			Parts: []*big.Rat{big.NewRat(1, 2)}})
	if err != nil {
		return nil, err
	}
	return &median{q, f, ranks, off}, nil
}

func (m *median) Loss() (privacy.Loss, error) { return m.off.with(m.ranks.Loss(1)) }

// OfPerson is the loss of a person with several entries.
func (m *median) OfPerson() (privacy.Loss, bool, error) {
	return m.off.ofPerson(m.query, m.ranks.Loss)
}

func (m *median) Algorithm() string {
	if _, all := m.finder.Finder.(*threshold.Exponential); all {
		return m.query.Say.Format("%s over all values of the domain", m.finder.Name())
	}
	return m.query.Say.Format("%s on the %s in the middle", m.finder.Name(),
		m.query.Count(int64(m.finder.Needs())))
}

func (m *median) rankError() int64 { return int64(m.ranks.ErrorBound()) }

func (m *median) Bound() float64 { return float64(m.rankError()) }

// Typical is the finder's typical error.
func (m *median) Typical() (off float64, exact bool) {
	return m.ranks.TypicalError(m.query.People), false
}

func (m *median) Unit() ask.Unit { return m.query.InPeople("%s away from the middle") }

func (m *median) Forecast() []ask.Forecast {
	off, n := m.rankError(), m.query.People
	return append(m.off.forecast(m.query, m),
		ask.Forecast{Label: m.query.Say.Text("Away from the exact middle by at most"),
			Value: m.query.Count(off),
			Detail: m.query.Say.Format("in 95 of 100 releases; %s of all %s",
				percentOf(m.query.Say, off, n), m.query.Count(n))},
		m.finder.forecast(m.query),
		fewest(m.query, m.finder.by.Size, m.finder.by.Delta),
	)
}

// Judge compares the rank error with a quarter of the people.
func (m *median) Judge(r ask.Result) ask.Verdict {
	about := rankAbout([]float64{0.5}, float64(m.query.People))
	against := m.off.expected(m, about)
	if r != nil {
		against = m.off.stated(m, r.(*Median).RankError, about)
	}
	v := m.query.Because(against.Verdict(), m.query.CountUp, againstQuarter)
	if r != nil {
		v = tooNarrow(m.query, v, m.beyond(r.(*Median)))
	}
	return v
}

// Frame draws the range of the values: how far off the value is depends on the data, and its rank
// error is not a distance on this axis.
func (m *median) Frame() *ask.Frame {
	lo, hi, ok := rangeOf(m.query.Recipe.Domain)
	if !ok {
		return nil // texts, and numbers without bounds
	}
	return &ask.Frame{Kind: ask.FrameNumber, Axis: axisOf(m.query), Unit: m.query.Recipe.Unit,
		Lo: lo,
		Hi: hi, Even: lo + (hi-lo)/2, Error: -1}
}

func (m *median) Run(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	sorting, finding := halves(step)
	codes, err := sorted(data.Main, sorting)
	if err != nil {
		return nil, err
	}
	at, err := m.ranks.Release(src, codes, finding)
	if err != nil {
		return nil, err
	}
	out := &Median{Value: m.query.Space.Show(m.query.Say, at[0]),
		Exact: m.query.Space.Exact(m.query.Say, at[0]), RankError: m.rankError()}
	if m.off != nil {
		out.Measured = true
		out.RankError, err = m.off.measure(src, m, out, data, m.query.People, finding)
	}
	return out, err
}

// perfect returns the best score; a score is minus the number of people by which an answer is off.
func (*median) perfect() (int64, bool) { return 0, true }

// score is minus the number of people on the wrong side of the median.
func (m *median) score(r ask.Result, data ask.Data,
	step coin.Step) (points int64, moves uint64, err error) {
	out := r.(*Median)
	return rankScore(m.query.Space, []string{out.Value}, []string{out.Exact},
		[]*big.Rat{big.NewRat(1, 2)}, data, step)
}

func (m *median) beyond(r *Median) Beyond { return BeyondRange(m.query.Recipe.Domain, r.Value) }

func (m *median) State(result ask.Result) string {
	if out := result.(*Median); m.beyond(out) != "" {
		return m.query.Say.Format("Half of the %s with a value of %s have %s. The range is too "+
			"narrow to say more.", m.query.Many(), m.query.Label,
			m.beyond(out).Of(m.query.Say, m.query.Recipe.Domain.Kind, m.query.Value(out.Value)))
	}
	return m.query.Say.Format("Median %s is about %s: half of the %s with a value are at or "+
		"below it, give or take %s (in 95 of 100 releases).", m.query.Label,
		m.query.Value(result.(*Median).Value), m.query.Many(),
		m.query.Count(result.(*Median).RankError))
}

// Kind is "median".
func (*Median) Kind() string { return "median" }

// Table lists what was released, a row each.
func (m *Median) Table(say ask.Voice, column string) [][]string {
	head, row := []string{say.Format("median of %s", column)}, []string{m.Value}
	if m.Around > 0 {
		head = append(head, say.Text("low (95 %)"), say.Text("high (95 %)"))
		row = append(row, m.Span.ends()...)
	}
	return [][]string{
		append(head, say.Format("%s away from the middle (95 %%)", say.Many())),
		append(row, fmt.Sprint(m.RankError)),
	}
}

// exactMedian compares the numbers of people on both sides of the median.
func exactMedian(r ask.Recipe, answer ask.Result, people []ask.Person) []ask.Miss {
	if groups, are := answer.(*Medians); are {
		return groups.exactly(r, people)
	}
	m := answer.(*Median)
	return []ask.Miss{miss(m.Value, misplaced(people, exactCode(r, m.Value), 0.5),
		float64(m.RankError)+1)}
}
