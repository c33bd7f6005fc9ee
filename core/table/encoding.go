package table

import (
	"slices"
	"strings"
)

// Decode turns the bytes of one text into UTF-8, chunk by chunk; what it returns is valid until the
// next call. final gives up what is unfinished. Bytes that are no character become U+FFFD. Where
// chunks are cut makes no difference.
type Decode func(chunk []byte, final bool) []byte

// Decoders gives the decoder of an encoding, as the Encoding Standard of the WHATWG says; nil
// where there is none. The browser has them (TextDecoder), and so has core/table/decoding.
type Decoders func(encoding string) Decode

// encodings lists the encodings of the web: this package reads the first few, the caller's decoder
// the others.
var encodings = []string{UTF8, UTF16LE, UTF16BE, Windows1252,
	"windows-1250", "windows-1251", "windows-1253", "windows-1254", "windows-1255", "windows-1256",
	"windows-1257", "windows-1258", "windows-874", "iso-8859-2", "iso-8859-3", "iso-8859-4",
	"iso-8859-5", "iso-8859-6", "iso-8859-7", "iso-8859-8", "iso-8859-10", "iso-8859-13",
	"iso-8859-14", "iso-8859-15", "iso-8859-16", "koi8-r", "koi8-u", "ibm866", "macintosh",
	"x-mac-cyrillic", "shift_jis", "euc-jp", "iso-2022-jp", "euc-kr", "gbk", "gb18030", "big5"}

const ownEncodings = 4

// Encodings are the values of Options.Encoding.
func Encodings() []string { return slices.Clone(encodings) }

// isForeign says whether a decoder is needed that the caller brings.
func isForeign(encoding string) bool { return !slices.Contains(encodings[:ownEncodings], encoding) }

// newTranscoder makes the way from an encoding to UTF-8.
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
