package edit

import (
	"slices"
	"strings"

	"hush/core/ask"
	"hush/core/privacy"
	"hush/web/engine"
	"hush/web/state/place"
)

// Divisions are the ways to divide ε, in the order in which they are offered.
var Divisions = []ask.Division{ask.LeastTotal, ask.ByImportance, ask.Evenly}

// Prices holds the cost of everything to be drawn.
type Prices struct {
	// Chosen holds the plan of everything by the division chosen, or nil if it is being worked out
	// or there is none.
	Chosen *ask.Together
	Fault  *engine.Fault // why there is none
	// Offers holds the results of each division, as far as they are worked out.
	Offers map[ask.Division]Offer

	asked   engine.Request
	several ask.Several
	savings []Saving
	help    map[int][]ask.Help // for the figures that would be noise, by their ID
	helping engine.Request
}

// Offer is the result of a division.
type Offer struct {
	Loss         privacy.Loss
	Rough, Noise int
	Unknown      int           // good only if the answer is large enough
	Never        []int         // those that no ε makes good, by their place among Planned
	Fault        *engine.Fault // why it is not possible; nil: it is
}

// Several returns everything to be drawn, by a division of ε.
func (p *Page) Several(by ask.Division) ask.Several {
	s := ask.Several{Division: by, Delta: planDelta}
	if by != ask.LeastTotal {
		s.Total = strings.TrimSpace(p.Total)
	}
	for _, piece := range p.Planned() {
		s.Parts = append(s.Parts, ask.Part{Recipe: *piece.Recipe, Weight: piece.Weight})
	}
	return s
}

// planDelta is the δ that a plan may take: it allows the losses of many figures to be added up by
// their law, which gives less than their sum. Where their sum is the least, no δ is taken.
const planDelta = "0.0000001"

// price works out the cost of everything to be drawn: by the division chosen first, then by the
// others.
func (p *Page) price() {
	p.stopPricing()
	p.Prices = Prices{Offers: map[ask.Division]Offer{}}
	if len(p.Planned()) == 0 || p.Open == "" || p.Elsewhere() {
		for _, piece := range p.Planned() {
			piece.Price, piece.Epsilon = nil, ""
		}
		return
	}
	order := []ask.Division{p.Division}
	for _, by := range Divisions {
		if by != p.Division {
			order = append(order, by)
		}
	}
	p.offer(order)
}

// stopPricing gives up everything still being worked out; what is known stays.
func (p *Page) stopPricing() {
	asked, helping := p.Prices.asked, p.Prices.helping
	p.Prices.asked, p.Prices.helping = 0, 0
	p.Cancel(asked)
	p.Cancel(helping)
}

func (p *Page) offer(order []ask.Division) {
	if len(order) == 0 {
		p.askSavings(p.candidates())
		p.askHelp()
		return
	}
	by, several := order[0], p.Several(order[0])
	take := func(r engine.Request, kind string, body []byte) {
		if r != p.Prices.asked {
			return
		}
		switch kind {
		case engine.ReplyDone:
			t := engine.Together.Read(body)
			p.Prices.Offers[by] = offerOf(t)
			if by == p.Division {
				p.settle(several, t)
			}
		case engine.ReplyFailed:
			fault := place.Failure(body)
			p.Prices.Offers[by] = Offer{Fault: fault}
			if by == p.Division {
				p.Prices.Fault = fault
				for _, piece := range p.Planned() {
					piece.Price, piece.Epsilon = nil, ""
				}
			}
		default:
			return // the progress of a reading
		}
		p.Prices.asked = 0
		p.offer(order[1:])
		p.Update()
	}
	p.Prices.asked = p.Call(engine.Together.With(several), take)
}

// settle gives each figure its part of the plan.
func (p *Page) settle(s ask.Several, t ask.Together) {
	p.Prices.Chosen, p.Prices.several = &t, s
	for i, piece := range p.Planned() {
		piece.Price, piece.Epsilon = &t.Plans[i], t.Epsilons[i]
	}
	p.Prices.help = map[int][]ask.Help{}
}

// askHelp asks, for each figure that would be noise, what would help, one after another, once
// everything is priced.
func (p *Page) askHelp() {
	for _, piece := range p.Planned() {
		if _, known := p.Prices.help[piece.ID]; known || !piece.Noise() || p.Prices.help == nil {
			continue
		}
		r, id := *piece.Recipe, piece.ID
		r.Epsilon = piece.Epsilon
		p.Prices.helping = p.Call(engine.Help.With(r),
			func(at engine.Request, kind string, body []byte) {
				if at != p.Prices.helping || kind == engine.ReplyProgress {
					return
				}
				p.Prices.helping, p.Prices.help[id] = 0, nil
				if kind == engine.ReplyDone {
					list := engine.Help.Read(body)
					p.Prices.help[id] = list[:min(len(list), mostHelp)]
				}
				p.askHelp()
				p.Update()
			})
		return
	}
}

// mostHelp is the number of changes shown for a figure that would be noise.
const mostHelp = 2

// HelpFor returns changes that would improve a figure that would otherwise be noise.
func (p *Page) HelpFor(id int) []ask.Help { return p.Prices.help[id] }

// UseHelp applies a change to the question of a figure.
func (p *Page) UseHelp(id int, h ask.Help) {
	if piece := p.piece(id); piece != nil && piece.Open() {
		piece.Recipe = &h.Recipe
		p.price()
		p.changed()
	}
}

// Price gives the page known prices, as the gallery does.
func (p *Page) Price(t ask.Together, offers map[ask.Division]Offer) {
	p.Prices = Prices{Offers: offers}
	p.settle(p.Several(p.Division), t)
}

// Never reports whether no ε makes a figure good, as far as the plan by the chosen division says.
func (p *Page) Never(piece *Piece) bool {
	return p.Prices.Chosen != nil &&
		slices.Contains(p.Prices.Chosen.Never, slices.Index(p.Planned(), piece))
}

func offerOf(t ask.Together) Offer {
	o := Offer{Loss: t.Total.Loss, Never: t.Never}
	for i, plan := range t.Plans {
		if slices.Contains(t.Never, i) {
			continue
		}
		switch plan.Verdict.Grade {
		case ask.Rough:
			o.Rough++
		case ask.Noise:
			o.Noise++
		case ask.Unknown:
			o.Unknown++
		}
	}
	return o
}

// Divide chooses how ε is divided.
func (p *Page) Divide(by ask.Division) {
	p.Division = by
	p.price()
	p.changed()
}

// SetTotal sets the total ε of everything to be drawn, if a division uses it.
func (p *Page) SetTotal(text string) {
	p.Total = text
	if p.Division == ask.LeastTotal {
		p.Division = ask.ByImportance // otherwise the number would have no effect
	}
	p.price()
	p.changed()
}

// Weigh sets the weight of a figure.
func (p *Page) Weigh(id int, weight float64) {
	piece := p.piece(id)
	if piece == nil || !piece.Open() {
		return
	}
	piece.Weight = weight
	if p.Division != ask.LeastTotal || weight < 1 {
		p.Division = ask.ByImportance // otherwise the weight would have no effect
	}
	p.price()
	p.changed()
}
