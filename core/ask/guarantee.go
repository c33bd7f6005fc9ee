package ask

import (
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/table"
)

// Guarantee states the promise: in one line, for everyone, and for experts.
type Guarantee struct {
	Promise    string `json:"promise,omitempty"` // empty in releases of earlier versions
	Plain      string `json:"plain"`
	Exact      string `json:"exact"`
	Neighbours string `json:"neighbours"` // whom it protects, and what is public
}

// GuaranteeOf says what a loss promises to the people a recipe is about.
func GuaranteeOf(say *message.Language, l privacy.Loss, r Recipe) Guarantee {
	kind := say.Text("pure differential privacy")
	if l.Delta().Sign() > 0 {
		kind = say.Text("approximate differential privacy")
	}
	one, _ := r.Noun.Words()
	return Guarantee{
		Promise:    phrase.Settled(say.Phrase(l.Promise(one))),
		Plain:      say.Phrase(l.Sentence()),
		Exact:      say.Phrase(l) + ", " + kind,
		Neighbours: phrase.Settled(say.Phrase(Neighbours(r))),
	}
}

// Neighbours says whose data are protected: the unit of protection, and what is public.
func Neighbours(r Recipe) phrase.Phrase {
	switch {
	case r.Person > 0 && r.Use != nil:
		return phrase.Join([]phrase.Phrase{uses(r.Use), phrase.Of("The guarantee compares data " +
			"sets with the same number of people that differ in all rows of one person. The " +
			"number of people is public, and so is everything typed into the form; the number of " +
			"rows is not.")}, " ")
	case r.Person > 0:
		return phrase.Of("All rows with the same identifier are one person; one of them, drawn " +
			"at random, counts. The guarantee compares data sets with the same number of people " +
			"that differ in all rows of one person. The number of people is public, and so is " +
			"everything typed into the form.")
	case r.Count > 0 && r.Use.Entries() > 1:
		return phrase.Of("The counts are of rows, at most %d for each person, bounded before "+
			"they were counted. The guarantee compares data sets with the same number of people "+
			"that differ in all rows of one person. The number of people is public, and so is "+
			"everything typed into the form.", r.Use.Entries())
	case r.Count > 0:
		return phrase.Of("Each row stands for the number of people given by its count. The " +
			"guarantee compares data sets with the same total number of people that differ in " +
			"one person. The number of people is public, and so is everything typed into the form.")
	}
	return phrase.Of("One row is one person. The guarantee compares data sets of the same size " +
		"that differ in one person's row; the number of rows is public, and so is everything " +
		"typed into the form.")
}

// uses says which of a person's rows count.
func uses(u *table.Use) phrase.Phrase {
	const who = "All rows with the same identifier are one person"
	switch {
	case len(u.Values) > 0:
		return phrase.Of(who + ". They make one value in the columns that say so; the other " +
			"columns take one of the rows, drawn at random.")
	case u.Groups > 0:
		return phrase.Of(who+"; at most %d rows in each of at most %d groups, drawn at random, "+
			"count.", u.Rows, u.Groups)
	case u.Rows > 1:
		return phrase.Of(who+"; at most %d of these rows, drawn at random, count.", u.Rows)
	}
	return phrase.Of(who + "; one of those that meet the conditions, drawn at random, counts.")
}

// Line is the promise in one line, or in more lines for a release of an earlier version, which has
// no such line.
func (g Guarantee) Line() string {
	if g.Promise == "" {
		return g.Plain
	}
	return g.Promise
}
