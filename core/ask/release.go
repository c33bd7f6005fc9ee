package ask

import (
	"hush/core/coin"
	"hush/core/message"
	"hush/core/privacy"
)

// Plan states the cost of a question and how good its answer will be: computed from public facts
// only, before anything is spent.
type Plan struct {
	Task      string       `json:"task"`
	People    int64        `json:"people"` // n, public
	Loss      privacy.Loss `json:"loss"`
	Guarantee Guarantee    `json:"guarantee"`
	Algorithm string       `json:"algorithm"`
	Column    string       `json:"column"` // the published name
	// the domain in words; empty where there is no main column
	Domain   string       `json:"domain,omitempty"`
	Others   []PlanColumn `json:"others,omitempty"` // further columns
	Forecast []Forecast   `json:"forecast"`
	// Range is how far, in the column's unit, the ends of the answer's ranges are from its values
	// where everybody has a value and values are spread evenly: "± 2.3 years". It is empty where
	// the answer has no ranges or the column no bounds, and in releases of earlier versions.
	Range     string   `json:"range,omitempty"`
	ErrorUnit string   `json:"errorUnit"` // what the headline error is measured in: "people"
	ErrorOf   ErrorOf  `json:"errorOf,omitempty"`
	Off       *Off     `json:"off,omitempty"`     // nil in releases of earlier versions
	Verdict   *Verdict `json:"verdict,omitempty"` // nil in releases of earlier versions
	Frame     *Frame   `json:"frame,omitempty"`   // nil where there is no picture to come
}

// Ahead returns the forecast as a person reads it: ranges in the column's unit first.
func (p *Plan) Ahead(say *message.Language) []Forecast {
	if p.Range == "" {
		return p.Forecast
	}
	return append([]Forecast{{Label: say.Text("Range in the column's unit (95 %)"),
		Value: say.Format("about %s", p.Range),
		Detail: say.Text("if everybody has a value and values are spread evenly; narrower where " +
			"people crowd, wider where they are few")}}, p.Forecast...)
}

// ErrorOf says what a percentage of the headline error refers to. It is empty where that would be
// the answer, which is not known before the release.
type ErrorOf string

// What a percentage refers to, always public: all n people, a number between 0 and 1, or a number
// that is already a percentage.
const (
	OfPeople  ErrorOf = "people"
	OfShare   ErrorOf = "share"
	OfPercent ErrorOf = "percent"
)

// PlanColumn is a further column that the question reads.
type PlanColumn struct {
	Role   string `json:"role"`
	Column string `json:"column"` // the published name
	Domain string `json:"domain"` // in words
}

// Forecast is one sentence about the error to expect.
type Forecast struct {
	Label  string `json:"label"`
	Value  string `json:"value"`
	Detail string `json:"detail"`
}

// Release is an answer that is safe to publish, with everything that a reader needs to judge it.
type Release[C Catalogue] struct {
	Version int         `json:"version"`
	Origin  coin.Origin `json:"origin"` // only crypto is a release
	// Unverified says that the release was opened from a file, which anybody can write. It stays
	// with every copy.
	Unverified bool      `json:"unverified,omitempty"`
	Plan       Plan      `json:"plan"`
	Recipe     Recipe    `json:"recipe"`
	Answer     Answer[C] `json:"answer"`
	Statement  string    `json:"statement"` // the answer as a sentence
	// Verdict judges the answer itself, whereas Plan.Verdict judges what was known before; nil in
	// releases of earlier versions.
	Verdict *Verdict `json:"verdict,omitempty"`
	Tuned   *Tuned   `json:"tuned,omitempty"`
	Head    *Head    `json:"head,omitempty"` // where it can be topped up
	// Drawn holds the numbers from which the answer was computed, where there is no head. They are
	// as public as the answer; nil where there are none, and in releases of earlier versions.
	Drawn Sums `json:"drawn,omitempty"`
}

// Table returns the answer as rows of text under a header row, as a page shows it; a nil language
// is English, as in exports.
func (r *Release[C]) Table(say *message.Language) [][]string {
	return r.Answer.Table(r.Voice(say), r.Plan.Column)
}

// Voice speaks about the people or things that the release is about.
func (r *Release[C]) Voice(say *message.Language) Voice { return r.Recipe.voice(say) }
