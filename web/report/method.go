package report

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/message"
	"hush/core/privacy"
	"hush/core/publication"
	"hush/core/task"
	"hush/web/chart"
	"hush/web/chart/plot"
	"hush/web/say"
)

// method is the one box that says what is promised, how to read the figures, and where ε went.
func (r Report) method(w *markup) {
	figures := r.Page.Figures()
	total, err := r.Page.Total()
	w.raw("<section class=\"method\">\n")
	w.line("h2", "", say.Text("How these figures protect people"))
	w.raw("<div class=\"columns\">\n<div>")
	w.line("h3", "", say.Text("What is promised"))
	if err != nil {
		w.line("p", "warn", say.Format("Nothing is known to be promised: the guarantee cannot be "+
			"worked out from the questions: %s.", say.Error(err)))
	} else if len(figures) > 0 {
		promise(w, figures, total)
	}
	w.raw("</div>\n<div>")
	reading(w, figures)
	w.raw("</div>\n")
	if err == nil && len(figures) > 1 {
		w.raw("<div>")
		spent(w, r.Page, total)
		w.raw("</div>\n")
	}
	w.raw("</div>\n")
	making(w, figures)
	w.raw("</section>\n")
}

// promise is the one guarantee of all figures, in plain words and exactly.
func promise(w *markup, figures []*publication.Figure, total publication.Total) {
	all := figures[0].Release.Recipe
	for _, f := range figures {
		if f.Release.Recipe.Noun != all.Noun {
			all.Noun.One, all.Noun.Many = "", "" // persons, whatever each is about
		}
	}
	g := ask.GuaranteeOf(say.Language(), raised(total.Loss), all)
	w.line("p", "promise", g.Line())
	w.line("p", "", say.Format("Exactly: %s.", g.Exact))
	if saved := total.Saved(); saved != nil && thousandths(saved, false).Sign() > 0 {
		w.line("p", "", say.Format("Asked one by one, these questions would cost %s more.",
			"ε = "+privacy.Number(thousandths(saved, false))))
	}
	var units []string
	for _, f := range figures {
		unit := say.Phrase(ask.Neighbours(f.Release.Recipe))
		if !slices.Contains(units, unit) {
			units = append(units, unit)
			w.line("p", "soft", unit)
		}
	}
}

// reading says what error bars and hatching mean.
func reading(w *markup, figures []*publication.Figure) {
	w.line("h3", "", say.Text("How to read the figures"))
	w.raw("<ul>\n")
	bars, hatched, people := false, false, []string{}
	for _, f := range figures {
		c := chart.CaptionOf(f.Release)
		bars, hatched = bars || c.Usual, hatched || c.Hatched
		_, many := f.Release.Recipe.Noun.Words()
		line := say.Format("%s, a public number", message.Grouped(f.Release.Plan.People)+" "+
			say.Phrase(many))
		if !slices.Contains(people, line) {
			people = append(people, line)
		}
	}
	if bars {
		w.line("li", "", plot.ErrorBars())
	}
	if hatched {
		w.line("li", "", say.Text("Hatched: too few to tell."))
	}
	w.line("li", "", say.Text("The noise is random and has a known law. It does not say how well "+
		"the data describe the world."))
	w.line("li", "", strings.Join(people, "; ")+".")
	w.raw("</ul>\n")
}

// spent is a table of where ε went.
func spent(w *markup, page publication.Page, total publication.Total) {
	figures := page.Figures()
	w.line("h3", "", say.Text("Where ε went"))
	w.raw("<table>\n<thead>")
	number := func(column int) bool { return column == 2 }
	w.row("th", []string{say.Text("Figure"), say.Text("Noise"), "ε"}, number)
	w.raw("</thead>\n<tbody>\n")
	for _, part := range total.Parts {
		var names []string
		for _, n := range part.Figures {
			names = append(names, strconv.Itoa(n))
		}
		last := figures[part.Figures[len(part.Figures)-1]-1].Release
		noise, name := last.Plan.Algorithm, strings.Join(names, ", ")
		if part.Plan > 0 {
			noise = say.Count(int64(part.Questions), "one question, planned",
				"%d questions, planned together", part.Questions)
		}
		w.row("td", []string{name, noise, lossText(part.Loss)}, number)
	}
	w.raw("</tbody>\n<tfoot>")
	w.row("td", []string{"", say.Text("the whole page"), lossText(total.Loss)}, number)
	w.raw("</tfoot></table>\n")
}

// lossText is a loss in a table of ε.
func lossText(l privacy.Loss) string {
	return strings.TrimPrefix(strings.TrimPrefix(say.Phrase(raised(l)), "ε = "), "ε ")
}

// raised is a loss as people read it: ε rounded up to a thousandth, which promises no more.
func raised(l privacy.Loss) privacy.Loss {
	epsilon, known := l.Epsilon()
	if !known {
		return l
	}
	short, err := privacy.NewLoss(thousandths(epsilon, true), l.Delta())
	if err != nil {
		return l // unreachable: the loss was one
	}
	return short
}

// thousandths rounds a number of at least 0 to a thousandth, up or down; one that is smaller stays.
func thousandths(r *big.Rat, up bool) *big.Rat {
	scaled := new(big.Rat).Mul(r, big.NewRat(1000, 1))
	if scaled.IsInt() || up && scaled.Cmp(big.NewRat(1, 1)) < 0 {
		return r
	}
	whole := new(big.Int).Quo(scaled.Num(), scaled.Denom())
	if up {
		whole.Add(whole, big.NewInt(1))
	}
	return new(big.Rat).SetFrac(whole, big.NewInt(1000))
}

// making says how each answer came about. It takes no room until it is asked for, unless it is of
// one answer alone.
func making(w *markup, figures []*publication.Figure) {
	w.raw("<details")
	if len(figures) == 1 {
		w.raw(" open")
	}
	w.raw(">")
	w.line("summary", "", say.Text("How it was made"))
	var done []*task.Release
	for i, f := range figures {
		if slices.Contains(done, f.Release) || f.Release == nil {
			continue
		}
		done = append(done, f.Release)
		if len(figures) > 1 {
			w.line("h3", "", fmt.Sprintf("%s: %s", say.Format("Figure %d", i+1),
				headline(f.Release)))
		}
		facts(w, f.Release)
	}
	w.raw("</details>\n")
}

func facts(w *markup, r *task.Release) {
	plan := r.Plan
	w.raw("<dl>\n")
	_, many := r.Recipe.Noun.Words()
	w.fact(task.Capital(say.Phrase(many)),
		say.Format("%s, a public number", message.Grouped(plan.People)))
	if plan.Domain != "" {
		w.data(say.Text("Column"), plan.Column)
		w.fact(say.Text("Possible values"), plan.Domain)
	}
	for _, o := range plan.Others {
		w.fact(say.Format("%s column", task.Capital(o.Role)), o.Column+", "+o.Domain)
	}
	w.fact(say.Text("Algorithm"), plan.Algorithm)
	for _, t := range task.Catalogue() {
		if t.ID == r.Recipe.Task {
			w.fact(say.Text("In plain words"), say.Text(t.How))
			w.data(say.Text("Source"), t.Source)
		}
	}
	for _, f := range plan.Forecast {
		w.fact(f.Label, f.Value+" ("+f.Detail+")")
	}
	w.fact(say.Text("Randomness"), OriginText(r.Origin))
	w.raw("</dl>\n")
}

// OriginText says where the noise of a release came from, as the release says.
func OriginText(o coin.Origin) string {
	if o == coin.Crypto {
		return say.Text("the system's cryptographic generator")
	}
	return string(o)
}
