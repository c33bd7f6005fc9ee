// Package engine is the Go half of the engine's protocol: the table of its operations, the contents
// of its messages, and the Dispatcher that carries them out on a task.Session. It is plain Go and
// runs natively; static/engine.js owns the bytes, the clock and the ledger's store, and wasm ties
// the two together.
//
// # Operations
//
// operations.go is the table. Every request is one operation with a JSON value, and every reply is
// {"ok": …} or {"fault": Fault}. The page, static/hush.js, static/engine.js and the Dispatcher call
// an operation by one name, and take what it needs from the table.
//
// A new operation that Go carries out alone is one entry there; its line in static/hush.js
// documents it for authors. One that also needs the file's bytes or the ledger has a function in
// static/engine.js.
package engine
