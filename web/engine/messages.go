package engine

import (
	"hush/core/ask"
	"hush/core/privacy"
	"hush/core/table"
)

// Source says how a file is to be read, and where it comes from if the page makes it: a made-up
// data set that comes with the engine, or a text; else it is the call's file, or the last one once
// more.
type Source struct {
	Options table.Options `json:"options"`
	Sample  string        `json:"sample,omitempty"` // sample.Set.Name
	Text    *string       `json:"text,omitempty"`
}

// Opening is what a client learns of a file it has opened: the file as task sees it, and its place
// in the ledger.
type Opening struct {
	ask.Opened
	Fingerprint string `json:"fingerprint"` // empty when storage is refused
	// why no ledger can be kept, or empty; then nothing can be released
	StorageRefused string  `json:"storageRefused"`
	Account        Account `json:"account"`
	// Parts are those of a file that is no plain text, such as the sheets of a workbook. Their
	// names are for the owner's screen only.
	Parts []Part `json:"parts,omitempty"`
	// Notes are what its reader says of the table. They are for the owner's screen only.
	Notes []table.Note `json:"notes,omitempty"`
	// Near are other data sets of the ledger that share many of the rows. It is for the owner's
	// screen only.
	Near []Near `json:"near,omitempty"`
}

// Part is a table in a file that may hold several.
type Part struct {
	Name string `json:"name"`
	Rows int64  `json:"rows,omitempty"` // where the file tells, without a row of names
}

// Near is a data set that shares rows with the open file.
type Near struct {
	Fingerprint string `json:"fingerprint"`
	Nickname    string `json:"nickname,omitempty"`
	Shared      int    `json:"shared"` // of a hundred different rows of both, about
}

// Progress is how far a request has come.
type Progress struct {
	// "opening" or "reading", in bytes; "computing", in the task's own steps
	Phase string `json:"phase"`
	Done  int64  `json:"done"`
	Total int64  `json:"total"`
	// Question is the one at work, from 1, of so many that are drawn as one plan; 0: there is one.
	Question  int `json:"question,omitempty"`
	Questions int `json:"questions,omitempty"`
}

// Fault is why a request failed. No field depends on private data.
type Fault struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	// A refused parameter, as param.Error states it.
	Package string `json:"package,omitempty"`
	Field   string `json:"field,omitempty"`
	Value   string `json:"value,omitempty"`
	Want    string `json:"want,omitempty"`
}

// Code tells faults apart. The client adds its own, see static/hush.js.
type Code string

const (
	Refused     Code = "refused"      // a parameter was refused: Field, Value, Want
	Cancelled   Code = "cancelled"    // by the client
	NoFile      Code = "no-file"      // open one first
	NotRead     Code = "not-read"     // the file must be read for this question first
	TooLarge    Code = "too-large"    // the column does not fit into memory
	FileChanged Code = "file-changed" // since it was opened
	// a ledger file cannot be read: the message says where and why
	BadLedger Code = "bad-ledger"
	OverLimit Code = "over-limit" // the release would cost more than the limit leaves
	Ended     Code = "ended"      // the votes that would answer have ended
	LookedAt  Code = "looked-at"  // its owner has seen what the data set really says
	NotAgreed Code = "not-agreed" // it says of the file what its owner has not agreed to
	// a search ended with nothing that is good enough: an answer, and paid for
	FoundNothing Code = "found-nothing"
	Unreadable   Code = "unreadable-file" // it is damaged
	OtherFile    Code = "other-file"      // what is to be drawn was paid for another data set
	PlanClosed   Code = "plan-closed"     // nothing more of the plan can be drawn here
	NoTopUp      Code = "no-top-up"       // the ledger has no head for this: ask again
	Failed       Code = "failed"          // anything else that can be said about the request
	Internal     Code = "internal"        // a defect; the engine must be replaced
)

// Entry is one debit of the ledger. Go states task and loss, the ledger's store adds the rest.
type Entry struct {
	ID          string `json:"id"`
	Fingerprint string `json:"fingerprint"`
	Debit
	Time   string `json:"time"` // ISO 8601
	Schema int    `json:"schema"`
	// Replaces is the entry of the answer that this one was made of, for the difference of the two
	// losses; empty: of none.
	Replaces string `json:"replaces,omitempty"`
	// Plan is what was paid for where that is several questions, on the device where they are
	// drawn; nil elsewhere, where nothing more of them can be.
	Plan *PlanOf `json:"plan,omitempty"`
}

// PlanOf is a plan of several questions, and the numbers of those that were drawn, from 1.
type PlanOf struct {
	ask.Fixed
	Drawn []int `json:"drawn"`
}

// Debit is what one release costs.
type Debit struct {
	Task string       `json:"task"` // Task.ID
	Loss privacy.Loss `json:"loss"`
	// Column is the published name of the column asked about; empty in entries of earlier versions
	// and in imported ones.
	Column string `json:"column,omitempty"`
	// Questions is how many were paid for together; 0: it is one.
	Questions int `json:"questions,omitempty"`
}

// Thaw is what a debit takes from the frozen questions of a data set that was looked at.
type Thaw struct {
	Debit
	Frozen []ask.Recipe `json:"frozen"` // those that are left
	Total  privacy.Loss `json:"total"`  // what is spent with it
}

// Limit is the most that may be spent on one data set: exact numbers as text.
type Limit struct {
	Epsilon string `json:"epsilon"`
	Delta   string `json:"delta,omitempty"` // of the releases; empty: 0
	// Slack is a further δ that was set aside before the first release, to count releases by ρ as
	// well: see privacy.Filter. Empty: none, and only their sum counts.
	Slack string `json:"slack,omitempty"`
	Rho   string `json:"rho,omitempty"` // what ρ may add up to; the engine finds it
	// Raised says how it was raised since the first release, where it sets a δ aside: nil, never.
	// ε, δ and what is set aside are then of all releases, from the first on.
	Raised *Raised `json:"raised,omitempty"`
}

// Raised is a limit as it was before it was raised. All of it counts as spent from then on, and
// what the limit is above it is for the releases that follow: a filter of its own where it has
// something set aside, else a plain sum.
type Raised struct {
	From Limit `json:"from"`
	// what was spent until then, rounded down
	Epsilon string `json:"epsilon"`
	Delta   string `json:"delta"`
	Rho     string `json:"rho"`
}

// Spending is what the ledger's store holds of one data set.
type Spending struct {
	Fingerprint string `json:"fingerprint"`
	// what its owner calls it, on this device only
	Nickname string  `json:"nickname,omitempty"`
	Limit    *Limit  `json:"limit"` // nil: none
	Entries  []Entry `json:"entries"`
	// what all entries cost together, where they are not here; nil: their sum
	Total *privacy.Loss `json:"total,omitempty"`
	// entries are missing: more was spent, nobody knows how much
	Damaged bool `json:"damaged"`

	Lost []string `json:"lost,omitempty"` // the ids of those entries
	// the public name of the key that the fingerprint was made with
	Browser string `json:"browser,omitempty"`
	// that is another browser's: no file opened here has this fingerprint
	Elsewhere bool `json:"elsewhere,omitempty"`

	// when its owner chose to see what it really says; empty: never
	Looked string `json:"looked,omitempty"`
	// questions fixed before that, each of which may still be asked once
	Frozen []ask.Recipe `json:"frozen,omitempty"`

	// the limit that a ledger file has for it is above the default, and was not taken
	Above bool `json:"above,omitempty"`
}

// Charge asks what a question costs on a data set of which so much was spent.
type Charge struct {
	Spending
	RunOf
}

// PlanCharge asks what a plan costs on a data set of which so much was spent.
type PlanCharge struct {
	Spending
	RunPlan
}

// PlanThaw is the debit of a plan, with the marks of its questions: see ask.Session.Fixed. Parts
// are what the ledger compares the debit with, whatever worked it out.
type PlanThaw struct {
	Thaw
	Marks []string   `json:"marks"`
	Parts []PlanPart `json:"parts"`
}

// PlanPart is one question of a plan: exact fractions as text.
type PlanPart struct {
	// Least is what the question costs by itself at the δ of the plan, a lower bound: see
	// privacy.Least.
	Least   string `json:"least"`
	Epsilon string `json:"epsilon"` // empty: it has none without a further δ
	Delta   string `json:"delta"`
}

// PlanRest is a plan of which some questions are left, and the marks of all when it was paid for.
type PlanRest struct {
	Plan  ask.Fixed `json:"plan"`
	Marks []string  `json:"marks"`
	Left  []int     `json:"left"` // from 1
}

// Account is a Spending added up.
type Account struct {
	Spending
	Spent string `json:"spent"` // ε in all, an exact number as text
	Delta string `json:"delta"` // δ in all
	Count int    `json:"count"` // releases
}

// Accounts is the Account of the open file, and those of all data sets.
type Accounts struct {
	Account
	Accounts []Account `json:"accounts"`
}

// LimitOf sets the limit of a data set; an empty fingerprint is the open file's.
type LimitOf struct {
	Limit       *Limit `json:"limit"` // nil: none
	Fingerprint string `json:"fingerprint,omitempty"`
}

// NicknameOf names a data set for its owner; empty: it goes by its fingerprint.
type NicknameOf struct {
	Nickname    string `json:"nickname"`
	Fingerprint string `json:"fingerprint"`
}

// Imported is what an import came to.
type Imported struct {
	DataSets  int `json:"dataSets"`
	Added     int `json:"added"`     // releases that were new here
	Known     int `json:"known"`     // and those that were not
	Elsewhere int `json:"elsewhere"` // data sets that are named by another browser
	Above     int `json:"above"`     // data sets whose higher limit was not taken
	Ended     int `json:"ended"`     // data sets whose limit set a δ aside and does no more
}
