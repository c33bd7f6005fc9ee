package report

import (
	"html"
	"strconv"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/publication"
	"hush/core/task"
	"hush/web/chart"
	"hush/web/chart/svg"
	"hush/web/say"
)

// figure is a figure of a page, with its place there.
type figure struct {
	*publication.Figure
	number  int
	level   string // of its sentence: "h2"
	alone   bool   // it is the page's only one
	picture Picture
}

// sentence is the author's, or the answer's own.
func sentence(f *publication.Figure) string {
	if f.Sentence != "" {
		return f.Sentence
	}
	return f.Release.Statement
}

// key is a number in large type, with its error and its name.
func (w *markup) key(r *task.Release) {
	value, off, ok := chart.Key(r)
	if !ok {
		return
	}
	w.raw("<div><dt>" + html.EscapeString(chart.CaptionOf(r).What) + " (" +
		html.EscapeString(off) + ")</dt><dd>" + html.EscapeString(value) + "</dd></div>\n")
}

// write is the sentence, what is drawn, the picture, what stands below it, and the same as a table.
func (f figure) write(w *markup) {
	caption := chart.CaptionOf(f.Release)
	name := say.Format("Figure %d", f.number)
	w.raw(`<figure class="`)
	switch {
	case f.alone:
		w.raw("across alone")
	case caption.Across:
		w.raw("across")
	default:
		w.raw("column")
	}
	w.raw(`" id="figure-` + strconv.Itoa(f.number) + "\">\n")
	w.line(f.level, "", sentence(f.Figure))
	w.raw("<p class=\"sub\"><b>" + html.EscapeString(name) + ".</b> " +
		html.EscapeString(caption.What))
	if caption.Off != "" {
		w.raw(", " + html.EscapeString(caption.Off))
	}
	w.raw("</p>\n")
	f.pictures(w)
	line := caption.Left
	if !caption.Usual && caption.Bars != "" {
		line = join(caption.Bars, line)
	}
	if line != "" {
		w.line("figcaption", "", line)
	}
	f.verdict(w)
	f.table(w, name)
	w.raw("</figure>\n")
}

// smallPicture is the widest picture that does not fill a page, in points.
const smallPicture = 720

// join puts a space between sentences.
func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}

func (f figure) pictures(w *markup) {
	one := func(class string, p *svg.Picture, end string) {
		if p == nil {
			return
		}
		if p.Width() <= smallPicture {
			class += " small"
		}
		w.raw(`<div class="picture ` + class + `">` + p.Inline(f.Release.Statement,
			"figure"+strconv.Itoa(f.number)+end+"-") + "</div>\n")
	}
	switch {
	case f.picture.Wide != nil && f.picture.Narrow != nil:
		one("wide", f.picture.Wide, "")
		one("narrow", f.picture.Narrow, "narrow")
	default: // one is shown at any width
		one("only", f.picture.Wide, "")
		one("only", f.picture.Narrow, "")
	}
}

// verdict says by a shape and in words what cannot be relied on.
func (f figure) verdict(w *markup) {
	r := f.Release
	if r.Origin != coin.Crypto {
		w.line("p", "warn", say.Format("This is not a release: its randomness is %s, so its "+
			"guarantee does not hold.", string(r.Origin)))
	}
	if r.Unverified {
		w.line("p", "warn", say.Text("These numbers were opened from a file, and nobody can tell "+
			"from it whether they were released. The guarantee was worked out anew from the "+
			"question."))
	}
	v := r.Verdict
	if v == nil || grade(v.Grade) == ask.Good {
		return
	}
	mark, words := "▮▮▯", say.Text("Rough")
	if grade(v.Grade) == ask.Noise {
		mark, words = "▯▯▯", say.Text("Mostly noise")
	}
	w.raw(`<p class="verdict ` + string(grade(v.Grade)) + `"><span aria-hidden="true">` + mark +
		`</span> <b>` + html.EscapeString(words) + "</b>")
	if v.Text != "" {
		w.raw(" " + html.EscapeString(v.Text))
	}
	w.raw("</p>\n")
}

// mostRows are the rows of a table that a report shows: all are in the CSV file.
const mostRows = 31

// table is the figure's data, which take no room until they are asked for.
func (f figure) table(w *markup, name string) {
	table := f.Release.Table(say.Language())
	rows := table[1:min(len(table), 1+mostRows)]
	number := chart.NumberColumns(rows)
	rows = chart.GroupedCounts(f.Release.Answer.Result, rows)
	label := say.Format("%s as a table", name)
	w.raw("<details")
	if f.alone {
		w.raw(" open")
	}
	w.raw(">")
	w.line("summary", "", label)
	w.raw("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"" +
		html.EscapeString(label) + "\"><table>\n<thead>")
	w.row("th", table[0], number)
	w.raw("</thead>\n<tbody>\n")
	for _, row := range rows {
		w.row("td", row, number)
	}
	w.raw("</tbody></table></div>\n")
	if len(rows) < len(table)-1 {
		w.line("p", "soft", say.Format("These are %d of %d rows. The CSV file has all of them.",
			len(rows), len(table)-1))
	}
	w.raw("</details>\n")
}
