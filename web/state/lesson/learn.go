// Package lesson is the place of lessons: a question asked many times of made-up data, its demo on
// other sites, and its film.
package lesson

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/sample"
	"hush/core/study"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state/form"
	"hush/web/state/place"
)

// Asides are the numbers of people that a lesson can set aside to be labelled; with 0 the cases of
// the question are labelled.
var Asides = []int{0, 1, 3, 20, 50, 100, 200}

// Labels reports whether the lesson labels cases, and is about made-up people: some can then be set
// aside, and there can be as many others as votes need.
func (l *Lesson) Labels() bool { return l.Own == nil && l.Task.ID == "classify" }

// Parts are the stops of the people's slider.
func (l *Lesson) Parts() []int {
	if l.Labels() {
		return append(slices.Clone(Parts), 1000, 5000)
	}
	return Parts
}

// Learn is the place of lessons: the one that is shown, and how it is asked.
type Learn struct {
	place.Link
	Lesson // none if it has no Task and is not about the open file
	Rows   Rows
	// Difference is the lesson about making answers more exact.
	Difference Difference

	Tasks    []ask.Task
	Question interface{ Recipe() ask.Recipe } // the workbench's, of the open file
	Shown    func() *ask.Task                 // what that asks, if its owner has looked; else nil

	WriteAddress func(path string) // nil: in a page of another site, whose address is the demo's
}

// Lesson is a question asked many times about made-up data, whose answers are compared with the
// true one. Nothing in it is a release.
type Lesson struct {
	Task    *ask.Task   // the one taught; nil: none is chosen
	Own     *ask.Recipe // the question about the open file; nil: the lesson is about made-up people
	Epsilon string      // one of Epsilons
	Part    int         // of the people, one of Parts, in percent
	Wider   int         // powers of ten by which the bounds are wider than need be, one of Widers
	Draws   int         // one of DrawCounts
	Aside   int         // people who are labelled and teach nobody, one of Asides
	Params  ask.Params
	Seed    coin.Seed
	Figure  string // name of the number whose spread is shown; empty: the first

	Study  *study.Study  // the paper shown; nil: none
	Axis   int           // what grows there, as in study.Study.Along
	Curves *study.Curves // once they are measured

	Taught   *task.Taught
	Progress *engine.Progress // nil: nothing runs
	Fault    *engine.Fault
	Beside   []Beside // the algorithms at the same ε, once requested
	Showing  Showing  // a run of one of its algorithms

	request engine.Request
}

// Beside holds one algorithm's draws, or why it draws nothing.
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

// Show shows the lesson that the address names, with the settings behind its question mark, or the
// list of all.
func (l *Learn) Show(address string) {
	id, query, _ := strings.Cut(address, "?")
	shown := l.Task != nil && l.Task.ID == id && l.Own == nil ||
		id == DifferenceLesson && l.Difference.Shown
	if shown && (query == "" || place.ViewLearn.Path()+"/"+address == l.Address()) {
		return
	}
	l.Halt()
	set := settingsOf(query)
	l.Difference, l.Rows = Difference{}, Rows{}
	switch id {
	case RowsLesson:
		l.showRows(set)
		return
	case DifferenceLesson:
		l.showDifference(set)
		return
	case OwnLesson:
		l.ShowOwn()
		return
	}
	if s, ok := study.Find(id); ok {
		l.showStudy(s, set)
		return
	}
	l.Lesson = Lesson{Epsilon: "1", Part: 100, Draws: 10, Params: ask.Params{}, Seed: 1}
	for i := range l.Tasks {
		if l.Tasks[i].ID == id && l.Tasks[i].Example != nil {
			l.Task = &l.Tasks[i]
			set.lesson(&l.Lesson)
			if films := l.Tasks[i].Films; len(films) > 0 {
				l.ShowFilm(films[0])
			}
			l.teach()
		}
	}
}

// ShowOwn shows the workbench's question about the open file, if its owner has chosen to look;
// otherwise it shows the choice.
func (l *Learn) ShowOwn() {
	r := l.Question.Recipe()
	l.Lesson = Lesson{Own: &r, Epsilon: "1", Draws: 10, Params: ask.Params{}, Seed: 1}
	if slices.Contains(form.Epsilons, r.Epsilon) {
		l.Epsilon = r.Epsilon
	}
	if l.Task = l.Shown(); l.Task != nil {
		l.ShowFilm(l.Task.Films[0])
		l.teach()
	}
}

// Change changes the lesson and asks again. Earlier answers stay until the new ones are there.
func (l *Learn) Change(change func(*Lesson)) {
	if l.Task == nil { // the lesson was left, and its controls are still on the screen
		return
	}
	l.Halt()
	change(&l.Lesson)
	l.Beside = nil
	l.teach()
	l.write()
	l.Update()
}

// ShowFigure chooses the number whose spread is shown.
func (l *Learn) ShowFigure(name string) {
	l.Figure = name
	l.Update()
}

// Stop ends whatever runs.
func (l *Learn) Stop() {
	l.Halt()
	l.Update()
}

// Halt ends whatever runs, for a lesson that is left or changed.
func (l *Learn) Halt() {
	if l.Progress != nil {
		l.Cancel(l.request)
	}
	l.Progress, l.request = nil, 0
}

// teach asks the question as it is.
func (l *Learn) teach() {
	l.askLesson(l.Whole(), func(taught *task.Taught, fault *engine.Fault) {
		l.Taught, l.Fault = taught, fault
	})
}

// CompareAlgorithms asks the question once with each algorithm, at the same ε and about the same
// people.
func (l *Learn) CompareAlgorithms() {
	if l.Task == nil { // as above
		return
	}
	l.Halt()
	l.Beside = nil
	l.compareFrom(0)
	l.Update()
}

func (l *Learn) compareFrom(i int) {
	p := l.Algorithms()
	if p == nil || i >= len(p.AllChoices()) {
		return
	}
	chosen := p.AllChoices()[i]
	asked := l.Whole()
	asked.Recipe.Params[p.Name] = chosen.Value // lesson makes a map of its own
	l.askLesson(asked, func(taught *task.Taught, fault *engine.Fault) {
		l.Beside = append(l.Beside, Beside{say.Text(chosen.Label), taught, fault})
		l.compareFrom(i + 1)
	})
}

// askLesson asks a question many times. done receives the answers, or why there are none; it is not
// called if the work was stopped.
func (l *Learn) askLesson(asked ask.Lesson, done func(*task.Taught, *engine.Fault)) {
	ask := engine.Teach
	if l.Own != nil {
		ask = engine.LookOn
	}
	l.follow(ask.With(asked), func(body []byte, fault *engine.Fault) {
		if fault != nil {
			done(nil, fault)
		} else {
			done(ask.Read(body), nil)
		}
	})
}

// follow makes a long call, and reports its progress. done receives the answer, or why there is
// none; it is not called if the work was stopped.
func (l *Learn) follow(call engine.Call, done func(body []byte, fault *engine.Fault)) {
	l.Progress, l.Fault = &engine.Progress{}, nil
	l.request = l.Call(call, func(r engine.Request, kind string, body []byte) {
		if r != l.request {
			return
		}
		switch kind {
		case engine.ReplyProgress:
			engine.Decode(body, l.Progress)
		case engine.ReplyFailed:
			l.Progress = nil
			if f := place.Failure(body); f.Code != engine.Cancelled {
				done(nil, f)
			}
		case engine.ReplyDone:
			l.Progress = nil
			done(body, nil)
		}
		l.Update()
	})
}

// Whole returns the complete question.
func (l *Lesson) Whole() ask.Lesson {
	r := l.Recipe()
	params := r.Params
	r.Version, r.Task, r.Epsilon = ask.RecipeVersion, l.Task.ID, l.Epsilon
	l.widen(&r)
	r.Params = ask.Params{}
	maps.Copy(r.Params, params)
	maps.Copy(r.Params, l.Params)
	if l.Own != nil {
		return ask.Lesson{Recipe: r, Draws: l.Draws, Seed: l.Seed}
	}
	return ask.Lesson{Sample: l.Task.Example.Sample, Rows: l.people(), Recipe: r, Draws: l.Draws,
		Seed: l.Seed, Aside: l.Aside}
}

// people is the number of people asked about: the set's first ones.
func (l *Lesson) people() int { return max(l.Set().Rows*l.Part/100, 1) }

// Set is the made-up data set of the lesson.
func (l *Lesson) Set() sample.Set {
	sets := sample.Sets()
	return sets[slices.IndexFunc(sets, func(s sample.Set) bool {
		return s.Name == l.Task.Example.Sample
	})]
}

// domains returns the domains of the lesson's question that can be widened: those between bounds,
// or else lists of categories of any length. An outcome has two categories, and cut points leave
// nothing to be widened.
func (l *Lesson) domains(r *ask.Recipe) (bounded, listed []*domain.Spec) {
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
		role := slices.IndexFunc(l.Task.Others, func(role ask.Role) bool {
			return role.Name == r.Others[i].Role
		})
		if len(r.Others[i].Cuts) == 0 &&
			(l.Task.Others[role].Values == 0 || r.Others[i].Domain.Kind != domain.Category) {
			sort(&r.Others[i].Domain)
		}
	}
	return bounded, listed
}

// Widers returns the stops of the slider over the number of possible values, and whether these are
// categories; nil if there is no slider.
func (l *Lesson) Widers() (stops []int, listed bool) {
	r := l.Recipe()
	switch bounded, lists := l.domains(&r); {
	case len(bounded) > 0:
		return Widers, false
	case len(lists) > 0:
		return Widers[:3], true
	}
	return nil, false
}

// widen widens a recipe's domains: bounds by powers of ten, or lists by as many categories, which
// nobody has.
func (l *Lesson) widen(r *ask.Recipe) {
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
		for i := range Pow10(l.Wider) {
			s.Categories = append(s.Categories, "nobody "+strconv.Itoa(i+1))
		}
	}
}

// wider moves the upper bound outwards by powers of ten.
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

// Algorithms returns the parameter that chooses among algorithms, or nil.
func (l *Lesson) Algorithms() *ask.Param {
	for i, p := range l.Task.Params {
		if p.Rivals {
			return &l.Task.Params[i]
		}
	}
	return nil
}

// Used states which algorithm was used and why, as in the forecast; empty before there is one.
func (l *Lesson) Used() string {
	if l.Taught == nil {
		return ""
	}
	plan := l.Taught.Draws[0].Plan
	text := ""
	if plan.Algorithm != say.Text(l.Task.Algorithm) { // that is stated already
		text = say.Format("Used here: %s.", plan.Algorithm)
	}
	for _, f := range plan.Forecast {
		if f.Label == say.Text("Used") {
			text += " " + task.Capital(f.Detail) + "."
		}
	}
	return strings.TrimSpace(text)
}

// Pow10 returns the n-th power of ten.
func Pow10(n int) int {
	out := 1
	for range n {
		out *= 10
	}
	return out
}

// ShownDraws is the number of draws in one picture with the true answer.
const ShownDraws = 3

// Recipe returns the question from which the lesson starts.
func (l *Lesson) Recipe() ask.Recipe {
	if l.Own != nil {
		return *l.Own
	}
	return l.Task.Example.Recipe
}

// OwnLesson is the name, behind ViewLearn, of the lesson about the open file.
const OwnLesson = "own"
