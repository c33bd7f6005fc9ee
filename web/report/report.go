// Package report writes publications as files to open, print and pass on.
package report

import (
	"cmp"
	"html"
	"slices"
	"strings"

	"hush/core/ask"
	"hush/core/message"
	"hush/core/publication"
	"hush/core/task"
	"hush/web/chart"
	"hush/web/chart/svg"
	"hush/web/say"
)

// Report is a page of figures with their pictures. As HTML it is a single file that requests
// nothing from any network, runs nothing, and whose policy forbids both.
type Report struct {
	Page     publication.Page
	Pictures []Picture // of Page.Figures(), in their order; missing ones are left out
}

// Picture is a figure's picture, drawn bare ([hush/web/chart.Bare]) at two widths. Narrow is for
// telephones and for columns on paper; without it Wide is used there too.
type Picture struct{ Wide, Narrow *svg.Picture }

// Answer is a release with its picture.
type Answer struct {
	Release *task.Release
	Picture *svg.Picture
	Narrow  *svg.Picture // may be nil
}

// Of returns the report of some answers: a page of nothing but figures.
func Of(build, date string, answers ...Answer) Report {
	r := Report{Page: publication.Page{Build: build, Date: date}}
	for i, a := range answers {
		source := cmp.Or(a.Release.Recipe.Source, a.Release.Recipe.Data)
		if i == 0 {
			r.Page.Source = source
		} else if source != r.Page.Source {
			r.Page.Source = ""
		}
		r.Page.Pieces = append(r.Page.Pieces,
			publication.Piece{Figure: &publication.Figure{Release: a.Release}})
		r.Pictures = append(r.Pictures, Picture{a.Picture, a.Narrow})
	}
	return r
}

// Title is the page's title, or its substitute.
func (r Report) Title() string {
	figures := r.Page.Figures()
	switch {
	case r.Page.Title != "":
		return r.Page.Title
	case len(figures) == 1:
		return headline(figures[0].Release)
	case r.Page.Proposed(say.Language()) != "":
		return r.Page.Proposed(say.Language())
	}
	return say.Count(int64(len(figures)), "A private release", "%d private releases", len(figures))
}

// HTML writes the report. Every text is escaped.
func (r Report) HTML() string { return r.html(edition) }

// html writes it as an edition of this program; an empty edition did not identify itself.
func (r Report) html(edition string) string {
	w, style := &markup{}, reportStyle()
	tag, direction := say.Spoken()
	w.raw(`<!doctype html>` + "\n" + `<html lang="` + tag + `" dir="` + direction + `">` +
		"\n<head>\n<meta charset=\"utf-8\">\n")
	w.raw(`<meta http-equiv="Content-Security-Policy" content="` +
		html.EscapeString(reportPolicy(style)) + "\">\n")
	if edition != "" {
		w.raw(generator + edition + generatorEnd)
	}
	w.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta " +
		"name=\"color-scheme\" content=\"light dark\">\n")
	w.line("title", "", r.Title())
	w.raw("<style>" + style + "</style>\n</head>\n<body>\n")
	if r.Page.Publisher != "" {
		w.raw("<header class=\"top\">")
		w.line("p", "", r.Page.Publisher)
		w.raw("</header>\n")
	}
	w.raw("<main>\n")
	r.head(w)
	r.pieces(w)
	r.method(w)
	r.foot(w)
	w.raw("</main>\n" + publication.AppendixStart + string(publication.Write(r.Page)) +
		publication.AppendixEnd + publication.HTMLEnd)
	return w.String()
}

// mostKeys is the number of numbers in large type that fit into a row.
const mostKeys = 4

// head is the part above the figures.
func (r Report) head(w *markup) {
	w.raw("<header class=\"head\">\n")
	w.line("p", "soft", r.kind())
	w.line("h1", "", r.Title())
	if r.Page.Lead != "" {
		w.line("p", "lead", r.Page.Lead)
	}
	w.raw("</header>\n")
	if keys := r.keys(); len(keys) > 0 {
		w.raw("<dl class=\"keys\" aria-label=\"" + html.EscapeString(say.Text("Key figures")) +
			"\">\n")
		for _, k := range keys {
			w.raw("<div><dt>" + html.EscapeString(k.name) + "</dt><dd>" +
				html.EscapeString(k.value) + "</dd></div>\n")
		}
		w.raw("</dl>\n")
	}
}

// kind is the line above the title.
func (r Report) kind() string {
	kind := say.Text("Released with differential privacy")
	if r.Page.Date != "" {
		kind += " · " + r.Page.Date
	}
	return kind
}

// key is a number in large type, with its name and its error.
type key struct{ value, name string }

// keys returns the page's key figures: among several figures those that are one number, and the
// number of people they are about.
func (r Report) keys() (list []key) {
	figures, numbers := r.Page.Figures(), r.Page.Keys()
	if len(figures) < 2 || len(numbers) == 0 {
		return nil
	}
	first := figures[0].Release
	if len(numbers) < mostKeys && !slices.ContainsFunc(figures, func(f *publication.Figure) bool {
		return f.Release.Plan.People != first.Plan.People
	}) {
		_, many := first.Recipe.Noun.Words()
		list = append(list, key{message.Grouped(first.Plan.People),
			say.Format("%s, a public number", say.Phrase(many))})
	}
	for _, number := range numbers {
		release := figures[number-1].Release
		if value, off, ok := chart.Key(release); ok {
			list = append(list, key{value, chart.CaptionOf(release).What + " (" + off + ")"})
		}
	}
	return list
}

// pieces writes the figures and what stands between them: a part for each heading.
func (r Report) pieces(w *markup) {
	w.raw("<section class=\"part\">\n")
	headed, number := false, 0
	for i, piece := range r.Page.Pieces {
		switch {
		case piece.Heading != "":
			if i > 0 {
				w.raw("</section>\n<section class=\"part\">\n")
			}
			w.line("h2", "", piece.Heading)
			headed = true
		case piece.Text != "":
			for _, paragraph := range strings.Split(piece.Text, "\n\n") {
				w.line("p", "own", paragraph)
			}
		case piece.Figure != nil && piece.Figure.Release != nil:
			f := figure{Figure: piece.Figure, number: number + 1, level: "h2",
				alone: len(r.Page.Figures()) == 1}
			if headed {
				f.level = "h3"
			}
			if number < len(r.Pictures) {
				f.picture = r.Pictures[number]
			}
			f.write(w)
		}
		if piece.Figure != nil {
			number++
		}
	}
	w.raw("</section>\n")
}

// foot says where the numbers come from and how to cite them.
func (r Report) foot(w *markup) {
	w.raw("<footer>\n<div>")
	w.line("h2", "", say.Text("Source"))
	if source := r.source(); source != "" {
		w.line("p", "", source)
	}
	if cited := r.cited(); cited != "" {
		w.line("p", "soft", cited)
	}
	w.raw("</div>\n<div>")
	w.line("h2", "", say.Text("Check and use"))
	w.line("p", "", say.Text("Open this file in Hush, under Check a release: Hush works out the "+
		"guarantee and the errors again, without the data. The end of the file repeats "+
		"questions, answers and guarantees for programs; it holds no data."))
	w.line("p", "soft", r.made())
	w.raw("</div>\n</footer>\n")
}

// source is the page's source line, which stands below the word "Source".
func (r Report) source() string { return publication.Source(say.Language(), r.Page.Source) }

// cited says how to cite the page; it is empty if the page has no date.
func (r Report) cited() string {
	p := r.Page
	if p.Date == "" {
		return ""
	}
	return say.Format("%s (%s): %s.", cmp.Or(p.Publisher, "Hush"), year(p.Date), r.Title()) + " " +
		say.Format("Released on %s, fingerprint %s.", p.Date, publication.Fingerprint(p))
}

// made says what wrote the page.
func (r Report) made() string {
	if r.Page.Build == "" {
		return say.Text("Made with Hush. Nothing in this file refers to anything outside of it.")
	}
	return say.Format(
		"Made with Hush, build %s. Nothing in this file refers to anything outside of it.",
		r.Page.Build)
}

// year returns the year of a date.
func year(date string) string {
	year, _, _ := strings.Cut(date, "-")
	return year
}

// headline names an answer: its sentence stands at the figure.
func headline(r *task.Release) string {
	title := say.Format("%s of %s", r.Plan.Task, r.Plan.Column)
	if len(r.Recipe.Filter) > 0 {
		title = say.Format("%s: only %s", title, r.Recipe.Whom(say.Language()))
	}
	return title
}

// RecipeText writes a recipe as a file.
func RecipeText(r *task.Release) string { return indented(r.Recipe) }

// grade returns one of the known grades, whatever a file states.
func grade(g ask.Grade) ask.Grade {
	if g == ask.Good || g == ask.Rough {
		return g
	}
	return ask.Noise
}
