package sample

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The files are part of links and of lessons: a change of a byte is a decision, made here.
func TestSameBytesOnEveryBuild(t *testing.T) {
	want := map[string]string{
		"clinic":  "bce46e3b3b6f14f908268e88816cb537846c4c88702f5b4ed80e4382f58a1e98",
		"pay":     "16f937d2ae72635f54917a9bab97e81c8a6c55559470a69c12582c4be72f2eeb",
		"commute": "3ce4474df35aecd252b2b65e61dc15791ba57f2d41456f247145bedb9107abfd",
		"trial":   "a8224d1f3a351c4815ccc229ecf563cd735560aacbb77b2b66b0d624180b3d7b",
		"visits":  "8d2f827b21e99208d4840c41ae57d1d812b6e19ea59053c523ec4916479378aa",
	}
	for _, s := range Sets() {
		first, second := s.CSV(), s.CSV()
		if !bytes.Equal(first, second) {
			t.Errorf("%s: two calls give different files", s.Name)
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(first)); got != want[s.Name] {
			t.Errorf("%s: SHA-256 is %s, want %s", s.Name, got, want[s.Name])
		}
	}
}

func TestFilesAreWellFormed(t *testing.T) {
	for _, s := range Sets() {
		text := s.CSV()
		if bytes.ContainsAny(text, "\"\r") {
			t.Errorf("%s: a field needs quotes", s.Name)
		}
		// refuses rows of another width
		records, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		if len(records) != s.Rows+1 || len(records[0]) != len(s.Columns) {
			t.Errorf("%s: %d rows of %d columns, want %d of %d", s.Name, len(records)-1,
				len(records[0]), s.Rows, len(s.Columns))
		}
		for i, c := range s.Columns {
			if records[0][i] != c.Name {
				t.Errorf("%s: column %d is %q, want %q", s.Name, i, records[0][i], c.Name)
			}
		}
	}
}

// Each column keeps to what its description promises, and has the shape that makes it worth asking
// about.
func TestShapes(t *testing.T) {
	for _, c := range []struct {
		set, column    string
		low, high      float64 // promised range
		median1        float64 // the median lies between these
		median2        float64
		emptyAtMost    float64 // share
		distinctAtMost int
	}{
		{"clinic", "age", 0, 100, 45, 65, 0, 101},
		{"clinic", "wait_minutes", 0, 300, 15, 35, 0.05, 301},
		{"clinic", "visits", 1, 40, 1, 4, 0, 40},
		{"pay", "years", 0, 45, 4, 8, 0, 46},
		{"pay", "weekly_hours", 10, 40, 40, 40, 0, 7},
		{"pay", "salary", 0, 30000, 2500, 3300, 0, 2400},
		{"commute", "distance_km", 0.1, 150, 5, 12, 0.07, 1500},
		{"commute", "minutes", 1, 240, 20, 32, 0, 240},
		{"commute", "days_a_week", 1, 6, 5, 5, 0, 6},
		{"trial", "age", 18, 90, 59, 63, 0, 73},
		{"trial", "bmi", 15, 45, 26, 28, 0, 301},
		{"trial", "pressure", 80, 200, 128, 134, 0.07, 121},
		{"trial", "months", 0, 44, 12, 22, 0.03, 45},
	} {
		var values []float64
		distinct := map[string]bool{}
		empty := 0
		cells := column(t, c.set, c.column)
		for _, cell := range cells {
			distinct[cell] = true
			if cell == "" {
				empty++
				continue
			}
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil || v < c.low || v > c.high {
				t.Errorf("%s.%s: %q is not in %g to %g", c.set, c.column, cell, c.low, c.high)
			}
			values = append(values, v)
		}
		slices.Sort(values)
		if m := values[len(values)/2]; m < c.median1 || m > c.median2 {
			t.Errorf("%s.%s: the median is %g, want %g to %g", c.set, c.column, m, c.median1,
				c.median2)
		}
		if share := float64(empty) / float64(len(cells)); share > c.emptyAtMost ||
			(empty == 0) != (c.emptyAtMost == 0) {
			t.Errorf("%s.%s: share of empty cells is %g, want some and at most %g", c.set, c.column,
				share, c.emptyAtMost)
		}
		if len(distinct) > c.distinctAtMost+1 {
			t.Errorf("%s.%s: %d distinct values, want at most %d", c.set, c.column, len(distinct),
				c.distinctAtMost)
		}
	}
}

// Categories are those that the description lists: a domain is typed in from it.
func TestCategories(t *testing.T) {
	for _, c := range []struct{ set, column string }{
		{"clinic", "district"}, {"clinic", "department"}, {"pay", "role"}, {"commute", "means"},
	} {
		var about string
		for _, s := range Sets() {
			for _, col := range s.Columns {
				if s.Name == c.set && col.Name == c.column {
					about = string(col.About)
				}
			}
		}
		for _, value := range column(t, c.set, c.column) {
			if !strings.Contains(about, value) {
				t.Errorf("%s.%s: %q is not in the description %q", c.set, c.column, value, about)
			}
		}
	}
}

func column(t *testing.T, set, name string) []string {
	t.Helper()
	for _, s := range Sets() {
		if s.Name != set {
			continue
		}
		records, err := csv.NewReader(bytes.NewReader(s.CSV())).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		at := slices.Index(records[0], name)
		if at < 0 {
			break
		}
		var cells []string
		for _, r := range records[1:] {
			cells = append(cells, r[at])
		}
		return cells
	}
	t.Fatalf("there is no column %s.%s", set, name)
	return nil
}
