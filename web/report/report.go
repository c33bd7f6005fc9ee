// Package report writes releases as a page of their own, to open, print and pass on.
package report

import (
	"encoding/json"
	"html"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/message"
	"hush/core/task"
	"hush/web/chart"
	"hush/web/chart/svg"
	"hush/web/say"
)

// Report is one release, or several, as a page of its own: a file that anyone can open, print and
// pass on. It asks nothing of any network, runs nothing, and its policy forbids both.
type Report struct {
	Answers []Answer // at least one
	Build   string   // which Hush made the report: the hash of its bundle
	Date    string   // when the report was written; empty: it does not say
}

// Answer is a release with its picture, drawn to stand alone ([chart.Publication]).
type Answer struct {
	Release *task.Release
	Picture *svg.Picture
}

// Of is the report of some answers.
func Of(build, date string, answers ...Answer) Report {
	return Report{Answers: answers, Build: build, Date: date}
}

// mostRows are the rows of a table that a report shows: all are in the CSV file.
const mostRows = 31

// HTML writes the report. Every text is escaped.
func (r Report) HTML() string {
	w, style := &markup{}, reportStyle()
	title := say.Count(int64(len(r.Answers)), "A private release", "%d private releases",
		len(r.Answers))
	if len(r.Answers) == 1 {
		title = say.Format("%s – a private release", headline(r.Answers[0].Release))
	}
	tag, direction := say.Spoken()
	w.raw(`<!doctype html>` + "\n" + `<html lang="` + tag + `" dir="` + direction + `">` +
		"\n<head>\n<meta charset=\"utf-8\">\n")
	w.raw(`<meta http-equiv="Content-Security-Policy" content="` +
		html.EscapeString(reportPolicy(style)) + "\">\n")
	w.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta " +
		"name=\"color-scheme\" content=\"light dark\">\n")
	w.line("title", "", title)
	w.raw("<style>" + style + "</style>\n</head>\n<body>\n<main>\n")
	if len(r.Answers) > 1 {
		w.raw("<header>\n")
		w.line("p", "soft", say.Text("Released with differential privacy"))
		w.line("h1", "", title)
		w.raw("<ol>\n")
		for _, a := range r.Answers {
			w.line("li", "", a.Release.Statement)
		}
		w.raw("</ol>\n</header>\n")
	}
	for _, a := range r.Answers {
		a.write(w, len(r.Answers) == 1)
	}
	w.raw("<footer>")
	if r.Date != "" {
		w.line("p", "", say.Format("Report written on %s.", r.Date))
	}
	made := say.Text("Made with Hush. Nothing in this file refers to anything outside of it.")
	if r.Build != "" {
		made = say.Format(
			"Made with Hush, build %s. Nothing in this file refers to anything outside of it.",
			r.Build)
	}
	w.line("p", "", made)
	w.raw("</footer>\n</main>\n</body>\n</html>\n")
	return w.String()
}

// headline names an answer: its sentence stands in the picture.
func headline(r *task.Release) string {
	title := say.Format("%s of %s", r.Plan.Task, r.Plan.Column)
	if len(r.Recipe.Filter) > 0 {
		title = say.Format("%s: only %s", title, r.Recipe.Whom(say.Language()))
	}
	return title
}

// write is one answer: what it says, how good it is, its picture, its figures, and how it was made.
func (a Answer) write(w *markup, alone bool) {
	plan := a.Release.Plan
	w.raw("<article>\n<header>\n")
	if alone {
		w.line("p", "soft", say.Text("Released with differential privacy"))
		w.line("h1", "", headline(a.Release))
		w.level = 2
	} else {
		w.line("h2", "", headline(a.Release))
		w.level = 3
	}
	if a.Release.Origin != coin.Crypto {
		w.line("p", "warn",
			say.Format("This is not a release: its randomness is %s, so its guarantee does not "+
				"hold.", string(a.Release.Origin)))
	}
	a.verdict(w)
	w.line("p", "statement", a.Release.Statement)
	w.raw("</header>\n<figure tabindex=\"0\">" + a.Picture.Inline(a.Release.Statement) +
		"</figure>\n")

	w.section(say.Text("What is promised"))
	w.line("p", "note", plan.Guarantee.Plain)
	w.line("p", "", say.Format("Exactly: %s.", plan.Guarantee.Exact))
	w.line("p", "soft", plan.Guarantee.Neighbours)
	w.raw("</section>\n")

	a.table(w)
	a.making(w)

	w.section(say.Text("The recipe"))
	w.line("p", "soft",
		say.Text("The whole question, free of data: with it and the same file, Hush asks it "+
			"again."))
	w.raw(`<pre translate="no">` + html.EscapeString(string(recipeLine(a.Release))) + "</pre>\n")
	w.raw("</section>\n</article>\n")
}

// verdict says how far the answer can be relied on, in words and by a shape.
func (a Answer) verdict(w *markup) {
	v := a.Release.Verdict
	if v == nil {
		return
	}
	mark, words := "▮▮▮", say.Text("Good to publish")
	switch v.Grade {
	case ask.Rough:
		mark, words = "▮▮▯", say.Text("Rough")
	case ask.Noise:
		mark, words = "▯▯▯", say.Text("Mostly noise")
	}
	w.raw(`<p class="verdict ` + string(grade(v.Grade)) + `"><span aria-hidden="true">` + mark +
		`</span> <b>` + html.EscapeString(words) + "</b>")
	if v.Text != "" {
		w.raw(" " + html.EscapeString(v.Text))
	}
	w.raw("</p>\n")
}

// grade is one of the grades that there are, whatever a file says.
func grade(g ask.Grade) ask.Grade {
	if g == ask.Good || g == ask.Rough {
		return g
	}
	return ask.Noise
}

func (a Answer) table(w *markup) {
	table := a.Release.Table(say.Language())
	rows := table[1:min(len(table), 1+mostRows)]
	number := chart.NumberColumns(rows)
	rows = chart.GroupedCounts(a.Release.Answer.Result, rows)
	w.section(say.Text("The figures"))
	w.raw("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" +
		html.EscapeString(say.Text("The figures")) + "\"><table>\n<thead><tr>")
	for i, cell := range table[0] {
		w.cell("th scope=\"col\"", "th", number(i), cell)
	}
	w.raw("</tr></thead>\n<tbody>\n")
	for _, row := range rows {
		w.raw("<tr>")
		for i, cell := range row {
			w.cell("td", "td", number(i), cell)
		}
		w.raw("</tr>\n")
	}
	w.raw("</tbody></table></div>\n")
	if len(rows) < len(table)-1 {
		w.line("p", "soft", say.Format("These are %d of %d rows. The CSV file has all of them.",
			len(rows), len(table)-1))
	}
	w.raw("</section>\n")
}

// making says how the answer came about, and how good it is.
func (a Answer) making(w *markup) {
	plan := a.Release.Plan
	w.section(say.Text("How it was made"))
	w.raw("<dl>\n")
	_, many := a.Release.Recipe.Noun.Words()
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
		if t.ID == a.Release.Recipe.Task {
			w.fact(say.Text("In plain words"), say.Text(t.How))
			w.data(say.Text("Source"), t.Source)
		}
	}
	for _, f := range plan.Forecast {
		w.fact(f.Label, f.Value+" ("+f.Detail+")")
	}
	w.fact(say.Text("Randomness"), OriginText(a.Release.Origin))
	if a.Release.Unverified {
		w.fact(say.Text("Unverified"), say.Text("These numbers were opened from a file, and "+
			"nobody can tell from it whether they were released. The guarantee was worked out "+
			"anew from the question."))
	}
	w.raw("</dl>\n</section>\n")
}

// OriginText says where the noise of a release came from, as the release says.
func OriginText(o coin.Origin) string {
	if o == coin.Crypto {
		return say.Text("the system's cryptographic generator")
	}
	return string(o)
}

// RecipeText is a recipe as a file.
func RecipeText(r *task.Release) string {
	text, err := json.MarshalIndent(r.Recipe, "", "  ")
	if err != nil {
		panic("web: internal error: " + err.Error())
	}
	return string(text) + "\n"
}

// recipeLine is a recipe in as little room as it needs on paper.
func recipeLine(r *task.Release) []byte {
	text, err := json.Marshal(r.Recipe)
	if err != nil {
		panic("web: internal error: " + err.Error())
	}
	return text
}

// markup writes HTML. Only raw does not escape, and it is given nothing but constants and what is
// escaped already.
type markup struct {
	strings.Builder
	level int // of the headings of sections
}

func (w *markup) raw(text string) { w.WriteString(text) }

func (w *markup) line(element, class, text string) {
	w.raw("<" + element)
	if class != "" {
		w.raw(` class="` + class + `"`)
	}
	w.raw(">" + html.EscapeString(text) + "</" + element + ">\n")
}

func (w *markup) section(title string) {
	w.raw("<section>\n")
	w.line("h"+strconv.Itoa(w.level), "", title)
}

func (w *markup) fact(term, text string) {
	w.raw("<dt>" + html.EscapeString(term) + "</dt><dd>" + html.EscapeString(text) + "</dd>\n")
}

// data is a fact in whatever language it is.
func (w *markup) data(term, text string) {
	w.raw("<dt>" + html.EscapeString(term) + "</dt><dd translate=\"no\">" +
		html.EscapeString(text) + "</dd>\n")
}

func (w *markup) cell(start, end string, number bool, text string) {
	w.raw("<" + start)
	if number {
		w.raw(` class="number"`)
	}
	w.raw(">" + html.EscapeString(text) + "</" + end + ">")
}
