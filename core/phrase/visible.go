package phrase

import (
	"fmt"
	"strings"
	"unicode"
)

// Visible is a text as one line that says what it holds: control characters, ends of lines, and
// marks that turn the direction of writing are written as \u202e. Texts of files are printed so,
// else one of them could paint over what is printed beside it.
func Visible(text string) string {
	if !strings.ContainsFunc(text, hidden) && !strings.ContainsRune(text, unicode.ReplacementChar) {
		return text
	}
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(text, string(unicode.ReplacementChar)) {
		if hidden(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// hidden tells characters that are not seen and change what is: of Unicode's bidirectional marks
// all, of its ends of lines all, and what a terminal obeys.
func hidden(r rune) bool {
	return turns(r) || r == '\u061c' || r == '\u200e' || r == '\u200f'
}

// Settled is a text as one line that reads in the order in which it is stored: control characters,
// ends of lines and marks that turn the direction of writing are replaced by "\ufffd". A sentence
// with names from a file or a link is written so. Marks of one letter's direction stay: names in
// Arabic and Hebrew have them.
func Settled(text string) string {
	return strings.Map(func(r rune) rune {
		if turns(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

func turns(r rune) bool {
	return unicode.IsControl(r) || r >= '\u2028' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}
