package doctest

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hush/core/message/texts"
)

// foreign lists patterns that make our English read as a translation, each with an editor's advice.
// A sentence starts at the start of a line or after a full stop, a colon or a semicolon.
var foreign = []struct {
	name, advice string
	found        *regexp.Regexp
}{
	{"participle first", "put the subject first: “Counts the people who …”",
		begins(`(?:Added|Asked|Audited|Bounded|Chosen|Compared|Computed|Counted|Divided|Drawn|` +
			`Given|Judged|Kept|Learned|Left|Listed|Measured|Named|Noted|Planted|Priced|` +
			`Protected|Proved|Published|Read|Released|Refused|Rounded|Said|Shown|Spent|Stated|` +
			`Tested|Told|Used|Written) (?:is|are|was|were)\b`)},
	{"so many", "write “this many” or “the given number of”",
		regexp.MustCompile(`(?i)\bso many (?:as|of|people|[a-z]+s\b)|\bso many(?:[,.;:]|$)`)},
	{"fused who", "name the person: “the people who …”, “anyone who …”",
		regexp.MustCompile(`(?i)\b(?:of|for|to|from|by|with) whom\b|\bwhoever\b|` +
			`(?:^|[.:;] )Who (?:is|has|does|was|will|may|wants?)\b[^?]*(?:\.|$)`)},
	{"fused what", "name the thing: “the values that …”",
		regexp.MustCompile(`(?i)\b(?:of|from|by|with|to|for) what (?:is|are|was|it|they|has|had|` +
			`was|one|a|an|the|each|all)\b`)},
	{"fronted of", "put the subject first: “One of the … is”",
		begins(`(?:Of|From|Among) (?:the|these|those|all|each|its|such|a|an|two|` +
			`several) [^.,;:]{1,80}\b(?:is|are|was|were|may|can|count|counts|stand|stands)\b`)},
	{"tell", "write “reports”, “states” or “shows”",
		regexp.MustCompile(`(?i)\b(?:is|are|be|was|were|not|and|or|it|that|which|who|what|page|` +
			`[a-z]+s?\(\)) (?:told|tells?)\b(?: [a-z]+)?`)},
	{"chain of that of", "repeat the noun",
		regexp.MustCompile(`\b(?:that|those) of\b[^.;:]{0,60}\b(?:that|those) of\b`)},
}

func begins(pattern string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)(?:^|[.;:!?] )` + pattern)
}

// TestEnglish fails where a message, a comment or a document has one of the foreign patterns.
func TestEnglish(t *testing.T) {
	for place, text := range prose(t) {
		for _, p := range foreign {
			for _, hit := range p.found.FindAllString(text, -1) {
				if strings.HasSuffix(hit, " apart") {
					continue // to tell apart is good English
				}
				t.Errorf("%s: %s: %s — %s", place, p.name, strings.TrimLeft(hit, ".;:!? \n"),
					p.advice)
			}
		}
	}
}

// A message of more than longMessage words is long. Half of the sentences of long messages have at
// most usualWords words, and no sentence of any message has more than mostWords.
const longMessage, usualWords, mostWords = 20, 22, 40

// TestSentences: the sentences on the screen are short.
func TestSentences(t *testing.T) {
	var long []int
	for _, text := range messages(t) {
		for _, s := range sentences(text) {
			words := len(strings.Fields(s))
			if words > mostWords {
				t.Errorf("%d words, want at most %d: %s", words, mostWords, s)
			}
			if len(strings.Fields(text)) > longMessage {
				long = append(long, words)
			}
		}
	}
	slices.Sort(long)
	if len(long) < 500 || long[len(long)/2] > usualWords {
		t.Errorf("%d sentences of long messages, half of them of up to %d words, want %d",
			len(long), long[len(long)/2], usualWords)
	}
}

var sentenceEnd = regexp.MustCompile(`[.!?]["”)]* +|\n`)

// sentences splits a text at full stops, question marks and line ends. Parts between colons and
// semicolons stay together.
func sentences(text string) []string { return sentenceEnd.Split(text, -1) }

// TestEnglishFinds: each pattern finds what it is for, and leaves good English alone.
func TestEnglishFinds(t *testing.T) {
	for name, text := range map[string]string{
		"participle first": "Counted is who has a value within the bounds",
		"so many":          "labels for so many persons",
		"fused who":        "for whom the bound holds",
		"fused what":       "made of what is left",
		"fronted of":       "Of the boxes of that level one is drawn",
		"tell":             "a stray quote is told by the page",
		"chain of that of": "the loss is that of the learner plus that of the curve",
	} {
		var found []string
		for _, p := range foreign {
			if p.found.MatchString(text) {
				found = append(found, p.name)
			}
		}
		if !slices.Contains(found, name) {
			t.Errorf("%q: found %q, want %q", text, found, name)
		}
	}
	for _, text := range []string{"Counts the people whose value is within the bounds.",
		"There are so many that one sum is enough.", "What does the noise hide?",
		"Who is protected?", "The loss is that of the learner.",
		"Nobody can tell two files apart."} {
		for _, p := range foreign {
			if p.found.MatchString(text) {
				t.Errorf("%q is found as %s", text, p.name)
			}
		}
	}
}

// prose is what people read, by file: messages, comments without code, documents without code.
func prose(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, part := range []string{"core", "wasm", "web", "static", ".github", "README.md",
		"serve.go"} {
		err := filepath.WalkDir(filepath.Join(root, part),
			func(at string, entry fs.DirEntry, err error) error {
				if err != nil {
					return err
				}
				if entry.IsDir() {
					if name := entry.Name(); name == "node_modules" || name == "testdata" {
						return fs.SkipDir
					}
					return nil
				}
				place, err := filepath.Rel(root, at)
				if err != nil {
					return err
				}
				switch text := ""; {
				case strings.HasSuffix(at, ".go"):
					if text, err = comments(at); text != "" {
						texts[filepath.ToSlash(place)] = text
					}
				case strings.HasSuffix(at, ".md"):
					if text, err = document(at); text != "" {
						texts[filepath.ToSlash(place)] = text
					}
				}
				return err
			})
		if err != nil {
			t.Fatal(err)
		}
	}
	texts["messages"] = strings.Join(messages(t), "\n")
	return texts
}

// messages are all texts of the catalogue, sorted.
func messages(t *testing.T) []string {
	t.Helper()
	english, _, err := texts.Read(root)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, k := range slices.Sorted(maps.Keys(english.Messages)) {
		all = append(all, string(k))
	}
	return all
}

// comments are those of a Go file, each on a line.
func comments(at string) (string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), at, nil,
		parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	var all []string
	for _, group := range file.Comments {
		all = append(all, strings.Join(strings.Fields(group.Text()), " "))
	}
	return strings.Join(all, "\n"), nil
}

var fence = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`")

// document is a text without code, a paragraph on a line.
func document(at string) (string, error) {
	text, err := os.ReadFile(at)
	if err != nil {
		return "", err
	}
	var all []string
	for _, paragraph := range strings.Split(fence.ReplaceAllString(string(text), "·"), "\n\n") {
		all = append(all, strings.Join(strings.Fields(paragraph), " "))
	}
	return strings.Join(all, "\n"), nil
}
