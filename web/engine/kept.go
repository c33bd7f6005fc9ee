package engine

import "hush/core/task"

// Released holds a release, and says whether this device keeps it beside the ledger.
type Released struct {
	*task.Release
	Entry string `json:"entry"` // the id of its debit, under which it is kept
	// NotKept says why this device does not keep it: KeepsNone, or the browser's refusal; empty: it
	// does.
	NotKept string `json:"notKept"`
}

// KeepsNone is the reason if the owner wants no answers kept.
const KeepsNone = "off"

// Shelf holds the answers that this device keeps, oldest first.
type Shelf struct {
	Off     bool   `json:"off"`     // no further ones are kept
	Refused string `json:"refused"` // why the browser keeps none; empty: it keeps them
	Answers []Kept `json:"answers"`
}

// Kept describes an entry of the shelf: everything but the text of the answer.
type Kept struct {
	Entry  string `json:"entry"` // the id of its debit
	Time   string `json:"time"`  // ISO 8601
	Listed bool   `json:"listed"`
	Report int    `json:"report"` // its position in the report, from 1; 0: it is not in it
}

// KeptText is an answer that is kept: a release as JSON.
type KeptText struct {
	Entry string `json:"entry"`
	Text  string `json:"text"`
}

// Mark says whether answers are in the page's list and in its report; nil leaves that as it was.
type Mark struct {
	Entries []string `json:"entries"`
	Listed  *bool    `json:"listed,omitempty"`
	Report  *bool    `json:"report,omitempty"`
}
