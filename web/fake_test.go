package web

import (
	"encoding/json"
	"errors"
	"testing"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/motion"
	"hush/core/sample"
	"hush/core/table"
	"hush/core/task"
	"hush/web/engine"
)

// fakeEngine answers with core directly, on the spot.
type fakeEngine struct {
	session *task.Session
	file    []byte
	later   []func() // answers held back, when hold is true
	address string
	last    Request
	dead    map[Request]bool
	spent   int

	ledger []engine.Spending // the file's own first
}

func newFake(file []byte) *fakeEngine {
	return &fakeEngine{session: task.NewSession(coin.NewSeeded(7)), file: file, dead: map[Request]bool{}, ledger: emptyLedgerOf(file)}
}

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
		if err != nil {
			fault := map[string]string{"code": "refused", "message": err.Error()}
			if errors.Is(err, ask.ErrEnded) {
				fault["code"] = string(engine.Ended)
			}
			if p, ok := err.(interface{ Unwrap() error }); ok {
				err = p.Unwrap()
			}
			text, _ := json.Marshal(err)
			var fields struct{ Field, Value, Want string }
			_ = json.Unmarshal(text, &fields)
			fault["field"], fault["value"], fault["want"] = fields.Field, fields.Value, fields.Want
			body, _ := json.Marshal(fault)
			reply(r, ReplyFailed, body)
			return
		}
		body, _ := json.Marshal(v)
		reply(r, ReplyDone, body)
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

func (f *fakeEngine) read(pass table.Pass, err error) error {
	if err != nil || pass == nil {
		return err
	}
	if err := pass.Write(f.file); err != nil {
		return err
	}
	return pass.Close()
}

func (f *fakeEngine) open(options string, reply Reply) Request {
	return f.answer(reply, func() (any, error) {
		var o table.Options
		if err := json.Unmarshal([]byte(options), &o); err != nil {
			return nil, err
		}
		if err := f.read(f.session.Survey(o)); err != nil {
			return nil, err
		}
		opened, err := f.session.Opened()
		if err != nil {
			return nil, err
		}
		return f.opening(opened)
	})
}

func (f *fakeEngine) Catalogue(reply Reply) Request {
	return f.answer(reply, func() (any, error) { return task.Catalogue(), nil })
}

func (f *fakeEngine) Open(_ File, options string, reply Reply) Request { return f.open(options, reply) }

func (f *fakeEngine) OpenSample(_, options string, reply Reply) Request {
	return f.open(options, reply)
}

func (f *fakeEngine) Reopen(options string, reply Reply) Request { return f.open(options, reply) }

func (f *fakeEngine) Plan(recipe string, reply Reply) Request {
	return f.answer(reply, func() (any, error) {
		var r ask.Recipe
		if err := json.Unmarshal([]byte(recipe), &r); err != nil {
			return nil, err
		}
		return f.session.Plan(r)
	})
}

func (f *fakeEngine) Curve(recipe string, reply Reply) Request {
	return f.answer(reply, func() (any, error) {
		var r ask.Recipe
		if err := json.Unmarshal([]byte(recipe), &r); err != nil {
			return nil, err
		}
		return f.session.Curve(r)
	})
}

func (f *fakeEngine) EpsilonFor(recipe string, wish float64, reply Reply) Request {
	return f.answer(reply, func() (any, error) {
		w := ask.Wish{Error: wish}
		if err := json.Unmarshal([]byte(recipe), &w.Recipe); err != nil {
			return nil, err
		}
		return f.session.EpsilonFor(w)
	})
}

func (f *fakeEngine) Read(recipe string, reply Reply) Request {
	return f.answer(reply, func() (any, error) {
		var r ask.Recipe
		if err := json.Unmarshal([]byte(recipe), &r); err != nil {
			return nil, err
		}
		if err := f.read(f.session.Encode(r)); err != nil {
			return nil, err
		}
		return f.session.Problems(), nil
	})
}

func (f *fakeEngine) Run(recipe string, reply Reply) Request {
	return f.answer(reply, func() (any, error) {
		var r ask.Recipe
		if err := json.Unmarshal([]byte(recipe), &r); err != nil {
			return nil, err
		}
		if err := f.read(f.session.Encode(r)); err != nil {
			return nil, err
		}
		if err := f.charge(r); err != nil {
			return nil, err
		}
		f.spent++
		return f.session.Run(r, nil)
	})
}

func (f *fakeEngine) Film(request string, reply Reply) Request {
	return f.answer(reply, func() (any, error) {
		var r motion.Request
		if err := json.Unmarshal([]byte(request), &r); err != nil {
			return nil, err
		}
		return motion.Run(r)
	})
}

func (f *fakeEngine) Label(cells string, reply Reply) Request {
	return f.answer(reply, func() (any, error) {
		var list []string
		if err := json.Unmarshal([]byte(cells), &list); err != nil {
			return nil, err
		}
		return f.session.Label(list)
	})
}

func (f *fakeEngine) Freeze(recipe string, reply Reply) Request {
	return f.answer(reply, func() (any, error) {
		c := engine.Charge{Spending: f.ledger[0]}
		if err := json.Unmarshal([]byte(recipe), &c.Recipe); err != nil {
			return nil, err
		}
		frozen, err := c.Freeze()
		if err == nil {
			f.ledger[0].Frozen = frozen
		}
		return nil, err
	})
}

func (f *fakeEngine) Look(reply Reply) Request {
	return f.answer(reply, func() (any, error) {
		f.ledger[0].Looked = "2026-01-31T12:00:00.000Z"
		return nil, nil
	})
}

func (f *fakeEngine) LookOn(lesson string, reply Reply) Request {
	return f.answer(reply, func() (any, error) {
		var l ask.Lesson
		if err := json.Unmarshal([]byte(lesson), &l); err != nil {
			return nil, err
		}
		if err := f.read(f.session.Encode(l.Recipe)); err != nil {
			return nil, err
		}
		return f.session.Look(l, nil)
	})
}

func (f *fakeEngine) Teach(lesson string, reply Reply) Request {
	return f.answer(reply, func() (any, error) {
		var l ask.Lesson
		if err := json.Unmarshal([]byte(lesson), &l); err != nil {
			return nil, err
		}
		return task.Teach(l, nil)
	})
}

func (f *fakeEngine) Cancel(r Request) { f.dead[r] = true }

func (f *fakeEngine) Reveal(string) {}

func (f *fakeEngine) Address(p string) { f.address = p }

func (f *fakeEngine) OpenText(text, options string, reply Reply) Request {
	f.file = []byte(text)
	return f.open(options, reply)
}

type fakeFile string

func (f fakeFile) Name() string { return string(f) }

func (f fakeFile) Size() int64 { return 1 }

// started is a model connected to an engine that holds a file of the clinic sample.
func started(t *testing.T) (*Model, *fakeEngine) {
	t.Helper()
	f := newFake(sample.Sets()[0].CSV())
	m := NewModel()
	m.Start(f, func() {})
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
