package gallery

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/exhibit"
	"hush/web/parts"
	"hush/web/state"
	"hush/web/state/place"
)

// variant is the name of an exhibit and what is different in it; nil changes nothing.
type variant struct {
	name   string
	change func(*state.Model)
}

// exhibits are the specimens that a component draws of states. A table and one loop, since a
// closure for each specimen takes a kilobyte of the binary.
func exhibits(draw func(*state.Model, *parts.Browser) app.UI, states []variant) []Specimen {
	list := make([]Specimen, len(states))
	for i, s := range states {
		list[i] = Specimen{State: s.name, Draw: func(b *parts.Browser) app.UI {
			return draw(exhibit.Model(s.change), b)
		}}
	}
	return list
}

var (
	_ place.Engine = exhibit.Still{}
	_ place.Window = exhibit.Still{}
)
