package engine

import (
	"hush/core/ask"
	"hush/core/privacy"
	"hush/core/table"
)

// Source says how to read a file, and where it comes from if the page makes it: a made-up data set
// that comes with the engine, or a text; otherwise it is the call's file, or the last one again.
type Source struct {
	Options table.Options `json:"options"`
	Sample  string        `json:"sample,omitempty"` // sample.Set.Name
	Text    *string       `json:"text,omitempty"`
}

// Opening is what a client learns about a file that it has opened: the file as package task sees
// it, and its place in the ledger.
type Opening struct {
	ask.Opened
	Fingerprint string `json:"fingerprint"` // empty when storage is refused
	// why no ledger can be kept, or empty; then nothing can be released
	StorageRefused string  `json:"storageRefused"`
	Account        Account `json:"account"`
	// Parts are the parts of a file other than plain text, such as the sheets of a workbook. Their
	// names are for the owner's screen only.
	Parts []Part `json:"parts,omitempty"`
	// Notes are its reader's remarks on the table. They are for the owner's screen only.
	Notes []table.Note `json:"notes,omitempty"`
	// Near lists other data sets of the ledger that share many of the rows. It is for the owner's
	// screen only.
	Near []Near `json:"near,omitempty"`
}

// Part is a table in a file that may hold several.
type Part struct {
	Name string `json:"name"`
	Rows int64  `json:"rows,omitempty"` // if the file states it, without a row of names
}

// Near is a data set that shares rows with the open file.
type Near struct {
	Fingerprint string `json:"fingerprint"`
	Nickname    string `json:"nickname,omitempty"`
	Shared      int    `json:"shared"` // about how many of a hundred different rows of both
}

// Progress says how far a request has come.
type Progress struct {
	// "opening" or "reading", in bytes; "computing", in the task's own steps
	Phase string `json:"phase"`
	Done  int64  `json:"done"`
	Total int64  `json:"total"`
	// Question is the number of the question at work, from 1, among those drawn as one plan; 0:
	// there is one.
	Question  int `json:"question,omitempty"`
	Questions int `json:"questions,omitempty"`
}

// Fault is the reason why a request failed. No field depends on private data.
type Fault struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	// A refused parameter, as param.Error states it.
	Package string `json:"package,omitempty"`
	Field   string `json:"field,omitempty"`
	Value   string `json:"value,omitempty"`
	Want    string `json:"want,omitempty"`
}

// Code identifies the kind of a fault. The client adds its own, see static/hush.js.
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
	NotAgreed Code = "not-agreed" // its owner has not agreed to a claim that it makes
	// a search ended without a good enough answer: that is an answer, and paid for
	FoundNothing Code = "found-nothing"
	Unreadable   Code = "unreadable-file" // it is damaged
	OtherFile    Code = "other-file"      // what is to be drawn was paid for another data set
	PlanClosed   Code = "plan-closed"     // nothing more of the plan can be drawn here
	NoTopUp      Code = "no-top-up"       // the ledger has no head for this: ask again
	Failed       Code = "failed"          // anything else that can be said about the request
	Internal     Code = "internal"        // a defect; the engine must be replaced
)

// Entry is one debit of the ledger. Go states task and loss, and the ledger's store adds the rest.
type Entry struct {
	ID          string `json:"id"`
	Fingerprint string `json:"fingerprint"`
	Debit
	Time   string `json:"time"` // ISO 8601
	Schema int    `json:"schema"`
	// Replaces is the entry of the answer that this one improves, for the difference of the two
	// losses; empty: none.
	Replaces string `json:"replaces,omitempty"`
	// Plan is what was paid for if that is several questions, on the device where they are drawn;
	// nil elsewhere, where no more of them can be drawn.
	Plan *PlanOf `json:"plan,omitempty"`
}

// PlanOf is a plan of several questions, with the numbers of those already drawn, from 1.
type PlanOf struct {
	ask.Fixed
	Drawn []int `json:"drawn"`
}

// Debit is the cost of one release.
type Debit struct {
	Task string       `json:"task"` // Task.ID
	Loss privacy.Loss `json:"loss"`
	// Column is the published name of the column asked about; empty in entries of earlier versions
	// and in imported ones.
	Column string `json:"column,omitempty"`
	// Questions is the number of questions paid for together; 0: it is one.
	Questions int `json:"questions,omitempty"`
}

// Thaw names what a debit takes from the frozen questions of a data set that was looked at.
type Thaw struct {
	Debit
	Frozen []ask.Recipe `json:"frozen"` // the ones left
	Total  privacy.Loss `json:"total"`  // what is spent with it
}

// Limit is the most that may be spent on one data set: exact numbers as text.
type Limit struct {
	Epsilon string `json:"epsilon"`
	Delta   string `json:"delta,omitempty"` // for the releases; empty: 0
	// Slack is a further δ, set aside before the first release to count releases by ρ as well: see
	// privacy.Filter. Empty: there is none, and only their sum counts.
	Slack string `json:"slack,omitempty"`
	Rho   string `json:"rho,omitempty"` // largest total of ρ; the engine finds it
	// Raised says how it was raised since the first release, if it sets a δ aside; nil: never. ε, δ
	// and the amount set aside then apply to all releases, from the first on.
	Raised *Raised `json:"raised,omitempty"`
}

// Raised is a limit as it was before it was raised. All of it counts as spent from then on, and the
// part of the new limit above it is for later releases: as a separate filter if that part has
// something set aside, otherwise as a plain sum.
type Raised struct {
	From Limit `json:"from"`
	// what was spent until then, rounded down
	Epsilon string `json:"epsilon"`
	Delta   string `json:"delta"`
	Rho     string `json:"rho"`
}

// Spending is the record of one data set in the ledger's store.
type Spending struct {
	Fingerprint string `json:"fingerprint"`
	// its owner's name for it, on this device only
	Nickname string  `json:"nickname,omitempty"`
	Limit    *Limit  `json:"limit"` // nil: none
	Entries  []Entry `json:"entries"`
	// the cost of all entries together, if they are not here; nil: their sum
	Total *privacy.Loss `json:"total,omitempty"`
	// entries are missing: more was spent, and nobody knows how much
	Damaged bool `json:"damaged"`

	Lost []string `json:"lost,omitempty"` // the ids of those entries
	// public name of the key with which the fingerprint was made
	Browser string `json:"browser,omitempty"`
	// that key is another browser's: no file opened here has this fingerprint
	Elsewhere bool `json:"elsewhere,omitempty"`

	// when its owner chose to see the exact data; empty: never
	Looked string `json:"looked,omitempty"`
	// questions fixed before that, each of which may still be asked once
	Frozen []ask.Recipe `json:"frozen,omitempty"`

	// a ledger file's limit for it is above the default, and was not adopted
	Above bool `json:"above,omitempty"`
}

// Charge asks for the cost of a question on a data set with this spending.
type Charge struct {
	Spending
	RunOf
}

// PlanCharge asks for the cost of a plan on a data set with this spending.
type PlanCharge struct {
	Spending
	RunPlan
}

// PlanThaw is the debit of a plan, with the marks of its questions: see ask.Session.Fixed. Parts
// are what the ledger compares the debit with, independently of the code that computed it.
type PlanThaw struct {
	Thaw
	Marks []string   `json:"marks"`
	Parts []PlanPart `json:"parts"`
}

// PlanPart is one question of a plan: exact fractions as text.
type PlanPart struct {
	// Least is a lower bound on the cost of the question alone at the δ of the plan: see
	// privacy.Least.
	Least   string `json:"least"`
	Epsilon string `json:"epsilon"` // empty: it has none without a further δ
	Delta   string `json:"delta"`
}

// PlanRest is a plan with questions left, and the marks of all its questions when it was paid for.
type PlanRest struct {
	Plan  ask.Fixed `json:"plan"`
	Marks []string  `json:"marks"`
	Left  []int     `json:"left"` // from 1
}

// Account is the total of a Spending.
type Account struct {
	Spending
	Spent string `json:"spent"` // total ε, an exact number as text
	Delta string `json:"delta"` // total δ
	Count int    `json:"count"` // number of releases
}

// Accounts holds the Account of the open file, and those of all data sets.
type Accounts struct {
	Account
	Accounts []Account `json:"accounts"`
}

// LimitOf sets the limit of a data set; an empty fingerprint stands for the open file's.
type LimitOf struct {
	Limit       *Limit `json:"limit"` // nil: none
	Fingerprint string `json:"fingerprint,omitempty"`
}

// NicknameOf names a data set for its owner; an empty nickname lets the fingerprint serve.
type NicknameOf struct {
	Nickname    string `json:"nickname"`
	Fingerprint string `json:"fingerprint"`
}

// Imported is the result of an import.
type Imported struct {
	DataSets  int `json:"dataSets"`
	Added     int `json:"added"`     // releases that were new here
	Known     int `json:"known"`     // and those that were not
	Elsewhere int `json:"elsewhere"` // data sets named by another browser
	Above     int `json:"above"`     // data sets whose higher limit was not taken
	Ended     int `json:"ended"`     // data sets whose limit set a δ aside and does no more
}
