package ask

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// The bytes around a checksum: the last field of an object that is written with two spaces.
const (
	sumStart = ",\n  \"checksum\": \""
	sumEnd   = "\"\n}\n"
	sumSize  = 2 * sha256.Size
)

// WithChecksum is an object of JSON, indented by two spaces, with the SHA-256 of its text as a last
// field. It has no key: it shows a change that was made by mistake, and none that was made by
// somebody who writes it anew.
func WithChecksum(text string) string {
	body, is := strings.CutSuffix(text, "\n}\n")
	if !is {
		panic("ask: internal error: no object of JSON in lines")
	}
	sum := sha256.Sum256([]byte(text))
	return body + sumStart + hex.EncodeToString(sum[:]) + sumEnd
}

// WithSignature is a text that WithChecksum gave, with a signature of all but its checksum and the
// public key that it is by.
func WithSignature(text, key, value string) string {
	body, _, _ := Checksum(text)
	return WithChecksum(strings.TrimSuffix(body, "\n}\n") +
		fmt.Sprintf(",\n  \"signature\": {\n    \"key\": %q,\n    \"value\": %q\n  }\n}\n", key,
			value))
}

// Checksum parts a text that WithChecksum gave. stated is the checksum in it, and found the one of
// the rest; both are empty where there is none.
func Checksum(text string) (body, stated, found string) {
	at := len(text) - sumSize - len(sumEnd) - len(sumStart)
	if at < 0 || !strings.HasPrefix(text[at:], sumStart) || !strings.HasSuffix(text, sumEnd) {
		return text, "", ""
	}
	body = text[:at] + "\n}\n"
	sum := sha256.Sum256([]byte(body))
	return body, text[at+len(sumStart) : len(text)-len(sumEnd)], hex.EncodeToString(sum[:])
}
