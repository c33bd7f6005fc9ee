package chart

import (
	"strings"
	"testing"

	"hush/core/task"
)

// TestTableSaysWhoIsLeftOut: a table in which people without a value have no cell says so below it,
// without their number; one in which they have one does not.
func TestTableSaysWhoIsLeftOut(t *testing.T) {
	const says = "without a value are in no cell."
	for _, whole := range []bool{false, true} {
		r := &task.Release{}
		r.Recipe.Noun.One, r.Recipe.Noun.Many = "patient", "patients"
		r.Plan.People = 900
		r.Answer.Result = &task.ContingencyTable{Whole: whole, People: 900,
			Counts: []int64{500, 156},
			Axes: []task.Axis{{Column: "ward", Places: []task.Place{{Label: "Hill"},
				{Label: "Mill"}}}}, Margins: []task.Margin{{Of: []int{0}, Error: 5, Sure: 6}}}
		option, _ := Of(r)
		if strings.Contains(string(option), "Patients "+says) == whole {
			t.Errorf("everybody in a cell is %t, and the picture says %s", whole, option)
		}
		if strings.Contains(string(option), "244") {
			t.Error("how many are in no cell is published")
		}
	}
}
