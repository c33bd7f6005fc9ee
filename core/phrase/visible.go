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

// quoted is the largest number of characters of a text that a refusal quotes.
const quoted = 72

// Short is a text as a refusal quotes it: its middle is left out if it is long. Both of its ends
// stay, for a reader to find it again, and for its quotation marks.
func Short(text string) string {
	if len(text) <= quoted {
		return text
	}
	letters := []rune(text)
	if len(letters) <= quoted {
		return text
	}
	const end = 20
	return string(letters[:quoted-1-end]) + "…" + string(letters[len(letters)-end:])
}

// Short shortens a quotation; any other phrase stays.
func (p Phrase) Short() Phrase {
	if p.kind == plain {
		return Plain(Short(string(p.key)))
	}
	return p
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
