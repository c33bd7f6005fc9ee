package parts

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// Gradual draws the new content of a component part by part, each in a frame of its own: all at
// once would hold up the browser and the person who presses or types meanwhile. Content already
// drawn is redrawn with the component, as always. Embed it, and draw by parts.
type Gradual struct {
	ctx   app.Context // none before it is mounted
	stand []bool      // the parts that are drawn
	count int         // how many of those that are alike are
	left  bool        // a part is not drawn yet that should be
	going bool        // the frame that draws it is on its way
}

// gradual is Gradual under a name that go-app takes for no prop where it is embedded.
type gradual = Gradual

// OnMount begins what needs the component's context.
func (g *Gradual) OnMount(ctx app.Context) {
	g.ctx = ctx
	g.goOn()
}

// Parts draws a fixed list of parts, always in the same places, so that one that comes or goes
// leaves the others as they are; nil stands for a part that is absent now.
func (g *Gradual) Parts(list ...func() app.UI) []app.UI {
	for len(g.stand) < len(list) {
		g.stand = append(g.stand, false)
	}
	drawn, fresh := make([]app.UI, len(list)), 0
	for i, part := range list {
		if part != nil && !g.stand[i] {
			fresh++
		}
		g.stand[i] = part != nil && (g.stand[i] || fresh == 1 || app.IsServer)
		if drawn[i] = Absent(); g.stand[i] {
			drawn[i] = part()
		}
	}
	g.left = fresh > 1
	g.goOn()
	return drawn
}

// When returns a part that is there only under a condition.
func When(there bool, part func() app.UI) func() app.UI {
	if !there {
		return nil
	}
	return part
}

// UpTo returns how many of n like parts are drawn: one more with each frame.
func (g *Gradual) UpTo(n int) int {
	if g.count = min(g.count+1, n); app.IsServer {
		g.count = n
	}
	g.left = g.count < n
	g.goOn()
	return g.count
}

// Anew forgets what has been drawn, because something else now takes its place.
func (g *Gradual) Anew() { g.stand = nil }

func (g *Gradual) goOn() {
	if !g.left || g.going || g.ctx.Context == nil {
		return
	}
	g.going = true
	g.ctx.Dispatch(func(app.Context) { g.going = false }) // and the next frame draws it
}

// Absent keeps the place of an element that is not there.
func Absent() app.UI { return app.Div().Hidden(true) }
