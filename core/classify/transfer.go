package classify

import "errors"

// errLong ends a search that takes too long to be worth it.
var errLong = errors.New("classify: too long")

// Transferred returns a rule of a class with the fewest mistakes on cases whose labels are already
// public, such as those that votes released. It is post-processing, so it costs no privacy, and it
// labels any further case (knowledge transfer: Nandi, Bassily, 2019, Section 4). right is the
// number of cases that it labels correctly. Where rules of the class cannot be listed, or not in
// about a tenth of a second, it is the best stump: one threshold of one column.
func Transferred(class Class, cases []Example) (rule Rule, right int) {
	const strides = 1 << 11
	left := strides
	within := &pace{step: func(int64, int64) error {
		if left--; left < 0 {
			return errLong
		}
		return nil
	}}
	sizes := class.Sizes()
	sample := votes(cases, sizes, nil)
	if _, listed := class.(Enumerable); listed {
		rule = class.Learn(sample, within)
	}
	if rule == nil || within.err != nil {
		rule = (&Stumps{sizes, Either}).Learn(sample, nil)
	}
	for _, c := range cases {
		if fits(c.Point, sizes) && rule.Says(c.Point) == c.Yes {
			right++
		}
	}
	return rule, right
}
