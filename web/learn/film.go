package learn

import (
	"fmt"
	"strconv"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"hush/web/film"
	"hush/web/parts"
	"hush/web/say"
	"hush/web/state/lesson"
)

// FilmView shows a picture that moves, one frame after the other. What happens stands beside it in
// words, so that nobody needs the picture.
type FilmView struct {
	app.Compo

	Learn    *lesson.Learn // read and changed
	Revision int           // Model.Revision

	runs int // clocks started: only the last one counts
}

// frameTime is how long a frame is shown while a film plays.
const frameTime = 1200 * time.Millisecond

// play starts or stops the film. A clock started before, for a film that was stopped meanwhile,
// goes on to nothing.
func (v *FilmView) play(ctx app.Context) {
	v.Learn.PlayFilm()
	v.runs++
	if v.Learn.Showing.Playing {
		v.wait(ctx, v.runs)
	}
}

func (v *FilmView) wait(ctx app.Context, run int) {
	ctx.After(frameTime, func(ctx app.Context) {
		if run == v.runs && v.Learn.FilmGoesOn() {
			v.wait(ctx, run)
		}
	})
}

// keys handles the keys of a player; the buttons have their own.
func (v *FilmView) keys(_ app.Context, e app.Event) {
	switch e.Get("key").String() {
	case "ArrowLeft":
		v.Learn.StepFilm(-1)
	case "ArrowRight":
		v.Learn.StepFilm(1)
	}
}

// Render draws the frame that is shown, and the buttons.
func (v *FilmView) Render() app.UI {
	s := &v.Learn.Showing
	switch {
	case s.Fault != nil:
		return parts.FailureNote(s.Fault)
	case s.Film == nil:
		return app.P().Class("soft").Role("status").Text(say.Text("The algorithm runs…"))
	}
	f, frame := s.Film, s.Film.Frames[s.At]
	live, play := "polite", say.Text("Play")
	if s.Playing {
		live, play = "off", say.Text("Pause") // words that come and go every second help nobody
	}
	button := func(id, text string, off bool, do func(app.Context)) app.UI {
		return app.Button().ID(id).Class("button").Type("button").Disabled(off).Text(text).
			OnClick(func(ctx app.Context, _ app.Event) { do(ctx) })
	}
	return app.Figure().ID("film").Class("film").DataSet("film", s.ID).OnKeyDown(v.keys).Body(
		app.FigCaption().
			Body(app.H3().Text(f.Title),
				app.P().Class("soft small").Text(say.Format("%s Not a release.", f.Data))),
		moving(f, frame),
		app.P().ID("film-text").Class("film-text").Aria("live", live).Body(
			app.Span().Class("soft").Text(say.Format("Step %d of %d. ", s.At+1, len(f.Frames))),
			app.Text(frame.Text)),
		app.Div().Class("row").Role("group").Aria("label", say.Text("The picture that moves")).Body(
			button("film-back", say.Text("Back"), s.At == 0, func(app.Context) {
				v.Learn.StepFilm(-1)
			}),
			button("film-play", play, false, v.play),
			button("film-next", say.Text("Next"), s.Last(), func(app.Context) {
				v.Learn.StepFilm(1)
			}),
			button("film-again", say.Text("Other coins"), false, func(app.Context) {
				v.Learn.ShowFilm(s.ID)
			}),
		),
	)
}

// moving draws a frame over the marks that all frames share.
func moving(f *film.Film, frame film.Frame) app.UI {
	marks := []app.UI{parts.SVG("title").Text(f.Title), parts.SVG("desc").Text(frame.Text)}
	for _, list := range [][]film.Mark{f.Ground, frame.Marks} {
		for _, m := range list {
			marks = append(marks, markElement(m))
		}
	}
	return parts.SVG("svg").Class("film-picture").Role("img").
		Attr("viewBox", fmt.Sprintf("0 0 %d %d", film.Width, f.Height)).Body(marks...)
}

// markElement returns a mark as an element.
func markElement(m film.Mark) app.UI {
	shape := map[film.Shape]struct {
		tag   string
		names []string // of what X, Y, W and H are
	}{
		film.Bar:   {"rect", []string{"x", "y", "width", "height"}},
		film.Dot:   {"circle", []string{"cx", "cy", "r"}},
		film.Line:  {"line", []string{"x1", "y1", "x2", "y2"}},
		film.Text:  {"text", []string{"x", "y"}},
		film.Curve: {"path", nil},
	}[m.Shape]
	e := parts.SVG(shape.tag).Class("film-" + string(m.Look))
	for i, name := range shape.names {
		e = e.Attr(name, strconv.FormatFloat([]float64{m.X, m.Y, m.W, m.H}[i], 'f', -1, 64))
	}
	if m.Faint > 0 {
		e = e.Attr("opacity", strconv.FormatFloat(float64(100-m.Faint)/100, 'f', -1, 64))
	}
	switch m.Shape {
	case film.Text:
		return e.Text(m.Text)
	case film.Curve:
		return e.Attr("d", m.Text)
	}
	return e
}
