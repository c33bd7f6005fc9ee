package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/domain"
	"hush/core/table"
	"hush/core/table/decoding"
	"hush/web/engine"
)

// host does here what static/engine.js does in a browser: it owns the bytes of the file and the
// order of steps, and leaves the rest to the page's engine.
type host struct {
	ctx    context.Context
	engine *engine.Dispatcher
	told   *progress
	file   *file
	opened *opened
	names  string // the file's name, for messages
}

func newHost(c *call) *host {
	return &host{ctx: c.ctx, told: newProgress(c.err),
		engine: engine.NewDispatcher(coin.NewCrypto(), nil, decoding.Web)}
}

// engineError is the engine's reason for a refusal.
type engineError struct{ engine.Fault }

func (e *engineError) Error() string { return strings.TrimPrefix(e.Message, "ask: ") }

// is reports whether an error is the engine's, of one kind.
func is(err error, code engine.Code) bool {
	var e *engineError
	return errors.As(err, &e) && e.Code == code
}

// perform has the engine carry out one operation, or a part of one.
func perform[A any](h *host, operation string, request any) (answer A, err error) {
	text, err := json.Marshal(request)
	if err != nil {
		return answer, err
	}
	step := func(done, total int64) error {
		h.told.say("computing", done, total)
		return h.cancelled()
	}
	return reply[A](h.engine.Call(operation, text, step))
}

func (h *host) cancelled() error {
	if h.ctx.Err() != nil {
		return engine.ErrCancelled
	}
	return nil
}

// reply reads the engine's answer.
func reply[A any](text []byte) (answer A, err error) {
	var r struct {
		OK    A             `json:"ok"`
		Fault *engine.Fault `json:"fault"`
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return answer, fmt.Errorf("the engine's answer: %w", err)
	}
	if r.Fault != nil {
		return answer, &engineError{*r.Fault}
	}
	return r.OK, nil
}

// opened is what the engine knows about an open file.
type opened struct {
	Options  table.Options `json:"options"`
	Own      table.Options `json:"own"`
	Findings []finding     `json:"findings"`
	Fields   []field       `json:"fields"`
	Rows     int64         `json:"rows,string"`
	Bytes    int64         `json:"bytes,string"`
	Preview  [][]string    `json:"preview"`
	Problems []problem     `json:"problems"`
	// Readings are in the likeliest encodings, if nothing says which one applies.
	Readings []json.RawMessage `json:"readings,omitempty"`
	Marks    *table.Marks      `json:"marks,omitempty"`
}

type finding struct {
	Field string `json:"field"`
	Value string `json:"value"`
	Why   string `json:"why"`
}

type field struct {
	Column int         `json:"column"`
	Name   string      `json:"name"`
	Guess  domain.Spec `json:"guess"`
	Why    string      `json:"why"`
}

type problem struct {
	Kind   string        `json:"kind"`
	Column int           `json:"column,omitempty"`
	Text   string        `json:"text"`
	Advice string        `json:"advice"`
	Count  int64         `json:"count,string"`
	Places []table.Place `json:"places"`
}

// open reads a file for the first time, as options say, with a proposal for all that they leave
// open. With a key, its rows are marked with it, and its bytes are digested.
func (h *host) open(name string, options table.Options, key string) error {
	f, err := openFile(name, options)
	if err != nil {
		return err
	}
	h.file, h.names = f, name
	return h.survey(key)
}

// survey reads the file for the first time.
func (h *host) survey(key string) error {
	f := h.file
	if _, err := perform[any](h, "survey", engine.Reading{
		Options: f.options, Own: f.own, Key: key}); err != nil {
		return h.about(err)
	}
	if err := h.pass("opening", key != ""); err != nil {
		return err
	}
	found, err := perform[opened](h, "opened", nil)
	if err != nil {
		return h.about(err)
	}
	h.opened = &found
	return nil
}

// read reads the columns of a question, unless they are held, and lists the cells without a value.
func (h *host) read(r ask.Recipe) ([]problem, error) {
	needed, err := perform[bool](h, "encode", r)
	if err != nil {
		return nil, h.about(err)
	}
	if needed {
		if err := h.pass("reading", false); err != nil {
			return nil, err
		}
		if _, err := perform[any](h, "encoded", nil); err != nil {
			return nil, h.about(err)
		}
	}
	return perform[[]problem](h, "problems", nil)
}

// price returns the cost of a question. The number of persons may be known only once its columns
// were read.
func (h *host) price(r ask.Recipe) (ask.Plan, error) {
	plan, err := perform[ask.Plan](h, "plan", r)
	if is(err, engine.NotRead) {
		if _, err := h.read(r); err != nil {
			return plan, err
		}
		plan, err = perform[ask.Plan](h, "plan", r)
	}
	return plan, h.about(err)
}

// pass feeds the file to the reading that the engine has begun.
func (h *host) pass(phase string, digests bool) error {
	err := h.file.pieces(digests, func(piece []byte, done int64) error {
		h.told.say(phase, done, h.file.size)
		if _, err := reply[any](h.engine.Write(piece)); err != nil {
			return err
		}
		return h.cancelled()
	})
	h.told.end()
	if err != nil {
		perform[any](h, "abandon", nil)
	}
	return h.about(err)
}

// about adds the file's name to an error.
func (h *host) about(err error) error {
	if err == nil || h.names == "" {
		return err
	}
	return fmt.Errorf("%s: %w", h.names, err)
}
