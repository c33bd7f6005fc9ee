package chart

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"hush/core/message"
)

// NumberColumns tells which columns of an answer's table are for numbers: all but the first, unless
// there are words in them.
func NumberColumns(rows [][]string) func(column int) bool {
	return func(column int) bool {
		return column > 0 && !slices.ContainsFunc(rows, func(row []string) bool {
			return strings.IndexFunc(row[column], unicode.IsLetter) == 0
		})
	}
}

// GroupedCounts writes the numbers of people in an answer's table as everywhere on the page; files
// keep their plain digits. Other answers hold values of the column, where a whole number may be a
// year.
func GroupedCounts(kind string, rows [][]string) [][]string {
	if kind != "histogram" && kind != "distribution" {
		return rows
	}
	list := make([][]string, len(rows))
	for i, row := range rows {
		list[i] = slices.Clone(row)
		for k := 1; k < len(row); k++ {
			if n, err := strconv.ParseInt(row[k], 10, 64); err == nil {
				list[i][k] = message.Grouped(n)
			}
		}
	}
	return list
}
