// Package decoding has the encodings of the web that core/table does not read itself, for programs
// outside of a browser. In the browser, the browser's TextDecoder has them; both follow the
// Encoding Standard of the WHATWG.
package decoding

import (
	"slices"

	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/transform"

	"hush/core/table"
)

// Web returns the decoder of an encoding of [table.Encodings], or nil if there is none.
func Web(encoding string) table.Decode {
	e, err := htmlindex.Get(encoding)
	if err != nil {
		return nil
	}
	return (&text{from: e.NewDecoder()}).decode
}

var _ table.Decoders = Web

// text is one being decoded.
type text struct {
	from      transform.Transformer
	rest, out []byte // the start of a character; what was decoded last
}

func (t *text) decode(chunk []byte, final bool) []byte {
	in := chunk
	if len(t.rest) > 0 {
		in = slices.Concat(t.rest, chunk)
	}
	t.out = t.out[:0]
	for {
		t.out = slices.Grow(t.out, 3*len(in)+64)
		to, taken, err := t.from.Transform(t.out[len(t.out):cap(t.out)], in, final)
		t.out = t.out[:len(t.out)+to]
		in = in[taken:]
		if err != transform.ErrShortDst {
			break // all is taken, but for the start of a character
		}
	}
	t.rest = append(t.rest[:0], in...)
	return t.out
}
