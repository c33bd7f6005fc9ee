// Package taught draws the many answers of a lesson: side by side, and their spread.
package taught

import (
	"encoding/json"
	"math"
	"slices"
	"strings"

	"hush/core/task"
	"hush/web/chart"
	"hush/web/chart/plot"
	"hush/web/say"
)

// object is a chart option, or a part of one.
type object = map[string]any

// Spread shows how the draws of one number scatter around the number almost without noise.
type Spread struct {
	Name      string
	Quiet     string
	truth     float64 // the number almost without noise, if it is known
	known     bool
	Draws     []float64 // ascending
	Off       float64   // the median distance from the quiet number
	Low, High float64   // nine draws of ten are between
}

// Spreads lists the released numbers of a lesson, starting with those that are numbers in each
// draw.
func Spreads(t *task.Taught) []Spread {
	var list []Spread
	for _, q := range parted(t.Quiet) {
		s := Spread{Name: q.shown.Name, Quiet: q.shown.Text}
		s.truth, s.known = chart.LeadingNumber(q.Text)
		var distances []float64
		for _, r := range t.Draws {
			for _, f := range parted(r) {
				if x, ok := chart.LeadingNumber(f.Text); ok && f.Name == q.Name {
					s.Draws = append(s.Draws, x)
					distances = append(distances, math.Abs(x-s.truth))
				}
			}
		}
		if len(s.Draws) < len(t.Draws) {
			continue // some draw lacks the number, so it has no spread
		}
		slices.Sort(s.Draws)
		slices.Sort(distances)
		s.Low, s.High = atPart(s.Draws, 0.05), atPart(s.Draws, 0.95)
		s.Off = atPart(distances, 0.5)
		list = append(list, s)
	}
	return list
}

// Shown returns a lesson's number with that name, or its first number.
func Shown(all []Spread, name string) Spread {
	return all[max(slices.IndexFunc(all, func(s Spread) bool { return s.Name == name }), 0)]
}

// atPart returns the value with that part of an ascending list below it.
func atPart(rising []float64, part float64) float64 {
	return rising[min(int(part*float64(len(rising))), len(rising)-1)]
}

// readable is a figure both in English, where its number can be read, and as shown.
type readable struct {
	chart.Figure
	shown chart.Figure
}

// parted reads the figures of an answer, and splits a range such as "21 to 71" in two.
func parted(r *task.Release) (list []readable) {
	shown := chart.Figures(r)
	var english []chart.Figure
	say.InEnglish(func() { english = chart.Figures(r) })
	for i, f := range english {
		low, high, found := strings.Cut(f.Text, " to ")
		_, first := chart.LeadingNumber(low)
		if _, second := chart.LeadingNumber(high); found && first && second {
			from, to := say.Format("%s, from", shown[i].Name), say.Format("%s, to", shown[i].Name)
			first := chart.Figure{Name: from, Text: low}
			second := chart.Figure{Name: to, Text: high}
			list = append(list, readable{first, first}, readable{second, second})
			continue
		}
		list = append(list, readable{f, shown[i]})
	}
	return list
}

// bins counts the draws in at most most bins of equal width.
func bins(rising []float64, most int) (edges []float64, counts []int) {
	low, high := rising[0], rising[len(rising)-1]
	n := min(most, max(1, len(rising)/4))
	if low == high {
		return []float64{low, high}, []int{len(rising)}
	}
	width := (high - low) / float64(n)
	counts = make([]int, n)
	for i := range n + 1 {
		edges = append(edges, low+float64(i)*width)
	}
	for _, x := range rising {
		counts[min(int((x-low)/width), n-1)]++
	}
	return edges, counts
}

// Histogram counts the draws by their value, and marks the true one.
func Histogram(s Spread) json.RawMessage {
	edges, counts := bins(s.Draws, 20)
	x := plot.FigureAxis(s.Name, edges[0], edges[len(edges)-1])
	y := plot.Axis("value", say.Text("draws"))
	y["minInterval"] = 1
	// Each bin is a step of a line with a filled area: a bar of its true width.
	points := [][]any{{edges[0], 0}}
	for i, n := range counts {
		points = append(points, []any{edges[i], n}, []any{edges[i+1], n})
	}
	points = append(points, []any{edges[len(edges)-1], 0})
	line := object{"type": "line", "name": say.Text("draws"), "data": points, "symbol": "none",
		"lineStyle": object{"color": plot.Accent, "width": 1},
		"areaStyle": object{"color": plot.Accent, "opacity": 0.5}}
	if s.known {
		line["markLine"] = object{"silent": true, "symbol": "none",
			"lineStyle": object{"color": "var(--warn)", "width": 2, "type": "solid"},
			"label": object{"show": true, "formatter": Quiet(),
				"color": plot.Ink}, "data": []object{{"xAxis": s.truth}}}
	}
	return plot.Finished(object{
		"grid":  object{"left": 8, "right": 44, "top": 36, "bottom": 36, "containLabel": true},
		"xAxis": x, "yAxis": y, "series": []object{line},
	}, say.Text("How the draws lie about the true answer."))
}
