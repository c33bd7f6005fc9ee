package verify

import (
	"math/big"
	"strconv"
	"strings"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/message"
	"hush/core/task"
)

// relations lists the contradictions in an answer: ends of a range in the wrong order, values out
// of order or outside their range, parts above the whole.
func relations(say *message.Language, r *task.Release) (list []misfit) {
	refuse := func(path, says, law string) {
		list = append(list, misfit{"answer." + r.Answer.Kind() + "." + path, says, law})
	}
	people := func(path string, n int64) {
		if n != 0 && n != r.Plan.People*r.Recipe.Use.Entries() && n != r.Plan.People {
			refuse(path, say.Format("It says %d people.", n), say.Format("The release is about "+
				"%d.", r.Plan.People))
		}
	}
	switch a := r.Answer.Result.(type) {
	case *task.Estimates:
		for i, row := range a.Rows {
			at := "rows[" + strconv.Itoa(i) + "]"
			low, value, high := rational(row.Low), rational(row.Value), rational(row.High)
			switch {
			case low == nil || value == nil || high == nil:
				refuse(at, say.Text("A number of it cannot be read."), say.Text("Numbers are "+
					"decimals."))
			case low.Cmp(high) > 0:
				refuse(at+".low", say.Format("The range begins at %s.", row.Low),
					say.Format("It ends at %s, which is not below that.", row.High))
			case !a.Counts() && (value.Cmp(low) < 0 || value.Cmp(high) > 0):
				refuse(at+".value", say.Format("The number is %s.", row.Value),
					say.Format("Its range is from %s to %s.", row.Low, row.High))
			}
		}
	case *task.Median:
		ordered(say, r, []string{a.Value}, []string{"value"}, refuse)
	case *task.Quantiles:
		var values, places []string
		for i, row := range a.Rows {
			values = append(values, row.Value)
			places = append(places, "rows["+strconv.Itoa(i)+"].value")
		}
		ordered(say, r, values, places, refuse)
	case *task.Histogram:
		people("people", a.People)
	case *task.Joint:
		people("model.measured.persons", int64(a.Model.Measured.Persons))
		if !a.Measures(r.Recipe) {
			refuse("model.measured.tables", say.Count(int64(len(a.Model.Measured.Tables)),
				"It has the table of one pair of columns.", "It has tables of %d pairs of columns.",
				len(a.Model.Measured.Tables)), say.Text("The question is about other pairs."))
		}
		if field := a.UnlikeAsked(r.Recipe); field != "" {
			refuse("accepted."+field, say.Text("The criteria that the rows meet, the ways tried "+
				"or the tables measured are others."),
				say.Text("They follow from the question, and from the name of the way."))
		}
	case *task.Distribution:
		people("people", a.People)
		for i, p := range a.Points {
			at := "points[" + strconv.Itoa(i) + "]"
			before := 0.0
			if i > 0 {
				before = a.Points[i-1].UpTo
			}
			const slack = 1e-6
			if p.Below < before-slack || p.UpTo < p.Below-slack {
				refuse(at+".upTo", say.Format("%g people are below, and %g up to this value.",
					p.Below, p.UpTo), say.Text("More and more people are below larger values."))
			}
		}
	case *task.Density:
		people("people", a.People)
	case *task.MadeUp:
		people("people", a.People)
	case *task.ContingencyTable:
		people("people", a.People)
		cells := 1
		for _, axis := range a.Axes {
			cells *= max(len(axis.Places), 1)
		}
		if len(a.Counts) != cells {
			refuse("counts", say.Format("It has %d counts.", len(a.Counts)),
				say.Format("The places of its columns make %d cells.", cells))
		}
	case *task.LearnedRule:
		people("people", a.People)
	case *task.Medians:
		people("people", a.People)
	case *task.Clusters:
		people("all", a.All)
	case *task.Survival:
		people("people", a.People)
		survives(say, r, a, refuse)
	case *task.Labels:
		if a.Yes+a.No+a.Without != len(a.Cases) {
			refuse("yes", say.Format("%d cases are yes, %d no and %d without a label.", a.Yes,
				a.No, a.Without), say.Format("There are %d cases.", len(a.Cases)))
		}
	}
	return list
}

// groupsOf are the names of the groups of a question with a list of them; without groups, one
// without a name.
func groupsOf(r *task.Release) (names []string) {
	if r.Recipe.Group == nil {
		return []string{""}
	}
	groups, err := domain.New(r.Recipe.Group.Spec())
	if err != nil {
		return nil // the question was refused before
	}
	for code := range groups.Size().Uint64() {
		names = append(names, groups.Decode(code))
	}
	return names
}

// survives refuses a survival curve that rises, numbers outside of their ranges, and groups, times
// and an event that are not those of the question.
func survives(say *message.Language, r *task.Release, a *task.Survival,
	refuse func(path, says, law string)) {
	within := func(path string, value, low, high float64) {
		if value < low || value > high {
			refuse(path, say.Format("%g is not from %g to %g.", value, low, high),
				say.Text("A number lies within its range."))
		}
	}
	names := groupsOf(r)
	if len(names) != len(a.Curves) {
		refuse("curves", say.Format("It has %d curves.", len(a.Curves)),
			say.Format("The question has %d.", len(names)))
		return
	}
	label := ""
	if r.Recipe.Group != nil {
		label = strings.TrimSpace(r.Recipe.Group.Label)
	}
	if a.Groups != label && (r.Recipe.Group == nil || label != "") {
		refuse("groups", say.Format("The value is “%s”.", cut(a.Groups)),
			say.Format("The column of the groups is “%s”.", cut(label)))
	}
	for g := range a.Curves {
		c, in := &a.Curves[g], "curves["+strconv.Itoa(g)+"]."
		if name := names[g]; c.Group != name {
			refuse(in+"group", say.Format("The value is “%s”.", cut(c.Group)),
				say.Format("The group is “%s”.", cut(name)))
		}
		within(in+"all", float64(c.All), float64(c.AllLow), float64(c.AllHigh))
		within(in+"allHigh", float64(c.AllHigh), 0, float64(a.People))
		before := &task.SurvivalPoint{Free: 100, Low: 100, High: 100, AtRisk: c.All,
			AtRiskLow: c.AllLow, AtRiskHigh: c.AllHigh}
		var values, places []string
		for i := range c.Points {
			p, at := &c.Points[i], in+"points["+strconv.Itoa(i)+"]."
			within(at+"free", p.Free, p.Low, p.High)
			within(at+"low", p.Low, 0, before.Low)
			within(at+"high", p.High, 0, before.High)
			within(at+"free", p.Free, 0, before.Free)
			within(at+"atRisk", float64(p.AtRisk), float64(p.AtRiskLow), float64(p.AtRiskHigh))
			within(at+"atRiskLow", float64(p.AtRiskLow), 0, float64(before.AtRiskLow))
			within(at+"atRiskHigh", float64(p.AtRiskHigh), 0, float64(before.AtRiskHigh))
			if other := a.Curves[0].Points[i].Value; p.Value != other {
				refuse(at+"value", say.Format("The value is “%s”.", cut(p.Value)),
					say.Format("It is “%s” in the first curve.", cut(other)))
			}
			values, places = append(values, p.Value), append(places, at+"value")
			before = p
		}
		ordered(say, r, values, places, refuse)
	}
	if list := r.Recipe.Others[0].Domain.Categories; a.Event != list[0] {
		refuse("event", say.Format("The value is “%s”.", cut(a.Event)),
			say.Format("It is the first category of the question, “%s”.", list[0]))
	}
}

// ordered refuses values that are not possible, and values that decrease.
func ordered(say *message.Language, r *task.Release, values, places []string,
	refuse func(path, says, law string)) {
	space, err := ask.NewSpace(r.Recipe.Domain)
	if err != nil {
		return // the question was refused before
	}
	var last *big.Int
	for i, text := range values {
		code, is := space.Shown(text)
		switch {
		case !is && space.Codes() == nil:
			continue // a long text is shown shortened
		case !is:
			refuse(places[i], say.Format("The value is “%s”.", cut(text)),
				say.Format("Possible values are %s.", say.Phrase(space.Describe())))
		case last != nil && code.Cmp(last) < 0:
			refuse(places[i], say.Format("The value is “%s”.", cut(text)),
				say.Text("It is not below the one before."))
		}
		if is {
			last = code
		}
	}
}

// rational reads a decimal; nil if the text is none.
func rational(text string) *big.Rat {
	if len(text) > 400 {
		return nil
	}
	for _, c := range text {
		if (c < '0' || c > '9') && c != '.' && c != '-' {
			return nil
		}
	}
	x, is := new(big.Rat).SetString(text)
	if !is {
		return nil
	}
	return x
}
