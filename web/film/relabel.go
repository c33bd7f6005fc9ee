package film

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"hush/core/classify"
	"hush/core/coin"
	"hush/core/privacy"
	"hush/web/say"
)

const (
	relabelPeople = 400
	relabelSize   = 20 // values
	relabelMiddle = 70.0
	relabelFoot   = 200.0
)

// relabelling is a film of Relabelling: yes above a line, no below it, and the mistakes of each
// cut.
func relabelling(seed coin.Seed) (*Film, error) {
	class := must(classify.NewStumps(
		classify.StumpsParams{Sizes: []uint64{relabelSize}, Direction: classify.Above}))
	m := must(classify.NewRelabelling(class, must(coin.ExpBelow(big.NewRat(1, 10)))))
	dice := coin.NewSeeded(16)
	examples := make([]classify.Example, relabelPeople)
	for i := range examples {
		x := dice.Uniform(relabelSize)
		examples[i] = classify.Example{Point: classify.Point{x},
			Yes: x >= 12 != (dice.Uniform(5) == 0)}
	}
	renamed, err := m.Relabel(coin.NewSeeded(seed), examples, nil)
	if err != nil {
		return nil, err
	}
	f := &Film{
		Title:  say.Text("People are relabelled, so that one rule fits them all"),
		Height: int(relabelFoot) + 18,
		Data: say.Format("%d made-up people with a way to work of 0 to %d km, by car or not.",
			relabelPeople, relabelSize-1),
	}
	f.Ground = append(f.Ground, line(Soft, 20, relabelMiddle, Width-20, relabelMiddle),
		line(Soft, 20, relabelFoot, Width-20, relabelFoot),
		text(Soft, 34, relabelFoot+14, say.Format("%d km", 0)),
		text(Soft, Width-38, relabelFoot+14, say.Format("%d km", relabelSize-1)))
	before, mistakes := split(examples), make([]int, relabelSize+1)
	for cut := range mistakes {
		for v, n := range before {
			if v >= cut {
				mistakes[cut] += n[0]
			} else {
				mistakes[cut] += n[1]
			}
		}
	}
	// the first value that the rule says yes to: all values occur
	chosen := relabelSize
	for v, n := range split(renamed) {
		if n[1] > 0 {
			chosen = min(chosen, v)
		}
	}
	best := slices.Min(mistakes)
	changed := 0
	for i, e := range examples {
		if e.Yes != renamed[i].Yes {
			changed++
		}
	}
	f.add(say.Text("Above the line are people who take the car, below it people who do not. A "+
		"rule says: by car from some distance on. No rule fits everybody."), labelBars(before)...)
	most := float64(slices.Max(mistakes))
	var curveOf []Mark
	for cut, n := range mistakes {
		high := 56 * float64(n) / most
		curveOf = append(curveOf, bar(Plain, cutAt(cut)-3, relabelFoot-high, 6, high))
	}
	f.add(say.Format("Below: for each distance at which a rule can begin, the number of people "+
		"that it gets wrong. The best rule gets %s wrong. Which rule that is depends on "+
		"everybody's labels, so it is not simply taken.",
		people(best)), append(labelBars(before), curveOf...)...)
	weight := make([]float64, len(mistakes))
	sum := 0.0
	for cut, n := range mistakes {
		weight[cut] = math.Exp(-float64(n-best) / 10)
		sum += weight[cut]
	}
	var chances []Mark
	for cut, w := range weight {
		high := 56 * w / slices.Max(weight)
		chances = append(chances, bar(Main, cutAt(cut)-3, relabelFoot-high, 6, high))
	}
	f.add(say.Format("One rule is drawn; each further mistake makes a rule e^0.1 times less "+
		"likely. The bars now show these chances: the likeliest rule has %.0f %%.",
		100*slices.Max(weight)/sum),
		append(labelBars(before), chances...)...)
	mark := line(Chosen, cutAt(chosen), 8, cutAt(chosen), relabelFoot)
	f.add(say.Format("The rule drawn is: by car from %d km on, with %s wrong.", chosen,
		people(mistakes[chosen])), append(append(labelBars(before), chances...), mark)...)
	f.add(say.Format("Everybody gets the label that this rule gives. %s a new one. Now one rule "+
		"fits them all, and learners that need such a rule can work.",
		say.Count(int64(changed), "1 person has", "%s people have", fmt.Sprint(changed))),
		append(labelBars(split(renamed)), mark)...)
	loss, _ := must(m.LossOf(privacy.PureLoss(epsilon("1")))).Epsilon()
	total, _ := loss.Float64()
	f.add(say.Format("The rule and the labels stay secret: only a private algorithm sees them. "+
		"If it has ε = 1 for these labels, everything together has ε = %.3g for the true ones.",
		total),
		append(labelBars(split(renamed)), mark)...)
	return f, nil
}

// split counts the people who say no and those who say yes, for each value.
func split(examples []classify.Example) (counts [relabelSize][2]int) {
	for _, e := range examples {
		if e.Yes {
			counts[e.Point[0]][1]++
		} else {
			counts[e.Point[0]][0]++
		}
	}
	return counts
}

// cutAt returns the place left of a value, where a rule begins.
func cutAt(cut int) float64 { return 30 + 15*float64(cut) }

// labelBars draws the people by value: yes upwards, no downwards.
func labelBars(counts [relabelSize][2]int) (marks []Mark) {
	for v, n := range counts {
		x := cutAt(v) + 2
		marks = append(marks, bar(Main, x, relabelMiddle-1.6*float64(n[1]), 11, 1.6*float64(n[1])),
			bar(Plain, x, relabelMiddle, 11, 1.6*float64(n[0])))
	}
	return marks
}
