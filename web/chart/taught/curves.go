package taught

import (
	"encoding/json"
	"slices"

	"hush/core/message"
	"hush/core/study"
	"hush/web/chart/plot"
	"hush/web/engine"
	"hush/web/say"
)

// pen is the style of a line: lines of one algorithm share a colour and a symbol, empty and dashed
// if they are bounds.
type pen struct{ symbol, empty, mark, outline string }

var pens = []pen{
	{"circle", "emptyCircle", "●", "○"}, {"triangle", "emptyTriangle", "▲", "△"},
	{"rect", "emptyRect", "■", "□"}, {"diamond", "emptyDiamond", "◆", "◇"},
}

var penColours = []string{plot.Accent, "var(--warn)", "var(--bad)", plot.Ink}

// penOf returns the pen of a line: a measured line has its bound's.
func penOf(s *study.Study, line int) int {
	if of := s.Lines[line].Of; of >= 0 {
		return penOf(s, of)
	}
	n := 0
	for _, l := range s.Lines[:line] {
		if l.Of < 0 && l.Kind != study.Least {
			n++
		}
	}
	return n % len(pens)
}

// Key returns the mark of a line for the words beside a picture, and the number of its colour.
func Key(s *study.Study, line int) (mark string, colour int) {
	n := penOf(s, line)
	switch s.Lines[line].Kind {
	case study.Least:
		return "⋯", len(pens) - 1
	case study.Bound:
		return "╌" + pens[n].outline + "╌", n
	}
	return "─" + pens[n].mark + "─", n
}

// Curves draws the lines of a study, with both axes logarithmic. Values of 0 and missing values are
// not drawn. If the positions are powers of 2, so are the marks below them.
func Curves(s *study.Study, c *study.Curves) json.RawMessage {
	x, y := plot.Axis("log", say.Text(s.X)), plot.Axis("log", "")
	x["nameLocation"], x["nameGap"] = "middle", 28
	if first := c.X[0]; first&(first-1) == 0 {
		x["logBase"] = 2
	}
	var series []map[string]any
	for i, line := range s.Lines {
		n := penOf(s, i)
		symbol, style := pens[n].symbol, map[string]any{"color": penColours[n], "width": 2}
		switch line.Kind {
		case study.Bound:
			symbol, style["type"] = pens[n].empty, "dashed"
		case study.Least:
			symbol, style = "none", map[string]any{"color": plot.Ink, "width": 2, "type": "dotted"}
		}
		var data [][2]float64
		for at, values := range c.Y {
			if values[i] > 0 {
				data = append(data, [2]float64{float64(c.X[at]), values[i]})
			}
		}
		series = append(series, map[string]any{"type": "line", "name": say.Text(line.Name),
			"data": data, "symbol": symbol, "symbolSize": 8, "lineStyle": style,
			"itemStyle": map[string]any{"color": style["color"]}})
	}
	return json.RawMessage(engine.Encode(map[string]any{
		"backgroundColor": plot.Card,
		"textStyle":       map[string]any{"fontFamily": "system-ui, sans-serif", "color": plot.Ink},
		"grid": map[string]any{"left": 8, "right": 24, "top": 12, "bottom": 36,
			"containLabel": true},
		"tooltip": map[string]any{"trigger": "item", "renderMode": "richText"},
		"xAxis":   x, "yAxis": y, "series": series,
	}))
}

// CurveRows returns the same as a table, with a row for each line and a column for each position.
func CurveRows(s *study.Study, c *study.Curves) (head []string, rows [][]string) {
	head = []string{say.Text(s.X)}
	for _, x := range c.X {
		head = append(head, message.Grouped(int64(x)))
	}
	for i, line := range s.Lines {
		row := []string{say.Text(line.Name)}
		for _, values := range c.Y {
			text := "–"
			if values[i] != study.None {
				text = message.Prose(values[i])
			}
			row = append(row, text)
		}
		rows = append(rows, row)
	}
	return head, rows
}

// Undrawn reports whether a line is 0 somewhere, which a logarithmic axis cannot show.
func Undrawn(c *study.Curves) bool {
	return slices.ContainsFunc(c.Y, func(values []float64) bool {
		return slices.Contains(values, 0)
	})
}
