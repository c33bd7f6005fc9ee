package answer

import (
	"testing"

	"hush/web/chart"
	"hush/web/webtest"
)

func TestComparison(t *testing.T) {
	for _, c := range []struct {
		chart string // empty: they have none in common
		kinds []string
	}{
		{"bars", []string{"histogram", "histogram"}},
		{"groups", []string{"mean by group", "mean by group"}},
		{"intervals", []string{"mean", "mean", "mean"}},
		{"lines", []string{"quantiles", "quantiles"}},
		{"", []string{"histogram", "median"}},
		{"", []string{"mean", "mean by group"}},
		{"", []string{"median", "median"}},
	} {
		m, _ := webtest.Several(t, c.kinds...)
		for i := range c.kinds {
			m.Answer.Compare(i+1, true)
		}
		chosen := m.History.Compared()
		header, rows := comparison(chosen)
		if len(header) != len(c.kinds) || len(rows) < 6 {
			t.Fatalf("%q: %d columns, %d rows", c.kinds, len(header), len(rows))
		}
		for _, row := range rows {
			if len(row.cells) != len(c.kinds) {
				t.Errorf("%q: %s has %d cells", c.kinds, row.name, len(row.cells))
			}
		}
		option, _ := chart.Compared(chosen)
		switch {
		case c.chart != "":
			webtest.Golden(t, "chart-compared-"+c.chart+".json", webtest.Indent(t, option))
		case option != nil:
			t.Errorf("%q: there is a picture of what has none in common", c.kinds)
		}
	}
}
