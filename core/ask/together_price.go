package ask

import (
	"hush/core/phrase"
	"hush/core/privacy"
)

// PriceTogether is a plan of questions whose ε are given, for a file of this many people, from
// these alone: what the releases of the plan must state together. Its total is that of
// [Session.Together].
func PriceTogether(c Catalogue, questions []Recipe, people int64, delta string) (Together, error) {
	if len(questions) < 1 || len(questions) > mostParts {
		return Together{}, Refuse("parts", phrase.Of("%d questions", len(questions)),
			phrase.Of("1 to %d", mostParts))
	}
	d := &divider{}
	var err error
	if d.delta, err = privacy.ParseDelta(delta); err != nil {
		return Together{}, err
	}
	var given []privacy.Epsilon
	for _, r := range questions {
		epsilon, err := privacy.ParseEpsilon(r.Epsilon)
		if err != nil {
			return Together{}, err
		}
		given = append(given, epsilon)
		d.parts = append(d.parts, &dividing{known: map[string]*priced{},
			at: func(text string) (*Query, Prepared, error) {
				r.Epsilon = text
				return newQuery(nil, c, r, people, nil)
			}})
	}
	return d.together(given)
}
