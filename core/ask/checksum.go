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

// WithChecksum takes a JSON object indented by two spaces and adds the SHA-256 of its text as a
// last field. There is no key: the checksum shows accidental changes, and no deliberate ones, since
// anybody can recompute it.
func WithChecksum(text string) string {
	body, is := strings.CutSuffix(text, "\n}\n")
	if !is {
		panic("ask: internal error: no object of JSON in lines")
	}
	sum := sha256.Sum256([]byte(text))
	return body + sumStart + hex.EncodeToString(sum[:]) + sumEnd
}

// WithSignature adds to a text from WithChecksum a signature of everything but its checksum, and
// the public key for it.
func WithSignature(text, key, value string) string {
	body, _, _ := Checksum(text)
	return WithChecksum(strings.TrimSuffix(body, "\n}\n") +
		fmt.Sprintf(",\n  \"signature\": {\n    \"key\": %q,\n    \"value\": %q\n  }\n}\n", key,
			value))
}

// Checksum splits a text from WithChecksum. stated is the checksum that it contains and found the
// one computed from the rest; both are empty where there is none.
func Checksum(text string) (body, stated, found string) {
	at := len(text) - sumSize - len(sumEnd) - len(sumStart)
	if at < 0 || !strings.HasPrefix(text[at:], sumStart) || !strings.HasSuffix(text, sumEnd) {
		return text, "", ""
	}
	body = text[:at] + "\n}\n"
	sum := sha256.Sum256([]byte(body))
	return body, text[at+len(sumStart) : len(text)-len(sumEnd)], hex.EncodeToString(sum[:])
}
