package table

import (
	"fmt"
	"strings"
	"testing"

	"hush/core/audit"
	"hush/core/coin"
	"hush/core/internal/audittest"
	"hush/core/mechanism"
)

func TestMain(m *testing.M) { audittest.Main(m) }

// usedCount is a noisy count of the entries that have a value: of files in which a person's value
// is a list of 1 to 3 rows, "1" or "-" for an empty cell. A person who is not replaced keeps the
// same identifier, and the file lists persons one after another or the last row first.
func usedCount(t *testing.T, name string, u Use, sensitivity uint64,
	backwards bool) audit.Audit[int64] {
	lists := []string{"-", "1", "1 1", "- 1", "1 - 1", "1 1 1", "1 1 -"}
	const persons, edge = 2, 2
	most := int64(persons * 3)
	base, err := coin.NewBase(3, 2)
	if err != nil {
		t.Fatal(err)
	}
	noise, err := mechanism.NewLaplace(mechanism.LaplaceParams{Base: base,
		L1Sensitivity: sensitivity})
	if err != nil {
		t.Fatal(err)
	}
	loss, err := noise.Loss(1)
	if err != nil {
		t.Fatal(err)
	}
	claim, err := audit.ClaimOf(loss)
	if err != nil {
		t.Fatal(err)
	}
	return audit.Audit[int64]{Name: name, Claim: claim,
		Space: audit.Space{Persons: persons, Values: len(lists), NoNone: true},
		Law: func(values []int) (*coin.Law[int64], error) {
			var rows []visit
			times := map[int]int{}
			for _, v := range values {
				times[v]++
				for i, cell := range strings.Fields(lists[v]) {
					at := len(rows)
					if backwards {
						at = 0
					}
					rows = append(rows[:at:at], append([]visit{{fmt.Sprint(v, " ", times[v]),
						fmt.Sprint("g", i), "1", strings.Trim(cell, "-")}}, rows[at:]...)...)
				}
			}
			var n int64
			for _, entry := range strings.Fields(show(usedBy(t, u, hours, 9, rows), 0)) {
				if entry != "-" {
					n++
				}
			}
			return coin.Enumerate(coin.Limits{Top: uint64(most + 2*edge)},
				func(src coin.Source) (int64, error) {
					noisy, err := noise.Release(src, []int64{n}, nil)
					if err != nil {
						return 0, err
					}
					return min(max(noisy[0], -edge), most+edge), nil
				})
		}}
}

func TestAuditUse(t *testing.T) {
	for _, backwards := range []bool{false, true} {
		order := ""
		if backwards {
			order = ", the last row first"
		}
		audittest.Holds(t, usedCount(t, "one row of each"+order, Use{Rows: 1}, 1, backwards))
		audittest.Holds(t, usedCount(t, "two rows of each"+order, Use{Rows: 2}, 2, backwards))
		audittest.Holds(t, usedCount(t, "a row in each of two groups"+order,
			Use{Rows: 1, Groups: 2, Column: 2}, 2, backwards))
		audittest.Holds(t, usedCount(t, "the largest value of each"+order,
			Use{Values: []Value{{Column: 4, Of: Largest}}}, 1, backwards))
	}
}

func TestPlantedUse(t *testing.T) {
	audittest.Caught(t, usedCount(t, "three rows of each for the price of two", Use{Rows: 3}, 2,
		false))
	audittest.Caught(t, usedCount(t, "a row in each of two groups for the price of one",
		Use{Rows: 1, Groups: 2, Column: 2}, 1, false))
}
