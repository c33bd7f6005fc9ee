package task

import (
	"slices"

	"hush/core/ask"
	"hush/core/coin"
	"hush/core/message"
	"hush/core/phrase"
)

// Catalogue lists every task, in the order in which a page shows them.
func Catalogue() []ask.Task { return All{}.Tasks() }

// All is the whole catalogue, as sessions and releases know it.
type All struct{}

// What a session over the whole catalogue works with.
type (
	Session = ask.Session[All]
	Release = ask.Release[All]
	Answer  = ask.Answer[All]
	Taught  = ask.Taught[All]
)

// NewSession starts without a file. Releases come from src: crypto for anything published.
func NewSession(src coin.Source) *Session { return ask.NewSession(All{}, src) }

// Known reports whether there is a question of that name.
func Known(id string) bool {
	return slices.ContainsFunc(Catalogue(), func(t ask.Task) bool { return t.ID == id })
}

// Price is [ask.Price] of this catalogue.
func Price(say *message.Language, r ask.Recipe, people int64) (ask.Plan, error) {
	return ask.Price(say, All{}, r, people)
}

// Teach asks a lesson's question. step is told how many draws are done, and ends the lesson by its
// error.
func Teach(say *message.Language, l ask.Lesson, step coin.Step) (*Taught, error) {
	return ask.Teach(say, All{}, l, step)
}

// numbers are the questions of one number.
var numbers = []numberTask{
	{countTask, countFigure}, {shareTask, shareFigure}, {meanTask, meanFigure},
	{sumTask, sumFigure}, {varianceTask, varianceFigure},
}

func tasksOf(numbers []numberTask) (list []ask.Task) {
	for _, n := range numbers {
		list = append(list, n.Task)
	}
	return list
}

// Tasks lists every task.
func (All) Tasks() []ask.Task {
	var list []ask.Task
	for _, section := range []struct {
		name  phrase.Key
		tasks []ask.Task
	}{
		{"How values lie",
			[]ask.Task{histogramTask, tableTask, tablesTask, medianTask, quantilesTask,
				distributionTask, densityTask, modeTask, madeUpTask}},
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
	return list
}

// Results returns an empty result of each kind.
func Results() []ask.Result { return All{}.Results() }

// Results returns an empty result of each kind.
func (All) Results() []ask.Result {
	return []ask.Result{new(Histogram), new(Median), new(Estimates), new(Quantiles),
		new(Distribution), new(Density), new(Cutoff), new(Labels), new(Winner), new(Clusters),
		new(Conjunctions), new(Contacts), new(LearnedRule), new(MadeUp),
		new(ContingencyTable), new(TableSet), new(Medians)}
}
