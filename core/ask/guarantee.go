package ask

import (
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/privacy"
)

// Guarantee says what is promised: in one line, for everyone, and for experts.
type Guarantee struct {
	Promise    string `json:"promise,omitempty"` // empty in releases of earlier versions
	Plain      string `json:"plain"`
	Exact      string `json:"exact"`
	Neighbours string `json:"neighbours"` // whom it protects, and what is public
}

func guarantee(say *message.Language, l privacy.Loss, r Recipe) Guarantee {
	kind := say.Text("pure differential privacy")
	if l.Delta().Sign() > 0 {
		kind = say.Text("approximate differential privacy")
	}
	one, _ := r.Noun.Words()
	return Guarantee{
		Promise:    say.Phrase(l.Promise(one)),
		Plain:      say.Phrase(l.Sentence()),
		Exact:      say.Phrase(l) + ", " + kind,
		Neighbours: say.Text(Neighbours(r)),
	}
}

// Neighbours says whose data is protected: the unit, and what is public.
func Neighbours(r Recipe) phrase.Key {
	switch {
	case r.Person > 0:
		return "A person is everybody whose rows carry the same identifier; one of these rows, " +
			"drawn at random, counts. Compared are data sets with equally many persons that " +
			"differ in all rows of one person. The number of persons is public, and so is " +
			"everything typed into the form."
	case r.Count > 0:
		return "A row stands for as many persons as its count says. Compared are data sets with " +
			"equally many persons in all that differ in one person. The number of persons is " +
			"public, and so is everything typed into the form."
	}
	return "One row is one person. Compared are data sets of the same size that differ in one " +
		"person's row; the number of rows is public, and so is everything typed into the form."
}

// Line is the promise in one line, or in more where a release of an earlier version has no such.
func (g Guarantee) Line() string {
	if g.Promise == "" {
		return g.Plain
	}
	return g.Promise
}
