package chart

import (
	"fmt"
	"math"
	"strings"

	"hush/core/message"
	"hush/core/task"
	"hush/web/chart/plot"
	"hush/web/say"
)

// clustersView shows centres of groups.
type clustersView struct{}

// picture draws the centres by the first two columns, larger if more people are near.
func (clustersView) picture(r *task.Release) plot.Picture {
	c := r.Answer.Result.(*task.Clusters)
	by := [2][]string{}
	most := int64(1)
	for _, one := range c.Centres {
		by[0], by[1] = append(by[0], one.Values[0]), append(by[1], one.Values[1])
		most = max(most, one.People)
	}
	var axes [2]object
	var place [2]func(i int) any
	for i := range axes {
		of := r.Recipe.Others[i].Domain
		axes[i], place[i] = plot.ValueAxis(of.Kind, c.Columns[i], by[i])
		delete(axes[i], "scale")
		_, low := plot.ValueAxis(of.Kind, "", []string{of.Lo, of.Hi})
		// all possible values, so that positions are meaningful
		axes[i]["min"], axes[i]["max"] = low(0), low(1)
	}
	_, many := nounOf(r)
	for i := range axes {
		delete(axes[i], "name") // the caption has them
	}
	points := make([]object, len(c.Centres))
	for i, one := range c.Centres {
		points[i] = object{
			"name":       fmt.Sprintf("%d: %s", i+1, strings.Join(one.Values, ", ")),
			"value":      []any{place[0](i), place[1](i), one.People},
			"symbolSize": int(math.Round(16 + 40*math.Sqrt(float64(one.People)/float64(most)))),
			"label": object{"show": true, "formatter": fmt.Sprint(i + 1), "color": plot.Ink,
				"fontWeight": 600},
		}
	}
	return plot.Picture{Tall: true, Height: 340, Axis: c.Columns[0], Unit: c.Columns[1],
		What: say.Format("Groups of %s by %s and %s", many, c.Columns[0], c.Columns[1]),
		Plot: object{
			"grid":    object{"left": 8, "right": 40, "top": 24, "bottom": 8, "containLabel": true},
			"tooltip": object{"trigger": "item", "renderMode": "richText"},
			"xAxis":   axes[0],
			"yAxis":   axes[1],
			"series": []object{
				{"type": "scatter", "name": say.Text("centre"), "data": points,
					"itemStyle": object{"color": plot.Accent, "opacity": 0.55}}},
		}}
}

func (clustersView) figures(r *task.Release) []Figure {
	c := r.Answer.Result.(*task.Clusters)
	list := []Figure{{say.Text("Groups"), fmt.Sprint(len(c.Centres))}}
	for i, one := range c.Centres {
		list = append(list,
			Figure{say.Format("Group %d", i+1),
				say.Format("%s: %s ± %s", strings.Join(one.Values, ", "),
					message.Grouped(one.People), howMany(r, c.Error))})
	}
	return list
}
