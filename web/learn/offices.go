package learn

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/course"
	"hush/core/message"
	"hush/core/phrase"
	"hush/web/say"
)

// waysOf names each way to publish a table, its rule, and the attack on it.
var waysOf = [course.WaysOfOffices]struct{ name, rule, attack phrase.Key }{
	{"As it is", "Every cell is exact.", "Look."},
	{"Suppressed", "Cells of 1 and 2 are hidden, and others so that no total gives them away " +
		"(τ-argus; sdcTable’s primarySuppression and protectTable).",
		"A 0 would be printed, so a hidden cell is 1 or 2; the others in Mill are well."},
	{"Rounded to 5", "Each cell and each total goes to the nearest multiple of 5 (as in " +
		"τ-argus, there so that totals fit).",
		"Ask for one more table: Mill and two people who are known to be ill. 2 goes to 0, and " +
			"3 goes to 5."},
	{"Cell-keyed", "Small noise follows from the keys of a cell’s people, so that a table has " +
		"the same noise each time (sdcTools’ cellKey).",
		"Ask 60 tables, each of Ana and other people who are known. Each has noise of its own: " +
			"take the average."},
	{"Swapped", "One in ten people changes places with somebody of another district " +
		"(as sdcMicro’s recordSwap, which takes those who stand out first).",
		"Most people were not swapped: take the table as it is."},
	{"Differentially private, ε = 1", "Noise of a public law is added to each cell; totals are " +
		"sums of those.", "The best guess from both cells of Mill."},
}

// ways draws the table in each way, attacked.
func (v *Lesson) ways() app.UI {
	return app.Section().ID("lesson-reveal").Class("stack").
		Aria("label", say.Text("Six ways")).Body(
		app.Ul().Class("ways").Body(app.Range(waysOf[:]).Slice(func(i int) app.UI {
			return app.Li().Body(v.way(course.Way(i)))
		})),
		v.again())
}

// way is one of them: the table, the attack, what it learned, and what the table is worth.
func (v *Lesson) way(way course.Way) app.UI {
	d, w := &v.Course.Drawn, waysOf[way]
	p := d.Published[way]
	at := strconv.Itoa(int(way))
	var odds app.UI
	if v.Course.At == at {
		odds = app.P().ID("way-right").Role("status").Text(say.Format("In %d of %d such towns the "+
			"guess is right; a coin has 50.", d.Right, course.Guesses))
	}
	return app.Article().Class("card pad way").Aria("labelledby", "way-"+at).Body(
		app.H2().ID("way-"+at).Text(say.Text(w.name)),
		app.P().Class("soft small").Text(say.Text(w.rule)),
		wayTable(say.Text(w.name), p),
		app.P().Body(app.B().Text(say.Text("Attack.")), app.Text(" "+say.Text(w.attack))),
		learned(way, p, d.Town),
		odds,
		app.P().Class("soft").
			Body(app.B().Text(say.Text("For users.")), app.Text(" "+worth(way, p))),
		app.Div().Body(app.Button().ID("way-attack-"+at).Class("button small").Type("button").
			Text(say.Text("Attack 100 towns")).Aria("describedby", "way-"+at).
			OnClick(func(app.Context, app.Event) { v.Course.Turn(at) }, app.EventScope(at))))
}

// wayTable draws a published table; the cell that is attacked stands out.
func wayTable(caption string, p *course.Published) app.UI {
	cell := func(row, column int) app.UI {
		text := message.Grouped(p.Cells[row][column])
		if p.Hidden[row][column] {
			text = "×"
		}
		td := app.Td()
		if row == 0 && column == 1 {
			td = td.Class("hit")
		}
		return td.Text(text)
	}
	rows := append(course.Districts[:], say.Text("Town"))
	return app.Table().Body(
		app.Caption().Class("unseen").Text(caption),
		app.THead().Body(app.Tr().Body(
			app.Td(),
			app.Th().Scope("col").Text(say.Text("well people")),
			app.Th().Scope("col").Text(say.Text("ill people")),
			app.Th().Scope("col").Text(say.Text("in all")))),
		app.TBody().Body(app.Range(rows).Slice(func(row int) app.UI {
			name := app.Th().Scope("row")
			if row < len(course.Districts) {
				name = name.Attr("translate", "no")
			}
			return app.Tr().Body(name.Text(rows[row]), cell(row, 0), cell(row, 1), cell(row, 2))
		})))
}

// learned says what the attack took away, and whether that is so.
func learned(way course.Way, p *course.Published, t *course.Town) app.UI {
	class, text := "got", ""
	switch way {
	case course.Rounded:
		text = say.Format("That table says %s.", message.Prose(p.Seen))
	case course.CellKeyed:
		text = say.Format("The average is %s.", message.Prose(p.Seen))
	}
	if text != "" {
		text += " "
	}
	switch {
	case way == course.Private && p.Guess:
		text += say.Format("The guess is “ill”. Of 100 such guesses at most %.0f are right.",
			course.Odds(course.Epsilon(course.OfficesEpsilon)))
	case way == course.Private:
		text += say.Format("The guess is “well”. Of 100 such guesses at most %.0f are right.",
			course.Odds(course.Epsilon(course.OfficesEpsilon)))
	case p.Guess:
		text += say.Text("So Ana is ill.")
	default:
		text += say.Text("So Ana is well.")
	}
	switch {
	case way == course.Private:
		class = "safe"
	case p.Guess != t.AnaIll:
		class, text = "safe", text+" "+say.Text("That is wrong.")
	default:
		text += " " + say.Text("That is so.")
	}
	return app.P().Class(class).Text(text)
}

// worth says what is left for users.
func worth(way course.Way, p *course.Published) string {
	text := say.Text("Every cell is exact.")
	switch {
	case p.Lost > 0:
		text = say.Format("%d of 6 cells are lost.", p.Lost)
	case p.Off > 0:
		text = say.Format("A cell is off by %s on average.", message.Prose(p.Off))
	}
	if !p.Adds {
		text += " " + say.Text("Cells do not add up to the totals.")
	}
	switch way {
	case course.Swapped:
		text += " " + say.Text("Totals hold. The error is kept secret.")
	case course.Private:
		text += " " + say.Format("95 of 100 cells are within %d, and that is stated.",
			course.OfficesWithin())
	}
	return text
}
