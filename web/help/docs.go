// Package help draws the description of each question, the words in plain words, and the keys.
package help

import (
	"fmt"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/ask"
	"hush/core/domain"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/task"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state/asking"
	"hush/web/state/form"
	"hush/web/state/place"
	"hush/web/state/search"
)

// DocsPage lists every question, or describes either the one that its address names or the rules
// that hold for all of them. All of it is drawn from the catalogue.
type DocsPage struct {
	app.Compo

	Tasks   []ask.Task
	Address string // behind the #

	sought string // as typed
}

// alwaysID is the address of the rules that hold for every question, beside the IDs of the
// questions.
const alwaysID = "always"

// Render draws the contents, or one page of them.
func (d *DocsPage) Render() app.UI {
	var order []ask.Task // as in the contents
	for _, section := range asking.BySection(d.Tasks) {
		order = append(order, section...)
	}
	i := slices.IndexFunc(order, func(t ask.Task) bool {
		return strings.HasSuffix(d.Address, "/"+t.ID)
	})
	switch {
	case i >= 0:
		return page(say.Text(order[i].Title),
			Described(order[i], say.Text("Question and promise")),
			app.P().Body(alwaysLink()), neighbours(order, i))
	case strings.HasSuffix(d.Address, "/"+alwaysID):
		return page(say.Text(holdsAlways), always())
	}
	return app.Div().Body(
		app.Div().Class("intro").Body(
			app.H1().Text(say.Text("Every question that can be asked")),
			app.P().Text(say.Text("A page for each: what it answers and promises, how it works, "+
				"what you can set, and what it cannot say.")),
			app.P().Class("row").Body(alwaysLink(),
				app.A().Href("#"+place.ViewWords.Path()).Text(say.Text("In plain words"))),
		),
		d.search(),
	)
}

// search is the field above the contents, which lists only what it finds once words are typed.
func (d *DocsPage) search() app.UI {
	found, told := search.Questions(d.Tasks, d.sought), ""
	list := contents(d.Tasks)
	if strings.TrimSpace(d.sought) != "" {
		told = say.Count(int64(len(found)), "One question found.", "%d questions found.",
			len(found))
		list = []app.UI{cardsOf(found)}
	}
	return app.Div().Class("stack").Body(
		seek("find-docs", say.Text("Search all questions"), d.sought, told, func(text string) {
			d.sought = text
		}),
		app.Nav().Class("listed").Aria("label", say.Text("Contents")).Body(list...),
	)
}

// seek is a field for words to search for, and a status line that says what was found whenever that
// changes.
func seek(id, label, sought, told string, typed func(string)) app.UI {
	return app.Div().Class("stack tight").Role("search").Body(
		&parts.TextInput{ID: id, Class: "input", Value: sought, Label: label, Holder: label,
			OnText: typed},
		app.P().ID(id+"-found").Class("small soft").Role("status").Text(told),
	)
}

// holdsAlways is the title of the rules that hold for every question.
const holdsAlways phrase.Key = "What holds for every question"

func alwaysLink() app.UI {
	return app.A().Href(place.DocsPath(alwaysID)).Text(say.Text(holdsAlways))
}

// page is one page of the contents.
func page(title string, body ...app.UI) app.UI {
	return app.Div().Body(
		app.Div().Class("intro").Body(
			app.P().Class("small").
				Body(app.A().Href("#"+place.ViewDocs.Path()).Text(say.Text("All questions"))),
			app.H1().Text(title),
		),
		app.Div().Class("ledger").Body(body...),
	)
}

// neighbours draws links to the questions before and after.
func neighbours(order []ask.Task, i int) app.UI {
	link := func(t ask.Task, format phrase.Key) app.UI {
		return app.A().Href(place.DocsPath(t.ID)).Text(say.Format(format, say.Text(t.Title)))
	}
	var body []app.UI
	if i > 0 {
		body = append(body, link(order[i-1], "← %s"))
	}
	if i+1 < len(order) {
		body = append(body, link(order[i+1], "%s →"))
	}
	return app.Nav().Class("row no-print").
		Aria("label", say.Text("Questions before and after")).Body(body...)
}

// contents leads to the page of each question, section by section.
func contents(list []ask.Task) (sections []app.UI) {
	for _, section := range asking.BySection(list) {
		sections = append(sections, app.H2().Text(say.Text(section[0].Section)), cardsOf(section))
	}
	return sections
}

func cardsOf(list []ask.Task) app.UI {
	var cards []parts.LinkCard
	for _, t := range list {
		cards = append(cards, parts.LinkCard{To: place.DocsPath(t.ID), Title: say.Text(t.Title),
			About: say.Text(t.Question)})
	}
	return parts.LinkCards(cards...)
}

// always draws the rules that hold whatever is asked.
func always() app.UI {
	return parts.Card("docs-always", say.Text("Guarantee, loss, and what is public"), []app.UI{
		app.Dl().Class("pairs docs").Body(pairs([][2]string{
			{say.Text("Whom it protects"), say.Phrase(ask.Neighbours(ask.Recipe{}))},
			{say.Text("Where a column names the persons"),
				say.Phrase(ask.Neighbours(ask.Recipe{Person: 1}))},
			{say.Text("Where persons have several rows"),
				say.Text("A few rows of each person count, or a few in each of a few groups, " +
					"drawn at random. Or all rows make one value: their number, sum, mean, " +
					"smallest, largest or latest. Bounds are public. Rows beyond them are left " +
					"out, so sums and numbers of rows come out too low; a wider bound costs " +
					"noise in proportion, since ε hides all rows of a person together. How much " +
					"was left out is a fact about the data and is never shown.")},
			{say.Text("How many rows to allow"),
				say.Text("The codebook chooses it privately, at a small price of its own, such " +
					"that few people have more rows.")},
			{say.Text("Where a column counts the persons"),
				say.Phrase(ask.Neighbours(ask.Recipe{Count: 1}))},
			{say.Text("Privacy loss ε"), say.Text("An exact number from 0.000000001 to 100. " +
				"Doubling ε halves most errors, and squares the factor by which anybody's odds " +
				"may change.")},
			{say.Text("Possible values"), say.Text("Bounds, steps, categories and cut points are " +
				"public: you type them, and they never come from the data. Wider bounds cost no " +
				"privacy, but often mean a larger error.")},
			{say.Text("Conditions"), say.Text("People who do not meet them have no value and " +
				"count for nothing, but stay in n. Conditions cost nothing.")},
			{say.Text("Groups"), say.Text("One answer for each group on a public list, for one " +
				"loss in all, since a person is in one group. Or Hush finds the groups, for a " +
				"part of ε and a δ above 0.")},
			{say.Text("Verdict"), say.Text("Good to publish: the error is at most a fifth of the " +
				"size of the answer. Rough: at most half of that size. Mostly noise: more than " +
				"half. Before a release the verdict rests on public facts alone, afterwards on " +
				"the released values too.")},
			{say.Text("What nothing here hides"), say.Text("The duration of a run, the number of " +
				"people, and everything typed into the form.")},
		})...),
	})
}

func pairs(list [][2]string) (body []app.UI) {
	for _, p := range list {
		if p[1] != "" {
			body = append(body, app.Dt().Text(p[0]), app.Dd().Text(p[1]))
		}
	}
	return body
}

// Described is a task's section, under a heading.
func Described(t ask.Task, heading string) app.UI {
	promise := say.Text("ε-differential privacy, pure: δ is 0.")
	if slices.ContainsFunc(t.Params, func(p ask.Param) bool {
		return strings.Contains(string(p.Label), "δ")
	}) {
		promise = say.Text(
			"ε-differential privacy, pure where δ is 0, and (ε, δ)-differential privacy otherwise.")
	}
	return parts.Card("docs-"+t.ID, heading, []app.UI{
		app.P().Text(say.Text(t.Question)),
		app.Dl().Class("pairs docs").Body(append(pairs([][2]string{
			{say.Text("Released"), task.Capital(say.Text(t.Answer)) + "."},
			{say.Text("Guarantee"), promise},
			{say.Text("Algorithm"), task.Capital(say.Text(t.Algorithm)) + "."},
			{say.Text("How it works"), say.Text(t.How)},
			{say.Text("When the simple mechanism is better"), say.Text(t.Simple)},
			{say.Text("Limits"), say.Text(t.Limits)},
			{say.Text("What the error is judged against"), say.Text(t.Judged)},
		}), app.Dt().Text(say.Text("References")),
			app.Dd().Attr("translate", "no").Text(t.Source+"."))...),
		app.H3().Text(say.Text("What can be set")),
		app.Dl().Class("pairs docs").Body(pairs(settable(t))...),
		parts.Explain(say.Text(t.Algorithm), say.Text(t.How), promise),
		app.P().Class("small no-print").
			Body(app.A().Href("#" + place.ViewLearn.Path() + "/" + t.ID).
				Text(say.Format("See it drawn again and again: %s", say.Text(t.Title)))),
	})
}

// settable lists the columns and parameters of a task: their meaning, their range, and how they
// affect privacy and error.
func settable(t ask.Task) (list [][2]string) {
	bounds := say.Text(
		"Its possible values are public. The wider they are, the larger the error can be.")
	if len(t.Domains) > 0 {
		list = append(list,
			[2]string{say.Text("Column"), task.Capital(kindsText(t.Domains)) + ". " + bounds})
	}
	for _, r := range t.Others {
		number := "one"
		switch {
		case r.Min != r.Max:
			number = say.Format("%d to %d", r.Min, r.Max)
		case r.Max > 1:
			number = fmt.Sprint(r.Max)
		}
		list = append(list,
			[2]string{task.Capital(say.Text(r.Label)) + " (" + number + ")",
				say.Format("%s %s. Possible values are public here too.", say.Text(r.Help),
					task.Capital(kindsText(r.Domains)))})
	}
	var tuned []string
	for _, p := range t.Params {
		meaning := say.Text(p.Help)
		if p.Kind == ask.Integer {
			meaning += " " + say.Format("From %s to %s.", message.Grouped(p.Min),
				message.Grouped(p.Max))
		}
		if len(p.Choices) > 0 {
			var labels []string
			for _, c := range p.Choices {
				labels = append(labels, say.Text(c.Label))
			}
			meaning += " " + say.Format("One of: %s.", strings.Join(labels, "; "))
		}
		if p.Tries != "" {
			tuned = append(tuned, say.Text(p.Label))
		}
		list = append(list,
			[2]string{
				say.Text(p.Label), strings.TrimSpace(meaning) + " " + say.Text(p.Effect)})
	}
	if tuned != nil {
		list = append(list,
			[2]string{say.Text("Try many, publish the best"), say.Format("Several values can be "+
				"given for each of: %s. Only the answer with the best noisy score is released; "+
				"with three or more combinations that costs two and a half times one answer, "+
				"however many there are. The score counts %s.",
				strings.Join(tuned, "; "),
				say.Text(t.Tunes))})
	}
	return list
}

// kindsText lists kinds of column in words.
func kindsText(kinds []domain.Kind) string {
	var words []string
	for _, k := range form.KindNames {
		if slices.Contains(kinds, domain.Kind(k.Value)) {
			words = append(words, say.Text(k.Text))
		}
	}
	return strings.Join(words, ", ")
}
