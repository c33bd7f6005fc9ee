package webtest

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// fold writes an indented text in fewer lines: what is between a line and the next one that is
// indented as it is joins them where all of it has room in a line, and always in what a reader
// takes as one: the row of a table, a choice, a word explained. Short lines of numbers share one.
func fold(text, between string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	var out []string
	for _, line := range lines {
		out = append(out, line)
		indent := indentOf(line)
		if !strings.HasPrefix(line[indent:], "</") && !strings.HasPrefix(line[indent:], "}") &&
			!strings.HasPrefix(line[indent:], "]") {
			if n := len(out) - 2; n >= 0 && strings.HasPrefix(line[indent:], "[") &&
				strings.HasSuffix(out[n], "],") &&
				indentOf(out[n]) == indent && len(out[n])+len(line) < width {
				out = append(out[:n], out[n]+" "+line[indent:])
			}
			continue
		}
		begin := len(out) - 2
		for begin >= 0 && indentOf(out[begin]) > indent {
			begin--
		}
		if begin < 0 || indentOf(out[begin]) != indent {
			continue
		}
		joined := out[begin]
		for _, piece := range out[begin+1:] {
			joined += between + strings.TrimLeft(piece, " ")
		}
		if utf8.RuneCountInString(joined) <= width || slices.Contains(whole, line[indent:]) {
			out = append(out[:begin], joined)
		}
	}
	return strings.Join(out, "\n") + "\n"
}

const width = 120 // columns

var whole = []string{"</tr>", "</label>", "</details>"}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
