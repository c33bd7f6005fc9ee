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

// figure is a figure of a page, with its position there.
type figure struct {
	*publication.Figure
	number  int
	level   string // of its sentence: "h2"
	alone   bool   // it is the page's only one
	picture Picture
}

// sentence returns the author's sentence, or the answer's own.
func sentence(f *publication.Figure) string {
	if f.Sentence != "" {
		return f.Sentence
	}
	return f.Release.Statement
}

// write writes the sentence, the subject, the picture, the line below it, and the same as a table.
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
		html.EscapeString(subject(caption)) + "</p>\n")
	f.pictures(w)
	if f.picture == (Picture{}) {
		caption.Bars = "" // there are none
	}
	if line := below(caption); line != "" {
		w.line("figcaption", "", line)
	}
	f.verdict(w)
	f.table(w, name)
	w.raw("</figure>\n")
}

// subject says what a figure shows, and how far it is off.
func subject(c chart.Caption) string {
	if c.Off == "" {
		return c.What
	}
	return c.What + ", " + c.Off
}

// below is the line under a picture, which is empty if there is nothing to say.
func below(c chart.Caption) string {
	if c.Usual {
		return c.Left
	}
	return join(c.Bars, c.Left)
}

// smallPicture is the width in points of the widest picture that does not fill a page.
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
		w.raw(`<div class="picture ` + class + `">` + p.Inline(say.Format("Chart. %s", chart.Spoken(f.Release)),
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

// warnings says that an answer is not a release, or that nobody knows.
func warnings(r *task.Release) (list []string) {
	if r.Origin != coin.Crypto {
		list = append(list, say.Format("This is not a release: its randomness is %s, so its "+
			"guarantee does not hold.", string(r.Origin)))
	}
	if r.Unverified {
		list = append(list, say.Text("These numbers were opened from a file, which does not "+
			"prove that they were released. The guarantee was worked out again from the question."))
	}
	return list
}

// verdict returns a shape and words for an answer that cannot be relied on, and empty texts for any
// other.
func verdict(r *task.Release) (mark, words string) {
	switch {
	case r.Verdict == nil || grade(r.Verdict.Grade) == ask.Good:
		return "", ""
	case grade(r.Verdict.Grade) == ask.Noise:
		return "▯▯▯", say.Text("Mostly noise")
	}
	return "▮▮▯", say.Text("Rough")
}

// verdict states what cannot be relied on.
func (f figure) verdict(w *markup) {
	r := f.Release
	for _, text := range warnings(r) {
		w.line("p", "warn", text)
	}
	mark, words := verdict(r)
	if words == "" {
		return
	}
	w.raw(`<p class="verdict ` + string(grade(r.Verdict.Grade)) + `"><span aria-hidden="true">` +
		mark + `</span> <b>` + html.EscapeString(words) + "</b>")
	if r.Verdict.Text != "" {
		w.raw(" " + html.EscapeString(r.Verdict.Text))
	}
	w.raw("</p>\n")
}

// mostRows is the number of rows of a table that a report shows: the CSV file has all of them.
const mostRows = 31

// table writes the figure's data, folded until they are requested.
func (f figure) table(w *markup, name string) {
	header, rows, number, left := tableOf(f.Release)
	label := say.Format("%s as a table", name)
	w.raw("<details")
	if f.alone || f.picture == (Picture{}) {
		w.raw(" open")
	}
	w.raw(">")
	w.line("summary", "", label)
	w.raw("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"" +
		html.EscapeString(label) + "\"><table>\n<thead>")
	w.row("th", header, number)
	w.raw("</thead>\n<tbody>\n")
	for _, row := range rows {
		w.row("td", row, number)
	}
	w.raw("</tbody></table></div>\n")
	if left != "" {
		w.line("p", "soft", left)
	}
	w.raw("</details>\n")
}

// tableOf returns the start of an answer's table. left says how many rows are missing, and is empty
// if none are.
func tableOf(r *task.Release) (header []string, rows [][]string, number func(column int) bool,
	left string) {
	table := r.Table(say.Language())
	rows = table[1:min(len(table), 1+mostRows)]
	number = chart.NumberColumns(rows)
	if len(rows) < len(table)-1 {
		left = say.Format("These are %d of %d rows. The CSV file has all of them.", len(rows),
			len(table)-1)
	}
	return table[0], chart.GroupedCounts(r.Answer.Result, rows), number, left
}
