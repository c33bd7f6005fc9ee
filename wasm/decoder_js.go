package main

import (
	"syscall/js"

	"hush/core/table"
)

// decoder gives the browser's own decoder of an encoding; nil where it has none.
func decoder(encoding string) (decode table.Decode) {
	defer func() {
		if recover() != nil { // so the constructor says
			decode = nil
		}
	}()
	text := js.Global().Get("TextDecoder").New(encoding)
	going := map[string]any{"stream": true}
	held, size := js.Undefined(), -1 // of the longest chunk
	return func(chunk []byte, final bool) []byte {
		if len(chunk) > size {
			size = len(chunk)
			held = js.Global().Get("Uint8Array").New(size)
		}
		js.CopyBytesToJS(held, chunk)
		part := held.Call("subarray", 0, len(chunk))
		if final {
			return []byte(text.Call("decode", part).String())
		}
		return []byte(text.Call("decode", part, going).String())
	}
}
