package chart

import (
	"encoding/json"
	"math"
	"strings"

	"hush/core/ask"
	"hush/core/message"
	"hush/core/task"
	"hush/web/chart/plot"
	"hush/web/say"
)

// Caption holds the words that a page sets around a release's picture.
type Caption struct {
	What string // the subject: "Patients by age"
	Off  string // "± 15 patients in each count"; empty: it is not known
	Bars string // what error bars or a band mean; empty: there are none
	Left string // what becomes of people without a value; empty: nothing to say
	// Usual says that Bars is the same sentence as for every picture with error bars.
	Usual   bool
	Hatched bool // some values are too small to distinguish from nothing
	Across  bool // it is as wide as a page, rather than a column
}

// CaptionOf returns the caption of a release.
func CaptionOf(r *task.Release) Caption {
	p := pictureOf(r)
	what, _, _ := strings.Cut(textOf(p, r).Subtitle, " · ")
	return Caption{What: what + only(r), Off: offOf(r), Bars: p.Bars, Left: p.Left,
		Usual: p.Bars == plot.ErrorBars(), Hatched: p.Hatched, Across: across(r)}
}

// offOf states how far an answer is off: as it was judged, or as it was known before. If the
// sentence states another error, it explains which is which.
func offOf(r *task.Release) string {
	if e, is := r.Answer.Result.(*task.Estimates); is {
		if _, off, ok := e.Alone(); ok { // for the number as written in its sentence
			return ask.OffByText(off, r.Plan.ErrorUnit)
		}
	}
	switch a := r.Answer.Result.(type) { // in the column's unit; the table has the error in people
	case *task.Median:
		if span := rangeOf(r, a.Span); span != "" {
			return say.Format("%s in 95 of 100 releases", span)
		}
	case *task.Quantiles:
		if a.Rows[0].Span != nil {
			return say.Text("all ranges hold at once in 95 of 100 releases")
		}
	}
	switch v := r.Verdict; {
	case judgedOther(r) && r.Plan.Off != nil && r.Plan.Off.Bound >= 0:
		return offBy(r, r.Plan.Off.Bound)
	case judgedOther(r):
		return ""
	case v != nil && v.Usual && v.Error > 0 && r.Plan.Off != nil &&
		(v.Error == r.Plan.Off.Typical || r.Plan.Off.Bound < 0):
		return say.Format("typically %s", ask.OffBy(v.Error, r.Plan.ErrorUnit))
	case v != nil && !math.IsInf(v.Error, 0) && v.Error > 0 && v.Usual:
		return say.Format("%s on most data", offBy(r, v.Error))
	case v != nil && !math.IsInf(v.Error, 0) && v.Error > 0:
		return offBy(r, v.Error) + atOnce(r)
	case r.Plan.Off != nil && r.Plan.Off.Bound >= 0:
		return offBy(r, r.Plan.Off.Bound) + atOnce(r)
	}
	return ""
}

// offBy writes a bound. One of people is in whole people, as their counts are printed: a count that
// is off by 3 is not within ± 2.97.
func offBy(r *task.Release, bound float64) string {
	if r.Plan.ErrorOf == ask.OfPeople && bound >= 1 {
		bound = math.Ceil(bound)
	}
	return ask.OffBy(bound, r.Plan.ErrorUnit)
}

// judgedOther reports whether a verdict is about errors other than those in the question's unit:
// for the accuracy of a cut-off in percent, for rows of contacts, which are not sets of half of the
// places, and for a curve whose band is wider at some times.
func judgedOther(r *task.Release) bool {
	switch a := r.Answer.Result.(type) {
	case *task.Cutoff:
		return len(a.Curve) > 0
	case *task.Contacts, *task.Survival:
		return true
	}
	return false
}

// atOnce states what holds for all counts of an answer at once. The sentence uses it for the counts
// that it mentions, since they were chosen by looking at all; if no counts clearly differ, the
// sentence mentions none.
func atOnce(r *task.Release) string {
	all := int64(0)
	switch a := r.Answer.Result.(type) {
	case *task.Histogram:
		all = a.AllError
	case *task.ContingencyTable:
		all = a.AllError
	case *task.Estimates:
		if len(a.Rows) > 1 && a.Counts() {
			return ", " + say.Text("and more for all at once")
		}
	}
	if all == 0 {
		return ""
	}
	return ", " + say.Format("± %s in all counts at once", message.Grouped(all))
}

// across reports whether an answer needs the width of a page.
func across(r *task.Release) bool {
	switch a := r.Answer.Result.(type) {
	case *task.ContingencyTable:
		return len(a.Axes) > 1
	case *task.TableSet, *task.Labels, *task.Contacts, *task.MadeUp, *task.Clusters,
		*task.Joint:
		return true
	}
	return false
}

// The widths in points at which a page's pictures are drawn: for a column of a page, for a page,
// and for a telephone or half a sheet of paper.
const (
	ColumnWidth = 560
	PageWidth   = 900
	NarrowWidth = 340
)

// Bare draws a release for a page that sets all words in type, at the width of its column or page
// and at NarrowWidth.
func Bare(r *task.Release) (option json.RawMessage, tall bool, width int) {
	p := pictureOf(r)
	option = worded(p, r, plot.Text{Alone: true})
	if width = ColumnWidth; across(r) {
		width = PageWidth
	}
	return option, p.Tall, width
}

// Key returns a release of one number for large type: the number with its unit as in its sentence,
// and how far it is off. ok is false for other answers.
func Key(r *task.Release) (value, off string, ok bool) {
	switch a := r.Answer.Result.(type) {
	case *task.Median:
		value := plot.Written(a.Value)
		if r.Recipe.Unit != "" {
			value += "\u00a0" + r.Recipe.Unit
		}
		if off = rangeOf(r, a.Span); off == "" {
			off = "± " + howMany(r, a.RankError)
		}
		return beyond(r, a.Value, value), off, true
	case *task.Estimates:
		value, off, ok = a.Alone()
		switch {
		case !ok:
			return "", "", false
		case a.Of == ask.OfShare:
			return value + "\u00a0%", say.Format("± %s points", off), true
		case r.Recipe.Unit != "" && strings.HasSuffix(r.Plan.ErrorUnit, r.Recipe.Unit):
			value += "\u00a0" + r.Recipe.Unit // a variance has another unit
		}
		return value, "± " + off, true
	}
	return "", "", false
}
