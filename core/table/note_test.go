package table

import "testing"

func TestNotes(t *testing.T) {
	for _, c := range []struct {
		note Note
		want string
	}{
		{Note{Key: "sheet-rows", Row: 3, To: 120},
			"The table is rows 3 to 120 of the sheet, from the first to the last in which " +
				"anything stands: an empty row between them counts, those above and below do not."},
		{Note{Key: "merged", Count: 1, Row: 3, Column: 2},
			"Cells are merged in row 3, column 2: the first of them has the value, the others " +
				"are empty."},
		{Note{Key: "merged", Count: 7, Row: 3, Column: 2},
			"Cells are merged in row 3, column 2 and elsewhere, in 7 places: the first cell of " +
				"each has the value, the others are empty."},
		{Note{Key: "hidden-rows", Count: 1}, "A row that is hidden in the sheet is read too."},
		{Note{Key: "hidden-rows", Count: 2}, "2 rows that are hidden in the sheet are read too."},
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
