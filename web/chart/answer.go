// Package chart turns answers into chart options and figures: plain data, made from releases alone.
package chart

import (
	"hush/core/task"
	"hush/web/chart/plot"
	"hush/web/state/session"
)

// object is a chart option, or a part of one.
type object = map[string]any

// answerView shows one kind of answer. Each kind has a file of its own, named after it, and a line
// in viewOfAnswer.
type answerView interface {
	// picture draws the release.
	picture(r *task.Release) plot.Picture
	// figures returns the released values with names that other releases share.
	figures(r *task.Release) []Figure
}

// comparedView is an answerView that draws several releases in one picture.
type comparedView interface {
	// compare draws releases of one task about one column; nil if they have no picture in common.
	compare(chosen []*session.Past) (o object, tall bool)
}

// viewOfAnswer returns the view that shows a release.
func viewOfAnswer(r *task.Release) answerView {
	switch r.Answer.Result.(type) {
	case *task.Histogram:
		return histogramView{}
	case *task.Median:
		return medianView{}
	case *task.Estimates:
		return estimatesView{}
	case *task.Quantiles:
		return quantilesView{}
	case *task.Distribution:
		return distributionView{}
	case *task.Density:
		return densityView{}
	case *task.Winner:
		return winnerView{}
	case *task.Clusters:
		return clustersView{}
	case *task.Cutoff:
		return cutoffView{}
	case *task.Labels:
		return labelsView{}
	case *task.Conjunctions:
		return conjunctionsView{}
	case *task.Contacts:
		return contactsView{}
	case *task.MadeUp:
		return madeUpView{}
	case *task.LearnedRule:
		return ruleView{}
	case *task.ContingencyTable:
		return contingencyView{}
	case *task.TableSet:
		return tableSetView{}
	case *task.Joint:
		return jointView{}
	case *task.Medians:
		return mediansView{}
	case *task.Survival:
		return survivalView{}
	}
	panic("web: internal error: a release without an answer")
}

// Figure is one released number with a name that other releases may share.
type Figure struct{ Name, Text string }

// Figures returns the released values of an answer.
func Figures(r *task.Release) []Figure { return viewOfAnswer(r).figures(r) }
