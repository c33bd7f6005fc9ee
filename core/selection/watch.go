package selection

import (
	"slices"

	"hush/core/coin"
	"hush/core/sample/crowd"
)

// ClustersRun is one run of [Clusters]: for lessons on made-up data, never for a release.
type ClustersRun struct {
	Centres [][][]int64 // at the start and after each round
	Scored[Clustering]
}

// Watch runs Clusters with seeded coins on made-up people, and reports all its runs, of which one
// is the release: the runs other than the best are never released. It draws the same coins as
// Release, in the same order.
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
