package web

import (
	"strings"
	"testing"
)

func TestChartOptions(t *testing.T) {
	m, f := asked(t)
	for _, id := range []string{"histogram", "median", "mean", "mean by group", "quantiles"} {
		m.Edit("", func(q *Question) {
			q.Task, q.Group = strings.Fields(id)[0], 0
			if strings.HasSuffix(id, "group") {
				q.Group, q.Groups = 3, "Hill\nMill"
			}
		})
		f.settle()
		m.Run()
		f.settle()
		option, _ := chartOption(m.Release.Result)
		golden(t, "chart-"+strings.ReplaceAll(id, " ", "-")+".json", indent(t, option))
	}
}
