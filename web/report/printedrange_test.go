package report

import (
	"slices"
	"testing"

	"hush/core/ask"
	"hush/core/task"
)

// TestPrintedRangeOfMedian: of the ranges of a median that are shown in its column's unit, read out
// of the sentence, 95 of 100 hold a median of the people. Where none is shown nothing is said.
func TestPrintedRangeOfMedian(t *testing.T) {
	const runs = 400
	catalogue := task.Catalogue()
	q := catalogue[slices.IndexFunc(catalogue, func(q ask.Task) bool { return q.ID == "median" })]
	ranged := compiled(`\(95.%: (` + digits + `) to (` + digits + `)\)`)
	shown, drawn := 0, 0
	for _, w := range towns {
		all, wrong := 0, 0
		one := query{recipe: func(w town, r *ask.Recipe) {
			mainColumn(w, r)
			r.Epsilon, r.Params = "1", ask.Params{"inUnit": "true", "stated": "measured"}
		}, print: func(p print) {
			drawn++
			found := ranged.FindStringSubmatch(p.texts[itsSentence])
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
			n := len(values)
			if all++; read(found[1]) > values[n/2] || read(found[2]) < values[(n-1)/2] {
				wrong++
			}
		}}
		printed(t, q, one, w, false, runs)
		t.Logf("%s: %d of %d shown ranges are wrong", w.name, wrong, all)
		if wrong > critical(all, .05) {
			t.Errorf("%s: %d of %d shown ranges are wrong, and at most %d by chance", w.name,
				wrong, all, critical(all, .05))
		}
		shown += all
	}
	if shown < drawn/len(towns) {
		t.Errorf("%d ranges are shown only, of %d medians", shown, drawn)
	}
}
