package learn

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/study"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state/asking"
	"hush/web/state/course"
	"hush/web/state/lesson"
	"hush/web/state/place"
)

// index is the list of all there is to learn: the course, and behind it the laboratory, the papers,
// and what teachers need.
func (p *Page) index() app.UI {
	c := &p.Model.Course
	return app.Div().ID("learn").Class("stack wide").Body(
		app.Div().Class("learn-head").Body(
			app.Div().Class("stack tight").Body(
				app.H1().Text(say.Text("Six short lessons on figures that keep secrets")),
				app.P().Class("lead").Text(say.Text("Each has one thing to do, one bet to make "+
					"before you see, and one sentence to keep. No formulas; everybody in them is "+
					"made up."))),
			app.Div().Class("course-progress").Body(
				app.P().Body(
					app.B().ID("course-done").Text(say.Format("%d of %d done", c.Count(),
						course.Lessons)),
					app.Span().Class("soft").Text(left(c))),
				app.Progress().Max(course.Lessons).Value(c.Count()).
					Aria("label", say.Text("Lessons done")),
				app.If(c.Count() > 0, func() app.UI {
					return app.P().Body(app.Button().ID("course-forget").
						Class("button quiet small").Type("button").Text(say.Text("Begin again")).
						OnClick(func(app.Context, app.Event) { p.Model.Course.Forget() }))
				}))),
		app.Ol().Class("course").
			Body(app.Range(course.All[:course.Lessons]).Slice(func(i int) app.UI {
				return lessonInList(c, i+1)
			})),
		officesInList(),
		app.Div().Class("beyond").Body(p.laboratory(), papers(), teachers()))
}

// left says how long the rest takes.
func left(c *course.Course) string {
	if c.Next() == 0 {
		return say.Text("all done, and kept on this device")
	}
	return say.Format("about %d minutes left", c.Minutes())
}

// pictures are what a lesson is about at a glance, in a field of 88 by 68: bars, then lines.
var pictures = [course.Lessons]struct{ bars, lines string }{
	{"M14 14h22v46h-22zM46 24h22v36h-22z", "M46 14h22v8h-22z"},
	{"M10 30h14v30h-14zM28 18h14v42h-14zM46 26h14v34h-14zM64 40h14v20h-14z",
		"M17 22v16M14 22h6M14 38h6M35 10v16M32 10h6M32 26h6M53 18v16M50 18h6M50 34h6M71 32v16" +
			"M68 32h6M68 48h6"},
	{"M8 60C30 60 34 12 44 12S58 60 80 60Z", "M8 60C38 60 38 8 44 8s6 52 36 52"},
	{"M12 44h64v14h-64zM12 27h44v14h-44zM12 10h22v14h-22z", ""},
	{"M22 42h12v18h-12zM38 24h12v36h-12zM54 36h12v24h-12z", "M14 10v50M74 10v50"},
	{"", "M44 12a24 24 0 1 0 .1 0M37 30a7 7 0 1 1 10 6c-2.4 1.2-3 3-3 5M44 48v.1"},
}

// lessonInList draws a lesson's card.
func lessonInList(c *course.Course, number int) app.UI {
	w := &course.All[number-1]
	class, end := "les", app.UI(parts.Icon("M6 3l5 5-5 5"))
	switch {
	case c.Done[number-1]:
		end = app.Span().Class("state").Body(parts.Icon(parts.IconCheck),
			app.Text(say.Text("done")))
	case c.Next() == number:
		class = "les now"
		text := say.Text("Begin")
		if c.Count() > 0 {
			text = say.Text("Continue")
		}
		end = app.Span().Class("button main").Text(text)
	}
	drawn := pictures[number-1]
	to := app.A().ID("lesson-" + strconv.Itoa(number)).Href(lessonPath(number))
	return app.Li().Class(class).Body(to.Body(
		parts.SVG("svg").Class("pic").Attr("viewBox", "0 0 88 68").Aria("hidden", true).Body(
			parts.SVG("path").Class("bar").Attr("d", drawn.bars),
			parts.SVG("path").Class("line").Attr("d", drawn.lines)),
		app.Span().Class("les-text").Body(
			app.Span().Class("les-no").Text(say.Format("Lesson %d · %d minutes", number,
				w.Minutes)),
			app.B().Text(say.Text(w.Title)),
			app.Span().Class("soft").Text(say.Text(w.About))),
		end))
}

// officesInList leads to what offices do, beside the lessons.
func officesInList() app.UI {
	w := &course.All[course.Offices-1]
	return app.P().Class("told").Body(
		app.Text(say.Text("Beside lesson 2:")+" "),
		app.A().ID("lesson-offices").Href(lessonPath(course.Offices)).Text(say.Text(w.Title)),
		app.Span().Class("soft").Text(" "+say.Text(w.About)))
}

// link leads to an address of Learn.
func link(id, title string) app.UI {
	return app.Li().Body(app.A().Href("#" + place.ViewLearn.Path() + "/" + id).Text(title))
}

// laboratory lists every question, asked of made-up people as often as one likes.
func (p *Page) laboratory() app.UI {
	body := []app.UI{
		app.H2().ID("laboratory").Text(say.Text("The laboratory")),
		app.P().Text(say.Text("Every question that Hush answers, asked of made-up people as " +
			"often as you like, beside what the data really say."))}
	for _, section := range asking.BySection(p.Model.Question.Tasks) {
		var links []app.UI
		for _, t := range section {
			if t.Example != nil {
				links = append(links, link(t.ID, say.Text(t.Title)))
			}
		}
		if links != nil {
			body = append(body, app.H3().Text(say.Text(section[0].Section)),
				app.Ul().Class("chips").Body(links...))
		}
	}
	body = append(body, app.H3().Text(say.Text("Prices, persons with several rows, and your own "+
		"file")),
		app.Ul().Class("chips").Body(
			link(lesson.DifferenceLesson, say.Text("Why pay only the difference?")),
			link(lesson.RowsLesson, say.Text("How many rows of a person count?")),
			link(lesson.OwnLesson, say.Text("Use your own file"))),
		app.P().Class("soft small").Text(say.Text("Your own file shows the true answers of its "+
			"rows: it gives up its protection.")))
	return app.Section().Class("stack laboratory").Aria("labelledby", "laboratory").Body(body...)
}

// papers lists the pages of the papers, in the order in which they build on each other.
func papers() app.UI {
	return app.Section().Class("stack").Aria("labelledby", "papers").Body(
		app.H2().ID("papers").Text(say.Text("Five papers, measured here")),
		app.P().Text(say.Text("What Hush is built on: each with its claim, a picture that moves, "+
			"and what is measured.")),
		app.Ol().Body(app.Range(study.Catalogue()).Slice(func(i int) app.UI {
			s := study.Catalogue()[i]
			return app.Li().Body(app.A().Href("#"+place.ViewLearn.Path()+"/"+s.ID).
				Text(say.Text(s.Title)),
				app.P().Class("soft small").Text(say.Text(s.Asked)))
		})))
}

// teachers says what there is for a class.
func teachers() app.UI {
	return app.Section().Class("stack").Aria("labelledby", "teachers").Body(
		app.H2().ID("teachers").Text(say.Text("For teachers")),
		app.Ul().Class("chips").Body(
			link(course.PlanPage, say.Format("A plan of %d minutes", course.PlanMinutes)),
			link(course.PollPage, say.Text("Poll your class")),
			link(course.SheetPage, say.Text("A sheet to print"))),
		app.P().Text(say.Text("Presenting (Shift P in a lesson) shows one step a screen in large "+
			"type. The reveal is kept back until you press the space bar.")),
		app.P().Text(say.Text("The address of a lesson holds its settings, its coins and the "+
			"bet: people who open the link see what you saw. Share the address of a lesson that "+
			"was just begun, and nothing is given away.")))
}
