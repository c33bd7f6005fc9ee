package table

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"hush/core/coin"
	"hush/core/domain"
)

// spelledWards are a list in which several spellings are one place, and all else is another.
var spelledWards = domain.Spec{Kind: domain.Category,
	Categories: []string{"Mitte", "Hafen", "rest"},
	Spellings: []domain.Spelling{{Cell: "MITTE", As: "Mitte"}, {Cell: "m", As: "Mitte"},
		{Cell: "H", As: "Hafen"}}, Other: "rest", Missing: []string{"NA"}}

// TestSpelledGroupsAreBounded: the spellings of one place are one group for the bound, so that no
// person has more than k rows in a place of the question's list (use.md, Theorem 3), and each row
// of the places that are kept counts as it would alone.
func TestSpelledGroupsAreBounded(t *testing.T) {
	cells := []string{"Mitte", "MITTE", " m ", "H", "Hafen", "Park", "Süd", "NA", "", "rest"}
	rng := rand.New(rand.NewPCG(5, 6))
	most := 0
	for seed := range uint64(300) {
		u := Use{Rows: 1 + rng.IntN(2), Groups: 1 + rng.IntN(3), Column: 2}
		var file strings.Builder
		file.WriteString("who,ward,kind\n")
		for range 40 {
			fmt.Fprintf(&file, "p%d,%s,x\n", rng.IntN(4), cells[rng.IntN(len(cells))])
		}
		wanted := []Wanted{{2, spelledWards}, {3, domain.Spec{Kind: domain.Category,
			Categories: []string{"x", "y"}, Other: "y"}}}
		wards := int(seed % 2) // the list of the other column, spelled too, is no matter
		wanted[0], wanted[wards] = wanted[wards], wanted[0]
		e := encode(t, EncodeParams{Options: plainCSV(3), Person: 1, Use: &u,
			Source: coin.NewSeeded(coin.Seed(seed)), Columns: wanted}, []byte(file.String()))
		entries, column := int(u.Entries()), e.Columns[wards]
		for first := 0; first < column.Len(); first += entries {
			places := map[uint64]int{}
			for i := range entries {
				if code, ok := column.Code(first + i); ok {
					places[code]++
					most = max(most, places[code])
				}
			}
			for code, n := range places {
				if n > u.Rows || len(places) > u.Groups {
					t.Fatalf("seed %d, %+v: %d rows in place %d, of %d places", seed, u, n, code,
						len(places))
				}
			}
		}
	}
	if most < 2 {
		t.Error("nobody has two rows in a place")
	}
}

// TestSpellingsAlike: a cell that is spelled otherwise is the same place in a question and in a
// condition, one by one and in a batch.
func TestSpellingsAlike(t *testing.T) {
	var file strings.Builder
	file.WriteString("ward\n")
	cells := []string{"Mitte", "MITTE", "m", " m", "H", "Park", "NA", "MItte", "\"m\"", "a\xff"}
	for range 200 {
		file.WriteString(strings.Join(cells, "\n") + "\n")
	}
	o := plainCSV(1)
	all := show(encode(t, EncodeParams{Options: o, Columns: []Wanted{{1, spelledWards}}},
		[]byte(file.String())), 0)
	for _, name := range spelledWards.Categories {
		some := spelledWards.Among([]string{name})
		for _, c := range []Condition{{Column: 1, Spec: some},
			{Column: 1, Spec: spelledWards, In: []string{name}}} {
			only := show(encode(t, EncodeParams{Options: o, Filter: []Condition{c},
				Columns: []Wanted{{1, spelledWards}}}, []byte(file.String())), 0)
			want := strings.Fields(all)
			for i, cell := range want {
				if cell != name {
					want[i] = "-"
				}
			}
			if got := strings.Fields(only); strings.Join(got, " ") != strings.Join(want, " ") {
				t.Errorf("%s by %+v:\n%.200s, want\n%.200s", name, c, got, want)
			}
		}
	}
}

// TestTwoSpellingsOfABound: two lists that spell the column which bounds rows differently are
// refused, and the same list twice is not.
func TestTwoSpellingsOfABound(t *testing.T) {
	other := spelledWards
	other.Other = ""
	for _, c := range []struct {
		second domain.Spec
		fine   bool
	}{{spelledWards, true}, {other, false},
		{domain.Spec{Kind: domain.Category, Categories: []string{"m", "H"}}, true}} {
		_, err := NewEncode(EncodeParams{Options: plainCSV(2), Person: 1,
			Use:     &Use{Rows: 1, Groups: 2, Column: 2},
			Source:  coin.NewSeeded(1),
			Columns: []Wanted{{2, spelledWards}, {2, c.second}}})
		if (err == nil) != c.fine {
			t.Errorf("%+v: %v", c.second, err)
		}
	}
}
