package domain

import (
	"bytes"
	"encoding/binary"
	"math/big"
	"strconv"
	"unicode"
	"unicode/utf8"

	"hush/core/phrase"
)

// A text of at most Length bytes stands for a number: its bytes, padded with zero bytes to Length.
// So codes have 8·Length bits, all of which are used; their order is the order of the bytes, and a
// prefix of a text is a prefix of its code. Texts that differ only in zero bytes at the end are one
// value. A code is held as its bytes without the zeros at the end.

// maxTextBytes limits the longest codes to 2^20 bits.
const maxTextBytes = 1 << 17

// Wide is an ordered finite set of texts with codes of any length. It never changes and may be
// shared.
type Wide interface {
	// Spec, Size, Bits, Describe and Why are as for Domain. Size is 2^Bits.
	Spec() Spec
	Size() *big.Int
	Bits() int
	Describe() phrase.Phrase
	Why(cell []byte) Reason
	// Encode returns the code of a cell's value, or false for none. The code shares memory with
	// cell.
	Encode(cell []byte) (code []byte, ok bool)
	// Decode shows the value of a code. A text that is not valid UTF-8 or holds characters that
	// cannot be seen comes in quotes with escapes.
	Decode(code []byte) string
	// Number converts a code to a number, and FromNumber a number to a code; a number too large
	// becomes the last code.
	Number(code []byte) *big.Int
	FromNumber(n *big.Int) []byte
	// Before and After return the neighbouring codes as new slices, or false at the ends.
	Before(code []byte) ([]byte, bool)
	After(code []byte) ([]byte, bool)
	// Midpoint returns the code half-way between two, the lower one when there are two.
	Midpoint(a, b []byte) []byte
}

// NewWide makes the domain of texts that spec describes, of any length. It refuses with
// *param.Error.
func NewWide(spec Spec) (Wide, error) {
	if spec.Kind != Text && spec.Kind != Bytes {
		return nil, refuse("kind", string(spec.Kind), `"text" or "bytes"`)
	}
	if err := spec.check(); err != nil {
		return nil, err
	}
	t, err := newTexts(spec)
	if err != nil {
		return nil, err
	}
	return t, nil
}

type texts struct {
	spec    Spec
	length  int
	missing missing
	utf8    bool
	clamp   bool
}

func newTexts(spec Spec) (*texts, error) {
	t := &texts{spec: spec, length: spec.Length, utf8: spec.Kind == Text,
		clamp: spec.Outside == Clamp}
	if spec.Length < 1 || spec.Length > maxTextBytes {
		return nil, refuse("length", strconv.Itoa(spec.Length), "1 to %d bytes", maxTextBytes)
	}
	for _, f := range []struct{ name, value string }{{"lo", spec.Lo}, {"hi", spec.Hi},
		{"step", spec.Step}} {
		if f.value != "" {
			return nil, refuse(f.name, f.value, "nothing: texts have a length only")
		}
	}
	var err error
	t.missing, err = newMissing(spec)
	return t, err
}

func (t *texts) Spec() Spec     { return t.spec }
func (t *texts) Bits() int      { return 8 * t.length }
func (t *texts) Size() *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(t.Bits())) }

func (t *texts) Describe() phrase.Phrase {
	s := phrase.Key("texts")
	if !t.utf8 {
		s = "byte strings"
	}
	if t.length == 1 {
		return phrase.Of("%s of at most 1 byte", s)
	}
	return phrase.Of("%s of at most %d bytes", s, t.length)
}

func (t *texts) Encode(cell []byte) ([]byte, bool) {
	code, why := t.place(cell)
	return code, why == Read
}

func (t *texts) Why(cell []byte) Reason {
	_, why := t.place(cell)
	return why
}

func (t *texts) place(cell []byte) ([]byte, Reason) {
	if len(cell) == 0 {
		return nil, Missing
	}
	// first, so that a value is missing, or too long, with zero bytes and without them alike
	cell = canonical(cell)
	if t.missing.has(cell) {
		return nil, Missing
	}
	if t.utf8 && !utf8.Valid(cell) {
		return nil, Unreadable
	}
	if len(cell) > t.length {
		if !t.clamp {
			return nil, Outside
		}
		cell = canonical(cell[:t.length])
	}
	return cell, Read
}

// canonical cuts off zero bytes at the end.
func canonical(code []byte) []byte {
	n := len(code)
	for n > 0 && code[n-1] == 0 {
		n--
	}
	return code[:n]
}

func (t *texts) Decode(code []byte) string { return Show(code) }

// Show writes a text for people. One that is not valid UTF-8, or holds characters that cannot be
// seen, comes in quotes with the escapes of Go; many equal bytes at its end are counted instead of
// shown.
func Show(code []byte) string { return Shown(code).String() }

// Shown returns the text of Show, for any language.
func Shown(code []byte) phrase.Phrase {
	plain := utf8.Valid(code) && !bytes.HasPrefix(code, []byte(`"`))
	for _, r := range string(code) {
		plain = plain && (unicode.IsGraphic(r))
	}
	if plain {
		return phrase.Plain(string(code))
	}
	const shown = 8
	n := len(code)
	for n > 0 && code[n-1] == code[len(code)-1] {
		n--
	}
	if alike := len(code) - n; alike > shown {
		return phrase.Of("%s and %d bytes %#02x", strconv.Quote(string(code[:n])), alike, code[n])
	}
	return phrase.Plain(strconv.Quote(string(code)))
}

// Number pads the code on the right.
func (t *texts) Number(code []byte) *big.Int {
	n := new(big.Int).SetBytes(code)
	return n.Lsh(n, uint(8*(t.length-len(code))))
}

func (t *texts) FromNumber(n *big.Int) []byte {
	if n.Sign() <= 0 {
		return []byte{}
	}
	if n.BitLen() > t.Bits() {
		return bytes.Repeat([]byte{0xff}, t.length)
	}
	return canonical(n.FillBytes(make([]byte, t.length)))
}

func (t *texts) Before(code []byte) ([]byte, bool) {
	if len(code) == 0 {
		return nil, false
	}
	// The last byte is not zero: one less, and ff behind it.
	b := append(bytes.Clone(code), bytes.Repeat([]byte{0xff}, t.length-len(code))...)
	b[len(code)-1]--
	return canonical(b), true
}

func (t *texts) After(code []byte) ([]byte, bool) {
	b := make([]byte, t.length)
	copy(b, code)
	for i := t.length - 1; i >= 0; i-- {
		if b[i]++; b[i] != 0 {
			return canonical(b), true
		}
	}
	return nil, false
}

func (t *texts) Midpoint(a, b []byte) []byte {
	sum := t.Number(a)
	return t.FromNumber(sum.Rsh(sum.Add(sum, t.Number(b)), 1))
}

// shortTexts are texts of at most 8 bytes, whose codes fit 64 bits.
type shortTexts struct{ texts }

func newShortTexts(spec Spec) (*shortTexts, error) {
	t, err := newTexts(spec)
	if err != nil {
		return nil, err
	}
	return &shortTexts{*t}, nil
}

func (t *shortTexts) Encode(cell []byte) (uint64, bool) {
	code, ok := t.texts.Encode(cell)
	return wordAt(code, 0) >> (64 - 8*t.length), ok
}

func (t *shortTexts) Decode(code uint64) string {
	if last := ^uint64(0) >> (64 - 8*t.length); code > last {
		code = last
	}
	return Show(canonical(binary.BigEndian.AppendUint64(nil, code<<(64-8*t.length))))
}

// wordAt returns bytes at to at+8 of a code as a number, with zeros beyond its end.
func wordAt(code []byte, at int) uint64 {
	if at+8 <= len(code) {
		return binary.BigEndian.Uint64(code[at:])
	}
	var w uint64
	for i := at; i < at+8; i++ {
		w <<= 8
		if i < len(code) {
			w |= uint64(code[i])
		}
	}
	return w
}
