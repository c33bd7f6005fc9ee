package query

import (
	"encoding/json"
	"math/big"
	"testing"

	"hush/core/coin"
)

// A watched run is the run itself: its release is the one with the same coins, and its tests make
// its pieces.
func TestWatch(t *testing.T) {
	people := Coverage{correlated(3000, 4)}
	m := must(NewPieces(
		PiecesParams{Epsilon: epsilon("1"), Most: 6, Threshold: big.NewRat(1, 8),
			Workloads: UpToWidth(4)}))
	splits, stays := 0, 0
	for seed := range coin.Seed(40) {
		tests, watched, err := m.Watch(seed, people)
		if err != nil {
			t.Fatal(err)
		}
		released := must(m.Release(coin.NewSeeded(seed), people, nil))
		if got, want := string(must(json.Marshal(watched))),
			string(must(json.Marshal(released))); got != want {
			t.Fatalf("seed %d: watched %s, released %s", seed, got, want)
		}
		pieces := newSplitter(4, 1, 0)
		for _, test := range tests {
			if got := people.Marginals(pieces.pieces[test.Piece],
				0)[test.Element]; got != test.Marginal {
				t.Errorf("seed %d: a marginal of %d is told as %d", seed, got, test.Marginal)
			}
			if stays++; test.Split {
				splits++
				pieces.split(test.Piece, test.Element, 0)
			}
		}
		if got, want := string(must(json.Marshal(pieces.pieces))),
			string(must(json.Marshal(released.Pieces))); got != want {
			t.Errorf("seed %d: the tests told make %s, the pieces are %s", seed, got, want)
		}
	}
	if splits == 0 || stays == splits {
		t.Errorf("%d of %d tests split: nothing is shown", splits, stays)
	}
	if _, _, err := m.Watch(1, must(NewGraph(4, []Edge{{0, 1}, {1, 2}}))); err == nil {
		t.Error("a graph is watched by tests that are not signed")
	}
}
