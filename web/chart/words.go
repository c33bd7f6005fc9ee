package chart

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/message"
	"hush/core/task"
	"hush/web/say"
)

// Text is what a chart says in words, so that it can be read without the page around it.
type Text struct {
	Title    string // the sentence
	Subtitle string // what is drawn, and of how many
	Note     string // the noise, what the error bars mean, what is hatched
	Source   string
}

// TextOf are the words of a release's chart.
func TextOf(r *task.Release) Text { return pictureOf(r).text(r) }

// text are the words of a release that was drawn so.
func (p picture) text(r *task.Release) Text {
	one, many := nounOf(r)
	what := p.what
	if what == "" {
		what = say.Format("%s of %s", r.Plan.Task, r.Plan.Column)
	}
	return Text{
		Title:    r.Statement,
		Subtitle: what + " · " + message.Grouped(r.Plan.People) + " " + many,
		Note:     p.note(r, one),
		Source:   sourceOf(r.Recipe),
	}
}

// sourceOf is the line below a chart.
func sourceOf(r ask.Recipe) string {
	if source := cmp.Or(r.Source, r.Data); source != "" {
		return say.Format("Source: %s · Hush", source)
	}
	return say.Text("Made with Hush")
}

// nounOf is what the people of a release are called.
func nounOf(r *task.Release) (one, many string) {
	o, m := r.Recipe.Noun.Words()
	return say.Phrase(o), say.Phrase(m)
}

// shortName is how many letters of a name a crowded picture has room for; its table has it whole.
const shortName = 22

// shortened leaves the middle of a long name out: names of one kind often begin or end alike.
func shortened(name string, most int) string {
	letters := []rune(name)
	if len(letters) <= most {
		return name
	}
	end := (most - 1) / 2
	return string(letters[:most-1-end]) + "…" + string(letters[len(letters)-end:])
}

// howMany is a number of those whom a release is about.
func howMany(r *task.Release, n int64) string { return r.Voice(say.Language()).HowMany(n) }

// withUnit is a column's name with the unit of its values.
func withUnit(name, unit string) string {
	if unit == "" || strings.Contains(strings.ToLower(name), strings.ToLower(unit)) {
		return name // "number of pages" says it already
	}
	return say.Format("%s in %s", name, unit)
}

// column is the main column of a release, with its unit.
func column(r *task.Release) string { return withUnit(r.Plan.Column, r.Recipe.Unit) }

// picture is a release as it is drawn: the plot, and what its words need to know of it.
type picture struct {
	plot   object
	tall   bool
	unit   string   // of the values, at the top left
	axis   string   // below the plot
	height int      // of the plot, in points
	rows   []string // the names of lying bars, of which the plot is made as high as they need

	what    string // of the subtitle
	bars    string // what error bars or a band mean; empty: there are none
	hatched bool   // something is too few to tell
}

// note says what was done for privacy, and how to read the errors.
func (p picture) note(r *task.Release, one string) string {
	loss := "ε = " + r.Recipe.Epsilon
	if delta := r.Plan.Loss.Delta(); delta.Sign() > 0 {
		x, _ := delta.Float64()
		loss += ", δ = " + strconv.FormatFloat(x, 'g', 3, 64)
	}
	parts := []string{say.Format("Noise added for privacy: %s per %s.", loss, one)}
	if p.bars != "" {
		parts = append(parts, p.bars)
	}
	if p.hatched {
		parts = append(parts, say.Text("Hatched: too few to tell."))
	}
	return strings.Join(parts, " ")
}

// errorBars is what most error bars mean.
func errorBars() string {
	return say.Text("Error bars show the range that holds in 95 of 100 releases.")
}

// pictureOf draws a release.
func pictureOf(r *task.Release) picture {
	p := viewOfAnswer(r).picture(r)
	p.plot["animation"] = false // bars and their errors never part
	return p
}

// Of draws a release for the page, which says its title and subtitle in type; tall tells whether it
// needs a tall frame.
func Of(r *task.Release) (option json.RawMessage, tall bool) {
	p := pictureOf(r)
	t := p.text(r)
	return p.finished(r, Text{Note: t.Note, Source: t.Source}), p.tall
}

// Publication draws a release to stand alone, with all its words in the picture.
func Publication(r *task.Release) (option json.RawMessage, tall bool) {
	p := pictureOf(r)
	return p.finished(r, p.text(r)), p.tall
}

func (p picture) finished(r *task.Release, t Text) json.RawMessage {
	words := p.words(t)
	switch {
	case r.Unverified:
		words["mark"] = say.Text("unverified")
	case r.Verdict != nil && r.Verdict.Grade == ask.Noise:
		words["mark"] = say.Text(ask.Noise.Words())
	}
	p.plot["words"] = words
	return finished(p.plot, r.Statement)
}

// words are what the drawing program lays out around the plot.
func (p picture) words(t Text) object {
	words := object{"height": cmp.Or(p.height, 300)}
	for name, text := range map[string]string{"title": t.Title, "subtitle": t.Subtitle,
		"note": t.Note, "source": t.Source, "unit": p.unit, "axis": p.axis} {
		if text != "" {
			words[name] = text
		}
	}
	if p.rows != nil {
		words["rows"] = p.rows
	}
	return words
}

// noisy tells whether a cell of an answer is too few to tell: as the release was judged, or else
// where the value is below twice its error at 95 %.
func noisy(r *task.Release, i int, value, off float64) bool {
	if r.Verdict != nil && i < len(r.Verdict.Cells) {
		return r.Verdict.Cells[i] == ask.Noise
	}
	return value < 2*off
}

// flag is how a renderer is told.
func flag(is bool) int {
	if is {
		return 1
	}
	return 0
}

// said is the text of a tooltip: a name, a value, and its range.
func said(name, value, low, high string) string {
	if low == "" {
		return name + "\n" + value
	}
	return say.Format("%s\n%s, from %s to %s in 95 of 100 releases", name, value, low, high)
}

// bounds are the public range of a column, where it is one of numbers.
func bounds(spec domain.Spec) (lo, hi float64, ok bool) {
	lo, err1 := strconv.ParseFloat(spec.Lo, 64)
	hi, err2 := strconv.ParseFloat(spec.Hi, 64)
	return lo, hi, err1 == nil && err2 == nil && lo < hi
}

// years tells a range that may be of years, whose numbers are not grouped.
func years(lo, hi float64) bool { return lo >= 1000 && hi < 3000 }

// Number writes a number as all charts do: thousands apart, from 1 000 on.
func Number(x float64) string {
	if x == 0 {
		x = 0 // and not −0
	}
	return written(strconv.FormatFloat(x, 'f', -1, 64))
}

// written groups a number that is text, with whatever follows its point; other text stays.
func written(text string) string {
	whole, _, _ := strings.Cut(text, ".")
	return message.GroupedText(whole) + text[len(whole):]
}

// numbered groups the numbers of an axis, unless they may be years.
func numbered(axis object, lo, hi float64) object {
	if years(lo, hi) {
		return plain(axis)
	}
	return axis
}
