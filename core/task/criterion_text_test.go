package task

import (
	"strings"
	"testing"

	"hush/core/ask"
)

// TestCriterionText: a line is taken apart and put together again; one that is not built like a
// criterion stays text.
func TestCriterionText(t *testing.T) {
	for line, want := range map[string]string{
		"pairs, 1 %":                       "pairs, 1 %",
		" Columns ,2%":                     "columns, 2 %",
		"mean, age, ":                      "mean, age, ",
		"median, \"a, b\", 3 %":            "median, \"a, b\", 3 %",
		"quantile, age, 10 %, 3 %":         "quantile, age, 10 %, 3 %",
		"correlation, say \"x\", pay, 0.1": "",
		"correlation, nobody, pay, x":      "correlation, nobody, pay, x",
		"pairs, 0.01":                      "",
		"mean, age, 2 %":                   "",
		"mean, age":                        "",
		"variance, age, 2":                 "",
		"":                                 "",
	} {
		c, ok := ReadCriterion(line)
		if ok != (want != "") || ok && c.Line() != want {
			t.Errorf("%q: %+v, %v", line, c, ok)
		}
	}
	lines, of := CriterionLines("pairs, 1 %\n\n mean, age, x \n", quotedLine("mean, age, x"))
	if len(lines) != 2 || of != 1 {
		t.Errorf("%q, %d", lines, of)
	}
	if _, of := CriterionLines("pairs, 1 %", "7"); of >= 0 {
		t.Errorf("a refusal of none is of line %d", of)
	}
}

// TestCriterionSuggested: tolerances that are suggested are above the noise of the check; for few
// people at a small ε none are.
func TestCriterionSuggested(t *testing.T) {
	for _, people := range []int{300, 8000} {
		file := staff(people)
		s := open(t, file)
		for _, epsilon := range []string{"0.5", "2"} {
			r := criteriaOf(s, epsilon)
			var lines []string
			for _, k := range CriterionKinds(nil, r) {
				c := CriterionText{Kind: k.Name, At: "25",
					Columns: CriterionColumns(nil, r, k.Name)[:k.Columns]}
				c.Within = c.Suggest(nil, r, int64(people))
				lines = append(lines, c.Line())
			}
			r.Params[ParamCriteria] = strings.Join(lines, "\n")
			if _, _, err := ask.Prepare(All{}, r, int64(people)); people == 8000 && err != nil {
				t.Errorf("%d people, ε = %s: %q: %v", people, epsilon, lines, err)
			} else if people == 300 && epsilon == "0.5" && err == nil {
				t.Errorf("300 people suffice for %q", lines)
			}
			t.Log(people, epsilon, lines)
		}
	}
	names := CriterionColumns(nil, criteriaOf(open(t, staff(10)), "1"), "mean")
	if strings.Join(names, " ") != "age wage" {
		t.Error(names)
	}
}
