package lesson

import (
	"maps"
	"slices"

	"hush/core/ask"
	"hush/core/study"
	"hush/web/engine"
	"hush/web/state/form"
	"hush/web/state/place"
)

// showStudy shows the page of a paper, and measures.
func (l *Learn) showStudy(s study.Study, set settings) {
	l.Lesson = Lesson{Study: &s, Seed: 1}
	for axis := range s.Axes() {
		set.number("axis", []int{axis}, &l.Axis)
	}
	set.seed(&l.Seed)
	l.ShowFilm(s.Films[0])
	l.measure()
}

// Measure measures again, with other coins. The earlier curves stay until the new ones are there.
func (l *Learn) Measure() {
	if l.Study == nil { // the lesson was left, and its controls are still on the screen
		return
	}
	l.Halt()
	l.Seed++
	l.measure()
	l.write()
	l.Update()
}

// Grow measures while another quantity grows, with the same coins.
func (l *Learn) Grow(axis int) {
	if l.Study == nil {
		return
	}
	l.Halt()
	l.Axis, l.Curves = axis, nil
	l.measure()
	l.write()
	l.Update()
}

func (l *Learn) measure() {
	asked := study.Request{ID: l.Study.ID, Axis: l.Axis, Seed: l.Seed}
	l.follow(engine.Study.With(asked), func(body []byte, fault *engine.Fault) {
		if l.Fault = fault; fault == nil {
			l.Curves = engine.Study.Read(body)
		}
	})
}

// StudyForm is the address of the form with the settings of the paper that is shown.
func (l *Learn) StudyForm() string {
	i := slices.IndexFunc(l.Tasks, func(t ask.Task) bool { return t.ID == l.Study.Task })
	if i < 0 {
		return "#" + place.ViewWorkbench.Path() // the catalogue has not come yet
	}
	r := l.Tasks[i].Example.Recipe
	r.Version, r.Task, r.Epsilon = ask.RecipeVersion, l.Study.Task, "1"
	params := ask.Params{}
	maps.Copy(params, r.Params)
	maps.Copy(params, l.Study.Params)
	r.Params = params
	return "#" + place.ViewWorkbench.Path() + "?q=" + form.EncodeRecipe(r)
}
