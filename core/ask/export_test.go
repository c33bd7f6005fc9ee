package ask

import (
	"encoding/csv"
	"strings"
	"testing"
	"unicode"
)

// TestDefuse: no cell that a spreadsheet could take for a formula, whatever invisible characters
// stand before its sign, is written as it is; numbers and words are.
func TestDefuse(t *testing.T) {
	prefixes := []string{"", "  ", " \t", "\u00a0 ", "\ufeff", "\u200b", "\u00ad", "\x00", "\xff",
		"\u200e", "\u115f", "\u3164", "\ufe0f"}
	for c := range rune(unicode.MaxRune) {
		if unicode.IsSpace(c) || unicode.In(c, unicode.Z, unicode.Cc, unicode.Cf) {
			prefixes = append(prefixes, string(c))
		}
	}
	if len(prefixes) < 200 {
		t.Fatalf("only %d prefixes", len(prefixes))
	}
	for _, prefix := range prefixes {
		for _, sign := range []string{"=", "+", "-", "@", "＝", "＋", "－", "＠", "﹦", "﹢", "﹣",
			"﹫"} {
			for _, rest := range []string{"1+1", "cmd|' /C calc'!A0", ""} {
				cell := prefix + sign + rest
				if got := Defuse(cell); got != "'"+cell {
					t.Errorf("%q is written as %q", cell, got)
				}
			}
		}
		if word := prefix + "Bern"; prefix != "\t" && prefix != "\r" && prefix != "\n" &&
			prefix != " \t" && Defuse(word) != word {
			t.Errorf("%q is written as %q", word, Defuse(word))
		}
	}
	for cell, want := range map[string]string{"": "", "-5": "-5", "-0.25": "-0.25", "3": "3",
		"a=b": "a=b", "x@y": "x@y", "–5": "–5", "\tx": "'\tx", "\rx": "'\rx", "\nx": "'\nx",
		"- 5": "'- 5", "+5": "'+5", " ": " ", "\u00a0": "\u00a0", " -5": "' -5"} {
		if got := Defuse(cell); got != want {
			t.Errorf("%q is written as %q, want %q", cell, got, want)
		}
	}
	rows, err := csv.NewReader(strings.NewReader(CSV([][]string{{" =1+1", "\u00a0@x", "-5"}}))).
		ReadAll()
	if err != nil || strings.Join(rows[0], "|") != "' =1+1|'\u00a0@x|-5" {
		t.Errorf("a row is written as %q, %v", rows, err)
	}
}
