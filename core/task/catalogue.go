package task

import (
	"slices"

	"hush/core/ask"
	"hush/core/phrase"
	"hush/core/sample"
)

// Catalogue lists every task, in the order in which a page shows them.
func Catalogue() []ask.Task { return All{}.Tasks() }

// Known reports whether there is a question of that name.
func Known(id string) bool {
	return slices.ContainsFunc(Catalogue(), func(t ask.Task) bool { return t.ID == id })
}

// numbers are the questions of one number.
var numbers = []numberTask{
	{countTask, countFigure}, {shareTask, shareFigure}, {meanTask, meanFigure},
	{sumTask, sumFigure}, {varianceTask, varianceFigure},
}

func tasksOf(numbers []numberTask) (list []ask.Task) {
	for _, n := range numbers {
		f, err := n.figure.whole(n.ID)
		if err != nil {
			panic("task: " + err.Error())
		}
		n.Task.Exact, n.Task.Number = f.exactly, f.exact
		list = append(list, n.Task)
	}
	return list
}

// Tasks lists every task. It panics where one lacks a field, and says what to write.
func (All) Tasks() []ask.Task {
	var list []ask.Task
	for _, section := range []struct {
		name  phrase.Key
		tasks []ask.Task
	}{
		{"How values lie",
			[]ask.Task{histogramTask, tableTask, tablesTask, spanning(medianTask, halfway),
				spanning(quantilesTask, spannedParts), distributionTask, densityTask, modeTask,
				survivalTask, madeUpTask, jointTask}},
		{"One number", tasksOf(numbers)},
		{"What goes together",
			[]ask.Task{cutoffTask, strongestTask, ruleTask, classifyTask, conjunctionsTask,
				clustersTask, directionsTask, contactsTask}},
	} {
		for _, t := range section.tasks {
			t.Section = section.name
			list = append(list, t)
		}
	}
	return whole(list)
}

// whole panics where a question lacks something, or has what another has.
func whole(list []ask.Task) []ask.Task {
	for i, t := range list {
		err := t.Whole()
		if err == nil {
			if _, there := sample.Named(t.Example.Sample); !there {
				err = ask.Lacks(t.ID, "Example.Sample", "the name of one of sample.Sets")
			}
		}
		if err != nil {
			panic("task: " + err.Error())
		}
		if slices.ContainsFunc(list[:i], func(o ask.Task) bool { return o.ID == t.ID }) {
			panic("task: " + t.ID + ": ID is that of another question too: write one of its own")
		}
	}
	return list
}

// Results returns an empty result of each kind.
func Results() []ask.Result { return All{}.Results() }

// Results returns an empty result of each kind.
func (All) Results() []ask.Result {
	return []ask.Result{new(Histogram), new(Median), new(Estimates), new(Quantiles),
		new(Distribution), new(Density), new(Cutoff), new(Labels), new(Winner), new(Clusters),
		new(Conjunctions), new(Contacts), new(LearnedRule), new(MadeUp),
		new(ContingencyTable), new(TableSet), new(Medians), new(Joint),
		new(Survival)}
}

// ScaleOf returns the range of the number that answers a question, from public facts alone: a count
// is at most everybody, a mean lies between the bounds. ok is false where there is none.
func ScaleOf(r ask.Recipe, people int64) (lo, hi float64, ok bool) {
	for _, n := range numbers {
		if n.ID == r.Task {
			return n.scaleOf(r, people)
		}
	}
	return figure{}.scaleOf(r, people)
}
