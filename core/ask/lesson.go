package ask

import (
	"fmt"
	"maps"

	"hush/core/coin"
	"hush/core/message"
	"hush/core/phrase"
	"hush/core/sample"
	"hush/core/table"
)

// Example is a question about one of the made-up data sets, as a starting point for teaching.
type Example struct {
	Sample string `json:"sample"` // sample.Set.Name
	Recipe Recipe `json:"recipe"` // without Table, which follows from the data set
}

// Lesson is a question asked many times of made-up data, to see what the noise does. Nothing in it
// is private, and none of its outcomes is a release.
type Lesson struct {
	Sample string `json:"sample"` // sample.Set.Name
	// the first rows of the set; 0: all; rows beyond its end are made up in the same way
	Rows   int       `json:"rows,omitempty"`
	Recipe Recipe    `json:"recipe"` // without Table
	Draws  int       `json:"draws"`  // 1 to MaxDraws
	Seed   coin.Seed `json:"seed"`   // the same seed draws the same again

	// Aside is how many further people replace the recipe's cases, in a question that labels cases.
	// Only made-up people may do so: the cases of a question about a person's own file are public,
	// whereas these people are rows of the data.
	Aside int `json:"aside,omitempty"`
}

// MaxDraws is the largest number of times that a lesson asks its question.
const MaxDraws = 100

// Taught is a lesson's outcome.
type Taught[C Catalogue] struct {
	// Quiet is the same question at QuietEpsilon, where hardly any noise is left: what the data
	// say, through the same algorithm.
	Quiet *Release[C]   `json:"quiet"`
	Draws []*Release[C] `json:"draws"`
	// Aside says how many of the people set aside are labelled correctly; nil: nobody was set
	// aside.
	Aside *Aside `json:"aside,omitempty"`
}

// QuietEpsilon is a privacy loss far too large to protect anybody.
const QuietEpsilon = "100"

// Teach asks a lesson's question. Its coins are seeded, and its data are the bundle's own, never a
// person's file. step receives the number of draws done, and ends the lesson by returning an error.
func Teach[C Catalogue](say *message.Language, catalogue C, l Lesson,
	step coin.Step) (*Taught[C], error) {
	var answers []string
	if l.Aside != 0 {
		t, err := find(catalogue, l.Recipe.Task)
		if err != nil {
			return nil, err
		}
		cases, told, err := l.aside(t)
		if err != nil {
			return nil, err
		}
		answers, l.Recipe.Params = told, maps.Clone(l.Recipe.Params)
		if l.Recipe.Params == nil {
			l.Recipe.Params = Params{}
		}
		l.Recipe.Params[t.Cases] = cases
	}
	s, r, err := OpenLesson(say, catalogue, l)
	if err != nil {
		return nil, err
	}
	out, err := s.draw(r, l.Draws, step)
	if err != nil || answers == nil {
		return out, err
	}
	out.Aside = &Aside{People: len(answers), Quiet: rightly(out.Quiet.Answer.Result, answers)}
	for _, r := range out.Draws {
		out.Aside.Draws = append(out.Aside.Draws, rightly(r.Answer.Result, answers))
	}
	return out, nil
}

// Look asks a question of the opened file many times with seeded coins, and at QuietEpsilon. It
// protects nobody: the caller has first recorded for good that the owner has seen the exact data.
// The question's columns must be held (Encode); the lesson's Sample, Rows and Aside are not read.
func (s *Session[C]) Look(l Lesson, step coin.Step) (*Taught[C], error) {
	// no release rests on draws from these coins
	seeded := s.With(coin.NewSeeded(l.Seed))
	seeded.taught = true
	return seeded.draw(l.Recipe, l.Draws, step)
}

// draw asks the question once at QuietEpsilon, and then draws times at its own ε.
func (s *Session[C]) draw(r Recipe, draws int, step coin.Step) (*Taught[C], error) {
	if draws < 1 || draws > MaxDraws {
		return nil, Refuse("draws", fmt.Sprint(draws), phrase.Of("a number from 1 to %d", MaxDraws))
	}
	done := 0
	within := func(int64, int64) error {
		if step == nil {
			return nil
		}
		return step(int64(done), int64(draws))
	}
	quiet := r
	quiet.Epsilon = QuietEpsilon
	out := &Taught[C]{}
	// A refusal names the ε that the person asked for, not the quiet one.
	_, err := s.Plan(r)
	if err != nil {
		return nil, err
	}
	if out.Quiet, err = s.Run(quiet, within); err != nil {
		return nil, err
	}
	for ; done < draws; done++ {
		if err := within(0, 1); err != nil {
			return nil, err
		}
		release, err := s.Run(r, within)
		if err != nil {
			return nil, err
		}
		out.Draws = append(out.Draws, release)
	}
	return out, nil
}

// OpenLesson reads the columns of the question, and returns the session and the complete recipe.
func OpenLesson[C Catalogue](say *message.Language, catalogue C,
	l Lesson) (*Session[C], Recipe, error) {
	r := l.Recipe
	file, err := l.File()
	if err != nil {
		return nil, r, err
	}
	s := NewSession(catalogue, coin.NewSeeded(l.Seed))
	s.Say, s.taught = say, true
	survey, err := s.Survey(table.Options{})
	if err != nil {
		return nil, r, err
	}
	if err := ReadAll(survey, file); err != nil {
		return nil, r, err
	}
	opened, err := s.Opened()
	if err != nil {
		return nil, r, err
	}
	r.Table = opened.Options
	pass, err := s.Encode(r)
	if err == nil && pass != nil {
		err = ReadAll(pass, file)
	}
	return s, r, err
}

// set returns the made-up data set.
func (l Lesson) set() (sample.Set, error) {
	set, ok := sample.Named(l.Sample)
	if !ok {
		return sample.Set{},
			Refuse("sample", fmt.Sprintf("%q", l.Sample), phrase.Of("one of the made-up data sets"))
	}
	return set, nil
}

// File returns the data set's header and its first rows.
func (l Lesson) File() ([]byte, error) {
	set, err := l.set()
	if err != nil {
		return nil, err
	}
	if l.Rows < 0 || l.Rows > mostTaughtRows+4*mostAside {
		return nil, Refuse("rows", fmt.Sprint(l.Rows),
			phrase.Of("a number from 1 to %d, or 0 for all", mostTaughtRows))
	}
	if l.Rows > 0 {
		set.Rows = l.Rows
	}
	return set.CSV(), nil
}
