package edit

import (
	"hush/core/ask"
	"hush/core/task"
	"hush/web/engine"
)

// Mend lists remedies for a drawn figure that is mostly noise, other than leaving it out.
type Mend struct {
	// Offer would make it good to publish for the difference; nil: not known yet, or there is none.
	Offer *engine.TopUpOffer
	// Help lists other questions to replace it, each for its own ε.
	Help []ask.Help
}

// Mend returns the remedies for a figure, or nil if the file of its answer is not open or its
// trouble is not noise.
func (p *Page) Mend(piece *Piece) *Mend { return p.mends[piece.Release] }

// askMends asks for remedies for each figure that is mostly noise.
func (p *Page) askMends() {
	for _, piece := range p.Pieces {
		r := piece.Release
		if r == nil || p.Open == "" || !piece.Noise() || p.Kept == nil || p.Kept(r) == "" ||
			p.mends[r] != nil {
			continue
		}
		if p.mends == nil {
			p.mends = map[*task.Release]*Mend{}
		}
		m := &Mend{}
		p.mends[r] = m
		offer := engine.PlanTopUp.With(engine.TopUpOf{Release: engine.Released{Release: r}})
		p.Call(offer, func(_ engine.Request, kind string, body []byte) {
			if kind == engine.ReplyDone {
				offer := engine.PlanTopUp.Read(body)
				m.Offer = &offer
				p.Update()
			}
		})
		p.Call(engine.Help.With(r.Recipe), func(_ engine.Request, kind string, body []byte) {
			if kind == engine.ReplyDone {
				m.Help = engine.Help.Read(body)
				p.Update()
			}
		})
	}
}

// AskInstead replaces a drawn figure by a question. Nothing is spent until it is drawn.
func (p *Page) AskInstead(id int, r ask.Recipe) {
	piece := p.piece(id)
	if piece == nil || !piece.Drawn() || p.Elsewhere() {
		return
	}
	p.About = p.Open
	*piece = Piece{ID: id, Kind: Figure, Recipe: &r, Weight: 1}
	p.price()
	p.changed()
	p.reveal(piece.GripID())
}
