package table

import (
	"fmt"
	"math/rand/v2"
	"slices"
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

// foldedWards are a list of two of them whose case and spaces do not count.
var foldedWards = domain.Spec{Kind: domain.Category, Categories: []string{"Mitte", "Hafen", "rest"},
	Spellings: []domain.Spelling{{Cell: "m", As: "Mitte"}, {Cell: "am Hafen", As: "Hafen"}},
	Missing:   []string{"NA"}, Fold: true}

// TestSpelledGroupsAreBounded: the spellings of one place are one group for the bound, so that no
// person has more than k rows in a place of the question's list (use.md, Theorem 3), and each row
// of the places that are kept counts as it would alone.
func TestSpelledGroupsAreBounded(t *testing.T) {
	cells := []string{"Mitte", "MITTE", " m ", "H", "Hafen", "Park", "Süd", "NA", "", "rest",
		"M\u00a0", "AM  hafen", "na"}
	rng := rand.New(rand.NewPCG(5, 6))
	most := 0
	for seed := range uint64(300) {
		u := Use{Rows: 1 + rng.IntN(2), Groups: 1 + rng.IntN(3), Column: 2}
		var file strings.Builder
		file.WriteString("who,ward,kind\n")
		for range 40 {
			fmt.Fprintf(&file, "p%d,%s,x\n", rng.IntN(4), cells[rng.IntN(len(cells))])
		}
		list := spelledWards
		if seed >= 150 {
			list = foldedWards
		}
		wanted := []Wanted{{2, list}, {3, domain.Spec{Kind: domain.Category,
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
	cells := []string{"Mitte", "MITTE", "m", " m", "H", "Park", "NA", "MItte", "\"m\"", "a\xff",
		"M\u00a0", "AM \tHafen", "\"am\nhafen\"", "na", "\u00a0", "m\xa0", "hafen\u0301"}
	for range 200 {
		file.WriteString(strings.Join(cells, "\n") + "\n")
	}
	for _, list := range []domain.Spec{spelledWards, foldedWards} {
		alike(t, list, file.String())
	}
}

// alike holds conditions on each place of a list to a question's reading of a file.
func alike(t *testing.T, list domain.Spec, file string) {
	t.Helper()
	o := plainCSV(1)
	all := show(encode(t, EncodeParams{Options: o, Columns: []Wanted{{1, list}}},
		[]byte(file)), 0)
	for _, name := range list.Categories {
		some := list.Among([]string{name})
		for _, c := range []Condition{{Column: 1, Spec: some},
			{Column: 1, Spec: list, In: []string{name}}} {
			only := show(encode(t, EncodeParams{Options: o, Filter: []Condition{c},
				Columns: []Wanted{{1, list}}}, []byte(file)), 0)
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

// TestFoldedCells: each cell of a file whose case and spaces do not count is the place that it is
// spelled as, in the batch of plain cells and one by one, as a group and as a value; what is not
// listed stays none.
func TestFoldedCells(t *testing.T) {
	cells := []struct{ cell, want string }{{"Mitte", "Mitte"}, {"MITTE", "Mitte"}, {"m", "Mitte"},
		{" M\u00a0", "Mitte"}, {"m\xa0", "Mitte"}, {"AM \t Hafen", "Hafen"},
		{"\"am\nhafen\"", "Hafen"}, {"amhafen", "-"}, {"HAFEN", "Hafen"}, {"na", "-"}, {"", "-"},
		{"m\u0301", "-"}, {"m\xff", "-"}, {"m\u200b", "-"}, {"rest", "rest"}, {"re\u017ft", "rest"}}
	for _, rows := range []int{1, 300} { // one batch holds 256
		var file strings.Builder
		file.WriteString("ward,x\n")
		var want []string
		for range rows {
			for _, c := range cells {
				file.WriteString(c.cell + ",1\n")
				want = append(want, c.want)
			}
		}
		for _, size := range []int{file.Len(), 61} {
			e, err := NewEncode(EncodeParams{Options: plainCSV(2),
				Columns: []Wanted{{1, foldedWards}}})
			if err != nil {
				t.Fatal(err)
			}
			if err := inPieces(e, []byte(file.String()), size); err != nil {
				t.Fatal(err)
			}
			if got := strings.Fields(show(e.Result(), 0)); !slices.Equal(got, want) {
				t.Errorf("%d rows in pieces of %d:\n%.300q, want\n%.300q", rows, size, got, want)
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
	}{{spelledWards, true}, {other, false}, {foldedWards, false},
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
