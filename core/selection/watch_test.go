package selection

import (
	"math/big"
	"reflect"
	"testing"

	"hush/core/coin"
	"hush/core/privacy"
)

// A watched run is the run itself: it ends where a release with the same coins ends, at the run
// with the best score, and the centres told last are those it publishes.
func TestWatchClusters(t *testing.T) {
	m := must(NewClusters(ClustersParams{Epsilon: must(privacy.ParseEpsilon("4")),
		Sizes: []int{2, 3}, Dimensions: 1,
		Side: 100, Rounds: 3, Repetitions: must(Geometric(big.NewRat(1, 4), 0))}))
	var rows []int
	for i := range 600 {
		rows = append(rows, 10+80*(i%2)+i%5)
	}
	points, several := line(rows), 0
	for seed := range coin.Seed(20) {
		released, err := m.Release(coin.NewSeeded(seed), points, nil)
		if err != nil {
			t.Fatal(err)
		}
		runs, best, err := m.watch(seed, points)
		if err != nil || !reflect.DeepEqual(best, released) {
			t.Fatalf("seed %d: watched %v, released %v (%v)", seed, best, released, err)
		}
		highest := runs[0]
		for _, r := range runs {
			if r.Score > highest.Score {
				highest = r
			}
			if len(r.Centres) != 4 {
				t.Errorf("seed %d: %d places of the centres in 3 rounds", seed, len(r.Centres))
			}
			for _, c := range r.Output.Centres {
				found := false
				for _, last := range r.Centres[3] {
					found = found || reflect.DeepEqual(last, c)
				}
				if !found {
					t.Errorf("seed %d: %v is published, the last are %v", seed, c, r.Centres[3])
				}
			}
		}
		if !reflect.DeepEqual(highest.Output, best) {
			t.Errorf("seed %d: the best run is %v, released is %v", seed, highest.Output, best)
		}
		if len(runs) > 1 {
			several++
		}
	}
	if several == 0 {
		t.Error("one run each: nothing is shown")
	}
}
