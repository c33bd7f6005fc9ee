package chart

import (
	"encoding/json"
	"slices"
	"unicode/utf8"

	"hush/web/chart/plot"
	"hush/web/say"
	"hush/web/state/session"
)

// Compared draws releases of one kind, about one column, in one picture, and returns the size of
// its frame. It returns nil if they have no picture in common.
func Compared(chosen []*session.Past) (option json.RawMessage, class string) {
	first := chosen[0].Release
	for _, p := range chosen[1:] {
		if p.Release.Recipe.Task != first.Recipe.Task ||
			p.Release.Plan.Column != first.Plan.Column {
			return nil, ""
		}
	}
	view, ok := viewOfAnswer(first).(comparedView)
	if !ok {
		return nil, ""
	}
	o, tall := view.compare(chosen)
	if o == nil {
		return nil, ""
	}
	class = "chart short"
	if tall {
		class = "chart"
	}
	return plot.Finished(o, say.Text("Releases side by side.")), class
}

// comparedColours distinguish releases, in the order in which they were made.
var comparedColours = []string{plot.Accent, "var(--warn)", plot.Soft, "var(--bad)",
	"var(--line-strong)"}

// comparedDashes distinguish their lines where colours do not.
var comparedDashes = []any{"solid", []int{8, 4}, []int{2, 3}, []int{12, 4, 2, 4}}

func comparedColour(i int) string { return comparedColours[i%len(comparedColours)] }

// legend makes room for itself above a picture.
func legend(o object) object {
	o["legend"] = object{"top": 0, "textStyle": object{"color": plot.Ink}}
	o["grid"].(object)["top"] = 64
	return o
}

// aside makes a picture of releases side by side: with a legend, and room for the names of axes.
func aside(o object) object {
	o["animation"] = false
	o["grid"].(object)["bottom"] = 36
	return legend(o)
}

// named gives an axis its name, in a picture without words around it.
func named(axis object, name string) {
	axis["name"], axis["nameLocation"], axis["nameGap"] = name, "middle", 30
}

// comparedBars draws the values of the releases side by side, above their names; if these are long
// or many, one below another beside their names, so that all can be read.
func comparedBars(chosen []*session.Past, across, along string, names []string,
	values [][]any) object {
	x, y := plot.Axis("category", across), plot.Axis("value", along)
	y["nameTextStyle"] = object{"color": plot.Soft, "align": "left"}
	shown, lying := make([]string, len(names)), len(names) > plot.ManyBars
	for i, name := range names {
		shown[i] = plot.Shortened(name, plot.ShortName)
		lying = lying || utf8.RuneCountInString(name) > plot.LongName
	}
	x["data"], x["nameLocation"], x["nameGap"] = shown, "middle", 32
	if lying {
		x["inverse"], x["name"] = true, ""
		named(y, along)
		x, y = y, x
	}
	var series []object
	for i, p := range chosen {
		series = append(series,
			object{"type": "bar", "name": p.SeriesName(), "data": values[i],
				"barMaxWidth": 48, "itemStyle": object{"color": comparedColour(i)}})
	}
	return aside(object{
		"grid": object{"left": 8, "right": 16, "top": 36, "bottom": 36, "containLabel": true},
		"tooltip": object{"trigger": "axis", "renderMode": "richText",
			"axisPointer": object{"type": "shadow"}},
		"xAxis": x, "yAxis": y, "series": series,
	})
}

// comparedLine is the line of a release with its band, among those of others.
func comparedLine(banded []object, i int, p *session.Past) object {
	line := banded[2]
	line["name"] = p.SeriesName()
	penned(i, line)
	delete(line, "areaStyle")
	return line
}

// penned gives a line the colour and the dashes of number i of several.
func penned(i int, line object) {
	line["itemStyle"] = object{"color": comparedColour(i)}
	line["lineStyle"] = object{"color": comparedColour(i), "width": 2,
		"type": comparedDashes[i%len(comparedDashes)]}
}

// sameFigures reports whether releases have figures with the same names: bars need them below.
func sameFigures(chosen []*session.Past) bool {
	names := func(p *session.Past) (list []string) {
		for _, f := range Figures(p.Release) {
			list = append(list, f.Name)
		}
		return list
	}
	for _, p := range chosen[1:] {
		if !slices.Equal(names(p), names(chosen[0])) {
			return false
		}
	}
	return true
}
