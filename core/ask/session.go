package ask

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"hush/core/coin"
	"hush/core/domain"
	"hush/core/message"
	"hush/core/meter"
	"hush/core/phrase"
	"hush/core/table"
)

// Session is one opened file and the questions asked about it. The caller owns the bytes: it feeds
// the file to the pass that Survey returns, and again to the one that Encode returns when a
// question needs a column that is not held. A Session is not safe for concurrent use.
type Session[C Catalogue] struct {
	Say *message.Language // its language; nil: English. It is set before anything is asked.
	// for encodings that core/table does not read itself; nil: none. It is set before a file is
	// read
	Decoders table.Decoders

	catalogue C
	src       coin.Source
	opened    *Opened
	held      *table.Encoded // the columns of the last question
	key       string         // which recipe parts held was read for
	shelf     *shelf         // of this file
	expected  []table.Wanted // columns that later questions may ask about: Expect
	// n by the recipe parts that it depends on, where the survey does not give it
	people map[string]int64
	memory memory    // slow results that depend on no file
	going  *going[C] // the last release, if it can answer further cases; nil: it cannot
	ready  *ready    // the question prepared last, until it has run
	last   *judged   // of the last release, from which Help starts
	taught bool      // a lesson asks: nothing is a release

	succeeded map[string]bool // digests of releases that were topped up
}

// ready is a prepared question. It depends only on public facts, which key holds, so that pricing,
// debiting and running it need not prepare it again. It runs at most once, so no run leaves
// anything to the next.
type ready struct {
	key      string
	query    *Query
	prepared Prepared
	plan     *Plan // nil: not asked for yet
}

// Opened is what is known about a file after its survey, for the owner's screen. Rows is n unless
// the recipe names a column of persons or of counts; then n is known once the file has been read
// for it.
type Opened struct {
	table.Summary
}

// Errors that a caller acts on.
var (
	ErrNotOpened error = phrase.Fault("ask: no file is open")
	ErrNotRead   error = phrase.Fault("ask: the file has not been read for this question")
	ErrChanged   error = phrase.Fault(
		"ask: the file has changed since it was opened; open it again")
)

// NewSession returns a session without a file. Releases draw from src: crypto for anything
// published.
func NewSession[C Catalogue](catalogue C, src coin.Source) *Session[C] {
	return &Session[C]{catalogue: catalogue, src: src, memory: memory{}, shelf: newShelf(),
		succeeded: map[string]bool{}}
}

// With returns a session on the same opened file and held columns that draws from src. The
// questions of the new session leave nothing in s.
func (s *Session[C]) With(src coin.Source) *Session[C] {
	other := *s
	other.src = src
	other.ready, other.going, other.last = nil, nil, nil
	other.shelf = s.shelf.copied()
	return &other
}

// DrawFrom makes a session draw from another source from now on. A question that was priced already
// is asked with that source too.
func (s *Session[C]) DrawFrom(src coin.Source) { s.src = src }

// Survey starts reading a file for the first time. The session forgets what was open before. After
// a Close without error, Opened returns what the survey found.
func (s *Session[C]) Survey(options table.Options) (table.Pass, error) {
	s.opened, s.held, s.key, s.people, s.going, s.ready = nil, nil, "", map[string]int64{}, nil, nil
	s.last, s.shelf, s.expected = nil, newShelf(), nil
	survey, err := table.NewSurvey(options)
	if err != nil {
		return nil, err
	}
	survey.Decode(s.Decoders)
	return &surveyPass[C]{survey, s}, nil
}

type surveyPass[C Catalogue] struct {
	*table.Survey
	session *Session[C]
}

// Close ends the survey and hands its result to the session.
func (p *surveyPass[C]) Close() error {
	if err := p.Survey.Close(); err != nil {
		return err
	}
	p.session.opened = &Opened{p.Survey.Result().In(p.session.Say)}
	return nil
}

// Opened returns the surveyed file's description, or ErrNotOpened.
func (s *Session[C]) Opened() (*Opened, error) {
	if s.opened == nil {
		return nil, ErrNotOpened
	}
	return s.opened, nil
}

// prepare checks a recipe against the opened file.
func (s *Session[C]) prepare(r Recipe) (*ready, error) {
	people, err := s.check(r)
	if err != nil {
		return nil, err
	}
	if known := KeyOf(r, people); s.ready == nil || s.ready.key != known {
		var own [1]Recipe // a copy: what the caller changes later is another question
		if err := json.Unmarshal([]byte(KeyOf(r)), &own); err != nil {
			return nil, err // unreachable: it was just written
		}
		q, p, err := newQuery(s.Say, s.catalogue, own[0], people, s.memory)
		if err != nil {
			return nil, err
		}
		if err := q.checkNamed(); err != nil {
			return nil, err
		}
		q.Taught = s.taught
		s.ready = &ready{key: known, query: q, prepared: p}
	}
	return s.ready, nil
}

// asked prepares a question that is about to be priced or run, and refuses what only lessons offer.
func (s *Session[C]) asked(r Recipe) (*ready, error) {
	ready, err := s.prepare(r)
	if err == nil && !s.taught {
		err = ready.query.Task.offered(r.Params)
	}
	if err != nil {
		return nil, err
	}
	return ready, nil
}

// price returns the plan of a question, which is worked out once.
func (r *ready) price() (Plan, error) {
	if r.plan == nil {
		plan, err := r.query.plan(r.prepared)
		if err != nil {
			return Plan{}, err
		}
		r.plan = &plan
	}
	return *r.plan, nil
}

// check refuses a recipe that does not fit the opened file, and a file of nobody, and returns n.
func (s *Session[C]) check(r Recipe) (people int64, err error) {
	if s.opened == nil {
		return 0, ErrNotOpened
	}
	if r.Table != s.opened.Options {
		return 0, Refuse("table", phrase.Of("different from how the file was read"),
			phrase.Of("the reading options of the opened file: confirm them first"))
	}
	if err := s.readable(r); err != nil {
		return 0, err
	}
	if people, err = s.count(r); err == nil && people < 1 {
		err = Refuse("people", "0",
			phrase.Of("a data set of at least one person: with nobody in it there is nothing to "+
				"ask"))
	}
	return people, err
}

// readable refuses columns that cannot be read from the file, before memory is taken.
func (s *Session[C]) readable(r Recipe) error {
	if err := s.columns(r); err != nil {
		return err
	}
	params := r.Reads(*s.opened)
	params.Rows, params.Source, params.Decoders = 0, s.src, s.Decoders
	pass, err := table.NewEncode(params)
	if err != nil {
		return err
	}
	return pass.Close()
}

// columns refuses columns that the file does not have, and unknown domains, each by the name of its
// field.
func (s *Session[C]) columns(r Recipe) error {
	exists := func(field string, column int) error {
		if last := s.opened.Options.Columns; column < 1 || column > last {
			return Refuse(field, fmt.Sprint(column), phrase.Of("a column from 1 to %d", last))
		}
		return nil
	}
	if t, err := find(s.catalogue, r.Task); err != nil || len(t.Domains) > 0 {
		if err := exists("column", r.Column); err != nil {
			return err
		}
	}
	if r.Group != nil {
		if err := exists("groupColumn", r.Group.Column); err != nil {
			return err
		}
		if r.Group.Find == nil {
			if _, err := domain.New(r.Group.Spec()); err != nil {
				return groupFault(err)
			}
		}
	}
	for i, f := range r.Others {
		if err := exists(OtherField(i, "column"), f.Column); err != nil {
			return err
		}
		if _, err := domain.New(f.Domain); err != nil {
			return OtherFault(i, err)
		}
	}
	return nil
}

// count returns n, which is public: the number of rows, or else what reading the file for persons
// or counts has shown.
func (s *Session[C]) count(r Recipe) (int64, error) {
	if r.Person == 0 && r.Count == 0 {
		return s.opened.Rows, nil
	}
	if n, known := s.people[peopleKey(r)]; known {
		return n, nil
	}
	return 0, ErrNotRead
}

// Plan prices a question and forecasts its error. It reads public facts only and spends nothing.
// ErrNotRead says that n is not known yet: read the file (Encode) and ask again.
func (s *Session[C]) Plan(r Recipe) (Plan, error) {
	ready, err := s.asked(r)
	if err != nil {
		return Plan{}, err
	}
	return ready.price()
}

// Encode returns the pass that reads the columns of a recipe that are not kept from earlier
// questions, or nil when all of them are.
func (s *Session[C]) Encode(r Recipe) (table.Pass, error) { return s.encode(r, false) }

// Ahead returns the pass of Encode, extended by the columns that are expected, as far as they take
// few bytes: reading ahead of a question costs its owner no time. The pass has a method Narrow.
func (s *Session[C]) Ahead(r Recipe) (table.Pass, error) { return s.encode(r, true) }

// Expect says which columns of the open file later questions are likely to ask about, and how they
// will be described. It is public, checks nothing, and changes no answer.
func (s *Session[C]) Expect(columns []table.Wanted) { s.expected = slices.Clone(columns) }

func (s *Session[C]) encode(r Recipe, ahead bool) (table.Pass, error) {
	if _, err := s.prepare(r); err != nil && !errors.Is(err, ErrNotRead) {
		return nil, err
	}
	key := ColumnKey(r)
	if s.held != nil && s.key == key {
		return nil, nil
	}
	s.held, s.key = nil, ""
	params := r.Reads(*s.opened)
	params.Source, params.Decoders = s.src, s.Decoders
	need, err := table.Estimate(params, params.Rows, params.Bytes)
	if err != nil {
		return nil, err
	}
	s.shelf.trim(min(shelfBytes, memoryLimit-need), r)
	params.Columns = s.shelf.missing(r)
	asked := len(params.Columns)
	if asked == 0 {
		s.hold(r)
		return nil, nil
	}
	if ahead {
		params.Columns = s.shelf.with(s.expected, params.Columns, r, *s.opened, memoryLimit-need)
	}
	encode, err := table.NewEncode(params)
	if err != nil {
		return nil, err
	}
	return &encodePass[C]{encode, s, r, params.Columns, asked}, nil
}

// ColumnKey names the columns read for a recipe: two recipes with the same key read the same.
func ColumnKey(r Recipe) string {
	return KeyOf(peopleKey(r), r.Use, unlabelled(r.Filter), r.wanted())
}

// peopleKey names the parts that n depends on; where the entries of persons are counted, that
// includes how many each has.
func peopleKey(r Recipe) string {
	if r.Count > 0 && r.Use != nil {
		return KeyOf(r.Table, r.Person, r.Count, r.Use.Entries())
	}
	return KeyOf(r.Table, r.Person, r.Count)
}

// KeyOf returns a text that differs for different parts, the key of a cached result.
func KeyOf(parts ...any) string {
	text, err := json.Marshal(parts)
	if err != nil {
		panic("ask: internal error: " + err.Error())
	}
	return string(text)
}

type encodePass[C Catalogue] struct {
	*table.Encode
	session *Session[C]
	recipe  Recipe
	columns []table.Wanted
	asked   int // how many of them, the first ones, the recipe asks about
}

// Narrow says that somebody waits for the pass: columns that are only expected are left out, unless
// more than half of the file has been read.
func (p *encodePass[C]) Narrow() {
	if 2*p.Encode.Bytes() < p.session.opened.Bytes {
		p.columns = p.columns[:p.asked]
		p.Encode.Narrow(p.asked)
	}
}

// Close ends the reading and hands the column to the session.
func (p *encodePass[C]) Close() error {
	if err := p.Encode.Close(); err != nil {
		return err
	}
	s, found := p.session, p.Encode.Result()
	if found.Rows != s.opened.Rows || p.Encode.Bytes() != s.opened.Bytes {
		return ErrChanged
	}
	s.shelf.put(p.recipe, p.columns, found)
	s.people[peopleKey(p.recipe)] = found.N
	s.hold(p.recipe)
	return nil
}

// hold takes the columns of a recipe, all of which are kept, as those of the last question.
func (s *Session[C]) hold(r Recipe) { s.held, s.key = s.shelf.take(r), ColumnKey(r) }

// Problems lists the cells of the column read last that are not empty but have no value. It is for
// the owner's screen: it shows the data.
func (s *Session[C]) Problems() []table.Problem {
	if s.held == nil {
		return nil
	}
	return table.ProblemsIn(s.Say, s.held.Problems)
}

// Run draws the answer. Its column must be held (Encode), and the caller has debited the plan's
// loss before: if a run spends more than that, nothing is released, and the debit stays. Cancelled
// by step's error, it returns that error, and nothing is released.
func (s *Session[C]) Run(r Recipe, step coin.Step) (*Release[C], error) {
	ready, err := s.asked(r)
	if err != nil {
		return nil, err
	}
	if s.held == nil || s.key != ColumnKey(r) {
		return nil, ErrNotRead
	}
	plan, err := ready.price()
	if err != nil {
		return nil, err
	}
	p := ready.prepared
	s.going, s.ready, s.last = nil, nil, nil
	data, err := s.Data(r)
	if err != nil {
		return nil, err // unreachable: the columns are held
	}
	spent := meter.New(s.src).Of(uint64(r.Use.Entries()))
	result, err := p.Run(spent, data, step)
	if over := spent.Over(plan.Loss); over != nil {
		err = over // an error is an output too
	}
	if err != nil {
		return nil, phrase.Errorf("ask: %s: %w", r.Task, err)
	}
	released := s.released(ready.query, p, plan, r, result)
	if l, is := p.(Lasting); is && l.Lasts() {
		s.going = &going[C]{ready.query, l, released, spent}
	}
	return released, nil
}

// released makes the release of a result that was just drawn.
func (s *Session[C]) released(q *Query, p Prepared, plan Plan, r Recipe,
	result Result) *Release[C] {
	statement, verdict := q.publish(p, result)
	released := &Release[C]{Version: RecipeVersion, Origin: s.src.Origin(), Plan: plan,
		Recipe: r, Answer: Answer[C]{result}, Statement: statement, Verdict: &verdict}
	if !s.taught {
		s.last = &judged{KeyOf(r), *plan.Verdict, verdict}
		released.Head = headOf(p, r)
		if d, is := p.(Drawing); is && released.Head == nil {
			released.Drawn = d.Sums()
		}
	}
	if best, is := result.(Best); is {
		of, how := best.Best()
		released.Answer.Result, released.Tuned = of, &how
	}
	return released
}

// Data returns the held columns of a question, or ErrNotRead (Encode). They are for the question's
// Run.
func (s *Session[C]) Data(r Recipe) (Data, error) {
	if s.held == nil || s.key != ColumnKey(r) {
		return Data{}, ErrNotRead
	}
	next := 0
	column := func() *Column {
		c := &Column{Texts: s.held.Texts[next], Counts: s.held.Counts}
		if codes := s.held.Columns[next]; codes != nil {
			c.Codes = codes
		}
		next++
		return c
	}
	var d Data
	if r.Column > 0 {
		d.Main = column()
	}
	if r.Group != nil {
		d.Group = column()
	}
	for range r.Others {
		d.Others = append(d.Others, column())
	}
	return d, nil
}
