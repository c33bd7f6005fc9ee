package explore

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/message"
	"hush/core/param"
	"hush/core/task"
	"hush/web/engine"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state"
	"hush/web/state/release"
)

// CaseForm labels further cases after a release: by its rule, any number of them, even from a file;
// or by votes that continue, one at a time.
type CaseForm struct {
	app.Compo

	Model    *state.Model   // asked where votes go on
	Release  *task.Release  // of labels
	Revision int            // Model.Revision
	Browser  *parts.Browser // for files

	changed func()        // draws it again
	asked   *task.Release // the release that the state below is about
	cells   map[int]string
	answer  string // the answer by the rule
	fault   error  // of the case, by the rule
	file    string // the outcome for a file of cases
	wrong   string // what was wrong with it

	fittedTo *task.Release // the release to whose labels a rule is fitted
	fitted   string        // that rule; empty: none
}

const casesInputID = "ask-cases-file"

// OnMount stores how to redraw the form.
func (c *CaseForm) OnMount(ctx app.Context) { c.changed = func() { ctx.Update() } }

// Render draws the form that fits the release.
func (c *CaseForm) Render() app.UI {
	l := c.Release.Answer.Result.(*task.Labels)
	v := &c.Model.Votes
	var body []app.UI
	switch going := v.Release == c.Release && v.Ended == ""; {
	case l.RuleParts != nil:
		body = c.byRule()
	case l.Left == nil:
		if body = c.transferred(); body == nil {
			return parts.Absent()
		}
		return app.Section().Class("more no-print").Aria("labelledby", "ask-title").
			Body(append([]app.UI{
				app.H3().ID("ask-title").Text(say.Text("A rule from these labels"))}, body...)...)
	case going:
		body = c.byVotes(l, v)
	default:
		why := say.Text("they lasted until the next release, another file, or the end of the " +
			"page that made them")
		if v.Release == c.Release {
			why = v.Ended
		}
		body = []app.UI{c.last(l), parts.Note("", say.Format("The votes of this release have "+
			"ended: %s. What they answered stays; to ask more cases, release again.", why))}
	}
	return app.Section().Class("more no-print").Aria("labelledby", "ask-title").
		Body(append([]app.UI{app.H3().ID("ask-title").Text(say.Text("Label another case"))},
			body...)...)
}

// transferred states the rule that fits the labels, or returns nil if there is none.
func (c *CaseForm) transferred() []app.UI {
	if c.fittedTo != c.Release {
		c.fittedTo, c.fitted = c.Release, ""
		if rule, right, of, ok := task.Transfer(c.Release); ok {
			c.fitted = say.Format("%s. It labels %d of the %d cases as they are.",
				task.Capital(say.Phrase(rule)), right, of)
		}
	}
	if c.fitted == "" {
		return nil
	}
	return []app.UI{
		app.P().Class("small soft").Text(say.Text("This rule makes the fewest mistakes on the " +
			"released labels. It is made from them alone, so it costs no privacy; on further " +
			"cases it is as good as these labels are.")),
		app.P().ID("ask-transfer").Class("answer-line").Text(c.fitted),
	}
}

// byRule labels cases in the page.
func (c *CaseForm) byRule() []app.UI {
	answer, fault, file, wrong := c.answer, c.fault, c.file, c.wrong
	if c.asked != c.Release {
		answer, fault, file, wrong = "", nil, "", ""
	}
	return []app.UI{
		app.P().Class("small soft").Text(say.Text("The rule labels any number of cases: it is " +
			"already released, so this costs no privacy. Saved as JSON, it can be opened here " +
			"again, and works without the data.")),
		c.fields(func(i int) string {
			var refused *param.Error
			if errors.As(fault, &refused) && refused.Field == caseField(i) {
				return say.Format("Wanted: %s.", refused.Want)
			}
			return ""
		}),
		app.Div().Class("row").Body(
			app.Button().ID("ask-case").Class("button").Type("button").
				Text(say.Text("Label this case")).
				OnClick(func(app.Context, app.Event) { c.labelByRule() }),
			app.Button().ID("ask-cases").Class("button").Type("button").
				Text(say.Text("Label a file of cases…")).
				OnClick(func(app.Context, app.Event) { c.Browser.Pick(casesInputID) }),
			parts.FileInput(casesInputID, parts.AcceptTable,
				func(f engine.File) { c.Browser.Text(f, c.labelFile, c.refuseFile) }),
		),
		app.P().ID("ask-answer").Class("answer-line").Role("status").Text(answer),
		app.P().ID("ask-file").Class("answer-line").Role("status").Text(file),
		app.P().ID("ask-file-fault").Class("field-error").Role("alert").Text(wrong),
	}
}

// byVotes has the engine label cases.
func (c *CaseForm) byVotes(l *task.Labels, v *release.Votes) []app.UI {
	fault := func(i int) string {
		if v.Fault != nil && v.Fault.Field == caseField(i) {
			return say.Format("Wanted: %s.", v.Fault.Want)
		}
		return ""
	}
	return []app.UI{
		app.P().Class("small soft").Text(say.Format("%s can be asked, one at a time; each may "+
			"depend on earlier answers. All are already paid for. If the votes are too close %s, "+
			"they end. They are kept in this page's memory: another release, another file or "+
			"closing the page ends them too.",
			say.Count(int64(l.Left.Cases), "1 case more", "%s cases more",
				message.Grouped(int64(l.Left.Cases))),
			say.Count(int64(l.Left.Unstable), "1 time more", "%s times more",
				message.Grouped(int64(l.Left.Unstable))))),
		c.fields(fault),
		app.Div().Class("row").Body(
			app.Button().ID("ask-case").Class("button").Type("button").
				Text(say.Text("Ask for its label")).
				Disabled(v.Asking() || c.Model.Answer.Phase == release.Running).
				OnClick(func(app.Context, app.Event) { c.Model.Votes.Label(c.values()) }),
		),
		c.last(l),
		app.If(v.Fault != nil && v.Fault.Code != engine.Refused, func() app.UI {
			return parts.FailureNote(v.Fault)
		}),
	}
}

// last is the case labelled last.
func (c *CaseForm) last(l *task.Labels) app.UI {
	text := ""
	if n := len(l.Cases); n > 0 {
		last := l.Cases[n-1]
		text = say.Format("The last case, %s: %s.", strings.Join(last.Values, ", "), last.Label)
		if last.Label == "" {
			text = say.Format("The last case, %s: the votes were too close.",
				strings.Join(last.Values, ", "))
		}
	}
	return app.P().ID("ask-answer").Class("answer-line").Role("status").Text(text)
}

// fields draws one field for each feature.
func (c *CaseForm) fields(fault func(i int) string) app.UI {
	values := c.values()
	return app.Div().Class("fields").Body(app.Range(values).Slice(func(i int) app.UI {
		name, help, spec := c.feature(i)
		id := "ask-case-" + strconv.Itoa(i)
		set := func(text string) {
			c.keep()
			c.cells[i] = text
			c.changed()
		}
		if spec.Kind == domain.Category {
			var options []parts.Option
			for _, category := range spec.Categories {
				options = append(options, parts.Option{Value: category, Text: category})
			}
			return parts.DataField(id, name, values[i], options, "", fault(i), set)
		}
		return parts.TextField(id, name, values[i], help, fault(i), set)
	}))
}

// feature describes the i-th column of a case: its name, and its values in words and exactly.
func (c *CaseForm) feature(i int) (name, help string, spec domain.Spec) {
	at := len(c.Release.Recipe.Others) - len(c.names()) + i // features come last
	if at >= 0 {
		spec = c.Release.Recipe.Others[at].Domain
	}
	if at >= 0 && at < len(c.Release.Plan.Others) {
		help = c.Release.Plan.Others[at].Domain
	}
	return c.names()[i], help, spec
}

func (c *CaseForm) names() []string { return c.Release.Answer.Result.(*task.Labels).Features }

// values returns the cells as typed, or as selected in the lists.
func (c *CaseForm) values() []string {
	list := make([]string, len(c.names()))
	for i := range list {
		if _, _, spec := c.feature(i); spec.Kind == domain.Category && len(spec.Categories) > 0 {
			list[i] = spec.Categories[0]
		}
		if text, typed := c.cells[i]; typed && c.asked == c.Release {
			list[i] = text
		}
	}
	return list
}

// keep makes the state belong to the release shown.
func (c *CaseForm) keep() {
	if c.asked != c.Release {
		c.asked, c.cells, c.file, c.wrong = c.Release, map[int]string{}, "", ""
	}
	c.answer, c.fault = "", nil
}

// labelByRule labels the typed case.
func (c *CaseForm) labelByRule() {
	values := c.values()
	c.keep()
	defer c.changed()
	labeller, err := task.NewLabeller(say.Language(), c.Release)
	if err == nil {
		var label string
		if label, err = labeller.Label(values); err == nil {
			c.answer = say.Format("By the rule, %s: %s.", strings.Join(values, ", "), label)
		}
	}
	c.fault = err
}

// labelFile labels the cases of a file and saves them with their labels.
func (c *CaseForm) labelFile(text string) {
	c.keep()
	c.file, c.wrong = "", ""
	defer c.changed()
	labeller, err := task.NewLabeller(say.Language(), c.Release)
	if err == nil {
		var rows [][]string
		if rows, err = labeller.LabelAll(text); err == nil {
			c.Browser.Download("hush-labelled.csv", "text/csv", ask.CSV(rows))
			c.file = say.Format("Saved as hush-labelled.csv: %s with labels.",
				say.Count(int64(len(rows)-1), "1 case", "%s cases",
					message.Grouped(int64(len(rows)-1))))
		}
	}
	if err != nil {
		c.wrong = say.Format("Wanted: %s.", wantOf(err))
	}
}

// refuseFile says why a file of cases was not read.
func (c *CaseForm) refuseFile(why string) {
	c.keep()
	c.file, c.wrong = "", why
	c.changed()
}

// caseField is the name of a cell of a case in a refusal.
func caseField(i int) string { return fmt.Sprintf("case.%d", i) }
