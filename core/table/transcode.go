package table

import (
	"bytes"
	"unicode/utf8"

	"hush/core/domain"
)

// transcoder turns text in one encoding into UTF-8 and drops a byte order mark at the start. UTF-8
// passes unchanged: [readable] makes text of cells that are not valid UTF-8.
type transcoder struct {
	encoding string
	decode   Decode // for an encoding that this package does not read
	started  bool   // the first bytes are behind us
	rest     []byte // the start of a character, or of a byte order mark
	out      []byte
}

var utf8BOM = []byte{0xef, 0xbb, 0xbf}

// convert returns the chunk's text; it is valid until the next call. final gives up on an
// unfinished character.
func (t *transcoder) convert(chunk []byte, final bool) []byte {
	if t.encoding == UTF8 {
		return t.skipBOM(chunk, final)
	}
	if t.encoding == Windows1252 {
		return t.windows1252(chunk)
	}
	if t.decode != nil {
		return t.decode(chunk, final)
	}
	return t.utf16(chunk, final)
}

func (t *transcoder) skipBOM(chunk []byte, final bool) []byte {
	if t.started {
		return chunk
	}
	t.rest = append(t.rest, chunk...)
	if len(t.rest) < len(utf8BOM) && bytes.HasPrefix(utf8BOM, t.rest) && !final {
		return nil
	}
	t.started = true
	t.out, t.rest = t.rest, nil
	return bytes.TrimPrefix(t.out, utf8BOM)
}

// windows1252 copies runs of ASCII and looks the other bytes up.
func (t *transcoder) windows1252(chunk []byte) []byte {
	out := t.out[:0]
	for len(chunk) > 0 {
		k := 0
		for k < len(chunk) && chunk[k] < utf8.RuneSelf {
			k++
		}
		out = append(out, chunk[:k]...)
		if k < len(chunk) {
			out = utf8.AppendRune(out, windows1252Rune(chunk[k]))
			k++
		}
		chunk = chunk[k:]
	}
	t.out = out
	return out
}

// windows1252High holds the characters of bytes 0x80 to 0x9f. The five bytes without one are
// control characters, as in the WHATWG encoding standard.
var windows1252High = [32]rune{
	'€', 0x81, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0x8d, 'Ž', 0x8f,
	0x90, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0x9d, 'ž', 'Ÿ',
}

func windows1252Rune(b byte) rune {
	if b >= 0x80 && b < 0xa0 {
		return windows1252High[b-0x80]
	}
	return rune(b)
}

// readable returns text as valid UTF-8: each byte that is part of no character becomes the
// character that it is in Windows-1252, so that the content of one cell does not change how another
// is read. Valid text is returned unchanged.
func readable(text []byte) []byte {
	if utf8.Valid(text) {
		return text
	}
	out := make([]byte, 0, 2*len(text))
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if r == utf8.RuneError && n == 1 {
			r = windows1252Rune(text[0])
		}
		out, text = utf8.AppendRune(out, r), text[n:]
	}
	return out
}

// codeOf reads a cell. A domain that takes only text gets the result of [readable].
func codeOf(d domain.Domain, cell []byte) (uint64, bool) {
	code, ok := d.Encode(cell)
	if !ok && !utf8.Valid(cell) {
		return d.Encode(readable(cell))
	}
	return code, ok
}

// wideCodeOf is codeOf for a wide domain. One function for both would take an interface that
// neither implements, and converting a domain to it takes longer than reading a short number.
func wideCodeOf(d domain.Wide, cell []byte) ([]byte, bool) {
	code, ok := d.Encode(cell)
	if !ok && !utf8.Valid(cell) {
		return d.Encode(readable(cell))
	}
	return code, ok
}

// utf16 decodes pairs of bytes; a lone surrogate or a lone last byte becomes U+FFFD.
func (t *transcoder) utf16(chunk []byte, final bool) []byte {
	out := t.out[:0]
	if len(t.rest) > 0 {
		// At most three bytes are left over; finish their character with the first bytes of the
		// chunk.
		k := min(len(chunk), 8)
		joined := append(append(make([]byte, 0, 16), t.rest...), chunk[:k]...)
		taken := 0
		for taken < len(t.rest) {
			n := t.utf16Next(&out, joined[taken:], final && k == len(chunk))
			if n == 0 {
				t.rest, t.out = append(t.rest[:0], joined[taken:]...), out
				return out
			}
			taken += n
		}
		chunk = chunk[taken-len(t.rest):]
		t.rest = t.rest[:0]
	}
	for len(chunk) > 0 {
		n := t.utf16Next(&out, chunk, final)
		if n == 0 {
			t.rest = append(t.rest[:0], chunk...)
			break
		}
		chunk = chunk[n:]
	}
	t.out = out
	return out
}

// utf16Next decodes the first character of b and returns how many bytes it took, 0 when more are
// needed.
func (t *transcoder) utf16Next(out *[]byte, b []byte, final bool) int {
	unit := func(i int) rune {
		if t.encoding == UTF16BE {
			return rune(b[i])<<8 | rune(b[i+1])
		}
		return rune(b[i+1])<<8 | rune(b[i])
	}
	if len(b) < 2 {
		if final {
			*out = utf8.AppendRune(*out, utf8.RuneError)
			return len(b)
		}
		return 0
	}
	r := unit(0)
	started := t.started
	t.started = true
	switch {
	case r == 0xfeff && !started:
		return 2
	case r < 0xd800 || r > 0xdfff:
		*out = utf8.AppendRune(*out, r)
		return 2
	case r > 0xdbff: // a second half without a first
		*out = utf8.AppendRune(*out, utf8.RuneError)
		return 2
	case len(b) < 4 && !final:
		t.started = started
		return 0
	}
	if len(b) >= 4 {
		if low := unit(2); low >= 0xdc00 && low <= 0xdfff {
			*out = utf8.AppendRune(*out, (r-0xd800)<<10+(low-0xdc00)+0x10000)
			return 4
		}
	}
	*out = utf8.AppendRune(*out, utf8.RuneError)
	return 2
}
