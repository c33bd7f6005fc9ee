package chart

import (
	"cmp"
	"encoding/json"
	"math"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/message"
	"hush/web/say"
)

const evenColour = "var(--line)"

// Preview draws the picture to come: everybody spread evenly, or a value in the middle of its
// range, in grey, with the error to expect at its true scale. Nothing in it is data. It is nil
// where the question has no picture to come; tall tells whether it needs a tall frame.
func Preview(plan ask.Plan, r ask.Recipe) (option json.RawMessage, tall bool) {
	f := plan.Frame
	if f == nil {
		return nil, false
	}
	p := previewOf(f, r.Domain.Kind)
	p.plot["animation"] = false
	o, m := r.Noun.Words()
	_, many := say.Phrase(o), say.Phrase(m)
	p.plot["words"] = p.words(Text{Note: evenly(plan, f, many), Source: sourceOf(r)})
	return finished(p.plot, say.Format("The picture to come: %s.", f.Axis)), p.tall
}

// evenly says what the grey shapes are, and what the error is.
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
		note += say.Format("The grey line is not data: it is that of %s spread evenly.", many)
	default:
		note += say.Text("The grey point is not data: it is the middle of what is possible.")
	}
	return note
}

// inUnit writes a number of the frame with what it counts.
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

// rounded writes a number with three digits, or whole.
func rounded(x float64) string {
	if x == 0 || math.IsInf(x, 0) {
		return Number(x)
	}
	if math.Abs(x) >= 100 {
		return Number(math.Round(x))
	}
	unit := math.Pow10(2 - int(math.Floor(math.Log10(math.Abs(x)))))
	return Number(math.Round(x*unit) / unit)
}

// previewOf lays a frame out, by the kinds of pictures of releases.
func previewOf(f *ask.Frame, of domain.Kind) picture {
	kind, at := "value", func(x float64) float64 { return x }
	if of == domain.Date || of == domain.Timestamp {
		kind, at = "time", func(x float64) float64 { return 1000 * x } // milliseconds, as the axis
	}
	edges := make([]float64, len(f.Edges))
	for i, x := range f.Edges {
		edges[i] = at(x)
	}
	one := bar{value: f.Even, low: 1, high: 0} // no range
	if f.Error >= 0 {
		one.low, one.high = within(f.Even-f.Error, f.Lo, f.Hi), within(f.Even+f.Error, f.Lo, f.Hi)
	}
	var p picture
	switch f.Kind {
	case ask.FrameBins:
		list := make([]bar, len(f.Edges)-1)
		for i := range list {
			list[i] = one
		}
		if len(list) > mostBars {
			p = outlined(list, edges, f.Unit, kind)
		} else {
			p = touching(list, edges, f.Unit, kind)
		}
		p.axis, p.unit = f.Axis, f.Unit
		// with room above, where the bars of true data will be
		top, _ := evenEnd(1.6*f.Even+math.Max(f.Error, 0), 6)
		p.plot["yAxis"].(object)["max"] = top
	case ask.FrameBars:
		list := make([]bar, len(f.Labels))
		for i, name := range f.Labels {
			list[i] = one
			list[i].name = name
		}
		if f.Lo > 0 {
			p = dots(f.Unit, list, f.Lo, f.Hi)
		} else {
			p = standing(f.Unit, list, f.Lo, f.Hi, false)
		}
		p.axis, p.unit = f.Axis, f.Unit
		if p.rows != nil {
			p.axis, p.unit = cmp.Or(f.Unit, f.Axis), f.Axis
		}
	case ask.FrameNumber:
		if f.Error >= 0 {
			// a count, or a mean of numbers
			kind, at = "value", func(x float64) float64 { return x }
		}
		p = alone(point{name: f.Axis, kind: kind, at: at(f.Even), low: one.low, high: one.high,
			known:  true,
			ranged: f.Error >= 0, lo: at(f.Lo), hi: at(f.Hi), scaled: true})
		p.axis = withUnit(f.Axis, f.Unit)
	case ask.FrameCurve:
		p = rising(f, kind, edges)
	case ask.FrameTable:
		return tableToCome(f)
	}
	for _, s := range p.plot["series"].([]object) { // grey stands for what is not known yet
		style, ok := s["itemStyle"].(object)
		if ok && style["color"] == accentColour {
			style["color"] = evenColour
			if s["type"] == "scatter" {
				style["color"] = hatchColour
			}
		}
		if area, ok := s["areaStyle"].(object); ok {
			area["color"] = hatchColour
		}
		if line, ok := s["lineStyle"].(object); ok && line["color"] == accentColour {
			line["color"] = hatchColour
		}
	}
	return p
}

// tableToCome has everybody spread evenly over its cells.
func tableToCome(f *ask.Frame) picture {
	columns := f.Labels[:min(len(f.Labels), mostInHeatMap)]
	var cells []heatCell
	for y := range f.Rows {
		for x := range columns {
			cells = append(cells, heatCell{x, y, math.Round(f.Even),
				ask.Judge(f.Error, f.Even) == ask.Noise})
		}
	}
	p := tableMap(columns, f.Rows, f.Unit, f.Axis, cells)
	p.plot["visualMap"].(object)["show"] = false
	p.plot["visualMap"].(object)["inRange"] = object{"color": []string{evenColour, evenColour}}
	for _, s := range p.plot["series"].([]object)[:1] {
		for _, cell := range s["data"].([]object) {
			delete(cell["label"].(object), "color")
		}
	}
	return p
}

// rising is a line from nobody to everybody, with its band.
func rising(f *ask.Frame, kind string, edges []float64) picture {
	x, y := valueOnly(kind), valueOnly("value")
	x["min"], x["max"], y["min"], y["max"] = edges[0], edges[1], f.Lo, f.Hi
	if kind == "value" {
		numbered(x, edges[0], edges[1])
	}
	const steps = 40 // so that the band's corners, at nobody and everybody, are where they belong
	var line, low, height [][]any
	for i := range steps + 1 {
		part := float64(i) / steps
		place, value := edges[0]+part*(edges[1]-edges[0]), f.Lo+part*(f.Hi-f.Lo)
		from := within(value-f.Error, f.Lo, f.Hi)
		line, low = append(line, []any{place, value}), append(low, []any{place, from})
		height = append(height, []any{place, within(value+f.Error, f.Lo, f.Hi) - from})
	}
	series := band(f.Axis, line, low, height)
	for _, s := range series {
		s["showSymbol"] = false
	}
	return picture{tall: true, axis: f.Axis, unit: f.Unit, plot: object{
		"grid": grid(), "xAxis": x, "yAxis": y, "series": series,
	}}
}
