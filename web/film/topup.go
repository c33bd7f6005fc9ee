package film

import (
	"fmt"

	"hush/core/coin"
	"hush/core/mechanism"
	"hush/web/say"
)

// topUp is a film of a release that is made more exact for the difference between the two prices.
func topUp(seed coin.Seed) (*Film, error) {
	counts := []int64{4, 18, 43, 71, 82, 64, 37, 15, 3, 0}
	at := func(e string) *mechanism.Laplace {
		return must(mechanism.NewLaplace(
			mechanism.LaplaceParams{Epsilon: epsilon(e), L1Sensitivity: 2}))
	}
	first, then := at("0.2"), at("0.8")
	more := must(mechanism.NewLaplaceTopUp(first, then))
	src := coin.NewSeeded(seed)
	rough, err := first.Release(src, counts, nil)
	if err != nil {
		return nil, err
	}
	exact, err := more.Release(src, counts, rough, nil)
	if err != nil {
		return nil, err
	}
	f := &Film{
		Title: say.Text("A rough answer is made exact for the difference"),
		Data: say.Format("337 made-up people in %d bins, first ε = 0.2, then ε = 0.8.",
			len(counts)),
		Height: int(barsFoot) + 32,
	}
	for i, n := range counts {
		f.Ground = append(f.Ground, upright(Plain, i, 0, n),
			text(Soft, 26+34*float64(i), barsFoot+28, fmt.Sprint(i+1)))
	}
	f.Ground = append(f.Ground, line(Soft, 8, barsFoot, Width-8, barsFoot))
	var before []Mark
	for i, n := range rough {
		before = append(before, upright(Outline, i, 1, n))
	}
	f.add(say.Text("The grey bars are the true counts, and secret. The outlines were released "+
		"for ε = 0.2: cheap, but so far off that the small bins cannot be read."), before...)
	marks := append([]Mark(nil), before...)
	for i, n := range exact {
		marks = append(marks, upright(Main, i, 1, n),
			text(Plain, 26+34*float64(i), barsFoot+14, minus(n)))
		was, is := rough[i]-counts[i], n-counts[i]
		words := say.Format("Bin %d: the noise was %s and becomes %s. The smaller noise is drawn "+
			"from the larger: often nearer to 0, seldom further away.", i+1, signed(was),
			signed(is))
		if was == is {
			words = say.Format("Bin %d: the noise was %s, and stays.", i+1, signed(was))
		}
		f.add(words, marks...)
	}
	f.add(say.Format("The green bars have the errors of ε = 0.8: in 95 of 100 runs a count is off "+
		"by at most %d, before it was %d.", then.ErrorBound(0.05), first.ErrorBound(0.05)),
		marks...)
	f.add(say.Text("Both answers together cost ε = 0.8, not 1. In the end the first answer is "+
		"the second plus further noise, which does not depend on the people: it gives away "+
		"nothing beyond the second."), marks...)
	return f, nil
}
