package answer

import (
	"hush/core/publication"
	"hush/web/engine"
	"hush/web/parts"
	"hush/web/state"
)

// Sign signs the files of pages, one after another, with the key of this device, and passes on all
// of them; without signs it passes them on unchanged. A failure is shown where m shows those of
// exports.
func Sign(b *parts.Browser, m *state.Model, signs bool, pages []string, use func([]string)) {
	if !signs {
		use(pages)
		return
	}
	sign(b, m, pages, nil, use)
}

func sign(b *parts.Browser, m *state.Model, left, done []string, use func([]string)) {
	if len(left) == 0 {
		use(done)
		return
	}
	b.Call(engine.Sign.With(left[0]), func(_ engine.Request, kind string, reply []byte) {
		if kind == engine.ReplyDone {
			s := engine.Sign.Read(reply)
			signed := publication.WithSignature(left[0], s.Key, s.Value)
			sign(b, m, left[1:], append(done, signed), use)
		}
		exportEnded(m, kind, reply)
	})
}
