package study

import (
	"math"
	"math/big"

	"hush/core/coin"
	"hush/core/query"
)

const (
	cutContacts = 20_000
	cutPlaces   = 64
	cutRuns     = 3
	cutSets     = 50 // asked for in each run
)

var cuts = Study{
	ID: "cuts", Source: "Gupta, Hardt, Roth, Ullman 2011",
	Title: "Answers to very many questions",
	Asked: "Can one release answer far more questions of one kind than could each be asked with " +
		"noise of its own?",
	Found: "Yes, if the answers are a submodular function, such as counts of contacts between a " +
		"set and the rest: such a function is nearly constant if no element moves it much. The " +
		"few elements that do split it into pieces. The tests that find them cost privacy only " +
		"where they say yes, and each piece gets one number.",
	Simple: "With few places, counts of all pairs are better: noise is their only error. It " +
		"grows with the number of places, while the error of pieces shrinks. The proved line " +
		"holds for all contacts, so it lies far above these.",
	Least: "The paper shows a barrier, not a number: with so few statistical queries nobody can " +
		"release all conjunctions within a small error, so some questions must be allowed to go " +
		"wrong. It gives no constant, so there is no line.",
	Made: "20 000 made-up contacts between 64 places, except where one of these numbers grows; " +
		"both ends are random. Each of 3 runs asks about 50 random sets of half of the places, " +
		"or of the share shown. ε = 1, no δ.",
	Y: "mean error, % of the contacts",
	Lines: []Line{
		{"count each pair, proved", Bound, -1},
		{"count each pair, measured", Measured, 0},
		{"pieces, proved", Bound, -1},
		{"pieces, measured", Measured, 2},
	},
	Axis: Axis{"places", []int{8, 16, 32, cutPlaces, 128, 256}, cutsOfPlaces},
	More: []Axis{{"contacts", []int{1000, 5000, cutContacts, 80_000}, cutsOfContacts},
		{"% of the places in a set", []int{2, 6, 18, 50}, cutsOfShare}},
	Task: "contacts", Params: map[string]string{"method": "pieces"},
	Films: []string{"pieces", "weights"},
}

func cutsOfPlaces(places int, seed coin.Seed, tell func(float64) error) ([]float64, error) {
	return measureCuts(places, cutContacts, 50, seed, tell)
}

func cutsOfContacts(n int, seed coin.Seed, tell func(float64) error) ([]float64, error) {
	return measureCuts(cutPlaces, n, 50, seed, tell)
}

func cutsOfShare(share int, seed coin.Seed, tell func(float64) error) ([]float64, error) {
	return measureCuts(cutPlaces, cutContacts, share, seed, tell)
}

// measureCuts asks about sets of this many percent of the places.
func measureCuts(places, n, share int, seed coin.Seed,
	tell func(float64) error) ([]float64, error) {
	dice := coin.NewSeeded(7) // the same contacts for every seed
	edges := make([]query.Edge, n)
	for i := range edges {
		edges[i] = query.Edge{int(dice.Uniform(uint64(places))), int(dice.Uniform(uint64(places)))}
	}
	graph := must(query.NewGraph(places, edges))
	sets := must(query.Independent(places, big.NewRat(int64(share), 100)))
	most, threshold := query.PiecesAdvice(n, places, one, 1)
	pairs := must(query.NewPairs(query.PairsParams{Epsilon: one}))
	pieces := must(query.NewPieces(query.PiecesParams{Epsilon: one, Most: most,
		Threshold: threshold, Signed: true, Workloads: []query.Workload{sets}}))
	var off [2]float64
	for run := range coin.Seed(cutRuns) {
		if err := tell(float64(run) / cutRuns); err != nil {
			return nil, err
		}
		src := coin.NewSeeded(cutRuns*seed + run)
		counted, err := pairs.Release(src, graph, nil)
		if err != nil {
			return nil, err
		}
		pieced, err := pieces.Release(src, graph, nil)
		if err != nil {
			return nil, err
		}
		for range cutSets {
			s := sets.Draw(dice, query.Piece{}, places)
			truth := float64(graph.Value(s))
			for i, release := range []*query.Release{counted, pieced} {
				answer, err := release.Ask(s)
				if err != nil {
					return nil, err
				}
				off[i] += math.Abs(answer.Persons-truth) / (cutRuns * cutSets)
			}
		}
	}
	percent := func(contacts float64) float64 { return 100 * contacts / float64(n) }
	even := float64(share) / 100 * (1 - float64(share)/100)
	return []float64{percent(pairs.StdDev() * float64(places) * math.Sqrt(even)), percent(off[0]),
		percent(piecesBound(pieces, most, threshold, places, n, even)), percent(off[1])}, nil
}

// piecesBound bounds the mean error over random sets, each place of which is in with a chance p, in
// contacts: √(2p(1 − p)γ)·n + noise, even being p(1 − p) and γ the influence that an element has at
// most. Proof: study.md, Lemma 2.
func piecesBound(m *query.Pieces, most int, threshold *big.Rat, places, n int,
	even float64) float64 {
	influence := 1.0
	if most > 1 {
		part, _ := threshold.Float64()
		influence = min(1, part+float64(m.TestError(beta, places))/float64(n))
	}
	return math.Sqrt(2*even*influence)*float64(n) + 2*math.Sqrt2*float64(most)/one.Float64()
}
