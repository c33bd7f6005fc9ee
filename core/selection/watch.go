package selection

import (
	"slices"

	"hush/core/coin"
)

// ClustersRun is one run of [Clusters]: for lessons on made-up data, never for a release.
type ClustersRun struct {
	Centres [][][]int64 // all of them, at the start and after each round
	Scored[Clustering]
}

// Watch runs Clusters with seeded coins and tells all its runs, of which one is the release. The
// points must be made up: the runs that are not the best are never released. It draws the coins
// that Release draws, in its order.
func (m *Clusters) Watch(seed coin.Seed, points Points) (runs []ClustersRun, best Clustering,
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
