package ask

import "hush/core/privacy"

// PriceTogether plans questions with given ε for a file of this many people, from these alone: the
// releases of the plan must state the same together. Its total is that of [Session.Together].
func PriceTogether(c Catalogue, questions []Recipe, people int64, delta string) (Together, error) {
	d := &divider{}
	var err error
	if d.delta, err = planned(len(questions), delta); err != nil {
		return Together{}, err
	}
	var given []privacy.Epsilon
	for _, r := range questions {
		epsilon, err := privacy.ParseEpsilon(r.Epsilon)
		if err != nil {
			return Together{}, err
		}
		given = append(given, epsilon)
		d.parts = append(d.parts, &dividing{of: d, known: map[string]*priced{},
			at: func(text string) (*Query, Prepared, error) {
				r.Epsilon = text
				return newQuery(nil, c, r, people, nil)
			}})
	}
	return d.together(given)
}
