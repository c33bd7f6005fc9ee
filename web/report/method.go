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

// method is the one box that states what is promised, how to read the figures, and where ε went.
func (r Report) method(w *markup) {
	m := r.Method()
	w.raw("<section class=\"method\">\n")
	w.line("h2", "", say.Text("How these figures protect people"))
	w.raw("<div class=\"columns\">\n<div>")
	w.line("h3", "", say.Text("What is promised"))
	class := "promise"
	if m.Unknown {
		class = "warn"
	}
	w.line("p", class, m.Promise)
	for _, line := range m.Exact {
		w.line("p", "", line)
	}
	for _, unit := range m.Units {
		w.line("p", "soft", unit)
	}
	w.raw("</div>\n<div>")
	w.line("h3", "", say.Text("How to read the figures"))
	w.raw("<ul>\n")
	for _, line := range m.Reading {
		w.line("li", "", line)
	}
	w.raw("</ul>\n</div>\n")
	if len(m.Spent) > 0 {
		w.raw("<div>")
		w.line("h3", "", say.Text("Where ε went"))
		number := func(column int) bool { return column == 2 }
		last := len(m.Spent) - 1
		w.raw("<table>\n<thead>")
		w.row("th", m.Spent[0], number)
		w.raw("</thead>\n<tbody>\n")
		for _, row := range m.Spent[1:last] {
			w.row("td", row, number)
		}
		w.raw("</tbody>\n<tfoot>")
		w.row("td", m.Spent[last], number)
		w.raw("</tfoot></table>\n</div>\n")
	}
	w.raw("</div>\n")
	making(w, r.Page.Figures())
	w.raw("</section>\n")
}

// Method says how the figures of a page protect people; every form of the page uses it.
type Method struct {
	Promise string     // in plain words
	Unknown bool       // Promise says that nothing is known to be promised
	Exact   []string   // the same exactly
	Units   []string   // the people who are protected
	Reading []string   // what error bars and hatching mean
	Spent   [][]string // a table of where ε went, from its header to its sum; nil for one figure
}

// Method works out what a page promises.
func (r Report) Method() (m Method) {
	figures := r.Page.Figures()
	m.Reading = r.reading()
	total, err := r.Page.Total()
	if err != nil || len(figures) == 0 {
		m.Unknown = true
		m.Promise = say.Text("Nothing is released here.")
		if err != nil {
			m.Promise = say.Format("No promise is known: the guarantee cannot be "+
				"worked out from the questions: %s.", say.Error(err))
		}
		return m
	}
	all := figures[0].Release.Recipe
	for _, f := range figures {
		if f.Release.Recipe.Noun != all.Noun {
			all.Noun.One, all.Noun.Many = "", "" // persons, whatever noun each figure has
		}
		unit := say.Phrase(ask.Neighbours(f.Release.Recipe))
		if !slices.Contains(m.Units, unit) {
			m.Units = append(m.Units, unit)
		}
	}
	g := ask.GuaranteeOf(say.Language(), raised(total.Loss), all)
	m.Promise, m.Exact = g.Line(), []string{say.Format("Exactly: %s.", g.Exact)}
	if saved := total.Saved(); saved != nil && thousandths(saved, false).Sign() > 0 {
		m.Exact = append(m.Exact, say.Format("Asked one by one, these questions would cost %s "+
			"more.", "ε = "+privacy.Number(thousandths(saved, false))))
	}
	if len(figures) > 1 {
		m.Spent = spent(figures, total)
	}
	return m
}

// reading explains error bars and hatching, if pictures have them.
func (r Report) reading() (lines []string) {
	bars, hatched, people := false, false, []string{}
	for i, f := range r.Page.Figures() {
		if i < len(r.Pictures) && r.Pictures[i] != (Picture{}) {
			c := chart.CaptionOf(f.Release)
			bars, hatched = bars || c.Usual, hatched || c.Hatched
		}
		_, many := f.Release.Recipe.Noun.Words()
		line := say.Format("%s, a public number", message.Grouped(f.Release.Plan.People)+" "+
			say.Phrase(many))
		if !slices.Contains(people, line) {
			people = append(people, line)
		}
	}
	if bars {
		lines = append(lines, plot.ErrorBars())
	}
	if hatched {
		lines = append(lines, say.Text("Hatched: too few to tell."))
	}
	return append(lines, say.Text("The noise is random and has a known law. It does not say how "+
		"well the data describe the world."), strings.Join(people, "; ")+".")
}

// spent is a table of where ε went.
func spent(figures []*publication.Figure, total publication.Total) [][]string {
	rows := [][]string{{say.Text("Figure"), say.Text("Noise"), "ε"}}
	for _, part := range total.Parts {
		var names []string
		for _, n := range part.Figures {
			names = append(names, strconv.Itoa(n))
		}
		noise := figures[part.Figures[len(part.Figures)-1]-1].Release.Plan.Algorithm
		if part.Plan > 0 {
			noise = say.Count(int64(part.Questions), "one question, planned",
				"%d questions, planned together", part.Questions)
		}
		rows = append(rows, []string{strings.Join(names, ", "), noise, lossText(part.Loss)})
	}
	return append(rows, []string{"", say.Text("the whole page"), lossText(total.Loss)})
}

// lossText writes a loss for the table of ε.
func lossText(l privacy.Loss) string {
	return strings.TrimPrefix(strings.TrimPrefix(say.Phrase(raised(l)), "ε = "), "ε ")
}

// raised returns a loss as people read it: with ε rounded up to a thousandth, which promises no
// more.
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

// thousandths rounds a number of at least 0 to a thousandth, up or down; a smaller number stays.
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

// making explains how each answer came about. It is folded until it is requested, unless it is
// about a single answer.
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
		w.raw("<dl>\n")
		for _, fact := range facts(f.Release) {
			if fact.data {
				w.data(fact.term, fact.text)
			} else {
				w.fact(fact.term, fact.text)
			}
		}
		w.raw("</dl>\n")
	}
	w.raw("</details>\n")
}

// fact is a line about how an answer came about.
type fact struct {
	term, text string
	data       bool // in its own language
}

func facts(r *task.Release) (list []fact) {
	add := func(term, text string) { list = append(list, fact{term, text, false}) }
	plan := r.Plan
	_, many := r.Recipe.Noun.Words()
	add(task.Capital(say.Phrase(many)),
		say.Format("%s, a public number", message.Grouped(plan.People)))
	if plan.Domain != "" {
		list = append(list, fact{say.Text("Column"), plan.Column, true})
		add(say.Text("Possible values"), plan.Domain)
	}
	for _, o := range plan.Others {
		add(say.Format("%s column", task.Capital(o.Role)), o.Column+", "+o.Domain)
	}
	add(say.Text("Algorithm"), plan.Algorithm)
	for _, t := range task.Catalogue() {
		if t.ID == r.Recipe.Task {
			add(say.Text("In plain words"), say.Text(t.How))
			list = append(list, fact{say.Text("Source"), t.Source, true})
		}
	}
	for _, f := range plan.Forecast {
		add(f.Label, f.Value+" ("+f.Detail+")")
	}
	add(say.Text("Randomness"), OriginText(r.Origin))
	return list
}

// OriginText states where the noise of a release came from, according to the release.
func OriginText(o coin.Origin) string {
	if o == coin.Crypto {
		return say.Text("the system's cryptographic generator")
	}
	return string(o)
}
