// Package preview draws the picture to come, before a question is paid for.
package preview

import (
	"cmp"
	"encoding/json"
	"math"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/message"
	"hush/web/chart"
	"hush/web/chart/plot"
	"hush/web/say"
)

// object is a chart option, or a part of one.
type object = map[string]any

const evenColour = "var(--line)"

// Draw draws the picture to come: everybody spread evenly, or a value in the middle of its range,
// in grey, with the error to expect at its true scale. Nothing in it is data. It is nil if the
// question has no picture to come; tall reports whether it needs a tall frame.
func Draw(plan ask.Plan, r ask.Recipe) (option json.RawMessage, tall bool) {
	f := plan.Frame
	if f == nil {
		return nil, false
	}
	p := previewOf(f, r.Domain.Kind)
	p.Plot["animation"] = false
	o, m := r.Noun.Words()
	_, many := say.Phrase(o), say.Phrase(m)
	p.Plot["words"] = p.Words(plot.Text{Note: evenly(plan, f, many), Source: chart.SourceOf(r)})
	return plot.Finished(p.Plot, say.Format("The picture to come: %s.", f.Axis)), p.Tall
}

// evenly explains what the grey shapes are, and what the error is.
func evenly(plan ask.Plan, f *ask.Frame, many string) string {
	var note string
	if f.Error >= 0 {
		note = say.Format("Error bars are the error to expect, ± %s.", inUnit(f, f.Error)) + " "
		if f.Kind == ask.FrameCurve {
			note = say.Format("The band is the error to expect, ± %s.", inUnit(f, f.Error)) + " "
		}
	}
	switch f.Kind {
	case ask.FrameBins:
		note += say.Format("The grey bars are not data: %s %s spread evenly would be %s in each.",
			message.Grouped(plan.People), many, rounded(f.Even))
	case ask.FrameTable:
		return say.Format("The grey cells are not data: %s %s spread evenly would be %s in each, "+
			"± %s.", message.Grouped(plan.People), many, rounded(f.Even), inUnit(f, f.Error))
	case ask.FrameBars:
		note += say.Format("The grey bars are not data: each is drawn at %s.", inUnit(f, f.Even))
	case ask.FrameCurve:
		note += say.Format("The grey line is not data: it shows %s spread evenly.", many)
	default:
		note += say.Text("The grey point is a placeholder, not data.")
	}
	return note
}

// inUnit writes a number of the frame with its unit.
func inUnit(f *ask.Frame, x float64) string {
	if f.Unit == "" || f.Kind == ask.FrameCurve && f.Hi == 100 {
		if f.Kind == ask.FrameCurve {
			return rounded(x) + " %"
		}
		return rounded(x)
	}
	if f.Kind == ask.FrameCurve {
		return rounded(x)
	}
	return rounded(x) + " " + f.Unit
}

// rounded writes a number with three digits, or as a whole number.
func rounded(x float64) string {
	if x == 0 || math.IsInf(x, 0) {
		return plot.Number(x)
	}
	if math.Abs(x) >= 100 {
		return plot.Number(math.Round(x))
	}
	unit := math.Pow10(2 - int(math.Floor(math.Log10(math.Abs(x)))))
	return plot.Number(math.Round(x*unit) / unit)
}

// previewOf lays out a frame, like the pictures of releases.
func previewOf(f *ask.Frame, of domain.Kind) plot.Picture {
	kind, at := "value", func(x float64) float64 { return x }
	if of == domain.Date || of == domain.Timestamp {
		kind, at = "time", func(x float64) float64 { return 1000 * x } // milliseconds, as the axis
	}
	edges := make([]float64, len(f.Edges))
	for i, x := range f.Edges {
		edges[i] = at(x)
	}
	one := plot.Bar{Value: f.Even, Low: 1, High: 0} // no range
	if f.Error >= 0 {
		one.Low = plot.Within(f.Even-f.Error, f.Lo, f.Hi)
		one.High = plot.Within(f.Even+f.Error, f.Lo, f.Hi)
	}
	var p plot.Picture
	switch f.Kind {
	case ask.FrameBins:
		list := make([]plot.Bar, len(f.Edges)-1)
		for i := range list {
			list[i] = one
		}
		if len(list) > plot.MostBars {
			p = plot.Outlined(list, edges, f.Unit, kind)
		} else {
			p = plot.Touching(list, edges, f.Unit, kind)
		}
		p.Axis, p.Unit = f.Axis, f.Unit
		// with room above, where the bars of true data will be
		top, _ := plot.EvenEnd(1.6*f.Even+math.Max(f.Error, 0), 6)
		p.Plot["yAxis"].(object)["max"] = top
	case ask.FrameBars:
		list := make([]plot.Bar, len(f.Labels))
		for i, name := range f.Labels {
			list[i] = one
			list[i].Name = name
		}
		if f.Lo > 0 {
			p = plot.Dots(f.Unit, list, f.Lo, f.Hi)
		} else {
			p = plot.Standing(f.Unit, list, f.Lo, f.Hi, false)
		}
		p.Axis, p.Unit = f.Axis, f.Unit
		if p.Rows != nil {
			p.Axis, p.Unit = cmp.Or(f.Unit, f.Axis), f.Axis
		}
	case ask.FrameNumber:
		if f.Error >= 0 {
			// a count, or a mean of numbers
			kind, at = "value", func(x float64) float64 { return x }
		}
		p = plot.Alone(plot.Point{Name: f.Axis, Kind: kind, At: at(f.Even),
			Low: one.Low, High: one.High, Known: true, Ranged: f.Error >= 0,
			Lo: at(f.Lo), Hi: at(f.Hi), Scaled: true})
		p.Axis = plot.WithUnit(f.Axis, f.Unit)
	case ask.FrameCurve:
		p = rising(f, kind, edges)
	case ask.FrameTable:
		return tableToCome(f)
	}
	for _, s := range p.Plot["series"].([]object) { // grey marks a value that is not known yet
		style, ok := s["itemStyle"].(object)
		if ok && style["color"] == plot.Accent {
			style["color"] = evenColour
			if s["type"] == "scatter" {
				style["color"] = plot.Hatch
			}
		}
		if area, ok := s["areaStyle"].(object); ok {
			area["color"] = plot.Hatch
		}
		if line, ok := s["lineStyle"].(object); ok && line["color"] == plot.Accent {
			line["color"] = plot.Hatch
		}
	}
	return p
}

// tableToCome spreads everybody evenly over its cells.
func tableToCome(f *ask.Frame) plot.Picture {
	columns := f.Labels[:min(len(f.Labels), plot.MostInHeatMap)]
	var cells []plot.HeatCell
	for y := range f.Rows {
		for x := range columns {
			cells = append(cells, plot.HeatCell{X: x, Y: y, Count: math.Round(f.Even),
				Hatched: ask.Judge(f.Error, f.Even) == ask.Noise})
		}
	}
	p := plot.TableMap(columns, f.Rows, f.Unit, "", f.Axis, cells)
	p.Plot["visualMap"].(object)["show"] = false
	p.Plot["visualMap"].(object)["inRange"] = object{"color": []string{evenColour, evenColour}}
	for _, s := range p.Plot["series"].([]object)[:1] {
		for _, cell := range s["data"].([]object) {
			delete(cell["label"].(object), "color")
		}
	}
	return p
}

// rising is a line from nobody to everybody, with its band.
func rising(f *ask.Frame, kind string, edges []float64) plot.Picture {
	x, y := plot.ValueOnly(kind), plot.ValueOnly("value")
	x["min"], x["max"], y["min"], y["max"] = edges[0], edges[1], f.Lo, f.Hi
	if kind == "value" {
		plot.Numbered(x, edges[0], edges[1])
	}
	const steps = 40 // so that the band's corners, at nobody and everybody, are in the right place
	var line, low, height [][]any
	for i := range steps + 1 {
		part := float64(i) / steps
		place, value := edges[0]+part*(edges[1]-edges[0]), f.Lo+part*(f.Hi-f.Lo)
		from := plot.Within(value-f.Error, f.Lo, f.Hi)
		line, low = append(line, []any{place, value}), append(low, []any{place, from})
		height = append(height, []any{place, plot.Within(value+f.Error, f.Lo, f.Hi) - from})
	}
	series := plot.Band(f.Axis, line, low, height)
	for _, s := range series {
		s["showSymbol"] = false
	}
	return plot.Picture{Tall: true, Axis: f.Axis, Unit: f.Unit, Plot: object{
		"grid": plot.Grid(), "xAxis": x, "yAxis": y, "series": series,
	}}
}
