package publication

import (
	"cmp"
	"regexp"
	"strings"
	"unicode"

	"hush/core/ask"
	"hush/core/message"
)

// Proposed returns a title for a page that has none: the name of its data set, or else of its
// source; empty if neither has one.
func (p Page) Proposed(say *message.Language) string {
	var recipes []ask.Recipe
	for _, f := range p.Figures() {
		if f.Release != nil {
			recipes = append(recipes, f.Release.Recipe)
		}
	}
	return ProposedTitle(say, p.Source, recipes)
}

// Source returns a source line as it is printed: without the word "Source:", in English or in the
// reader's language, that its author began it with. What prints it says that word itself.
func Source(say *message.Language, line string) string {
	for _, word := range []string{say.Text("Source"), "Source"} {
		if len(line) < len(word) || !strings.EqualFold(line[:len(word)], word) {
			continue
		}
		rest := strings.TrimLeft(line[len(word):], " \u00a0")
		for _, colon := range []string{":", "："} {
			if bare, is := strings.CutPrefix(rest, colon); is {
				return strings.TrimSpace(bare)
			}
		}
	}
	return line
}

// ProposedTitle returns a title for a page with a source line and figures of these questions: the
// name of the data set that all are about, the source line, or the source that all name. Addresses
// and names of files are left out, since they say nothing to a reader.
func ProposedTitle(say *message.Language, source string, questions []ask.Recipe) string {
	var data, named string
	for i, r := range questions {
		if i == 0 {
			data, named = r.Data, r.Source
		}
		if r.Data != data {
			data = ""
		}
		if r.Source != named {
			named = ""
		}
	}
	return cmp.Or(titled(data), titled(Source(say, source)), titled(Source(say, named)))
}

// mostTitle is the largest number of characters of a proposed title.
const mostTitle = 120

var (
	address  = regexp.MustCompile(`(?i)[(<[]?\b([a-z][a-z0-9+.-]*://|www\.)\S*`)
	fileName = regexp.MustCompile(`(?i)[^\s/\\]+\.(csv|tsv|txt|tab|json|jsonl|ndjson|xml|html?|` +
		`xlsx?|ods|zip|gz|bz2|zst|xz|7z|parquet|arrow|feather|avro|orc|db|sqlite|sql|dta|sav|rds|` +
		`rdata|sas7bdat|xpt|pdf|docx?)\b\S*`)
)

// titled returns a text without addresses and names of files; empty if no title is left.
func titled(text string) string {
	text = fileName.ReplaceAllString(address.ReplaceAllString(text, " "), " ")
	text = strings.Join(strings.Fields(text), " ")
	text = strings.TrimFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(",;:/\\|·•–—-([<", r)
	})
	if !strings.ContainsFunc(text, unicode.IsLetter) || len([]rune(text)) > mostTitle {
		return ""
	}
	return text
}
