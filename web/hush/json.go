package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// strictly decodes one value: a misspelt field would silently mean its default.
func strictly(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the value: leave it out")
	}
	return nil
}

// placeOf says where in a text the decoder failed, counted as editors do; it is empty if the
// decoder does not say.
func placeOf(text []byte, err error) string {
	var (
		syntax *json.SyntaxError
		kind   *json.UnmarshalTypeError
		at     int64
	)
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &kind):
		at = kind.Offset
	default:
		return ""
	}
	before := text[:min(int(at), len(text))]
	line := 1 + bytes.Count(before, []byte("\n"))
	column := len([]rune(string(before[bytes.LastIndexByte(before, '\n')+1:])))
	return fmt.Sprintf(", line %d, character %d", line, column)
}
