package chart

import (
	"hush/core/message"
	"hush/core/task"
	"hush/web/say"
)

// medianView shows one value with its rank.
type medianView struct{}

// chart draws where, among the people, the released value lies: a band around the middle.
func (medianView) chart(r *task.Release) (object, bool) {
	m := r.Answer.Result.(*task.Median)
	reach := max(2*m.RankError, 1)
	return bandChart(say.Text("people away from the exact middle"), [2]int64{-reach, reach},
		[2]int64{-m.RankError, m.RankError},
		object{"name": say.Text("median"), "symbolSize": 14,
			"data":  []object{{"name": m.Value, "value": [2]int{0, 0}}},
			"label": valueLabel(m.Value)}), false
}

// bandChart draws one range along an axis that reaches a little further, and a point with its name
// on it.
func bandChart(along string, reach, between [2]int64, point object) object {
	x, y := axis("value", along), axis("category", "")
	x["min"], x["max"], x["nameLocation"], x["nameGap"] = reach[0], reach[1], "middle", 28
	y["data"], y["axisLabel"], y["axisTick"] = []string{""}, object{"show": false},
		object{"show": false}
	point["type"], point["itemStyle"] = "scatter", object{"color": accentColour}
	return object{
		"grid":    object{"left": 16, "right": 16, "top": 40, "bottom": 44},
		"tooltip": object{"trigger": "item", "renderMode": "richText"},
		"xAxis":   x,
		"yAxis":   y,
		"series": []object{
			{"type": "custom", "name": say.Text("95 % range"), "renderItem": "errorBarHorizontal",
				"data":      [][3]int64{{0, between[0], between[1]}},
				"encode":    object{"x": []int{1, 2}, "y": 0},
				"itemStyle": object{"color": inkColour}},
			point,
		},
	}
}

func (medianView) figures(r *task.Release) []figure {
	m := r.Answer.Result.(*task.Median)
	return []figure{{"50 %", say.Format("%s (± %s people)", m.Value, message.Grouped(m.RankError))}}
}
