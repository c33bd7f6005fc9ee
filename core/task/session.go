package task

import (
	"hush/core/ask"
	"hush/core/coin"
	"hush/core/message"
)

// All is the whole catalogue, as the type parameter of sessions and releases.
type All struct{}

// The types of a session over the whole catalogue.
type (
	Session = ask.Session[All]
	Release = ask.Release[All]
	Answer  = ask.Answer[All]
	Taught  = ask.Taught[All]
)

// NewSession returns a session without a file. Releases draw from src: crypto for anything
// published.
func NewSession(src coin.Source) *Session { return ask.NewSession(All{}, src) }

// Price is [ask.Price] for this catalogue.
func Price(say *message.Language, r ask.Recipe, people int64) (ask.Plan, error) {
	return ask.Price(say, All{}, r, people)
}

// PriceTogether is [ask.PriceTogether] for this catalogue.
func PriceTogether(questions []ask.Recipe, people int64, delta string) (ask.Together, error) {
	return ask.PriceTogether(All{}, questions, people, delta)
}

// Teach asks a lesson's question. step receives the number of draws done, and ends the lesson by
// returning an error.
func Teach(say *message.Language, l ask.Lesson, step coin.Step) (*Taught, error) {
	return ask.Teach(say, All{}, l, step)
}
