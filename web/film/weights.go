package film

import (
	"slices"
	"strings"

	"hush/core/coin"
	"hush/core/message"
	"hush/core/query"
	"hush/core/sample/crowd"
	"hush/web/say"
)

const (
	weightsPeople = 2000
	weightsRounds = 6
	weightsFoot   = 150.0
)

// weights is a film of MWEM: the distribution's answers as bars, the true ones as lines.
func weights(seed coin.Seed) (*Film, error) {
	m := must(query.NewMWEM(
		query.MWEMParams{Epsilon: epsilon("1"), Width: 2, Rounds: weightsRounds}))
	rounds, release, err := m.Watch(seed, crowd.Related(weightsPeople))
	if err != nil {
		return nil, err
	}
	f := &Film{
		Title:  say.Text("A distribution is corrected where it is most wrong"),
		Height: int(weightsFoot) + 20,
		Data: say.Format("%s made-up people with some of four symptoms, ε = 1, %d rounds.",
			message.Grouped(weightsPeople), weightsRounds),
	}
	sets, truth := rounds[0].Sets, rounds[0].Truth
	most := float64(max(slices.Max(truth), slices.Max(rounds[0].Expected)))
	step := (Width - 20) / float64(len(sets))
	at := func(i int) float64 { return 10 + (float64(i)+0.5)*step }
	y := func(count int64) float64 {
		return weightsFoot - 130*min(float64(max(count, 0))/most, 1.1)
	}
	for i, s := range sets {
		f.Ground = append(f.Ground, text(Plain, at(i), weightsFoot+14, initials(s)))
	}
	f.Ground = append(f.Ground, line(Soft, 10, weightsFoot, Width-10, weightsFoot))
	bars := func(expected []int64) (marks []Mark) {
		for i, n := range expected {
			marks = append(marks, bar(Main, at(i)-9, y(n), 18, weightsFoot-y(n)),
				line(Plain, at(i)-13, y(truth[i]), at(i)+13, y(truth[i])))
		}
		return marks
	}
	f.add(say.Text("Each column of the chart is a question: how many people have this symptom, "+
		"or both of these? The lines are the true counts, and secret. The bars come from a "+
		"distribution over all sixteen kinds of people, all equally frequent at first."),
		bars(rounds[0].Expected)...)
	for t, r := range rounds {
		i, after := r.Chosen, expectedOf(release, sets)
		if t+1 < len(rounds) {
			after = rounds[t+1].Expected
		}
		off := func(j int) int64 { return max(r.Truth[j]-r.Expected[j], r.Expected[j]-r.Truth[j]) }
		furthest := int64(0)
		for j := range sets {
			furthest = max(furthest, off(j))
		}
		f.add(say.Format("Round %d. One question is drawn, likelier the further the bar is off: "+
			"%s, off by %d, where the furthest is off by "+
			"%d.", t+1, initials(sets[i]), off(i), furthest),
			append(bars(r.Expected), bar(Outline, at(i)-15, 8, 30, weightsFoot-8))...)
		f.add(say.Format("Its people are counted with noise: %d. The weights of all kinds of "+
			"people who belong to it are multiplied, so that this bar agrees with the count. "+
			"Other bars move too.",
			r.Count), append(bars(after), line(Chosen, at(i)-15, y(r.Count), at(i)+15, y(r.Count)),
			bar(Outline, at(i)-15, 8, 30, weightsFoot-8))...)
	}
	f.add(say.Format("The distribution is released. It answers all questions about the four "+
		"symptoms, even those never counted, and only the %d choices and counts were paid for.",
		weightsRounds), bars(expectedOf(release, sets))...)
	return f, nil
}

// expectedOf returns the expected answers of a release.
func expectedOf(r *query.Release, sets []query.Set) (counts []int64) {
	for _, s := range sets {
		counts = append(counts, int64(must(r.Ask(s)).Persons))
	}
	return counts
}

// initials returns the first letters of a set's symptoms: F+C.
func initials(s query.Set) string {
	var list []string
	for _, x := range s.Members() {
		list = append(list, letters(1<<x))
	}
	return strings.Join(list, "+")
}
