// Package proof draws proofs of claims on tiny data, and the results of the tests.
package proof

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/audit"
	"hush/core/message"
	"hush/core/prove"
	"hush/web/chart/finding"
	"hush/web/chart/plot"
	"hush/web/engine"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state/claim"
	"hush/web/state/place"
)

// Page proves a claim while somebody looks on: an algorithm on tiny data, its exact laws for two
// neighbours, and mistakes to plant.
type Page struct {
	app.Compo

	Proof    *claim.Proof   // read and changed
	Revision int            // Model.Revision
	Browser  *parts.Browser // for charts
}

// Render draws the choice beside what was found.
func (v *Page) Render() app.UI {
	return app.Div().Body(
		tabs(place.ViewProof),
		app.Div().Class("intro").Body(
			app.H1().Text(say.Text("Try to break it")),
			app.P().Text(say.Text("Two data sets that differ in one person, and an algorithm "+
				"with noise. Privacy means that their results are nearly equally likely. For "+
				"tiny data every outcome of every coin can be followed, so these are the exact "+
				"probabilities, for all such pairs. Plant a mistake and see the proof fail.")),
			app.P().Class("small").ID("not-a-release").Text(say.Text("A demonstration on made-up "+
				"tiny data, not a release. It uses no file of yours and spends nothing.")),
		),
		app.Div().Class("bench").Body(
			app.Div().Class("column").Body(v.choice()),
			app.Div().Class("column answer").Body(v.answer()),
		),
	)
}

// proofField draws a select of the form; one with a single choice is left out.
type proofField struct {
	id, label, value string
	list             []string
	set              func(r *prove.Request, value string)
}

func proofFields(d prove.Demonstration, r prove.Request) []proofField {
	return []proofField{
		{"proof-persons", say.Text("Persons"), strconv.Itoa(r.Persons), numbers(d.Persons),
			func(r *prove.Request, value string) { r.Persons, _ = strconv.Atoi(value) }},
		{"proof-values", say.Text("Possible values"), strconv.Itoa(r.Values), numbers(d.Domain),
			func(r *prove.Request, value string) { r.Values, _ = strconv.Atoi(value) }},
		{"proof-base", say.Text("Base r of the noise"), r.Base, d.Bases,
			func(r *prove.Request, value string) { r.Base = value }},
		{"proof-epsilon", say.Text("Privacy loss ε"), r.Epsilon, d.Epsilon,
			func(r *prove.Request, value string) { r.Epsilon = value }},
		{"proof-delta", "δ granted", r.Delta, d.Deltas, func(r *prove.Request, value string) {
			r.Delta = value
		}},
	}
}

// choice draws the form: the algorithm, its tiny space, the mistake, the pair.
func (v *Page) choice() app.UI {
	m := v.Proof
	d := m.Demonstration()
	fields := []app.UI{}
	for _, f := range proofFields(d, m.Request) {
		if len(f.list) < 2 {
			continue
		}
		options := make([]parts.Option, len(f.list))
		for i, text := range f.list {
			options[i] = parts.Option{Value: text, Text: text}
		}
		fields = append(fields,
			parts.SelectField(f.id, f.label, f.value, options, "", "", func(value string) {
				m.Edit(func(r *prove.Request) { f.set(r, value) })
			}))
	}
	body := []app.UI{
		v.algorithms(d),
		app.P().Text(say.Text(d.What)),
		app.P().Class("soft").Text(say.Format("The claim. %s", say.Text(d.Promise))),
		app.Div().Class("fields").Body(fields...),
		v.bugs(d),
		v.pair(d),
	}
	if m.Notice != "" {
		body = append([]app.UI{parts.Note("warn", m.Notice)}, body...)
	}
	return parts.Card("proof-choice", say.Text("What to prove"), body)
}

// algorithms lists the algorithms to choose from, by subject.
func (v *Page) algorithms(d prove.Demonstration) app.UI {
	var groups []app.UI
	all := prove.Catalogue()
	for len(all) > 0 {
		subject := all[0].Subject
		end := slices.IndexFunc(all, func(d prove.Demonstration) bool {
			return d.Subject != subject
		})
		if end < 0 {
			end = len(all)
		}
		group := all[:end]
		all = all[end:]
		groups = append(groups,
			app.OptGroup().Label(say.Text(subject)).
				Body(app.Range(group).Slice(func(i int) app.UI {
					return app.Option().Value(group[i].ID).Text(say.Text(group[i].Title)).
						Selected(group[i].ID == d.ID)
				})))
	}
	return parts.Labelled("proof-algorithm", say.Text("Algorithm"),
		app.Select().ID("proof-algorithm").Body(groups...).
			OnChange(func(ctx app.Context, _ app.Event) {
				v.Proof.Choose(ctx.JSSrc().Get("value").String())
			}), "", "")
}

// bugs lists the mistakes, with none first.
func (v *Page) bugs(d prove.Demonstration) app.UI {
	m := v.Proof
	list := append([]prove.Bug{{Title: "None", What: "The algorithm as it is."}}, d.Bugs...)
	return app.FieldSet().Class("role").Body(
		app.Legend().Text(say.Text("Plant a mistake")),
		app.Div().Class("choices").Body(
			app.Range(list).Slice(func(i int) app.UI {
				bug := list[i]
				return app.Label().Class("choice").Body(
					app.Input().Type("radio").Name("bug").ID("bug-"+bug.ID).Value(bug.ID).
						Checked(bug.ID == m.Request.Bug).
						OnChange(func(app.Context, app.Event) {
							m.Edit(func(r *prove.Request) { r.Bug = bug.ID })
						}, app.EventScope(bug.ID)),
					app.B().Text(say.Text(bug.Title)),
					app.Span().Class("small soft").Text(say.Text(bug.What)),
				)
			}),
		),
	)
}

// pair draws the choice of the neighbours to look at.
func (v *Page) pair(d prove.Demonstration) app.UI {
	m, r := v.Proof, v.Proof.Request
	sets := r.Space().DataSets()
	first := []parts.Option{{Value: "", Text: say.Text("The worst pair of all")}}
	for _, rows := range sets {
		first = append(first, parts.Option{Value: claim.RowsText(rows), Text: set(d, rows)})
	}
	fields := []app.UI{
		parts.SelectField("proof-from", say.Text("First data set"), claim.RowsText(r.From), first,
			"", "", func(text string) { m.From(claim.RowsOf(text)) })}
	if r.From != nil {
		var second []parts.Option
		for _, rows := range r.Space().Neighbours(r.From) {
			second = append(second, parts.Option{Value: claim.RowsText(rows), Text: set(d, rows)})
		}
		fields = append(fields,
			parts.SelectField("proof-to", say.Text("Second data set, one person replaced"),
				claim.RowsText(r.To), second, "", "",
				func(text string) { m.Edit(func(r *prove.Request) { r.To = claim.RowsOf(text) }) }))
	}
	return app.Div().Class("more").Body(fields...)
}

// set writes a data set in a line: how many persons have each value.
func set(d prove.Demonstration, rows []int) string {
	text, names := "", d.Names(say.Language(), rows)
	for i := 0; i < len(names); {
		n := i
		for n < len(names) && names[n] == names[i] {
			n++
		}
		if text != "" {
			text += ", "
		}
		text += fmt.Sprintf("%d × %s", n-i, names[i])
		i = n
	}
	return text
}

func numbers(r prove.Range) (list []string) {
	for n := r.Least; n <= r.Most; n++ {
		list = append(list, strconv.Itoa(n))
	}
	return list
}

// answer draws the result, or the progress of the computation.
func (v *Page) answer() app.UI {
	p := v.Proof
	body := []app.UI{}
	switch p.Phase {
	case claim.ProofRunning:
		body = append(body,
			parts.Meter(say.Text("Following every coin on every data set…"), p.Progress,
				p.Stop))
	case claim.ProofFailed:
		if p.Failure.Code == engine.Cancelled {
			body = append(body, parts.Note("warn", say.Text("Cancelled.")))
		} else {
			body = append(body, parts.FailureNote(p.Failure))
		}
		body = append(body,
			app.Div().
				Body(app.Button().Class("button").Type("button").Text(say.Text("Compute it")).
					OnClick(func(app.Context, app.Event) { p.Again() })))
	case claim.ProofDone:
		body = append(body, v.verdict(p.Finding)...)
	}
	return parts.Card("proof-answer", say.Text("What comes out, exactly"), body)
}

// verdict draws the finding: the sentence, its figures, the pair, and three pictures of it with
// their tables.
func (v *Page) verdict(f *prove.Finding) []app.UI {
	kind := map[audit.Verdict]string{audit.Holds: "good", audit.Violated: "bad",
		audit.Undecided: "warn"}[f.Verdict]
	which := say.Text("The worst pair of all")
	if v.Proof.Request.From != nil {
		which = say.Text("The pair you chose")
	}
	body := []app.UI{
		app.Div().ID("verdict").Class("note " + kind).Role("status").
			Body(app.P().Class("statement").Text(f.Sentence)),
		facts([][2]string{
			{say.Text("Data sets"), message.Grouped(int64(f.DataSets))},
			{say.Text("Pairs of neighbours, all compared"), message.Grouped(int64(f.Pairs))},
			{say.Text("e^ε claimed"), withLog(f.Odds, f.Epsilon)},
			{say.Text("e^ε needed at that δ"), withLog(f.Found, f.Needed)},
			{say.Text("δ claimed"), f.Delta},
			{say.Text("δ needed at that ε"), f.Lost},
		}),
		softly(f.Cut),
		app.H3().Text(which),
		neighboursView(v.Proof.Demonstration(), f.From, f.To),
	}
	body = append(body, replayView(f.Replay)...)
	for _, part := range []struct {
		title, about, id, class, label string
		option                         json.RawMessage
	}{
		{say.Text("How likely each outcome is"), "", "laws-chart", "chart",
			say.Text("The probability of each outcome for both data sets. The table below has " +
				"the numbers."), finding.Laws(f)},
		{say.Text("How far the two are apart"), say.Text("The logarithm of the ratio for each " +
			"outcome; ∞ where the other data set cannot give it. The dashed lines are the " +
			"claimed ε, upwards and downwards: a claim without a δ holds if no bar crosses them."),
			"ratios-chart", "chart low",
			say.Format("The logarithm of each outcome's ratio, with the claim. %s", f.Sentence),
			finding.Ratios(f)},
		{say.Text("What would hold instead"), say.Text("For each ε the δ that this pair needs, " +
			"both ways. The claim holds for it if both curves pass below the dashed corner."),
			"need-chart", "chart",
			say.Text("The δ needed at each ε, with the claim. The table below has the numbers."),
			finding.Need(f)},
	} {
		body = append(body, app.H3().Text(part.title), softly(part.about),
			&parts.Chart{ID: part.id, Option: string(part.option), Class: part.class,
				Label: part.label, Browser: v.Browser})
	}
	return append(body,
		parts.DataTable(say.Text("Each outcome with its exact probabilities"),
			[]string{say.Text("Outcome"), say.Text("First data set"), say.Text("Second data set"),
				say.Text("First ÷ second"), say.Text("Within e^ε")}, outcomeRows(f), "low",
			func(column int) bool { return column > 0 && column < 4 }),
		parts.DataTable(say.Text("δ needed at each ε, rounded"),
			[]string{"ε", say.Text("First against second"), say.Text("Second against first")},
			needRows(f), "low", func(int) bool { return true }),
		softly(say.Text("All of this is computed with exact fractions. Short ones are shown as "+
			"they are, others as seven digits after ≈; curves are rounded. An audit of tiny data "+
			"finds mistakes but proves nothing about large data: that is what the proof beside "+
			"each algorithm's code is for.")),
	)
}

// replayView shows the pair run twice: the inputs of each draw side by side, and how far they may
// move.
func replayView(r *prove.Replay) []app.UI {
	if r == nil {
		return nil
	}
	kind := "bad"
	if r.Holds {
		kind = "good"
	}
	rows := make([][]string, len(r.Draws))
	for i, d := range r.Draws {
		held := say.Text("yes")
		if !d.Holds {
			held = say.Text("no")
		}
		rows[i] = []string{d.Name, d.First, d.Second, d.Moved, d.May, held}
	}
	list := []app.UI{
		app.H3().Text(say.Text("The same pair, replayed")),
		softly(say.Text("The algorithm runs on the first data set, and every draw is recorded. " +
			"Then it runs on the second with the same outcomes, so any difference comes from the " +
			"data. All questions are tested like this, on files.")),
		app.Div().ID("replay").Class("note " + kind).Body(app.P().Text(r.Sentence)),
	}
	if len(rows) == 0 {
		return list
	}
	return append(list,
		parts.DataTable(say.Text("Each draw, its input, and how far that may move"),
			[]string{say.Text("Draw"), say.Text("First data set"), say.Text("Second data set"),
				say.Text("Moved"), say.Text("May move"), say.Text("Within")}, rows, "low",
			func(int) bool { return false }))
}

// facts draws a list of names with their values.
func facts(list [][2]string) app.UI {
	return app.Dl().Class("facts").Body(app.Range(list).Slice(func(i int) app.UI {
		return app.Div().Body(app.Dt().Text(list[i][0]), app.Dd().Class("number").Text(list[i][1]))
	}))
}

// softly draws a remark, or nothing.
func softly(text string) app.UI {
	if text == "" {
		return parts.Absent()
	}
	return app.P().Class("small soft").Text(text)
}

// withLog writes e^ε with its ε.
func withLog(odds string, epsilon float64) string {
	if odds == "none" {
		return say.Text("no number is enough")
	}
	return odds + " (ε ≈ " + plot.Short(epsilon) + ")"
}

func outcomeRows(f *prove.Finding) [][]string {
	rows := make([][]string, len(f.Outcomes))
	for i, o := range f.Outcomes {
		within := say.Text("yes")
		if !o.Within || !o.Reverse {
			within = say.Text("no")
		}
		ratio := o.Ratio
		if o.Second == 0 {
			ratio = "∞"
		}
		rows[i] = []string{o.Label, o.P, o.Q, ratio, within}
	}
	return rows
}

func needRows(f *prove.Finding) [][]string {
	rows := make([][]string, len(f.Curve))
	for i, p := range f.Curve {
		rows[i] = []string{plot.Short(p.Epsilon), plot.Short(p.There), plot.Short(p.Back)}
	}
	return rows
}

// neighboursView shows the persons of two neighbours, the replaced one last.
func neighboursView(d prove.Demonstration, from, to []int) app.UI {
	same := slices.Clone(from)
	rest := slices.Clone(to)
	var gone int
	for _, v := range from {
		if i := slices.Index(rest, v); i >= 0 {
			rest = slices.Delete(rest, i, i+1)
		} else {
			gone = v
		}
	}
	if i := slices.Index(same, gone); i >= 0 && len(rest) == 1 {
		same = slices.Delete(same, i, i+1)
	}
	if len(rest) != 1 {
		return parts.Absent() // unreachable: neighbours differ in one person
	}
	return app.Div().Class("neighbours").Body(
		personsView(say.Text("First data set"),
			d.Names(say.Language(), append(slices.Clone(same), gone))),
		personsView(say.Text("Second data set"), d.Names(say.Language(), append(same, rest[0]))),
	)
}

// personsView lists the values of persons; the last person is the one replaced.
func personsView(title string, names []string) app.UI {
	return app.Div().Class("neighbour").Body(
		app.P().Class("small soft").Text(title),
		app.Ul().Class("persons").Aria("label", title).
			Body(app.Range(names).Slice(func(i int) app.UI {
				class := "person"
				if i == len(names)-1 {
					class = "person replaced"
				}
				return app.Li().Class(class).Text(names[i])
			})),
	)
}
