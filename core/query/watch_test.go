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
		tests, watched, err := m.watch(seed, people)
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
	if _, _, err := m.watch(1, must(NewGraph(4, []Edge{{0, 1}, {1, 2}}))); err == nil {
		t.Error("a graph is watched by tests that are not signed")
	}
}

// A watched run of MWEM is the run itself: its counts are those of a release with the same coins.
func TestWatchMWEM(t *testing.T) {
	records := must(NewRecords(300, 3))
	for i := range 300 {
		for x := range 3 {
			if i%(x+2) == 0 {
				records.Yes(i, x)
			}
		}
	}
	m := must(NewMWEM(MWEMParams{Epsilon: epsilon("2"), Width: 2, Rounds: 4}))
	for seed := range coin.Seed(10) {
		released := must(m.Release(coin.NewSeeded(seed), records, nil))
		rounds, watched, err := m.watch(seed, records)
		if err != nil || len(rounds) != 4 {
			t.Fatalf("seed %d: %d rounds (%v)", seed, len(rounds), err)
		}
		if got, want := string(must(json.Marshal(watched))),
			string(must(json.Marshal(released))); got != want {
			t.Fatalf("seed %d: watched %s, released %s", seed, got, want)
		}
		for i, r := range rounds {
			if c := released.Rounds[i]; *c.Count != r.Count || mask(c.Set) !=
				mask(r.Sets[r.Chosen]) {
				t.Errorf("seed %d, round %d: told %+v, released %+v", seed, i, r, c)
			}
			if len(r.Sets) != 6 || r.Truth[0] != 150 || r.Expected[0] == r.Truth[0] && i == 0 &&
				r.Expected[1] == r.Truth[1] {
				t.Errorf("seed %d, round %d: %+v", seed, i, r)
			}
		}
	}
}
