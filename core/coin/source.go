// Package coin makes every random decision of Hush, each with an exact rational law.
//
// Three sources share one interface: crypto (the only one a release may come from), seeded (Learn,
// tests, benchmarks) and enumerating (walks every branch and accumulates exact mass, for audits).
// No floating-point number decides an outcome.
package coin

import "math/big"

// Source makes random decisions. It is the first argument of everything random in core. Contract of
// each operation: exactly the stated law, or the process dies because the system has no entropy. A
// Source is not safe for concurrent use.
type Source interface {
	// Bernoulli returns true with probability p, exactly.
	Bernoulli(p Chance) bool

	// Uniform returns a whole number in [0, n), all equally likely. n must be at least 1.
	Uniform(n uint64) uint64

	// UniformBig is Uniform for n of any size. The result is a new integer.
	UniformBig(n *big.Int) *big.Int

	// Geometric returns k ≥ 0 with probability (1 − 1/r)·r^(−k), for r > 1; results from 2^64 on
	// are returned as 2^64 − 1.
	Geometric(r Base) uint64

	// Choose returns the index i of one group with probability proportional to
	// multiplicity_i · r^(−score_i). At least one group must have a positive multiplicity.
	// step may be nil; its error ends the call and is returned, with index −1.
	Choose(g Groups, r Base, step Step) (int, error)

	// Origin tells which kind of source this is, so that a result can carry it.
	Origin() Origin
}

// Step is called now and then by long work with the public amount done and the total; an error from
// it (a cancel) ends the work. Units are the caller's own.
type Step func(done, total int64) error

// Groups lists classes of equally likely outcomes for Choose, the same each time it is asked
// (H: coin.md same-group).
type Groups interface {
	// Len is the number of groups.
	Len() int
	// Group returns group i's integer score (lower is better; any sign) and its multiplicity: big
	// when it is not nil, else m. A multiplicity of zero means the group cannot be chosen. big is
	// read before the next call only, so it may be one number filled anew.
	Group(i int) (score int64, m uint64, big *big.Int)
}

// Origin is the kind of a [Source].
type Origin string

const (
	Crypto      Origin = "crypto"      // crypto/rand: releases
	Seeded      Origin = "seeded"      // reproducible: never a release
	Enumerating Origin = "enumerating" // every branch, exact mass: audits
)
