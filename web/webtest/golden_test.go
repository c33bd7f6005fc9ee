package webtest

import (
	"fmt"
	"strings"
	"testing"
)

// TestPieces: parts are a text again, none is too long, and a cut is where a line begins that is
// indented least.
func TestPieces(t *testing.T) {
	state := "<some.State>\n" + strings.Repeat("  <p>a line of it</p>\n", 500)
	for name, c := range map[string]struct {
		text   string
		parts  int
		begins string
	}{
		"empty":        {"", 1, ""},
		"short":        {state, 1, "<some"},
		"long":         {strings.Repeat(state, 20), 5, "<some"},
		"without ends": {strings.Repeat("x", 2*Most+1), 3, "x"},
	} {
		all := pieces(c.text)
		if len(all) != c.parts || strings.Join(all, "") != c.text {
			t.Errorf("%s: %d parts, want %d of the same text", name, len(all), c.parts)
		}
		for i, piece := range all {
			if len(piece) > Most || !strings.HasPrefix(piece, c.begins) {
				t.Errorf("%s: part %d has %d bytes and begins with %.10q", name, i+1, len(piece),
					piece)
			}
		}
	}
	if got := numbered("a/b.c.html", 2); got != "a/b.c.2.html" || Whole("b.c.2") != "b.c" ||
		numbered("a/b.html", 1) != "a/b.html" || Whole("b.c") != "b.c" {
		t.Errorf("the second part is %s, of %s", got, Whole("b.c.2"))
	}
}

// TestAbridged: what is left out of a golden is counted, and a change of it changes the rest.
func TestAbridged(t *testing.T) {
	if got, want := abridged("a\nb\nb\nc\nc\nc\nc\nd"), "a\nb\nb\nc × 4\nd"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	var table strings.Builder
	for i := range 100 {
		fmt.Fprintf(&table, "  <tr>%d</tr>\n", i)
	}
	got := abridged(table.String() + "end\n")
	if !strings.HasPrefix(got, table.String()[:500]) || strings.Count(got, "\n") != 42 ||
		!strings.Contains(got, "… and 60 rows, ") || !strings.HasSuffix(got, "\nend\n") {
		t.Errorf("a long table is kept as %s", got)
	}
	if got == abridged(strings.Replace(table.String()+"end\n", ">97<", ">79<", 1)) {
		t.Error("a change of a row that is left out is not seen")
	}
}
