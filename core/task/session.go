package task

import (
	"hush/core/ask"
	"hush/core/coin"
	"hush/core/message"
)

// All is the whole catalogue, as sessions and releases know it.
type All struct{}

// What a session over the whole catalogue works with.
type (
	Session = ask.Session[All]
	Release = ask.Release[All]
	Answer  = ask.Answer[All]
	Taught  = ask.Taught[All]
)

// NewSession starts without a file. Releases come from src: crypto for anything published.
func NewSession(src coin.Source) *Session { return ask.NewSession(All{}, src) }

// Price is [ask.Price] of this catalogue.
func Price(say *message.Language, r ask.Recipe, people int64) (ask.Plan, error) {
	return ask.Price(say, All{}, r, people)
}

// PriceTogether is [ask.PriceTogether] of this catalogue.
func PriceTogether(questions []ask.Recipe, people int64, delta string) (ask.Together, error) {
	return ask.PriceTogether(All{}, questions, people, delta)
}

// Teach asks a lesson's question. step learns how many draws are done, and ends the lesson by its
// error.
func Teach(say *message.Language, l ask.Lesson, step coin.Step) (*Taught, error) {
	return ask.Teach(say, All{}, l, step)
}
