package web

import (
	"fmt"
	"math"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/query"
	"hush/core/task"
)

// contactsView shows how many contacts there are between places, and answers for any set of them.
type contactsView struct{}

// chart is a heat map: of the contacts between each two places where these were counted, else of those that leave the two together.
func (contactsView) chart(r *task.Release) (object, bool) {
	c := r.Answer.Result.(*task.Contacts)
	names := c.Vertices[:min(len(c.Vertices), mostInHeatMap)]
	counted := c.Release.Method == query.ByPairs
	var cells []heatCell
	for x := range names {
		for y := range x + 1 {
			if counted && x == y {
				continue
			}
			count, err := contactsOf(c, x, y, counted)
			if err == nil {
				cells = append(cells, heatCell{x, y, math.Round(count)})
			}
		}
	}
	if counted {
		return heatMap(names, "contacts between both", cells), true
	}
	return heatMap(names, "contacts of both together with all others", cells), true
}

// contactsOf is read from three cuts: those between x and y are half of what the cuts of x and of y have more than that of both.
func contactsOf(c *task.Contacts, x, y int, between bool) (float64, error) {
	both, err := c.Ask([]int{x, y})
	if err != nil || !between {
		return both.People, err
	}
	one, err := c.Ask([]int{x})
	if err != nil {
		return 0, err
	}
	other, err := c.Ask([]int{y})
	return max((one.People+other.People-both.People)/2, 0), err
}

func (contactsView) figures(r *task.Release) (list []figure) {
	c := r.Answer.Result.(*task.Contacts)
	for x, name := range c.Vertices[:min(len(c.Vertices), 20)] {
		if found, err := c.Ask([]int{x}); err == nil {
			list = append(list, figure{name, fmt.Sprintf("%.0f contacts with others (± %.0f)", found.People, math.Ceil(found.Error))})
		}
	}
	return list
}

func (contactsView) explore(r *task.Release, revision int, _ *browser) app.UI {
	return &SetAsk{Release: r, Revision: revision}
}
