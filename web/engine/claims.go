package engine

import (
	"hush/core/ask"
	"hush/web/outside"
	"hush/web/say"
)

// RunOf is a question that is to be answered. Agreed lists the claims about the file to which its
// owner agreed: with any other claim, nothing is released.
type RunOf struct {
	Recipe ask.Recipe      `json:"recipe"`
	Agreed []outside.Claim `json:"agreed,omitempty"`
}

// RunPlan is a plan of several questions to be drawn as it was priced. Agreed lists the claims to
// which the owner agreed, as in RunOf, for all questions together.
type RunPlan struct {
	Plan   ask.Fixed       `json:"plan"`
	Agreed []outside.Claim `json:"agreed,omitempty"`
}

// Asked states a claim, in words as well, beside the file's own.
type Asked struct {
	outside.Claim
	Line string `json:"line"`
}

// NotAgreedError says that a question makes a claim about the file to which its owner has not
// agreed.
type NotAgreedError struct{ line string }

func (e *NotAgreedError) Error() string {
	return say.Format("this release is refused: the question says something of the file that its "+
		"owner has not agreed to. %s", e.line)
}

// agrees refuses, with *NotAgreedError, a question with a claim about the open file that the file
// does not make itself and to which its owner has not agreed: it would change what is public, or
// what a published name means.
func (d *Dispatcher) agrees(r RunOf) error {
	if open := d.file.NotAgreed(r.Recipe, r.Agreed); len(open) > 0 {
		return &NotAgreedError{d.file.Line(open[0], 0)}
	}
	return nil
}

// claims lists what the owner of the open file has to agree to before a question is released.
func (d *Dispatcher) claims(r ask.Recipe) ([]Asked, error) {
	list := []Asked{}
	for _, c := range d.file.NotAgreed(r, nil) {
		list = append(list, Asked{c, d.file.Line(c, 0)})
	}
	return list, nil
}
