package query

// Conditionals holds the records of the persons with a yes and of those with a no; everybody else
// has an empty record in both. From both, a release of conjunctions becomes an agnostic learner:
// Theorem 5.5, in the form without division. One replaced person replaces at most one row of each,
// so the losses of the two releases add up. Proof: learners.md.
func Conditionals(records *Records, yes,
	known func(person int) bool) (withYes, withNo *Records, err error) {
	if withYes, err = NewRecords(records.Persons(), records.Size()); err != nil {
		return nil, nil, err
	}
	if withNo, err = NewRecords(records.Persons(), records.Size()); err != nil {
		return nil, nil, err
	}
	for i := range records.Persons() {
		if !known(i) {
			continue
		}
		into := withNo
		if yes(i) {
			into = withYes
		}
		copy(into.rows[i*into.words:], records.Row(i))
	}
	return withYes, withNo, nil
}

// BestRule returns the conjunction of 1 to width attributes that, by releases of the two
// conditionals, is right for the most persons, and how many more that is than with a no for
// everybody. It works on releases alone. If both are within α·n for all these conjunctions, the
// rule is within 4α·n of the best of them.
func BestRule(withYes, withNo *Release, width int) (best Set, gain float64, err error) {
	if withYes.Size != withNo.Size { // H: learners.md same-attributes
		return nil, 0, refuse("size", "different", "two releases of the same attributes")
	}
	if err := checkClass(withYes.Size, width); err != nil {
		return nil, 0, err
	}
	for i, s := range subsets(withYes.Size, width) {
		a, err := withYes.Ask(s)
		if err != nil {
			return nil, 0, err
		}
		b, err := withNo.Ask(s)
		if err != nil {
			return nil, 0, err
		}
		if g := a.Persons - b.Persons; i == 0 || g > gain {
			best, gain = s, g
		}
	}
	return best, gain, nil
}
