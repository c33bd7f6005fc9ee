package basic

import (
	"testing"

	"hush/core/coin"
)

// A row has one code or none, and one label or none; sums are whole numbers.
var (
	_ func(Values, int) (uint64, bool)         = Values.Code          // H: sums.md one-value
	_ func(Labels[string], int) (string, bool) = Labels[string].Label // H: opengroups.md one-label
	// H: sums.md whole-sums
	_ func(*Noise, coin.Source, []int64, coin.Step) ([]int64, error) = (*Noise).hide
)

// scanned are codes of rows, where 0 to 9 say none.
type scanned []uint64

func (s scanned) Len() int                  { return len(s) }
func (s scanned) Code(i int) (uint64, bool) { return s[i] - 10, s[i] >= 10 }

// TestScanAlike counts by row and by all rows that are alike, and finds the same: with groups and
// without, with rows of no group or of one too many, with codes that are counted one by one, and
// with rows that stand for several persons.
func TestScanAlike(t *testing.T) {
	type alike struct {
		group, code uint64
		ok          bool
	}
	random := coin.NewSeeded(7)
	const n = alikeCounts + 1000
	codes, groups, counts := make(scanned, n), make(scanned, n), make([]uint64, n)
	for _, c := range []struct {
		name           string
		largest, count uint64
	}{
		{"small", 30, 1}, {"groups", 300, 20}, {"some too large", 2 * alikeCounts, 1},
		{"groups of large codes", 1 << 40, 7}, {"hardly room", 12, alikeCounts / 2},
		{"no room", 12, alikeCounts},
	} {
		t.Run(c.name, func(t *testing.T) {
			for i := range n {
				// H: sums.md in-groups
				codes[i], groups[i] = random.Uniform(c.largest), random.Uniform(c.count+12)
				counts[i] = random.Uniform(3)
			}
			var by Values
			if c.count > 1 {
				by = groups
			}
			for _, values := range []Values{codes, WithCounts(codes, counts)} {
				want, got := map[alike]uint64{}, map[alike]uint64{}
				count := func(to map[alike]uint64) func(uint64, uint64, bool, uint64) {
					return func(group, code uint64, ok bool, persons uint64) {
						if persons > 0 {
							to[alike{group, code, ok}] += persons
						}
					}
				}
				if err := scan(values, by, c.count-1, nil, count(want)); err != nil {
					t.Fatal(err)
				}
				if err := scanAlike(values, by, c.count-1, nil, count(got)); err != nil {
					t.Fatal(err)
				}
				if len(want) == 0 || len(want) != len(got) {
					t.Fatalf("%d kinds of rows, want %d", len(got), len(want))
				}
				for kind, persons := range want {
					if got[kind] != persons {
						t.Errorf("%+v: %d persons, want %d", kind, got[kind], persons)
					}
				}
			}
		})
	}
}
