package film

import (
	"math/big"

	"hush/core/coin"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/sample/crowd"
	"hush/core/threshold"
	"hush/web/say"
)

// heavyPaths is a film of HeavyPaths: the tree of the values, and below it the tree of the levels
// at which they leave its path.
func heavyPaths(seed coin.Seed) (*Film, error) {
	const n = 1300
	m := must(threshold.NewHeavyPaths(threshold.HeavyPathsParams{Epsilon: epsilon("2"),
		Delta: must(privacy.ParseDelta("0.000001")), Size: big.NewInt(1 << treeBits), Rounds: 2}))
	run, err := m.Watch(seed, crowd.TwoHills(n, 1<<treeBits))
	if err != nil {
		return nil, err
	}
	f := &Film{
		Title: say.Text("HeavyPaths makes the values fewer, twice"),
		Data: say.Format("%d made-up people with values from 0 to %d, ε = 2, δ = 10⁻⁶.", n,
			1<<treeBits-1),
	}
	var trees []*tree
	top := treeTop
	for i, w := range run.Rounds {
		t := &tree{f, run.Codes[i], w, run.Codes[i].Bits(), top}
		trees, top = append(trees, t), t.foot()+24
	}
	f.Height = int(top) - 8
	first, second := trees[0], trees[1]
	f.Ground = first.ground()
	first.begin()
	f.add(say.Text("The path always turns to the heavier half. It uses no coin, so it costs "+
		"nothing, as long as no single person can turn it. Beside it: how many people leave it "+
		"at each level."), append(first.way(), first.leaving(first.bits, false)...)...)
	levels := second.ground()
	f.add(say.Format("The %d people who left last are removed. The levels of the others become "+
		"new values, from 0 to %d: the small tree below. A huge question has become a small one.",
		first.walk.Stop,
		first.bits), append(append(first.way(), first.leaving(first.bits, true)...), levels...)...)
	f.add(say.Text("The same again: down the small tree to the heavier half."),
		append(append(levels, second.way()...), second.leaving(second.bits, true)...)...)
	f.add(say.Format("One person can turn the path only where both halves are about equal, and "+
		"there very many people leave it. That is tested: at most %d leave at one level of the "+
		"large tree, and at most %d at one of the small tree. %s",
		run.Most[0], run.Most[1],
		say.Text(map[int]phrase.Key{
			0: "With noise, too many leave at the large tree: there coins draw a path instead, " +
				"and the small tree is not needed.",
			1: "With noise, that is too many at the small tree only: there a path is drawn by " +
				"coins instead.",
			2: "With noise that is few enough for both.",
		}[run.At])), append(append(first.leaving(first.bits, true), levels...),
		second.leaving(second.bits, true)...)...)
	from, ground := "", levels
	switch run.At {
	case 0:
		from, ground = say.Format("A level that many leave at is drawn: %d.", first.walk.Level), nil
	case 1:
		from = say.Format("A level that many leave at is drawn: %d.", second.walk.Level)
	default:
		from = say.Format("Between the levels at which they leave the small tree, the "+
			"exponential mechanism finds one: %d.", second.walk.Level)
	}
	if run.At > 0 {
		w := second.walk
		f.add(from+" "+say.Format("One box of that level is drawn, and then one of its two ends "+
			"or its middle: %v, a level of the large tree.",
			w.Point),
			append(levels, second.boxOf(Chosen, w.Level, w.First, w.Last),
				second.at(Chosen, w.Point), second.name(w.Point))...)
		from = say.Format("Now up, to level %d of the large tree.", first.walk.Level)
	}
	row := first.box(Chosen, first.walk.Level, 0, 1<<treeBits-1)
	row.Faint = 70
	f.add(from, append(ground, row)...)
	first.point()
	return f, nil
}

// way draws the boxes of the path.
func (t *tree) way() (marks []Mark) {
	for _, turn := range t.walk.Turns {
		marks = append(marks, t.boxOf(Main, turn.Depth, turn.First, turn.Last))
	}
	return marks
}
