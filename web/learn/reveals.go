package learn

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/core/course"
	"hush/core/message"
	"hush/web/parts"
	"hush/web/say"
	state "hush/web/state/course"
)

// reveal draws the attack of the lesson, with its one control.
func (v *Lesson) reveal() app.UI {
	var body []app.UI
	switch c := v.Course; c.Number {
	case 1:
		body = v.subtraction()
	case 2:
		body = v.heaps()
	case 3:
		body = v.guesses()
	case 4:
		body = v.spending()
	case 5:
		body = v.ranges()
	case 6:
		body = v.studies()
	}
	if v.Course.Number == state.Offices {
		return v.ways()
	}
	return app.Section().ID("lesson-reveal").Class("attack").Aria("labelledby", "lesson-attack").
		Body(append([]app.UI{app.H2().ID("lesson-attack").Text(say.Text("Now attack it"))},
			body...)...)
}

// again draws with other coins.
func (v *Lesson) again() app.UI {
	return app.Div().Body(app.Button().ID("lesson-again").Class("button small").Type("button").
		Text(say.Text("Other people, other coins")).
		OnClick(func(app.Context, app.Event) { v.Course.Redraw() }))
}

// slider draws the lesson's control over its stops.
func (v *Lesson) slider(label string, text func(at string) string) app.UI {
	c := v.Course
	stops, _ := state.Stops(c.Number)
	return app.Div().Class("field").Body(
		app.Label().For("lesson-at").Text(label),
		app.Input().ID("lesson-at").Type("range").Min(0).Max(len(stops)-1).Step(1).
			Value(c.Place()).Aria("valuetext", text(c.At)).
			OnChange(func(ctx app.Context, _ app.Event) {
				stops, _ := state.Stops(v.Course.Number) // of the lesson that is shown by then
				if i := parts.Number(ctx.JSSrc().Get("value").String()); i >= 0 && i < len(stops) {
					v.Course.Turn(stops[i])
				}
			}),
		app.P().Class("help").Text(text(c.At)))
}

// pay writes an amount.
func pay(x int64) string { return say.Format("%s EUR", message.Grouped(x)) }

// office shows the people, before the bet.
func (v *Lesson) office() app.UI {
	o := v.Course.Drawn.Office
	return app.Section().Class("office").Aria("label", say.Text("The office")).Body(
		app.Ul().Class("dots").Aria("label", say.Text("The people of the office")).
			Body(app.Range(course.Names).Slice(func(i int) app.UI {
				return app.Li().Class("dotp").Attr("translate", "no").Text(course.Names[i])
			})),
		app.Div().Class("says").Body(
			app.P().Class("soft").Text(say.Format("Asked for the pay of all %d, the office says",
				len(course.Names))),
			app.B().Class("n").Text(pay(o.Total)),
			app.P().Class("soft").Text(say.Text("That is exact, and nobody’s secret. Bet first; "+
				"then you attack."))))
}

// subtraction is the attack on one person, or on all.
func (v *Lesson) subtraction() []app.UI {
	c := v.Course
	one := func(at, text string, own bool) app.UI {
		name := app.Span().Text(text)
		if own {
			name = name.Attr("translate", "no")
		}
		return app.Label().Class("dotp").Body(
			app.Input().Type("radio").Name("who").Value(at).Checked(c.At == at).
				OnChange(func(app.Context, app.Event) { v.Course.Turn(at) }, app.EventScope(at)),
			name)
	}
	people := app.FieldSet().Class("dots").Body(
		app.Legend().Text(say.Text("Whose pay would you like to know?")),
		app.Range(course.Names).Slice(func(i int) app.UI {
			return one(course.Names[i], course.Names[i], true)
		}),
		one(state.Everyone, say.Text("Everyone"), false))
	if c.At == state.Everyone {
		return []app.UI{app.Div().Class("attack-half").Body(people, v.solved())}
	}
	o, who := c.Drawn.Office, c.Place()
	total, rest := o.Subtract(who, false, c.Seed)
	line := func(class, text, number string) app.UI {
		return app.P().Class(class).Body(app.Span().Text(text), app.B().Class("n").Text(number))
	}
	return []app.UI{app.Div().Class("attack-half").Body(people,
		app.Div().Class("subtract").Aria("live", "polite").Body(
			line("q", say.Format("The pay of all %d", len(o.Pay)), pay(total)),
			line("q", say.Format("The pay of all but %s: %d people, so the office answers", c.At,
				len(o.Pay)-1), "− "+pay(rest)),
			line("q res", say.Format("%s earns, exactly", c.At), pay(total-rest))))}
}

// solved is what 60 tables give away together, exact ones and noisy ones.
func (v *Lesson) solved() app.UI {
	o, noisy := v.Course.Drawn.Office, v.Course.Drawn.Noisy
	exact, guess := o.Solve(), noisy.Solve()
	rows := make([][]string, len(exact))
	for i := range exact {
		rows[i] = []string{course.Names[i], message.Grouped(o.Pay[i]), message.Grouped(exact[i]),
			message.Grouped(guess[i])}
	}
	table := parts.DataTable(say.Text("Pay in EUR, and what the tables give"),
		[]string{"", say.Text("true"), say.Text("solved"), say.Text("solved, with noise")}, rows,
		"low", func(c int) bool { return c > 0 })
	table.Written = parts.Named
	return app.Div().Class("stack").Body(
		app.P().ID("lesson-solved").Class("told").Role("status").Text(say.Format("The office "+
			"also publishes %d tables, each without 3 to 5 people. Solved together in this tab, "+
			"they give the pay of %d of %d people to the euro.", len(o.Tables), o.ToTheEuro(),
			len(exact))),
		app.P().Text(say.Format("With noise on each of them (ε = %s in all, lesson 3) the same "+
			"sums are worth a coin: high or low is guessed rightly for %d of %d.",
			course.OfficeEpsilon, noisy.HighOrLow(), len(exact))),
		table, v.again())
}

// the pictures' frame, in units of their own
const pictureWidth, pictureHeight = 640, 200

// picture draws shapes; all that it says stands beside it in words.
func picture(label string, shapes ...app.UI) app.UI {
	return parts.SVG("svg").Class("lesson-picture").Role("img").Aria("label", label).
		Attr("viewBox", fmt.Sprintf("0 0 %d %d", pictureWidth, pictureHeight)).Body(shapes...)
}

func box(class string, x, y, w, h float64) app.UI {
	number := func(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }
	return parts.SVG("rect").Class(class).Attr("x", number(x)).Attr("y", number(y)).
		Attr("width", number(w)).Attr("height", number(h))
}

// binWidth is that of the heaps, in people.
const binWidth = 10

// heaps is the attack by one noisy answer.
func (v *Lesson) heaps() []app.UI {
	c, d := v.Course, v.Course.Drawn.Crowd
	low, high := slices.Min(append(slices.Clone(d.Without), d.With...)),
		slices.Max(append(slices.Clone(d.Without), d.With...))
	from := int64(math.Floor(float64(low)/binWidth)) * binWidth
	bins := int((high-from)/binWidth) + 1
	count := func(answers []int64) []int {
		all := make([]int, bins)
		for _, x := range answers {
			all[(x-from)/binWidth]++
		}
		return all
	}
	less, more := count(d.Without), count(d.With)
	tallest := float64(max(slices.Max(less), slices.Max(more)))
	wide, middle := float64(pictureWidth)/float64(bins), pictureHeight/2.0
	var shapes []app.UI
	rows := make([][]string, bins)
	for i := range bins {
		up, down := (middle-4)*float64(less[i])/tallest, (middle-4)*float64(more[i])/tallest
		shapes = append(shapes, box("well", float64(i)*wide+1, middle-up, wide-2, up),
			box("ill", float64(i)*wide+1, middle, wide-2, down))
		start := from + int64(i)*binWidth
		rows[i] = []string{say.Format("%d to %d", start, start+binWidth-1),
			strconv.Itoa(less[i]), strconv.Itoa(more[i])}
	}
	well, ill := say.Text("Ana is well"), say.Text("Ana is ill")
	if d.Differ > 1 {
		well = say.Format("%d people are well", d.Differ)
		ill = say.Format("the same %d people are ill", d.Differ)
	}
	return []app.UI{
		v.slider(say.Text("How many people do the two heaps differ in?"), func(at string) string {
			if at == "1" {
				return say.Text("1 person: Ana")
			}
			return say.Format("%s people", at)
		}),
		app.P().ID("lesson-result").Class("told").Role("status").Text(say.Format("Of %d guesses "+
			"%d are right: an answer is taken for the nearer heap. On average it is %.1f.",
			course.Guesses, d.Right, d.Expected)),
		picture(say.Text("Two heaps of answers; the table below says the same."), shapes...),
		app.Ul().Class("legend").Body(
			app.Li().Body(app.Span().Class("swatch well").Aria("hidden", true), app.Text(well)),
			app.Li().Body(app.Span().Class("swatch ill").Aria("hidden", true), app.Text(ill))),
		app.P().Class("soft").Text(say.Format("About %d people are ill, says one answer: 95 of "+
			"100 such answers are within %d. Exactly, %d people are ill, and no guess "+
			"is wrong.", d.With[0], d.Within, course.ClinicIll+d.Differ)),
		folded(say.Text("The answers as a table"),
			parts.DataTable(say.Text("Answers of each kind"),
				[]string{say.Text("answer"), well, ill}, rows, "low",
				func(c int) bool { return c > 0 })),
		odds(c.Number, d.Most),
		v.again(),
	}
}

// odds states the bound of the attack.
func odds(number int, most float64) app.UI {
	text := say.Format("No attack is right more often than %.1f times of 100, on average.",
		math.Ceil(10*most)/10)
	if number == 3 {
		text += " " + say.Text("This one is the best there is.")
	}
	return app.P().Class("soft").Text(text)
}

func folded(title string, body ...app.UI) app.UI {
	return app.Details().Class("more").Body(append([]app.UI{app.Summary().Text(title)}, body...)...)
}

// guesses is the attack on 100 people's secrets.
func (v *Lesson) guesses() []app.UI {
	g := v.Course.Drawn.Guessing
	most := course.Odds(course.Epsilon(v.Course.At))
	var shapes []app.UI
	for i, guess := range g.All {
		x, y := float64(i%20)*32+4, float64(i/20)*40+8
		class := "missed"
		if guess.Ill == guess.Guessed {
			class = "hit"
		}
		shapes = append(shapes, box(class, x, y, 24, 24))
	}
	return []app.UI{
		v.slider(say.Text("The dial ε"), func(at string) string { return "ε = " + at }),
		app.P().ID("lesson-result").Class("told").Role("status").Text(say.Format("Of 100 people "+
			"like you who join, somebody guesses right about %.0f; without you 50. Here it was "+
			"%d.", most, g.Right)),
		picture(say.Format("100 people: the secrets of %d are guessed rightly.", g.Right),
			shapes...),
		app.Ul().Class("legend").Body(
			app.Li().Body(app.Span().Class("swatch hit").Aria("hidden", true),
				app.Text(say.Text("guessed rightly"))),
			app.Li().Body(app.Span().Class("swatch missed").Aria("hidden", true),
				app.Text(say.Text("guessed wrongly")))),
		app.P().Class("soft").Text(say.Text("With an exact count all 100 are guessed.")),
		odds(3, most),
		v.again(),
	}
}

// bar is a length beside its number.
func bar(label string, part float64) app.UI {
	return app.Progress().Max(1000).Value(int(1000*min(part, 1))).Aria("label", label)
}

// spending is the attack by the same question, asked again and again.
func (v *Lesson) spending() []app.UI {
	s, w, at := v.Course.Drawn.Spending, v.Course.Drawn.Ways, v.Course.Place()
	times := course.Times[at]
	var sum int64
	for _, x := range s.Answers[:times] {
		sum += x
	}
	var rows []app.UI
	for i, n := range course.Times {
		class := ""
		if i == at {
			class = "best"
		}
		rows = append(rows, app.Tr().Class(class).Body(
			app.Th().Scope("row").Text(strconv.Itoa(n)),
			app.Td().Body(bar(say.Format("guessed rightly after %d answers", n),
				float64(s.Right[i])/course.Guesses), app.Span().Text(strconv.Itoa(s.Right[i]))),
			app.Td().Text(say.Format("ε = %s",
				message.Prose(float64(n)*course.Epsilon(course.SpendingEpsilon)))),
		))
	}
	return []app.UI{
		v.slider(say.Text("How often is the question asked?"), func(at string) string {
			if at == "1" {
				return say.Text("once")
			}
			return say.Format("%s times", at)
		}),
		app.P().ID("lesson-result").Class("told").Role("status").Text(say.Format("Of 100 "+
			"secrets %d are guessed. The average answer is %s; the truth is %d.", s.Right[at],
			message.Prose(float64(sum)/float64(times)), course.ClinicIll+1)),
		app.Table().Class("bias").Body(
			app.Caption().Text(say.Text("Secrets guessed, of 100")),
			app.THead().Body(app.Tr().Body(
				app.Th().Scope("col").Text(say.Text("answers")),
				app.Th().Scope("col").Text(say.Text("guessed")),
				app.Th().Scope("col").Text(say.Text("spent in all")))),
			app.TBody().Body(rows...)),
		app.H3().Text(say.Format("Three ways to spend ε = %s on one number", course.WaysEpsilon)),
		parts.DataTable(say.Text("How far the number is off, on average, in people"),
			[]string{"", say.Text("people")}, [][]string{
				{say.Format("%d answers at ε = %s, averaged", course.WaysAnswers,
					course.SpendingEpsilon), message.Prose(w.Apart)},
				{say.Format("one at ε = %s, topped up: only the difference is paid",
					course.SpendingEpsilon), message.Prose(w.Top)},
				{say.Format("one at ε = %s", course.WaysEpsilon), message.Prose(w.Once)},
			}, "low", func(c int) bool { return c > 0 }),
		app.P().Class("soft").Text(say.Text("An answer that turns out too rough is topped up, " +
			"not asked anew: that is as good as having asked well at once.")),
		v.again(),
	}
}

// ranges is the average with each range, and the attack by a range that was read off the data.
func (v *Lesson) ranges() []app.UI {
	d, at := v.Course.Drawn.Ranges, v.Course.Place()
	best, widest := d.Best(), 0.0
	for _, r := range d.All {
		widest = max(widest, r.Bias, r.Noise)
	}
	var rows []app.UI
	for i, r := range d.All {
		class := ""
		if i == at {
			class = "best"
		}
		top := message.Grouped(r.Top)
		amount := func(x float64) string { return message.Grouped(int64(math.Round(x))) }
		rows = append(rows, app.Tr().Class(class).Body(
			app.Th().Scope("row").Text(top),
			app.Td().Body(bar(say.Format("too low with a range to %s", top), r.Bias/widest),
				app.Span().Text(amount(r.Bias))),
			app.Td().Body(bar(say.Format("noise with a range to %s", top), r.Noise/widest),
				app.Span().Text("± "+amount(r.Noise))),
			app.Td().Text(amount(r.Off))))
	}
	r, chief := d.All[at], v.Course.Drawn.Chief
	return []app.UI{
		v.slider(say.Text("Where does the range of pay end?"), func(at string) string {
			return say.Format("0 to %s EUR", message.GroupedText(at))
		}),
		app.P().ID("lesson-result").Class("told").Role("status").Text(say.Format("The average "+
			"pay is about %s EUR, says one answer; truly it is %s EUR. %d of %d people earn "+
			"more than the range allows.", message.Grouped(int64(math.Round(r.First))),
			message.Grouped(int64(math.Round(d.Mean))), r.Cut, course.PayrollPeople)),
		app.Table().Class("bias").Body(
			app.Caption().Text(say.Format("Errors by the top of the range, in EUR, at ε = %s",
				course.BoundsEpsilon)),
			app.THead().Body(app.Tr().Body(
				app.Th().Scope("col").Text(say.Text("top")),
				app.Th().Scope("col").Text(say.Text("too low by")),
				app.Th().Scope("col").Text(say.Text("noise")),
				app.Th().Scope("col").Text(say.Text("off in all")))),
			app.TBody().Body(rows...)),
		app.P().Text(say.Format("Least error here: a range to %s EUR.",
			message.Grouped(best.Top))),
		app.H3().Text(say.Text("And if the data set the range?")),
		app.P().ID("lesson-chief").Text(say.Format("In each of 100 files a coin decides whether "+
			"the chief, with %s EUR, is in it. By a range that was read off the data, %d of 100 "+
			"guesses are right; by the answer, with a public range, %d.",
			message.Grouped(course.ChiefPay), chief.FromData, chief.FromPublic)),
		v.again(),
	}
}

// studies is what an insurer learns, with Ana's data and without.
func (v *Lesson) studies() []app.UI {
	c := v.Course
	s := c.Drawn.Studies[c.Place()]
	stops, _ := state.Stops(c.Number)
	names := []state.Choice{{Name: "Ana stays out"}, {Name: "Ana takes part"}}
	whether := c.Drawn.Studies
	return []app.UI{
		app.FieldSet().ID("lesson-at").Class("choices").Body(
			app.Legend().Text(say.Text("Does Ana take part?")),
			app.Range(names).Slice(func(i int) app.UI {
				return choiceOf("part", i+1, c.Place()+1, names[i], func(number int) {
					v.Course.Turn(stops[number-1])
				})
			})),
		app.P().ID("lesson-result").Class("told").Role("status").Text(say.Format("One private "+
			"study (ε = %s): about %s of smokers fall ill, and about %s of others. The insurer "+
			"guesses that Ana will.", course.StudyEpsilon, percent(s.Smokers),
			percent(s.Others))),
		parts.DataTable(say.Text("Of 100 such towns and studies"),
			[]string{"", say.Text("Ana stays out"), say.Text("Ana takes part")}, [][]string{
				{say.Text("studies that find it"), strconv.Itoa(whether[0].Found),
					strconv.Itoa(whether[1].Found)},
				{say.Text("guesses about Ana that are right"), strconv.Itoa(whether[0].Right),
					strconv.Itoa(whether[1].Right)},
			}, "low", func(c int) bool { return c > 0 }),
		app.P().Class("soft").Text(say.Text("An exact study finds the same. Whether it should be " +
			"made, and what insurers may do with it, is for people to decide.")),
		v.again(),
	}
}
