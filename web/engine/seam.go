package engine

import "encoding/json"

// Request numbers a call of the engine, so that a late answer is recognised. 0 is no call.
type Request int

// File is a file as the browser passes it on; only its public interface is used here.
type File interface {
	Name() string
	Size() int64
}

// Reply receives the engine's answer to a request.
type Reply func(r Request, kind string, body []byte)

// The kinds of reply.
const (
	ReplyDone     = "done"
	ReplyFailed   = "failed"
	ReplyProgress = "progress"
)

// Decode reads what our own engine wrote; anything else means a broken build.
func Decode(body []byte, into any) {
	if err := json.Unmarshal(body, into); err != nil {
		panic("web: internal error: the engine's answer: " + err.Error())
	}
}

func Encode(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic("web: internal error: " + err.Error())
	}
	return string(text)
}
