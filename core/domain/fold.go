package domain

import (
	"unicode"
	"unicode/utf8"
)

// Folded returns a text without what [Spec.Fold] leaves out of account: two texts count as the same
// exactly if their folded texts are equal.
//
//   - Spaces are the 25 characters with Unicode's property White_Space, among them the tab, line
//     ends and the no-break space, and not U+200B or U+FEFF. Those at either end are left out, and
//     each run of others is one space.
//   - Each other character becomes the first, by number, of those that differ from it in case
//     alone, by Unicode's simple case folding: "k", "K" and the Kelvin sign are one, and so are
//     "ß" and "ẞ". "ß" is not "ss", "ı" and "İ" are not "i", and "é" is not "e" with an accent
//     behind it.
//
// It depends on nothing else. Two texts of characters that Unicode has today stay the same, or
// different, in its later versions, which keep to the pairs of large and small letters. It is for
// valid UTF-8.
func Folded(text string) string {
	folded, _ := fold(nil, []byte(text), len(text)*utf8.UTFMax)
	return string(folded)
}

// fold appends the folded text to an empty slice; it returns false once that is longer than most.
func fold(to, text []byte, most int) ([]byte, bool) {
	space := false
	for len(text) > 0 && len(to) <= most {
		r, n := rune(text[0]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(text)
		}
		text = text[n:]
		if unicode.IsSpace(r) {
			space = len(to) > 0
			continue
		}
		if space {
			to, space = append(to, ' '), false
		}
		switch {
		case 'a' <= r && r <= 'z': // the capital is the first also of "k" and "s"
			to = append(to, byte(r)-'a'+'A')
		case r < utf8.RuneSelf:
			to = append(to, byte(r))
		default:
			to = utf8.AppendRune(to, firstOf(r))
		}
	}
	return to, len(to) <= most
}

// firstOf returns the first of the characters that differ from one in case alone.
func firstOf(r rune) rune {
	first := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		first = min(first, next)
	}
	return first
}
