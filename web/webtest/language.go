package webtest

import (
	"regexp"
	"sync"
	"testing"

	"hush/core/message"
	"hush/core/message/texts"
)

var english = sync.OnceValues(func() (*message.Language, error) {
	l, _, err := texts.Read("../..")
	return l, err
})

// Pseudo returns a language in which every message is in brackets, so that a text without them was
// never translated. It reads the sources from a folder of web.
func Pseudo(t *testing.T) *message.Language {
	t.Helper()
	l, err := english()
	if err != nil {
		t.Fatal(err)
	}
	return texts.Marked(l)
}

// Names lists the words that are the same in every language: units, formats, letters of formulas,
// made-up places, the name of this program.
var Names = []string{"hush", "csv", "json", "svg", "png", "zip", "html", "utf-8", "kb", "mb", "gb",
	"laplace", "utc", "years before", "park"}

// Word matches a word, which a letter of a formula is not.
var Word = regexp.MustCompile(`\p{Latin}{2}`)
