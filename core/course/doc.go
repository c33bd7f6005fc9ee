// Package course holds the attacks of the six lessons: made-up people, what is published about
// them, exactly or with noise, and what an attacker makes of it. An attacker sees only what is
// published, and knows everything about everybody but the secret that is guessed.
//
// Everything is drawn from a seed, so that a link shows what its sender saw. Nothing of it is a
// release: the people are made up, and the truth stands beside each guess.
//
// The poll of a class ([Poll]) is about real people, and private.
package course

import (
	"math"
	"math/big"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/privacy"
)

// Guesses is the number of made-up people whose secret is guessed, in each lesson that counts
// guesses. Each secret is one of two, both as likely, so that chance is half of them.
const Guesses = 100

// Odds returns how many of 100 such guesses are right at most, on average, where all that the
// attacker sees costs that ε: 100·e^ε/(1 + e^ε). Both secrets are as likely, and no outcome is more
// than e^ε times as likely under one as under the other.
func Odds(epsilon float64) float64 { return 100 / (1 + math.Exp(-epsilon)) }

// Epsilon reads an ε of a lesson.
func Epsilon(text string) float64 { return parsed(text).Float64() }

func parsed(text string) privacy.Epsilon {
	e, err := privacy.ParseEpsilon(text)
	if err != nil {
		panic("course: internal error: " + err.Error())
	}
	return e
}

// laplace returns the noise that hides a change by at most move in all numbers together.
func laplace(epsilon string, move uint64) *mechanism.Laplace {
	m, err := mechanism.NewLaplace(mechanism.LaplaceParams{Epsilon: parsed(epsilon),
		L1Sensitivity: move})
	if err != nil {
		panic("course: internal error: " + err.Error())
	}
	return m
}

// heads tosses a fair coin.
func heads(src coin.Source) bool { return src.Bernoulli(coin.Ratio(1, 2)) }

// one is 1 for true.
func one(yes bool) int64 {
	if yes {
		return 1
	}
	return 0
}

// above returns Pr[Z ≥ s] of the noise, as a float for the screen.
func above(z mechanism.LaplaceNoise, s int64) float64 {
	r, _ := new(big.Rat).Set(z.Base().Rat()).Float64()
	if s > 0 {
		return math.Pow(r, float64(1-s)) / (r + 1)
	}
	return 1 - above(z, 1-s)
}
