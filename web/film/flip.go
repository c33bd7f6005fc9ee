package film

import (
	"slices"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/web/say"
)

// flips records the coins of a seeded run.
type flips struct {
	coin.Source
	order []int // candidates not yet visited, as PermuteAndFlip keeps them
	seen  []flip
}

type flip struct {
	candidate int
	heads     bool
}

// Uniform draws the next candidate to visit among those left.
func (f *flips) Uniform(left uint64) uint64 {
	at := f.Source.Uniform(left)
	f.seen = append(f.seen, flip{candidate: f.order[at]})
	f.order[at] = f.order[left-1]
	return at
}

// Bernoulli draws the coin of the visited candidate.
func (f *flips) Bernoulli(c coin.Chance) bool {
	heads := f.Source.Bernoulli(c)
	f.seen[len(f.seen)-1].heads = heads
	return heads
}

func permuteAndFlip(seed coin.Seed) (*Film, error) {
	m := must(mechanism.NewPermuteAndFlip(
		mechanism.PermuteAndFlipParams{Epsilon: epsilon("0.2"), Sensitivity: 1}))
	f := &Film{Title: say.Text("Permute and flip stops at a good answer"),
		Height: int(barsFoot) + 20, Data: oddsData + " ε = 0.2."}
	f.votes()
	f.add(say.Text("The grey bars are the votes, and secret. The places are visited in random " +
		"order, with a coin for each. The best place's coin always shows heads; each vote fewer " +
		"makes heads less likely by the same factor."))
	src := coin.NewSeeded(seed)
	best := slices.Max(oddsScores)
	for run := range 3 {
		watched := &flips{Source: src, order: []int{0, 1, 2, 3, 4}}
		i, err := m.Release(watched, oddsScores, nil)
		if err != nil {
			return nil, err
		}
		if last := watched.seen[len(watched.seen)-1]; last.candidate != i || !last.heads {
			panic("film: internal error: the coins of permute and flip are not told as it uses " +
				"them")
		}
		var marks []Mark
		for _, visit := range watched.seen {
			c := visit.candidate
			words := say.Format("Run %d visits %s, %d votes behind the best", run+1, oddsNames[c],
				best-oddsScores[c])
			if oddsScores[c] == best {
				words = say.Format("Run %d visits %s, the best", run+1, oddsNames[c])
			}
			if look := Soft; visit.heads {
				marks = append(marks, text(Chosen, oddsX(c), 20, say.Text("heads")),
					bar(Outline, oddsX(c)-27, 8, 54, barsFoot+10))
				words += say.Format(
					". Its coin shows heads: %s is released, and nothing of the visits before.",
					oddsNames[i])
			} else {
				marks = append(marks, text(look, oddsX(c), 20, say.Text("tails")))
				words += say.Text(". Its coin shows tails: on to another one.")
			}
			f.add(words, marks...)
		}
	}
	f.add(say.Text("On average the result is better than the exponential mechanism's at the same " +
		"ε, and never worse."))
	return f, nil
}
