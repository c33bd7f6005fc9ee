package task

import (
	"fmt"
	"sort"
	"strings"

	"hush/core/classify"
	"hush/core/table"
)

// cases are the public cases.
type cases struct {
	points []classify.Point
	values [][]string
}

// code is a feature's code, or its bin: how many cuts are at or below it.
func (f other) code(code uint64) uint64 {
	if len(f.cuts) == 0 {
		return code
	}
	return uint64(sort.Search(len(f.cuts), func(i int) bool { return f.cuts[i] > code }))
}

// start is the first value of a code or bin.
func (f other) start(code uint64) string {
	if len(f.cuts) == 0 {
		return f.domain.Decode(code)
	}
	if code == 0 {
		return f.domain.Decode(0)
	}
	return f.domain.Decode(f.cuts[min(int(code), len(f.cuts))-1])
}

// readCases reads the pasted table with the features' domains.
func (c *labelling) readCases() (all cases, err error) {
	text := strings.TrimSpace(c.query.param(paramCases))
	if text == "" {
		return all, refuse(paramCases, "none", "the new cases as a table: one a line, the features in their order")
	}
	options, err := surveyed([]byte(text + "\n"))
	if err != nil {
		return all, err
	}
	if options.Columns != len(c.features) {
		return all, refuse(paramCases, fmt.Sprintf("a table of %d columns", options.Columns), fmt.Sprintf("%d: one for each feature, in their order", len(c.features)))
	}
	var wanted []table.Wanted
	for i, f := range c.features {
		wanted = append(wanted, table.Wanted{Column: i + 1, Spec: f.Domain})
	}
	encode, err := table.NewEncode(table.EncodeParams{Options: options, Columns: wanted})
	if err != nil {
		return all, err
	}
	if err := read(encode, []byte(text+"\n")); err != nil {
		return all, err
	}
	result := encode.Result()
	if result.Rows > mostCases {
		return all, refuse(paramCases, fmt.Sprintf("%d of them", result.Rows), fmt.Sprintf("at most %d", mostCases))
	}
	for row := range int(result.Rows) {
		point, values := make(classify.Point, len(c.features)), make([]string, len(c.features))
		for i, f := range c.features {
			code, ok := result.Columns[i].Code(row)
			if !ok {
				return all, refuse(paramCases, fmt.Sprintf("case %d without a value of %s", row+1, f.name()), "for each case "+f.domain.Describe())
			}
			point[i], values[i] = f.code(code), f.domain.Decode(code)
		}
		all.points, all.values = append(all.points, point), append(all.values, values)
	}
	if len(all.points) == 0 {
		return all, refuse(paramCases, "none", "at least one case below the names")
	}
	return all, nil
}

// surveyed are the reading options of a short public text.
func surveyed(text []byte) (table.Options, error) {
	survey, err := table.NewSurvey(table.Options{})
	if err != nil {
		return table.Options{}, err
	}
	if err := read(survey, text); err != nil {
		return table.Options{}, err
	}
	return survey.Result().Options, nil
}
