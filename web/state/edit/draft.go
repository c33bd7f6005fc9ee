package edit

import (
	"encoding/json"

	"hush/core/ask"
	"hush/core/publication"
	"hush/core/task"
	"hush/web/engine"
)

// draft is the form in which this device keeps the page; in place of answers it has the debits that
// paid for them.
type draft struct {
	Title     string             `json:"title,omitempty"`
	Lead      string             `json:"lead,omitempty"`
	Publisher string             `json:"publisher,omitempty"`
	Source    string             `json:"source,omitempty"`
	Pieces    []kept             `json:"pieces,omitempty"`
	Plans     []publication.Plan `json:"plans,omitempty"`
	Division  ask.Division       `json:"division"`
	Total     string             `json:"total"`
	About     string             `json:"about,omitempty"`
}

// kept is a piece of a draft.
type kept struct {
	Kind   Kind        `json:"kind"`
	Text   string      `json:"text,omitempty"`
	Entry  string      `json:"entry,omitempty"`
	Plan   int         `json:"plan,omitempty"`
	Recipe *ask.Recipe `json:"recipe,omitempty"`
	Weight float64     `json:"weight,omitempty"`
}

// store keeps the draft on this device, once the earlier one was restored.
func (p *Page) store() {
	if !p.restored {
		return
	}
	d := draft{Title: p.Title, Lead: p.Lead, Publisher: p.Publisher, Source: p.Source,
		Plans: p.Plans, Division: p.Division, Total: p.Total, About: p.About}
	for _, piece := range p.Pieces {
		k := kept{Kind: piece.Kind, Text: piece.Text, Plan: piece.Plan, Recipe: piece.Recipe,
			Weight: piece.Weight}
		if piece.Drawn() {
			if k.Entry = p.Kept(piece.Release); k.Entry == "" {
				continue // it is lost with the page, which asks before closing
			}
		}
		d.Pieces = append(d.Pieces, k)
	}
	if text := engine.Encode(d); text != p.stored {
		p.stored = text
		p.Call(engine.KeepDraft.With(text), func(engine.Request, string, []byte) {})
	}
}

// Restore brings back the kept draft, once the answers of the page are back.
func (p *Page) Restore() {
	p.Call(engine.KeptDraft.With(nil), func(_ engine.Request, kind string, body []byte) {
		if p.restored = true; kind == engine.ReplyDone {
			p.restore(engine.KeptDraft.Read(body))
		}
		p.changed()
	})
}

// restore puts the draft before everything that was added to the page since it was loaded. A draft
// that cannot be read is ignored: it is another version's.
func (p *Page) restore(text string) {
	var d draft
	if text == "" || json.Unmarshal([]byte(text), &d) != nil {
		return
	}
	p.Title, p.Lead, p.Publisher, p.Source = d.Title, d.Lead, d.Publisher, d.Source
	p.Division, p.Total, p.About = d.Division, d.Total, d.About
	p.Plans = d.Plans
	since := p.Pieces
	p.Pieces = nil
	for _, k := range d.Pieces {
		piece := &Piece{Kind: k.Kind, Text: k.Text, Recipe: k.Recipe, Weight: k.Weight}
		switch {
		case k.Entry != "":
			if piece.Release = take(&since, k.Entry, p.Kept); piece.Release == nil {
				continue // its answer was deleted
			}
			if k.Plan <= len(p.Plans) {
				piece.Plan = max(k.Plan, 0)
			}
		case k.Kind == Figure && k.Recipe == nil:
			continue
		}
		p.add(piece)
	}
	for _, piece := range since {
		p.add(piece)
	}
	p.price()
}

// take removes the release of a debit from a list of pieces, and returns it, or nil if there is
// none.
func take(list *[]*Piece, entry string, keptAs func(*task.Release) string) *task.Release {
	for i, piece := range *list {
		if piece.Drawn() && keptAs(piece.Release) == entry {
			*list = append((*list)[:i:i], (*list)[i+1:]...)
			return piece.Release
		}
	}
	return nil
}
