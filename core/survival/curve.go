package survival

// within is a number of persons: about how many, and a range that holds the true one.
type within struct{ low, about, high float64 }

// less is the number that is left of w without v, whose persons are among those of w.
func (w within) less(v within) within {
	return within{max(w.low-v.high, 0), max(w.about-v.about, 0), max(w.high-v.low, 0)}
}

// numbers are what a survival curve is made of.
type numbers struct {
	all      within   // persons with a time and an end
	events   []within // events up to a step, and in it
	censored []within // censored up to a step, and in it
}

func newNumbers(steps int) *numbers {
	return &numbers{events: make([]within, steps), censored: make([]within, steps)}
}

// Curve is the survival curve of a group.
type Curve struct {
	// All is how many persons of the group have a time and an end.
	All, AllLow, AllHigh float64
	// Points are the curve's values at the end of each step.
	Points []Point
}

// Point is the curve at the end of a step.
type Point struct {
	// Free is the part of persons without the event up to the end of the step, were nobody
	// censored: Kaplan and Meier's estimate, of an event before who is censored in the same step.
	Free, Low, High float64
	// AtRisk is how many are still followed and without the event when the step begins.
	AtRisk, AtRiskLow, AtRiskHigh float64
}

// curve makes the curve: survival.md, Theorems 2 and 3.
func (s *numbers) curve() *Curve {
	c := &Curve{All: s.all.about, AllLow: s.all.low, AllHigh: s.all.high}
	free, low, high := 1.0, 1.0, 1.0
	for t := range s.events {
		risk := s.atRisk(t)
		here := s.events[t].about - s.before(s.events, t).about
		if risk.about > 0 {
			free *= 1 - min(max(here, 0)/risk.about, 1)
		}
		low, high = min(low, s.least(t)), min(high, s.most(t)) // the true curve falls
		c.Points = append(c.Points, Point{Free: min(max(free, low), high), Low: low, High: high,
			AtRisk: risk.about, AtRiskLow: risk.low, AtRiskHigh: risk.high})
	}
	return c
}

// before is what is known at the end of the step before.
func (*numbers) before(list []within, t int) within {
	if t == 0 {
		return within{}
	}
	return list[t-1]
}

// atRisk is how many are at risk when a step begins.
func (s *numbers) atRisk(t int) within {
	return s.all.less(s.before(s.events, t)).less(s.before(s.censored, t))
}

// most is the largest curve at the end of step t that the ranges allow: the events up to t are as
// few as they can be and happened as early as they can have, nobody was censored who need not be,
// and as many as can be have a time.
func (s *numbers) most(t int) float64 {
	events := func(i int) float64 { return min(s.events[i].high, s.events[t].low) }
	censored := func(i int) float64 { return s.censored[i].low }
	free := product(s.all.high, t, events, censored)
	return min(max(free, 0), 1)
}

// least is the smallest such curve: the events up to t are as many as they can be and happened as
// late as they can have, everybody was censored who may have been, and as few as can be have a
// time.
func (s *numbers) least(t int) float64 {
	events := func(i int) float64 {
		if i == t {
			return s.events[t].high
		}
		return s.events[i].low
	}
	censored := func(i int) float64 { return s.censored[i].high }
	for i := range t + 1 {
		atRisk := s.all.low
		if i > 0 {
			atRisk -= events(i-1) + censored(i-1)
		}
		if atRisk <= 0 {
			return 0
		}
	}
	return max(product(s.all.low, t, events, censored), 0)
}

// product is Kaplan and Meier's product up to step t. Where nobody is at risk, its factor is 1 if
// there is no event, and 0 if there are some.
func product(all float64, t int, events, censored func(step int) float64) float64 {
	free, atRisk, had := 1.0, all, 0.0
	for i := range t + 1 {
		now := events(i)
		switch here := now - had; {
		case here <= 0:
		case atRisk <= here:
			return 0
		default:
			free *= 1 - here/atRisk
		}
		had, atRisk = now, all-now-censored(i)
	}
	return free
}
