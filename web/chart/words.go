package chart

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/message"
	"hush/core/publication"
	"hush/core/task"
	"hush/web/chart/plot"
	"hush/web/say"
)

// TextOf returns the words of a release's chart.
func TextOf(r *task.Release) plot.Text { return textOf(pictureOf(r), r) }

// textOf returns the words of a release with this picture.
func textOf(p plot.Picture, r *task.Release) plot.Text {
	one, many := nounOf(r)
	return plot.Text{
		Title:    r.Statement,
		Subtitle: whatOf(p, r) + " · " + message.Grouped(r.Plan.People) + " " + many + only(r),
		Note:     noteOf(p, r, one),
		Source:   SourceOf(r.Recipe),
	}
}

// whatOf says what the chart of a release shows.
func whatOf(p plot.Picture, r *task.Release) string {
	if p.What != "" {
		return p.What
	}
	return say.Format("%s of %s", r.Plan.Task, r.Plan.Column)
}

// only says which people a release is about, if its question has conditions.
func only(r *task.Release) string {
	if len(r.Recipe.Filter) == 0 {
		return ""
	}
	return " · " + say.Format("only those with %s", r.Recipe.Having(say.Language()))
}

// SourceOf is the line below a chart.
func SourceOf(r ask.Recipe) string {
	bare := func(line string) string { return publication.Source(say.Language(), line) }
	if source := cmp.Or(bare(r.Source), bare(r.Data)); source != "" {
		return say.Format("Source: %s · Hush", source)
	}
	return say.Text("Made with Hush")
}

// nounOf returns the noun for the people of a release.
func nounOf(r *task.Release) (one, many string) {
	o, m := r.Recipe.Noun.Words()
	return say.Phrase(o), say.Phrase(m)
}

// howMany writes a number of the people that a release is about.
func howMany(r *task.Release, n int64) string { return r.Voice(say.Language()).HowMany(n) }

// column is the main column of a release, with its unit.
func column(r *task.Release) string { return plot.WithUnit(r.Plan.Column, r.Recipe.Unit) }

// noteOf says what was done for privacy, and how to read the errors.
func noteOf(p plot.Picture, r *task.Release, one string) string {
	loss := "ε = " + r.Recipe.Epsilon
	if delta := r.Plan.Loss.Delta(); delta.Sign() > 0 {
		x, _ := delta.Float64()
		loss += ", δ = " + strconv.FormatFloat(x, 'g', 3, 64)
	}
	parts := []string{say.Format("Noise added for privacy: %s per %s.", loss, one)}
	if p.Bars != "" {
		parts = append(parts, p.Bars)
	}
	if p.Left != "" {
		parts = append(parts, p.Left)
	}
	if p.Hatched {
		parts = append(parts, say.Text("Hatched: too few to tell."))
	}
	return strings.Join(parts, " ")
}

// pictureOf draws a release.
func pictureOf(r *task.Release) plot.Picture {
	p := viewOfAnswer(r).picture(r)
	if e, is := r.Answer.Result.(*task.Estimates); is && e.Of == ask.OfShare {
		_, many := nounOf(r)
		p.Left = say.Format("A share is one of all %s, those without a value included.", many)
	}
	p.Plot["animation"] = false // so that bars and their errors never separate
	return p
}

// Of draws a release for the page, which sets its title and subtitle in type; tall reports whether
// it needs a tall frame.
func Of(r *task.Release) (option json.RawMessage, tall bool) {
	p := pictureOf(r)
	t := textOf(p, r)
	return worded(p, r, plot.Text{Note: t.Note, Source: t.Source}), p.Tall
}

// Publication draws a release to stand alone, with all its words in the picture.
func Publication(r *task.Release) (option json.RawMessage, tall bool) {
	p := pictureOf(r)
	return worded(p, r, textOf(p, r)), p.Tall
}

// worded returns the option of a picture with its words, and with a mark if the picture is not to
// be trusted.
func worded(p plot.Picture, r *task.Release, t plot.Text) json.RawMessage {
	words := p.Words(t)
	switch {
	case r.Unverified:
		words["mark"] = say.Text("unverified")
	case r.Verdict != nil && r.Verdict.Grade == ask.Noise:
		words["mark"] = say.Text(ask.Noise.Words())
	}
	p.Plot["words"] = words
	return plot.Finished(p.Plot, say.Format("Chart. %s", spoken(p, r)))
}

// Spoken describes the chart of a release for people who do not see it. The statement is read out
// beside it.
func Spoken(r *task.Release) string { return spoken(pictureOf(r), r) }

func spoken(p plot.Picture, r *task.Release) string {
	return say.Format("%s. The table has its numbers.", whatOf(p, r))
}

// noisy reports whether a cell of an answer is too small to distinguish from nothing: as the
// release was judged, or else if the value is below twice its error at 95 %.
func noisy(r *task.Release, i int, value, off float64) bool {
	if r.Verdict != nil && i < len(r.Verdict.Cells) {
		return r.Verdict.Cells[i] == ask.Noise
	}
	return value < 2*off
}

// bounds returns the public range of a column of numbers.
func bounds(spec domain.Spec) (lo, hi float64, ok bool) {
	lo, err1 := strconv.ParseFloat(spec.Lo, 64)
	hi, err2 := strconv.ParseFloat(spec.Hi, 64)
	return lo, hi, err1 == nil && err2 == nil && lo < hi
}
