package task

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/joint"
	"hush/core/param"
	"hush/core/phrase"
	"hush/core/privacy"
)

// UnlikeAsked names the field of Accepted that does not follow from a recipe, or from the tables
// that were measured; the text is empty if all of them do.
func (t *Joint) UnlikeAsked(r ask.Recipe) string {
	lines := criteriaLines(r.Params[ParamCriteria])
	if len(lines) == 0 || t.Accepted == nil {
		if len(lines) > 0 || t.Accepted != nil {
			return ParamCriteria
		}
		return ""
	}
	if !t.countsAlone(r) {
		return paramAlone
	}
	if !slices.Equal(lines, t.Accepted.Criteria) {
		return ParamCriteria
	}
	tried := r.Params[paramWays]
	if tried == "" {
		tried = waysParam.Default
	}
	ways, err := joint.Ways(t.Model.Measured.Sizes, tried)
	if err != nil || len(ways) != t.Accepted.Ways {
		return paramWays
	}
	for _, way := range ways {
		if string(way.Name) == t.Accepted.Way &&
			slices.EqualFunc(way.Of, t.Model.Measured.Tables, func(of [2]int, m joint.Table) bool {
				return of == m.Columns
			}) {
			return ""
		}
	}
	return "way"
}

const (
	ParamCriteria = "criteria" // one line for each, which ReadCriterion splits
	paramWays     = "ways"
	mostCriteria  = 64
)

var criteriaParam = ask.Param{
	Name: ParamCriteria, Label: "What the made-up rows must meet", Kind: ask.Lines, Default: "",
	Help: "Empty, or one criterion per line. “pairs, 1 %” bounds the largest error of any table " +
		"of two columns, “columns, 0.5 %” that of any single one. For columns of numbers: “mean, " +
		"age, 2”, “median, age, 3 %”, “quantile, age, 10 %, 3 %” and “correlation, age, pay, " +
		"0.1”. Write them before you look at the data: they are public.",
	Effect: "Several ways are tried, and the first rows that pass a noisy check are released, or " +
		"none are. That costs at most twice the privacy loss of one run, however many criteria " +
		"and runs there are.",
}

var waysParam = ask.Param{
	Name: paramWays, Label: "Ways tried for the criteria", Kind: ask.Chosen,
	Default: joint.EveryWay,
	Choices: []ask.Choice{
		{Value: joint.EveryWay, Label: "all pairs in two ways, fewer pairs in two ways"},
		{Value: joint.AllPairWays, Label: "all pairs in two ways"},
		{Value: string(joint.ByCells), Label: "all pairs in one way"},
	},
	Help: "Which tables are measured, and how the privacy loss is divided among them. It " +
		"matters where there are criteria.",
	Effect: "More ways meet more kinds of criteria, in more runs; the price is the same.",
}

// accepting makes up rows in several ways until some meet the criteria.
type accepting struct {
	*joined
	params   joint.AcceptParams
	accept   *joint.Accept
	lines    []string
	criteria []joint.Criterion
	ways     []joint.Way
	codes    []*joint.Codes
}

func newAccepting(j *joined, sizes []int, delta privacy.Delta) (*accepting, error) {
	q := j.query
	if err := q.CheckPersons(mostJoined / int64(len(sizes))); err != nil {
		return nil, err
	}
	a := &accepting{joined: j}
	if err := a.readCodes(); err != nil {
		return nil, err
	}
	if err := a.read(q.Param(ParamCriteria)); err != nil {
		return nil, err
	}
	var err error
	if a.ways, err = joint.Ways(sizes, q.Param(paramWays)); err != nil {
		return nil, err
	}
	a.params = joint.AcceptParams{Epsilon: q.Epsilon, Delta: delta, Sizes: sizes, Codes: a.codes,
		Ways: a.ways, Criteria: a.criteria, Persons: int(max(q.People, 1)),
		Alone: q.Param(paramAlone) == alone}
	return a.by(joint.Today)
}

// by returns the question with its loss divided by a rule.
func (a accepting) by(rule joint.Rule) (*accepting, error) {
	j := *a.joined
	a.joined, a.params.Rule = &j, rule
	var err error
	if a.accept, err = ask.Remember(j.query, a.params, joint.NewAccept); err != nil {
		return nil, a.fault(err)
	}
	if j.loss, err = a.accept.Loss(1); err != nil {
		return nil, err
	}
	errors := slices.Sorted(slices.Values(a.accept.Errors()))
	j.each = errors[len(errors)/2]
	return &a, j.simplify()
}

// As returns the question with the rule of division that accounts for the noise of an answer's
// tables.
func (a *accepting) As(_ ask.Plan, was ask.Result) ask.Prepared {
	t, is := was.(*Joint)
	if !is || t.Accepted == nil {
		return a
	}
	for _, rule := range joint.Rules() {
		of, err := a.by(rule)
		if way := a.way(t); err == nil && way >= 0 && of.accept.Tables(way).Made(t.Model.Measured) {
			return of
		}
	}
	return a // the tables do not follow from the question: core/verify says so
}

// way returns the index of the way that made an answer, or −1 if it is none of those tried.
func (a *accepting) way(was *Joint) int {
	return slices.IndexFunc(a.ways, func(w joint.Way) bool {
		return string(w.Name) == was.Accepted.Way
	})
}

// names returns the names of the columns.
func (a *accepting) names() []string { return AxisNames(a.cells.axes()) }

// readCodes finds the columns that are in bins, and where their bins begin.
func (a *accepting) readCodes() error {
	fields, _ := a.query.Role(roleKept.Name)
	for i, d := range a.cells.dimensions {
		var codes *joint.Codes
		if d.starts != nil {
			size, err := smallSize(fields[i].Values)
			if err != nil {
				return err
			}
			codes = &joint.Codes{Starts: d.starts, Size: size}
		}
		a.codes = append(a.codes, codes)
	}
	return nil
}

// read makes criteria from the lines.
func (a *accepting) read(text string) error {
	for _, line := range criteriaLines(text) {
		c, err := a.criterion(line)
		if err != nil {
			return err
		}
		a.lines, a.criteria = append(a.lines, line), append(a.criteria, c)
	}
	if len(a.lines) > mostCriteria {
		return ask.Refuse(ParamCriteria, fmt.Sprint(len(a.lines)),
			phrase.Of("at most %d lines", mostCriteria))
	}
	return nil
}

// criterion reads one line.
func (a *accepting) criterion(line string) (c joint.Criterion, err error) {
	words, err := wordsOf(line)
	if err != nil {
		return c, refuseLine(line, phrase.Of("words between commas"))
	}
	kind, known := CriterionKindOf(words[0])
	if !known {
		return c, refuseLine(line,
			phrase.Of("pairs, columns, mean, median, quantile or correlation first"))
	}
	if len(words) != 1+kind.words() {
		return c, refuseLine(line, phrase.Of("%d parts between commas", 1+kind.words()))
	}
	c.Of = kind.of
	for _, name := range words[1 : 1+kind.Columns] {
		i := slices.Index(a.names(), name)
		if i < 0 || a.codes[i] == nil {
			return c, refuseLine(line, phrase.Of("a kept column of numbers or dates, by its name"))
		}
		c.Columns = append(c.Columns, i)
	}
	if slices.Contains(c.Columns[min(1, len(c.Columns)):], at0(c.Columns)) {
		return c, refuseLine(line, phrase.Of("two different columns"))
	}
	var ok bool
	if c.Within, ok = decimalOf(words[len(words)-1], kind.Share); !ok || c.Within.Sign() == 0 {
		return c, refuseLine(line, toleranceWant(kind.Share))
	}
	switch {
	case kind.At:
		if c.At, ok = decimalOf(words[len(words)-2], true); !ok || c.At.Sign() == 0 ||
			c.At.Cmp(big.NewRat(1, 1)) >= 0 {
			return c, refuseLine(line, phrase.Of("which quantile, as “10 %”"))
		}
	case c.Of == joint.Quantile:
		c.At = big.NewRat(1, 2)
	case c.Of == joint.Mean:
		step, ok := a.step(c.Columns[0])
		if !ok {
			return c, refuseLine(line, phrase.Of("a column of numbers"))
		}
		c.Within.Quo(c.Within, step)
	}
	return c, nil
}

// at0 returns the first of a list of columns, or a number that no column has.
func at0(columns []int) int {
	if len(columns) == 0 {
		return -1
	}
	return columns[0]
}

func toleranceWant(share bool) phrase.Phrase {
	if share {
		return phrase.Of("a tolerance at the end, as “1 %”")
	}
	return phrase.Of("a tolerance at the end, as “0.1”")
}

func refuseLine(line string, want phrase.Phrase) error {
	return ask.Refuse(ParamCriteria, quotedLine(line), want)
}

// step is the distance of neighbouring values in a column of numbers.
func (a *accepting) step(column int) (*big.Rat, bool) {
	fields, _ := a.query.Role(roleKept.Name)
	numeric, ok := fields[column].Values.(domain.Numeric)
	if !ok {
		return nil, false
	}
	_, step := numeric.Linear()
	return step, true
}

// decimalOf reads a number of at most 12 characters, or a part of all as “1 %”.
func decimalOf(text string, share bool) (*big.Rat, bool) {
	text, percent := strings.CutSuffix(text, "%")
	text = strings.TrimSpace(text)
	if percent != share || len(text) == 0 || len(text) > 12 ||
		strings.Trim(text, "0123456789.") != "" {
		return nil, false
	}
	x, ok := new(big.Rat).SetString(text)
	if ok && share {
		x.Quo(x, big.NewRat(100, 1))
	}
	return x, ok
}

// fault adds to a refusal the line that it is about.
func (a *accepting) fault(err error) error {
	var tight *joint.TightError
	if errors.As(err, &tight) {
		line, c := a.lines[tight.Criterion], a.criteria[tight.Criterion]
		if tight.Least == nil {
			return refuseLine(line, phrase.Of("a larger ε: the noise of the check alone exceeds "+
				"this one"))
		}
		least, unit := new(big.Rat).Set(tight.Least), ""
		switch c.Of {
		case joint.Mean:
			step, _ := a.step(c.Columns[0])
			least.Mul(least, step)
		case joint.Correlation:
		default:
			least.Mul(least, big.NewRat(100, 1))
			unit = " %"
		}
		return refuseLine(line, phrase.Of("a tolerance of at least %s, or a larger ε: the noise "+
			"of the check alone exceeds this one", upwards(least)+unit))
	}
	var refused *param.Error
	if errors.As(err, &refused) && refused.Package == "joint" && refused.Field == "criteria" {
		return ask.Refuse(ParamCriteria, refused.Value, refused.Want)
	}
	return err
}

// upwards writes a number above 0 with three digits, rounded up.
func upwards(x *big.Rat) string {
	digits := 3
	for y := new(big.Rat).Set(x); y.Cmp(big.NewRat(1, 10)) < 0 && digits < 12; digits++ {
		y.Mul(y, big.NewRat(10, 1))
	}
	unit := new(big.Rat).SetFrac(big.NewInt(1),
		new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil))
	text := x.FloatString(digits)
	if y, _ := new(big.Rat).SetString(text); y.Cmp(x) < 0 {
		text = y.Add(y, unit).FloatString(digits)
	}
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}

func (a *accepting) Algorithm() string {
	return a.query.Say.Format("the first made-up rows of the greatest entropy that meet the "+
		"criteria by a noisy score, of at most %.0f runs expected", a.accept.Runs())
}

func (a *accepting) Forecast() []ask.Forecast {
	say, list := a.query.Say, a.joined.Forecast()
	list[1].Value = say.Text("what the criteria ask of")
	list[1].Detail = say.Text("some ways measure fewer pairs; the release says how many")
	k := len(a.ways)
	times := say.Format("%s × one run", "2")
	has := say.Format("a run has %s, a quarter of it to check all criteria together. Only the "+
		"first run that meets them is shown, and how many there were before is secret (Liu, "+
		"Talwar 2019, Theorem 3.1)", epsilonText(a.query.Epsilon.Part(1, 2).Float64()))
	if rho := a.accept.RhoOfRun(); rho > 0 {
		times = say.Text("the first good run, no other")
		has = say.Format("a run has %s, a quarter of it to check all criteria together; noise is "+
			"Gaussian. Only the first run that meets them is shown, and how many there were "+
			"before is secret (after Liu, Talwar 2019, by Rényi divergence)",
			fmt.Sprintf("ρ = %.3g", rho))
	}
	return append(list,
		ask.Forecast{Label: say.Text("Criteria"),
			Value: say.Count(int64(len(a.lines)), "one", "%d, all or nothing", len(a.lines)),
			Detail: say.Format("rows that miss one are released in at most 5 of 100 searches: "+
				"by a noisy check, each must be met with %s to spare. How often rows that are "+
				"shown miss one is not known, and by how much they pass is never said",
				a.query.Count(a.accept.Aside()))},
		ask.Forecast{Label: say.Text("Why it is private"),
			Value: times, Detail: has},
		ask.Forecast{Label: say.Text("Runs"),
			Value: say.Format("at most %.0f expected", a.accept.Runs()),
			Detail: say.Format("after each that is not good enough a coin ends the search "+
				"with nothing: in %.0f of 100 releases if one run in %d is good enough, in all if "+
				"none is; the loss is spent either way", 100*a.accept.Miss(1/float64(2*k)), 2*k)})
}

// places returns everybody's place in each column.
func (a *accepting) places(data ask.Data) [][]uint8 {
	places := make([][]uint8, len(a.cells.dimensions))
	for i, d := range a.cells.dimensions {
		places[i] = make([]uint8, int(max(a.query.People, 1)))
		for person := range places[i] { // until a row says otherwise
			places[i][person] = uint8(len(d.Places) - 1)
		}
	}
	columns := a.cells.columns(data, nil)
	forEachPerson(columns[0], a.query.People, func(row, person int) {
		for i, column := range columns {
			if place, has := column.Code(row); has {
				places[i][person] = uint8(place)
			}
		}
	})
	return places
}

func (a *accepting) Run(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	model, way, found, err := a.accept.Release(src, a.places(data), a.codesOf(data), step)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, ask.FoundNothing("no made-up rows met the criteria, by the noisy score, " +
			"before the search ended. That is what this release says, and its privacy loss is " +
			"spent. With wider tolerances, fewer criteria or more ε a search finds rows more often")
	}
	out := &Joint{Axes: a.cells.axes(), Model: model,
		Accepted: &Accepted{a.lines, len(a.ways), string(a.ways[way].Name)}}
	return out, out.Check()
}

// Reopen recomputes what follows from the question, for the way named in the file.
func (a *accepting) Reopen(r ask.Result) (ask.Result, bool) {
	was := r.(*Joint)
	if was.Accepted == nil {
		return r, true // it does not follow from the question: core/verify says so
	}
	way := a.way(was)
	if way < 0 || len(a.ways[way].Of) != len(was.Model.Measured.Tables) {
		return r, true
	}
	of := *a.joined
	of.pairs = a.accept.Tables(way)
	again, told := of.Reopen(r)
	again.(*Joint).Accepted = &Accepted{a.lines, len(a.ways), was.Accepted.Way}
	return again, told
}

// codesOf returns functions for everybody's codes in the columns whose means are compared.
func (a *accepting) codesOf(data ask.Data) []func(person int) uint64 {
	all := make([]func(int) uint64, len(a.codes))
	for _, c := range a.criteria {
		if c.Of != joint.Mean || all[c.Columns[0]] != nil {
			continue
		}
		column := values(data.Others[a.cells.first+c.Columns[0]])
		codes := make([]uint64, max(a.query.People, 1))
		forEachPerson(column, a.query.People, func(row, person int) {
			codes[person], _ = column.Code(row)
		})
		all[c.Columns[0]] = func(person int) uint64 { return codes[person] }
	}
	return all
}

func (a *accepting) State(result ask.Result) string {
	say, t := a.query.Say, result.(*Joint)
	columns := strings.Join(AxisNames(t.Axes), ", ")
	return say.Count(int64(len(t.Accepted.Criteria)),
		"Made-up rows of %[2]s passed a noisy check of the criterion.",
		"Made-up rows of %[2]s passed a noisy check of all %[1]d criteria.",
		len(t.Accepted.Criteria), columns) + " " +
		say.Text("A search releases rows that miss one in at most 5 of 100 cases.")
}
