package webtest

import (
	"fmt"
	"strings"
	"testing"
)

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
