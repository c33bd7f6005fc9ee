package task

import (
	"fmt"
	"math"
	"math/big"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/coin"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Medians are the medians of groups, each with the number of people in its group: without that
// number nobody could judge the rank error.
type Medians struct {
	// the columns whose places the groups combine; the place on the last one changes fastest
	Axes []Axis        `json:"axes,omitempty"`
	Rows []GroupMedian `json:"rows"`
	// Found says that the groups are released too: the last row is then everybody in another group,
	// and there are no axes.
	Found bool `json:"found,omitempty"`
	// RankError is a bound: with probability 95 %, in any one group, at most RankError people are
	// on the wrong side of its median.
	RankError int64 `json:"rankError"`
	// Measured says that RankError was measured, for all groups at once: it holds given the
	// medians, not for any data.
	Measured bool `json:"measured,omitempty"`
	// Error is a bound: with probability 95 % the size of any one group is within Error people.
	Error  int64 `json:"error"`
	People int64 `json:"people"` // n, public
}

// GroupMedian is the median of one group.
type GroupMedian struct {
	Group string `json:"group"`
	Value string `json:"value"`
	Size  int64  `json:"size"` // noisy number of people in the group who have a value
	// FromOne says that the interval of the size starts at 1, for a group found near the threshold.
	FromOne bool `json:"fromOne,omitempty"`
}

// medians asks for the median of each group, and for their sizes.
type medians struct {
	query   *ask.Query
	cells   cells
	finding *finding // finds the groups, with their sizes; nil where they are listed
	ranks   *basic.Quantiles
	count   *basic.Count                   // of the people of a cell
	sizes   *basic.ByGroup[basic.Estimate] // noisy sizes by cell; nil where finding gives them
	off     *certificate
}

// sizeParts says that the sizes of groups get one of this many parts of ε: they serve to judge the
// medians, and are not published for their own sake.
const sizeParts = 5

func prepareMedians(q *ask.Query, c cells) (ask.Prepared, error) {
	switch {
	case wantsSpans(q):
		return nil, ask.Refuse(paramStated, fmt.Sprintf("%q", spanned),
			phrase.Of("another choice where the question is asked by group"))
	case q.Domain == nil:
		return nil, ask.Refuse("length", fmt.Sprint(q.Recipe.Domain.Length),
			phrase.Of("texts of at most 8 bytes where the question is asked by group"))
	case q.Param(paramAlgorithm) != auto && q.Param(paramAlgorithm) != splits:
		return nil, ask.Refuse(paramAlgorithm, fmt.Sprintf("%q", q.Param(paramAlgorithm)),
			phrase.Of("the exponential mechanism where the question is asked by group"))
	}
	f, epsilon, err := newFinding(q, c.count())
	if err != nil {
		return nil, err
	}
	m := &medians{query: q, cells: c, finding: f}
	if f == nil || len(c.dimensions) > 0 {
		m.count, err = basic.NewCount(basic.CountParams{Epsilon: epsilon.Part(1, sizeParts)})
		if err != nil {
			return nil, err
		}
		groups := uint64(c.count())
		if f != nil {
			groups = basic.MaxGroups // however many are found, the price is the same
		}
		if m.sizes, err = basic.NewByGroup[basic.Estimate](m.count, groups); err != nil {
			return nil, err
		}
		epsilon = epsilon.Part(sizeParts-1, sizeParts)
	}
	if m.off, epsilon, err = certify(q, epsilon, 1); err != nil {
		return nil, err
	}
	m.ranks, err = basic.NewQuantiles(basic.QuantilesParams{Epsilon: epsilon, Size: q.Space.Size(),
		Targets: []*big.Rat{big.NewRat(1, 2)}, People: q.People, ByGroup: true})
	if err != nil {
		return nil, err
	}
	return m, nil
}

func (m *medians) Loss() (privacy.Loss, error) {
	loss, err := m.answers()
	if err != nil || m.finding == nil {
		return loss, err
	}
	groups, err := m.finding.groups.EntryLoss()
	return groups.Plus(loss), err
}

// answers returns the loss of the medians and the sizes.
func (m *medians) answers() (privacy.Loss, error) {
	loss, err := m.off.with(m.ranks.Loss(1))
	if err != nil || m.sizes == nil {
		return loss, err
	}
	sizes, err := m.sizes.Loss(1)
	return sizes.Plus(loss), err
}

// OfPerson is the loss of a person with several entries, where groups are found.
func (m *medians) OfPerson() (loss privacy.Loss, ok bool, err error) {
	if m.finding == nil {
		return loss, false, nil
	}
	answers, err := m.answers()
	if err != nil {
		return loss, false, err
	}
	return m.finding.ofPerson(m.query, answers)
}

func (m *medians) Algorithm() string {
	if m.finding != nil {
		return m.query.Say.Text("stability histogram that finds the groups, then the exponential " +
			"mechanism over all values of the domain in each of them")
	}
	return m.query.Say.Format("exponential mechanism over all values of the domain in each group, "+
		"and the %s mechanism on the sizes of groups", m.sizes.Noise().Kind())
}

func (m *medians) Bound() float64 { return math.Ceil(m.ranks.RankErrors(basic.Beta)[0]) }

// Typical is the error for an average group.
func (m *medians) Typical() (off float64, exact bool) {
	return m.ranks.TypicalErrorOf(m.even()), false
}

func (m *medians) Unit() ask.Unit { return m.query.InPeople("%s away from the middle") }

func (m *medians) Forecast() []ask.Forecast {
	say, off := m.query.Say, int64(m.Bound())
	even := m.even()
	first := ask.Forecast{Label: say.Text("Away from a group's exact middle by at most"),
		Value: m.query.Count(off),
		Detail: say.Format("in 95 of 100 releases; %s of a group of %s", percentOf(say, off, even),
			m.query.Count(even))}
	lines := append(m.off.forecast(m.query, m), first)
	if m.finding != nil {
		return append(lines, m.finding.forecast(m.query))
	}
	return append(lines,
		ask.Forecast{Label: say.Text("Group sizes are released too, within"),
			Value: m.query.Count(m.sizes.Noise().ErrorBound(basic.Beta)),
			Detail: say.Format("in 95 of 100 releases, for a fifth of the privacy loss: by it an " +
				"answer is judged")})
}

func (m *medians) even() int64 { return m.cells.even(m.query.People, m.finding != nil) }

func (m *medians) Run(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	out := &Medians{RankError: int64(m.Bound()), People: m.query.People}
	first, second := halves(step)
	c, group := m.cells, values(data.Group)
	crossed := len(c.dimensions) > 0
	var sizes []basic.Estimate
	if m.finding != nil {
		found, err := m.finding.groups.Find(src, labels(data.Group), half(first, 0))
		if err != nil {
			return nil, err
		}
		c, group = c.of(m.query, m.finding.names(m.query, found, crossed)), found.Groups()
		sizes = append(found.Sizes, found.Rest)
	}
	groups := c.groups(data, group)
	if m.count != nil {
		by, err := basic.NewByGroup[basic.Estimate](m.count, uint64(c.count()))
		if err != nil {
			return nil, err // unreachable: finding respects what can be asked about
		}
		if sizes, err = by.Release(src, values(data.Main), groups, half(first, 1)); err != nil {
			return nil, err
		}
	}
	if out.Axes = c.axes(); m.finding != nil && !crossed {
		out.Axes, out.Found = nil, true
	}
	for i, size := range sizes {
		out.add(cellName(c.axes(), i), size)
	}
	chosen, err := m.ranks.ReleaseByGroup(src, values(data.Main), groups, uint64(len(out.Rows)),
		second)
	if err != nil {
		return nil, err
	}
	for i, codes := range chosen {
		out.Rows[i].Value = m.query.Domain.Decode(codes[0])
	}
	if m.off != nil {
		largest, err := m.ranks.LargestRankError(values(data.Main), groups, chosen,
			blindly(second))
		if err != nil {
			return nil, err
		}
		out.RankError, out.Measured = m.off.release(src, largest, m.query.People), true
	}
	return out, nil
}

// add adds another group with this size.
func (m *Medians) add(name string, size basic.Estimate) {
	value, _ := size.Value.Float64()
	high, _ := size.High.Float64()
	m.Error = max(m.Error, int64(math.Ceil(high-value)))
	m.Rows = append(m.Rows, GroupMedian{Group: name, Size: int64(math.Round(value)),
		FromOne: size.Low.Cmp(big.NewRat(1, 1)) == 0})
}

func (m *medians) State(r ask.Result) string {
	out, say := r.(*Medians), m.query.Say
	if out.Found && len(out.Rows) == 1 {
		return say.Text("No group was large enough to be found.") + " " + say.Format(
			"Median %s is about %s: half of the %s are at or below it, give or take %s (in 95 of "+
				"100 releases).", m.query.Label, m.query.Value(out.Rows[0].Value), m.query.Many(),
			m.query.Count(m.together(out)))
	}
	return m.withFound(out)
}

// StatedBefore is the former sentence where no group was found: it calls everybody a group.
func (m *medians) StatedBefore(r ask.Result) string {
	if out := r.(*Medians); out.Found && len(out.Rows) == 1 {
		return m.withFound(out)
	}
	return ""
}

// withFound states the range of the medians, and how many groups were found.
func (m *medians) withFound(out *Medians) string {
	say, text := m.query.Say, m.between(out)
	if out.Found {
		text += " " + say.Count(int64(len(out.Rows)-1), "One group was found.",
			"%d groups were found.", len(out.Rows)-1)
	}
	return text
}

// between states the least and the greatest median of the groups that are larger than the noise,
// each with its error: how many of its group may lie on the wrong side. Which median is the
// greatest of all is not certain, so no sentence says so.
func (m *medians) between(out *Medians) string {
	say := m.query.Say
	groups := len(out.Rows)
	if out.Found && groups > 1 {
		groups-- // all others are no group
	}
	var list []int
	for i, row := range out.Rows[:groups] {
		if m.off.stated(m, out.RankError, float64(row.Size)/4).Grade() != ask.Noise {
			list = append(list, i)
		}
	}
	if len(list) == 0 {
		return say.Format("Each median of %s by %s is mostly noise.", m.query.Label,
			called(say, out.Axes))
	}
	sortDown(list, func(i int) float64 {
		code, _ := m.query.Domain.Encode([]byte(out.Rows[i].Value))
		return -float64(code)
	})
	one := func(i int) string {
		place := placed(groupTitle(m.query), out.Rows[i].Group)
		if len(out.Axes) > 0 {
			place = placeName(out.Axes, i)
		}
		return fmt.Sprintf("%s (%s)", m.query.Value(out.Rows[i].Value), place)
	}
	least, most := list[0], list[len(list)-1]
	off := m.query.Count(m.together(out))
	if m.together(out) > out.RankError { // the table states the error of each
		off = say.Format("%s for all groups at once", off)
	}
	if least == most {
		return say.Format("Median %s is about %s: half of the group are at or below it, give or "+
			"take %s (in 95 of 100 releases).", m.query.Label, one(least), off)
	}
	return say.Format("Median %s is from about %s to about %s. Half of each group are at or "+
		"below its median, give or take %s (in 95 of 100 releases).",
		m.query.Label, one(least),
		one(most), off)
}

// together bounds the rank errors of all groups at once, for sentences that name groups because of
// their medians.
func (m *medians) together(out *Medians) int64 {
	if out.Measured {
		return out.RankError
	}
	off := math.Ceil(m.ranks.RankErrors(basic.Beta / float64(len(out.Rows)))[0])
	return min(int64(off), max(m.query.People, 1))
}

// Judge compares the rank error with a quarter of a group: before the release, of an average group,
// and the verdict says how large groups must be.
func (m *medians) Judge(r ask.Result) ask.Verdict {
	if r == nil {
		off := m.off.expected(m, float64(m.even())/4)
		v := m.query.Because(off.Verdict(), m.query.CountUp,
			"a quarter of a group, if all have the same size")
		if v.Grade == ask.Good {
			v.Grade, v.From = ask.Unknown, m.query.CountUp(4*off.Needs())
			v.Text = m.query.Say.Format("Off by up to %s: good to publish for groups of %s or "+
				"more.", m.query.CountUp(v.Error), v.From)
		}
		return v
	}
	var list []ask.Against
	out := r.(*Medians)
	for _, row := range out.Rows {
		list = append(list, m.off.stated(m, out.RankError, float64(row.Size)/4))
	}
	return m.query.Because(ask.OfMany(list), m.query.CountUp, "a quarter of a group")
}

// Kind is "medians".
func (*Medians) Kind() string { return "medians" }

// Band is the interval that holds the true size of a group in 95 of 100 releases.
func (m *Medians) Band(row GroupMedian) (low, high int64) {
	low, high = countBand(row.Size, m.Error, m.People)
	if row.FromOne {
		low = min(1, row.Size)
	}
	return low, high
}

// GroupName names the group of a row; where groups were found, the last row is all others.
func (m *Medians) GroupName(say *message.Language, row int) string {
	return groupName(say, m.Rows[row].Group, m.Found && row == len(m.Rows)-1)
}

// Check refuses rows that do not fit the axes.
func (m *Medians) Check() error {
	if m.Found {
		return nil
	}
	cells := 1
	for _, a := range m.Axes {
		if cells *= len(a.Places); cells > basic.MaxGroups {
			break
		}
	}
	if len(m.Rows) != cells {
		return ask.Refuse("rows", fmt.Sprint(len(m.Rows)), phrase.Of("%d, one a group", cells))
	}
	return nil
}

// Table lists the groups, one row for each.
func (m *Medians) Table(say ask.Voice, column string) [][]string {
	rows := [][]string{{say.Text("group"), say.Format("median of %s", column),
		say.Format("%s in the group", say.Many()), say.Text("low (95 %)"), say.Text("high (95 %)"),
		say.Format("%s away from the middle (95 %%)", say.Many())}}
	for i, r := range m.Rows {
		low, high := m.Band(r)
		row := []string{m.GroupName(say.Language, i), r.Value}
		for _, n := range []int64{r.Size, low, high, m.RankError} {
			row = append(row, fmt.Sprint(n))
		}
		rows = append(rows, row)
	}
	return rows
}

// exactly compares the medians and sizes of groups with the people of each.
func (m *Medians) exactly(r ask.Recipe, people []ask.Person) (list []ask.Miss) {
	for _, row := range m.Rows {
		var group []ask.Person
		for _, p := range people {
			if p.Group == row.Group {
				group = append(group, p)
			}
		}
		list = append(list,
			miss(row.Group, misplaced(group, exactCode(r, row.Value), 0.5),
				float64(m.RankError)+1),
			miss(row.Group+", people",
				float64(row.Size)-exactCount(group, ask.Person.Valued), float64(m.Error)+1))
	}
	return list
}
