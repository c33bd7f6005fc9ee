package film

import (
	"math/big"

	"hush/core/classify"
	"hush/core/coin"
	"hush/core/privacy"
	"hush/core/sample/crowd"
	"hush/web/say"
)

const (
	votesPeople = 4000
	votesRules  = 301
	votesSize   = 60 // values
	votesLeft   = 20.0
	votesWide   = 320.0
)

// ballot is a film of Answers.
type ballot struct {
	*Film
	cases  []classify.Point
	needed int64
	said   []Mark // the answers so far
}

func votes(seed coin.Seed) (*Film, error) {
	b := &ballot{Film: &Film{
		Title: say.Text("Many rules vote on new cases"), Height: 176,
		Data: say.Format("%d made-up people with a way to work of 0 to %d km, by car or not, %d "+
			"rules, ε = 2, δ = 10⁻⁴.", votesPeople, votesSize-1, votesRules),
	}}
	for _, x := range []uint64{5, 48, 33, 20, 26, 24, 12, 23, 40} {
		b.cases = append(b.cases, classify.Point{x})
	}
	class := must(
		classify.NewStumps(
			classify.StumpsParams{Sizes: []uint64{votesSize}, Direction: classify.Above}))
	m := must(classify.NewAnswers(
		classify.AnswersParams{Class: class, Epsilon: epsilon("2"),
			Delta:   must(privacy.NewDelta(big.NewRat(1, 10000))),
			Persons: votesPeople, Queries: uint64(len(b.cases)), Plain: true,
			Plan: &classify.Plan{Rows: votesPeople, Rules: votesRules, Unstable: 2,
				VoteEpsilon: epsilon("2")}}))
	b.needed = m.Needed(0.05)
	rules, votes, err := m.Watch(seed, crowd.Commuters(votesPeople, votesSize), b.cases)
	if err != nil {
		return nil, err
	}
	b.ground(rules)
	b.add(say.Format("The people are dealt out to %d learners. Each sees only its own 13 or 14 "+
		"people, and finds the distance from which they take the car. The bars show how many "+
		"rules begin at each distance.",
		votesRules))
	b.add(say.Text("Replacing one person changes one rule of many. The rules stay secret; the "+
		"dots are new cases, which are public and need a label. A vote beyond the marks on its "+
		"bar is decided in 95 of 100 runs, whatever the noise."), b.points(-1)...)
	for i, v := range votes {
		b.vote(i, v)
	}
	b.add(say.Text("The labels are released, and nothing else. Unanimous cases were nearly free; "+
		"the privacy loss paid for close ones."), b.points(len(b.cases))...)
	return b.Film, nil
}

func onRoad(value float64) float64 { return votesLeft + votesWide*(value+0.5)/votesSize }

// ground draws the values at which the rules begin to say yes.
func (b *ballot) ground(rules []classify.Rule) {
	counts := make([]int, votesSize+1)
	most := 1
	for _, r := range rules {
		from := 0
		for from < votesSize && !r.Says(classify.Point{uint64(from)}) {
			from++
		}
		counts[from]++
		most = max(most, counts[from])
	}
	for v, n := range counts[:votesSize] {
		if high := 56 * float64(n) / float64(most); n > 0 {
			b.Ground = append(b.Ground, bar(Plain, onRoad(float64(v))-2, 68-high, 4, high))
		}
	}
	empty := bar(Soft, votesLeft, 132, votesWide, 16)
	empty.Faint = 70
	b.Ground = append(append(b.Ground, empty), b.marks()...)
	b.Ground = append(b.Ground, line(Soft, votesLeft, 68, votesLeft+votesWide, 68),
		text(Soft, votesLeft+4, 84, say.Format("%d km", 0)),
		text(Soft, votesLeft+votesWide-10, 84, say.Format("%d km", votesSize-1)))
}

// points draws the cases, those before a given one with their answers.
func (b *ballot) points(at int) []Mark {
	marks := append([]Mark{}, b.said...)
	for i := max(len(b.said)/2, 0); i < len(b.cases); i++ {
		marks = append(marks, dot(Soft, onRoad(float64(b.cases[i][0])), 98, 5))
	}
	if at >= 0 && at < len(b.cases) {
		marks = append(marks,
			Mark{Shape: Dot, Look: Outline, X: tenth(onRoad(float64(b.cases[at][0]))), Y: 98,
				W: 8})
	}
	return marks
}

// marks draws how many votes of 301 are enough, on either side.
func (b *ballot) marks() (marks []Mark) {
	for _, away := range []float64{-float64(b.needed), float64(b.needed)} {
		x := votesLeft + votesWide*(0.5+away/votesRules)
		marks = append(marks, line(Chosen, x, 126, x, 154))
	}
	return marks
}

// vote shows one vote.
func (b *ballot) vote(i int, v classify.Vote) {
	x, no := b.cases[i][0], votesRules-v.Yes
	unit := votesWide / votesRules
	marks := []Mark{
		bar(Main, votesLeft, 132, unit*float64(v.Yes), 16),
		bar(Plain, votesLeft+unit*float64(v.Yes), 132, unit*float64(no), 16),
		text(Plain, votesLeft+12, 168, say.Format("%d yes", v.Yes)),
		text(Plain, votesLeft+votesWide-14, 168, say.Format("%d no", no)),
	}
	marks = append(marks, b.marks()...)
	words := say.Format("A way of %d km: %d of %d rules say car, %d do not. %d would have to "+
		"change before the majority does", x, v.Yes, votesRules, no, v.Margin)
	look, sign := Main, say.Text("car")
	switch {
	case !v.Asked:
		words = say.Format(
			"A way of %d km gets no label: two cases were too close, and more are not allowed.", x)
		look, sign, marks = Soft, "–", nil
	case v.Answer.Stable && v.Answer.Yes:
		words += say.Text(". With noise, that is enough: car. It costs nothing further.")
	case v.Answer.Stable:
		words += say.Text(". With noise, that is enough: no car. It costs nothing further.")
		look, sign = Plain, say.Text("no")
	default:
		words += say.Text(
			". With noise, that is too few: no label, and one of the two allowed refusals is " +
				"used up.")
		look, sign = Chosen, "?"
	}
	b.said = append(b.said, dot(look, onRoad(float64(x)), 98, 5),
		text(Plain, onRoad(float64(x)), 118, sign))
	b.add(words, append(b.points(i), marks...)...)
}
