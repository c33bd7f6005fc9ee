package web

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/sample"
	"hush/web/engine"
	"hush/web/say"
)

// fakeEngine answers as static/engine.js does, with a dispatcher of its own and a ledger in memory.
type fakeEngine struct {
	dispatcher *engine.Dispatcher
	file       []byte
	problems   json.RawMessage // of the columns read last
	later      []func()        // answers held back
	address    string
	last       Request
	dead       map[Request]bool
	spent      int

	ledger []engine.Spending // the file's own first
}

func newFake(file []byte) *fakeEngine {
	return &fakeEngine{
		dispatcher: engine.NewDispatcher(coin.NewSeeded(7), say.Language()), file: file,
		dead: map[Request]bool{}, ledger: emptyLedgerOf(file),
	}
}

// refusal is a fault of the dispatcher's.
type refusal struct{ *engine.Fault }

func (r refusal) Error() string { return r.Message }

func (f *fakeEngine) answer(reply Reply, result func() (any, error)) Request {
	f.last++
	r := f.last
	// The model must know the request's number before it hears the answer, as in the browser.
	f.later = append(f.later, func() {
		if f.dead[r] {
			reply(r, ReplyFailed, []byte(`{"code":"cancelled","message":"cancelled"}`))
			return
		}
		v, err := result()
		var refused refusal
		switch {
		case errors.As(err, &refused):
			reply(r, ReplyFailed, []byte(encode(refused.Fault)))
		case err != nil:
			reply(r, ReplyFailed, []byte(encode(engine.Fault{Code: engine.Failed, Message: err.Error()})))
		default:
			reply(r, ReplyDone, []byte(encode(v)))
		}
	})
	return r
}

// settle delivers answers until none is left.
func (f *fakeEngine) settle() {
	for len(f.later) > 0 {
		next := f.later[0]
		f.later = f.later[1:]
		next()
	}
}

func (f *fakeEngine) Call(c engine.Call, reply Reply) Request {
	request := reflect.New(reflect.TypeOf(c.Request)) // a copy, as it crosses
	decode([]byte(encode(c.Request)), request.Interface())
	c.Request = request.Elem().Interface()
	return f.answer(reply, func() (any, error) { return f.carryOut(c) })
}

// carryOut does what engine.js does, and leaves the rest to the dispatcher.
func (f *fakeEngine) carryOut(c engine.Call) (any, error) {
	switch c.Name {
	case engine.Open.Name:
		return f.open(c.Request.(engine.Source))
	case engine.Plan.Name:
		plan, err := f.ask(c.Name, c.Request)
		if refused, ok := err.(refusal); !ok || refused.Code != engine.NotRead {
			return plan, err
		}
		if err := f.read(c.Request.(ask.Recipe)); err != nil {
			return nil, err
		}
	case engine.Read.Name:
		err := f.read(c.Request.(ask.Recipe))
		return f.problems, err
	case engine.Run.Name:
		if err := f.charge(c.Request.(ask.Recipe)); err != nil {
			return nil, err
		}
		f.spent++
	case engine.Freeze.Name:
		r := c.Request.(ask.Recipe)
		frozen, err := f.ask("frozen", engine.Charge{Spending: f.ledger[0], Recipe: r})
		if err == nil {
			decode(frozen, &f.ledger[0].Frozen)
		}
		return nil, err
	case engine.Look.Name:
		f.ledger[0].Looked = "2026-01-31T12:00:00.000Z"
		return nil, nil
	case engine.LookOn.Name:
		if err := f.read(c.Request.(ask.Lesson).Recipe); err != nil {
			return nil, err
		}
	case engine.Ledger.Name:
		return f.accounts()
	case engine.SetLimit.Name:
		return nil, f.setLimit(c.Request.(engine.LimitOf))
	case engine.ExportLedger.Name:
		return f.ask("writeLedger", f.ledger)
	case engine.ImportLedger.Name:
		return engine.Imported{DataSets: 2, Added: 3, Known: 1, Elsewhere: 1}, nil
	}
	return f.ask(c.Name, c.Request)
}

// ask has the dispatcher carry out an operation, or a part of one.
func (f *fakeEngine) ask(name string, request any) (json.RawMessage, error) {
	return answerOf(f.dispatcher.Call(name, []byte(encode(request)), nil))
}

func answerOf(reply []byte) (json.RawMessage, error) {
	var answer struct {
		OK    json.RawMessage `json:"ok"`
		Fault *engine.Fault   `json:"fault"`
	}
	decode(reply, &answer)
	if answer.Fault != nil {
		return nil, refusal{answer.Fault}
	}
	return answer.OK, nil
}

// end writes the file into the reading that has begun, and ends it.
func (f *fakeEngine) end(name string) (json.RawMessage, error) {
	if _, err := answerOf(f.dispatcher.Write(f.file)); err != nil {
		return nil, err
	}
	return f.ask(name, nil)
}

func (f *fakeEngine) open(s engine.Source) (o engine.Opening, err error) {
	if s.Text != nil {
		f.file = []byte(*s.Text)
	}
	if _, err = f.ask("survey", s.Options); err != nil {
		return o, err
	}
	opened, err := f.end("opened")
	if err != nil {
		return o, err
	}
	decode(opened, &o.Opened)
	o.Fingerprint = fakePrint
	o.Account, err = f.ledger[0].Account()
	return o, err
}

func (f *fakeEngine) read(r ask.Recipe) error {
	needed, err := f.ask("encode", r)
	if err == nil && string(needed) == "true" {
		f.problems, err = f.end("encoded")
	}
	return err
}

func (f *fakeEngine) Cancel(r Request) { f.dead[r] = true }

func (f *fakeEngine) Reveal(string) {}

func (f *fakeEngine) Address(p string) { f.address = p }

type fakeFile string

func (f fakeFile) Name() string { return string(f) }

func (f fakeFile) Size() int64 { return 1 }

// started is a model connected to an engine that holds a file of the clinic sample.
func started(t *testing.T) (*Model, *fakeEngine) {
	t.Helper()
	f := newFake(sample.Sets()[0].CSV())
	m := NewModel()
	m.Start(f, f, func() {})
	f.settle()
	if m.Engine != EngineReady {
		t.Fatal("the engine is not ready")
	}
	return m, f
}

// asked is a model with a complete question about ages.
func asked(t *testing.T) (*Model, *fakeEngine) {
	t.Helper()
	m, f := started(t)
	m.Open(fakeFile("clinic.csv"))
	f.settle()
	m.Confirm()
	m.Edit("", func(q *Question) { q.Column, q.Domain.Lo, q.Domain.Hi = 1, "0", "100" })
	f.settle()
	return m, f
}
