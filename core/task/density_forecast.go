package task

import (
	"math"

	"hush/core/ask"
	"hush/core/basic"
	"hush/core/density"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/threshold"
)

func (d *densityQuery) Loss() (privacy.Loss, error) { return d.off.with(d.chosen.Loss(1)) }

// OfPerson is the loss of a person with several entries.
func (d *densityQuery) OfPerson() (privacy.Loss, bool, error) {
	return d.off.ofPerson(d.query, d.chosen.Loss)
}

func (d *densityQuery) Algorithm() string { return d.query.Say.Phrase(d.chosen.Name()) }
func (d *densityQuery) Unit() ask.Unit    { return d.query.InPeople("%s in any count") }

// Bound is the bound for a count at any value. No bound is known between the places that some
// algorithms measure, or where the release is turned into pieces.
func (d *densityQuery) Bound() float64 {
	f, n := d.chosen.Forecast(), float64(max(d.query.People, 1))
	if !d.everywhere() {
		return math.Inf(1)
	}
	return min(n, f.Anywhere+density.ThinnedBy(d.most, f.Cells, f.Anywhere, n))
}

// everywhere reports whether everything that was measured is drawn.
func (d *densityQuery) everywhere() bool {
	m := methodOf(d.chosen)
	drawn := d.pieces == 0 && m != "merr" && m != "tree" || d.pieces >= d.chosen.Forecast().Cells
	return drawn && d.degree == 0 && d.shape == "none"
}

// Typical is the error of the count that is furthest off.
func (d *densityQuery) Typical() (off float64, exact bool) {
	return d.chosen.Forecast().Typical, false
}

func (d *densityQuery) Forecast() []ask.Forecast {
	n := d.query.People
	off := withinOf(d.chosen, n)
	list := append(d.off.forecast(d.query, d), []ask.Forecast{
		{Label: d.query.Say.Text("A count is off by at most"), Value: d.query.Count(off),
			Detail: d.query.Say.Format(
				"at the ends of its ranges, all at once, in 95 of 100 releases; %s of all %s; "+
					"between the ends the number is between theirs",
				percentOf(d.query.Say, off, n), d.query.Count(n))},
		{Label: d.query.Say.Text("Used"), Value: d.query.Say.Phrase(d.chosen.Name()),
			Detail: d.query.Say.Format("suggested: %s, since %s", d.advice.Learners[0].Name(),
				d.advice.Text)},
	}...)
	for _, l := range d.advice.Learners {
		list = append(list, d.by(l))
	}
	if h, is := d.chosen.(*density.Histogram); is {
		if apart := h.TotalVariationBound(basic.Beta); apart < 0.5 {
			list = append(list, ask.Forecast{
				Label: d.query.Say.Text("All ranges together, for a larger population"),
				Value: d.query.Say.Format("at most %s %% in the wrong one",
					phrase.AtMost(100*apart)),
				Detail: d.query.Say.Text("in 95 of 100 releases, if the people were drawn from " +
					"it at random (Diakonikolas, Hardt, Schmidt 2015, Theorem 3)")})
		}
	}
	if anywhere := d.chosen.Forecast().Anywhere; anywhere < float64(n) {
		list = append(list, inPopulation(d.query, anywhere)...)
		return append(list, d.ofShape(anywhere)...)
	}
	return list
}

// ofShape states what is known about the density of a larger population that has the shape asked
// for, or is such a mixture, if no count of the release is off by more people than anywhere.
func (d *densityQuery) ofShape(anywhere float64) []ask.Forecast {
	if d.shape == "none" {
		return nil
	}
	cells := min(d.chosen.Forecast().Cells, mostCells)
	const beta = 0.01 // as of inPopulation
	apart := density.MixedWithin(density.Shape(d.shape), d.mixed, d.query.Space.Size(), cells,
		2*threshold.LearnsWithin(anywhere, d.query.People, beta))
	if apart >= 0.5 {
		return nil
	}
	return []ask.Forecast{{Label: d.query.Say.Text("With that shape, for a larger population"),
		Value: d.query.Say.Format("at most %s %% in the wrong range", phrase.AtMost(100*apart)),
		Detail: d.query.Say.Text("in 94 of 100 cases, if the people were drawn from one at " +
			"random, and the shape made is as near to the release as that one: pieces of a " +
			"mixture add up (Diakonikolas, Hardt, Schmidt 2015)")}}
}

// by states the error of a learner at any value, so that learners can be compared.
func (d *densityQuery) by(l density.Learner) ask.Forecast {
	f, n := l.Forecast(), d.query.People
	typical := min(int64(math.Ceil(f.Typical)), n)
	out := ask.Forecast{Label: d.query.Say.Format("By %s", l.Name()),
		Value: d.query.Say.Format("typically %s", d.query.Count(typical))}
	if f.Anywhere < float64(n) {
		out.Detail = d.query.Say.Format("in any count; at most %s in 95 of 100 releases",
			d.query.Count(int64(math.Ceil(f.Anywhere))))
		return out
	}
	out.Detail = d.query.Say.Format("in any count. At most %s in 95 of 100 releases where it is "+
		"measured, at the ends of at most %d ranges; no bound is known between them",
		d.query.Count(withinOf(l, n)), f.Cells)
	return out
}

// Judge compares the error of counts with a quarter of the people, and each range's error with its
// own count.
func (d *densityQuery) Judge(r ask.Result) ask.Verdict {
	about := float64(d.query.People) / 4
	v := d.off.expected(d, about).Verdict()
	if r != nil {
		v = d.off.stated(d, r.(*Density).Error, about).Verdict()
		v.Cells = d.cells(r.(*Density))
	}
	return d.query.Because(v, d.query.CountUp, againstQuarter)
}

func (d *densityQuery) cells(r *Density) (cells []ask.Grade) {
	for _, c := range r.Cells {
		cells = append(cells, ask.Judge(d.within(r), c.People))
	}
	return cells
}

// Frame draws the distribution function: only the data show how high a density is.
func (d *densityQuery) Frame() *ask.Frame {
	return curve(d.query, upTo(d.query), float64(d.query.People), math.Ceil(d.Judge(nil).Error))
}

func withinOf(l density.Learner, most int64) int64 {
	return int64(math.Min(math.Ceil(l.Forecast().Within), float64(most)))
}
