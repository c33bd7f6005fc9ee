package table

import (
	"slices"
	"strings"
)

// Decode turns the bytes of one text into UTF-8, chunk by chunk; its result is valid until the next
// call. final gives up on an unfinished character. Bytes that form no character become U+FFFD. The
// result does not depend on where chunks are cut.
type Decode func(chunk []byte, final bool) []byte

// Decoders returns the decoder of an encoding, as specified in the Encoding Standard of the WHATWG;
// nil if there is none. Browsers have such decoders (TextDecoder), and so does core/table/decoding.
type Decoders func(encoding string) Decode

// encodings lists the encodings of the web: this package reads the first few, and the caller's
// decoder the others.
var encodings = []string{UTF8, UTF16LE, UTF16BE, Windows1252,
	"windows-1250", "windows-1251", "windows-1253", "windows-1254", "windows-1255", "windows-1256",
	"windows-1257", "windows-1258", "windows-874", "iso-8859-2", "iso-8859-3", "iso-8859-4",
	"iso-8859-5", "iso-8859-6", "iso-8859-7", "iso-8859-8", "iso-8859-10", "iso-8859-13",
	"iso-8859-14", "iso-8859-15", "iso-8859-16", "koi8-r", "koi8-u", "ibm866", "macintosh",
	"x-mac-cyrillic", "shift_jis", "euc-jp", "iso-2022-jp", "euc-kr", "gbk", "gb18030", "big5"}

const ownEncodings = 4

// Encodings lists the values of Options.Encoding.
func Encodings() []string { return slices.Clone(encodings) }

// isForeign reports whether an encoding needs a decoder from the caller.
func isForeign(encoding string) bool { return !slices.Contains(encodings[:ownEncodings], encoding) }

// newTranscoder returns a converter from an encoding to UTF-8.
func newTranscoder(encoding string, decoders Decoders) (transcoder, error) {
	t := transcoder{encoding: encoding}
	if isForeign(encoding) {
		if decoders != nil {
			t.decode = decoders(encoding)
		}
		if t.decode == nil {
			return t, refuse("encoding", encoding, "one that is read here: %s",
				strings.Join(encodings[:ownEncodings], ", "))
		}
	}
	return t, nil
}
