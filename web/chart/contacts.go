package chart

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"hush/core/task"
	"hush/web/chart/plot"
	"hush/web/say"
)

// contactsView shows how many contacts there are between places, and answers for any set of them.
type contactsView struct{}

// picture is a heat map of the contacts between each two places if these were counted, otherwise a
// bar for each piece.
func (contactsView) picture(r *task.Release) plot.Picture {
	c := r.Answer.Result.(*task.Contacts)
	if !c.Paired() {
		var list []plot.Bar
		for i, p := range c.Pieces() {
			list = append(list, foundBar(r, i, pieceName(p), p.Found))
		}
		return counts(r, list, say.Text("contacts"))
	}
	names := c.Vertices[:min(len(c.Vertices), plot.MostInHeatMap)]
	var cells []plot.HeatCell
	for x := range names {
		for y := range x {
			if found, err := c.Between(x, y); err == nil {
				cells = append(cells, plot.HeatCell{X: x, Y: y, Count: math.Round(found.People),
					Hatched: math.Round(found.People) < 2*found.Error})
			}
		}
	}
	return plot.HeatMap(names, names, say.Text("contacts"), cells)
}

// pieceName describes the sets that a piece is about.
func pieceName(p task.PieceOfCuts) string {
	var parts []string
	if len(p.With) > 0 {
		parts = append(parts, say.Format("with %s", strings.Join(p.With, ", ")))
	}
	if len(p.Without) > 0 {
		parts = append(parts, say.Format("without %s", strings.Join(p.Without, ", ")))
	}
	if p.Share > 0 {
		parts = append(parts, say.Format("about %d %% of the places", p.Share))
	}
	if parts == nil {
		return "all"
	}
	return strings.Join(parts, ", ")
}

func (contactsView) figures(r *task.Release) (list []Figure) {
	c := r.Answer.Result.(*task.Contacts)
	add := func(name string, f task.Found) {
		if len(list) < 20 {
			list = append(list,
				Figure{
					name, say.Format("%.0f contacts with others (± %.0f)", f.People,
						math.Ceil(f.Error))})
		}
	}
	for _, p := range c.Pieces() {
		add(say.Format("sets %s", pieceName(p)), p.Found)
	}
	for x, name := range c.Vertices {
		if found, err := c.Ask([]int{x}); err == nil && c.Paired() {
			add(name, found)
		}
	}
	return list
}

const (
	MostInGraph   = 40 // places on a circle that can still be distinguished
	mostUpright   = 16 // of these, written upright
	mostWithLabel = 10 // lines with their numbers
)

// Contacts draws the places on a circle, in their public order. If pairs were counted, a place is
// larger the more contacts it has with the others, and the line between two places is wider the
// more contacts they have; a count that may be 0 has no line. Otherwise the places that define the
// pieces are large. Chosen places are filled, and lines that leave them stand out.
func Contacts(c *task.Contacts, chosen map[int]bool, description string) json.RawMessage {
	return plot.Finished(graph(c, chosen), description)
}

func graph(c *task.Contacts, chosen map[int]bool) object {
	n := min(len(c.Vertices), MostInGraph)
	layout, size, room := "none", 12, 0
	if n > mostUpright {
		layout, size = "circular", 9 // the library's, which can turn the names with the circle
	}
	for _, name := range c.Vertices[:n] {
		room = max(room, min(len([]rune(name)), 10)*size*2/3)
	}
	above := 24
	if layout == "circular" {
		above = room + 16
	}
	return object{
		"animation": false, // each tick of a box draws all of it
		"tooltip":   object{"trigger": "item", "renderMode": "richText"},
		"series": []object{
			{"type": "graph", "layout": layout, "circular": object{"rotateLabel": true},
				"preserveAspect": "contain",
				"left":           room + 16, "right": room + 16, "top": above, "bottom": above,
				"label": object{"show": true, "color": plot.Ink, "fontSize": size, "width": room,
					"overflow": "truncate"},
				"data": places(c, n, chosen), "links": lines(c, n, chosen)}},
	}
}

// places returns the points of the first n places.
func places(c *task.Contacts, n int, chosen map[int]bool) []object {
	weights, top := make([]float64, n), 1.0
	for x := range weights {
		if found, err := c.Ask([]int{x}); err == nil && c.Paired() {
			weights[x] = math.Round(found.People)
		}
		for _, p := range c.Release.Pieces {
			if p.In.Has(x) || p.Out.Has(x) {
				weights[x] = 1
			}
		}
		top = max(top, weights[x])
	}
	least, most := 10.0, 32.0 // in points
	if n > mostUpright {
		least, most = 5, 14
	}
	list := make([]object, n)
	for x := range list {
		// Half a step off, so that no place is at the very top, and each has room for its name on
		// one side.
		right, up := math.Sincos(2 * math.Pi * (float64(x) + 0.5) / float64(n))
		fill, side := plot.Card, "right"
		if right < 0 {
			side = "left"
		}
		if chosen[x] {
			fill = plot.Accent
		}
		list[x] = object{"name": c.Vertices[x], "x": math.Round(1200*right) / 10,
			"y":          -math.Round(1200*up) / 10,
			"symbolSize": math.Round(least + (most-least)*math.Sqrt(weights[x]/top)),
			"itemStyle":  object{"color": fill, "borderColor": plot.Accent, "borderWidth": 2},
			"label":      object{"position": side}}
		if c.Paired() {
			list[x]["value"] = weights[x]
		}
	}
	return list
}

// lines returns the lines between the first n places.
func lines(c *task.Contacts, n int, chosen map[int]bool) []object {
	list, top, crossing := []object{}, 1.0, 0
	for y := range n {
		for x := range y {
			found, err := c.Between(x, y)
			if err != nil || found.People <= found.Error {
				continue
			}
			top = max(top, found.People)
			if chosen[x] != chosen[y] {
				crossing++
			}
			list = append(list, object{"source": x, "target": y, "value": math.Round(found.People)})
		}
	}
	labelled := crossing // lines that leave the chosen places; all if there are none
	if crossing == 0 {
		labelled = len(list)
	}
	for _, l := range list {
		crosses := chosen[l["source"].(int)] != chosen[l["target"].(int)]
		style := object{"color": plot.Soft, "opacity": 0.35,
			"width": math.Round(10*(1+9*l["value"].(float64)/top)) / 10}
		if crosses {
			style["color"], style["opacity"] = plot.Accent, 1
		}
		l["lineStyle"] = style
		if labelled <= mostWithLabel && crosses == (crossing > 0) {
			l["label"] = object{"show": true, "formatter": fmt.Sprint(l["value"]),
				"color": plot.Ink, "distance": 4 + int(style["width"].(float64)/2)}
		}
	}
	return list
}
