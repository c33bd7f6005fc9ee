package web

import (
	"fmt"

	"hush/core/task"
)

// medianView shows one value with its rank.
type medianView struct{}

// chart draws where, among the people, the released value lies: a band around the middle.
func (medianView) chart(r *task.Release) (object, bool) {
	m := r.Answer.Result.(*task.Median)
	x, y := axis("value", "people away from the exact middle"), axis("category", "")
	reach := max(2*m.RankError, 1)
	x["min"], x["max"], x["nameLocation"], x["nameGap"] = -reach, reach, "middle", 28
	y["data"], y["axisLabel"], y["axisTick"] = []string{""}, object{"show": false}, object{"show": false}
	return object{
		"grid":    object{"left": 16, "right": 16, "top": 40, "bottom": 44},
		"tooltip": object{"trigger": "item", "renderMode": "richText"},
		"xAxis":   x,
		"yAxis":   y,
		"series": []object{
			{"type": "custom", "name": "95 % range", "renderItem": "errorBarHorizontal", "data": [][3]int64{{0, -m.RankError, m.RankError}},
				"encode": object{"x": []int{1, 2}, "y": 0}, "itemStyle": object{"color": inkColour}},
			{"type": "scatter", "name": "median", "symbolSize": 14, "data": []object{{"name": m.Value, "value": [2]int{0, 0}}}, "itemStyle": object{"color": accentColour},
				"label": valueLabel(m.Value)},
		},
	}, false
}

func (medianView) figures(r *task.Release) []figure {
	m := r.Answer.Result.(*task.Median)
	return []figure{{"50 %", fmt.Sprintf("%s (± %d people)", m.Value, m.RankError)}}
}
