package learn

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/phrase"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state/course"
	"hush/web/state/place"
)

// Lesson draws a lesson of the course: the bet, and once it is placed the attack, the sentence to
// keep, and the question.
type Lesson struct {
	app.Compo

	Course   *course.Course // read and changed
	Revision int            // Model.Revision
	Browser  *parts.Browser
	Embedded bool // in a page of another site: alone, and kept nowhere
}

// shownID is the lesson that is not presented.
const shownID = "lesson-shown"

// Render draws the lesson, or one step of it.
func (v *Lesson) Render() app.UI {
	c := v.Course
	if c.Presenting {
		return v.presented()
	}
	w := c.Words()
	body := []app.UI{v.heading(w), v.bet(w)}
	if c.Number == 1 && c.Bet == 0 {
		body = append(body, v.office())
	}
	if c.Bet > 0 {
		told := w.No
		if c.Bet == w.Right {
			told = w.Yes
		}
		body = append(body,
			app.P().ID("lesson-told").Class("told").Role("status").Text(say.Text(told)),
			v.reveal(), v.keep(w), v.question(w))
		if c.Answer > 0 {
			body = append(body, v.answer(w))
		}
		body = append(body, v.speaker(w))
	}
	body = append(body, parts.Explain(v.texts(w)...))
	if !v.Embedded {
		body = append(body, v.next())
	}
	class := "lesson-whole"
	if c.Number == course.Offices {
		class = "lesson-whole wide"
	}
	return app.Div().ID("lesson").Class(class).Body(
		app.If(!v.Embedded, v.top),
		app.Article().ID(shownID).Class("lesson-page").TabIndex(-1).Body(body...),
	)
}

// top leads back to the list, and into presenting.
func (v *Lesson) top() app.UI {
	c := v.Course
	return app.Div().Class("lesson-top").Body(
		app.A().Href("#"+place.ViewLearn.Path()).Text(say.Text("All lessons")),
		app.Ol().Class("pips").Aria("hidden", true).Body(
			app.Range(c.Done[:]).Slice(func(i int) app.UI {
				li := app.Li()
				switch {
				case i == c.Number-1:
					return li.Class("now")
				case c.Done[i]:
					return li.Class("done")
				}
				return li
			})),
		app.Button().ID("lesson-present").Class("button quiet small").Type("button").
			Body(app.Text(say.Text("Present")),
				app.Elem("kbd").Attr("translate", "no").Text("Shift P")).
			OnClick(func(app.Context, app.Event) { v.present() }),
	)
}

func (v *Lesson) present() {
	v.Course.Present()
	id := shownID
	if v.Course.Presenting {
		id = parts.PresentID
	}
	if v.Browser != nil {
		v.Browser.Reveal(id)
	}
}

// heading says what there is, before the bet.
func (v *Lesson) heading(w *course.Words) app.UI {
	number := say.Format("Lesson %d of %d · %d minutes", v.Course.Number, course.Lessons,
		w.Minutes)
	if v.Course.Number == course.Offices {
		number = say.Format("Beside lesson 2 · %d minutes", w.Minutes)
	}
	return app.Header().Class("stack tight").Body(
		app.P().Class("soft").Text(number),
		app.H1().Text(say.Text(w.Title)),
		app.P().Class("lead").
			Body(app.Text(say.Text(w.Lead)+" "), app.B().Text(say.Text(w.Rule))),
	)
}

// bet draws the bets, of which one is placed.
func (v *Lesson) bet(w *course.Words) app.UI {
	return app.FieldSet().ID("lesson-bet").Class("bet").Body(
		app.Legend().Text(say.Text(w.Bet)),
		app.Range(w.Bets).Slice(func(i int) app.UI {
			return choiceOf("bet", i+1, v.Course.Bet, w.Bets[i], v.Course.Choose)
		}))
}

// choiceOf draws one of several choices, of which one is made.
func choiceOf(name string, number, chosen int, text course.Choice, choose func(int)) app.UI {
	id := name + "-" + strconv.Itoa(number)
	var about app.UI
	if text.About != "" {
		about = app.Span().Class("soft").Text(say.Text(text.About))
	}
	return app.Label().Class("choice").Body(
		app.Input().ID(id).Type("radio").Name(name).Value(strconv.Itoa(number)).
			Checked(number == chosen).
			OnChange(func(app.Context, app.Event) { choose(number) }, app.EventScope(id)),
		app.B().Text(say.Text(text.Name)), about)
}

// keep is the sentence to keep.
func (v *Lesson) keep(w *course.Words) app.UI {
	return app.Figure().Class("keep").Body(
		app.Elem("blockquote").Body(app.P().Text(say.Text(w.Keep))),
		app.FigCaption().Text(say.Text("The sentence to keep")))
}

// question asks what was learned.
func (v *Lesson) question(w *course.Words) app.UI {
	return app.FieldSet().ID("lesson-question").Class("bet asked").Body(
		app.Legend().Text(say.Text(w.Question)),
		app.Range(w.Answers).Slice(func(i int) app.UI {
			return choiceOf("answer", i+1, v.Course.Answer, course.Choice{Name: w.Answers[i]},
				v.Course.Reply)
		}))
}

// answer checks the answer.
func (v *Lesson) answer(w *course.Words) app.UI {
	class, verdict := "warn", say.Format("Not so. The answer is: %s.",
		say.Text(w.Answers[w.RightAnswer-1]))
	if v.Course.Answer == w.RightAnswer {
		class, verdict = "good", say.Text("That is right.")
	}
	return app.Div().ID("lesson-answer").Class("note " + class).Role("status").Body(
		app.P().Body(app.B().Text(verdict), app.Text(" "+say.Text(w.Why))))
}

func (v *Lesson) speaker(w *course.Words) app.UI {
	return app.Details().Class("more no-print").Body(
		app.Summary().Text(say.Text("For the speaker")),
		app.P().Text(say.Text(w.Speaker)+" "+say.Text("Presenting shows one step a screen. The "+
			"space bar brings the next, Escape ends it.")))
}

// texts are those of the lesson that are shown so far, so that each term is explained where a
// reader first meets it, and nothing says beforehand what the bet holds back.
func (v *Lesson) texts(w *course.Words) (all []string) {
	c := v.Course
	keys := []phrase.Key{w.Title, w.Lead, w.Rule, w.Bet}
	for _, bet := range w.Bets {
		keys = append(keys, bet.Name, bet.About)
	}
	if c.Bet > 0 {
		keys = append(keys, w.Yes, w.No, w.Keep, w.Question, w.Speaker)
		keys = append(append(keys, w.Answers...), w.Shown...)
	}
	if c.Answer > 0 {
		keys = append(keys, w.Why)
	}
	return say.Texts(keys...)
}

// next leads on: to the lesson after this one, or back to the list.
func (v *Lesson) next() app.UI {
	c := v.Course
	list := "#" + place.ViewLearn.Path()
	if c.Number >= course.Lessons {
		return app.Nav().Class("lesson-next").Aria("label", say.Text("Lessons")).Body(
			app.A().ID("lesson-next").Class("button main large").Href(list).
				Text(say.Text("Back to all lessons")))
	}
	class := "button large"
	if c.Answer > 0 {
		class = "button main large"
	}
	return app.Nav().Class("lesson-next").Aria("label", say.Text("Lessons")).Body(
		app.A().ID("lesson-next").Class(class).Href(lessonPath(c.Number+1)).
			Text(say.Format("Next: %s", say.Text(course.All[c.Number].Title))),
		app.If(c.Done[c.Number-1], func() app.UI {
			return app.A().Class("button quiet").Href(list).
				Text(say.Text("Stop here; it is kept"))
		}))
}

// lessonPath is the address of a lesson.
func lessonPath(number int) string {
	return "#" + course.Path(number)
}

// presented draws one step, large, for a room.
func (v *Lesson) presented() app.UI {
	c, w := v.Course, v.Course.Words()
	title := app.UI(app.H1().Class("unseen").Text(say.Text(w.Title)))
	var body app.UI
	switch c.Step {
	case course.StepTitle:
		title, body = nil, v.heading(w)
	case course.StepBet:
		body = v.bet(w)
	case course.StepReveal:
		body = v.reveal()
	case course.StepKeep:
		body = v.keep(w)
	case course.StepQuestion:
		body = v.question(w)
	case course.StepAnswer:
		body = app.Div().Class("stack").Body(
			app.H2().Text(say.Text(w.Answers[w.RightAnswer-1])),
			app.P().Class("lead").Text(say.Text(w.Why)))
	}
	button := func(id, text string, off bool, do func()) app.UI {
		return app.Button().ID(id).Class("button").Type("button").Disabled(off).Text(text).
			OnClick(func(app.Context, app.Event) { do() })
	}
	return app.Div().ID("lesson").Class("lesson-whole presented").Body(
		app.Article().ID(parts.PresentID).Class("lesson-page").TabIndex(-1).
			Aria("label", say.Format("Step %d of %d", c.Step+1, course.Steps)).
			OnKeyDown(v.keys).Body(
			app.Div().Class("presented-step").Aria("live", "polite").Body(title, body),
			app.Div().Class("row").Role("group").Aria("label", say.Text("Steps")).Body(
				button("present-back", say.Text("Back"), c.Step == 0, func() { c.Go(-1) }),
				button("present-next", say.Text("Next"), c.Step == course.Steps-1, func() {
					v.Course.Go(1)
				}),
				button("present-end", say.Text("End"), false, v.present),
				app.Span().Class("soft small").Text(say.Format("Step %d of %d", c.Step+1,
					course.Steps)),
			)))
}

// keys are those of a presenter. On a control the space bar stays the control's.
func (v *Lesson) keys(ctx app.Context, e app.Event) {
	on := func(selector string) bool {
		return e.Get("target").Call("closest", selector).Truthy()
	}
	by := 0
	switch e.Get("key").String() {
	case "Escape":
		v.present()
		return
	case " ":
		if !on("button, input, select, summary, a") {
			by = 1
		}
	case "PageDown":
		by = 1
	case "PageUp":
		by = -1
	case "ArrowRight":
		if !on("input, select") {
			by = 1
		}
	case "ArrowLeft":
		if !on("input, select") {
			by = -1
		}
	}
	if by != 0 {
		e.PreventDefault()
		v.Course.Go(by)
	}
}
