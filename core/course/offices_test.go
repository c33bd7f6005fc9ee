package course

import (
	"testing"

	"hush/core/coin"
)

// TestWaysOfOffices: on each table whose numbers follow from the data the attack is right in at
// least 95 of 100 towns; swapping keeps a good part of that; and only with noise of its ε the
// guesses are no more often right than the bound, which they reach.
func TestWaysOfOffices(t *testing.T) {
	const many = 20 // times Guesses
	for way := range WaysOfOffices {
		right := 0
		for i := range many {
			right += AttackTowns(coin.Seed(1+i*Guesses), way)
		}
		switch way {
		case Private:
			notAbove(t, "the private table", right, many*Guesses, Odds(Epsilon(OfficesEpsilon)))
			if right < many*60 {
				t.Errorf("the attack on the private table is right in %d of %d: there is a "+
					"better one", right, many*Guesses)
			}
		case Swapped:
			if right < many*75 {
				t.Errorf("swapped: right in %d of %d", right, many*Guesses)
			}
		default:
			if right < many*enough {
				t.Errorf("way %d: right in %d of %d", way, right, many*Guesses)
			}
		}
		t.Logf("way %d: %d of %d", way, right, many*Guesses)
	}
}

// TestTablesOfOffices: each table keeps its rule, and is worth to users what its rule leaves.
func TestTablesOfOffices(t *testing.T) {
	for seed := coin.Seed(1); seed <= files; seed++ {
		for way := range WaysOfOffices {
			town := NewTown(seed)
			p := town.Publish(way)
			hidden, columns := 0, [2]int{}
			for d := range Districts {
				inRow := 0
				for i := range 2 {
					truth, shown := town.Cells[d][i], p.Cells[d][i]
					if p.Hidden[d][i] {
						hidden, inRow, columns[i] = hidden+1, inRow+1, columns[i]+1
						continue
					}
					off := max(truth-shown, shown-truth)
					switch {
					case shown < 0,
						way == Suppressed && (off > 0 || small(truth)),
						way == AsItIs && off > 0,
						way == Rounded && (off > roundTo/2 || shown%roundTo != 0),
						way == CellKeyed && off > keyedBy:
						t.Errorf("way %d, town %d: %d is shown as %d", way, seed, truth, shown)
					}
				}
				if inRow == 1 {
					t.Errorf("way %d, town %d: a row's total gives its hidden cell away", way, seed)
				}
			}
			if columns[0] == 1 || columns[1] == 1 || p.Lost != hidden ||
				(way != Suppressed && hidden > 0) {
				t.Errorf("way %d, town %d: %v are hidden", way, seed, p.Hidden)
			}
			adds := way == AsItIs || way == Suppressed || way == Swapped || way == Private
			if adds && !p.Adds {
				t.Errorf("way %d, town %d: cells and totals do not add up", way, seed)
			}
			if way == Swapped && (p.Cells[3] != town.Cells[3] || p.Cells[0][2] !=
				town.Cells[0][2]) {
				t.Errorf("town %d: swapping changed a total", seed)
			}
		}
	}
}
