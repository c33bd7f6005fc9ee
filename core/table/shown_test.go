package table

import (
	"bytes"
	"os"
	"slices"
	"testing"
)

func madeMarks(t *testing.T, format, text string) Marks {
	t.Helper()
	s, err := NewSurvey(Options{Format: format, Part: 1})
	if err != nil {
		t.Fatal(err)
	}
	s.Mark(secret)
	push(t, s, []byte(text))
	marks, _ := s.Marks()
	return marks
}

func visitsOf(t *testing.T, format string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/readers/visits." + format + ".csv")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestRowsOfAnyKindOfFile: the same visits, as static/readers reads them of a workbook and of
// Parquet, are one data set, and one whose costs differ in half of the rows is near.
func TestRowsOfAnyKindOfFile(t *testing.T) {
	xlsx, parquet := visitsOf(t, "xlsx"), visitsOf(t, "parquet")
	if xlsx == parquet {
		t.Fatal("the files have nothing that reads in two ways")
	}
	a, b := madeMarks(t, "xlsx", xlsx), madeMarks(t, "parquet", parquet)
	if a.Alike == "" || a.Alike != b.Alike || !slices.Equal(a.AlikeSketch, b.AlikeSketch) {
		t.Errorf("the same rows are known as %s and %s", a.Alike, b.Alike)
	}
	if len(a.AlikeSketch) != sketched {
		t.Errorf("the sketch has %d hashes", len(a.AlikeSketch))
	}
	lines := bytes.SplitAfter([]byte(parquet), []byte("\n"))
	for i := 2; i < len(lines); i += 8 {
		lines[i] = bytes.Replace(lines[i], []byte("P-"), []byte("Q-"), 1)
	}
	c := madeMarks(t, "parquet", string(bytes.Join(lines, nil)))
	both := 0
	for _, hash := range c.AlikeSketch {
		if slices.Contains(a.AlikeSketch, hash) {
			both++
		}
	}
	if c.Alike == a.Alike || both < sketched/2 {
		t.Errorf("a file with other rows is the same, or shares %d of %d hashes", both, sketched)
	}
	if plain := marksOf(t, secret, []byte(parquet)); plain.Alike != "" {
		t.Error("plain text is read once more")
	}
}

// TestShownCells: which cells read alike, and which do not.
func TestShownCells(t *testing.T) {
	shown := func(cell string) string { return string(appendShown(nil, []byte(cell))) }
	for _, alike := range [][]string{
		{"2026-01-31", "2026-01-31T00:00:00", "2026-01-31 00:00:00", "2026-01-31T00:00:00.000Z"},
		{"TRUE", "true", "True"}, {"12.5", "12.50", "1.25e1", "+12.5"},
		{"0.333333333", "0.3333333333333333"}, {"0.0", "-0.0", "0.00"}, {`a"b`, "ab"},
	} {
		for _, cell := range alike[1:] {
			if shown(cell) != shown(alike[0]) {
				t.Errorf("%q reads as %q and %q as %q", alike[0], shown(alike[0]), cell,
					shown(cell))
			}
		}
	}
	for _, apart := range [][2]string{{"2026-01-31", "2026-01-31T00:00:01"}, {"1", "2"},
		{"4000000001", "4000000002"}, {"0.33333333", "0.3333333333"}, {"007", "7"}, {"", "0"},
		{"1.2.3", "1.2"}, {"e5", "5"}, {"1e", "1"}, {".", "-"}, {"-", "+"},
		{"2026-01-31T", "2026-01-31"}, {"true", "yes"}} {
		if shown(apart[0]) == shown(apart[1]) {
			t.Errorf("%q and %q are one", apart[0], apart[1])
		}
	}
}
