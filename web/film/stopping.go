package film

import (
	"math/big"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/privacy"
	"hush/core/selection"
	"hush/web/say"
)

// runsTruth lists the true scores of the candidates, to which the noise is added.
var runsTruth = []int64{210, 330, 460, 380, 260}

const (
	runsFoot = 168.0
	runsMost = 600 // the highest score drawn
	runsStop = 6   // one in this many coins stops
)

func stopping(seed coin.Seed) (*Film, error) {
	one := privacy.PureLoss(epsilon("0.02"))
	noise := must(
		mechanism.NewLaplace(mechanism.LaplaceParams{Epsilon: epsilon("0.02"), L1Sensitivity: 1}))
	type run struct {
		candidate int
		score     int64
	}
	var runs []run
	var all []selection.Candidate[int]
	for i, truth := range runsTruth {
		all = append(all, func(src coin.Source) (selection.Scored[int], error) {
			score := noise.Noise().AddTo(src, truth)
			runs = append(runs, run{i, score})
			return selection.Scored[int]{Output: i, Score: score}, nil
		})
	}
	m := must(selection.NewBest(
		selection.BestParams{
			Loss: one, Repetitions: must(selection.Geometric(big.NewRat(1, runsStop), 0))}))
	best, _, err := selection.BestOf(coin.NewSeeded(seed), m, must(selection.OneOf(all)), nil)
	if err != nil {
		return nil, err
	}
	f := &Film{
		Title: say.Text("Random stopping keeps the best of many runs"), Height: int(runsFoot) + 20,
		Data: say.Format("Five made-up ways to answer, and how many of 1000 made-up people each "+
			"suits; ε = 0.02 for a run, one coin in %d stops.", runsStop),
	}
	f.Ground = ways()
	f.add(say.Text("Five ways to answer stand side by side. The line above each shows how many " +
		"people it suits, and is secret. A noisy look at each would cost five times one run."))
	var marks []Mark
	kept := 0
	for i, r := range runs {
		words := say.Format("Run %d: %c is drawn at random, and gets a noisy score of %d", i+1,
			'A'+r.candidate, r.score)
		switch {
		case i == 0:
			words += say.Text(": the best so far.")
		case r.score > runs[kept].score:
			words += say.Format(", more than %d: it is the best so far.", runs[kept].score)
			kept = i
		default:
			words += say.Text(", not the best so far.")
		}
		if i < len(runs)-1 {
			words += " " + say.Text("A coin says: go on.")
		}
		here := dot(Main, runX(r.candidate)+float64(i%5-2)*7, runY(r.score), 4)
		marks = append(marks, here)
		top := marks[kept]
		top.Look = Chosen
		here.Look, here.W = Outline, 7
		f.add(words, append(append([]Mark{}, marks...), top, here)...)
	}
	top := marks[kept]
	top.Look, top.W = Chosen, 6
	epsilonOfAll, _ := must(m.Loss(1)).Epsilon()
	total, _ := epsilonOfAll.Float64()
	f.add(say.Format("The coin says: stop. %c is released with its score, %d. The number of runs "+
		"stays secret, so all of them together cost ε = %.3g, three times one run, however many "+
		"there were.",
		'A'+best.Output, best.Score, total), append(marks, top)...)
	return f, nil
}

// ways draws the candidates with their true scores.
func ways() (marks []Mark) {
	for i, truth := range runsTruth {
		x := runX(i)
		marks = append(marks, text(Plain, x, runsFoot+15, string(rune('A'+i))),
			line(Soft, x-22, runY(truth), x+22, runY(truth)))
	}
	return append(marks, line(Soft, 10, runsFoot, Width-10, runsFoot))
}

func runX(candidate int) float64 { return 40 + 70*float64(candidate) }

func runY(score int64) float64 {
	return runsFoot - 156*float64(min(max(score, 0), runsMost))/runsMost
}
