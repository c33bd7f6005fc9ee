package chart

import (
	"slices"
	"strings"
	"unicode"

	"hush/core/ask"
	"hush/core/message"
	"hush/core/task"
)

// NumberColumns returns a function that reports which columns of an answer's table hold numbers:
// all but the first, unless they contain words.
func NumberColumns(rows [][]string) func(column int) bool {
	return func(column int) bool {
		return column > 0 && !slices.ContainsFunc(rows, func(row []string) bool {
			return strings.IndexFunc(row[column], unicode.IsLetter) == 0
		})
	}
}

// GroupedCounts writes the counts in an answer's table as everywhere on the page; files keep their
// plain digits. Other columns hold values of the data, where a whole number may be a year.
func GroupedCounts(result ask.Result, rows [][]string) [][]string {
	list := make([][]string, len(rows))
	for i, row := range rows {
		list[i] = slices.Clone(row)
		for k := firstCount(result, len(row)); k < len(row); k++ {
			list[i][k] = message.GroupedText(row[k])
		}
	}
	return list
}

// firstCount returns the column of an answer's table from which on all are counts.
func firstCount(result ask.Result, columns int) int {
	switch r := result.(type) {
	case *task.Histogram, *task.Distribution, *task.Conjunctions:
		return 1
	case *task.Density, *task.Contacts:
		return 2
	case *task.Clusters, *task.Survival:
		return columns - 3
	case *task.ContingencyTable, *task.TableSet, *task.Joint:
		return columns - 3
	case *task.Medians:
		return columns - 4
	case *task.MadeUp, *task.Quantiles, *task.Median:
		return columns - 1
	case *task.Estimates:
		if r.Counts() {
			return columns % 3 // after the name of a group
		}
	}
	return columns
}
