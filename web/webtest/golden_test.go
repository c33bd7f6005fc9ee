package webtest

import (
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
