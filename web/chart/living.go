package chart

import (
	"encoding/json"
	"math"
	"strings"

	"hush/core/joint"
	"hush/core/task"
	"hush/web/chart/plot"
	"hush/web/say"
)

// mostLivingBars is the number of a living table's numbers that are drawn.
const mostLivingBars = 60

// OfLiving draws the numbers from a living table, with the ranges that are known; nil if a picture
// would show no more than the sentence. left is the number of those that are not drawn.
func OfLiving(a *task.LivingAnswer, counts bool) (option json.RawMessage, left int) {
	var list []plot.Bar
	for _, row := range a.Rows {
		if row.Apart {
			continue
		}
		b := plot.Bar{Name: strings.Join(row.Places, " · "), Value: row.At, Low: 1, High: 0}
		b.Says = b.Name + ": " + row.Value
		if row.Ranged() && !math.IsInf(row.From, 0) && !math.IsInf(row.To, 0) {
			b.Low, b.High = row.From, row.To
			b.Says = plot.Said(b.Name, row.Value, row.Low, row.High)
		}
		b.Hatched = !row.Ranged()
		list = append(list, b)
	}
	if len(list) < 2 {
		return nil, 0
	}
	left = max(0, len(list)-mostLivingBars)
	list = list[:len(list)-left]
	lo, hi := math.Inf(-1), math.Inf(1)
	if counts {
		lo = 0
	}
	p := plot.LyingBars(a.Title, list, lo, hi)
	p.Axis, p.Bars = a.Title, plot.ErrorBars()
	note := p.Bars
	switch a.Known {
	case joint.ByBounds:
		note = say.Text("Bars show the bounds that pairs leave, in 95 of 100 releases.")
	case joint.Unmeasured:
		note = say.Text("Hatched: not measured, follows from pairs only.")
	}
	p.Plot["words"] = p.Words(plot.Text{Note: note})
	return plot.Finished(p.Plot, a.Sentence), left
}
