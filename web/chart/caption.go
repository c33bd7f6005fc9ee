package chart

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/task"
	"hush/web/chart/plot"
	"hush/web/say"
)

// Caption is what a page says in type around a release's picture.
type Caption struct {
	What string // the subject: "Patients by age"
	Off  string // "± 15 patients in each count"; empty: it is not known
	Bars string // what error bars or a band mean; empty: there are none
	Left string // the people who are in no count; empty: nobody
	// Usual says that Bars is the same sentence for every picture with error bars.
	Usual   bool
	Hatched bool // something is too few to tell
	Across  bool // it is as wide as a page, not as a column
}

// CaptionOf is the caption of a release.
func CaptionOf(r *task.Release) Caption {
	p := pictureOf(r)
	what, _, _ := strings.Cut(textOf(p, r).Subtitle, " · ")
	return Caption{What: what + only(r), Off: offOf(r), Bars: p.Bars, Left: p.Left,
		Usual: p.Bars == plot.ErrorBars(), Hatched: p.Hatched, Across: across(r)}
}

// offOf is how far an answer is off: as it was judged, or as it was known before.
func offOf(r *task.Release) string {
	off := -1.0
	switch {
	case r.Verdict != nil && !math.IsInf(r.Verdict.Error, 0) && r.Verdict.Error > 0:
		off = r.Verdict.Error
	case r.Plan.Off != nil:
		off = r.Plan.Off.Bound
	}
	if off < 0 {
		return ""
	}
	return "± " + ask.InUnit(off, r.Plan.ErrorUnit)
}

// across tells answers that need the width of a page.
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

// Bare draws a release for a page that says all words in type, at the width of its column or page
// and at NarrowWidth.
func Bare(r *task.Release) (option json.RawMessage, tall bool, width int) {
	p := pictureOf(r)
	option = worded(p, r, plot.Text{Alone: true})
	if width = ColumnWidth; across(r) {
		width = PageWidth
	}
	return option, p.Tall, width
}

// Key is a release of one number as a page shows it in large type: the number with its unit, and
// how far it is off. ok is false for other answers.
func Key(r *task.Release) (value, off string, ok bool) {
	switch a := r.Answer.Result.(type) {
	case *task.Median:
		value := plot.Written(a.Value)
		if r.Recipe.Unit != "" {
			value += "\u00a0" + r.Recipe.Unit
		}
		return beyond(r, a.Value, value), "± " + howMany(r, a.RankError), true
	case *task.Estimates:
		if len(a.Rows) != 1 {
			return "", "", false
		}
		at, low, high, ok := numbersOf(a.Rows[0])
		if !ok {
			return "", "", false
		}
		lo, hi, scaled := task.ScaleOf(r.Recipe, r.Plan.People)
		if scaled {
			at = plot.Within(at, lo, hi)
		}
		share := a.Of == ask.OfShare
		if share {
			at, low, high = 100*at, 100*low, 100*high
		}
		wide := max(high-at, at-low)
		digits := 0
		if !a.Counts() && wide > 0 {
			digits = max(0, int(-math.Floor(math.Log10(wide))))
		}
		value = message.GroupedText(strconv.FormatFloat(at, 'f', min(digits, 9), 64))
		off = "± " + phrase.AtMost(wide)
		switch {
		case share:
			return value + "\u00a0%", say.Format("± %s points", phrase.AtMost(wide)), true
		case r.Recipe.Unit != "" && !a.Counts():
			value += "\u00a0" + r.Recipe.Unit
		}
		return value, off, true
	}
	return "", "", false
}
