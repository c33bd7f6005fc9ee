package engine

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"hush/core/message"
	"hush/core/phrase"
	"hush/web/say"
)

var (
	comments = regexp.MustCompile(`(?m)^\s*(//|/?\*).*$|\s// .*$`)
	literals = regexp.MustCompile("\"[^\"\\n]*\"|`[^`]*`")
	sentence = regexp.MustCompile(`[a-z]+ [a-z]+ [a-z]+`)
	holes    = regexp.MustCompile(`\$\{[^}]*\}(: \$\{[^}]*\})?`)
)

// quiet are texts of the scripts that nobody is shown: names, and errors that go no further than
// the console.
var quiet = []string{
	"the browser of this ledger", "the Go program has ended", "daylight picture short",
	"the key of the rows of data sets",
}

// TestScriptsAreTranslated: whatever a script says of itself is on the list, and the list holds
// nothing else.
func TestScriptsAreTranslated(t *testing.T) {
	found := map[phrase.Key]bool{}
	for _, name := range []string{"hush.js", "engine.js", "answers.js", "fault.js", "ledger.js",
		"page.js", "source.js"} {
		script, err := os.ReadFile(filepath.Join("../../static", name))
		if err != nil {
			t.Fatal(err)
		}
		for _, literal := range literals.FindAllString(
			comments.ReplaceAllString(string(script), ""), -1) {
			text := holes.ReplaceAllString(literal[1:len(literal)-1], "%s")
			found[phrase.Key(text)] = true
			if sentence.MatchString(text) && !slices.Contains(said, phrase.Key(text)) &&
				!slices.Contains(quiet, text) {
				t.Errorf("%s: %q is not on the list of what scripts say", name, text)
			}
		}
	}
	for _, k := range said {
		if !found[k] {
			t.Errorf("no script says %q", k)
		}
	}
}

func TestSaid(t *testing.T) {
	l := &message.Language{Tag: "de", Messages: map[phrase.Key]message.Message{
		"no file is open":                      {Text: "keine Datei ist offen"},
		"the engine could not be started (%s)": {Text: "der Motor (%s) startet nicht"},
		"the browser refuses to store the ledger (%s)": {
			Text: "der Browser speichert das Buch nicht (%s)"},
		"no room is left for it": {Text: "der Platz reicht nicht"},
	}}
	say.Use(l)
	t.Cleanup(func() { say.Use(nil) })
	for text, want := range map[string]string{
		"no file is open": "keine Datei ist offen",
		"the engine could not be started (start)": "der Motor (start) " +
			"startet nicht",
		"the engine could not be started (": "the engine could " +
			"not be started (",
		"the browser refuses to store the ledger (no room is left for it)": "der Browser " +
			"speichert das Buch nicht (der Platz reicht nicht)",
		"the browser refuses to store the ledger (VersionError: denied)": "der Browser " +
			"speichert das Buch nicht (VersionError: denied)",
		"epsilon is 0 (zero)": "epsilon is 0 (zero)",
	} {
		if got := Said(text); got != want {
			t.Errorf("%q is said as %q, want %q", text, got, want)
		}
	}
}
