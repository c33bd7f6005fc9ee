package table

import "testing"

func TestNotes(t *testing.T) {
	for _, c := range []struct {
		note Note
		want string
	}{
		{Note{Key: "sheet-rows", Row: 3, To: 120},
			"The table is rows 3 to 120 of the sheet, the first and the last that are not " +
				"empty. Empty rows between them count."},
		{Note{Key: "merged", Count: 7, Row: 3, Column: 2},
			"Merged cells (7), first in row 3, column 2: the first cell of each group has the " +
				"value, the others are empty."},
		{Note{Key: "hidden-rows", Count: 2}, "Hidden rows (2) are read too."},
		{Note{Key: "cut", Count: 9, Row: 2, Column: 4},
			"Numbers with more digits than their cells show (9), first in row 2, column 4, are " +
				"read as shown."},
		{Note{Key: "percent", Count: 9, Row: 2, Column: 4},
			"Percentages (9), first in row 2, column 4, are read as fractions: 0.12 for 12 " +
				"percent."},
		{Note{Key: "later"}, ""},
	} {
		if got := c.note.Phrase().String(); got != c.want {
			t.Errorf("%+v says %q, want %q", c.note, got, c.want)
		}
	}
}

func TestUnreadNamesTheColumn(t *testing.T) {
	e := &UnreadError{Format: Parquet, Key: "nested", Where: UnreadAt{Column: 3, Name: "tags"}}
	const want = "this file (Parquet file) cannot be read: a value is itself a list or an " +
		"object, and a cell holds one value (column 3 “tags”). What to do: write each field of " +
		"it as a field of its own, or leave it out"
	if e.Error() != want {
		t.Errorf("%q, want %q", e.Error(), want)
	}
}
