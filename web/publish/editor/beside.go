package editor

import (
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/message"
	"hush/core/phrase"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state/edit"
)

// divisions names the ways to divide ε.
var divisions = map[ask.Division]phrase.Key{
	ask.LeastTotal:   "Every figure good, at the least ε",
	ask.ByImportance: "By importance",
	ask.Evenly:       "Evenly",
}

// beside shows how ε is divided, where it goes, and the lines of the whole page.
func (p *Page) beside() app.UI {
	e := &p.Model.Page
	return app.Aside().Class("stack wide no-print").
		Aria("label", say.Text("Privacy of the whole page")).Body(
		app.If(len(e.Planned()) > 0, p.division),
		app.If(len(e.Savings()) > 0, p.savings),
		p.shares(),
		app.Section().Class("stack").Body(
			app.H2().Class("minor").Text(say.Text("Page")),
			parts.TextField("page-publisher", say.Text("Publisher"), e.Publisher, "", "",
				func(text string) { e.Set(&e.Publisher, text) }),
			parts.TextField("page-source", say.Text("Source line"), e.Source, "", "",
				func(text string) { e.Set(&e.Source, text) }),
		))
}

func (p *Page) division() app.UI {
	e := &p.Model.Page
	return app.Section().Class("card pad stack").Body(
		app.H2().Class("minor").Text(say.Text("How ε is divided")),
		app.FieldSet().Class("stack tight").Body(
			app.Legend().Class("unseen").Text(say.Text("How ε is divided")),
			app.Range(edit.Divisions).Slice(func(i int) app.UI {
				by := edit.Divisions[i]
				return app.Label().Class("choice").Body(
					app.Input().ID("divide-"+string(by)).Type("radio").Name("divide").
						Checked(e.Division == by).
						OnChange(func(app.Context, app.Event) { e.Divide(by) },
							app.EventScope(string(by))),
					app.B().Text(say.Text(divisions[by])),
					app.Span().Class("small soft").Text(parts.Together(p.offer(by))))
			})),
		app.If(e.Division != ask.LeastTotal, func() app.UI {
			return parts.TextField("page-total", say.Text("ε of all that is to be drawn"), e.Total,
				"", "", e.SetTotal)
		}),
		app.If(e.Division == ask.LeastTotal, p.promise),
		app.If(e.Prices.Chosen != nil, func() app.UI {
			return app.P().Class("small soft").
				Text(say.Phrase(e.Prices.Chosen.Total.Loss.Sentence()))
		}),
	)
}

// promise explains what a plan at the least ε promises for figures that are not drawn yet.
func (p *Page) promise() app.UI {
	unknown := 0
	for _, piece := range p.Model.Page.Planned() {
		switch v := piece.Verdict(); {
		case v == nil:
			return parts.Absent()
		case v.Grade == ask.Unknown:
			unknown++
		}
	}
	text := say.Text("Figures called good stay good in 95 of 100 draws where at most a quarter " +
		"of the people have no value.")
	if unknown > 0 {
		text += " " + say.Count(int64(unknown), "One depends on how large its answer is, and a "+
			"plan may not look.", "%d depend on how large their answers are, and a plan may not "+
			"look.", unknown)
	}
	return app.P().ID("page-promise").Class("small soft").Text(parts.Together(text))
}

// savings lists, in numbers, what is cheaper when measured together.
func (p *Page) savings() app.UI {
	e := &p.Model.Page
	list := e.Savings()
	return app.Section().ID("page-savings").Class("stack").Body(
		app.H2().Class("minor").Text(say.Text("Measured together, it costs less")),
		app.Ul().Class("try").Body(app.Range(list).Slice(func(i int) app.UI {
			s := list[i]
			var numbers []string
			for _, piece := range s.Leave {
				numbers = append(numbers, strconv.Itoa(e.Number(piece)))
			}
			text := say.Format("One question measures figures %s together.",
				strings.Join(numbers, ", "))
			if s.Says != nil {
				text = say.Format("Figure %d says what figure %s would.", e.Number(s.Says),
					numbers[0])
			}
			now := e.Prices.Offers[ask.LeastTotal].Loss
			return app.Li().Body(
				app.B().Text(text),
				app.Span().Class("soft small").Text(parts.Together(say.Format(
					"%s instead of %s, every figure good", s.Loss.Brief(), now.Brief()))),
				app.Button().ID("saving-"+strconv.Itoa(i+1)).Class("button small").Type("button").
					Text(say.Text("Use")).Aria("label", say.Format("Use: %s", text)).
					OnClick(func(app.Context, app.Event) { e.Save(s) },
						app.EventScope(i, e.Prices.Offers[ask.LeastTotal].Loss.Exact())))
		})))
}

// offer states the result of a division.
func (p *Page) offer(by ask.Division) string {
	e := &p.Model.Page
	o, known := e.Prices.Offers[by]
	switch {
	case !known:
		return say.Text("The price is being worked out…")
	case o.Fault != nil:
		return say.Format("Wanted: %s.", o.Fault.Want)
	}
	text := say.Format("%s in all", o.Loss.Brief())
	if o.Rough > 0 {
		text += " · " + say.Count(int64(o.Rough), "%d rough", "%d rough", o.Rough)
	}
	if o.Unknown > 0 {
		text += " · " + say.Count(int64(o.Unknown), "%d good only if it is large enough",
			"%d good only if they are large enough", o.Unknown)
	}
	if o.Noise > 0 {
		text += " · " + say.Count(int64(o.Noise), "%d mostly noise", "%d mostly noise", o.Noise)
	}
	if len(o.Never) > 0 {
		var numbers []string
		for _, at := range o.Never {
			numbers = append(numbers, strconv.Itoa(e.Number(e.Planned()[at])))
		}
		text += " · " + say.Count(int64(len(numbers)), "%d that no ε makes good: figure %s",
			"%d that no ε makes good: figures %s", len(numbers), strings.Join(numbers, ", "))
	}
	return text
}

// shares shows where ε goes: a strip with a part for each figure, and the same as a list for screen
// readers.
func (p *Page) shares() app.UI {
	e := &p.Model.Page
	type share struct {
		n     int
		class string
		size  float64
	}
	var list []share
	whole := 0.0
	add := func(s share) {
		if s.size > 0 {
			list, whole = append(list, s), whole+s.size
		}
	}
	for _, piece := range e.Pieces {
		n := e.Number(piece)
		switch {
		case piece.Drawn():
			if epsilon, known := piece.Release.Plan.Loss.Epsilon(); known {
				size, _ := epsilon.Float64()
				add(share{n, "spent", size})
			}
		case piece.Planned():
			size, _ := strconv.ParseFloat(piece.Epsilon, 64)
			class := "plan"
			if piece.Noise() {
				class = "alarm"
			}
			add(share{n, class, size})
		}
	}
	if len(list) == 0 {
		return parts.Absent()
	}
	var body []app.UI
	spoken, x := "", 0.0
	const wide = 300
	for _, s := range list {
		w := s.size / whole * wide
		body = append(body, parts.SVG("rect").Class(s.class).Attr("rx", "4").
			Attr("height", "20").Attr("x", fixed(x+1)).Attr("width", fixed(max(w-2, 0.5))))
		if w > 14 {
			body = append(body, parts.SVG("text").Class("on-"+s.class).Attr("y", "14.5").
				Attr("x", fixed(x+w/2)).Attr("text-anchor", "middle").
				Text(strconv.Itoa(s.n)))
		}
		x += w
		spoken += say.Format("Figure %d: ε = %s. ", s.n, message.Prose(s.size))
	}
	key := func(class, text string) app.UI {
		return app.Li().Body(app.I().Class(class), app.Text(text))
	}
	return app.Section().Class("stack").Body(
		app.H2().Class("minor").Text(say.Text("Where it goes")),
		parts.SVG("svg").Class("shares").Attr("viewBox", "0 0 300 20").Attr("role", "img").
			Aria("label", spoken).Body(body...),
		app.Ul().Class("legend small").Body(key("spent", say.Text("spent")),
			key("plan", say.Text("to be spent")), key("alarm", say.Text("on noise"))))
}

func fixed(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }
