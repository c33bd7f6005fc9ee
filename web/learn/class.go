package learn

import (
	"math"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	rules "hush/core/course"
	"hush/core/message"
	"hush/web/engine"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state/course"
	"hush/web/state/place"
)

// Class draws a page beside the lessons that helps to give a class: the poll, as its teacher or a
// pupil sees it, the plan, or the sheet to print.
type Class struct {
	app.Compo

	Course   *course.Course // read and changed
	Revision int            // Model.Revision
	Browser  *parts.Browser

	copied string
}

// Render draws the page.
func (v *Class) Render() app.UI {
	body := []app.UI{app.P().Class("small no-print").
		Body(app.A().Href("#" + place.ViewLearn.Path()).Text(say.Text("All lessons")))}
	switch c := v.Course; {
	case c.Beside == course.PlanPage:
		body = append(body, v.plan()...)
	case c.Beside == course.SheetPage:
		body = append(body, v.sheet()...)
	case c.Poll.Teaching:
		body = append(body, v.teach()...)
	default:
		body = append(body, v.pupil()...)
	}
	return app.Div().ID("learn").Class("lesson-whole").
		Body(app.Article().Class("lesson-page").Body(body...))
}

// head is a title with what stands below it.
func head(title, lead string) app.UI {
	return app.Header().Class("stack tight").
		Body(app.H1().Text(title), app.P().Class("lead").Text(lead))
}

func paragraph(text string) app.UI { return app.P().Text(text) }

// copyButton copies the text of an element.
func (v *Class) copyButton(id, text string) app.UI {
	return app.Div().Class("row").Body(
		app.Button().ID(id+"-copy").Class("button").Type("button").Text(text).
			OnClick(func(ctx app.Context, _ app.Event) {
				v.Browser.Copy(id, func(_ engine.Request, kind string, _ []byte) {
					v.copied = parts.CopiedText(kind)
					ctx.Update()
				})
			}, app.EventScope(id)),
		app.Span().Class("soft small").Role("status").Text(v.copied))
}

// percent writes a share.
func percent(share float64) string { return say.Format("%.0f %%", 100*share) }

// outward rounds the ends of a range of shares to whole percents, so that the range that is printed
// holds the range that is proved.
func outward(low, top float64) (float64, float64) {
	const exact = 1e-7 // more than a float is off
	return math.Floor(100*low+exact) / 100, math.Ceil(max(100*top-exact, 0)) / 100
}

// pupil asks the question, or shows the code of the answer.
func (v *Class) pupil() []app.UI {
	p := &v.Course.Poll
	told := say.Format("At ε = %s the code says the true answer for about %.0f of 100 pupils. "+
		"A reader of your code cannot be sure of your answer.", rules.PollEpsilons[p.Of.Place],
		p.Of.Kept())
	title := app.H1().Attr("translate", "no").Text(p.Of.Question)
	if code := p.Code(); code != "" {
		kept := say.Text("This browser keeps the code, and not your answer: a second answer " +
			"here gives the same code.")
		if !p.Kept() {
			kept = say.Text("This browser keeps nothing. Write the code down, and do not answer " +
				"again: two codes give away more than one.")
		}
		return []app.UI{
			app.Header().Class("stack tight").Body(title),
			app.Div().Class("keep").Role("status").Body(
				app.P().Text(say.Text("Your code. Read it out, or paste it to your teacher:")),
				app.B().ID("poll-code").Class("poll-code").Attr("translate", "no").Text(code)),
			v.copyButton("poll-code", say.Text("Copy the code")),
			paragraph(told), paragraph(kept), parts.Explain(told)}
	}
	button := func(id, text string, yes bool) app.UI {
		return app.Button().ID(id).Class("button large").Type("button").Text(text).
			Disabled(!p.Recalled).OnClick(func(app.Context, app.Event) {
			v.Course.Say(yes)
			if v.Browser != nil {
				v.Browser.Reveal("poll-code-copy")
			}
		}, app.EventScope(id))
	}
	return []app.UI{
		app.Header().Class("stack tight").Body(
			app.P().Class("soft").Text(say.Text("Your teacher asks")), title,
			app.P().Class("lead").Text(say.Text("Answer truly. Coins in this tab then flip some "+
				"answers. Only a code leaves it, when you read it out."))),
		app.Div().Class("row").Role("group").Aria("label", say.Text("Your answer")).Body(
			button("poll-yes", say.Text("Yes"), true), button("poll-no", say.Text("No"), false)),
		paragraph(told), parts.Explain(told)}
}

// usualClass is the number of pupils for which the error is shown before anybody answers.
const usualClass = 25

// teach draws the question, the link for pupils, the codes and what they tell.
func (v *Class) teach() []app.UI {
	p := &v.Course.Poll
	var options []parts.Option
	for i, e := range rules.PollEpsilons {
		options = append(options, parts.Option{Value: strconv.Itoa(i), Text: "ε = " + e})
	}
	half := p.Of.Estimate(usualClass, usualClass/2)
	forecast := say.Format("About %.0f of 100 codes say the true answer. With %d pupils the range "+
		"is about ± %.0f points.", p.Of.Kept(), usualClass, 50*(half.Top-half.Low))
	body := []app.UI{
		head(say.Text("Poll your class"), say.Text("Ask what nobody likes to answer. Each pupil's "+
			"own tab flips some answers by coin. The share of the whole class comes out all the "+
			"same, to within a range.")),
		parts.TextField("poll-ask", say.Text("A question of yes or no"), p.Typed,
			say.Text("Everybody who has the link can read it."), "", func(text string) {
				v.Course.Ask(text, v.Course.Poll.Of.Place)
			}),
		parts.SelectField("poll-epsilon", say.Text("Privacy loss ε of each answer"),
			strconv.Itoa(p.Of.Place), options, forecast, "", func(text string) {
				v.Course.Ask(v.Course.Poll.Typed, parts.Number(text))
			})}
	if p.Of.Question == "" {
		return append(body, parts.Explain(forecast, "ε"))
	}
	share, wrong := p.Count()
	return append(body,
		app.Div().Class("stack tight").Body(
			app.H2().Text(say.Text("The link for your pupils")),
			app.P().ID("poll-link").Class("small poll-link").Attr("translate", "no").
				Text(v.Browser.Base()+"#"+p.PollAddress(false)),
			v.copyButton("poll-link", say.Text("Copy the link"))),
		parts.Labelled("poll-codes", say.Text("The codes, one a line"),
			&parts.TextInput{ID: "poll-codes", Value: p.Pasted, Lines: 6, Invalid: len(wrong) > 0,
				OnText: v.Course.Paste},
			say.Text("They stay in this tab. Equal codes are no mistake: each answer has only "+
				"two."),
			""),
		app.If(len(wrong) > 0, func() app.UI { return wrongLines(wrong) }),
		app.If(share.Codes > 0, func() app.UI { return told(share) }),
		app.H2().Text(say.Text("The discussion")),
		app.Dl().Class("pairs known").Body(app.Range(course.Discussion).Slice(func(i int) app.UI {
			d := course.Discussion[i]
			return app.Div().Body(
				app.Dt().Text(say.Text(d.Ask)+" "+say.Format("(%d min)", d.Minutes)),
				app.Dd().Text(say.Text(d.Say)))
		})),
		parts.Explain(forecast, "ε"))
}

// wrongLine says of a line why it is no code of the poll.
func wrongLine(w course.WrongLine) string {
	switch w.As {
	case rules.NoCode:
		return say.Format("Line %d, “%s”, is no code: a code is two digits and a letter.", w.Number,
			w.Text)
	case rules.OtherEpsilon:
		return say.Format("Line %d, “%s”, is a code of a poll with another ε.", w.Number, w.Text)
	}
	return say.Format("Line %d, “%s”, was misread, or is a code of another question.", w.Number,
		w.Text)
}

func wrongLines(wrong []course.WrongLine) app.UI {
	var lines []string
	for _, w := range wrong {
		lines = append(lines, wrongLine(w))
	}
	return parts.Note("warn", lines...)
}

// told is what the codes tell.
func told(s rules.Share) app.UI {
	low, top := outward(s.Low, s.Top)
	return app.Div().ID("poll-told").Class("keep").Role("status").Body(
		app.B().Class("poll-code").Text(say.Format("%s to %s say yes", percent(low),
			percent(top))),
		app.P().Text(say.Format("Best guess: %s of %s pupils. Of 100 such ranges at least 95 hold "+
			"the true share of those who gave a code.", percent(s.Middle),
			message.Grouped(int64(s.Codes)))),
		app.P().Class("soft").Text(say.Format("As given, %d of %d codes say yes; the range takes "+
			"the coins out again.", s.Yes, s.Codes)))
}

// plan draws the class, part by part.
func (v *Class) plan() []app.UI {
	body := []app.UI{head(say.Format("A plan of %d minutes", course.PlanMinutes), say.Text("Six "+
		"short attacks with the class, and a poll in the middle. Present each lesson with "+
		"Shift P."))}
	var items []app.UI
	at := 0
	for _, s := range course.Plan {
		title, what := app.UI(app.Text(say.Text(s.Title))), s.What
		var ask app.UI
		switch {
		case s.Lesson > 0:
			w := &course.All[s.Lesson-1]
			title, what = app.A().Href(lessonPath(s.Lesson)).Text(say.Text(w.Title)), w.Speaker
			ask = app.P().Body(app.B().Text(say.Text(w.Bet)))
		case s.Title == "Poll your class":
			title = app.A().Href("#" + place.ViewLearn.Path() + "/" + course.PollPage).
				Text(say.Text(s.Title))
		}
		items = append(items, app.Li().Body(
			app.P().Class("soft small").Text(say.Format("Minute %d to %d", at, at+s.Minutes)),
			app.H2().Body(title), ask, paragraph(say.Text(what))))
		at += s.Minutes
	}
	return append(body, app.Ol().Class("class-plan").Body(items...))
}

// sheet draws the questions with room for answers, and the answers on a page of their own.
func (v *Class) sheet() []app.UI {
	questions := func(heading func(title string) app.UI,
		item func(w *course.Words) []app.UI) app.UI {
		return app.Ol().Class("class-sheet").
			Body(app.Range(course.All[:course.Lessons]).Slice(func(i int) app.UI {
				return app.Li().Body(append([]app.UI{
					heading(say.Text(course.All[i].Title)),
					paragraph(say.Text(course.All[i].Question))}, item(&course.All[i])...)...)
			}))
	}
	return []app.UI{
		head(say.Text("Six questions on figures that keep secrets"),
			say.Text("One for each lesson. Tick an answer, and say why in one sentence.")),
		questions(func(title string) app.UI {
			return app.H2().Text(title)
		}, func(w *course.Words) []app.UI {
			return []app.UI{
				app.Ul().Class("ticks").Body(app.Range(w.Answers).Slice(func(i int) app.UI {
					return app.Li().Text(say.Text(w.Answers[i]))
				})),
				app.P().Class("class-room").Text(say.Text("Why?"))}
		}),
		app.Section().Class("stack class-answers").Aria("labelledby", "answers").Body(
			app.H2().ID("answers").Text(say.Text("The answers, for the teacher")),
			questions(func(title string) app.UI {
				return app.H3().Text(title)
			}, func(w *course.Words) []app.UI {
				return []app.UI{
					app.P().Body(app.B().Text(say.Text(w.Answers[w.RightAnswer-1]))),
					paragraph(say.Text(w.Why)),
					app.P().Class("soft").Text(say.Format("To keep: %s", say.Text(w.Keep)))}
			})),
	}
}
