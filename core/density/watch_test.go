package density

import (
	"math/big"
	"slices"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
)

// A watched run is the run itself: what it returns is what a release with the same coins is, and
// its rounds lead there.
func TestWatch(t *testing.T) {
	const n, size = 1500, 200
	codes := domain.SortedCodes(sloped(n, size), 8)
	for _, p := range []MERRParams{
		{Rounds: 5}, {Rounds: 5, Recount: 6}, {Rounds: 4, Rule: Intervals},
		{Rounds: 4, Rule: Capped, Delta: delta("1e-6")},
	} {
		p.Epsilon, p.Size, p.Persons = epsilon("1"), big.NewInt(size), n
		m := must(NewMERR(p))
		for seed := range coin.Seed(10) {
			rounds, watched, err := m.watch(seed, codes)
			if err != nil {
				t.Fatal(err)
			}
			released := must(m.Release(coin.NewSeeded(seed), codes, nil))
			if !slices.Equal(watched.mass, released.mass) ||
				!slices.EqualFunc(watched.bounds, released.bounds, equal) {
				t.Fatalf("%s, seed %d: watched %v, released %v", m.Name(), seed, watched.mass,
					released.mass)
			}
			if len(rounds) != p.Rounds {
				t.Fatalf("%d rounds are told, want %d", len(rounds), p.Rounds)
			}
			for _, r := range rounds {
				if !slices.IsSorted(r.Values) || len(r.Values) != len(r.Breaks) {
					t.Errorf("%s, seed %d: the approximation does not rise: %v", m.Name(), seed,
						r.Values)
				}
				for i, b := range r.At {
					if !slices.ContainsFunc(r.Breaks, func(c *big.Int) bool {
						return equal(b, c)
					}) {
						t.Errorf("%s, seed %d: measured at %v, which is no break point of %v",
							m.Name(), seed, b, r.Breaks)
					}
					if below, _ := codes.Rank(b); int64(below) != r.True[i] {
						t.Errorf("%s, seed %d: %d codes are below %v, told are %d", m.Name(), seed,
							below, b, r.True[i])
					}
				}
			}
			if last := rounds[p.Rounds-1].Breaks; !slices.EqualFunc(last, released.bounds, equal) {
				t.Errorf("%s, seed %d: the last break points are %v, those of the release %v",
					m.Name(), seed, last, released.bounds)
			}
		}
	}
}

func equal(x, y *big.Int) bool { return x.Cmp(y) == 0 }
