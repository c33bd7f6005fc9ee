package task

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/survival"
)

// Survival are released survival curves: of everybody, or of each group. With probability 95 % all
// their ranges hold at once.
type Survival struct {
	Event  string          `json:"event"`            // what happens to those who are not censored
	Groups string          `json:"groups,omitempty"` // the column of the groups
	Curves []SurvivalCurve `json:"curves"`           // one, or one for each group
	People int64           `json:"people"`           // n, public
}

// SurvivalCurve is the curve of a group.
type SurvivalCurve struct {
	Group string `json:"group,omitempty"`
	// All is about how many have a time and an end.
	All     int64           `json:"all"`
	AllLow  int64           `json:"allLow"`
	AllHigh int64           `json:"allHigh"`
	Points  []SurvivalPoint `json:"points"` // ascending
}

// SurvivalPoint is the curve when a time begins.
type SurvivalPoint struct {
	Value string `json:"value"`
	// Free is the part in percent still without the event when Value begins; the true part is from
	// Low to High.
	Free float64 `json:"free"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// AtRisk is about how many were still followed, and without the event, when the step that ends
	// at Value began.
	AtRisk     int64 `json:"atRisk"`
	AtRiskLow  int64 `json:"atRiskLow"`
	AtRiskHigh int64 `json:"atRiskHigh"`
}

const (
	paramSteps = "steps"
	roleEnd    = "end"

	againstHalf phrase.Key = "one half"
)

var survivalTask = ask.Task{
	ID:       "survival",
	Title:    "Survival curve",
	Question: "How long until it happens, if some were only followed for a while?",
	Sentence: "How many {many} are still without it after each {column} {group}, if {end} says " +
		"how it ended?",
	Heading:  "Survival over {column} {group}",
	Synonyms: "Kaplan-Meier, time to event, censoring, relapse, churn, retention, failure time",
	Answer: "the part still without the event after each step of time, with a band, how many " +
		"are at risk, and the median",
	Algorithm: "Kaplan–Meier curve from a tree of counts",
	How: "Counts, with noise, how many had the event in each step of time, and how many were " +
		"followed no longer. The sums of these counts are made consistent, and the curve is made " +
		"from them. " +
		"If there are few people, neighbouring steps are counted together.",
	Simple: "Noise on each count is the simple mechanism, and what is used for up to about 50 " +
		"steps. A tree of counts is better for more.",
	Source: "Kaplan, Meier 1958; Hay, Rastogi, Miklau, Suciu 2010",
	Limits: "Where few are left, the curve says little. The range is that of the noise: others " +
		"of the same kind may fare otherwise. Nobody may join late. Groups share one line of " +
		"counts, so that each has its own noise.",
	Judged: "Half of the band against one half: before release the usual one, left open since " +
		"nobody knows how many have a time and an end; after it that of each step.",
	Domains: numberKinds,
	ByGroup: true,
	Listed:  true,
	Others: []ask.Role{{
		Name: roleEnd, Label: "how it ended", Help: "The column that says whether it happened, " +
			"or whether the person was followed no longer. List two categories: first the one " +
			"that says that it happened.",
		Domains: []domain.Kind{domain.Category}, Min: 1, Max: 1, Values: 2,
	}},
	Params: []ask.Param{{
		Name: paramSteps, Label: "Steps of time, at most", Kind: ask.Integer, Default: "32",
		Min: 1, Max: survival.MaxSteps,
		Help: "The time from the least to the largest value is cut into equal steps. People " +
			"with the largest value were followed to the end: nothing happened to them.",
		Effect: "More steps have more noise. If there are few people, steps are counted together.",
	}},
	Example: &ask.Example{
		Sample: "trial",
		Recipe: ask.Recipe{
			Column: 9, Label: "months",
			Domain: domain.Spec{Kind: domain.Integer, Lo: "0", Hi: "36", Outside: domain.Clamp},
			Others: []ask.Field{{Role: roleEnd, Column: 10, Label: "end",
				Domain: domain.Spec{Kind: domain.Category,
					Categories: []string{"relapse", "left"}}}}}},
	Films:    []string{"laplace"},
	Costs:    ask.Costs{"": "survival.Survival"},
	Exact:    exactSurvival,
	Unframed: "the width of the band depends on when people leave",
	Prepare:  prepareSurvival,
}

type survivalAsked struct {
	query     *ask.Query
	mechanism *survival.Survival
	steps     timeSteps
	event     string
	groups    []string // empty: everybody at once
}

// timeSteps cuts codes into equal steps; the last code is the end of the last one.
type timeSteps struct {
	last  uint64 // the largest code
	steps int
}

// of returns the step in which a code lies, and whether it is before the end.
func (s timeSteps) of(code uint64) (step int, before bool) {
	if code >= s.last {
		return s.steps - 1, false
	}
	return int(code * uint64(s.steps) / s.last), true
}

// end returns the code at which a step ends.
func (s timeSteps) end(step int) uint64 {
	steps := uint64(s.steps)
	return (uint64(step+1)*s.last + steps - 1) / steps
}

// mostTimes is how many codes of time there may be, so that products fit.
const mostTimes = 1 << 50

func prepareSurvival(q *ask.Query) (ask.Prepared, error) {
	size, err := smallSize(q.Domain)
	if err != nil {
		return nil, err
	}
	if size < 2 || size > mostTimes {
		return nil, ask.Refuse("domain", fmt.Sprint(size),
			phrase.Of("from 2 to 2^50 possible times"))
	}
	if err := q.CheckPersons(maxTree); err != nil {
		return nil, err
	}
	end, _ := q.Role(roleEnd)
	s := &survivalAsked{query: q, event: end[0].Field.Domain.Categories[0],
		steps: timeSteps{size - 1, int(min(uint64(q.Integer(paramSteps)), size-1))}}
	if q.Groups != nil {
		for code := range q.Groups.Size().Uint64() {
			s.groups = append(s.groups, q.Groups.Decode(code))
		}
		if len(s.groups) > survival.MaxGroups {
			return nil, ask.Refuse("groups", phrase.Of("%d names", len(s.groups)),
				phrase.Of("at most %d for this question", survival.MaxGroups))
		}
	}
	s.mechanism, err = ask.Remember(q, survival.Params{Epsilon: q.Epsilon,
		Persons: uint64(max(q.People, 1)), Steps: s.steps.steps, Groups: len(s.groups)},
		survival.New)
	return s, err
}

// even is the number of people in a group if all are of the same size.
func (s *survivalAsked) even() float64 {
	return max(float64(s.query.People)/float64(max(len(s.groups), 1)), 1)
}

func (s *survivalAsked) Loss() (privacy.Loss, error) { return s.mechanism.Loss(1) }

func (s *survivalAsked) Algorithm() string {
	return s.query.Say.Format("%s of %d steps", survivalTask.Algorithm, s.mechanism.Measured())
}

// Bound is not known: the width of the band depends on when people leave.
func (s *survivalAsked) Bound() float64 { return math.Inf(1) }

// Typical is the usual half of the band, in percent.
func (s *survivalAsked) Typical() (off float64, exact bool) {
	return min(100*s.mechanism.UsualBand()/s.even(), 50), false
}

func (*survivalAsked) Unit() ask.Unit {
	return ask.Unit{Text: phrase.Of("percentage points"), Of: ask.OfPercent}
}

func (s *survivalAsked) Forecast() []ask.Forecast {
	say := s.query.Say
	off, _ := s.Typical()
	detail := say.Text("if everybody has a time and an end; for all steps at once, in 95 of 100 " +
		"releases; wider where few are left")
	if len(s.groups) > 0 {
		detail = say.Format("if everybody has a time and an end, for %s in each group; for all "+
			"steps and groups at once, in 95 of 100 releases; wider where few are left",
			s.query.Count(int64(s.even())))
	}
	list := []ask.Forecast{
		{Label: say.Text("Half of the band, usually"), Value: points(say, phrase.AtMost(off)),
			Detail: detail},
		{Label: say.Text("Steps that are counted"), Value: fmt.Sprint(s.mechanism.Measured()),
			Detail: say.Format("of %d; in each of them people are taken to be spread evenly",
				s.steps.steps)}}
	if s.query.Recipe.Domain.Outside != domain.Clamp {
		list = append(list, ask.Forecast{Label: say.Text("Followed beyond the range"),
			Value: say.Text("left out"),
			Detail: say.Format("count values outside as the nearest bound, so that %s who were "+
				"followed longer count as followed to the end", s.query.Many())})
	}
	return list
}

// Judge compares half of the band with one half. Before the release nobody knows how many people
// have a time and an end, so the verdict says how many there must be.
func (s *survivalAsked) Judge(r ask.Result) ask.Verdict {
	if r == nil {
		off, _ := s.Typical()
		against := ask.Typically(off, chance)
		v := s.query.Because(against.Verdict(), s.percent, againstHalf)
		if v.Grade == ask.Good {
			v.Grade, v.From = ask.Unknown, s.query.CountUp(s.even()*against.Needs()/chance)
			text := phrase.Key("Usually off by %s: good to publish if %s or more have a time and " +
				"an end, and leave evenly.")
			if len(s.groups) > 0 {
				text = "Usually off by %s: good to publish if in each group %s or more have a " +
					"time and an end, and leave evenly."
			}
			v.Text = s.query.Say.Format(text, s.percent(off), v.From)
		}
		return v
	}
	var list []ask.Against
	for _, c := range r.(*Survival).Curves {
		for _, p := range c.Points {
			list = append(list, ask.Within(max(p.High-p.Free, p.Free-p.Low), chance))
		}
	}
	return s.query.Because(ask.OfMany(list), s.percent, againstHalf)
}

func (*survivalAsked) percent(x float64) string { return phrase.AtMost(x) + " %" }

func (s *survivalAsked) Run(src coin.Source, data ask.Data, step coin.Step) (ask.Result, error) {
	counting, measuring := halves(step)
	cells, err := s.count(data, counting)
	if err != nil {
		return nil, err
	}
	curves, err := s.mechanism.Release(src, cells, measuring)
	if err != nil {
		return nil, err
	}
	out := &Survival{Event: s.event, People: s.query.People}
	if len(s.groups) > 0 {
		if out.Groups = strings.TrimSpace(s.query.Recipe.Group.Label); out.Groups == "" {
			out.Groups = s.query.Say.Text("group")
		}
	}
	for g, c := range curves {
		one := SurvivalCurve{All: int64(math.Round(c.All)), AllLow: int64(math.Floor(c.AllLow)),
			AllHigh: int64(math.Ceil(c.AllHigh))}
		if len(s.groups) > 0 {
			one.Group = s.groups[g]
		}
		for step, p := range c.Points {
			one.Points = append(one.Points, SurvivalPoint{
				Value: s.query.Domain.Decode(s.steps.end(step)), Free: tenths(100*p.Free,
					math.Round),
				Low: tenths(100*p.Low, math.Floor), High: tenths(100*p.High, math.Ceil),
				AtRisk: int64(math.Round(p.AtRisk)), AtRiskLow: int64(math.Floor(p.AtRiskLow)),
				AtRiskHigh: int64(math.Ceil(p.AtRiskHigh))})
		}
		out.Curves = append(out.Curves, one)
	}
	return out, nil
}

// tenths rounds to tenths: ends of a range outward.
func tenths(x float64, round func(float64) float64) float64 { return round(10*x) / 10 }

// count returns how many of the rows' persons are in each cell.
func (s *survivalAsked) count(data ask.Data, step coin.Step) ([]int64, error) {
	cells := make([]int64, s.mechanism.Cells())
	times, ends, groups := values(data.Main), values(data.Others[0]), values(data.Group)
	counted, _ := times.(basic.Counted)
	for row := range times.Len() {
		if step != nil && row%4096 == 0 {
			if err := step(int64(row), int64(times.Len())); err != nil {
				return nil, err
			}
		}
		persons := int64(1)
		if counted != nil {
			persons = int64(counted.Persons(row))
		}
		cells[s.cell(times, ends, groups, row)] += persons
	}
	return cells, nil
}

// cell is the one cell of a row. A person with the largest time was followed to the end, and is
// censored there whatever the row says: times beyond it are cut to it.
func (s *survivalAsked) cell(times, ends, groups basic.Values, row int) int {
	group := 0
	if len(s.groups) > 0 {
		code, ok := groups.Code(row)
		if !ok {
			return s.mechanism.Outside()
		}
		group = int(code)
	}
	time, ok := times.Code(row)
	end, known := ends.Code(row)
	if !ok || !known {
		return s.mechanism.None(group)
	}
	step, before := s.steps.of(time)
	if end == 0 && before {
		return s.mechanism.Event(group, step)
	}
	return s.mechanism.Censored(group, step)
}

// middle is the range of the median of a curve, as indices of points; each is the number of points
// where the curve, or an end of its band, stays above one half.
func (c *SurvivalCurve) middle() (low, about, high int) {
	first := func(of func(p SurvivalPoint) float64) int {
		at := slices.IndexFunc(c.Points, func(p SurvivalPoint) bool { return of(p) <= 50 })
		if at < 0 {
			return len(c.Points)
		}
		return at
	}
	return first(func(p SurvivalPoint) float64 { return p.Low }),
		first(func(p SurvivalPoint) float64 { return p.Free }),
		first(func(p SurvivalPoint) float64 { return p.High })
}

// Median returns the time at which a curve that begins at first falls to one half, and its range;
// empty: it stays above one half up to the last time.
func (c *SurvivalCurve) Median(first string) (low, about, high string) {
	value := func(at int) string {
		if at == len(c.Points) {
			return ""
		}
		return c.Points[at].Value
	}
	l, a, h := c.middle()
	if low = first; l > 0 { // the median is in the step that begins there
		low = value(l - 1)
	}
	return low, value(a), value(h)
}

// State says when half are without the event or, if that is not known, how many at the last time
// that says something; of groups, where two differ most clearly.
func (s *survivalAsked) State(r ask.Result) string {
	out, say := r.(*Survival), s.query.Say
	if len(out.Curves) == 1 {
		return s.half(out, &out.Curves[0])
	}
	high, low, at := out.Apart()
	if high == nil {
		return noDifference(s.query)
	}
	p, q := high.Points[at], low.Points[at]
	return say.Format("With “%s”, %.1f to %.1f percentage points more are still without “%s” at "+
		"%s than with “%s” (in 95 of 100 releases): about %.0f %% and %.0f %%.", high.Group,
		p.Low-q.High, p.High-q.Low, out.Event, s.query.Value(p.Value), low.Group, p.Free, q.Free)
}

// Apart returns the two curves that differ most clearly, the higher one first, and the point at
// which they do: their ranges are furthest apart. All ranges hold at once, so that one may choose
// by looking. Nil: no two ranges are apart.
func (s *Survival) Apart() (high, low *SurvivalCurve, at int) {
	widest := 0.0
	for i := range s.Curves {
		for j := range s.Curves {
			for k := range s.Curves[i].Points {
				gap := s.Curves[i].Points[k].Low - s.Curves[j].Points[k].High
				if gap > widest {
					widest, high, low, at = gap, &s.Curves[i], &s.Curves[j], k
				}
			}
		}
	}
	return high, low, at
}

// half states one curve.
func (s *survivalAsked) half(out *Survival, c *SurvivalCurve) string {
	say, whom := s.query.Say, s.query.Many()
	if c.Group != "" {
		whom = say.Format("%s with “%s”", whom, c.Group)
	}
	low, about, high := c.Median(s.query.Domain.Decode(0))
	last := c.lastTold()
	switch {
	case about != "" && high != "":
		return say.Format("Half of the %s are still without “%s” at about %s (between %s and %s, "+
			"in 95 of 100 releases).", whom, out.Event, s.query.Value(about),
			s.query.Value(low), s.query.Value(high))
	case last != nil:
		return say.Format("About %.0f %% of the %s are still without “%s” at %s (between %.1f and "+
			"%.1f %%, in 95 of 100 releases).", last.Free, whom, out.Event,
			s.query.Value(last.Value), last.Low, last.High)
	}
	return say.Format("Too few %s to tell how many are still without “%s”.", whom, out.Event)
}

// lastTold is the last point with a range of at most 50 percentage points; nil: none.
func (c *SurvivalCurve) lastTold() *SurvivalPoint {
	for i := len(c.Points) - 1; i >= 0; i-- {
		if c.Points[i].High-c.Points[i].Low <= 50 {
			return &c.Points[i]
		}
	}
	return nil
}

// Kind is "survival".
func (*Survival) Kind() string { return "survival" }

// Check refuses an answer without a curve, and curves without points or of unlike lengths.
func (s *Survival) Check() error {
	if len(s.Curves) == 0 {
		return ask.Refuse("curves", "0", phrase.Of("at least one"))
	}
	for _, c := range s.Curves {
		if n := len(c.Points); n == 0 || n != len(s.Curves[0].Points) {
			return ask.Refuse("points", fmt.Sprint(n),
				phrase.Of("at least one, and as many in each curve"))
		}
	}
	return nil
}

// Table lists the points of the curves.
func (s *Survival) Table(say ask.Voice, column string) [][]string {
	head := []string{column, say.Text("still without it, %"), say.Text("low (95 %)"),
		say.Text("high (95 %)"), say.Text("at risk before"), say.Text("low (95 %)"),
		say.Text("high (95 %)")}
	if s.Groups != "" {
		head = append([]string{s.Groups}, head...)
	}
	rows := [][]string{head}
	for _, c := range s.Curves {
		for _, p := range c.Points {
			row := []string{p.Value}
			if s.Groups != "" {
				row = []string{c.Group, p.Value}
			}
			for _, part := range []float64{p.Free, p.Low, p.High} {
				row = append(row, fmt.Sprintf("%.1f", part))
			}
			for _, n := range []int64{p.AtRisk, p.AtRiskLow, p.AtRiskHigh} {
				row = append(row, fmt.Sprint(n))
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// exactSurvival compares each point with Kaplan and Meier's curve of the people, person by person.
func exactSurvival(r ask.Recipe, answer ask.Result, people []ask.Person) (list []ask.Miss) {
	last := exactCode(r, r.Domain.Hi)
	for _, c := range answer.(*Survival).Curves {
		known := func(p ask.Person) bool {
			return p.Valued() && p.Others[0] >= 0 && (r.Group == nil || p.Group == c.Group)
		}
		free, from := 1.0, int64(0)
		for _, p := range c.Points {
			end := exactCode(r, p.Value)
			risk := exactCount(people, func(o ask.Person) bool {
				return known(o) && o.Main >= from
			})
			events := exactCount(people, func(o ask.Person) bool {
				return known(o) && o.Others[0] == 0 && o.Main >= from && o.Main < min(end, last)
			})
			if risk > 0 {
				free *= 1 - events/risk
			}
			list = append(list, miss(c.Group+" "+p.Value, p.Free-100*free,
				max(p.High-p.Free, p.Free-p.Low)+0.1))
			from = end
		}
	}
	return list
}
