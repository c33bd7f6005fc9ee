package prove

import (
	"fmt"
	"math/big"
	"strings"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/mechanism"
	"hush/core/message"
	"hush/core/meter"
	"hush/core/phrase"
)

const subjectOpen = "Values that nobody listed, at the price of a δ"

var words = []phrase.Key{"rose", "lily", "iris"}

var openWords = Demonstration{
	ID: "stability-histogram", Title: "Counts of words that nobody listed", Subject: subjectOpen,
	What: "Each person wrote one word, or none. Words that many wrote are released with noisy " +
		"counts; others are not shown. Besides the persons who may be replaced, some others " +
		"wrote “rose” and stay: two fewer than the noisy count from which a word is shown.",
	Promise: "e^ε = r² for words that others wrote too. A word that only one person wrote gives " +
		"that person away if it is shown; the noise lets this happen with probability at most δ.",
	Values: words, None: "no word",
	Persons: Range{2, 3, 2}, Domain: Range{2, 2, 2}, Bases: []string{"3/2", "2"},
	Deltas: []string{"1/10", "1/100"},
	Bugs: []Bug{
		{"every", "Every word is shown",
			"Each word that occurs is shown, its count raised to the smallest that may be shown."},
		{"exact", "The exact count decides", "Noise is added to the counts shown, but whether a " +
			"word is shown depends on its exact count."},
		{"low", "A threshold one too low", "Words are shown from a noisy count one lower on."},
	},
	prepare: func(s setting) trial {
		histogram := func(r coin.Base) *mechanism.StabilityHistogram {
			return must(
				mechanism.NewStabilityHistogram(
					mechanism.StabilityHistogramParams{Base: r, Delta: s.delta}))
		}
		sound := histogram(s.base)
		least := sound.Threshold()
		noise, high := must(mechanism.NewLaplaceNoise(s.base)), least+edge
		shown := func(src coin.Source, count int64) int64 {
			// the noisy count, 0 for a word that is not shown
			noisy := noise.AddTo(src, count)
			switch {
			case s.bug == "every":
				return max(noisy, least)
			case s.bug == "exact" && count >= least, s.bug == "low" && noisy >= least-1:
				return max(noisy, 1)
			}
			return 0
		}
		return trial{
			claim:  claimOf(sound),
			limits: coin.Limits{Top: uint64(high) + uint64(s.persons)},
			run: func(src coin.Source, rows []int) (o outcome, err error) {
				exact := counts(rows, s.values)
				exact[0] += least - 2
				var which []int
				var given []int64
				for i, c := range exact {
					if c > 0 {
						which, given = append(which, i), append(given, c)
					}
				}
				if s.bug == "" {
					meter.Label(src, func(i int) string { return string(words[which[i]]) })
					list, err := sound.Release(src, given, nil)
					for _, x := range list {
						o[which[x.Index]] = min(x.Count, high)
					}
					return o, err
				}
				for i, c := range given {
					o[which[i]] = min(shown(src, c), high)
				}
				return o, nil
			},
			show: func(say *message.Language, o outcome) string {
				var list []string
				for i, c := range o {
					if c > 0 {
						list = append(list, say.Text(words[i])+" "+showClamped(c, 0, high))
					}
				}
				if list == nil {
					return say.Text("no word")
				}
				return strings.Join(list, ", ")
			},
		}
	},
}

var openCandidate = Demonstration{
	ID: "stable-choice", Title: "A choice among what occurs", Subject: subjectOpen,
	What: "Each person names one candidate, or none. One of the candidates named is released, or " +
		"nothing. Each further person makes a candidate r times as likely; “nothing” has a " +
		"weight of its own, so a few persons rarely get an answer.",
	Promise: "e^ε = r² among candidates that others named too. A candidate that only one person " +
		"named is released with probability at most δ.",
	Values: candidates, None: "nobody",
	Persons: Range{2, 5, 3}, Domain: Range{2, 3, 2}, Bases: []string{"3/2", "5/4", "2"},
	Deltas: []string{"1/10", "1/50"},
	Bugs: []Bug{
		{"always", "Always an answer",
			"Where somebody named a candidate, one is released: nothing has no weight."},
		{"light", "A weight one too small",
			"The weight of nothing is that for a δ a little larger."},
		{"two", "Only candidates whom two named",
			"Candidates whom one person named are left out, “so that nobody is exposed”."},
	},
	prepare: func(s setting) trial {
		sound := must(
			mechanism.NewStableChoice(
				mechanism.StableChoiceParams{Base: s.base, Delta: s.delta, Newcomers: 1}))
		return trial{
			claim: claimOf(sound),
			run: func(src coin.Source, rows []int) (outcome, error) {
				least := int64(1)
				if s.bug == "two" {
					least = 2
				}
				var which []int
				var scores []int64
				for i, c := range counts(rows, s.values) {
					if c >= least {
						which, scores = append(which, i), append(scores, c)
					}
				}
				var i int
				var chosen bool
				var err error
				switch s.bug {
				case "always":
					i, chosen, err = weighed(src, s.base, scores, 0)
				case "light":
					i, chosen, err = weighed(src, s.base, scores, nothingsWeight(s)-1)
				default:
					meter.Label(src, func(i int) string { return string(candidates[which[i]]) })
					i, chosen, err = sound.Release(src, scores, nil)
				}
				if err != nil || !chosen {
					return outcome{nothing}, err
				}
				return outcome{int64(which[i])}, nil
			},
			show: showCandidate,
		}
	},
}

// nothingsWeight returns the weight that stable choice gives to nothing, among candidates of score
// 1, for a δ of 1/k: k − 1.
func nothingsWeight(s setting) uint64 { return s.delta.Rat().Denom().Uint64() - 1 }

// weighed chooses among scores and nothing, which has this many times the weight of a score of 1.
func weighed(src coin.Source, r coin.Base, scores []int64,
	weight uint64) (index int, chosen bool, err error) {
	if len(scores) == 0 {
		return nothing, false, nil
	}
	i, err := src.Choose(weights{scores, weight}, r, nil)
	return i, i < len(scores), err
}

type weights struct {
	scores  []int64
	nothing uint64
}

func (w weights) Len() int { return len(w.scores) + 1 }

func (w weights) Group(i int) (score int64, m uint64, wide *big.Int) {
	if i == len(w.scores) {
		return -1, w.nothing, nil
	}
	return -w.scores[i], 1, nil
}

var stableMajority = Demonstration{
	ID: "distance-test", Title: "A majority, if it is safe", Subject: subjectOpen,
	What: "Each person votes yes, no, or not at all. The exact majority is released if a noisy " +
		"test says that many persons would have to change their vote to turn it; otherwise " +
		"nothing is.",
	Promise: "One person changes by at most 1 the number who would have to change their vote: " +
		"e^ε = r. The test passes with probability at most δ where one person could turn the vote.",
	Values: []phrase.Key{"no", "yes"}, None: "no vote",
	Persons: Range{3, 7, 5}, Domain: Range{2, 2, 2}, Bases: []string{"3/2", "2"},
	Deltas: []string{"1/5", "1/20"},
	Bugs: []Bug{
		{"always", "No test",
			"The majority is always released: “it is only one bit about many people”."},
		{"one", "A distance off by one",
			"The test takes the distance as one person more than it is."},
		{"exact", "A test without noise",
			"The majority is released where one person alone cannot turn it, by the exact number."},
	},
	prepare: func(s setting) trial {
		sound := must(
			mechanism.NewDistanceTest(mechanism.DistanceTestParams{Base: s.base, Delta: s.delta}))
		distances := map[string]int64{}
		all := audit.Space{Persons: s.persons, Values: 2}.DataSets()
		for _, rows := range all {
			nearest := int64(s.persons + 1)
			for _, other := range all {
				if majority(other) != majority(rows) {
					nearest = min(nearest, apart(rows, other))
				}
			}
			distances[fmt.Sprint(rows)] = nearest - 1
		}
		return trial{
			claim: claimOf(sound),
			run: func(src coin.Source, rows []int) (outcome, error) {
				distance, allowed := distances[fmt.Sprint(rows)], true
				switch s.bug {
				case "":
					allowed = sound.Allows(src, distance)
				case "one":
					allowed = sound.Allows(src, distance+1)
				case "exact":
					allowed = distance >= 1
				}
				if !allowed {
					return outcome{nothing}, nil
				}
				return outcome{majority(rows)}, nil
			},
			show: func(say *message.Language, o outcome) string {
				return map[int64]string{nothing: say.Text("nothing"),
					0: say.Text("no majority for yes"), 1: say.Text("a majority for yes")}[o[0]]
			},
		}
	},
}

// majority returns 1 where more persons say yes than no, and otherwise 0.
func majority(rows []int) int64 {
	if votes := counts(rows, 2); votes[1] > votes[0] {
		return 1
	}
	return 0
}

// apart returns how many persons have to be replaced to turn one data set into the other.
func apart(a, b []int) int64 {
	votes, others := counts(a, 2), counts(b, 2)
	none, nobody := int64(len(a))-votes[0]-votes[1], int64(len(b))-others[0]-others[1]
	return int64(len(a)) - min(votes[0], others[0]) - min(votes[1], others[1]) - min(none, nobody)
}

var alarm = Demonstration{
	ID: "above-threshold", Title: "The first of many questions that is above a threshold",
	Subject: "Many questions for the price of one",
	What: "The same question is asked six times: how many were ill? Each answer says roughly " +
		"whether there were more than 1, and the first yes ends the run. The first three " +
		"questions are about one illness, the last three about another.",
	Promise: "Noise is added to the threshold once and to each question separately: e^ε = r³ for " +
		"all answers together, however many questions there are.",
	Values: []phrase.Key{"flu", "cold"}, None: "well",
	Persons: Range{2, 3, 2}, Domain: Range{2, 2, 2}, Bases: []string{"3/2", "2"},
	Bugs: []Bug{
		{"noiseless", "No noise on the threshold",
			"The threshold is the same for everybody to know; only the questions get noise."},
		{"quiet", "No noise on the questions",
			"Only the threshold gets noise: “one draw covers all questions”."},
		{"goes-on", "It goes on after the first yes",
			"All answers are released for the price of those up to the first yes."},
		halfNoise,
	},
	prepare: func(s setting) trial {
		mechanismOf := func(r coin.Base) *mechanism.AboveThreshold {
			return must(
				mechanism.NewAboveThreshold(
					mechanism.AboveThresholdParams{BaseThreshold: r, BaseQueries: r,
						Sensitivity: 1}))
		}
		sound := mechanismOf(s.base)
		used := sound
		if s.bug == "half" {
			used = mechanismOf(s.base.Pow(2))
		}
		noise := must(mechanism.NewLaplaceNoise(s.base))
		claim := claimOf(sound)
		claim.Delta = new(big.Rat).Add(claim.Delta, farOut)
		return trial{
			claim:  claim,
			limits: coin.Limits{Tail: farOut},
			cut: "Noise on the threshold in the far tail, with probability below 2⁻²⁴, is not " +
				"followed. It may do anything, so the claim is checked with a δ of 2⁻²⁴ instead " +
				"of 0.",
			run: func(src coin.Source, rows []int) (outcome, error) {
				const all, level = 6, 2
				above := comparison(used, noise, s.bug, src, level)
				answers := int64(0)
				for i := range all {
					yes, err := above(counts(rows, 2)[i/(all/2)])
					if err != nil {
						return outcome{}, err
					}
					if yes && s.bug != "goes-on" {
						return outcome{int64(i + 1)}, nil
					}
					answers *= 2
					if yes {
						answers++
					}
				}
				if s.bug == "goes-on" {
					return outcome{0, answers}, nil
				}
				return outcome{}, nil
			},
			show: func(say *message.Language, o outcome) string {
				switch {
				case s.bug == "goes-on":
					return strings.NewReplacer("0", "↓", "1", "↑").
						Replace(fmt.Sprintf("%06b", o[1]))
				case o[0] == 0:
					return say.Text("never above")
				}
				return say.Format("above at question %d", o[0])
			},
		}
	},
}

// farOut is the probability of the tail of the noise that is not followed.
var farOut = big.NewRat(1, 1<<24)

// comparison returns the comparison of one run.
func comparison(m *mechanism.AboveThreshold, noise mechanism.LaplaceNoise, bug string,
	src coin.Source, level int64) func(value int64) (bool, error) {
	switch bug {
	case "noiseless":
		return func(value int64) (bool, error) {
			return src.Bernoulli(noise.AtLeast(level - value)), nil
		}
	case "quiet":
		height := noise.AddTo(src, level)
		return func(value int64) (bool, error) { return value >= height, nil }
	case "goes-on":
		height := noise.AddTo(src, level)
		return func(value int64) (bool, error) {
			return src.Bernoulli(noise.AtLeast(height - value)), nil
		}
	}
	return m.Start(src, level).Above
}
