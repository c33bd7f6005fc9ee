package publication

import (
	"bytes"
	"strings"
)

// HTMLEnd ends an HTML page, after its appendix or its signature.
const HTMLEnd = "\n</body>\n</html>\n"

// A signature is written in one way only: in JSON as the last field, in HTML as a data block after
// the appendix. It covers the bytes that the file has without it.
const (
	signatureField = `,"signature":`
	signatureBlock = "\n" + `<script type="application/json" id="hush-signature">`
	signatureKey   = `{"key":"`
	signatureValue = `","value":"`
	signatureEnd   = `"}`

	keyDigits, valueDigits = 130, 128 // hexadecimal
)

// around holds what surrounds a signature in a form: the text before it, the text after it, and its
// position in a file without one.
func around(html bool) (before, after, end string) {
	if html {
		return signatureBlock, AppendixEnd + HTMLEnd, HTMLEnd
	}
	return signatureField, "}", "}"
}

// WithSignature returns a page as JSON, as Write gives it, or as HTML, with a signature of all its
// bytes and the public key for it, in hexadecimal digits.
func WithSignature(page, key, value string) string {
	before, after, end := around(strings.HasSuffix(page, HTMLEnd))
	return strings.TrimSuffix(page, end) + before + signatureKey + key + signatureValue + value +
		signatureEnd + after
}

// Unsigned returns a page as it was signed, the key that it names, and where its signature begins.
// A page without a signature in the form that WithSignature writes is returned unchanged, with an
// empty key.
func Unsigned(page []byte) (body []byte, key string, at int) {
	before, after, end := around(bytes.HasSuffix(page, []byte(HTMLEnd)))
	before += signatureKey
	after = signatureEnd + after
	size := len(before) + keyDigits + len(signatureValue) + valueDigits + len(after)
	if at = len(page) - size; at < 0 {
		return page, "", 0
	}
	tail := string(page[at:])
	rest, begins := strings.CutPrefix(tail, before)
	rest, ends := strings.CutSuffix(rest, after)
	if !begins || !ends || rest[keyDigits:len(rest)-valueDigits] != signatureValue ||
		!isHex(rest[:keyDigits]) || !isHex(rest[len(rest)-valueDigits:]) {
		return page, "", 0
	}
	return append(bytes.Clone(page[:at]), end...), rest[:keyDigits], at
}

// isHex reports whether digits have the form of a signature's.
func isHex(text string) bool { return strings.Trim(text, "0123456789abcdef") == "" }
