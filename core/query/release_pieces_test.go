package query

import (
	"encoding/json"
	"math/big"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
)

// TestReleasePieces: the pieces alone are those of a release with the same coins, and cost what the
// tests cost; a release costs that and its means.
func TestReleasePieces(t *testing.T) {
	people := Coverage{correlated(3000, 4)}
	m := must(NewPieces(PiecesParams{Epsilon: epsilon("1"), Most: 6, Threshold: big.NewRat(1, 8),
		Workloads: UpToWidth(4)}))
	for seed := range coin.Seed(20) {
		pieces := must(m.ReleasePieces(coin.NewSeeded(seed), people, nil))
		want := must(m.Release(coin.NewSeeded(seed), people, nil)).Pieces
		if have, want := string(must(json.Marshal(pieces))),
			string(must(json.Marshal(want))); have != want {
			t.Errorf("seed %d: pieces %s, of a release %s", seed, have, want)
		}
	}
	tests, whole := must(m.SplitLoss(1)), must(m.Loss(1))
	if sum := tests.Plus(m.means.spend.Loss); !sum.AtMost(whole) || !whole.AtMost(sum) ||
		whole.AtMost(tests) {
		t.Errorf("tests cost %v, all costs %v", tests, whole)
	}
	if _, err := m.ReleasePieces(coin.NewSeeded(1),
		must(NewGraph(4, []Edge{{0, 1}})), nil); err == nil {
		t.Error("a graph is split by tests that are not signed")
	}
	one := must(NewPieces(PiecesParams{Epsilon: epsilon("1"), Most: 1, Workloads: UpToWidth(4)}))
	pieces := must(one.ReleasePieces(coin.NewSeeded(1), people, nil))
	loss := must(audit.ClaimOf(must(one.SplitLoss(1))))
	if len(pieces) != 1 || loss.Odds.Cmp(big.NewRat(1, 1)) != 0 || loss.Delta.Sign() != 0 {
		t.Errorf("%d pieces without tests, at e^ε %v", len(pieces), loss.Odds)
	}
}
