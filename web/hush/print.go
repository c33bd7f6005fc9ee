package main

import (
	"fmt"
	"io"
	"reflect"
	"regexp"

	"hush/core/phrase"
)

// longWord matches a word that no message needs whole, such as a number of a thousand digits.
var longWord = regexp.MustCompile(`\S{121,}`)

// brief is a message whose long words are shortened.
func brief(message string) string {
	return longWord.ReplaceAllStringFunc(message, phrase.Short)
}

// printf is fmt.Fprintf in which no value can break its line, change its direction or move the
// cursor: it prints text from files, ledgers and databases. The format itself contains the line
// ends.
func printf(w io.Writer, format string, values ...any) error {
	for i, v := range values {
		switch v := v.(type) {
		case string:
			values[i] = phrase.Visible(v)
		case error:
			values[i] = phrase.Visible(v.Error())
		case fmt.Stringer:
			values[i] = phrase.Visible(v.String())
		default:
			if at := reflect.ValueOf(v); at.Kind() == reflect.String {
				values[i] = phrase.Visible(at.String())
			}
		}
	}
	_, err := fmt.Fprintf(w, format, values...)
	return err
}
