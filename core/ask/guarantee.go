package ask

import (
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/privacy"
	"hush/core/table"
)

// Guarantee says what is promised: in one line, for everyone, and for experts.
type Guarantee struct {
	Promise    string `json:"promise,omitempty"` // empty in releases of earlier versions
	Plain      string `json:"plain"`
	Exact      string `json:"exact"`
	Neighbours string `json:"neighbours"` // whom it protects, and what is public
}

// GuaranteeOf says what a loss promises those whom a recipe is about.
func GuaranteeOf(say *message.Language, l privacy.Loss, r Recipe) Guarantee {
	kind := say.Text("pure differential privacy")
	if l.Delta().Sign() > 0 {
		kind = say.Text("approximate differential privacy")
	}
	one, _ := r.Noun.Words()
	return Guarantee{
		Promise:    say.Phrase(l.Promise(one)),
		Plain:      say.Phrase(l.Sentence()),
		Exact:      say.Phrase(l) + ", " + kind,
		Neighbours: say.Phrase(Neighbours(r)),
	}
}

// Neighbours says whose data is protected: the unit, and what is public.
func Neighbours(r Recipe) phrase.Phrase {
	switch {
	case r.Person > 0 && r.Use != nil:
		return phrase.Join([]phrase.Phrase{uses(r.Use), phrase.Of("The guarantee compares data " +
			"sets with equally many persons that differ in all rows of one person. The number " +
			"of persons is public, the number of rows is not, and everything typed into the " +
			"form is.")}, " ")
	case r.Person > 0:
		return phrase.Of("A person is everybody whose rows carry the same identifier; one of " +
			"these rows, drawn at random, counts. The guarantee compares data sets with equally " +
			"many persons that differ in all rows of one person. The number of persons is " +
			"public, and so is everything typed into the form.")
	case r.Count > 0 && r.Use.Entries() > 1:
		return phrase.Of("The counts are of rows of persons, %d of each, who were bounded so "+
			"before they were counted. The guarantee compares data sets with equally many "+
			"persons that differ in all rows of one person. The number of persons is public, "+
			"and so is everything typed into the form.", r.Use.Entries())
	case r.Count > 0:
		return phrase.Of("A row stands for as many persons as its count says. The guarantee " +
			"compares data sets with equally many persons in all that differ in one person. " +
			"The number of persons is public, and so is everything typed into the form.")
	}
	return phrase.Of("One row is one person. The guarantee compares data sets of the same size " +
		"that differ in one person's row; the number of rows is public, and so is everything " +
		"typed into the form.")
}

// uses says which rows of a person count.
func uses(u *table.Use) phrase.Phrase {
	const who = "A person is everybody whose rows carry the same identifier"
	switch {
	case len(u.Values) > 0:
		return phrase.Of(who + "; all rows of a person make one value in the columns that say " +
			"so, and one row, drawn at random, gives the others.")
	case u.Groups > 0:
		return phrase.Of(who+"; at most %d rows in each of at most %d groups, drawn at random, "+
			"count.", u.Rows, u.Groups)
	case u.Rows > 1:
		return phrase.Of(who+"; at most %d of these rows, drawn at random, count.", u.Rows)
	}
	return phrase.Of(who + "; one of these rows, drawn at random from those that meet the " +
		"conditions, counts.")
}

// Line is the promise in one line, or in more where a release of an earlier version has no such.
func (g Guarantee) Line() string {
	if g.Promise == "" {
		return g.Plain
	}
	return g.Promise
}
