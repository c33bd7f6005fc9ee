package report

import (
	"slices"
	"strings"

	"hush/core/task"
)

// redrawing says how a program can draw a figure again from its CSV file.
type redrawing struct {
	Kind   string   `json:"kind"`   // bars, line, or table where there is nothing to draw
	Labels []string `json:"labels"` // columns whose cells name a bar, or the positions of a line
	Value  string   `json:"value"`  // the column of the numbers
	Low    string   `json:"low"`    // the columns of their ranges; empty: there are none
	High   string   `json:"high"`
}

// redrawingOf derives this from a table for programs.
func redrawingOf(r *task.Release) redrawing {
	rows, headers := r.Rows()
	value := valueColumn(rows, headers)
	if value < 0 || len(rows) < 2 {
		return redrawing{Kind: "table"}
	}
	d := redrawing{Kind: "bars", Value: rows[0][value]}
	if value+2 < len(rows[0]) && rows[0][value+1] == lowColumn && rows[0][value+2] == highColumn &&
		isNumbers(rows[1:], value+1) && isNumbers(rows[1:], value+2) {
		d.Low, d.High = lowColumn, highColumn
	}
	for i, name := range rows[0][:min(value, len(headers))] {
		to := strings.HasSuffix(name, "_to") || name == "to"
		if !to || len(d.Labels) == 0 {
			d.Labels = append(d.Labels, name)
		}
		if i == 0 && len(rows) > mostRows && isNumbers(rows[1:], i) {
			d.Kind = "line"
		}
	}
	if d.Kind == "bars" { // a number beside names is not a name
		names := slices.DeleteFunc(slices.Clone(d.Labels), func(name string) bool {
			return isNumbers(rows[1:], slices.Index(rows[0], name))
		})
		if len(names) > 0 {
			d.Labels = names
		}
	}
	if len(d.Labels) != 1 {
		d.Kind = "bars"
	}
	return d
}
