// Package engine is the Go half of the engine's protocol: what its messages hold, and the Dispatcher that carries
// them out on a task.Session. It is plain Go and runs natively; static/engine.js owns the bytes, the clock and the
// ledger's store, and wasm ties the two together.
//
// Every request is one operation with a JSON value, and every reply is {"ok": …} or {"fault": Fault}:
//
//	catalogue                     → []task.Task
//	sample     string             → string: a made-up data set as the text of a CSV file
//	survey     table.Options        begins the first reading of a file; its bytes come through Write
//	opened                        → task.Opened: the reading is complete
//	plan       task.Recipe        → task.Plan, or the fault not-read: encode first, n is not known yet
//	compose    Spending           → privacy.Total: what its releases cost together, by each rule
//	curve      task.Recipe        → []task.Point: the error to expect for a range of ε
//	epsilon    task.Wish          → string: the smallest ε that reaches an error
//	encode     task.Recipe        → bool: whether the file must be read again, through Write, for this question
//	encoded                       → []table.Problem: that reading is complete; cells without a value, for the owner
//	abandon                         that reading, or the first one, was given up: nothing of it is kept
//	charge     Charge             → Thaw: what the ledger must hold before the run, or a refusal
//	freeze     Charge             → []task.Recipe: the frozen questions with this one, or a refusal
//	account    Spending           → Account
//	default-limit                 → Limit of a data set that has none of its own yet
//	export     []Spending         → string: the ledger as a file
//	import     string             → []Spending: what such a file holds, or the fault bad-ledger
//	prove      prove.Request      → prove.Finding: on made-up tiny data, no file is needed and none is touched
//	teach      task.Lesson        → task.Taught: on made-up data that come with the engine
//	look       task.Lesson        → task.Taught: of the file; only once the ledger holds that its owner looks at it
//	film       motion.Request     → motion.Film: on made-up data that come with the engine
//	run        task.Recipe        → task.Release
//	label      []string           → task.Release: with one more case, answered by the votes of the last run, or the fault ended
//
// A run is charged first: static/engine.js writes the Debit into the ledger between charge and run.
package engine
