package selection

import (
	"slices"

	"hush/core/coin"
	"hush/core/sample/crowd"
)

// ClustersRun is one run of [Clusters]: for lessons on made-up data, never for a release.
type ClustersRun struct {
	Centres [][][]int64 // all of them, at the start and after each round
	Scored[Clustering]
}

// Watch runs Clusters with seeded coins on people who are made up, and reports all its runs, of
// which one is the release: those that are not the best are never released. It draws the coins that
// Release draws, in its order.
func (m *Clusters) Watch(seed coin.Seed, people crowd.MadeUp[crowd.Cloud]) (runs []ClustersRun,
	best Clustering, err error) {
	return m.watch(seed, people.People())
}

func (m *Clusters) watch(seed coin.Seed, points Points) (runs []ClustersRun, best Clustering,
	err error) {
	result, _, err := BestOf(coin.NewSeeded(seed), m.best,
		func(src coin.Source) (Scored[Clustering], error) {
			var told ClustersRun
			scored, err := m.run(src, points, nil, func(centres [][]int64) {
				now := slices.Clone(centres)
				for c := range now {
					now[c] = slices.Clone(now[c])
				}
				told.Centres = append(told.Centres, now)
			})
			told.Scored = scored
			runs = append(runs, told)
			return scored, err
		}, nil)
	return runs, result.Output, err
}
