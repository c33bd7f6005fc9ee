package task

import (
	"fmt"
	"strings"

	"hush/core/ask"
	"hush/core/classify"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/table"
)

const paramCases = "cases"

// cases are the public cases.
type cases struct {
	points []classify.Point
	values [][]string
}

// featuresOf returns a recipe's columns as features of rules.
func featuresOf(say *message.Language, fields []ask.Other) (list []classify.Feature) {
	for _, f := range fields {
		list = append(list, classify.Feature{Name: f.Name(say), Values: f.Values, Cuts: f.CutCodes})
	}
	return list
}

// readCases reads a table of at most most cases, by the features' domains.
func readCases(features []classify.Feature, text string, most int64) (all cases, err error) {
	if text = strings.TrimSpace(text); text == "" {
		return all, ask.Refuse(paramCases, "none",
			phrase.Of("the new cases as a table: one a line, the features in their order"))
	}
	options, err := surveyed([]byte(text + "\n"))
	if err != nil {
		return all, err
	}
	if options.Columns != len(features) {
		return all, ask.Refuse(paramCases, phrase.Of("a table of %d columns", options.Columns),
			phrase.Of("%d: one for each feature, in their order", len(features)))
	}
	var wanted []table.Wanted
	for i, f := range features {
		wanted = append(wanted, table.Wanted{Column: i + 1, Spec: f.Values.Spec()})
	}
	encode, err := table.NewEncode(table.EncodeParams{Options: options, Columns: wanted})
	if err != nil {
		return all, err
	}
	if err := ask.ReadAll(encode, []byte(text+"\n")); err != nil {
		return all, err
	}
	result := encode.Result()
	if result.Rows > most {
		return all, ask.Refuse(paramCases, phrase.Of("%d of them", result.Rows),
			phrase.Of("at most %d", most))
	}
	for row := range int(result.Rows) {
		point, values,
			missing := newCase(features, func(i int) (uint64, bool) {
			return result.Columns[i].Code(row)
		})
		if missing >= 0 {
			f := features[missing]
			return all, ask.Refuse(
				paramCases, phrase.Of("case %d without a value of %s", row+1, f.Name),
				phrase.Of("for each case %s", f.Values.Describe()))
		}
		all.points, all.values = append(all.points, point), append(all.values, values)
	}
	if len(all.points) == 0 {
		return all, ask.Refuse(paramCases, "none", phrase.Of("at least one case below the names"))
	}
	return all, nil
}

// newCase makes a case from codes, with its values written out; missing is the first feature
// without a value, or −1.
func newCase(features []classify.Feature,
	code func(i int) (uint64, bool)) (point classify.Point, values []string, missing int) {
	for i, f := range features {
		c, ok := code(i)
		if !ok {
			return nil, nil, i
		}
		point, values = append(point, f.Code(c)), append(values, f.Values.Decode(c))
	}
	return point, values, -1
}

// readCase reads one case from the cells of a form. Errors name the feature: "case.0".
func readCase(features []classify.Feature, cells []string) (classify.Point, []string, error) {
	if len(cells) != len(features) {
		return nil, nil,
			ask.Refuse(paramCases, phrase.Of("a case of %d values", len(cells)),
				phrase.Of("%d: one for each feature", len(features)))
	}
	point, values, missing := newCase(features, func(i int) (uint64, bool) {
		return features[i].Values.Encode([]byte(strings.TrimSpace(cells[i])))
	})
	if missing >= 0 {
		return nil, nil,
			ask.Refuse(fmt.Sprintf("case.%d", missing), fmt.Sprintf("%.100q", cells[missing]),
				features[missing].Values.Describe())
	}
	return point, values, nil
}

// surveyed returns the reading options for a short public text.
func surveyed(text []byte) (table.Options, error) {
	survey, err := table.NewSurvey(table.Options{})
	if err != nil {
		return table.Options{}, err
	}
	if err := ask.ReadAll(survey, text); err != nil {
		return table.Options{}, err
	}
	return survey.Result().Options, nil
}
