package web

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/sample"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/say"
)

// Learn is a question asked many times of made-up data, beside what the data say. Nothing of it is a release.
type Learn struct {
	Task    *ask.Task   // the one taught; nil: none is chosen
	Own     *ask.Recipe // the question of the open file; nil: the lesson is about made-up people
	Epsilon string      // one of Epsilons
	Part    int         // of the people, one of Parts, in percent
	Wider   int         // powers of ten by which the bounds are wider than need be, one of Widers
	Draws   int         // one of DrawCounts
	Aside   int         // people who are labelled and teach nobody, one of Asides
	Params  ask.Params
	Seed    coin.Seed
	Figure  string // the number whose spread is shown, by its name; empty: the first

	Taught   *task.Taught
	Progress *engine.Progress // nil: nothing runs
	Fault    *engine.Fault
	Beside   []Beside // the algorithms at the same ε, once asked for
	Showing  Showing  // a run of one of its algorithms

	request Request
}

// Beside is one algorithm's draws, or why it draws nothing.
type Beside struct {
	Name   string
	Taught *task.Taught // nil: it was refused
	Fault  *engine.Fault
}

// The stops of a lesson's sliders.
var (
	Parts      = []int{2, 5, 10, 25, 50, 100}
	Widers     = []int{0, 1, 2, 4, 6}
	DrawCounts = []int{1, 10, 100}
)

// learn shows the lesson that the address names, or the list of all.
func (m *Model) learn(id string) {
	if m.Learn.Task != nil && m.Learn.Task.ID == id && m.Learn.Own == nil {
		return
	}
	m.stopLesson()
	if id == ownLesson {
		m.learnOwn()
		return
	}
	m.Learn = Learn{Epsilon: "1", Part: 100, Draws: 10, Params: ask.Params{}, Seed: 1}
	for i := range m.Tasks {
		if m.Tasks[i].ID == id && m.Tasks[i].Example != nil {
			m.Learn.Task = &m.Tasks[i]
			m.ShowFilm(m.Tasks[i].Films[0])
			m.teach()
		}
	}
}

// ChangeLesson changes the lesson and asks again. Earlier answers stay until the new ones are there.
func (m *Model) ChangeLesson(change func(*Learn)) {
	if m.Learn.Task == nil { // left, and its controls are on the screen yet
		return
	}
	m.stopLesson()
	change(&m.Learn)
	m.Learn.Beside = nil
	m.teach()
	m.update()
}

// ShowFigure chooses the number whose spread is shown.
func (m *Model) ShowFigure(name string) {
	m.Learn.Figure = name
	m.update()
}

// StopLesson ends what runs.
func (m *Model) StopLesson() {
	m.stopLesson()
	m.update()
}

func (m *Model) stopLesson() {
	if m.Learn.Progress != nil {
		m.engine.Cancel(m.Learn.request)
	}
	m.Learn.Progress, m.Learn.request = nil, 0
}

// teach asks the question as it is.
func (m *Model) teach() {
	m.askLesson(m.Learn.lesson(), func(taught *task.Taught, fault *engine.Fault) { m.Learn.Taught, m.Learn.Fault = taught, fault })
}

// CompareAlgorithms asks the question once by each algorithm, at the same ε and of the same people.
func (m *Model) CompareAlgorithms() {
	if m.Learn.Task == nil { // as above
		return
	}
	m.stopLesson()
	m.Learn.Beside = nil
	m.compareFrom(0)
	m.update()
}

func (m *Model) compareFrom(i int) {
	p := m.Learn.Algorithms()
	if p == nil || i >= len(p.AllChoices()) {
		return
	}
	chosen := p.AllChoices()[i]
	l := m.Learn.lesson()
	l.Recipe.Params[p.Name] = chosen.Value // lesson makes a map of its own
	m.askLesson(l, func(taught *task.Taught, fault *engine.Fault) {
		m.Learn.Beside = append(m.Learn.Beside, Beside{say.Text(chosen.Label), taught, fault})
		m.compareFrom(i + 1)
	})
}

// askLesson asks a question many times. done gets the answers, or why there are none; it is not called where the work was stopped.
func (m *Model) askLesson(l ask.Lesson, done func(*task.Taught, *engine.Fault)) {
	m.Learn.Progress, m.Learn.Fault = &engine.Progress{}, nil
	ask := engine.Teach
	if m.Learn.Own != nil {
		ask = engine.LookOn
	}
	m.Learn.request = m.engine.Call(ask.With(l), func(r Request, kind string, body []byte) {
		if r != m.Learn.request {
			return
		}
		switch kind {
		case ReplyProgress:
			decode(body, m.Learn.Progress)
		case ReplyFailed:
			m.Learn.Progress = nil
			if f := failure(body); f.Code != engine.Cancelled {
				done(nil, f)
			}
		case ReplyDone:
			m.Learn.Progress = nil
			done(ask.Read(body), nil)
		}
		m.update()
	})
}

// lesson is the question in whole.
func (l *Learn) lesson() ask.Lesson {
	r := l.recipe()
	params := r.Params
	r.Version, r.Task, r.Epsilon = ask.RecipeVersion, l.Task.ID, l.Epsilon
	l.widen(&r)
	r.Params = ask.Params{}
	maps.Copy(r.Params, params)
	maps.Copy(r.Params, l.Params)
	if l.Own != nil {
		return ask.Lesson{Recipe: r, Draws: l.Draws, Seed: l.Seed}
	}
	return ask.Lesson{Sample: l.Task.Example.Sample, Rows: l.people(), Recipe: r, Draws: l.Draws, Seed: l.Seed, Aside: l.Aside}
}

// people are those asked about: the set's first ones.
func (l *Learn) people() int { return max(l.Set().Rows*l.Part/100, 1) }

// Set is the made-up data set of the lesson.
func (l *Learn) Set() sample.Set {
	sets := sample.Sets()
	return sets[slices.IndexFunc(sets, func(s sample.Set) bool { return s.Name == l.Task.Example.Sample })]
}

// domains are those of the lesson's question that can be made wider: between bounds, or else lists of categories of any length. An outcome has
// two categories, and cut points leave nothing to be widened.
func (l *Learn) domains(r *ask.Recipe) (bounded, listed []*domain.Spec) {
	sort := func(s *domain.Spec) {
		switch s.Kind {
		case domain.Integer, domain.Decimal:
			bounded = append(bounded, s)
		case domain.Category:
			listed = append(listed, s)
		}
	}
	sort(&r.Domain)
	for i := range r.Others {
		role := slices.IndexFunc(l.Task.Others, func(role ask.Role) bool { return role.Name == r.Others[i].Role })
		if len(r.Others[i].Cuts) == 0 && (l.Task.Others[role].Values == 0 || r.Others[i].Domain.Kind != domain.Category) {
			sort(&r.Others[i].Domain)
		}
	}
	return bounded, listed
}

// widers are the stops of the slider over the number of possible values, and whether these are categories; nil where there is none.
func (l *Learn) widers() (stops []int, listed bool) {
	r := l.recipe()
	switch bounded, lists := l.domains(&r); {
	case len(bounded) > 0:
		return Widers, false
	case len(lists) > 0:
		return Widers[:3], true
	}
	return nil, false
}

// widen makes a recipe's domains wider: bounds by powers of ten, or lists by as many categories, which nobody has.
func (l *Learn) widen(r *ask.Recipe) {
	if l.Wider == 0 {
		return
	}
	r.Others = slices.Clone(r.Others)
	bounded, listed := l.domains(r)
	for _, s := range bounded {
		*s = wider(*s, l.Wider)
	}
	if len(bounded) > 0 {
		return
	}
	for _, s := range listed {
		s.Categories = slices.Clone(s.Categories)
		for i := range pow10(l.Wider) {
			s.Categories = append(s.Categories, "nobody "+strconv.Itoa(i+1))
		}
	}
}

// wider moves the upper bound out by powers of ten.
func wider(s domain.Spec, powers int) domain.Spec {
	if powers == 0 {
		return s
	}
	whole, part, _ := strings.Cut(s.Hi, ".")
	part += strings.Repeat("0", max(powers-len(part), 0))
	s.Hi = whole + part[:powers]
	if rest := part[powers:]; rest != "" {
		s.Hi += "." + rest
	}
	return s
}

// Algorithms is the parameter that chooses among algorithms, or nil.
func (l *Learn) Algorithms() *ask.Param {
	for i, p := range l.Task.Params {
		if p.Rivals {
			return &l.Task.Params[i]
		}
	}
	return nil
}

// used says which algorithm has been used and why, as the forecast has it; empty before there is one.
func (l *Learn) used() string {
	if l.Taught == nil {
		return ""
	}
	plan := l.Taught.Draws[0].Plan
	text := say.Format("Used here: %s.", plan.Algorithm)
	for _, f := range plan.Forecast {
		if f.Label == say.Text("Used") {
			text += " " + task.Capital(f.Detail) + "."
		}
	}
	return text
}

// spread is how the draws of one number lie about what the data say.
type spread struct {
	name      string
	quiet     string
	truth     float64 // the number in quiet, if it is known
	known     bool
	draws     []float64 // rising
	off       float64   // the median distance from the quiet number
	low, high float64   // nine draws of ten are between
}

// spreads lists the released numbers of a lesson, those first that are numbers in each draw.
func spreads(t *task.Taught) []spread {
	var list []spread
	for _, q := range parted(t.Quiet) {
		s := spread{name: q.shown.name, quiet: q.shown.text}
		s.truth, s.known = leadingNumber(q.text)
		var distances []float64
		for _, r := range t.Draws {
			for _, f := range parted(r) {
				if x, ok := leadingNumber(f.text); ok && f.name == q.name {
					s.draws = append(s.draws, x)
					distances = append(distances, math.Abs(x-s.truth))
				}
			}
		}
		if len(s.draws) < len(t.Draws) {
			continue // the number is not in each draw: no spread can be told
		}
		slices.Sort(s.draws)
		slices.Sort(distances)
		s.low, s.high = atPart(s.draws, 0.05), atPart(s.draws, 0.95)
		s.off = atPart(distances, 0.5)
		list = append(list, s)
	}
	return list
}

// shown is the number chosen among those of a lesson, or the first.
func (l *Learn) shown(all []spread) spread {
	return all[max(slices.IndexFunc(all, func(s spread) bool { return s.name == l.Figure }), 0)]
}

// atPart is the value with that part of a rising list below it.
func atPart(rising []float64, part float64) float64 {
	return rising[min(int(part*float64(len(rising))), len(rising)-1)]
}

// readable is a figure in English, whose number can be read, and as it is shown.
type readable struct {
	figure
	shown figure
}

// parted reads the figures of an answer, and makes two of a range, such as "21 to 71".
func parted(r *task.Release) (list []readable) {
	shown := figures(r)
	var english []figure
	say.InEnglish(func() { english = figures(r) })
	for i, f := range english {
		low, high, found := strings.Cut(f.text, " to ")
		_, first := leadingNumber(low)
		if _, second := leadingNumber(high); found && first && second {
			from, to := say.Format("%s, from", shown[i].name), say.Format("%s, to", shown[i].name)
			list = append(list, readable{figure{from, low}, figure{from, low}}, readable{figure{to, high}, figure{to, high}})
			continue
		}
		list = append(list, readable{f, shown[i]})
	}
	return list
}

// leadingNumber reads the number with which a figure begins, such as "1 234.5 (± 3 people)" or "987 of 3200 people", or the one behind a name,
// such as "58, 31: 1240 people". Units are English words.
func leadingNumber(text string) (float64, bool) {
	if _, behind, found := strings.Cut(text, ": "); found {
		text = behind
	}
	text, _, _ = strings.Cut(text, " (")
	text, _, _ = strings.Cut(text, " ±")
	text, _, _ = strings.Cut(text, " of ")
	for _, unit := range []string{" people", " %", " cases", " contacts with others"} {
		text = strings.TrimSuffix(text, unit)
	}
	text = strings.NewReplacer("\u202f", "", "\u00a0", "", " ", "", "−", "-").Replace(text)
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil && !math.IsInf(x, 0) && !math.IsNaN(x)
}

// bins counts the draws in at most that many bins of equal width.
func bins(rising []float64, most int) (edges []float64, counts []int) {
	low, high := rising[0], rising[len(rising)-1]
	n := min(most, max(1, len(rising)/4))
	if low == high {
		return []float64{low, high}, []int{len(rising)}
	}
	width := (high - low) / float64(n)
	counts = make([]int, n)
	for i := range n + 1 {
		edges = append(edges, low+float64(i)*width)
	}
	for _, x := range rising {
		counts[min(int((x-low)/width), n-1)]++
	}
	return edges, counts
}
