package engine

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/table"
	"hush/core/task"
	"hush/core/verify"
	"hush/web/outside"
)

// session is the part of *task.Session that the Dispatcher uses.
type session interface {
	Survey(table.Options) (table.Pass, error)
	Opened() (*ask.Opened, error)
	Plan(ask.Recipe) (ask.Plan, error)
	Curve(ask.Recipe) ([]ask.Point, error)
	EpsilonFor(ask.Wish) (string, error)
	Help(ask.Recipe) ([]ask.Help, error)
	Together(ask.Several, coin.Step) (ask.Together, error)
	Fixed(ask.Fixed) (ask.Together, []string, error)
	Expect([]table.Wanted)
	Places([]table.Wanted) (*table.Places, error)
	Encode(ask.Recipe) (table.Pass, error)
	Ahead(ask.Recipe) (table.Pass, error)
	Problems() []table.Problem
	Run(ask.Recipe, coin.Step) (*task.Release, error)
	GoodTopUp(*task.Release) (string, error)
	PlanTopUp(of *task.Release, epsilon string) (ask.TopUpPlan, error)
	TopUp(of *task.Release, epsilon string, step coin.Step) (*task.Release, error)
	Label(cells []string) (*task.Release, error)
	Look(ask.Lesson, coin.Step) (*task.Taught, error)
}

var _ session = (*task.Session)(nil)

// Dispatcher carries out the requests of one client, one at a time. It never panics: any internal
// error becomes the fault "internal", which reveals nothing about the data, and after which the
// Dispatcher must not be used again.
type Dispatcher struct {
	// Rewrite rewrites pages that are checked; nil: what they show is not checked.
	Rewrite verify.Rewrite

	say     *message.Language // nil: English
	fresh   func() session
	session session
	pass    table.Pass // begun and not complete, or nil
	survey  bool       // pass is the first reading
	reading string     // what another pass reads: ask.ColumnKey
	file    outside.File
}

// NewDispatcher returns a Dispatcher without a file. Releases draw from src. Its answers are in the
// given language; nil is English. decoders read the encodings that core/table does not; nil means
// that there are none.
func NewDispatcher(src coin.Source, language *message.Language,
	decoders table.Decoders) *Dispatcher {
	fresh := func() session {
		s := task.NewSession(src)
		s.Say, s.Decoders = language, decoders
		return s
	}
	return &Dispatcher{say: language, fresh: fresh, session: fresh()}
}

// Call carries out one operation of the table, or a part of one, and returns the reply; request and
// reply are JSON. Only long operations use step, which may be nil.
func (d *Dispatcher) Call(operation string, request []byte, step coin.Step) (reply []byte) {
	return d.protect(func() (any, error) {
		o := operations[operation]
		switch {
		case o.do == nil:
			return nil, phrase.Errorf("engine: unknown operation %q", operation)
		case !o.Long:
			step = nil
		}
		return o.do(d, request, step)
	})
}

// Write feeds the next bytes of the file to the pass that survey or encode began. The caller may
// reuse the chunk.
func (d *Dispatcher) Write(chunk []byte) (reply []byte) {
	return d.protect(func() (any, error) {
		if d.pass == nil {
			return nil, errNoPass
		}
		return nil, d.pass.Write(chunk)
	})
}

var errNoPass = fmt.Errorf("engine: no reading has begun")

// Reading says how a file is read for the first time.
type Reading struct {
	Options table.Options `json:"options"`
	// Own holds the options that the reader of a file other than plain text states, whatever
	// Options are.
	Own table.Options `json:"own"`
	Key string        `json:"key,omitempty"` // of its marks, in hexadecimal digits; empty: no marks
}

// surveyed is the result of a first reading, with the marks by which the ledger knows the data set.
type surveyed struct {
	*ask.Opened
	Marks *table.Marks `json:"marks,omitempty"`
}

// marking is a survey that computes marks.
type marking interface {
	Alone(table.Options)
	Mark(table.Key)
	Marks() (table.Marks, bool)
}

func (d *Dispatcher) beginSurvey(r Reading) (None, error) {
	d.abandon()
	pass, err := d.session.Survey(r.Options)
	if err != nil {
		return nil, err
	}
	d.pass, d.survey, d.file = pass, true, outside.File{}
	if survey, can := pass.(marking); can {
		survey.Alone(r.Own)
	}
	if survey, can := pass.(marking); can && r.Key != "" {
		var key table.Key
		if n, err := hex.Decode(key[:], []byte(r.Key)); err != nil || n != len(key) {
			return nil, errors.New("engine: the key of marks is not 32 hexadecimal digits")
		}
		survey.Mark(key)
	}
	return nil, nil
}

func (d *Dispatcher) endSurvey(None) (found surveyed, err error) {
	pass := d.pass
	if err := d.endPass(); err != nil {
		return found, err
	}
	if survey, can := pass.(marking); can {
		if marks, ok := survey.Marks(); ok {
			found.Marks = &marks
		}
	}
	if found.Opened, err = d.session.Opened(); err == nil {
		d.file = outside.File{Options: found.Options, Own: found.Own, Fields: found.Fields}
	}
	return found, err
}

func (d *Dispatcher) beginEncode(r ask.Recipe) (bool, error) { return d.begin(r, session.Encode) }

func (d *Dispatcher) beginAhead(r ask.Recipe) (bool, error) { return d.begin(r, session.Ahead) }

// begin begins to read for a recipe, if that is needed.
func (d *Dispatcher) begin(r ask.Recipe, reading func(session, ask.Recipe) (table.Pass, error)) (
	needed bool, err error) {
	d.abandon()
	pass, err := reading(d.session, r)
	d.pass, d.survey, d.reading = pass, false, ask.ColumnKey(r)
	return pass != nil, err
}

// narrow says that somebody is waiting for the reading that has begun.
func (d *Dispatcher) narrow(None) (None, error) {
	if pass, can := d.pass.(interface{ Narrow() }); can {
		pass.Narrow()
	}
	return nil, nil
}

func (d *Dispatcher) expect(columns []table.Wanted) (None, error) {
	d.session.Expect(columns)
	return nil, nil
}

func (d *Dispatcher) endEncode(None) (None, error) { return nil, d.endPass() }

// reads reports whether the reading that has begun is the one that a recipe needs.
func (d *Dispatcher) reads(r ask.Recipe) (bool, error) {
	return d.pass != nil && !d.survey && d.reading == ask.ColumnKey(r), nil
}

// problems returns the problems of the columns at hand.
func (d *Dispatcher) problems(None) ([]table.Problem, error) { return d.session.Problems(), nil }

// beginPlaces begins to find the cells of columns that have no place in their lists.
func (d *Dispatcher) beginPlaces(columns []table.Wanted) (None, error) {
	d.abandon()
	pass, err := d.session.Places(columns)
	if err == nil {
		d.pass, d.survey, d.reading = pass, false, ""
	}
	return nil, err
}

func (d *Dispatcher) endPlaces(None) ([]table.Unplaced, error) {
	pass, can := d.pass.(*table.Places)
	if err := d.endPass(); err != nil || !can {
		return nil, cmp.Or(err, errNoPass)
	}
	return pass.Result(), nil
}

func (d *Dispatcher) endPass() error {
	if d.pass == nil {
		return errNoPass
	}
	pass := d.pass
	d.pass = nil
	return pass.Close()
}

// abandon ends a pass that did not see the whole file. The session takes a survey's end for the
// file's, so it is replaced; it refuses a column read from too few bytes itself.
func (d *Dispatcher) abandon() {
	if d.pass == nil {
		return
	}
	if d.endPass(); d.survey {
		d.session = d.fresh()
	}
}

func (d *Dispatcher) abandoned(None) (None, error) {
	d.abandon()
	return nil, nil
}

// charge says what the ledger must hold before a run, or refuses the run.
func (d *Dispatcher) charge(c Charge) (Thaw, error) {
	if err := d.agrees(c.RunOf); err != nil {
		return Thaw{}, err
	}
	plan, err := d.session.Plan(c.Recipe)
	if err != nil {
		return Thaw{}, err
	}
	left, err := c.Thaw(c.Recipe)
	if err != nil {
		return Thaw{}, err
	}
	loss := plan.Loss.Short().Stated()
	debit := Debit{Task: c.Recipe.Task, Loss: loss, Column: columnsOf(plan)}
	return Thaw{debit, left, c.with(loss)}, c.Admit(loss)
}

// columnsOf names the columns that a question is about, as they are published.
func columnsOf(p ask.Plan) string {
	var names []string
	for _, o := range p.Others {
		names = append(names, o.Column)
	}
	if p.Column != "" && p.Column != strings.Join(names, ", ") { // which may consist of all of them
		names = slices.Insert(names, 0, p.Column)
	}
	if text := strings.Join(names, ", "); len(text) <= longestColumns {
		return text
	}
	return p.Column
}

// longestColumns is the length of columns' names that an entry of the ledger keeps, in bytes.
const longestColumns = 120

// protect turns the result of do, or its panic, into a reply.
func (d *Dispatcher) protect(do func() (any, error)) (reply []byte) {
	defer func() {
		if recover() != nil { // a panic may carry anything, so it is not passed on
			reply = encode(
				nil, &Fault{Code: Internal, Message: d.say.Text("engine: internal error")})
		}
	}()
	result, err := do()
	if err != nil {
		return encode(nil, fault(d.say, err))
	}
	return encode(result, nil)
}

func encode(result any, f *Fault) []byte {
	text, err := json.Marshal(struct {
		OK    any    `json:"ok"`
		Fault *Fault `json:"fault,omitempty"`
	}{result, f})
	if err != nil {
		panic("engine: internal error: " + err.Error())
	}
	return text
}
