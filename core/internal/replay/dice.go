package replay

import (
	"hash/fnv"
	"math/big"

	"hush/core/coin"
)

// dice draws what a generator decides, the same from the same seed.
type dice struct{ coin.Source }

// newDice returns dice that depend on a seed and on their use.
func newDice(seed uint64, use string) dice {
	hash := fnv.New64a()
	hash.Write([]byte(use))
	return dice{coin.NewSeeded(coin.Seed(hash.Sum64() ^ seed*0x9e3779b97f4a7c15))}
}

// below is a number from 0 to n − 1.
func (d dice) below(n int) int { return int(d.Uniform(uint64(n))) }

// percent is true with this many chances out of a hundred.
func (d dice) percent(p int) bool { return d.below(100) < p }

// pick is one of a list.
func pick[T any](d dice, list ...T) T { return list[d.below(len(list))] }

// code is one of this many codes.
func (d dice) code(size *big.Int) uint64 { return d.UniformBig(size).Uint64() }
