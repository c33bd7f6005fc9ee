package say_test

import (
	"testing"

	"hush/core/message"
	"hush/core/phrase"
	"hush/web/say"
)

func TestSay(t *testing.T) {
	told := func() string {
		tag, direction := say.Spoken()
		return tag + " " + direction + " " + say.Text("Cancel") + " " +
			say.Format("%s of %s", "a", "b") +
			" " + say.Count(2, "one file", "%d files", 2) + " " + say.Phrase(phrase.Key("Cancel")) +
			" " +
			say.Error(phrase.Fault("no file")) + " " + say.Texts("Cancel")[0]
	}
	const english = "en ltr Cancel a of b 2 files Cancel no file Cancel"
	if got := told(); got != english || say.Language() != nil {
		t.Errorf("%q, want %q", got, english)
	}
	l, err := message.Read([]byte(`{"language": "ar", "name": "x", "direction": "rtl", "messages": {
		"Cancel": {"text": "C"}, "%s of %s": {"text": "%[2]s: %[1]s"}, "no file": {"text": "N"},
		"%d files": {"plural": {"other": "%d F"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	say.Use(l)
	t.Cleanup(func() { say.Use(nil) })
	if got, want := told(), "ar rtl C b: a 2 F C N C"; got != want || say.Language() != l {
		t.Errorf("%q, want %q", got, want)
	}
	say.InEnglish(func() {
		if got := told(); got != english {
			t.Errorf("%q, want %q", got, english)
		}
	})
}
