package chart

import (
	"strconv"

	"hush/core/message"
	"hush/core/phrase"
	"hush/core/task"
	"hush/web/say"
)

// What a lesson tells of a choice.
const FigureReached, FigureDrawn phrase.Key = "Percentile reached", "Candidates drawn"

// winnerView shows the best of several possible answers.
type winnerView struct{}

// chart draws the winner's noisy score with its range; without one, only its name.
func (winnerView) chart(r *task.Release) (object, bool) {
	w := r.Answer.Result.(*task.Winner)
	x, y := axis("value", w.Score), axis("category", "")
	x["nameLocation"], x["nameGap"], x["scale"] = "middle", 28, true
	y["data"], y["axisLabel"], y["axisTick"] = []string{""}, object{"show": false},
		object{"show": false}
	count, err1 := strconv.ParseFloat(w.Count, 64)
	off, err2 := strconv.ParseFloat(w.Error, 64)
	point := object{"type": "scatter", "name": say.Text("chosen"), "symbolSize": 14,
		"data":      []object{{"name": w.Value, "value": []float64{count, 0}}},
		"itemStyle": object{"color": accentColour}, "label": valueLabel(w.Value)}
	series := []object{point}
	if err1 != nil || err2 != nil {
		x["show"], point["symbolSize"] = false, 1
	} else {
		series = []object{
			{"type": "custom", "name": say.Text("95 % range"), "renderItem": "errorBarHorizontal",
				"data":      [][3]float64{{0, count - off, count + off}},
				"encode":    object{"x": []int{1, 2}, "y": 0},
				"itemStyle": object{"color": inkColour}},
			point}
	}
	return object{
		"grid":    object{"left": 24, "right": 24, "top": 40, "bottom": 44},
		"tooltip": object{"trigger": "item", "renderMode": "richText"},
		"xAxis":   x,
		"yAxis":   y,
		"series":  series,
	}, false
}

func (winnerView) figures(r *task.Release) []figure {
	w := r.Answer.Result.(*task.Winner)
	list := []figure{{say.Text("Chosen"), w.Value}}
	switch {
	case w.Value == "":
		list[0].Text = say.Text("nothing")
	case w.Count != "":
		list = append(list, figure{w.Score, w.Count + " ± " + w.Error})
	}
	if w.Reached != nil {
		list = append(list, figure{say.Text(FigureReached), Short(w.Reached.Percentile) + " %"},
			figure{say.Text(FigureDrawn), message.Grouped(w.Reached.Drawn)})
	}
	return list
}
