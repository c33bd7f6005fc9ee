package film

import (
	"math/big"
	"slices"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/privacy"
	"hush/core/selection"
	"hush/web/say"
)

const (
	searchGood = 450 // is good enough
	searchStop = 40  // one in this many coins gives up
)

// search is a film of Threshold: runs until one is good enough.
func search(seed coin.Seed) (*Film, error) {
	one := epsilon("0.02")
	noise := must(mechanism.NewLaplace(mechanism.LaplaceParams{Epsilon: one, L1Sensitivity: 1}))
	m := must(selection.NewThreshold(selection.ThresholdParams{Loss: privacy.PureLoss(one),
		Stop: big.NewRat(1, searchStop)}))
	var runs []selection.Scored[int]
	var all []selection.Candidate[int]
	for i, truth := range runsTruth {
		all = append(all, func(src coin.Source) (selection.Scored[int], error) {
			runs = append(runs, selection.Scored[int]{Output: i,
				Score: noise.Noise().AddTo(src, truth)})
			return runs[len(runs)-1], nil
		})
	}
	_, found, err := selection.FirstAbove(coin.NewSeeded(seed), m, searchGood,
		must(selection.OneOf(all)), nil)
	if err != nil {
		return nil, err
	}
	f := &Film{
		Title: say.Text("The first that is good enough"), Height: int(runsFoot) + 20,
		Data: say.Format("Five made-up ways to answer, and how many of 1000 made-up people each "+
			"suits. A run has ε = 0.02; one coin in %d gives up.", searchStop),
		Ground: append(ways(), line(Chosen, 10, runY(searchGood), Width-10, runY(searchGood))),
	}
	f.add(say.Format("Five ways to answer stand side by side. The grey line above each shows how "+
		"many people it suits, and is secret. The line across marks what is good enough, %d: it "+
		"was chosen beforehand, without the data.",
		searchGood))
	const shown = 30 // runs that have frames of their own
	var marks []Mark
	for i, r := range runs {
		here, last := dot(Main, runX(r.Output)+float64(i%5-2)*7, runY(r.Score), 4), i == len(runs)-1
		if i == shown && !last {
			f.add(say.Format("And so on, %d more runs.", len(runs)-1-shown), marks...)
		}
		if i < shown || last {
			words := say.Format("Run %d: %c is drawn at random, and gets a noisy score of %d", i+1,
				'A'+r.Output, r.Score)
			switch {
			case last && found:
				words += say.Text(": good enough.")
			case last:
				words += say.Text(": not good enough. A coin says: give up.")
			default:
				words += say.Text(": not good enough. A coin says: go on.")
			}
			look := here
			look.Look, look.W = Outline, 7
			f.add(words, append(slices.Clone(marks), here, look)...)
		}
		marks = append(marks, here)
	}
	loss, _ := must(m.Loss(1)).Epsilon()
	total, _ := loss.Float64()
	end := say.Text("Nothing is released but that nothing was good enough.")
	if found {
		top := &marks[len(marks)-1]
		top.Look, top.W = Chosen, 6
		end = say.Format("%c is released with its score, %d.", 'A'+runs[len(runs)-1].Output,
			runs[len(runs)-1].Score)
	}
	f.add(end+" "+say.Format("The number of runs stays secret, so all of them together cost ε = "+
		"%.3g, twice one run, however many there were.",
		total), marks...)
	return f, nil
}
