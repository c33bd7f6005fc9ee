// Package charset guesses the encoding of a text that is not UTF-8 from a few of its lines.
//
// It can only be guessed: the same bytes are letters in many encodings. A guess is a proposal for
// the owner's screen, which shows the same lines in the likeliest readings, and somebody has to
// choose one. Nothing of it enters a recipe by itself.
package charset

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Reading is how lines of a file look in one encoding. It is for the owner's screen.
type Reading struct {
	Encoding string   `json:"encoding"`
	Lines    []string `json:"lines"`
}

const (
	oddBytes  = 8 << 10 // of the text that a guess is made of
	oddLine   = 160     // bytes of a line that are looked at and shown
	oddShown  = 3       // lines shown
	mostGuess = 4       // readings shown
	// a reading whose score is this much worse than the best is not shown
	farWorse = 1.5
)

// Decode returns a text as an encoding reads it; ok is false where that encoding is not read here.
// Bytes that are no character become U+FFFD.
type Decode func(encoding string, text []byte) (decoded string, ok bool)

// guesses lists the encodings that are tried on texts without a mark, the usual ones first: of two
// that read a text alike, the one named first is proposed.
var guesses = []string{"windows-1252", "windows-1250", "windows-1251", "shift_jis",
	"gb18030", "euc-kr", "big5", "euc-jp", "koi8-r", "windows-1253", "windows-1254",
	"windows-1257", "windows-1255", "windows-1256", "windows-874", "iso-8859-2", "iso-8859-15",
	"koi8-u", "iso-8859-5", "iso-8859-7", "iso-8859-8", "iso-8859-6", "iso-8859-13", "iso-8859-4",
	"iso-8859-16", "ibm866", "macintosh", "x-mac-cyrillic", "windows-1258"}

// Lines collects lines of a text that are not ASCII, as many as a guess needs.
type Lines struct {
	lines [][]byte
	size  int
}

// Add keeps a line where it is odd and there is room.
func (t *Lines) Add(line []byte) {
	first := bytes.IndexFunc(line, func(r rune) bool { return r >= utf8.RuneSelf })
	if first < 0 || t.size >= oddBytes {
		return
	}
	from := 0 // a long line is shown from before its first odd letter
	if len(line) > oddLine && first > oddLine/2 {
		from = first - oddLine/4
		for from > 0 && line[from] >= '@' { // not in the midst of a character
			from--
		}
	}
	line = line[from:min(len(line), from+oddLine)]
	t.lines = append(t.lines, bytes.Clone(line))
	t.size += len(line)
}

// Readings returns the likeliest readings of odd text, the best first; none where it is UTF-8 with
// a few broken characters, or where it says nothing.
func (t *Lines) Readings(decode Decode) []Reading {
	text := bytes.Join(t.lines, []byte{'\n'})
	good, bad := utf8Bytes(text)
	if bad == 0 || good > 8*bad {
		return nil
	}
	encodings := guesses
	if good > 0 {
		encodings = append([]string{"utf-8"}, guesses...)
	}
	type guess struct {
		encoding, text string
		score          float64
	}
	var all []guess
	for _, encoding := range encodings {
		decoded, ok := decode(encoding, text)
		if !ok {
			continue
		}
		if slices.ContainsFunc(all, func(g guess) bool { return g.text == decoded }) {
			continue
		}
		score, double := doubleScore(encoding, text)
		if !double {
			score = letterScore(decoded)
		}
		all = append(all, guess{encoding, decoded, score / float64(good+bad)})
	}
	var found []Reading
	first := 0.0
	for len(found) < mostGuess && len(all) > 0 {
		best := 0 // the first of the best
		for i, g := range all {
			if g.score > all[best].score {
				best = i
			}
		}
		g := all[best]
		if len(found) == 0 {
			first = g.score
		}
		if len(found) > 1 && g.score < first-farWorse {
			break
		}
		lines := strings.SplitN(g.text, "\n", oddShown+1)
		found = append(found, Reading{g.encoding, lines[:min(len(lines), oddShown)]})
		all = slices.Delete(all, best, best+1)
	}
	return found
}

// utf8Bytes counts the bytes that are part of characters of UTF-8 beyond ASCII, and of none.
func utf8Bytes(text []byte) (good, bad int) {
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && n <= 1:
			bad++
			n = 1
		case n > 1:
			good += n
		}
		text = text[n:]
	}
	return good, bad
}

// doubles states how usual pairs of bytes are in encodings of two bytes: ranges of the first byte,
// for second bytes from a bound on. If all pairs are usual in two encodings, the narrower one is
// likelier, so its pairs count a little more.
var doubles = []struct {
	encoding         string
	from, to, second byte
	score            float64
}{
	{"shift_jis", 0x82, 0x83, 0x40, 2.2}, {"shift_jis", 0x88, 0x97, 0x40, 2},
	{"shift_jis", 0x81, 0x81, 0x40, 1}, {"shift_jis", 0x98, 0x9f, 0x40, .2},
	{"shift_jis", 0xe0, 0xea, 0x40, .2},
	{"euc-jp", 0xa4, 0xa5, 0xa1, 2.2}, {"euc-jp", 0xb0, 0xcf, 0xa1, 2.05},
	{"euc-jp", 0xa1, 0xa1, 0xa1, 1}, {"euc-jp", 0xa3, 0xa3, 0xb0, 1},
	{"euc-jp", 0xd0, 0xf4, 0xa1, .2},
	{"euc-kr", 0xb0, 0xc8, 0xa1, 2.1}, {"euc-kr", 0xa1, 0xa3, 0xa1, .5},
	{"euc-kr", 0xca, 0xfd, 0xa1, 0}, {"euc-kr", 0x81, 0xc6, 0x41, -.3},
	{"gb18030", 0xb0, 0xd7, 0xa1, 2}, {"gb18030", 0xa3, 0xa3, 0xb0, 1},
	{"gb18030", 0xa1, 0xa1, 0xa1, .7}, {"gb18030", 0xd8, 0xf7, 0xa1, .2},
	{"big5", 0xa4, 0xc6, 0x40, 2}, {"big5", 0xa1, 0xa3, 0x40, .7}, {"big5", 0xc9, 0xf9, 0x40, .2},
}

// Scores of bytes and of characters that hardly occur in a text, for each occurrence.
const (
	brokenScore = -8.0 // bytes that are no character
	rareScore   = -1.0 // a pair that hardly any text has
)

// doubleScore adds up how usual the pairs are; ok is false for an encoding without pairs.
func doubleScore(encoding string, text []byte) (score float64, ok bool) {
	switch encoding {
	case "shift_jis", "euc-jp", "euc-kr", "gb18030", "big5":
	default:
		return 0, false
	}
	if encoding == "euc-jp" {
		score = -.6 // seldom, beside Chinese and Korean with the same pairs
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c < 0x80:
			continue
		case encoding == "shift_jis" && c >= 0xa1 && c <= 0xdf: // narrow kana
			score += .3
			if i > 0 && isASCIILetter(text[i-1]) {
				score--
			}
			continue
		case i+1 == len(text) || text[i+1] < 0x30 || c == 0xff || c == 0x80,
			text[i+1] < 0x40 && encoding != "gb18030":
			score += brokenScore
			continue
		}
		pair := rareScore
		if i > 0 && text[i-1] >= 'a' && text[i-1] <= 'z' {
			score-- // two scripts in one word
		}
		for _, u := range doubles {
			if u.encoding == encoding && c >= u.from && c <= u.to && text[i+1] >= u.second {
				pair = u.score
				break
			}
		}
		if text[i+1] < 0x80 && pair > 0 {
			pair /= 2 // scores are of bytes beyond ASCII
		}
		score += pair
		i++
		if text[i] < 0x40 { // four bytes
			i += 2
		}
	}
	return score, true
}

func isASCIILetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// languages lists the letters beside ASCII that texts of one language have; the usual ones of
// Russian stand first, and less usual ones follow each bar.
var languages = []string{
	"äöüß", "éèàùçêâîôûëïœæ", "áéíóúñü", "ãõçáéíóúâêôà", "åäöæøéü", "àèéìòù",
	"ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "čćđšž", "ăâîşţșț",
	"çğıöşüâîİ", "āčēģīķļņšūž", "ąčęėįšųūž", "äõöüšž", "ăâđêôơưáàảãạéèíìóòúùý",
	"оеаинтсрвлкмдпу|ыяьгзбчйжіїєґ|хшюцэщфъё", "αειορστνηκλμπυωςάέήίόύώ|βγδζθξφχψϊϋ",
}

// otherScript returns how much the score of a letter loses because one beside it is of another
// script.
func otherScript(r, before, after rune) float64 {
	if s := scriptOf(r); unicode.IsLetter(before) && scriptOf(before) != s ||
		unicode.IsLetter(after) && scriptOf(after) != s {
		return 1.5
	}
	return 0
}

// script is the writing system of a letter, which the texts of one language share.
type script int

const (
	noScript script = iota
	latin
	greek
	cyrillic
	hebrew
	arabic
	thai
)

// scriptOf goes by the blocks of Unicode: the tables of the standard library are large.
func scriptOf(r rune) script {
	switch {
	case r < 0x250 || r >= 0x1e00 && r < 0x1f00:
		return latin
	case r >= 0x370 && r < 0x400:
		return greek
	case r >= 0x400 && r < 0x530:
		return cyrillic
	case r >= 0x590 && r < 0x600:
		return hebrew
	case r >= 0x600 && r < 0x700:
		return arabic
	case r >= 0xe00 && r < 0xe80:
		return thai
	}
	return noScript
}

// isThaiMark says whether a character stands above or below the one before it.
func isThaiMark(r rune) bool {
	return r == 0xe31 || r >= 0xe34 && r <= 0xe3a || r >= 0xe47 && r <= 0xe4e
}

// letterScore adds up how likely the letters beside ASCII are as a text of one language.
func letterScore(text string) (score float64) {
	hits := make([]float64, len(languages))
	runes := []rune(text)
	at := func(i int) rune {
		if i < 0 || i >= len(runes) {
			return ' '
		}
		return runes[i]
	}
	for i, r := range runes {
		if r < utf8.RuneSelf {
			continue
		}
		before, after := at(i-1), at(i+1)
		inWord := unicode.IsLetter(before) || unicode.IsLetter(after)
		switch {
		case r == utf8.RuneError:
			score += brokenScore
		case r < 0xa0 || r >= 0xe000 && r < 0xf900: // of nobody
			score -= 4
		case scriptOf(r) >= hebrew:
			score += .95 - otherScript(r, before, after)
			if scriptOf(r) == thai && (isThaiMark(r) && (scriptOf(before) != thai ||
				before >= 0xe40 && before < 0xe47) || r >= 0xe4f) {
				score -= 1.2
			}
		case unicode.IsLetter(r):
			switch {
			case unicode.IsUpper(r) && unicode.IsLower(before),
				unicode.IsLower(r) && unicode.IsUpper(before) && unicode.IsUpper(after),
				r == 'ς' && unicode.IsLetter(after):
				score -= 1.5
			case unicode.IsUpper(r) && unicode.IsUpper(before):
				score -= .15
			}
			score -= otherScript(r, before, after)
			lower := unicode.ToLower(r)
			for k, letters := range languages {
				place := strings.IndexRune(letters, lower)
				if place < 0 {
					hits[k] -= .4
				} else {
					hits[k] += 1 - .3*float64(strings.Count(letters[:place], "|"))
				}
			}
		case r >= 0x300 && r < 0x370 && unicode.IsLetter(before):
			score += .2 // as Vietnamese has
		case strings.ContainsRune("’ʼ·", r) || !inWord || unicode.IsSpace(r):
		case strings.ContainsRune("°²³ªº®™“”„‘–—«»€£…", r) && !unicode.IsLetter(after):
		default:
			score -= 1.2
		}
	}
	return score + slices.Max(hits)
}
