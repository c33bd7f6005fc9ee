package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"hush/core/ask"
	"hush/core/phrase"
	"hush/core/task"
)

// The dimensions of a table in a terminal.
const (
	mostShown  = 24 // rows
	longestBar = 24 // characters
)

// showRows shows an answer with several rows as a table, with a bar for each number that has a
// range. rest says where to find the rows that are left out.
func showRows(w io.Writer, r *task.Release, rest string) error {
	all, _ := r.Rows()
	if len(all) < 3 {
		return nil // the sentence contains everything in a single row
	}
	rows := slices.Clone(all[:min(len(all), 1+mostShown)])
	value := valueColumn(rows[0])
	bars := barsOf(all, value)
	widths := make([]int, len(rows[0]))
	for i, row := range rows {
		rows[i] = slices.Clone(row)
		for k, cell := range row {
			rows[i][k] = phrase.Visible(cell)
			widths[k] = max(widths[k], utf8.RuneCountInString(rows[i][k]))
		}
	}
	for i, row := range rows {
		line := ""
		for k, cell := range row {
			space := strings.Repeat(" ", widths[k]-utf8.RuneCountInString(cell))
			if ask.IsNumber(all[1][k]) {
				line += "  " + space + cell
			} else {
				line += "  " + cell + space
			}
			if k == value && i > 0 {
				line += "  " + bars[i-1]
			} else if k == value {
				line += strings.Repeat(" ", utf8.RuneCountInString(bars[0])+2)
			}
		}
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " ")); err != nil {
			return err
		}
	}
	if left := len(all) - len(rows); left > 0 {
		_, err := fmt.Fprintf(w, "  … and %d more rows: %s\n", left, rest)
		return err
	}
	return nil
}

// valueColumn returns the column of the numbers with a range, which stands after it, or -1 if there
// is none.
func valueColumn(header []string) int { return max(slices.Index(header, "low"), 0) - 1 }

// barsOf returns bars as long as the numbers of a column, from 0, all of one width; for a column of
// other cells, empty ones. Bars of noise are hatched, as in the page's charts.
func barsOf(rows [][]string, column int) []string {
	bars := make([]string, len(rows)-1)
	if column < 0 {
		return bars
	}
	numbers, most := make([]float64, len(bars)), 0.0
	for i, row := range rows[1:] {
		x, err := strconv.ParseFloat(row[column], 64)
		if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
			return bars
		}
		numbers[i], most = max(x, 0), max(most, x)
	}
	if most == 0 {
		return bars
	}
	for i, x := range numbers {
		ink, long := "█", int(math.Round(longestBar*x/most))
		if row := rows[i+1]; row[len(row)-1] == string(ask.Noise) {
			ink = "░"
		}
		bars[i] = strings.Repeat(ink, long) + strings.Repeat(" ", longestBar-long)
	}
	return bars
}
