package table

import (
	"encoding/binary"
	"testing"
	"unicode/utf16"
)

// Text in every encoding, cut at every place and into single bytes, becomes the same UTF-8.
func TestTranscode(t *testing.T) {
	const text = "\ufeffé\u20ac\U0001f600x\U0010ffff\n"
	var le, be []byte
	for _, u := range utf16.Encode([]rune(text)) {
		le, be = binary.LittleEndian.AppendUint16(le, u), binary.BigEndian.AppendUint16(be, u)
	}
	var high []byte
	for c := 0x80; c < 0x100; c++ {
		high = append(high, byte(c))
	}
	for _, c := range []struct{ encoding, in, want string }{
		{UTF8, text, text[3:]},
		{UTF8, text[3:], text[3:]},
		{UTF8, "\xef\xbb", "\xef\xbb"},
		{UTF8, "", ""},
		{UTF16LE, string(le), text[3:]},
		{UTF16BE, string(be), text[3:]},
		{UTF16LE, string(le[2:]), text[3:]},
		{UTF16LE, "\x00\xd8a\x00", "\ufffda"},
		{UTF16LE, "\x00\xdc\x00\xd8\x00\xd8", "\ufffd\ufffd\ufffd"},
		{UTF16LE, "a\x00b", "a\ufffd"},
		{UTF16LE, "a\x00\x00\xd8\x01", "a\ufffd\ufffd"},
		{Windows1252, "a\x80\x9f\xa0\xff", "a€Ÿ\u00a0ÿ"},
		// WHATWG index windows-1252
		{Windows1252, string(high[:32]),
			"€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"},
	} {
		pieces := func(cuts ...int) string {
			x := transcoder{encoding: c.encoding}
			out, from := "", 0
			for _, to := range append(cuts, len(c.in)) {
				out += string(x.convert([]byte(c.in[from:to]), false))
				from = to
			}
			return out + string(x.convert(nil, true))
		}
		var all []int
		for i := range len(c.in) {
			all = append(all, i)
			if got := pieces(i); got != c.want {
				t.Errorf("%s %q cut at %d: %q, want %q", c.encoding, c.in, i, got, c.want)
			}
			for j := i; j < len(c.in); j++ {
				if got := pieces(i, j); got != c.want {
					t.Errorf("%s %q cut at %d and %d: %q, want %q", c.encoding, c.in, i, j, got,
						c.want)
				}
			}
		}
		if got := pieces(all...); got != c.want {
			t.Errorf("%s %q byte by byte: %q, want %q", c.encoding, c.in, got, c.want)
		}
	}
}
