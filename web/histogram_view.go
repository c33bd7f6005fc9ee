package web

import (
	"hush/core/message"
	"hush/core/task"
)

// histogramView shows counts as bars.
type histogramView struct{}

// chart draws bars with 95 % error bars.
func (histogramView) chart(r *task.Release) (object, bool) {
	h := r.Answer.Result.(*task.Histogram)
	labels := make([]string, len(h.Bins))
	counts := make([]int64, len(h.Bins))
	ranges := make([][3]int64, len(h.Bins))
	for i, b := range h.Bins {
		labels[i], counts[i] = b.Label, b.Count
		ranges[i] = [3]int64{int64(i), b.Count - h.Error, b.Count + h.Error}
	}
	return barChart(r.Plan.Column, message.Text("people"), labels, counts, ranges), true
}

func (histogramView) figures(r *task.Release) (list []figure) {
	h := r.Answer.Result.(*task.Histogram)
	for _, b := range h.Bins {
		list = append(list, figure{b.Label, grouped(b.Count) + " ± " + grouped(h.Error)})
	}
	return list
}

// compare sets the bars of the releases side by side.
func (histogramView) compare(chosen []*Past) (object, bool) {
	if !sameFigures(chosen) {
		return nil, false
	}
	return comparedBars(chosen), true
}
