package report

import (
	"encoding/json"
	"html"
	"strings"
)

// markup writes HTML. Only raw does not escape: it receives constants, and text that is already
// escaped.
type markup struct{ strings.Builder }

func (w *markup) raw(text string) { w.WriteString(text) }

func (w *markup) line(element, class, text string) {
	w.raw("<" + element)
	if class != "" {
		w.raw(` class="` + class + `"`)
	}
	w.raw(">" + html.EscapeString(text) + "</" + element + ">\n")
}

func (w *markup) fact(term, text string) {
	w.raw("<dt>" + html.EscapeString(term) + "</dt><dd>" + html.EscapeString(text) + "</dd>\n")
}

// data is a fact in its own language.
func (w *markup) data(term, text string) {
	w.raw("<dt>" + html.EscapeString(term) + "</dt><dd translate=\"no\">" +
		html.EscapeString(text) + "</dd>\n")
}

func (w *markup) cell(start, end string, number bool, text string) {
	w.raw("<" + start)
	if number {
		w.raw(` class="number"`)
	}
	w.raw(">" + html.EscapeString(text) + "</" + end + ">")
}

// row is a row of a table. The first column of head names rows and may be no number.
func (w *markup) row(cell string, texts []string, number func(column int) bool) {
	w.raw("<tr>")
	for i, text := range texts {
		if cell == "th" {
			w.cell(`th scope="col"`, "th", number(i), text)
		} else {
			w.cell("td", "td", number(i), text)
		}
	}
	w.raw("</tr>\n")
}

// indented writes a value as a JSON file.
func indented(value any) string {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		panic("web: internal error: " + err.Error())
	}
	return string(text) + "\n"
}
