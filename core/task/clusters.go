package task

import (
	"fmt"
	"math/bits"
	"strings"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/selection"
)

// Clusters are the centres of groups of people who are alike in some columns.
type Clusters struct {
	Columns []string  `json:"columns"`
	Centres []Cluster `json:"centres"` // the largest first
	// In 95 of 100 runs the number of people nearest to a given centre, before its last move, is
	// within Error of its People. The released run is the one with the best score of many.
	Error int64 `json:"error"`
	// Least is the least number of people that a centre must appear to have: smaller ones are not
	// released.
	Least int64 `json:"least"`
	All   int64 `json:"all,omitempty"` // n, public; 0 in releases of earlier versions
}

// Check refuses centres that are not values of the columns.
func (c *Clusters) Check() error {
	if len(c.Columns) < 2 {
		return ask.Refuse("columns", fmt.Sprint(len(c.Columns)), phrase.Of("two at least"))
	}
	for _, one := range c.Centres {
		if len(one.Values) != len(c.Columns) {
			return ask.Refuse("centres", phrase.Of("%d values", len(one.Values)),
				phrase.Of("%d, one a column", len(c.Columns)))
		}
	}
	return nil
}

// Cluster is a centre, with the number of people around it.
type Cluster struct {
	Values []string `json:"values"` // of the centre, by column
	People int64    `json:"people"` // noisy
}

const (
	roleCoordinate = "coordinate"
	paramFewest    = "fewest"
	paramMost      = "most"

	clusterSide = 1024 // parts of each column's range
)

var clustersTask = ask.Task{
	ID:       "clusters",
	Title:    "Clusters",
	Question: "Which groups of similar people are there, and how many?",
	Sentence: "Which groups of similar {many} are there, by {coordinate}?",
	Heading:  "Groups of similar {many} by {coordinate}",
	Synonyms: "k-means, segments, clustering, types, similar people",
	Answer: "the centre of each group, about how many people are near it, and how many groups " +
		"there are",
	Algorithm: "private k-means, and the best of a random number of runs",
	How: "A run draws a number of groups and starting centres at random and moves each centre, " +
		"four times, to the noisy middle of the people nearest to it. Its score, with noise, is " +
		"how much nearer people are to their own centre than to any other. The number of runs is " +
		"random and stays secret. The run with the best score is released; all runs together " +
		"cost at most three times the privacy loss of one, however many there are.",
	Simple: "If you know the centres without the data, counting the people near each, with " +
		"noise, is the simple mechanism, and better. The many runs are for finding centres.",
	Source: "Liu, Talwar 2019; Blum, Dwork, McSherry, Nissim 2005",
	Limits: "Groups are taken for round, on the scale of the bounds: others are cut or merged.",
	Judged: "Before release: the smallest group that is released, against n divided by the " +
		"largest number of groups. After: each size's error against that size. A centre at the " +
		"end of a range is rough at best.",
	Others: []ask.Role{{
		Name: roleCoordinate, Label: "the coordinate", Help: "Two or more columns of numbers or " +
			"times in which people may be alike. Each counts as much as its whole range, so " +
			"choose ranges no wider than needed.",
		Domains: []domain.Kind{domain.Integer, domain.Decimal, domain.Date, domain.Timestamp},
		Min:     2, Max: 8,
	}},
	Params: []ask.Param{
		{
			Name: paramFewest, Label: "Fewest groups to try", Kind: ask.Integer, Default: "2",
			Min: 2, Max: 16,
			Help:   "How many groups there are is found privately, from here up to the most.",
			Effect: "Each further number to try costs time, hardly any accuracy.",
		},
		{
			Name: paramMost, Label: "Most groups to try", Kind: ask.Integer, Default: "6", Min: 2,
			Max:    16,
			Help:   "The same as the fewest: exactly that many groups.",
			Effect: "Groups with fewer people than the noise are never released.",
		},
	},
	Example: &ask.Example{Sample: "clinic", Recipe: ask.Recipe{Others: []ask.Field{
		{Role: roleCoordinate, Column: 1, Label: "age",
			Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "100"}},
		{Role: roleCoordinate, Column: 2, Label: "wait_minutes",
			Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "300"}},
	}}},
	Films:    []string{"clusters", "stopping"},
	Costs:    ask.Costs{"": "selection.Clusters"},
	Inexact:  "groups depend on random starting places",
	Unframed: "places and sizes of groups depend on the data",
	Prepare:  prepareClusters,
}

type clusters struct {
	query     *ask.Query
	mechanism *selection.Clusters
	law       *selection.Option // the law of the number of runs
}

func prepareClusters(q *ask.Query) (ask.Prepared, error) {
	fewest, most := q.Integer(paramFewest), q.Integer(paramMost)
	if most < fewest {
		return nil, ask.Refuse(paramMost, fmt.Sprint(most),
			phrase.Of("at least the fewest groups, %d", fewest))
	}
	if err := q.CheckPersons(basic.MaxPeople / clusterSide); err != nil {
		return nil, err
	}
	fields, _ := q.Role(roleCoordinate)
	for i, f := range fields {
		if _, err := smallSize(f.Values); err != nil {
			return nil, ask.OtherFault(i, err)
		}
	}
	c := &clusters{query: q}
	var sizes []int
	for k := fewest; k <= most; k++ {
		sizes = append(sizes, int(k))
	}
	var err error
	if c.law, err = stopping(q, int64(len(sizes)), runsPerNumber); err != nil {
		return nil, err
	}
	c.mechanism,
		err = selection.NewClusters(
		selection.ClustersParams{Epsilon: q.Epsilon, Sizes: sizes, Dimensions: len(fields),
			Side: clusterSide, Repetitions: c.law.Repetitions})
	return c, err
}

// runsPerNumber is the mean number of runs for each number of groups under random stopping:
// starting centres matter a lot.
const runsPerNumber = 10

func (c *clusters) Loss() (privacy.Loss, error) { return c.mechanism.Loss(1) }
func (c *clusters) Algorithm() string           { return c.query.Say.Text(clustersTask.Algorithm) }

// Bound is the error bound on the size of a group.
func (c *clusters) Bound() float64 { return float64(c.mechanism.SizeError(basic.Beta)) }
func (c *clusters) Unit() ask.Unit { return c.query.InPeople("%s in the size of a group") }

// Typical is the error in one run; the best of many is released.
func (c *clusters) Typical() (off float64, exact bool) { return c.mechanism.TypicalError(), false }

func (c *clusters) Forecast() []ask.Forecast {
	n, least := c.query.People, c.mechanism.MinSize()
	return []ask.Forecast{
		{Label: c.query.Say.Text("Smallest group released"), Value: c.query.Count(least),
			Detail: c.query.Say.Format("%s of all %s; smaller ones drown in the noise",
				percentOf(c.query.Say, least, n), c.query.Count(n))},
		{Label: c.query.Say.Text("Size of a group"),
			Value:  "± " + c.query.Count(c.mechanism.SizeError(basic.Beta)),
			Detail: c.query.Say.Text("in 95 of 100 runs, of which the best is released")},
		{Label: c.query.Say.Text("Cost of trying"),
			Value: c.query.Say.Format("%s × one run", timesOne(c.law, c.query.Epsilon)),
			Detail: c.query.Say.Format("about %.0f runs are expected, their number by the law "+
				"with the smallest proven price: %s; releasing each of them would divide ε by %.0f",
				c.law.Runs, c.law.Rule, c.law.Runs)},
	}
}

// positions are the people's coordinates, in 1024 parts of each column's range.
type positions struct {
	columns []basic.Values
	sizes   []uint64
}

func (p positions) Len() int { return p.columns[0].Len() }

func (p positions) Point(i int, coordinates []int64) int64 {
	for j, column := range p.columns {
		code, ok := column.Code(i)
		if !ok {
			return 0
		}
		hi, lo := bits.Mul64(min(code, p.sizes[j]-1), clusterSide)
		part, _ := bits.Div64(hi, lo, p.sizes[j]) // below 1024, since the code is below the size
		coordinates[j] = int64(part)
	}
	if counted, ok := p.columns[0].(basic.Counted); ok {
		return int64(min(counted.Persons(i), basic.MaxPeople/clusterSide))
	}
	return 1
}

// valueAt returns the value in the middle of a part of a column's range.
func valueAt(d domain.Domain, size uint64, part int64) string {
	hi, lo := bits.Mul64(size-1, uint64(2*part+1))
	code, _ := bits.Div64(hi, lo, 2*clusterSide)
	return d.Decode(code)
}

// Judge compares the error with the size of the smallest group that is released if all groups are
// equal and, after the release, with each group's size. A centre at the end of a range is an
// artefact of noise, or of a range that cut values off.
func (c *clusters) Judge(r ask.Result) ask.Verdict {
	n, least := float64(c.query.People), float64(c.mechanism.MinSize())
	if r == nil {
		return c.query.Because(
			ask.Within(least, n/float64(c.query.Integer(paramMost))).Verdict(), c.query.CountUp,
			againstSame)
	}
	out := r.(*Clusters)
	var list []ask.Against
	for _, one := range out.Centres {
		list = append(list, ask.Within(float64(out.Error), float64(one.People)))
	}
	v := ask.OfCounts(list)
	if len(list) == 0 {
		v = ask.Within(least, 0).Verdict()
		v.Text = c.query.Say.Format("No group of at least %s was found by %s.",
			c.query.Count(out.Least), strings.Join(out.Columns, ", "))
		return v
	}
	edges := 0
	for i, one := range out.Centres {
		if c.atEdge(one) {
			edges++
			if v.Cells[i] == ask.Good {
				v.Cells[i] = ask.Rough
			}
		}
	}
	v = c.query.Because(v, c.query.CountUp, "the group that most are in")
	if edges > 0 {
		if v.Grade == ask.Good {
			v.Grade = ask.Rough
		}
		v.Text += " " + c.query.Say.Count(int64(edges),
			"One centre lies at the end of a range: noise, or values beyond it.",
			"%d centres lie at the end of a range: noise, or values beyond it.", edges)
	}
	return v
}

// rangeEdge is the part of a range, at each end, in which a centre is not to be trusted.
const rangeEdge = 0.005

// atEdge reports whether a centre lies at an end of a range.
func (c *clusters) atEdge(one Cluster) bool {
	fields, _ := c.query.Role(roleCoordinate)
	for i, f := range fields {
		size, err := smallSize(f.Values)
		if err != nil || i >= len(one.Values) {
			return false // unreachable: it was checked
		}
		code, ok := f.Values.Encode([]byte(one.Values[i]))
		if at := float64(code) / float64(max(size-1, 1)); ok && min(at, 1-at) < rangeEdge {
			return true
		}
	}
	return false
}

func (c *clusters) Run(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	fields, first := c.query.Role(roleCoordinate)
	p := positions{columns: valuesOf(data.Others[first : first+len(fields)])}
	out := &Clusters{Error: c.mechanism.SizeError(basic.Beta), Least: c.mechanism.MinSize(),
		Centres: []Cluster{}, All: c.query.People}
	for _, f := range fields {
		size, err := smallSize(f.Values)
		if err != nil {
			return nil, err // unreachable: it was checked
		}
		p.sizes = append(p.sizes, size)
		out.Columns = append(out.Columns, f.Name(c.query.Say))
	}
	found, err := c.mechanism.Release(src, p, step)
	if err != nil {
		return nil, err
	}
	for i, centre := range found.Centres {
		one := Cluster{People: found.Sizes[i]}
		for j, part := range centre {
			one.Values = append(one.Values, valueAt(fields[j].Values, p.sizes[j], part))
		}
		out.Centres = append(out.Centres, one)
	}
	sortDown(out.Centres, func(c Cluster) int64 { return c.People })
	return out, nil
}

func (c *clusters) State(result ask.Result) string {
	r := result.(*Clusters)
	if len(r.Centres) == 0 {
		return c.query.Say.Format("No group of at least %s was found by %s.",
			c.query.Count(r.Least), strings.Join(r.Columns, ", "))
	}
	var list []string
	for i, one := range r.Centres {
		if cells := c.Judge(r).Cells; cells[i] == ask.Noise {
			continue
		}
		list = append(list,
			c.query.Say.Format("about %s near %s", c.query.Count(one.People),
				strings.Join(one.Values, ", ")))
	}
	return Capital(c.query.Say.Format(
		"%s by %s: %s (sizes ± %s in 95 of 100 runs, of which the best is shown).",
		c.query.Say.Count(int64(len(list)), "one group", "%d groups", len(list)),
		strings.Join(r.Columns, ", "), strings.Join(list, "; "), message.Grouped(r.Error)))
}

// Kind is "clusters".
func (*Clusters) Kind() string { return "clusters" }

// Table lists the centres, one row for each.
func (c *Clusters) Table(say ask.Voice, _ string) [][]string {
	rows := [][]string{
		append(append([]string{say.Text("group")}, c.Columns...), say.Many(),
			say.Text("low (95 % of runs)"), say.Text("high (95 % of runs)"))}
	for i, one := range c.Centres {
		low, high := countBand(one.People, c.Error, c.All)
		rows = append(rows, append(append([]string{fmt.Sprint(i + 1)}, one.Values...),
			fmt.Sprint(one.People), fmt.Sprint(low), fmt.Sprint(high)))
	}
	return rows
}
