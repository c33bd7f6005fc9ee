package place

// Step is a person's position on the way to an answer, as the browser's history keeps it: no data,
// no names.
type Step struct {
	Stage  int    `json:"stage"`            // a stage.Stage
	Answer string `json:"answer,omitempty"` // the debit of the kept answer that is shown
	// Heard is the number of the last known step in the history: anything said before it is out of
	// date.
	Heard int `json:"heard"`
	// Unsaved says that leaving loses what was typed, or paid for: the browser then asks.
	Unsaved bool `json:"unsaved"`
}

// Window is the interface through which a place uses the page around it.
type Window interface {
	Reveal(element string)
	Address(path string) // writes the address behind the #, without a step in the history
	Today() string       // the day where the person is: "2026-01-31"
	// Stand reports a person's position, which the history keeps: see Step.
	Stand(Step)
}
