package film

import (
	"fmt"
	"math/big"

	"hush/core/coin"
	"hush/core/message"
	"hush/core/sample/crowd"
	"hush/core/selection"
	"hush/web/say"
)

const (
	cloudDots   = 150
	cloudEach   = 20 // people of a dot
	cloudSide   = 100
	cloudRounds = 3
	cloudUnit   = 2.1 // of the picture, for a coordinate
	cloudBars   = 232 // where the scores begin
)

func clusters(seed coin.Seed) (*Film, error) {
	m := must(selection.NewClusters(selection.ClustersParams{Epsilon: epsilon("3"),
		Sizes: []int{2, 3, 4}, Dimensions: 2, Side: cloudSide, Rounds: cloudRounds,
		Repetitions: must(selection.Geometric(big.NewRat(1, 5), 0))}))
	points := crowd.ThreeGroups(cloudDots, cloudEach)
	runs, best, err := m.Watch(seed, points)
	if err != nil {
		return nil, err
	}
	f := &Film{
		Title: say.Text("Groups are found by moving their " +
			"middles"), Height: cloudSide*cloudUnit + 8,
		Data: say.Format("%s made-up people with two numbers from 0 to %d, %d for each dot, ε = "+
			"3; one coin in 5 "+
			"stops.", message.Grouped(cloudDots*cloudEach), cloudSide-1, cloudEach),
	}
	for _, p := range points.People().At {
		f.Ground = append(f.Ground, dot(Soft, cloudAt(p[0]), cloudAt(p[1]), 2))
	}
	first := runs[0]
	f.add(say.Format("A run begins with %d middles. They and their number are drawn without "+
		"looking at anybody.", len(first.Centres[0])), middles(Main, first.Centres[0])...)
	for i, to := range first.Centres[1:] {
		var way []Mark
		for c, at := range to {
			from := first.Centres[i][c]
			way = append(way, line(Main, cloudAt(from[0]), cloudAt(from[1]), cloudAt(at[0]),
				cloudAt(at[1])))
		}
		f.add(say.Format("Everybody belongs to the nearest middle. The number of people there "+
			"and the sum of their numbers are released with noise, and each middle moves to the "+
			"mean of its people: round %d of %d.",
			i+1, cloudRounds), append(way, middles(Main, to)...)...)
	}
	top, most := 0, int64(1)
	for i, r := range runs {
		most = max(most, r.Score)
		if r.Score > runs[top].Score {
			top = i
		}
	}
	var scores []Mark
	for i, r := range runs {
		// of long films the last rows overlap, and stay in the picture
		y := min(8+11*float64(i), cloudSide*cloudUnit-4)
		mark := bar(Plain, cloudBars, y, 120*float64(max(r.Score, 0))/float64(most), 7)
		f.add(say.Format("Run %d ends with %s of at least %s. The bar on the right is its score, "+
			"with noise: how much nearer people are to their own middle than to the next.", i+1,
			say.Count(int64(len(r.Output.Centres)), "1 middle", "%s middles",
				fmt.Sprint(len(r.Output.Centres))), people(int(m.MinSize()))),
			append(append([]Mark{}, scores...),
				append(middles(Main, r.Output.Centres), outlined(mark))...)...)
		scores = append(scores, mark)
	}
	scores[top].Look = Chosen
	f.add(say.Format("The coin says: stop. The run with the highest score is released: %d "+
		"middles, and how many people each has, with noise. The other runs stay secret.",
		len(best.Centres)), append(scores, middles(Chosen, best.Centres)...)...)
	return f, nil
}

func cloudAt(x int64) float64 { return 4 + cloudUnit*float64(x) }

// middles draws the middles of groups.
func middles(look Look, centres [][]int64) (marks []Mark) {
	for _, at := range centres {
		marks = append(marks, dot(look, cloudAt(at[0]), cloudAt(at[1]), 4))
	}
	return marks
}

// outlined returns a mark with the look of one that is being examined.
func outlined(m Mark) Mark {
	m.Look = Main
	return m
}
