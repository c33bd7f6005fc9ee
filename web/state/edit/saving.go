package edit

import (
	"slices"

	"hush/core/ask"
	"hush/core/privacy"
	"hush/web/engine"
)

// Saving is a change of the page that drops no number, and costs less if every figure is to be
// good: what is measured together is not paid for twice.
type Saving struct {
	Leave []*Piece     // figures that go
	Says  *Piece       // the figure that says what they would; nil: Put does
	Put   *ask.Recipe  // a question that takes their place
	Loss  privacy.Loss // for everything to be drawn, afterwards
}

// Savings returns the savings found, each with its price.
func (p *Page) Savings() []Saving { return p.Prices.savings }

// candidates lists the changes that could save something: a table whose columns are some of
// another's is contained in the sums of that one, quantiles contain the median, all percentiles
// contain both; and tables of two columns can be measured as several tables together.
func (p *Page) candidates() (list []Saving) {
	planned := p.Planned()
	for _, less := range planned {
		for _, more := range planned {
			if less != more && says(*more.Recipe, *less.Recipe) {
				list = append(list, Saving{Leave: []*Piece{less}, Says: more})
				break
			}
		}
	}
	var pairs []*Piece
	var columns []ask.Field
	for _, piece := range planned {
		r := *piece.Recipe
		if r.Task != tableTask || len(r.Others) != 2 || len(r.Params) > 0 ||
			len(pairs) > 0 && !alike(r, *pairs[0].Recipe) {
			continue
		}
		pairs = append(pairs, piece)
		for _, f := range r.Others {
			if !slices.ContainsFunc(columns, same(f)) {
				columns = append(columns, f)
			}
		}
	}
	if len(pairs) > 1 {
		r := *pairs[0].Recipe
		r.Task, r.Others, r.Params = tablesTask, columns, ask.Params{}
		list = append(list, Saving{Leave: pairs, Put: &r})
	}
	return list
}

// The kinds of question whose answers contain others'.
const (
	tableTask        = "table"
	tablesTask       = "tables"
	medianTask       = "median"
	quantilesTask    = "quantiles"
	distributionTask = "distribution"
)

// says reports whether the answer to one question contains the numbers of another's.
func says(more, less ask.Recipe) bool {
	if !alike(more, less) {
		return false
	}
	switch {
	case more.Task == tableTask && less.Task == tableTask:
		return len(more.Others) == 2 && len(less.Others) == 1 &&
			slices.ContainsFunc(more.Others, same(less.Others[0]))
	case less.Task == medianTask && more.Task == quantilesTask,
		more.Task == distributionTask && (less.Task == medianTask || less.Task == quantilesTask):
		return more.Column == less.Column && more.Group == nil && less.Group == nil &&
			engine.Encode(more.Domain) == engine.Encode(less.Domain)
	}
	return false
}

// same reports whether a field is about the same column, with the same values.
func same(f ask.Field) func(ask.Field) bool {
	return func(g ask.Field) bool {
		return f.Column == g.Column && engine.Encode(f.Domain) == engine.Encode(g.Domain)
	}
}

// alike reports whether two questions are about the same persons.
func alike(a, b ask.Recipe) bool {
	return engine.Encode([]any{a.Filter, a.Person, a.Use, a.Count, a.Table}) ==
		engine.Encode([]any{b.Filter, b.Person, b.Use, b.Count, b.Table})
}

// askSavings prices the candidates one after another, once everything else is priced, and keeps
// those that cost less than the page does if every figure is to be good.
func (p *Page) askSavings(left []Saving) {
	now, known := p.Prices.Offers[ask.LeastTotal]
	if len(left) == 0 || !known || now.Fault != nil {
		return
	}
	s := left[0]
	several := ask.Several{Division: ask.LeastTotal, Delta: planDelta}
	for _, piece := range p.Planned() {
		if !slices.Contains(s.Leave, piece) {
			several.Parts = append(several.Parts, ask.Part{Recipe: *piece.Recipe,
				Weight: piece.Weight})
		}
	}
	if s.Put != nil {
		several.Parts = append(several.Parts, ask.Part{Recipe: *s.Put})
	}
	if len(several.Parts) == 0 {
		return // unreachable: the figure that contains it stays
	}
	p.Prices.asked = p.Call(engine.Together.With(several),
		func(r engine.Request, kind string, body []byte) {
			if r != p.Prices.asked || kind == engine.ReplyProgress {
				return
			}
			p.Prices.asked = 0
			if kind == engine.ReplyDone {
				s.Loss = engine.Together.Read(body).Total.Loss
				if less(s.Loss, now.Loss) {
					p.Prices.savings = append(p.Prices.savings, s)
				}
			}
			p.askSavings(left[1:])
			p.Update()
		})
}

// less reports whether a plan has the smaller ε or, with the same ε, the smaller δ: each takes at
// most the δ that the page grants its plans.
func less(a, b privacy.Loss) bool {
	x, known := a.Epsilon()
	y, bounded := b.Epsilon()
	if !known || !bounded {
		return known
	}
	return x.Cmp(y) < 0 || x.Cmp(y) == 0 && a.AtMost(b) && !b.AtMost(a)
}

// Save applies a saving: the figures go, and the one that contains them takes the place of the
// first.
func (p *Page) Save(s Saving) {
	at := len(p.Pieces)
	for _, piece := range s.Leave {
		if i := slices.Index(p.Pieces, piece); i >= 0 {
			at = min(at, i)
			p.Pieces = slices.Delete(p.Pieces, i, i+1)
		}
	}
	if s.Put != nil {
		p.last++
		piece := &Piece{ID: p.last, Kind: Figure, Recipe: s.Put, Weight: 1}
		p.Pieces = slices.Insert(p.Pieces, min(at, len(p.Pieces)), piece)
	}
	p.price()
	p.changed()
}
