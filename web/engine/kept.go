package engine

import "hush/core/task"

// A Released is a release, and whether this device keeps it beside the ledger.
type Released struct {
	*task.Release
	Entry string `json:"entry"` // the id of its debit, under which it is kept
	// NotKept says why it is not kept on this device: KeepsNone, or what the browser refuses;
	// empty: it is.
	NotKept string `json:"notKept"`
}

// KeepsNone is said where the owner wants no answers kept.
const KeepsNone = "off"

// Shelf is the answers that this device keeps, oldest first.
type Shelf struct {
	Off     bool   `json:"off"`     // no further ones are kept
	Refused string `json:"refused"` // why the browser keeps none; empty: it does
	Answers []Kept `json:"answers"`
}

// A Kept is an entry of the shelf: all but the text of an answer.
type Kept struct {
	Entry  string `json:"entry"` // the id of its debit
	Time   string `json:"time"`  // ISO 8601
	Listed bool   `json:"listed"`
	Report int    `json:"report"` // its place in the report, from 1; 0: it is not in it
}

// KeptText is an answer that is kept: a release as JSON.
type KeptText struct {
	Entry string `json:"entry"`
	Text  string `json:"text"`
}

// Mark notes whether answers stand in the page's list and in its report; nil: as before.
type Mark struct {
	Entries []string `json:"entries"`
	Listed  *bool    `json:"listed,omitempty"`
	Report  *bool    `json:"report,omitempty"`
}
