package task

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"hush/core/ask"
	"hush/core/joint"
	"hush/core/message"
	"hush/core/phrase"
)

const paramPairs = "pairs"

var pairsParam = ask.Param{
	Name: paramPairs, Label: "Pairs to count", Kind: ask.Lines, Default: "",
	Help: "Leave it empty for all pairs of columns. Otherwise write one pair per line, two " +
		"columns separated by a comma, with each column in at least one pair. Other pairs are " +
		"not measured: the rows show only what follows from these.",
	Effect: "It costs no privacy. The fewer pairs, the smaller the error of each.",
}

const (
	paramAlone = "alone"
	alone      = "counted"
)

var aloneParam = ask.Param{
	Name: paramAlone, Label: "Columns by themselves", Kind: ask.Chosen, Default: "summed",
	Start: alone,
	Choices: []ask.Choice{
		{Value: alone, Label: "counted as well"},
		{Value: "summed", Label: "added up from the pairs"},
	},
	Help: "Columns that are counted too get a part of the privacy loss. It depends on ε, the " +
		"number of people and the sizes of the tables: large where noise covers most of what " +
		"pairs show, small elsewhere.",
	Effect: "It costs no more privacy. Counts of single columns get much less noise, and counts " +
		"of pairs a little more. If all pairs together show nothing but noise, the rows follow " +
		"the single columns alone.",
}

// chosenPairs reads “age, city”, one line for each pair that is counted; without a line, all are.
func chosenPairs(axes []Axis, lines string) (list [][2]int, err error) {
	met := make([]bool, len(axes))
	for number, line := range strings.Split(lines, "\n") {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		pair, err := pairIn(axes, line)
		if err == nil && slices.Contains(list, pair) {
			err = phrase.Errorf("each pair once")
		}
		if err != nil {
			return nil, ask.Refuse(paramPairs,
				phrase.Of("line %d, %s", number+1, fmt.Sprintf("%.100q", line)), err)
		}
		list = append(list, pair)
		met[pair[0]], met[pair[1]] = true, true
	}
	if list == nil {
		for _, set := range columnSets(len(axes), 2) {
			list = append(list, [2]int(set))
		}
		return list, nil
	}
	if alone := slices.Index(met, false); alone >= 0 {
		return nil, ask.Refuse(paramPairs, phrase.Of("no pair with %q", axes[alone].Column),
			phrase.Of("each column in at least one pair, or no pair at all for every two"))
	}
	slices.SortFunc(list, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	return list, nil
}

func pairIn(axes []Axis, line string) (pair [2]int, err error) {
	names, err := namesIn(line)
	if err != nil || len(names) != 2 {
		return pair, phrase.Errorf("two columns with a comma between, as “age, city”")
	}
	columns, err := axesNamed(axes, names)
	if err != nil {
		return pair, err
	}
	return [2]int(columns), nil
}

// Keeps states as a sentence which relations the rows keep.
func (t *Joint) Keeps() phrase.Key { return keeps(len(t.Axes), len(t.Model.Measured.Tables)) }

// Measures reports whether the tables are those of the pairs that a recipe asks for. With criteria
// they belong to a way of meeting these (UnlikeAsked).
func (t *Joint) Measures(r ask.Recipe) bool {
	if t.Accepted != nil {
		return true
	}
	want, err := chosenPairs(t.Axes, r.Params[paramPairs])
	return err == nil && t.countsAlone(r) && slices.EqualFunc(want, t.Model.Measured.Tables,
		func(pair [2]int, table joint.Table) bool { return table.Columns == pair })
}

// countsAlone reports whether columns are counted separately exactly where a recipe asks for that.
func (t *Joint) countsAlone(r ask.Recipe) bool {
	return (r.Params[paramAlone] == alone) == (t.Model.Measured.Singles != nil)
}

// Kept states how well made-up rows keep a released table. Both numbers are parts of n.
type Kept struct {
	Off  float64 // the largest difference between a count of the rows and the released table's
	Sure float64 // no released count is off by more, in 95 of 100 releases
}

// Kept compares the rows with the table of one column, or of two, ascending, or returns false if
// that table was not measured.
func (t *Joint) Kept(columns ...int) (k Kept, measured bool) {
	table := t.Of(columns...)
	if table == nil {
		return Kept{}, false
	}
	for cell, count := range table.Counts {
		k.Off = max(k.Off, math.Abs(float64(count-table.Raw[cell]))/float64(table.People))
	}
	k.Sure = min(float64(table.AllError)/float64(table.People), 1)
	return k, true
}

// unmeasured lists the pairs of columns that were not counted.
func (t *Joint) unmeasured() (list []string) {
	for _, set := range columnSets(len(t.Axes), 2) {
		if t.Of(set...) == nil {
			list = append(list, t.Axes[set[0]].Column+" · "+t.Axes[set[1]].Column)
		}
	}
	return list
}

// NotFor lists the uses that the rows do not support.
func (t *Joint) NotFor(say ask.Voice) (list []string) {
	least := int64(0)
	for _, table := range t.Tables() {
		least = max(least, 2*table.CellError())
	}
	list = append(list,
		say.Format("single persons or rare groups: below %s it is noise",
			message.Grouped(least)+" "+say.Many()),
		say.Text("three columns at once: only pairs were counted"))
	left := t.unmeasured()
	switch named := strings.Join(left[:min(len(left), namedPairs)], ", "); {
	case len(left) > namedPairs:
		list = append(list, say.Format("the %d pairs that were not measured, such as %s",
			len(left), named))
	case len(left) > 0:
		list = append(list, say.Format("what was not measured: %s", named))
	}
	return append(list, say.Text("tests and error bars: they would count made-up rows as people"))
}

// namedPairs is the largest number of pairs named in a sentence.
const namedPairs = 3
