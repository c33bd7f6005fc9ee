package engine

import "encoding/json"

// Request numbers a call of the engine, so that a late answer is recognised. 0 is none.
type Request int

// File is a file as the browser hands it over; only its public face is seen here.
type File interface {
	Name() string
	Size() int64
}

// Reply takes what the engine says about one request.
type Reply func(r Request, kind string, body []byte)

// What a reply can be.
const (
	ReplyDone     = "done"
	ReplyFailed   = "failed"
	ReplyProgress = "progress"
)

// Decode reads what our own engine wrote; anything else is a broken build.
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
