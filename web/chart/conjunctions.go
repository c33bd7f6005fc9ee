package chart

import (
	"math"

	"hush/core/task"
	"hush/web/chart/plot"
	"hush/web/say"
)

// conjunctionsView shows how many people have any two attributes, and answers questions about more.
type conjunctionsView struct{}

// picture is a heat map of all pairs of attributes, counting people with both or, depending on the
// release, with either, with single attributes on the diagonal; bars if attributes are not asked
// for together.
func (conjunctionsView) picture(r *task.Release) plot.Picture {
	c := r.Answer.Result.(*task.Conjunctions)
	n := min(len(c.Attributes), plot.MostInHeatMap)
	names := make([]string, n)
	_, many := nounOf(r)
	for x := range names {
		names[x] = c.Attributes[x].Name
	}
	if c.Width == 1 {
		var list []plot.Bar
		for x := range n {
			if found, err := c.Ask([]int{x}, false); err == nil {
				list = append(list, foundBar(r, x, names[x], found))
			}
		}
		return counts(r, list, many)
	}
	var cells []plot.HeatCell
	for x := range n {
		for y := range x + 1 {
			if found, err := c.Ask([]int{x, y}, c.Any()); err == nil {
				cells = append(cells, plot.HeatCell{X: x, Y: y, Count: math.Round(found.People),
					Hatched: math.Round(found.People) < 2*found.Error})
			}
		}
	}
	what := say.Format("%s with both", many)
	if c.Any() {
		what = say.Format("%s with either", many)
	}
	return plot.HeatMap(names, names, what, cells)
}

// foundBar is the bar of a count with its error.
func foundBar(r *task.Release, i int, name string, found task.Found) plot.Bar {
	count, off := math.Round(found.People), math.Ceil(found.Error)
	b := plot.Bar{Name: name, Value: max(count, 0), Low: max(count-off, 0), High: max(count+off, 0),
		Hatched: noisy(r, i, count, off)}
	b.Says = plot.Said(name, plot.Number(b.Value), plot.Number(b.Low), plot.Number(b.High))
	return b
}

// counts draws the counts as bars, one below another.
func counts(r *task.Release, list []plot.Bar, of string) plot.Picture {
	p := plot.LyingBars(of, list, 0, math.Inf(1))
	p.Axis, p.Bars = of, plot.ErrorBars()
	for _, b := range list {
		p.Hatched = p.Hatched || b.Hatched
	}
	return p
}

func (conjunctionsView) figures(r *task.Release) (list []Figure) {
	c := r.Answer.Result.(*task.Conjunctions)
	for x, a := range c.Attributes[:min(len(c.Attributes), 20)] {
		if found, err := c.Ask([]int{x}, false); err == nil {
			list = append(list,
				Figure{
					a.Name, say.Format("%s (± %.0f)",
						howMany(r, int64(math.Round(found.People))), math.Ceil(found.Error))})
		}
	}
	return list
}
