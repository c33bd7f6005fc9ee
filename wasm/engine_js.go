package main

import (
	"encoding/json"
	"fmt"
	"syscall/js"
	"time"

	"hush/core/coin"
	"hush/web/engine"
	"hush/web/report"
	"hush/web/say"
)

// worker is the engine in its worker: it gives static/engine.js the functions to call, and a step
// that lets the event loop turn. Go has one thread there, so nothing it runs is interrupted, and a
// cancel is only heard in between.
type worker struct {
	dispatcher *engine.Dispatcher
	host       js.Value // {attach, step}, from static/engine.js
	chunk      []byte   // the file's bytes on their way in, used again for each chunk
	wake       js.Func
	woken      chan bool // true: the run is to end
	yielded    time.Time // when the event loop last turned
}

// pace is how long work goes on before the event loop turns. Steps come every few milliseconds, so
// it turns at least every 50 ms.
const pace = 30 * time.Millisecond

func newWorker(src coin.Source) *worker {
	dispatcher := engine.NewDispatcher(src, say.Language(), decoder)
	dispatcher.Rewrite = report.Rewrite
	return &worker{
		dispatcher: dispatcher,
		host:       js.Global().Get("hushEngine"),
		woken:      make(chan bool, 1),
	}
}

// serve attaches the functions and the table of operations, and never returns. The functions live
// as long as the program, which owns them.
func (w *worker) serve() {
	w.wake = js.FuncOf(func(_ js.Value, args []js.Value) any {
		w.woken <- args[0].Bool()
		return nil
	})
	table, err := json.Marshal(engine.Operations())
	if err != nil {
		panic("wasm: internal error: " + err.Error())
	}
	w.host.Call("attach", map[string]any{
		"call":    js.FuncOf(w.call),
		"write":   js.FuncOf(w.write),
		"compute": js.FuncOf(w.compute),
	}, string(table))
	select {}
}

// call(operation, request) → reply carries out one short operation.
func (w *worker) call(_ js.Value, args []js.Value) any {
	return string(w.dispatcher.Call(args[0].String(), []byte(args[1].String()), nil))
}

// write(bytes) → reply feeds the pass that has begun.
func (w *worker) write(_ js.Value, args []js.Value) any {
	if n := args[0].Length(); n > len(w.chunk) {
		w.chunk = make([]byte, n)
	}
	n := js.CopyBytesToGo(w.chunk, args[0])
	return string(w.dispatcher.Write(w.chunk[:n]))
}

// compute(operation, request, done) carries out a long operation and calls done(reply) at its end.
// It returns at once: only a goroutine of its own can sleep while the event loop turns.
func (w *worker) compute(_ js.Value, args []js.Value) any {
	operation, request, done := args[0].String(), []byte(args[1].String()), args[2]
	w.yielded = time.Time{} // a cancel that came before the work is heard at its first step
	go func() { done.Invoke(string(w.dispatcher.Call(operation, request, w.step))) }()
	return nil
}

// step tells the host how far a run is, and sleeps until a fresh event wakes it.
func (w *worker) step(done, total int64) error {
	if time.Since(w.yielded) < pace {
		return nil
	}
	w.host.Call("step", done, total, w.wake)
	cancelled := <-w.woken
	w.yielded = time.Now()
	if cancelled {
		return fmt.Errorf("wasm: %w", engine.ErrCancelled)
	}
	return nil
}
