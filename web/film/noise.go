package film

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/web/say"
)

const (
	barsFoot = 160.0
	barsUnit = 1.5 // of height for a person
)

func laplace(seed coin.Seed) (*Film, error) {
	counts := []int64{4, 18, 43, 71, 82, 64, 37, 15, 3, 0}
	m := must(mechanism.NewLaplace(
		mechanism.LaplaceParams{Epsilon: epsilon("0.5"), L1Sensitivity: 2}))
	released, err := m.Release(coin.NewSeeded(seed), counts, nil)
	if err != nil {
		return nil, err
	}
	f := &Film{
		Title: say.Text("Noise hides a person in every count"), Height: int(barsFoot) + 32,
		Data: say.Format("337 made-up people in %d bins, ε = 0.5.", len(counts)),
	}
	for i, n := range counts {
		f.Ground = append(f.Ground, upright(Plain, i, 0, n),
			text(Soft, 26+34*float64(i), barsFoot+28, fmt.Sprint(i+1)))
	}
	f.Ground = append(f.Ground, line(Soft, 8, barsFoot, Width-8, barsFoot))
	f.add(say.Text("The grey bars are the true counts, and secret. A person who is replaced " +
		"leaves one bin and joins another, so two counts change by one."))
	var marks []Mark
	for i, n := range counts {
		noise := released[i] - n
		marks = append(marks, upright(Main, i, 1, released[i]),
			text(Plain, 26+34*float64(i), barsFoot+14, minus(released[i])))
		f.add(say.Format("Bin %d: %s, noise %s, released %s. Each further step away from the "+
			"truth is less likely by the same factor, whatever the count.",
			i+1, people(int(n)), signed(noise), minus(released[i])), marks...)
	}
	f.add(say.Format("The green bars are released. In 95 of 100 runs a count is off by at most "+
		"%d: little for a large bin, but enough to drown a small one. For a single count, no "+
		"mechanism with the same guarantee can do better.",
		m.ErrorBound(0.05)), marks...)
	return f, nil
}

// minus writes a number with a true minus sign, signed also with a plus sign.
func minus(n int64) string { return strings.Replace(strconv.FormatInt(n, 10), "-", "−", 1) }

func signed(n int64) string {
	if n < 0 {
		return minus(n)
	}
	return "+" + minus(n)
}

// upright draws the bar of a count beside the other one; it is below the foot where noise made the
// count negative.
func upright(look Look, i, side int, n int64) Mark {
	high := barsUnit * float64(min(max(n, -8), 104))
	return bar(look, 11+34*float64(i)+15*float64(side), barsFoot-max(high, 0), 14, max(high, -high))
}

// The candidates of a choice, and their scores.
const oddsData = "104 made-up people vote for five places."

var (
	oddsNames  = []string{"Hill", "Mill", "Park", "Harbour", "Market"}
	oddsScores = []int64{12, 31, 36, 20, 5}
)

func exponential(seed coin.Seed) (*Film, error) {
	f := &Film{
		Title:  say.Text("The exponential mechanism draws a good answer"),
		Height: int(barsFoot) + 32,
		Data:   oddsData,
	}
	f.votes()
	f.add(say.Text("The grey bars are the votes, and secret. Publishing the winner would expose " +
		"the one person who decides a close vote. So one place is drawn at random, and each vote " +
		"fewer makes a place less likely by the same factor."))
	src := coin.NewSeeded(seed)
	for _, e := range []string{"0.05", "0.2", "1"} {
		m := must(mechanism.NewExponential(
			mechanism.ExponentialParams{Epsilon: epsilon(e), Sensitivity: 1}))
		law, err := coin.Enumerate(coin.Limits{}, func(src coin.Source) (int, error) {
			return m.Release(src, oddsScores, nil)
		})
		if err != nil {
			return nil, err
		}
		var marks []Mark
		best := 0.0
		for i := range oddsScores {
			odds, _ := law.Mass(i).Float64()
			best = max(best, odds)
			marks = append(marks, bar(Main, oddsX(i)+2, barsFoot-140*odds, 22, 140*odds),
				text(Plain, oddsX(i), barsFoot+28, fmt.Sprintf("%.1f %%", 100*odds)))
		}
		words := say.Text("With so few votes, that is little.")
		if behind := m.ErrorBound(0.05, big.NewInt(int64(len(oddsScores)))); behind < slices.Max(
			oddsScores) {
			words = say.Format(
				"In 95 of 100 draws the place has at most %d votes less than the best.", behind)
		}
		f.add(say.Format("At ε = %s the green bars are the odds, up to %.0f %%. %s", e, 100*best,
			words), marks...)
		for range 2 {
			i, err := m.Release(src, oddsScores, nil)
			if err != nil {
				return nil, err
			}
			f.add(say.Format("A draw at ε = %s: %s, with %d votes. Only the place is released.", e,
				oddsNames[i], oddsScores[i]),
				append(append([]Mark{}, marks...),
					bar(Outline, oddsX(i)-27, 8, 54, barsFoot+22))...)
		}
	}
	f.add(say.Text("A larger ε makes the best place more certain, and so do more votes. Where " +
		"every possible answer can be listed and scored, nothing more is needed."))
	return f, nil
}

// votes draws the ground of a choice.
func (f *Film) votes() {
	for i, n := range oddsScores {
		f.Ground = append(f.Ground,
			bar(Plain, oddsX(i)-24, barsFoot-3*float64(n), 22, 3*float64(n)),
			text(Plain, oddsX(i), barsFoot+14, oddsNames[i]))
	}
	f.Ground = append(f.Ground, line(Soft, 8, barsFoot, Width-8, barsFoot))
}

func oddsX(i int) float64 { return 40 + 70*float64(i) }
