package report

import (
	"fmt"
	"strings"

	"hush/core/ask"
	"hush/core/task"
	"hush/web/chart"
	"hush/web/say"
)

// File is a file that is saved. It holds a text; or an archive of files, such as a workbook; or a
// picture, given as SVG, which the browser converts to PNG; or the program that asks again, which
// the browser knows.
type File struct {
	Name  string `json:"name"`
	Text  string `json:"text,omitempty"`
	Files []File `json:"files,omitempty"`
	PNG   string `json:"png,omitempty"`
}

// tableName is the name of a figure's CSV file.
func tableName(number int) string {
	return fmt.Sprintf("figures/figure-%d.csv", number)
}

// dictionary explains each column of each figure's table.
func (r Report) dictionary() [][]string {
	rows := [][]string{{"file", "name", "meaning", "unit", "error"}}
	for i, f := range r.Page.Figures() {
		for _, c := range columnsOf(f.Release) {
			rows = append(rows, []string{tableName(i + 1), c.name, c.meaning, c.unit, c.off})
		}
	}
	return rows
}

// column is a column of a figure's table, for programs.
type column struct {
	name, meaning, unit, off string
	number                   bool // all its cells are numbers
}

// Columns with the same meaning in all tables.
const (
	lowColumn  = "low"
	highColumn = "high"
)

// columnsOf returns the columns of a release's table.
func columnsOf(r *task.Release) (list []column) {
	rows, headers := r.Rows()
	_, many := r.Recipe.Noun.Words()
	value := valueColumn(rows, headers)
	for i, name := range rows[0] {
		c := column{name: name, number: isNumbers(rows[1:], i)}
		switch {
		case name == lowColumn:
			c.meaning = say.Text("the least that the true number is in 95 of 100 releases")
		case name == highColumn:
			c.meaning = say.Text("the most that the true number is in 95 of 100 releases")
		case i >= len(headers) && name == "only":
			c.meaning = say.Text("whom the row is about: only people who meet these conditions")
		case i >= len(headers):
			c.meaning = say.Text("whether to rely on the row: good, rough, noise, or unverified")
		default:
			c.meaning = headers[i]
		}
		switch {
		case !c.number:
		case name == "count" || name == "people":
			c.unit = say.Phrase(many)
		case i == value && r.Recipe.Group == nil || strings.HasSuffix(name, "_from") ||
			strings.HasSuffix(name, "_to") || name == "from" || name == "to":
			c.unit = r.Recipe.Unit
		}
		if i == value {
			c.off = chart.CaptionOf(r).Off
			if i+1 < len(rows[0]) && rows[0][i+1] == lowColumn {
				c.off = say.Text("from low to high")
			}
		}
		list = append(list, c)
	}
	return list
}

// isNumbers reports whether a column has rows, and all its cells are numbers.
func isNumbers(rows [][]string, column int) bool {
	for _, row := range rows {
		if !isNumber(row[column]) {
			return false
		}
	}
	return len(rows) > 0
}

// isNumber reports whether a cell is a number that a spreadsheet keeps unchanged: with at most 15
// digits, and not a code such as 007.
func isNumber(cell string) bool {
	digits := strings.TrimPrefix(cell, "-")
	return ask.IsNumber(cell) && len(digits) <= 15 &&
		(len(digits) < 2 || digits[0] != '0' || digits[1] == '.')
}

// valueColumn returns the column of a table from which a chart is drawn, or -1 if there is none.
func valueColumn(rows [][]string, headers []string) int {
	names := rows[0]
	for i, name := range names {
		ranged := i+1 < len(headers) && (names[i+1] == lowColumn ||
			strings.HasPrefix(headers[i+1], "±"))
		if (ranged || name == "count") && isNumbers(rows[1:], i) {
			return i
		}
	}
	for i, name := range names {
		if (name == "people" || name == "contacts" || name == "strength") &&
			isNumbers(rows[1:], i) {
			return i
		}
	}
	if len(rows) == 2 { // a single number
		for i := range names {
			if isNumbers(rows[1:], i) {
				return i
			}
		}
	}
	return -1
}
