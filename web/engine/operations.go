package engine

import (
	"bytes"
	"encoding/json"
	"maps"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/prove"
	"hush/core/sample"
	"hush/core/study"
	"hush/core/table"
	"hush/core/task"
	"hush/core/verify"
	"hush/web/film"
)

// Operation holds what all parts of the engine know about one operation. static/engine.js receives
// it from here, and static/hush.js from there.
type Operation struct {
	Name  string `json:"-"`
	Needs Need   `json:"needs,omitempty"`
	// it needs nothing if the request names a fingerprint
	Named  bool `json:"named,omitempty"`
	Ledger bool `json:"ledger,omitempty"` // refused if there is no ledger to rely on
	Once   bool `json:"once,omitempty"`   // it changes something, so no script asks for it again
	Long   bool `json:"long,omitempty"`   // it calls step, whose error ends it

	// inner marks a part of other operations, which no client asks for.
	inner bool
	// do carries it out; nil: static/engine.js does.
	do func(d *Dispatcher, request []byte, step coin.Step) (any, error)
}

// Need is what must exist before an operation begins. Each need includes those before it.
type Need string

// The needs, the weakest first.
const (
	NeedsNothing Need = ""     // it is answered at once, also beside a long run
	NeedsTurn    Need = "turn" // the end of the operations before it
	NeedsFile    Need = "file" // an open file, which a fresh engine reads again
	NeedsPlan    Need = "plan" // a plan of the request's recipe
)

// operations is the table: the declarations below fill it.
var operations = map[string]Operation{}

// Operations returns the operations that a client may ask for, by name.
func Operations() map[string]Operation {
	all := maps.Clone(operations)
	maps.DeleteFunc(all, func(_ string, o Operation) bool { return o.inner })
	return all
}

// The operations that a client may ask for; static/hush.js documents them. If Go alone cannot carry
// out an operation, static/engine.js has a function of the same name.
var (
	Catalogue = add(Operation{Name: "catalogue"}, by(catalogue))
	Sample    = add(Operation{Name: "sample"}, of(sampleText))
	Open      = hosted[Source, Opening](Operation{Name: "open", Needs: NeedsTurn, Once: true})

	Plan       = add(Operation{Name: "plan", Needs: NeedsFile}, on(session.Plan))
	Curve      = add(Operation{Name: "curve", Needs: NeedsPlan}, on(session.Curve))
	EpsilonFor = add(Operation{Name: "epsilonFor", Needs: NeedsPlan}, on(session.EpsilonFor))
	Help       = add(Operation{Name: "help", Needs: NeedsPlan}, on(session.Help))
	Together   = add(Operation{Name: "together", Needs: NeedsFile, Long: true},
		longOn(session.Together))
	Expect   = add(Operation{Name: "expect", Needs: NeedsFile}, by((*Dispatcher).expect))
	Unplaced = hosted[[]table.Wanted, []table.Unplaced](
		Operation{Name: "unplaced", Needs: NeedsFile})
	Read   = hosted[ask.Recipe, []table.Problem](Operation{Name: "read", Needs: NeedsFile})
	Claims = add(Operation{Name: "claims", Needs: NeedsFile}, by((*Dispatcher).claims))

	Run = keeping(add(
		Operation{Name: "run", Needs: NeedsPlan, Ledger: true, Once: true, Long: true},
		longOn(func(s session, r RunOf, step coin.Step) (*task.Release, error) {
			return s.Run(r.Recipe, step)
		})))
	RunTogether = hosted[RunPlan, Drawn](
		Operation{Name: "runTogether", Needs: NeedsFile, Ledger: true, Once: true, Long: true})
	ResumeTogether = hosted[string, Drawn](
		Operation{Name: "resumeTogether", Needs: NeedsFile, Ledger: true, Once: true, Long: true})
	PlanTopUp = hosted[TopUpOf, TopUpOffer](
		Operation{Name: "planTopUp", Needs: NeedsFile})
	TopUp = keeping(add(
		Operation{Name: "topUp", Needs: NeedsFile, Ledger: true, Once: true, Long: true},
		longOn(topUp)))
	Label = keeping(add(Operation{Name: "label", Needs: NeedsTurn, Once: true}, on(session.Label)))

	Freeze = hosted[ask.Recipe, None](
		Operation{Name: "freeze", Needs: NeedsPlan, Ledger: true, Once: true})
	Look   = hosted[None, None](Operation{Name: "look", Needs: NeedsFile, Ledger: true, Once: true})
	LookOn = add(Operation{Name: "lookOn", Needs: NeedsFile, Long: true}, longOn(session.Look))

	Check = hosted[CheckOf, verify.Report](Operation{Name: "check", Needs: NeedsTurn})
	Sign  = hosted[string, Signed](Operation{Name: "sign"})
	Prove = add(Operation{Name: "prove", Needs: NeedsTurn, Long: true}, longIn(prove.Run))
	Teach = add(Operation{Name: "teach", Needs: NeedsTurn, Long: true}, longIn(task.Teach))
	Rows  = add(Operation{Name: "rows", Needs: NeedsTurn}, of(task.TeachVisits))
	// Difference is a lesson about top-ups.
	Difference = add(Operation{Name: "difference", Needs: NeedsTurn, Long: true},
		longIn(task.TeachDifference))
	Study = add(Operation{Name: "study", Needs: NeedsTurn, Long: true}, longIn(study.Run))
	Film  = add(Operation{Name: "film"}, of(film.Run))

	Ledger   = hosted[None, Accounts](Operation{Name: "ledger"})
	Compose  = add(Operation{Name: "compose"}, of(Spending.Compose))
	SetLimit = hosted[LimitOf, None](
		Operation{Name: "setLimit", Needs: NeedsFile, Named: true, Ledger: true, Once: true})
	SetNickname = hosted[NicknameOf, None](
		Operation{Name: "setNickname", Ledger: true, Once: true})
	ExportLedger = hosted[None, string](Operation{Name: "exportLedger"})
	ImportLedger = hosted[string, Imported](Operation{Name: "importLedger", Once: true})

	ListKept    = hosted[None, Shelf](Operation{Name: "kept"})
	KeptAnswers = hosted[[]string, []KeptText](Operation{Name: "keptAnswers"})
	MarkKept    = hosted[Mark, None](Operation{Name: "markKept", Once: true})
	DropKept    = hosted[[]string, None](Operation{Name: "dropKept", Once: true}) // nil: all
	KeptDraft   = hosted[None, string](Operation{Name: "keptDraft"})
	KeepDraft   = hosted[string, None](Operation{Name: "keepDraft", Once: true})
	KeepAnswers = hosted[bool, None](Operation{Name: "keepAnswers", Once: true})
)

// The parts from which engine.js builds the operations that Go cannot carry out alone.
var (
	// survey begins the first reading of a file, whose bytes come through Write; opened ends it.
	_ = inner("survey", by((*Dispatcher).beginSurvey))
	_ = inner("opened", by((*Dispatcher).endSurvey))

	// encode reports whether the file must be read for a question, and begins; encoded ends that
	// reading. ahead is encode for a question that nobody waits for yet: it also reads the columns
	// expected next, until narrow. reads reports whether that reading serves another question too.
	// problems returns the cells without a value in the columns of the last encoded question.
	_ = inner("encode", by((*Dispatcher).beginEncode))
	_ = inner("ahead", by((*Dispatcher).beginAhead))
	_ = inner("narrow", by((*Dispatcher).narrow))
	_ = inner("encoded", by((*Dispatcher).endEncode))
	_ = inner("reads", by((*Dispatcher).reads))
	_ = inner("problems", by((*Dispatcher).problems))

	// places begins to find the cells without a place in the lists of columns; placed ends that.
	_ = inner("places", by((*Dispatcher).beginPlaces))
	_ = inner("placed", by((*Dispatcher).endPlaces))

	// verify is check, after the signature was checked.
	_ = inner("verify", by((*Dispatcher).verify))

	// abandon gives up a reading, of which nothing is kept.
	_ = inner("abandon", by((*Dispatcher).abandoned))

	// unread says why a reader could not read a file other than plain text.
	_ = inner("unread", of(func(e table.UnreadError) (None, error) { return nil, &e }))

	// charge states what the ledger must hold before a run, and frozen returns the frozen questions
	// with one more.
	_ = inner("charge", by((*Dispatcher).charge))
	_ = inner("frozen", of(Charge.Freeze))

	// chargePlan is charge for several questions at once. samePlan refuses to draw the rest of a
	// plan if its price would differ now.
	_ = inner("chargePlan", by((*Dispatcher).chargePlan))
	_ = inner("samePlan", by((*Dispatcher).samePlan))

	// digest identifies a release that can be topped up. topUpPlan prices that, and chargeTopUp is
	// charge for it.
	_ = inner("digest", of(digest))
	_ = inner("topUpPlan", by((*Dispatcher).topUpPlan))
	_ = inner("chargeTopUp", by((*Dispatcher).chargeTopUp))

	// account adds up a data set's spending; limit returns a limit in the form that is kept, or
	// says why it cannot be set; joined returns the limit of a data set to which a ledger file adds
	// releases; defaultLimit is the limit of a data set without one of its own.
	_ = inner("account", of(Spending.Account))
	_ = inner("limit", of(LimitChange.Set))
	_ = inner("joined", of(Joined.Kept))
	_ = inner("defaultLimit", by(defaultLimit))

	// writeLedger returns the text of a ledger file, and readLedger the contents of one.
	_ = inner("writeLedger", of(WriteLedger))
	_ = inner("readLedger", of(ReadLedger))
)

// Op is an operation with the types of its request and its answer.
type Op[Request, Answer any] struct{ Operation }

// None is no request, or no answer: null.
type None *struct{}

// Call is a request that a client sends.
type Call struct {
	Name    string
	Request any // written as JSON
	File    any // the browser's file, which crosses unchanged; nil: none
}

// With returns a call with this request.
func (o Op[Request, _]) With(r Request) Call { return Call{Name: o.Name, Request: r} }

// Of returns the same call with a file of the browser's.
func (c Call) Of(file any) Call {
	c.File = file
	return c
}

// Read decodes an answer. An answer that cannot be read comes from another build.
func (o Op[_, Answer]) Read(body []byte) (a Answer) {
	if err := json.Unmarshal(body, &a); err != nil {
		panic("engine: internal error: the answer to " + o.Name + ": " + err.Error())
	}
	return a
}

// action carries out an operation.
type action[Request, Answer any] func(*Dispatcher, Request, coin.Step) (Answer, error)

// add puts an operation into the table.
func add[Request, Answer any](o Operation, do action[Request, Answer]) Op[Request, Answer] {
	if do != nil {
		o.do = func(d *Dispatcher, text []byte, step coin.Step) (any, error) {
			request, err := read[Request](text)
			if err != nil {
				return nil, err
			}
			return do(d, request, step)
		}
	}
	operations[o.Name] = o
	return Op[Request, Answer]{o}
}

// hosted adds an operation that static/engine.js builds from parts.
func hosted[Request, Answer any](o Operation) Op[Request, Answer] {
	return add[Request, Answer](o, nil)
}

// keeping is an operation whose release static/engine.js keeps before passing it on.
func keeping[Request any](o Op[Request, *task.Release]) Op[Request, Released] {
	return Op[Request, Released](o)
}

// inner adds a part of other operations.
func inner[Request, Answer any](name string, do action[Request, Answer]) Op[Request, Answer] {
	return add(Operation{Name: name, inner: true}, do)
}

// of makes an action from a function, longIn from a long one that produces text, by from a method
// of the Dispatcher, on from a method of its session; the long variants use step.
func of[Q, A any](f func(Q) (A, error)) action[Q, A] {
	return func(_ *Dispatcher, q Q, _ coin.Step) (A, error) { return f(q) }
}

func longIn[Q, A any](f func(*message.Language, Q, coin.Step) (A, error)) action[Q, A] {
	return func(d *Dispatcher, q Q, step coin.Step) (A, error) { return f(d.say, q, step) }
}

func by[Q, A any](f func(*Dispatcher, Q) (A, error)) action[Q, A] {
	return func(d *Dispatcher, q Q, _ coin.Step) (A, error) { return f(d, q) }
}

func on[Q, A any](f func(session, Q) (A, error)) action[Q, A] {
	return func(d *Dispatcher, q Q, _ coin.Step) (A, error) { return f(d.session, q) }
}

func longOn[Q, A any](f func(session, Q, coin.Step) (A, error)) action[Q, A] {
	return func(d *Dispatcher, q Q, step coin.Step) (A, error) { return f(d.session, q, step) }
}

// read decodes a request. Unknown fields are refused: a misspelt one would silently mean its
// default.
func read[Request any](text []byte) (request Request, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err = decoder.Decode(&request); err != nil {
		err = phrase.Errorf("engine: the request cannot be read: %w", err)
	}
	return request, err
}

func catalogue(*Dispatcher, None) ([]ask.Task, error) { return task.Catalogue(), nil }

// CheckOf is a file that may be a release or a publication, as text. Build is the program that
// asks.
type CheckOf struct {
	Text  string `json:"text"`
	Build string `json:"build,omitempty"`
	// Signature is the one in the text; engine.js fills it in.
	Signature *verify.Signature `json:"signature,omitempty"`
}

// Signed is a signature by the key of this device, and the public half of that key.
type Signed struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// verify states which claims of a release hold. It needs no data.
func (d *Dispatcher) verify(c CheckOf) (verify.Report, error) {
	return verify.Signed(d.say, []byte(c.Text), c.Build, c.Signature, d.Rewrite), nil
}

func defaultLimit(*Dispatcher, None) (Limit, error) { return DefaultLimit(), nil }

// sampleText returns the CSV file of a made-up data set.
func sampleText(name string) (string, error) {
	set, ok := sample.Named(name)
	if !ok {
		return "", phrase.Errorf("engine: there is no made-up data set %q", name)
	}
	return string(set.CSV()), nil
}
