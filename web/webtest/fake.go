package webtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"hush/core/ask"
	"hush/core/audit"
	"hush/core/coin"
	"hush/core/privacy"
	"hush/core/sample"
	"hush/web/engine"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/place"
)

// Fake answers as static/engine.js does, with a dispatcher of its own and a ledger in memory.
type Fake struct {
	Dispatcher *engine.Dispatcher
	File       []byte
	problems   json.RawMessage // of the columns read last
	Later      []func()        // answers held back
	Addressed  string
	Course     string // the lessons that are done
	Polls      string // the codes drawn in polls
	Standing   place.Step
	last       engine.Request
	dead       map[engine.Request]bool
	Spent      int

	// StopsAt is the number, from 1, of the question of a plan before which the next draw stops; 0
	// stops nowhere.
	StopsAt int
	heads   map[string]string // digests of answers that can be topped up, and their debits

	Spendings []engine.Spending // the file's own first
	Shelf     engine.Shelf      // what is kept of answers
	Texts     map[string]string // of those, by their entries
	Draft     string            // of the page of figures
}

// NewFake returns an engine that holds a file, with an empty ledger.
func NewFake(file []byte) *Fake {
	return &Fake{
		Dispatcher: engine.NewDispatcher(coin.NewSeeded(7), say.Language(), nil), File: file,
		dead: map[engine.Request]bool{}, Spendings: emptyLedgerOf(file),
	}
}

// refusal returns a fault of the dispatcher.
type refusal struct{ *engine.Fault }

func (r refusal) Error() string { return r.Message }

func (f *Fake) answer(reply engine.Reply, result func() (any, error)) engine.Request {
	f.last++
	r := f.last
	// The model must know the request's number before it hears the answer, as in the browser.
	f.Later = append(f.Later, func() {
		if f.dead[r] {
			reply(r, engine.ReplyFailed, []byte(`{"code":"cancelled","message":"cancelled"}`))
			return
		}
		v, err := result()
		var refused refusal
		switch {
		case errors.As(err, &refused):
			reply(r, engine.ReplyFailed, []byte(engine.Encode(refused.Fault)))
		case err != nil:
			reply(r, engine.ReplyFailed,
				[]byte(engine.Encode(engine.Fault{Code: engine.Failed, Message: say.Error(err)})))
		default:
			reply(r, engine.ReplyDone, []byte(engine.Encode(v)))
		}
	})
	return r
}

// Settle delivers answers until none is left.
func (f *Fake) Settle() {
	for len(f.Later) > 0 {
		next := f.Later[0]
		f.Later = f.Later[1:]
		next()
	}
}

func (f *Fake) Call(c engine.Call, reply engine.Reply) engine.Request {
	request := reflect.New(reflect.TypeOf(c.Request)) // a copy, as it crosses
	engine.Decode([]byte(engine.Encode(c.Request)), request.Interface())
	c.Request = request.Elem().Interface()
	return f.answer(reply, func() (any, error) { return f.carryOut(c) })
}

// carryOut does what engine.js does, and leaves the rest to the dispatcher.
func (f *Fake) carryOut(c engine.Call) (any, error) {
	switch c.Name {
	case engine.Open.Name:
		return f.Open(c.Request.(engine.Source))
	case engine.Plan.Name:
		plan, err := f.Ask(c.Name, c.Request)
		if refused, ok := err.(refusal); !ok || refused.Code != engine.NotRead {
			return plan, err
		}
		if err := f.Feed(c.Request.(ask.Recipe)); err != nil {
			return nil, err
		}
	case engine.Read.Name:
		err := f.Feed(c.Request.(ask.Recipe))
		return f.problems, err
	case engine.Unplaced.Name:
		if _, err := f.Ask("places", c.Request); err != nil {
			return nil, err
		}
		return f.end("placed")
	case engine.Run.Name:
		if err := f.charge(c.Request.(engine.RunOf)); err != nil {
			return nil, err
		}
		f.Spent++
		release, err := f.Ask(c.Name, c.Request)
		if err != nil {
			return nil, err
		}
		last := f.Spendings[0].Entries[len(f.Spendings[0].Entries)-1]
		f.markHead(release, last.ID)
		return f.keep(release, last.ID, last.Time), nil
	case engine.RunTogether.Name:
		return f.runTogether(c.Request.(engine.RunPlan))
	case engine.ResumeTogether.Name:
		return f.resumeTogether(c.Request.(string))
	case engine.PlanTopUp.Name:
		return f.planTopUp(c.Request.(engine.TopUpOf))
	case engine.TopUp.Name:
		return f.topUp(c.Request.(engine.TopUpOf))
	case engine.ListKept.Name:
		return f.Shelf, nil
	case engine.KeptAnswers.Name:
		var all []engine.KeptText
		for _, entry := range c.Request.([]string) {
			if text, ok := f.Texts[entry]; ok {
				all = append(all, engine.KeptText{Entry: entry, Text: text})
			}
		}
		return all, nil
	case engine.MarkKept.Name:
		f.mark(c.Request.(engine.Mark))
		return nil, nil
	case engine.DropKept.Name:
		f.drop(c.Request.([]string))
		return nil, nil
	case engine.Together.Name:
		for _, part := range c.Request.(ask.Several).Parts {
			r := part.Recipe
			r.Epsilon = "1"
			if err := f.Feed(r); err != nil {
				return nil, err
			}
		}
	case engine.KeptDraft.Name:
		return f.Draft, nil
	case engine.KeepDraft.Name:
		f.Draft = c.Request.(string)
		return nil, nil
	case engine.KeepAnswers.Name:
		f.Shelf.Off = !c.Request.(bool)
		return nil, nil
	case engine.Freeze.Name:
		r := c.Request.(ask.Recipe)
		frozen, err := f.Ask("frozen", engine.Charge{Spending: f.Spendings[0],
			RunOf: engine.RunOf{Recipe: r}})
		if err == nil {
			engine.Decode(frozen, &f.Spendings[0].Frozen)
		}
		return nil, err
	case engine.Look.Name:
		f.Spendings[0].Looked = "2026-01-31T12:00:00.000Z"
		return nil, nil
	case engine.LookOn.Name:
		if err := f.Feed(c.Request.(ask.Lesson).Recipe); err != nil {
			return nil, err
		}
	case engine.Ledger.Name:
		return f.accounts()
	case engine.SetLimit.Name:
		return nil, f.setLimit(c.Request.(engine.LimitOf))
	case engine.SetNickname.Name:
		n := c.Request.(engine.NicknameOf)
		for i := range f.Spendings {
			if f.Spendings[i].Fingerprint == n.Fingerprint {
				f.Spendings[i].Nickname = n.Nickname
			}
		}
		return nil, nil
	case engine.ExportLedger.Name:
		return f.Ask("writeLedger", f.Spendings)
	case engine.ImportLedger.Name:
		return engine.Imported{DataSets: 2, Added: 3, Known: 1, Elsewhere: 1}, nil
	}
	return f.Ask(c.Name, c.Request)
}

// Ask has the dispatcher carry out an operation, or a part of one.
func (f *Fake) Ask(name string, request any) (json.RawMessage, error) {
	return answerOf(f.Dispatcher.Call(name, []byte(engine.Encode(request)), nil))
}

func answerOf(reply []byte) (json.RawMessage, error) {
	var answer struct {
		OK    json.RawMessage `json:"ok"`
		Fault *engine.Fault   `json:"fault"`
	}
	engine.Decode(reply, &answer)
	if answer.Fault != nil {
		return nil, refusal{answer.Fault}
	}
	return answer.OK, nil
}

// end writes the file into the reading that has begun, and ends it.
func (f *Fake) end(name string) (json.RawMessage, error) {
	if _, err := answerOf(f.Dispatcher.Write(f.File)); err != nil {
		return nil, err
	}
	return f.Ask(name, nil)
}

// Open reads the file as a source says.
func (f *Fake) Open(s engine.Source) (o engine.Opening, err error) {
	if s.Text != nil {
		f.File = []byte(*s.Text)
	}
	if _, err = f.Ask("survey", engine.Reading{Options: s.Options}); err != nil {
		return o, err
	}
	opened, err := f.end("opened")
	if err != nil {
		return o, err
	}
	engine.Decode(opened, &o.Opened)
	o.Fingerprint = FakePrint
	o.Account, err = f.Spendings[0].Account()
	return o, err
}

// Feed reads the columns that a question needs.
func (f *Fake) Feed(r ask.Recipe) error {
	needed, err := f.Ask("encode", r)
	if err == nil && string(needed) == "true" {
		_, err = f.end("encoded")
	}
	if err == nil {
		f.problems, err = f.Ask("problems", nil)
	}
	return err
}

func (f *Fake) Cancel(r engine.Request) { f.dead[r] = true }

func (f *Fake) Reveal(string) {}

func (f *Fake) Stand(at place.Step) { f.Standing = at }

func (f *Fake) Today() string { return "2026-01-31" }

func (f *Fake) KeepCourse(done string) { f.Course = done }

func (f *Fake) KeepPolls(codes string) { f.Polls = codes }

func (f *Fake) Address(p string) { f.Addressed = p }

// FakeFile is a file by its name alone.
type FakeFile string

func (f FakeFile) Name() string { return string(f) }

func (f FakeFile) Size() int64 { return 1 }

// Started returns a model connected to an engine that holds a file of the clinic sample.
func Started(t *testing.T) (*state.Model, *Fake) {
	t.Helper()
	f := NewFake(sample.Sets()[0].CSV())
	m := state.NewModel()
	m.Start(f, f, func() {})
	f.Settle()
	if m.Engine != state.EngineReady {
		t.Fatal("the engine is not ready")
	}
	return m, f
}

// Asked returns a model with a complete question about ages.
func Asked(t *testing.T) (*state.Model, *Fake) {
	t.Helper()
	m, f := Started(t)
	m.Data.Open(FakeFile("clinic.csv"))
	f.Settle()
	Confirm(m)
	Describe(m, 1, "0", "100")
	m.Question.Ask()
	f.Settle()
	return m, f
}

// What the fake engine keeps of a ledger; the browser's tests see the real one.
const (
	FakePrint   = "3f2a91bc00000000000000000000000000000000000000000000000000000000"
	fakeBrowser = "00112233445566aa"
)

func emptyLedgerOf([]byte) []engine.Spending {
	limit := engine.DefaultLimit()
	return []engine.Spending{
		{Fingerprint: FakePrint, Browser: fakeBrowser, Limit: &limit, Entries: []engine.Entry{}}}
}

func (f *Fake) charge(r engine.RunOf) error {
	if err := f.Feed(r.Recipe); err != nil {
		return err
	}
	charged, err := f.Ask("charge", engine.Charge{Spending: f.Spendings[0], RunOf: r})
	if err != nil {
		return err
	}
	var thaw engine.Thaw
	engine.Decode(charged, &thaw)
	f.debit(thaw)
	return nil
}

// debit writes an entry into the ledger of the open file.
func (f *Fake) debit(thaw engine.Thaw) *engine.Entry {
	own := &f.Spendings[0]
	own.Frozen = thaw.Frozen
	entry := Entry(len(own.Entries), thaw.Task, thaw.Loss)
	entry.Debit = thaw.Debit
	own.Entries = append(own.Entries, entry)
	return &own.Entries[len(own.Entries)-1]
}

// Entry returns the n-th release in a ledger.
func Entry(n int, task string, loss privacy.Loss) engine.Entry {
	return engine.Entry{ID: fmt.Sprintf("0a1b2c3d-0a1b-4c2d-8e3f-%012d", n), Fingerprint: FakePrint,
		Debit: engine.Debit{Task: task, Loss: loss},
		Time:  fmt.Sprintf("2026-01-%02dT12:34:56.789Z", 1+n), Schema: 1}
}

func (f *Fake) accounts() (all engine.Accounts, err error) {
	for _, s := range f.Spendings {
		a, err := s.Account()
		if err != nil {
			return all, err
		}
		all.Accounts = append(all.Accounts, a)
	}
	all.Account = all.Accounts[0]
	return all, nil
}

func (f *Fake) setLimit(l engine.LimitOf) error {
	for i := range f.Spendings {
		own := &f.Spendings[i]
		if own.Fingerprint != l.Fingerprint {
			continue
		}
		limit, err := f.Ask("limit", engine.LimitChange{Spending: *own, To: l.Limit})
		if err != nil {
			return err
		}
		own.Limit = nil
		engine.Decode(limit, &own.Limit)
	}
	return nil
}

func (f *Fake) Evidence(reply engine.Reply) engine.Request {
	return f.answer(reply, func() (any, error) {
		return []audit.Record{
			{Package: "a", About: "is one.",
				Claims: []audit.Line{{Name: "x", DataSets: 2, Pairs: 3},
					{Name: "y", DataSets: 5, Pairs: 7}}},
			{Package: "b", About: "is another.",
				Claims:  []audit.Line{{Name: "x", DataSets: 11, Pairs: 13}},
				Planted: []audit.Line{{Name: "z", DataSets: 17, Pairs: 19}}},
		}, nil
	})
}
