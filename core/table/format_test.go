package table

import (
	"errors"
	"strings"
	"testing"

	"hush/core/param"
)

// TestMadeTables: a table that a reader made is read as it wrote it, whatever its cells hold; a
// packed text is read like any text.
func TestMadeTables(t *testing.T) {
	text := "name,note\nAda,\"of\n" + strings.Repeat("many\n", 1000) + "lines\"\nBob,\";;;\"\n"
	for _, format := range Formats() {
		s, err := NewSurvey(Options{Format: format})
		if err != nil {
			t.Fatal(err)
		}
		err = errors.Join(s.Write([]byte(text)), s.Close())
		if err != nil {
			t.Fatal(err)
		}
		found := s.Result()
		made := Options{Format: format}.Made()
		if made != (len(found.Problems) == 0) || made != (found.Rows == 2) {
			t.Errorf("%s: %d rows, problems %+v", format, found.Rows, found.Problems)
		}
		if found.Options.Format != format || found.Options.Part != 1 {
			t.Errorf("%s: the options are %+v", format, found.Options)
		}
		decided, err := found.Options.Decided()
		if err != nil || decided != found.Options {
			t.Errorf("%s: %+v decided are %+v, %v", format, found.Options, decided, err)
		}
		if FormatName(format) == "" {
			t.Errorf("%s has no name", format)
		}
	}
}

// TestFormatsAreRefused: what no reader writes cannot be asked for.
func TestFormatsAreRefused(t *testing.T) {
	for _, o := range []Options{
		{Format: "exe"}, {Part: 1}, {Format: JSON, Part: -1}, {Format: JSON, Delimiter: ";"},
		{Format: XLSX, Encoding: Windows1252}, {Format: Parquet, Quote: "'"},
		{Format: JSON, Quotes: Backslash}, {Format: XLSX, Compression: Gzip},
		{Format: XLSX, Newline: Any},
	} {
		var refused *param.Error
		if _, err := NewSurvey(o); !errors.As(err, &refused) {
			t.Errorf("%+v: error %v, want a refusal", o, err)
		}
	}
}

// TestUnreadErrors: each key has words of its own, and a place is told.
func TestUnreadErrors(t *testing.T) {
	seen := map[string]bool{}
	for key := range unreadWhy {
		e := &UnreadError{Format: Zip, Key: key, Where: UnreadAt{Part: 2, Row: 3, Byte: 40}}
		text := e.Error()
		if seen[text] || !strings.Contains(text, "ZIP archive") ||
			!strings.Contains(text, "(part 2, row 3, byte 40)") {
			t.Errorf("%s: %q", key, text)
		}
		seen[text] = true
	}
	if got := (&UnreadError{Key: "else"}).Error(); !strings.Contains(got, "damaged") {
		t.Errorf("an unknown key is told as %q", got)
	}
}
