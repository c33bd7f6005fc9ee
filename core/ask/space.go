package ask

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"hush/core/domain"
	"hush/core/message"
	"hush/core/phrase"
)

// Space is the ordered set of values that a column can have. Codes of any length are numbers here.
// One of the first two fields is set.
type Space struct {
	narrow domain.Domain
	wide   domain.Wide
	texts  domain.Wide // texts of any length, short ones too; nil for other kinds
}

// NewSpace is the space of a column that spec describes.
func NewSpace(spec domain.Spec) (s Space, err error) {
	if spec.Kind == domain.Text || spec.Kind == domain.Bytes {
		if s.texts, err = domain.NewWide(spec); err != nil {
			return s, err
		}
	}
	if spec.IsWide() {
		s.wide = s.texts
	} else {
		s.narrow, err = domain.New(spec)
	}
	return s, err
}

// Codes returns the domain of codes that fit 64 bits; nil where they do not.
func (s Space) Codes() domain.Domain { return s.narrow }

// Size returns the number of values.
func (s Space) Size() *big.Int {
	if s.wide != nil {
		return s.wide.Size()
	}
	return s.narrow.Size()
}

// Last returns the code of the last value.
func (s Space) Last() *big.Int { return new(big.Int).Sub(s.Size(), big.NewInt(1)) }

// Bits returns the length of codes in bits.
func (s Space) Bits() int {
	if s.wide != nil {
		return s.wide.Bits()
	}
	return s.narrow.Bits()
}

// Describe says in words which values are possible.
func (s Space) Describe() phrase.Phrase {
	if s.wide != nil {
		return s.wide.Describe()
	}
	return s.narrow.Describe()
}

// Show returns the value of a code as people read it. A place between texts, which is nobody's
// text, is long and mostly of invisible characters: it is cut after the visible ones, and "…"
// stands for the rest.
func (s Space) Show(say *message.Language, code *big.Int) string {
	if s.texts == nil {
		return s.narrow.Decode(code.Uint64())
	}
	text := s.texts.FromNumber(code)
	const most = 40 // bytes
	seen := 0
	for seen < len(text) {
		r, size := utf8.DecodeRune(text[seen:])
		if r == utf8.RuneError && size < 2 || !unicode.IsGraphic(r) || seen+size > most {
			break
		}
		seen += size
	}
	switch {
	case seen == len(text):
		return string(text)
	case seen > 0:
		return string(text[:seen]) + "…"
	case len(text) > 4:
		return say.Phrase(domain.Shown(text[:4])) + "…"
	}
	return say.Phrase(domain.Shown(text))
}

// Exact returns the code as text where Show leaves some of the value out; otherwise an empty text.
func (s Space) Exact(say *message.Language, code *big.Int) string {
	if s.texts == nil || s.Show(say, code) == string(s.texts.FromNumber(code)) {
		return ""
	}
	return s.Write(code)
}

// Shown parses a value written by Show, where Exact has nothing to add, and returns its code,
// however cells are written; false if the value is not in the domain.
func (s Space) Shown(text string) (*big.Int, bool) {
	if s.texts != nil {
		if 8*len(text) > s.Bits() {
			return nil, false
		}
		return s.texts.Number([]byte(text)), true
	}
	plain, err := domain.New(s.narrow.Spec().Plain())
	if err != nil {
		return nil, false // unreachable: it is the same domain
	}
	code, ok := plain.Encode([]byte(text))
	return new(big.Int).SetUint64(code), ok
}

// Find returns the code of a value as written in a cell; false if it is not in the domain.
func (s Space) Find(text string) (*big.Int, bool) {
	if s.wide != nil {
		code, ok := s.wide.Encode([]byte(text))
		if !ok {
			return nil, false
		}
		return s.wide.Number(code), true
	}
	code, ok := s.narrow.Encode([]byte(text))
	return new(big.Int).SetUint64(code), ok
}

// Write returns a code as text for Read: a decimal number, or the bytes of a text in hexadecimal,
// where ff*131000 stands for that many bytes ff at the end.
func (s Space) Write(code *big.Int) string {
	if s.texts == nil {
		return code.String()
	}
	bytes := s.texts.FromNumber(code)
	n := len(bytes)
	for n > 0 && bytes[n-1] == bytes[len(bytes)-1] {
		n--
	}
	if alike := len(bytes) - n; alike > 2 {
		return hex.EncodeToString(bytes[:n]) + fmt.Sprintf("%02x*%d", bytes[n], alike)
	}
	return hex.EncodeToString(bytes)
}

// Read returns the code that Write wrote.
func (s Space) Read(text string) (*big.Int, bool) {
	if s.texts == nil {
		code, ok := new(big.Int).SetString(text, 10)
		return code, ok && code.Sign() >= 0 && code.Cmp(s.Size()) < 0
	}
	text, times, repeated := strings.Cut(text, "*")
	bytes, err := hex.DecodeString(text)
	if err != nil {
		return nil, false
	}
	if repeated {
		n, err := strconv.Atoi(times)
		if err != nil || n < 1 || len(bytes) == 0 || n > s.Bits()/8 {
			return nil, false
		}
		for last := bytes[len(bytes)-1]; n > 1; n-- {
			bytes = append(bytes, last)
		}
	}
	if 8*len(bytes) > s.Bits() {
		return nil, false
	}
	return s.texts.Number(bytes), true
}
