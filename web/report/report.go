// Package report writes a release as a page of its own, to open, print and pass on.
package report

import (
	"encoding/json"
	"html"
	"strings"

	"hush/core/coin"
	"hush/core/message"
	"hush/core/task"
	"hush/web/chart"
	"hush/web/say"
)

// Report is one release as a page of its own: a file that anyone can open, print and pass on. It
// asks nothing of any network, runs nothing, and its policy forbids both.
type Report struct {
	Release *task.Release
	Picture *chart.Picture
	Build   string // which Hush made the release: the hash of its bundle
	Date    string // when the report was written; empty: it does not say
}

// HTML writes the report. Every text is escaped.
func (r Report) HTML() string {
	w, style := &markup{}, reportStyle()
	plan := r.Release.Plan
	title := say.Format("%s of %s", plan.Task, plan.Column)
	tag, direction := say.Spoken()
	w.raw(`<!doctype html>` + "\n" + `<html lang="` + tag + `" dir="` + direction + `">` +
		"\n<head>\n<meta charset=\"utf-8\">\n")
	w.raw(`<meta http-equiv="Content-Security-Policy" content="` +
		html.EscapeString(reportPolicy(style)) + "\">\n")
	w.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta " +
		"name=\"color-scheme\" content=\"light dark\">\n")
	w.line("title", "", say.Format("%s – a private release", title))
	w.raw("<style>" + style + "</style>\n</head>\n<body>\n<main>\n<header>\n")
	w.line("p", "soft", say.Text("Released with differential privacy"))
	w.line("h1", "", title)
	if r.Release.Origin != coin.Crypto {
		w.line("p", "warn",
			say.Format("This is not a release: its randomness is %s, so its guarantee does not "+
				"hold.", string(r.Release.Origin)))
	}
	w.line("p", "statement", r.Release.Statement)
	w.raw("</header>\n<figure>" + r.Picture.Inline(r.Release.Statement) + "</figure>\n")
	r.table(w)

	w.section(say.Text("What is promised"))
	w.line("p", "note", plan.Guarantee.Plain)
	w.line("p", "", say.Format("Exactly: %s.", plan.Guarantee.Exact))
	w.line("p", "soft", plan.Guarantee.Neighbours)
	w.raw("</section>\n")

	r.making(w)

	w.section(say.Text("The recipe"))
	w.line("p", "soft",
		say.Text("The whole question, free of data: with it and the same file, Hush asks it "+
			"again."))
	w.raw(`<pre translate="no">` + html.EscapeString(RecipeText(r.Release)) + "</pre>\n")
	w.raw("</section>\n<footer>")
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

func (r Report) table(w *markup) {
	table := r.Release.Table(say.Language())
	number := chart.NumberColumns(table[1:])
	w.section(say.Text("The figures"))
	w.raw("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" +
		html.EscapeString(say.Text("The figures")) + "\"><table>\n<thead><tr>")
	for i, cell := range table[0] {
		w.cell("th scope=\"col\"", "th", number(i), cell)
	}
	w.raw("</tr></thead>\n<tbody>\n")
	for _, row := range table[1:] {
		w.raw("<tr>")
		for i, cell := range row {
			w.cell("td", "td", number(i), cell)
		}
		w.raw("</tr>\n")
	}
	w.raw("</tbody></table></div>\n</section>\n")
}

// making says how the answer came about, and how good it is.
func (r Report) making(w *markup) {
	plan := r.Release.Plan
	w.section(say.Text("How it was made"))
	w.raw("<dl>\n")
	w.fact(say.Text("People"), say.Format("%s, a public number", message.Grouped(plan.People)))
	if plan.Domain != "" {
		w.data(say.Text("Column"), plan.Column)
		w.fact(say.Text("Possible values"), plan.Domain)
	}
	for _, o := range plan.Others {
		w.fact(say.Format("%s column", task.Capital(o.Role)), o.Column+", "+o.Domain)
	}
	w.fact(say.Text("Algorithm"), plan.Algorithm)
	for _, t := range task.Catalogue() {
		if t.ID == r.Release.Recipe.Task {
			w.fact(say.Text("In plain words"), say.Text(t.How))
			w.data(say.Text("Source"), t.Source)
		}
	}
	for _, f := range plan.Forecast {
		w.fact(f.Label, f.Value+" ("+f.Detail+")")
	}
	w.fact(say.Text("Randomness"), originText(r.Release.Origin))
	w.raw("</dl>\n</section>\n")
}

func originText(o coin.Origin) string {
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

// markup writes HTML. Only raw does not escape, and it is given nothing but constants and what is
// escaped already.
type markup struct{ strings.Builder }

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
	w.line("h2", "", title)
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
