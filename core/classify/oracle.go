package classify

import "math"

// Oracle is a class that can decide whether some rule of it makes no mistake.
type Oracle interface {
	Class

	// Consistent is a rule that makes no mistake on the sample, each point of which has labels of
	// one kind; false says that the class has none. It is exact, and a function of the sample alone
	// (H: relabel.md exact-oracle).
	Consistent(sample []Votes) (Rule, bool)

	// ConsistentWork is about how many steps Consistent takes on n points at most.
	ConsistentWork(n int) float64
}

// Listed makes a class [Enumerable] whose labellings have no closed form, by its consistency
// oracle: it labels one anchor after another, and goes on only where some rule labels all of them
// that way.
//
// # Labellings
//
// Each is listed once, since it is met on one path only; and none is missing, since each part of a
// labelling that a rule gives is given by that rule. Proof: relabel.md, Lemma 5.
//
// # Learning
//
// What Consistent finds; where there is nothing, what the class learns, which need not have the
// fewest mistakes.
//
// # Cost
//
// Two calls of Consistent for each anchor of each labelling, at most: for few anchors, or columns
// of few codes.
type Listed struct{ Oracle }

var _ Enumerable = Listed{}

// Learn finds a rule.
func (c Listed) Learn(sample []Votes, p *pace) Rule {
	for _, v := range sample {
		if v.Yes > 0 && v.No > 0 {
			return c.Oracle.Learn(sample, p)
		}
	}
	if rule, ok := c.Consistent(sample); ok {
		return rule
	}
	return c.Oracle.Learn(sample, p)
}

// Work is the work of the oracle at each anchor of each labelling, and of counting mistakes.
func (c Listed) Work(n int) float64 {
	points := float64(pointsAmong(n, c.Sizes()))
	return math.Exp(c.LogGrowth(n)) * points * (c.ConsistentWork(int(points)) + 1)
}

// Dichotomies labels the anchors in their order, no before yes.
func (c Listed) Dichotomies(anchors []Point, sample []Votes, p *pace,
	visit func(int64, func() Rule) bool) {
	labelled := make([]Votes, 0, len(anchors))
	// extend visits what becomes of the labels so far, which known gives.
	var extend func(known Rule) bool
	extend = func(known Rule) bool {
		if len(labelled) == len(anchors) {
			return visit(mistakes(known, sample), func() Rule { return known })
		}
		at := anchors[len(labelled)]
		for _, vote := range []Votes{{at, 0, 1}, {at, 1, 0}} {
			if !p.on() {
				return false
			}
			labelled = append(labelled, vote)
			rule, ok := known, known.Says(at) == (vote.Yes > 0)
			if !ok {
				rule, ok = c.Consistent(labelled)
			}
			if ok && !extend(rule) {
				return false
			}
			labelled = labelled[:len(labelled)-1]
		}
		return true
	}
	if rule, ok := c.Consistent(nil); ok {
		extend(rule)
	}
}

// pointsAmong returns the largest number of different points that n persons can have.
func pointsAmong(n int, sizes []uint64) int {
	most := 1.0
	for _, size := range sizes {
		most *= float64(size)
	}
	return int(math.Min(float64(n), most))
}
