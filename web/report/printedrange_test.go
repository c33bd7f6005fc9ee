package report

import (
	"slices"
	"testing"

	"hush/core/ask"
	"hush/core/task"
)

// TestPrintedRanges: of the ranges of a median and of quantiles that are shown in the column's
// unit, read out of the sentence, 95 of 100 hold what they are of, those of one answer all at once.
// Where none is shown nothing is said.
func TestPrintedRanges(t *testing.T) {
	const runs = 400
	catalogue := task.Catalogue()
	for _, asked := range []struct {
		question, ranged string
		parts            []int
	}{
		{"median", `\(95.%: (` + digits + `) to (` + digits + `)\)`, []int{50}},
		{"quantiles", `% below ` + digits + ` \((` + digits + `) to (` + digits + `)\)`,
			[]int{25, 50, 75}},
	} {
		question := asked.question
		q := catalogue[slices.IndexFunc(catalogue, func(q ask.Task) bool {
			return q.ID == question
		})]
		shown, drawn := 0, 0
		for _, w := range towns {
			all, wrong := 0, 0
			one := query{recipe: func(w town, r *ask.Recipe) {
				mainColumn(w, r)
				r.Epsilon, r.Params = "1", ask.Params{"inUnit": "true", "stated": "measured"}
			}, print: func(p print) {
				drawn++
				found := compiled(asked.ranged).FindAllStringSubmatch(p.texts[itsSentence], -1)
				clear(p.texts) // TestPrintedIntervals reads the errors in people
				clear(p.tables)
				if found == nil {
					return
				}
				var values []float64
				for _, one := range p.people {
					values = append(values, float64(one.value))
				}
				slices.Sort(values)
				if len(found) != len(asked.parts) {
					t.Fatalf("%s, %s: %q", question, w.name, found)
				}
				n, held := len(values), true
				for i, span := range found {
					// by the definitions of a quantile that differ most
					least := values[(n*asked.parts[i]+99)/100-1]
					most := values[n*asked.parts[i]/100]
					held = held && read(span[1]) <= least && read(span[2]) >= most
				}
				if all++; !held {
					wrong++
				}
			}}
			printed(t, q, one, w, false, runs)
			t.Logf("%s, %s: %d of %d answers with ranges are wrong", question, w.name, wrong, all)
			if wrong > critical(all, .05) {
				t.Errorf("%s, %s: %d of %d answers with ranges are wrong, and at most %d by chance",
					question, w.name, wrong, all, critical(all, .05))
			}
			shown += all
		}
		if shown < drawn/len(towns) {
			t.Errorf("%s: %d answers have ranges only, of %d", question, shown, drawn)
		}
	}
}
