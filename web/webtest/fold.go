package webtest

import (
	"crypto/sha256"
	"fmt"
	"regexp"
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

// abridged returns a golden as it is kept: a line repeated several times in a row stands there
// once, with the number of times, and a long table has its first rows and a hash of all that
// follow.
func abridged(text string) string {
	const few, rows = 3, 40
	var out strings.Builder
	for lines := strings.SplitAfter(text, "\n"); len(lines) > 0; {
		same, table := 1, 0
		for same < len(lines) && lines[same] == lines[0] {
			same++
		}
		for table < len(lines) && ofTable.MatchString(lines[table]) {
			table++
		}
		n := 1
		switch {
		case table > rows:
			rest := strings.Join(lines[rows:table], "")
			fmt.Fprintf(&out, "%s… and %d rows, %x\n", strings.Join(lines[:rows], ""), table-rows,
				sha256.Sum256([]byte(rest)))
			n = table
		case same > few:
			fmt.Fprintf(&out, "%s × %d\n", strings.TrimSuffix(lines[0], "\n"), same)
			n = same
		default:
			out.WriteString(lines[0])
		}
		lines = lines[n:]
	}
	return out.String()
}

// ofTable returns the lines of a table, also where its rows are drawn some at a time.
var ofTable = regexp.MustCompile(`^ *(<tr|</?tbody|<parts\.TableRows)|^\n$`)

const width = 120 // columns

var whole = []string{"</tr>", "</label>", "</details>"}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
