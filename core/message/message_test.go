package message_test

import (
	"strings"
	"testing"

	"hush/core/message"
	"hush/core/phrase"
)

// polish has the plural categories that English lacks.
func polish(n int64) string {
	switch {
	case n == 1:
		return "one"
	case n%10 >= 2 && n%10 <= 4 && (n%100 < 12 || n%100 > 14):
		return "few"
	}
	return "many"
}

func TestTexts(t *testing.T) {
	said := func(l *message.Language) []string {
		tag, direction := l.Spoken()
		return []string{
			l.Text("Cancel"), l.Text("Later"), l.Format("%s of %s", "a", "b"),
			l.Count(1, "one file", "%d files", 1), l.Count(3, "one file", "%d files", 3),
			l.Count(5, "one file", "%d files", 5), l.Error(phrase.Fault("no file")),
			l.Phrase(phrase.Key("Cancel")), tag, direction,
		}
	}
	compare := func(name string, l *message.Language, want ...string) {
		t.Helper()
		if got := said(l); strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	english := []string{"Cancel", "Later", "a of b", "one file", "3 files", "5 files", "no file",
		"Cancel", "en", "ltr"}
	compare("without a language", nil, english...)
	l, err := message.Read([]byte(`{"language": "pl", "name": "Polski", "messages": {
		"Cancel": {"text": "Anuluj"}, "%s of %s": {"text": "%[2]s: %[1]s"}, "no file": {"text": "brak pliku"},
		"%d files": {"plural": {"one": "jeden plik", "few": "%d pliki", "other": "%d plików"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	compare("in Polish", l.With(polish), "Anuluj", "Later", "b: a", "jeden plik", "3 pliki",
		"5 plików",
		"brak pliku", "Anuluj", "pl", "ltr")
	compare("with the plural of English", l, "Anuluj", "Later", "b: a", "jeden plik", "3 plików",
		"5 plików", "brak pliku", "Anuluj", "pl", "ltr")
}

// TestCheck: a translation that does not fit is refused, with the message at fault and what was
// expected.
func TestCheck(t *testing.T) {
	catalogue, err := message.Read([]byte(`{"language": "en", "name": "English", "messages": {
		"Cancel": {"text": "Cancel"}, "in %": {"text": "in %"}, "%s of %d": {"text": "%s of %d", "format": true},
		"%d files of %s": {"plural": {"one": "one file of %[2]s", "other": "%d files of %s"}, "format": true}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for messages, want := range map[string]string{
		`"Cancel": {"text": "Abbrechen"}, "in %": {"text": "in %"}, "%s of %d": {"text": "%[2]d: %[1]s"}`: "",
		`"%d files of %s": {"plural": {"one": "eine von %[2]s", "other": "%d von %s"}}`:                   "",
		`"Cancle": {"text": "Abbrechen"}`:                                `"Cancle": no such message`,
		`"Cancel": {"text": ""}`:                                         `"Cancel": want "text"`,
		`"%s of %d": {"text": "%s"}`:                                     `it has 1 places, want all of the English text: %[1]s %[2]d`,
		`"%s of %d": {"text": "%d von %s"}`:                              `its place 1 is %d`,
		`"%s of %d": {"text": "%s von %d 5 %"}`:                          `want %%`,
		`"%d files of %s": {"text": "%d von %s"}`:                        `want "plural"`,
		`"%d files of %s": {"plural": {"one": "%d von %s"}}`:             `the plural form "other" is missing`,
		`"%d files of %s": {"plural": {"other": "%d von %s", "1": "x"}}`: `"1" is no plural category`,
	} {
		l, err := message.Read(
			[]byte(`{"language": "de", "name": "Deutsch", "messages": {` + messages + `}}`))
		if err != nil {
			t.Fatal(err)
		}
		if err := message.Check(catalogue, l); (err == nil) != (want == "") || err != nil &&
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", messages, err, want)
		}
	}
	if message.Check(catalogue, &message.Language{Tag: "../x", Name: "X"}) == nil ||
		message.Check(catalogue, &message.Language{Tag: "de"}) == nil {
		t.Error("a language without a tag or a name is let through")
	}
}
